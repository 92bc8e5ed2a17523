//! Abstract values: what the interpreter knows of a value.
//!
//! A value has a *form* (text, list, map, ...) and a *shape* (number of elements, constant text, class, fields). It may
//! have a *disorder* (its order is not defined) and *taints* (scalars that differ from run to run). Traces tell where
//! disorder and taints come from.
//!
//! Invariant: [`Value::default`] knows nothing and is harmless. Joins only add disorder and taints.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::trace::{Exposure, SourceKind, Trace};
use crate::flows::flow::Site;
use crate::symbols::ids::TypeId;
use crate::symbols::targets::Target;
use crate::syntax::body::{Block, Local};

/// The maximum number of taints (nondeterministic scalars) of an abstract value.
const MAX_TAINTS: usize = 4;
/// The maximum nesting of elements and fields in which nondeterministic scalars are marked as stored.
const MAX_KEPT_DEPTH: usize = 2;
/// The maximum number of keys of a map for which separate abstract values are kept.
pub(super) const MAX_KEYS: usize = 64;

/// The kind of thing that an abstract value is, such as a text, a list or a map.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Form {
    /// The value is of an unknown kind.
    #[default]
    Unknown,
    /// The value is a text.
    Text,
    /// The value is a `StringBuilder`, writer or joiner.
    Builder,
    /// The value is a number.
    Number,
    /// The value is a truth value.
    Boolean,
    /// The value is a date, an instant or a duration.
    Time,
    /// The value is a tool that makes other values: a random generator, clock, formatter or reader.
    Tool,
    /// The value is a list, an array or another sequence.
    List,
    /// The value is a set, which is compared without order.
    Set,
    /// The value is a map, which is compared without order.
    Map,
    /// The value is a collection that does not define `equals`, such as `Map.values()`.
    View,
    /// The value is an iterator.
    Iterator,
    /// The value is a stream.
    Stream,
    /// The value is an entry of a map.
    Entry,
    /// The value is a parsed document, whose objects are compared without order.
    Tree,
    /// The value is a serialiser, such as Gson's `Gson` or Jackson's `ObjectMapper`.
    Serialiser,
    /// The value is the rows of a database query: a `ResultSet`.
    Rows,
}

impl Form {
    /// Whether a value of this form is a single value, such as a text, number or date, rather than a container or
    /// object.
    pub(super) fn is_scalar(self) -> bool {
        matches!(
            self,
            Self::Text | Self::Number | Self::Boolean | Self::Time | Self::Tool | Self::Builder
        )
    }

    /// Whether values of this form have elements.
    pub(super) fn is_container(self) -> bool {
        matches!(
            self,
            Self::List | Self::Set | Self::Map | Self::View | Self::Iterator | Self::Stream | Self::Rows
        )
    }
}

/// The undefined order of a value, with the source that it comes from.
#[derive(Debug, Clone)]
pub(super) struct Disorder {
    pub(super) exposure: Exposure,
    pub(super) trace: Trace,
    /// Whether at least two elements are known to be in this undefined order.
    pub(super) is_sure: bool,
    /// If the value is the text of a printed container, the bracket that opens it: `[` or `{`. `None` for other values,
    /// and if only a part of the container was printed.
    pub(super) bracket: Option<char>,
}

impl Disorder {
    /// An undefined order of elements whose number is not known.
    pub(super) fn new(exposure: Exposure, trace: Trace) -> Self {
        Self {
            exposure,
            trace,
            is_sure: false,
            bracket: None,
        }
    }

    /// An undefined order of elements whose number is not known, as values hold it.
    pub(super) fn boxed(exposure: Exposure, trace: Trace) -> Box<Self> {
        Box::new(Self::new(exposure, trace))
    }

    /// This undefined order after the value passed one more place.
    pub(super) fn then(&self, site: Site) -> Self {
        Self {
            exposure: self.exposure,
            trace: self.trace.then(site),
            is_sure: self.is_sure,
            bracket: self.bracket,
        }
    }
}

/// A nondeterministic scalar in a value, such as a random number in a text.
#[derive(Debug, Clone)]
pub(super) struct Taint {
    pub(super) trace: Trace,
    /// Whether something was added to the nondeterministic scalar, as in `now + 5`, so that it no longer equals its
    /// source.
    pub(super) is_shifted: bool,
}

impl Taint {
    pub(super) fn new(trace: Trace) -> Self {
        Self {
            trace,
            is_shifted: false,
        }
    }

    pub(super) fn kind(&self) -> SourceKind {
        self.trace.origin().kind
    }
}

/// Flags of an abstract value, such as whether a stream is parallel, a container is sorted or a serialiser sorts
/// properties.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Settings {
    pub(super) sorts_properties: bool,
    pub(super) sorts_maps: bool,
    pub(super) is_parallel: bool,
    /// Whether a container keeps its elements in an order that follows from them, as a `TreeSet` does.
    pub(super) is_sorted: bool,
    pub(super) is_array: bool,
    /// Whether a container is still being made, so that methods such as `add` return it: `ImmutableList.builder()`.
    pub(super) is_builder: bool,
    /// Whether the value comes from code of which nothing is known.
    pub(super) is_opaque: bool,
    /// Whether a container was returned as it was made, without elements: `return new HashMap<>()`.
    pub(super) is_placeholder: bool,
    /// Whether a stream has only elements that equal something, of which there is mostly one.
    pub(super) is_selected: bool,
}

