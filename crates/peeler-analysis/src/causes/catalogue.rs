//! The catalogue of sources of nondeterminism: which calls, annotations and collections are known.
//!
//! The shipped one is the data file `catalogue/causes.toml`, which also says what its words mean; this module reads
//! it and answers by the owner of a call. A team adds what its own libraries do with [`CauseCatalogue::with_extra`].
//!
//! Invariant: an entry with a full name never matches a class of another package, and the shipped catalogue has full
//! names only, so a repository's own `Random` is not `java.util.Random`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::CauseKind;
use super::owner::{Owner, OwnerName, is_class};
use crate::symbols::index::Index;
use crate::syntax::outline::simple_name;

/// What is known to make tests flaky.
#[derive(Debug)]
pub struct CauseCatalogue {
    /// By the simple name of their owner.
    calls: FxHashMap<String, Vec<Rule>>,
    /// By simple name.
    annotations: FxHashMap<String, Vec<AnnotationRule>>,
    pub(super) collections: Collections,
}

/// An entry that is added to the shipped ones, say from a configuration file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExtraCause {
    /// What kind of nondeterminism it is.
    pub kind: CauseKind,
    /// The class that declares the method; a simple name stands for every class of that name.
    pub owner: String,
    /// The method, `<init>` for constructors; one `*` stands for anything.
    pub method: String,
    /// What the call does, in a few words that follow "the test"; the kind's title where nothing is given.
    #[serde(default)]
    pub what: Option<String>,
}

/// What the catalogue says about a call.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) kind: CauseKind,
    pub(super) what: String,
    /// Outside the test more often bookkeeping than a cause.
    pub(super) is_incidental: bool,
    /// Only an assertion that looks at order notices it.
    pub(super) is_order: bool,
    owner: OwnerName,
    methods: Vec<Pattern>,
    conditions: Conditions,
}

#[derive(Debug)]
pub(super) struct AnnotationRule {
    pub(super) kind: CauseKind,
    pub(super) what: String,
    mentions: Vec<String>,
}

/// A call as conditions look at it.
pub(super) struct CallShape<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: usize,
    /// The text of the call from its receiver to its closing parenthesis.
    pub(super) text: &'a str,
    /// What is applied to the result, innermost last.
    pub(super) then: &'a [&'a str],
    /// The calls of which it is an argument, innermost last.
    pub(super) inside: &'a [&'a str],
    /// Whether the body around it calls a method of that name.
    pub(super) body_calls: &'a dyn Fn(&str) -> bool,
    /// Whether a method that cleans up after the test mentions one of these.
    pub(super) is_restored_by: &'a dyn Fn(&[String]) -> bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct Conditions {
    arguments: Option<Vec<usize>>,
    mentions: Vec<String>,
    unless_mentions: Vec<String>,
    unless_calls: Vec<String>,
    unless_then: Vec<String>,
    unless_inside: Vec<String>,
    unless_restored_by: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct File {
    call: BTreeMap<CauseKind, Vec<CallEntry>>,
    annotation: BTreeMap<CauseKind, Vec<AnnotationEntry>>,
    collections: Collections,
}

#[derive(Debug, Deserialize)]
struct CallEntry {
    owners: Vec<String>,
    methods: Vec<Pattern>,
    what: String,
    #[serde(default)]
    incidental: bool,
    #[serde(default)]
    order: bool,
    #[serde(flatten)]
    conditions: Conditions,
}

#[derive(Debug, Deserialize)]
struct AnnotationEntry {
    names: Vec<String>,
    what: String,
    #[serde(default)]
    mentions: Vec<String>,
}

/// Which collections have no defined order, and what lets that show.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Collections {
    unordered: Classes,
    ordered: Classes,
    views: Vec<String>,
    wrappers: Vec<Methods>,
    settled_by: Vec<String>,
    harmless: Vec<Pattern>,
    made_by: Vec<Maker>,
    #[serde(rename = "use")]
    uses: Vec<Use>,
    copy: Vec<Copy>,
}

/// Full names of classes by their simple names: every variable that a search passes is asked about.
#[derive(Debug, Deserialize)]
#[serde(from = "Vec<String>")]
struct Classes(FxHashMap<String, Vec<String>>);

impl From<Vec<String>> for Classes {
    fn from(names: Vec<String>) -> Self {
        let mut classes: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for name in names {
            classes.entry(simple_name(&name).to_owned()).or_default().push(name);
        }
        Self(classes)
    }
}

impl Classes {
    fn find(&self, index: &Index<'_>, owner: Owner<'_>) -> Option<&str> {
        let mut names = self.0.get(owner.simple)?.iter();
        names.find(|it| is_class(index, it, owner)).map(String::as_str)
    }
}

