//! What a corpus says about one kind of flakiness.
//!
//! A study looks for one kind in the modules that it examines. IDoFT lists a test with the category of its flakiness. A
//! test that it does not list was examined for a kind only if a test of the same module is listed with that kind.
//! FlakeFlagger ran whole projects thousands of times, and names no category.
//!
//! | test | known about a kind |
//! |---|---|
//! | flaky, with a category of the kind | flaky |
//! | flaky, with other categories only | nothing |
//! | flaky without a category | flaky in timing; nothing about other kinds |
//! | stable, a test of its module is flaky in this kind | stable |
//! | stable, a flaky test of its project has no category | stable in timing |
//! | stable, examined for every kind by runs (layout `proven`) | stable |
//! | other stable tests | nothing |

use rustc_hash::FxHashSet;

use crate::corpus::{Corpus, TestRecord};
use crate::labels::STABLE_IN_ALL_KINDS;
use peeler_features::FlakinessKind;
use peeler_learning::predictor::KindLabels;

impl Corpus {
    /// The tests of the corpus about which one kind of flakiness is known, with labels for that kind.
    #[must_use]
    pub fn of_kind(&self, kind: FlakinessKind) -> Self {
        let examined = Examined::new(self, kind);
        self.selected(|test| examined.label(test))
    }

    /// What is known about each test of the corpus for each kind of flakiness, in the order of its tests.
    #[must_use]
    pub fn kind_labels(&self) -> Vec<KindLabels> {
        let examined = FlakinessKind::ALL.map(|kind| Examined::new(self, kind));
        let label = |test: &TestRecord, kind: FlakinessKind| {
            let own = examined.iter().find(|it| it.kind == kind)?;
            own.label(test)
        };
        self.tests
            .iter()
            .map(|test| KindLabels::new(|kind| label(test, kind)))
            .collect()
    }
}

/// The modules and projects in which one kind of flakiness was looked for.
struct Examined<'c> {
    kind: FlakinessKind,
    /// The modules in which a test is listed with this kind: the number of the project, and the folder of the module.
    modules: FxHashSet<(u32, &'c str)>,
    /// The numbers of the projects with a flaky test that has no category.
    projects: FxHashSet<u32>,
}

impl<'c> Examined<'c> {
    fn new(corpus: &'c Corpus, kind: FlakinessKind) -> Self {
        let flaky = || corpus.tests.iter().filter(|it| it.flaky);
        let listed = flaky().filter(|it| has_kind(it, kind));
        let rerun = flaky().filter(|it| it.category.is_none() && kind == FlakinessKind::Timing);
        Self {
            kind,
            modules: listed.map(|it| (it.project, module(&it.file))).collect(),
            projects: rerun.map(|it| it.project).collect(),
        }
    }

    /// Whether a test is flaky in this kind; `None` if nothing is known about it.
    fn label(&self, test: &TestRecord) -> Option<bool> {
        if test.flaky {
            let is_known = has_kind(test, self.kind) || (test.category.is_none() && self.kind == FlakinessKind::Timing);
            return is_known.then_some(true);
        }
        let was_examined = test.category.as_deref() == Some(STABLE_IN_ALL_KINDS)
            || self.projects.contains(&test.project)
            || self.modules.contains(&(test.project, module(&test.file)));
        was_examined.then_some(false)
    }
}

fn has_kind(test: &TestRecord, kind: FlakinessKind) -> bool {
    let categories = test.category.as_deref().unwrap_or_default();
    categories.split(';').any(|it| kind.has_category(it))
}

/// The folder of the Maven or Gradle module that a source file belongs to: `core` for `core/src/test/java/ATest.java`.
///
/// A file outside of a folder `src` belongs to a module of its own folder.
fn module(file: &str) -> &str {
    if file.starts_with("src/") {
        return "";
    }
    let end = file.find("/src/").or_else(|| file.rfind('/'));
    end.map_or("", |at| &file[..at])
}

#[cfg(test)]
mod tests {
    use super::module;

    #[test]
    fn modules_end_before_their_sources() {
        assert_eq!(module("core/io/src/test/java/a/src/ATest.java"), "core/io");
        assert_eq!(module("src/test/java/ATest.java"), "");
        assert_eq!(module("tests/ATest.java"), "tests");
        assert_eq!(module("ATest.java"), "");
    }
}
