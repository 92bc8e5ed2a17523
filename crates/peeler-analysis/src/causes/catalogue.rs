//! The catalogue of sources of nondeterminism: which calls, annotations and collections are known.
//!
//! The shipped catalogue is the data file `catalogue/causes.toml`, whose header explains its fields. Entries are looked
//! up by the class that declares a called method. A team adds entries with [`CauseCatalogue::with_extra`].
//!
//! Invariant: an entry with a full name never matches a class of another package. All shipped entries have full names,
//! so a repository's own `Random` is not `java.util.Random`.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::class_name::{CallOwner, ClassName};
use super::collection_rules::CollectionRules;
use super::conditions::{CallShape, Conditions, mentions};
use super::name_pattern::{NamePattern, matches_any};
use super::rule::CauseRule;
use super::site::{NoticedBy, Weight};
use crate::catalogue_text;
use crate::symbols::index::Index;
use peeler_features::CauseKind;

/// The known sources of nondeterminism: the shipped ones and those that a team added. Clones share their entries.
#[derive(Debug, Clone)]
pub struct CauseCatalogue(Arc<Entries>);

/// The entries of the catalogue of causes, keyed by the simple name of a class or annotation.
#[derive(Debug)]
struct Entries {
    /// Catalogue entries for calls that cause flakiness, by the simple name of the class that declares the called
    /// method.
    calls: FxHashMap<String, Vec<CallRule>>,
    /// Catalogue entries for annotations that cause flakiness, by the simple name of the annotation.
    annotations: FxHashMap<String, Vec<AnnotationRule>>,
    collections: CollectionRules,
}

/// A call that a team's configuration file adds to the shipped catalogue of causes of flakiness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExtraCause {
    /// The kind of nondeterminism that the method causes.
    pub kind: CauseKind,
    /// The class that declares the nondeterministic method. A simple name matches in every package.
    pub owner: String,
    /// The name of the nondeterministic method, `<init>` for constructors; one `*` stands for any characters.
    pub method: String,
    /// What the call does, in words that follow "the test", such as `reads the clock`. If `None`, the title of `kind`
    /// is used.
    #[serde(default)]
    pub what: Option<String>,
}

/// An entry of the catalogue of causes that matches calls, such as those of `System.currentTimeMillis`.
#[derive(Debug)]
pub(super) struct CallRule {
    pub(super) rule: CauseRule,
    pub(super) weight: Weight,
    pub(super) noticed_by: NoticedBy,
    owner: ClassName,
    methods: Arc<[NamePattern]>,
    conditions: Arc<Conditions>,
}

/// An entry of the catalogue of causes that matches annotations, such as `@Timeout`.
#[derive(Debug)]
pub(super) struct AnnotationRule {
    pub(super) rule: CauseRule,
    mentions: Vec<String>,
}

/// The file of the catalogue of causes (`causes.toml`), as serde reads it.
#[derive(Debug, Deserialize)]
struct CatalogueFile {
    call: BTreeMap<CauseKind, Vec<CallEntry>>,
    annotation: BTreeMap<CauseKind, Vec<AnnotationEntry>>,
    collections: CollectionRules,
}

/// An entry of the catalogue of causes that matches calls, as serde reads it from `causes.toml`.
#[derive(Debug, Deserialize)]
struct CallEntry {
    owners: Vec<String>,
    methods: Vec<NamePattern>,
    what: String,
    #[serde(default)]
    incidental: bool,
    #[serde(default)]
    order: bool,
    #[serde(flatten)]
    conditions: Conditions,
}

/// An entry of the catalogue of causes that matches annotations, as serde reads it from `causes.toml`.
#[derive(Debug, Deserialize)]
struct AnnotationEntry {
    names: Vec<String>,
    what: String,
    #[serde(default)]
    mentions: Vec<String>,
}

static SHIPPED: LazyLock<CauseCatalogue> = LazyLock::new(|| CauseCatalogue::with_extra(&[]));

