//! Computes facts about the public methods of a library from its sources.
//!
//! First a method is interpreted with arguments of which nothing is known. Nondeterminism of its result then comes from
//! the method itself. Then it is interpreted once for each parameter, with one argument that is marked: it gets an
//! artificial disorder or taint. If the mark is in the result, the method carries it over from that argument.

use rayon::prelude::*;

use super::call::Invocation;
use super::computed::fact::{MethodFact, OrderFlow, ParameterFlow};
use super::computed::survey::{LibrarySurvey, MethodSurvey, TypeSurvey};
use super::computed::table::LibraryTable;
use super::facts::{ClassRef, IterationOrder};
use super::run::Run;
use super::shared::{Shared, Unit};
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Taint, Value};
use crate::flows::flow::Site;
use crate::repository::Repository;
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::types::Type;
use crate::syntax::outline::TypeKind;
use crate::threads::on_all_cores;

/// The maximum number of calls inside the library between a method and the source of its disorder or taint.
const MAX_CALLS: u8 = 6;
/// The maximum number of parameters of a method, from the first, for which the effect of an argument on the result is
/// computed.
const MAX_PARAMETERS: usize = 6;

impl LibrarySurvey {
    /// Computes facts about the public classes of a library, such as which methods return elements in no defined order.
    /// Facts about other libraries are not used.
    ///
    /// # Panics
    ///
    /// When the operating system refuses to start threads.
    #[must_use]
    pub fn of(library: &Repository) -> Self {
        on_all_cores(|| {
            let index = Index::new(library, |_| None);
            let shared = Shared::with_table(&index, &[], LibraryTable::empty());
            let files: Vec<_> = index.repository_files().collect();
            let surveyor = Surveyor { shared: &shared };
            let types = files.par_iter().with_max_len(8).flat_map_iter(|file| {
                let types = index.types_of(*file).filter(|it| is_visible(&index, *it));
                types.map(|it| surveyor.class(it)).collect::<Vec<_>>()
            });
            Self { types: types.collect() }
        })
    }
}

/// Computes facts about the classes of one library, such as which methods return elements in no defined order.
struct Surveyor<'s, 'i, 'r> {
    shared: &'s Shared<'i, 'r>,
}