/// An abstract object of a class of the repository, with the abstract values of its fields.
#[derive(Debug, Clone)]
pub(super) struct Object<'i, 'r> {
    pub(super) class: TypeId,
    pub(super) fields: FxHashMap<&'r str, Value<'i, 'r>>,
    /// What the methods of a mock were told to return, by name; `None` for an object that is no mock.
    pub(super) stubs: Option<FxHashMap<&'r str, Value<'i, 'r>>>,
}

/// A lambda, or the only method of an anonymous class, with the variables around it.
#[derive(Debug, Clone)]
pub(super) struct Function<'i, 'r> {
    pub(super) parameters: &'i [Local<'r>],
    pub(super) body: &'i Block<'r>,
    /// The type that declares the body of the function.
    pub(super) owner: TypeId,
    pub(super) targets: &'i [Target<'r>],
    pub(super) captured: Arc<Vec<(&'r str, Value<'i, 'r>)>>,
    pub(super) this: Option<Arc<Object<'i, 'r>>>,
}

/// Whether a literal has letters outside ASCII or looks like a year. The interpreter follows such literals into called
/// methods.
fn is_telling(literal: &str) -> bool {
    let is_year = || literal.len() == 4 && (literal.starts_with("20") || literal.starts_with("19"));
    !literal.is_ascii() || literal.starts_with('"') && literal.contains("\\u") || is_year()
}

/// An undefined order that a value had before, and the operation that made it harmless, such as a sort.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    pub(super) trace: Trace,
    pub(super) exposure: Exposure,
    pub(super) by: Site,
}

/// The values of a map by the source texts of their keys, which are literals.
pub(super) type Keyed<'i, 'r> = Arc<FxHashMap<&'r str, Value<'i, 'r>>>;

/// An abstract value: what the interpreter knows of a value of the program.
#[derive(Debug, Clone, Default)]
pub(super) struct Value<'i, 'r> {
    pub(super) form: Form,
    pub(super) disorder: Option<Box<Disorder>>,
    pub(super) taints: Vec<Taint>,
    /// The elements of a container joined into one abstract value, or the content of a future, optional or exception.
    /// `None` if there are none or nothing is known of them.
    pub(super) inner: Option<Arc<Value<'i, 'r>>>,
    /// The abstract values of a map by literal keys; `None` if they are not kept separately, and for values that are no
    /// maps.
    pub(super) keyed: Option<Keyed<'i, 'r>>,
    /// The number of elements of a container, or the upper bound of a random number, if known.
    pub(super) count: Option<u8>,
    /// The source text of a literal value, with quotes; `None` for other values.
    pub(super) constant: Option<&'r str>,
    /// The number of keys, commas or lines (whichever is largest) in each literal of a text, summed over its literals.
    pub(super) literal_parts: u8,
    /// The class of the repository that the value is an instance of; `None` if there is none or it is unknown.
    pub(super) class: Option<TypeId>,
    pub(super) object: Option<Arc<Object<'i, 'r>>>,
    pub(super) function: Option<Arc<Function<'i, 'r>>>,
    pub(super) settings: Settings,
    pub(super) settled: Option<Arc<Settled>>,
    /// For a writer that wraps another one, as in `new PrintWriter(out)`: the local variable `out` that holds the
    /// wrapped writer. `None` for other values.
    pub(super) backing: Option<&'r str>,
}

impl<'i, 'r> Value<'i, 'r> {
    /// An abstract value of this form without undefined order or nondeterminism.
    pub(super) fn of(form: Form) -> Self {
        Self {
            form,
            ..Self::default()
        }
    }

    /// The abstract value of an object of a class of the repository.
    pub(super) fn of_object(object: Arc<Object<'i, 'r>>) -> Self {
        Self {
            class: Some(object.class),
            object: Some(object),
            ..Self::default()
        }
    }

    /// Whether nothing about the value can change what a method does with it, so that the method's summary holds for it
    /// as an argument.
    pub(super) fn is_plain(&self) -> bool {
        self.disorder.is_none()
            && self.taints.is_empty()
            && self.object.is_none()
            && self.function.is_none()
            && !self.settings.sorts_maps
            && !self.settings.sorts_properties
            && !self.settings.is_parallel
            && !self.constant.is_some_and(is_telling)
            && self.inner.as_ref().is_none_or(|it| it.is_plain())
    }

    /// Whether this value itself is a clock reading, a random number or another value that each evaluation changes.
    pub(super) fn is_drawn(&self) -> bool {
        self.disorder.is_none() && self.taints.iter().any(|it| it.kind().is_drawn())
    }

    /// Whether this value may have two or more elements, so that an undefined order can show.
    pub(super) fn may_have_two(&self) -> bool {
        self.count.is_none_or(|it| it > 1)
    }