impl CauseCatalogue {
    /// The catalogue of sources of nondeterminism that is built into the program.
    #[must_use]
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// The built-in catalogue of sources of nondeterminism with entries that a team added, which are matched first.
    ///
    /// # Panics
    ///
    /// Never: the shipped file is well-formed.
    #[must_use]
    pub fn with_extra(extra: &[ExtraCause]) -> Self {
        let file: CatalogueFile = catalogue_text::read(include_str!("../../catalogue/causes.toml"));
        let mut entries = Entries {
            calls: FxHashMap::default(),
            annotations: FxHashMap::default(),
            collections: file.collections,
        };
        // Entries that a team added come first, because they say more about its own code.
        for entry in extra {
            entries.add_extra(entry);
        }
        for (kind, calls) in file.call {
            for entry in calls {
                entries.add_call(kind, entry);
            }
        }
        for (kind, annotations) in file.annotation {
            for entry in annotations {
                entries.add_annotation(kind, &entry);
            }
        }
        Self(Arc::new(entries))
    }

    /// The rules of the catalogue of causes about unordered collections, such as `HashMap`.
    pub(super) fn collections(&self) -> &CollectionRules {
        &self.0.collections
    }

    /// Whether the catalogue of causes may have a rule for calls of methods of class `owner`.
    pub(super) fn has_calls_of(&self, owner: CallOwner<'_>) -> bool {
        self.0.calls.contains_key(owner.simple)
    }

    /// The first rule of the catalogue of causes that matches a call of a method of class `owner`; `None` if no rule
    /// does.
    pub(super) fn call(&self, index: &Index<'_>, owner: CallOwner<'_>, call: &CallShape<'_>) -> Option<&CallRule> {
        self.0.calls.get(owner.simple)?.iter().find(|rule| {
            matches_any(&rule.methods, call.name) && rule.conditions.hold(call) && rule.owner.is(index, owner)
        })
    }

    /// The first rule of the catalogue of causes that matches an annotation with this simple name and these arguments.
    /// `None` if no rule does.
    pub(super) fn annotation(&self, name: &str, arguments: &str) -> Option<&AnnotationRule> {
        self.0
            .annotations
            .get(name)?
            .iter()
            .find(|rule| rule.mentions.is_empty() || mentions(&rule.mentions, arguments))
    }
}

impl Default for CauseCatalogue {
    /// The catalogue of sources of nondeterminism that is built into the program.
    fn default() -> Self {
        Self::shipped().clone()
    }
}

impl Entries {
    fn add_extra(&mut self, extra: &ExtraCause) {
        let entry = CallEntry {
            owners: vec![extra.owner.clone()],
            methods: vec![extra.method.clone().into()],
            what: extra.what.clone().unwrap_or_else(|| extra.kind.title().to_owned()),
            incidental: false,
            order: false,
            conditions: Conditions::default(),
        };
        self.add_call(extra.kind, entry);
    }

    fn add_call(&mut self, kind: CauseKind, entry: CallEntry) {
        let rule = CauseRule::new(kind, &entry.what);
        let is_order = entry.order || kind.is_order();
        let methods: Arc<[NamePattern]> = entry.methods.into();
        let conditions = Arc::new(entry.conditions);
        for owner in &entry.owners {
            let rule = CallRule {
                rule: rule.clone(),
                weight: if entry.incidental {
                    Weight::Incidental
                } else {
                    Weight::Full
                },
                noticed_by: if is_order {
                    NoticedBy::OrderAssertion
                } else {
                    NoticedBy::AnyAssertion
                },
                methods: methods.clone(),
                conditions: conditions.clone(),
                owner: ClassName::new(owner),
            };
            self.calls.entry(rule.owner.simple.clone()).or_default().push(rule);
        }
    }

    fn add_annotation(&mut self, kind: CauseKind, entry: &AnnotationEntry) {
        let rule = CauseRule::new(kind, &entry.what);
        for name in &entry.names {
            self.annotations.entry(name.clone()).or_default().push(AnnotationRule {
                rule: rule.clone(),
                mentions: entry.mentions.clone(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CauseCatalogue, CauseKind};

    #[test]
    fn shipped_entries_have_full_names_and_say_what_they_do() {
        let catalogue = CauseCatalogue::shipped();
        for entry in catalogue.0.calls.values().flatten() {
            assert!(entry.owner.is_full(), "{}", entry.owner.simple);
            let words = entry.rule.words();
            assert!(!words.is_empty() && !words.ends_with('.'), "{words}");
        }
    }

    #[test]
    fn every_kind_has_entries_in_the_shipped_catalogue() {
        let catalogue = CauseCatalogue::shipped();
        for kind in CauseKind::all() {
            assert!(
                catalogue.0.calls.values().flatten().any(|it| it.rule.kind() == kind),
                "{}",
                kind.id()
            );
        }
    }
}