impl<'i, 'r> Surveyor<'_, 'i, 'r> {
    fn class(&self, id: TypeId) -> TypeSurvey {
        let index = self.shared.index;
        let declared = index.declaration(id);
        let (qualifier, simple) = names(index, id);
        let (form, order) = self.form(id);
        let is_visible = |at: &usize| {
            let method = &declared.methods[*at];
            method.is_public && !method.is_constructor && method.return_type != "void"
        };
        let methods = (0..declared.methods.len()).filter(is_visible).map(|at| {
            let method = &declared.methods[at];
            MethodSurvey {
                name: method.name.to_owned(),
                parameters: u8::try_from(method.parameters.len()).unwrap_or(u8::MAX),
                is_variadic: method.is_variadic,
                fact: self.method(MethodId::new(id, at)),
            }
        });
        TypeSurvey {
            qualifier,
            simple,
            supertypes: self.supertypes(id),
            form,
            order,
            methods: methods.collect(),
        }
    }

    /// The full names of the direct supertypes of a class that are no library stubs. Names without a package are left
    /// out.
    fn supertypes(&self, id: TypeId) -> Vec<String> {
        let index = self.shared.index;
        let name = |it: &Type<'_>| match it {
            Type::Declared(id, _) if !index.is_library(*id) => {
                let (qualifier, simple) = names(index, *id);
                Some(format!("{qualifier}.{simple}"))
            }
            Type::External(name) if name.contains('.') => Some((*name).to_owned()),
            _ => None,
        };
        index.supertypes(id).iter().filter_map(name).collect()
    }

    /// The form of the instances of a container class (a list, a set, a map, ...). With it comes their iteration order,
    /// if the class extends a class whose order is known.
    fn form(&self, id: TypeId) -> (Form, Option<IterationOrder>) {
        let index = self.shared.index;
        let facts = self.shared.facts;
        // What is only iterable may be anything: a document, a path, an answer of a server.
        let known = index
            .ancestors(id)
            .iter()
            .filter(|it| index.is_library(it.id) && !is_iterable(index, it.id));
        let classes: Vec<_> = known.map(|it| ClassRef::declared(index, it.id)).collect();
        let form = classes.iter().map(|it| facts.form(*it)).find(|it| it.is_container());
        let Some(form) = form else {
            return (Form::Unknown, None);
        };
        let is_class = index.outline(id).kind == TypeKind::Class;
        let order = classes.iter().find_map(|it| facts.container(*it)).map(|it| it.order);
        (form, order.filter(|_| is_class))
    }

    /// What is computed about a method: the form, undefined order and nondeterminism of its result. It includes what
    /// the result carries over from arguments. For an abstract method, it is what all implementations have in common.
    fn method(&self, id: MethodId) -> MethodFact {
        let index = self.shared.index;
        if index.method(id).code.is_some() {
            return self.concrete(id);
        }
        let facts = index.implementations(id).iter().map(|it| self.concrete(*it));
        facts.reduce(|a, b| a.common(&b)).unwrap_or_default()
    }

    fn concrete(&self, id: MethodId) -> MethodFact {
        let mut run = Run::new(self.shared, id.owner);
        let summary = run.summary(Unit::Method(id));
        let value = &summary.value;
        let form = match &self.shared.index.signature(id).returns {
            Type::Declared(class, _) if !self.shared.index.is_library(*class) => self.form(*class).0,
            returned if value.form == Form::Unknown => run.of_type(returned).form,
            _ => value.form,
        };
        let order = value.disorder.as_ref().filter(|_| value.may_have_two());
        let order = order.filter(|it| is_kept_order(it, form));
        let mut taints: Vec<SourceKind> = value
            .taints
            .iter()
            .filter(|it| is_kept_taint(it))
            .map(Taint::kind)
            .collect();
        taints.sort_unstable();
        taints.dedup();
        if !form.is_scalar() {
            taints.clear();
        }
        MethodFact {
            form,
            order: order.map(|it| (it.exposure, it.trace.origin().kind)),
            taints,
            parameters: self.parameters(id, form),
        }
    }

    /// What the result of a method carries over from its arguments.
    fn parameters(&self, id: MethodId, form: Form) -> Vec<ParameterFlow> {
        if !form.is_scalar() && !form.is_container() {
            return Vec::new();
        }
        let index = self.shared.index;
        let count = index.method(id).parameters.len();
        (0..count.min(MAX_PARAMETERS))
            .filter_map(|at| {
                let flow = self.parameter(id, at, form)?;
                (flow.order != OrderFlow::None || flow.has_taints).then_some(flow)
            })
            .collect()
    }

    fn parameter(&self, id: MethodId, position: usize, result: Form) -> Option<ParameterFlow> {
        let index = self.shared.index;
        let mut run = Run::new(self.shared, id.owner);
        let type_ = &index.signature(id).parameters[position];
        let mut argument = run.of_type(type_);
        let site = mark(index, id);
        if let Type::Declared(class, _) = type_
            && !index.is_library(*class)
        {
            argument.form = self.form(*class).0;
        }
        // Any container may be passed: a set shows what becomes of it.
        let is_open = match type_ {
            Type::Variable(..) => true,
            Type::Declared(class, _) if index.is_library(*class) => {
                is_iterable(index, *class) || index.outline(*class).name == "Object"
            }
            _ => false,
        };
        if is_open {
            argument.form = Form::Set;
        }
        let is_container = argument.form.is_container();
        if !is_container && !argument.form.is_scalar() {
            return None;
        }
        let trace = |kind| Trace::new(kind, site, String::new());
        if is_container {
            let exposure = match argument.form {
                Form::List => Exposure::Sequence,
                _ => Exposure::Container,
            };
            argument.disorder = Some(Disorder::boxed(exposure, trace(SourceKind::HashOrder)));
        } else if result.is_scalar() {
            argument.taints.push(Taint::new(trace(SourceKind::Random)));
        } else {
            return None;
        }
        let value = self.called(&mut run, id, position, argument, site);
        let is_marked = |it: &Trace| it.origin().site == site;
        let order = match (&value.disorder, &value.settled) {
            (Some(it), _) if is_marked(&it.trace) && is_shown(it.exposure, result) => OrderFlow::Shown(it.exposure),
            (None, Some(it)) if is_marked(&it.trace) => OrderFlow::Settled,
            _ => OrderFlow::None,
        };
        let order = if is_container { order } else { OrderFlow::None };
        Some(ParameterFlow {
            position: u8::try_from(position).unwrap_or(u8::MAX),
            order,
            has_taints: value.taints.iter().any(|it| is_marked(&it.trace)),
        })
    }

    /// The value that a method returns if the argument at `position` is `marked`, a value with an artificial disorder
    /// or taint. Of the other arguments only the type is known.
    fn called(
        &self,
        run: &mut Run<'_, 'i, 'r>,
        id: MethodId,
        position: usize,
        marked: Value<'i, 'r>,
        site: Site,
    ) -> Value<'i, 'r> {
        let index = self.shared.index;
        let declared = index.method(id);
        let types = &index.signature(id).parameters;
        let mut arguments: Vec<_> = types.iter().map(|it| run.of_type(it)).collect();
        arguments[position] = marked;
        let this = if declared.is_static {
            Value::default()
        } else {
            Value::of_object(run.used_object(id.owner))
        };
        let invocation = Invocation { this, arguments, site };
        run.inline(id, invocation).value.clone()
    }
}