#[derive(Debug, Deserialize)]
struct Methods {
    owners: Vec<String>,
    methods: Vec<Pattern>,
}

#[derive(Debug, Deserialize)]
struct Maker {
    #[serde(flatten)]
    by: Methods,
    arguments: Option<Vec<usize>>,
    #[serde(rename = "type")]
    made: String,
}

#[derive(Debug, Deserialize)]
struct Use {
    methods: Vec<Pattern>,
    what: String,
}

#[derive(Debug, Deserialize)]
struct Copy {
    #[serde(flatten)]
    by: Methods,
    what: String,
}

/// What is known about the order of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order<'c> {
    Unknown,
    Defined,
    /// None, with the name of the collection.
    Undefined(&'c str),
}

static SHIPPED: LazyLock<CauseCatalogue> = LazyLock::new(|| CauseCatalogue::with_extra(&[]));

impl CauseCatalogue {
    /// The catalogue that comes with the analysis.
    #[must_use]
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// The shipped catalogue and entries of one's own.
    ///
    /// # Panics
    ///
    /// Never: the shipped file is well-formed.
    #[must_use]
    pub fn with_extra(extra: &[ExtraCause]) -> Self {
        let file: File =
            toml::from_str(include_str!("../../catalogue/causes.toml")).expect("the catalogue is well-formed");
        let mut catalogue = Self {
            calls: FxHashMap::default(),
            annotations: FxHashMap::default(),
            collections: file.collections,
        };
        // One's own entries say more about one's own code.
        for entry in extra {
            catalogue.add_extra(entry);
        }
        for (kind, entries) in file.call {
            for entry in entries {
                catalogue.add_call(kind, &entry);
            }
        }
        for (kind, entries) in file.annotation {
            for entry in entries {
                catalogue.add_annotation(kind, &entry);
            }
        }
        catalogue
    }

    fn add_extra(&mut self, extra: &ExtraCause) {
        let entry = CallEntry {
            owners: vec![extra.owner.clone()],
            methods: vec![extra.method.clone().into()],
            what: extra.what.clone().unwrap_or_else(|| extra.kind.title().to_owned()),
            incidental: false,
            order: false,
            conditions: Conditions::default(),
        };
        self.add_call(extra.kind, &entry);
    }

    fn add_call(&mut self, kind: CauseKind, entry: &CallEntry) {
        for owner in &entry.owners {
            let owner = OwnerName::new(owner);
            let rule = Rule {
                kind,
                what: entry.what.clone(),
                is_incidental: entry.incidental,
                is_order: entry.order || kind.is_order(),
                methods: entry.methods.clone(),
                conditions: entry.conditions.clone(),
                owner,
            };
            self.calls.entry(rule.owner.simple.clone()).or_default().push(rule);
        }
    }

    fn add_annotation(&mut self, kind: CauseKind, entry: &AnnotationEntry) {
        for name in &entry.names {
            self.annotations.entry(name.clone()).or_default().push(AnnotationRule {
                kind,
                what: entry.what.clone(),
                mentions: entry.mentions.clone(),
            });
        }
    }

    /// Whether there may be a rule for a call of `owner`.
    pub(super) fn has_calls_of(&self, owner: Owner<'_>) -> bool {
        self.calls.contains_key(owner.simple)
    }

    /// The first rule for a call of `owner`.
    pub(super) fn call(&self, index: &Index<'_>, owner: Owner<'_>, call: &CallShape<'_>) -> Option<&Rule> {
        self.calls.get(owner.simple)?.iter().find(|rule| {
            matches_any(&rule.methods, call.name) && rule.conditions.hold(call) && rule.owner.is(index, owner)
        })
    }

    /// The first rule for an annotation.
    pub(super) fn annotation(&self, name: &str, arguments: &str) -> Option<&AnnotationRule> {
        self.annotations
            .get(name)?
            .iter()
            .find(|rule| rule.mentions.is_empty() || mentions(&rule.mentions, arguments))
    }
}

