//! The part of the catalogue of causes about collections: which have no defined order, and what makes their order
//! matter.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer};

use super::class_name::{CallOwner, is_class};
use super::name_pattern::{NamePattern, matches_any};
use super::rule::CauseRule;
use crate::symbols::index::Index;
use crate::syntax::outline::simple_name;
use peeler_features::CauseKind;

/// Rules for collections without a defined order, and for calls that make their order matter.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct CollectionRules {
    unordered: Classes,
    ordered: Classes,
    views: Vec<String>,
    wrappers: Vec<MethodNames>,
    settled_by: Vec<String>,
    harmless: Vec<NamePattern>,
    made_by: Vec<MakerRule>,
    #[serde(rename = "use")]
    uses: Vec<UseRule>,
    copy: Vec<CopyRule>,
}

/// Full names of classes, keyed by simple name, so that the declaring class of a called method is found quickly.
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
    /// The full name of the class that declares a called method, if it is in this set of classes.
    fn find(&self, index: &Index<'_>, owner: CallOwner<'_>) -> Option<&str> {
        let mut names = self.0.get(owner.simple)?.iter();
        names.find(|it| is_class(index, it, owner)).map(String::as_str)
    }
}

/// The methods that a rule of the catalogue applies to: full names of classes, and patterns for names of their methods.
#[derive(Debug, Deserialize)]
struct MethodNames {
    owners: Vec<String>,
    methods: Vec<NamePattern>,
}

/// A rule for methods that return a new unordered collection, such as `Sets.newHashSet()`. The field `made` is the
/// class of the collection.
#[derive(Debug, Deserialize)]
struct MakerRule {
    #[serde(flatten)]
    by: MethodNames,
    arguments: Option<Vec<usize>>,
    #[serde(rename = "type")]
    made: String,
}

/// A rule for methods of an unordered collection that make its order matter, such as `iterator` and `toString`.
#[derive(Debug, Deserialize)]
struct UseRule {
    methods: Vec<NamePattern>,
    #[serde(rename = "what", deserialize_with = "unordered_rule")]
    rule: CauseRule,
}

/// A rule for methods and constructors that copy an unordered collection into something ordered, such as
/// `new ArrayList<>(set)`.
#[derive(Debug, Deserialize)]
struct CopyRule {
    #[serde(flatten)]
    by: MethodNames,
    #[serde(rename = "what", deserialize_with = "unordered_rule")]
    rule: CauseRule,
}

/// Whether the elements of a collection have a defined order: yes, no or unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order<'c> {
    Unknown,
    Defined,
    /// The collection has no defined order; with the simple name of its class.
    Undefined(&'c str),
}

impl CollectionRules {
    /// Whether a collection of class `owner` has a defined order.
    pub(super) fn order_of_class(&self, index: &Index<'_>, owner: CallOwner<'_>) -> Order<'_> {
        if let Some(name) = self.unordered.find(index, owner) {
            return Order::Undefined(simple_name(name));
        }
        match self.ordered.find(index, owner) {
            Some(_) => Order::Defined,
            None => Order::Unknown,
        }
    }

    /// Whether the collection that a call of method `name` of class `owner` returns has a defined order.
    pub(super) fn made_by(&self, index: &Index<'_>, owner: CallOwner<'_>, name: &str, arguments: usize) -> Order<'_> {
        self.made_by
            .iter()
            .find(|maker| {
                maker.by.include(index, owner, name)
                    && maker.arguments.as_ref().is_none_or(|it| it.contains(&arguments))
            })
            .map_or(Order::Unknown, |maker| Order::Undefined(&maker.made))
    }

    /// Whether a call returns a wrapper around its first argument, as `Collections.unmodifiableSet(set)` does.
    pub(super) fn wraps(&self, index: &Index<'_>, owner: CallOwner<'_>, name: &str) -> bool {
        self.wrappers.iter().any(|it| it.include(index, owner, name))
    }

    /// Whether method `name` returns a view with the order of the collection that it is called on, such as `keySet`.
    pub(super) fn is_view(&self, name: &str) -> bool {
        self.views.iter().any(|it| it == name)
    }

    /// The rule by which a call of method `name` on an unordered collection is a cause of flakiness. `None` if no rule
    /// names the method.
    pub(super) fn use_of(&self, name: &str) -> Option<&CauseRule> {
        let found = self.uses.iter().find(|it| matches_any(&it.methods, name))?;
        Some(&found.rule)
    }

    /// The rule by which a call is a cause of flakiness if an argument is an unordered collection, as in
    /// `new ArrayList<>(set)`. `None` if no rule names method `name` of class `owner`.
    pub(super) fn copy(&self, index: &Index<'_>, owner: CallOwner<'_>, name: &str) -> Option<&CauseRule> {
        let found = self.copy.iter().find(|it| it.by.include(index, owner, name))?;
        Some(&found.rule)
    }

    /// Whether one of the called methods `names` makes the order of a collection irrelevant, such as `sorted` or
    /// `size`.
    pub(super) fn is_settled_by(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.settled_by.iter().any(|it| it == name))
    }

    /// Whether calling method `name` in a loop has the same effect in whatever order the loop visits elements, such as
    /// `put`.
    pub(super) fn is_harmless(&self, name: &str) -> bool {
        matches_any(&self.harmless, name)
    }
}

impl MethodNames {
    /// Whether this rule applies to method `name` of class `owner`.
    fn include(&self, index: &Index<'_>, owner: CallOwner<'_>, name: &str) -> bool {
        matches_any(&self.methods, name) && self.owners.iter().any(|it| is_class(index, it, owner))
    }
}

/// Deserialises a rule about unordered collections from its description, such as `iterates a {type}`.
fn unordered_rule<'de, D: Deserializer<'de>>(words: D) -> Result<CauseRule, D::Error> {
    let words = String::deserialize(words)?;
    Ok(CauseRule::new(CauseKind::UnorderedCollection, &words))
}
