//! Random edits of a repository.

use proptest::prelude::*;
use proptest::sample::Index;

/// One change of the repository. An index chooses among the files, names or lines that exist when the edit is made.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    /// A name is replaced by another, in one file or in all of them.
    Rename {
        file: Option<Index>,
        from: Index,
        to: Index,
    },
    /// A file is moved to another path.
    Move {
        file: Index,
        to: Index,
    },
    /// A file is copied to another path.
    Copy {
        file: Index,
        to: Index,
    },
    /// A file gets another package declaration.
    Package {
        file: Index,
        package: Index,
    },
    Delete {
        file: Index,
    },
    /// A file of the initial repository, or one of the new files, is written with its original text.
    Restore {
        file: Index,
    },
    /// A line of a list is added to a type of a file.
    AddMember {
        file: Index,
        place: Index,
        member: Index,
    },
    AddImport {
        file: Index,
        import: Index,
    },
    RemoveLine {
        file: Index,
        line: Index,
    },
    /// A line is moved to another file.
    MoveLine {
        from: Index,
        line: Index,
        to: Index,
        place: Index,
    },
    /// The types of a file are moved to the end of another file.
    MoveTypes {
        from: Index,
        to: Index,
    },
    Supertypes {
        file: Index,
        place: Index,
        supertypes: Index,
    },
    Settings(Index),
    /// A file that decides which files are read is written or deleted.
    Selection(Index),
}

/// Edits and the options of the scans after them.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) edits: Vec<Edit>,
    pub(crate) scan: Index,
}

/// One edit.
fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        5 => (prop::option::of(at()), at(), at()).prop_map(|(file, from, to)| Edit::Rename { file, from, to }),
        1 => (at(), at()).prop_map(|(file, to)| Edit::Move { file, to }),
        2 => (at(), at()).prop_map(|(file, to)| Edit::Copy { file, to }),
        1 => (at(), at()).prop_map(|(file, package)| Edit::Package { file, package }),
        2 => at().prop_map(|file| Edit::Delete { file }),
        4 => at().prop_map(|file| Edit::Restore { file }),
        5 => (at(), at(), at()).prop_map(|(file, place, member)| Edit::AddMember { file, place, member }),
        2 => (at(), at()).prop_map(|(file, import)| Edit::AddImport { file, import }),
        3 => (at(), at()).prop_map(|(file, line)| Edit::RemoveLine { file, line }),
        2 => (at(), at(), at(), at())
            .prop_map(|(from, line, to, place)| Edit::MoveLine { from, line, to, place }),
        1 => (at(), at()).prop_map(|(from, to)| Edit::MoveTypes { from, to }),
        2 => (at(), at(), at()).prop_map(|(file, place, supertypes)| Edit::Supertypes { file, place, supertypes }),
        1 => at().prop_map(Edit::Settings),
        2 => at().prop_map(Edit::Selection),
    ]
}

/// Steps of one case: at most `most_steps`, each with at most `most_edits` edits.
pub(crate) fn steps(most_steps: usize, most_edits: usize) -> impl Strategy<Value = Vec<Step>> {
    let edits = prop::collection::vec(edit(), 1..=most_edits);
    let step = (edits, any::<Index>()).prop_map(|(edits, scan)| Step { edits, scan });
    prop::collection::vec(step, 1..=most_steps)
}