impl Collections {
    /// What the name of a class says about its order.
    pub(super) fn order_of_class(&self, index: &Index<'_>, owner: Owner<'_>) -> Order<'_> {
        if let Some(name) = self.unordered.find(index, owner) {
            return Order::Undefined(simple_name(name));
        }
        match self.ordered.find(index, owner) {
            Some(_) => Order::Defined,
            None => Order::Unknown,
        }
    }

    /// The order of what a call makes.
    pub(super) fn made_by(&self, index: &Index<'_>, owner: Owner<'_>, name: &str, arguments: usize) -> Order<'_> {
        self.made_by
            .iter()
            .find(|maker| {
                maker.by.include(index, owner, name)
                    && maker.arguments.as_ref().is_none_or(|it| it.contains(&arguments))
            })
            .map_or(Order::Unknown, |maker| Order::Undefined(&maker.made))
    }

    /// Whether a call returns its first argument with another face.
    pub(super) fn wraps(&self, index: &Index<'_>, owner: Owner<'_>, name: &str) -> bool {
        self.wrappers.iter().any(|it| it.include(index, owner, name))
    }

    pub(super) fn is_view(&self, name: &str) -> bool {
        self.views.iter().any(|it| it == name)
    }

    /// What calling `name` on an unordered collection does.
    pub(super) fn use_of(&self, name: &str) -> Option<&str> {
        let found = self.uses.iter().find(|it| matches_any(&it.methods, name))?;
        Some(&found.what)
    }

    /// What a call does with an unordered collection among its arguments.
    pub(super) fn copy(&self, index: &Index<'_>, owner: Owner<'_>, name: &str) -> Option<&str> {
        let found = self.copy.iter().find(|it| it.by.include(index, owner, name))?;
        Some(&found.what)
    }

    /// Whether order no longer shows behind one of these.
    pub(super) fn is_settled_by(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.settled_by.iter().any(|it| it == name))
    }

    pub(super) fn is_harmless(&self, name: &str) -> bool {
        matches_any(&self.harmless, name)
    }
}

impl Methods {
    fn include(&self, index: &Index<'_>, owner: Owner<'_>, name: &str) -> bool {
        matches_any(&self.methods, name) && self.owners.iter().any(|it| is_class(index, it, owner))
    }
}

impl Conditions {
    fn hold(&self, call: &CallShape<'_>) -> bool {
        let any = |names: &[String], given: &[&str]| names.iter().any(|it| given.contains(&it.as_str()));
        self.arguments.as_ref().is_none_or(|it| it.contains(&call.arguments))
            && (self.mentions.is_empty() || mentions(&self.mentions, call.text))
            && !mentions(&self.unless_mentions, call.text)
            && !any(&self.unless_then, call.then)
            && !any(&self.unless_inside, call.inside)
            && !self.unless_calls.iter().any(|it| (call.body_calls)(it))
            && (self.unless_restored_by.is_empty() || !(call.is_restored_by)(&self.unless_restored_by))
    }
}

pub(super) fn mentions(words: &[String], text: &str) -> bool {
    words.iter().any(|it| text.contains(it.as_str()))
}

/// The name of a method, in which one `*` stands for anything.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "String")]
enum Pattern {
    Name(String),
    Around(String, String),
}

impl From<String> for Pattern {
    fn from(written: String) -> Self {
        match written.split_once('*') {
            None => Self::Name(written),
            Some((before, after)) => Self::Around(before.to_owned(), after.to_owned()),
        }
    }
}

impl Pattern {
    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Around(before, after) => {
                name.len() >= before.len() + after.len()
                    && name.starts_with(before.as_str())
                    && name.ends_with(after.as_str())
            }
        }
    }
}

fn matches_any(patterns: &[Pattern], name: &str) -> bool {
    patterns.iter().any(|it| it.matches(name))
}

#[cfg(test)]
mod tests {
    use super::{CauseCatalogue, CauseKind, matches_any};

    #[test]
    fn shipped_entries_have_full_names_and_say_what_they_do() {
        let catalogue = CauseCatalogue::shipped();
        for rule in catalogue.calls.values().flatten() {
            assert!(rule.owner.is_full(), "{}", rule.owner.simple);
            assert!(!rule.what.is_empty() && !rule.what.ends_with('.'), "{}", rule.what);
        }
    }

    #[test]
    fn every_kind_has_entries_in_the_shipped_catalogue() {
        let catalogue = CauseCatalogue::shipped();
        for kind in CauseKind::all() {
            assert!(
                catalogue.calls.values().flatten().any(|it| it.kind == kind),
                "{}",
                kind.id()
            );
        }
    }

    #[test]
    fn a_star_stands_for_anything_on_either_side() {
        let patterns = ["new*", "*Async", "sleep"].map(|it| it.to_owned().into());
        for name in ["newCachedThreadPool", "new", "supplyAsync", "sleep"] {
            assert!(matches_any(&patterns, name), "{name}");
        }
        for name in ["renew", "AsyncTask", "sleepy"] {
            assert!(!matches_any(&patterns, name), "{name}");
        }
    }
}
