//! The differences between the files of a cached scan and those of a new scan.
//!
//! A change of a type can change the meaning of code that does not mention the type:
//!
//! ```java
//! class Shop { Till till; }                  // mentions Till
//! class Till extends Machine { }             // mentions Machine; now Machine gets another supertype
//! assertEquals(1, shop.till.count());        // may call another count(), and mentions neither of them
//! ```
//!
//! So a change of a type spreads to its subtypes, and then to the members whose declarations name one of these types.
//! It also spreads to all supertypes, whose abstract methods have other implementations now.
//!
//! Invariant: code whose meaning differs is in a changed file, or mentions one of the names in [`Change::names`].

use std::collections::{BTreeSet, HashMap, HashSet};

use peeler_analysis::{FileId, FileInterface, SourceFile};

/// The differences between the files of a cached scan and those of a new scan.
#[derive(Default)]
pub(crate) struct Change {
    /// New and changed files, as indices into the files of the new scan.
    pub(crate) files: Vec<FileId>,
    /// Names of types and members whose meaning differs between the cached scan and the new one.
    pub(crate) names: BTreeSet<String>,
    /// The simple names of all types in new, changed and deleted files.
    declared: HashSet<String>,
    /// The declarations that files had in the cached scan, for files that are deleted or whose types differ now.
    before: Vec<FileInterface>,
    /// The simple names of types whose declarations differ from the cached scan.
    types: BTreeSet<String>,
}

impl Change {
    /// Records that a file was deleted. Returns `None` if it declared an annotation. No cached test can be reused then,
    /// because annotations can decide which methods are tests.
    pub(crate) fn without(&mut self, interface: FileInterface) -> Option<()> {
        let declares_annotation = interface.declares_annotation();
        self.declare(&interface);
        self.change_types(&interface);
        self.before.push(interface);
        (!declares_annotation).then_some(())
    }

    /// Records a new or changed file and returns its declarations that other files can see.
    ///
    /// Returns `None` if it declares an annotation, now or `before`. No cached test can be reused then, because
    /// annotations can decide which methods are tests.
    pub(crate) fn with(
        &mut self,
        at: FileId,
        file: &SourceFile,
        before: Option<FileInterface>,
    ) -> Option<FileInterface> {
        let now = FileInterface::of(file);
        let mut declares_annotation = now.declares_annotation();
        self.files.push(at);
        self.declare(&now);
        match before {
            Some(before) => {
                declares_annotation |= before.declares_annotation();
                self.names
                    .extend(before.difference(&now).into_iter().map(str::to_owned));
                self.declare(&before);
                if before.differs_in_types(&now) {
                    self.change_types(&before);
                    self.change_types(&now);
                    self.before.push(before);
                }
            }
            None => self.change_types(&now),
        }
        (!declares_annotation).then_some(now)
    }

    /// Whether a new, changed or deleted file declares a type with the simple name of `class`. A cached test of that
    /// class is then scored again.
    pub(crate) fn declares(&self, class: &str) -> bool {
        let simple = class.rsplit('.').next().unwrap_or(class);
        self.declared.contains(simple) || simple.split('$').any(|it| self.declared.contains(it))
    }

    /// Adds to `names` the subtypes and supertypes of changed types. Also adds members whose declarations name a
    /// changed type or a subtype of one. `interfaces` holds the declarations of each file of the new scan.
    pub(crate) fn spread(&mut self, interfaces: &[FileInterface]) {
        if self.types.is_empty() {
            return;
        }
        let mut subtypes: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut supertypes: HashMap<&str, Vec<&str>> = HashMap::new();
        for (name, above) in interfaces.iter().chain(&self.before).flat_map(FileInterface::types) {
            let known = supertypes.entry(name).or_default();
            for supertype in above {
                known.push(supertype);
                subtypes.entry(supertype).or_default().push(name);
            }
        }
        let changed: Vec<&str> = self.types.iter().map(String::as_str).collect();
        let below = closure(&changed, &subtypes);
        let above = closure(&changed, &supertypes);
        let members = interfaces.iter().flat_map(FileInterface::typed_members);
        let members = members.filter(|(_, types)| types.clone().any(|it| below.contains(it)));
        let members: BTreeSet<&str> = members.map(|it| it.0).collect();
        let names = below
            .iter()
            .chain(above.iter().filter(|it| supertypes.contains_key(*it)));
        self.names.extend(names.chain(&members).map(|it| (*it).to_owned()));
    }

    fn declare(&mut self, interface: &FileInterface) {
        self.declared.extend(interface.types().map(|it| it.0.to_owned()));
    }

    fn change_types(&mut self, interface: &FileInterface) {
        self.types.extend(interface.types().map(|it| it.0.to_owned()));
        self.names.extend(interface.names().map(str::to_owned));
    }
}

/// The given names and all names that can be reached from them through `next`, in any number of steps.
fn closure<'n>(names: &[&'n str], next: &HashMap<&'n str, Vec<&'n str>>) -> HashSet<&'n str> {
    let mut found = HashSet::new();
    let mut pending = names.to_vec();
    while let Some(name) = pending.pop() {
        if found.insert(name) {
            pending.extend(next.get(name).into_iter().flatten());
        }
    }
    found
}