    /// The trace (source and places passed) of the undefined order in which a loop visits the elements of this value.
    /// `None` if the order is defined or there are fewer than two elements.
    pub(super) fn iteration(&self) -> Option<&Trace> {
        let disorder = self.disorder.as_ref().filter(|_| self.may_have_two())?;
        Some(&disorder.trace)
    }

    /// The undefined order of this value after the operation at `site` made it visible, as printing does. `exposure` is
    /// the kind of operation. Returns `None` if the order is defined or the value has fewer than two elements.
    pub(super) fn exposed(&self, exposure: Exposure, site: Site) -> Option<Box<Disorder>> {
        let is_sure = self.count.is_some() || self.disorder.as_ref().is_some_and(|it| it.is_sure);
        self.iteration().map(|trace| {
            Box::new(Disorder {
                exposure,
                trace: trace.then(site),
                is_sure,
                bracket: None,
            })
        })
    }

    /// An abstract value that stands for any one element of this container.
    pub(super) fn element(&self) -> Self {
        self.inner.as_deref().cloned().unwrap_or_default()
    }

    /// The value after the operation at `by`, such as a sort, made its order defined.
    pub(super) fn ordered(mut self, by: Site) -> Self {
        if let Some(disorder) = self.disorder.take() {
            self.settled = Some(Arc::new(Settled {
                trace: disorder.trace,
                exposure: disorder.exposure,
                by,
            }));
        }
        self
    }

    /// An abstract value of another form that is computed from this value at `site`. It has the same undefined order
    /// and the same nondeterministic scalars.
    pub(super) fn derived(&self, form: Form, site: Site) -> Self {
        Self {
            form,
            disorder: self.disorder.as_ref().map(|it| Box::new(it.then(site))),
            taints: self
                .taints
                .iter()
                .map(|it| Taint {
                    trace: it.trace.then(site),
                    is_shifted: it.is_shifted,
                })
                .collect(),
            settled: self.settled.clone(),
            settings: Settings {
                is_opaque: self.settings.is_opaque,
                ..Settings::default()
            },
            ..Self::default()
        }
    }

    /// The value after it was stored in a field or passed to a call, so that reading it again gives the same value.
    pub(super) fn kept(mut self) -> Self {
        self.keep(0);
        self
    }

    fn keep(&mut self, depth: usize) {
        for taint in &mut self.taints {
            taint.trace.keep();
        }
        if depth == MAX_KEPT_DEPTH {
            return;
        }
        if let Some(inner) = self.inner.as_mut().filter(|it| it.is_fresh(depth + 1)) {
            Arc::make_mut(inner).keep(depth + 1);
        }
        if let Some(keyed) = self
            .keyed
            .as_mut()
            .filter(|it| it.values().any(|it| it.is_fresh(depth + 1)))
        {
            for value in Arc::make_mut(keyed).values_mut() {
                value.keep(depth + 1);
            }
        }
        if let Some(object) = self
            .object
            .as_mut()
            .filter(|it| it.fields.values().any(|it| it.is_fresh(depth + 1)))
        {
            for field in Arc::make_mut(object).fields.values_mut() {
                field.keep(depth + 1);
            }
        }
    }

    /// Whether reading this value again, or something in it, would count as another reading of a clock or generator.
    fn is_fresh(&self, depth: usize) -> bool {
        let is_inside = |it: &Self| it.is_fresh(depth + 1);
        self.taints.iter().any(|it| it.trace.is_fresh())
            || depth < MAX_KEPT_DEPTH
                && (self.inner.as_deref().is_some_and(is_inside)
                    || self.keyed.iter().any(|it| it.values().any(is_inside))
                    || self.object.iter().any(|it| it.fields.values().any(is_inside)))
    }

    /// Adds a nondeterministic scalar, unless the value has one from the same source or has too many.
    pub(super) fn add_taint(&mut self, taint: Taint) {
        let is_known = self.taints.iter().any(|it| it.trace.has_origin_of(&taint.trace));
        if !is_known && self.taints.len() < MAX_TAINTS {
            self.taints.push(taint);
        }
    }

    /// Adds the undefined order and the nondeterministic scalars of another value, as concatenation does.
    pub(super) fn absorb(&mut self, other: &Self) {
        if self.disorder.is_none() {
            self.disorder.clone_from(&other.disorder);
        }
        if self.settled.is_none() {
            self.settled.clone_from(&other.settled);
        }
        for taint in &other.taints {
            self.add_taint(taint.clone());
        }
        self.literal_parts = self.literal_parts.saturating_add(other.literal_parts);
        self.settings.is_opaque |= other.settings.is_opaque;
    }

    /// Adds an element to this abstract container. Its elements are joined into one abstract value.
    pub(super) fn add_element(&mut self, element: &Self) {
        let joined = match self.inner.take() {
            Some(inner) => Arc::unwrap_or_clone(inner).join(element),
            None => element.clone(),
        };
        if !joined.is_plain() || joined.class.is_some() || joined.object.is_some() {
            self.inner = Some(Arc::new(joined));
        }
    }
}
