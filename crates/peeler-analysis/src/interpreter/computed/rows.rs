//! The rows of the table of library facts, and how they are made from the facts about each library ([`LibrarySurvey`]).
//! A library fact tells how nondeterministic the result of a library method is.
//!
//! Invariant: types are sorted by simple name and then by qualifier; names and facts are sorted and stored once. So the
//! same facts give the same rows.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::fact::MethodFact;
use super::survey::{LibrarySurvey, TypeSurvey};
use crate::interpreter::facts::IterationOrder;
use crate::interpreter::value::Form;

/// The content of the table of library facts as it is stored: classes and methods of libraries, with facts about the
/// methods.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Rows {
    /// The names of packages, classes and methods, joined without separators. Each distinct name occurs once.
    pub(super) text: String,
    /// The lengths in bytes of the names in `text`, in their order.
    pub(super) lengths: Vec<u16>,
    pub(super) facts: Vec<MethodFact>,
    pub(super) types: Vec<TypeRow>,
    pub(super) methods: Vec<MethodRow>,
}

impl Rows {
    /// Whether all lengths and positions that the table of library facts stores are valid: each refers to an existing
    /// name, class, method or fact.
    pub(super) fn is_consistent(&self) -> bool {
        let mut end = 0;
        let are_names = self.lengths.iter().all(|it| {
            end += usize::from(*it);
            self.text.is_char_boundary(end)
        });
        let is_name = |it: u32| (it as usize) < self.lengths.len();
        let is_type = |it: &u32| (*it as usize) < self.types.len();
        let methods: usize = self.types.iter().map(|it| usize::from(it.methods)).sum();
        let are_types = |it: &TypeRow| is_name(it.qualifier) && is_name(it.simple) && it.supertypes.iter().all(is_type);
        let are_methods = |it: &MethodRow| is_name(it.name) && (it.fact as usize) < self.facts.len();
        are_names
            && end == self.text.len()
            && methods == self.methods.len()
            && self.types.iter().all(are_types)
            && self.methods.iter().all(are_methods)
    }
}

/// A class of a library, as the table of library facts stores it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TypeRow {
    pub(super) qualifier: u32,
    pub(super) simple: u32,
    pub(super) form: Form,
    pub(super) order: Option<IterationOrder>,
    /// Positions of the supertypes of the class in [`Rows::types`].
    pub(super) supertypes: Vec<u32>,
    /// The number of methods of the class in [`Rows::methods`], which lists the methods of the first class, then those
    /// of the second, and so on.
    pub(super) methods: u16,
}

/// A method of a library, as the table of library facts stores it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MethodRow {
    pub(super) name: u32,
    pub(super) parameters: u8,
    pub(super) is_variadic: bool,
    pub(super) fact: u32,
}

/// The key of a method in a class: its name, its number of parameters, and whether it is variadic. Overloads with one
/// key share one library fact.
type MethodKey = (String, u8, bool);

/// A library class with those of its methods that become rows of the table of library facts.
struct Listed {
    form: Form,
    order: Option<IterationOrder>,
    supertypes: Vec<String>,
    methods: BTreeMap<MethodKey, MethodFact>,
}

/// The rows of a table of library facts, made from the facts about each library. Where two libraries declare the same
/// class, the first one counts.
pub(super) fn rows(surveys: Vec<LibrarySurvey>) -> Rows {
    let mut all: BTreeMap<String, TypeSurvey> = BTreeMap::new();
    for survey in surveys.into_iter().flat_map(|it| it.types) {
        all.entry(survey.full_name()).or_insert(survey);
    }
    let kept = with_facts(&all);
    let mut listed: BTreeMap<(String, String), Listed> = BTreeMap::new();
    for name in &kept {
        let survey = &all[name];
        let methods = methods_of(survey, &all, &kept);
        let supertypes = survey.supertypes.iter().filter(|it| kept.contains(*it));
        listed.insert(
            (survey.simple.clone(), survey.qualifier.clone()),
            Listed {
                form: survey.form,
                order: survey.order,
                supertypes: supertypes.cloned().collect(),
                methods,
            },
        );
    }
    stored(&listed)
}