/// The artificial source of the disorder or taint that an argument is marked with. It lies behind the end of the file,
/// so that it equals no source in the code.
fn mark(index: &Index<'_>, id: MethodId) -> Site {
    Site {
        file: index.file_of(id.owner),
        start: u32::MAX,
        end: u32::MAX,
    }
}

/// Whether the disorder of a result becomes part of the fact about a method. The form of the result must be able to
/// show it, and its source must be known and at most `MAX_CALLS` calls away.
fn is_kept_order(disorder: &Disorder, form: Form) -> bool {
    is_shown(disorder.exposure, form)
        && disorder.trace.calls() <= MAX_CALLS
        && disorder.trace.origin().kind != SourceKind::UnknownOrder
}

/// Whether a value of this form can show an order that was made visible by this operation. A text shows the order of
/// elements that were turned into text; a number does not.
fn is_shown(exposure: Exposure, form: Form) -> bool {
    match exposure {
        Exposure::Container | Exposure::Sequence => form.is_container() || form == Form::Tree,
        Exposure::Text => matches!(form, Form::Text | Form::Builder),
        // Which element a library picks of a set is mostly decided by a key.
        Exposure::Element => false,
    }
}

/// Whether the taint of a result becomes part of the fact about a method. Its source must be the clock, randomness, a
/// generated id or the environment, at most `MAX_CALLS` calls away.
fn is_kept_taint(taint: &Taint) -> bool {
    let is_kept = matches!(
        taint.kind(),
        SourceKind::Clock
            | SourceKind::Elapsed
            | SourceKind::Random
            | SourceKind::GeneratedId
            | SourceKind::Environment
    );
    is_kept && taint.trace.calls() <= MAX_CALLS
}

/// Whether a class is `Iterable` or `Collection`. Their instances have elements, but may be of any form.
fn is_iterable(index: &Index<'_>, id: TypeId) -> bool {
    matches!(index.outline(id).name, "Iterable" | "Collection")
}

/// The package of a class with its enclosing classes, and its simple name.
fn names(index: &Index<'_>, id: TypeId) -> (String, String) {
    let mut qualifier = Vec::new();
    let mut outer = index.enclosing(id);
    while let Some(it) = outer {
        qualifier.push(index.outline(it).name);
        outer = index.enclosing(it);
    }
    qualifier.push(index.file_outline(index.file_of(id)).package);
    qualifier.reverse();
    qualifier.retain(|it| !it.is_empty());
    (qualifier.join("."), index.outline(id).name.to_owned())
}

/// Whether code outside the library can name a class: it and all classes around it are public.
fn is_visible(index: &Index<'_>, id: TypeId) -> bool {
    let text = index.source(index.file_of(id)).text();
    let mut class = Some(id);
    while let Some(it) = class {
        let before = &text[..index.outline(it).name_at as usize];
        let start = before.rfind([';', '{', '}']).map_or(0, |at| at + 1);
        class = index.enclosing(it);
        // Members of an interface are public without a word.
        let is_member = class.is_some_and(|it| index.outline(it).kind == TypeKind::Interface);
        if !is_member && !before[start..].contains("public") {
            return false;
        }
    }
    true
}