/// The full names of the library classes that are containers or have methods with facts, or that inherit from such a
/// class.
fn with_facts(all: &BTreeMap<String, TypeSurvey>) -> BTreeSet<String> {
    let mut kept: BTreeSet<String> = BTreeSet::new();
    loop {
        let before = kept.len();
        for (name, survey) in all {
            if !kept.contains(name) && (survey.has_fact() || survey.supertypes.iter().any(|it| kept.contains(it))) {
                kept.insert(name.clone());
            }
        }
        if kept.len() == before {
            return kept;
        }
    }
}

/// The methods of a library class that become rows of the table, with their facts. They are those whose fact says
/// something about nondeterminism, and those that override such a method. Overloads with the same number of parameters
/// share one fact: what they have in common.
fn methods_of(
    survey: &TypeSurvey,
    all: &BTreeMap<String, TypeSurvey>,
    kept: &BTreeSet<String>,
) -> BTreeMap<MethodKey, MethodFact> {
    let mut methods = overloads(survey);
    let mut inherited: BTreeSet<(String, u8)> = BTreeSet::new();
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    let mut pending: Vec<&String> = survey.supertypes.iter().collect();
    while let Some(name) = pending.pop() {
        if !kept.contains(name) || !seen.insert(name) {
            continue;
        }
        let ancestor = &all[name];
        pending.extend(&ancestor.supertypes);
        let with_fact = ancestor.methods.iter().filter(|it| !it.fact.is_trivial());
        inherited.extend(with_fact.map(|it| (it.name.clone(), it.parameters)));
    }
    methods.retain(|key, fact| !fact.is_trivial() || inherited.contains(&(key.0.clone(), key.1)));
    methods
}

fn overloads(survey: &TypeSurvey) -> BTreeMap<MethodKey, MethodFact> {
    let mut methods: BTreeMap<MethodKey, MethodFact> = BTreeMap::new();
    for method in &survey.methods {
        let key = (method.name.clone(), method.parameters, method.is_variadic);
        let common = match methods.get(&key) {
            Some(known) => known.common(&method.fact),
            None => method.fact.clone(),
        };
        methods.insert(key, common);
    }
    methods
}

fn stored(listed: &BTreeMap<(String, String), Listed>) -> Rows {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut facts: BTreeSet<&MethodFact> = BTreeSet::new();
    let mut positions: BTreeMap<String, u32> = BTreeMap::new();
    for (at, ((simple, qualifier), listed)) in (0..).zip(listed) {
        names.extend([simple.as_str(), qualifier]);
        names.extend(listed.methods.keys().map(|it| it.0.as_str()));
        facts.extend(listed.methods.values());
        let separator = if qualifier.is_empty() { "" } else { "." };
        positions.insert(format!("{qualifier}{separator}{simple}"), at);
    }
    // A name that no `u16` can measure is not written by people.
    names.retain(|it| u16::try_from(it.len()).is_ok());
    let numbers: BTreeMap<&str, u32> = names.iter().copied().zip(0..).collect();
    let fact_numbers: BTreeMap<&MethodFact, u32> = facts.iter().copied().zip(0..).collect();
    let mut rows = Rows {
        text: names.iter().copied().collect(),
        lengths: names.iter().filter_map(|it| u16::try_from(it.len()).ok()).collect(),
        facts: facts.into_iter().cloned().collect(),
        ..Rows::default()
    };
    let number = |name: &str| numbers.get(name).copied().unwrap_or(0);
    for ((simple, qualifier), listed) in listed {
        let methods: Vec<_> = listed.methods.iter().take(usize::from(u16::MAX)).collect();
        rows.types.push(TypeRow {
            qualifier: number(qualifier),
            simple: number(simple),
            form: listed.form,
            order: listed.order,
            supertypes: listed.supertypes.iter().map(|it| positions[it]).collect(),
            methods: u16::try_from(methods.len()).unwrap_or(u16::MAX),
        });
        for ((name, parameters, is_variadic), fact) in methods {
            rows.methods.push(MethodRow {
                name: number(name),
                parameters: *parameters,
                is_variadic: *is_variadic,
                fact: fact_numbers[fact],
            });
        }
    }
    rows
}
