//! Calls of library methods about which the table of library facts has a fact, computed from the source of the library.
//!
//! What `catalogue/values.toml` says about a method comes first. A computed fact only adds what is not known from
//! there.

use super::computed::fact::{MethodFact, OrderFlow};
use super::facts::{CallText, ClassRef, IterationOrder};
use super::run::Run;
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Taint, Value};
use crate::flows::flow::Site;

/// The kind of a called library method: static or not. It decides which parts of the computed fact about the method are
/// used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Callee {
    /// The called method is static, so a call always runs the code of the library.
    Static,
    /// The called method is not static, so a class of the repository may override it. A computed fact that its result
    /// differs from run to run is not used: a time that a getter returns was mostly given to the object before, and
    /// what the object has decides whether two parts of a text can change places.
    Instance,
}

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The position of a class in the table of library facts; `None` if the table does not contain it. A name without a
    /// package is looked up in the imports of the current file.
    fn computed_class(&self, class: ClassRef<'_>) -> Option<usize> {
        let index = self.shared.index;
        let mut named = self.shared.table.named(class.simple);
        let outline = index.file_outline(self.frame.file);
        named.find_map(|(qualifier, at)| {
            let is_same = match class.package {
                Some(package) if package == qualifier => true,
                Some(package) if package.starts_with(char::is_uppercase) => {
                    let first = package.split('.').next().unwrap_or(package);
                    let mut imports = outline.imports.iter().filter(|it| !it.is_static && !it.is_wildcard);
                    imports.any(|it| {
                        let rest = package.strip_prefix(first);
                        it.name == first && qualifier.strip_prefix(it.path) == rest
                    })
                }
                Some(_) => false,
                None => outline.imports.iter().any(|it| it.is_wildcard && it.path == qualifier),
            };
            is_same.then_some(at)
        })
    }

    /// The form of the instances of a library class, such as text or list. It comes from `values.toml`, or else from
    /// the table of computed library facts.
    pub(super) fn form_of(&self, class: ClassRef<'_>) -> Form {
        match self.shared.facts.form(class) {
            Form::Unknown => self.computed_container(class).map_or(Form::Unknown, |(form, _)| form),
            known => known,
        }
    }

    /// The form of the instances of a library container class, such as list or map, and their iteration order. Both are
    /// from the table of computed library facts. `None` if the table has no form for the class.
    pub(super) fn computed_container(&self, class: ClassRef<'_>) -> Option<(Form, Option<IterationOrder>)> {
        let found = self.shared.table.form(self.computed_class(class)?);
        (found.0 != Form::Unknown).then_some(found)
    }

    /// Adds to `value`, the result of a library call, what the computed fact about the called method says of its
    /// nondeterminism. Without a fact, does nothing.
    pub(super) fn add_computed(
        &self,
        value: &mut Value<'i, 'r>,
        (callee, class, call): (Callee, Option<ClassRef<'_>>, CallText<'_>),
        arguments: &[Value<'i, 'r>],
        site: Site,
    ) {
        let Some(class) = class else {
            return;
        };
        let Some(at) = self.computed_class(class) else {
            return;
        };
        let Some(fact) = self.shared.table.method(at, call.name, call.arguments) else {
            return;
        };
        let method = format!("{}.{}", class.simple, call.name);
        if callee == Callee::Static {
            for kind in &fact.taints {
                let what = format!("calls {method}, {}", result_of(*kind));
                value.add_taint(Taint::new(Trace::new(*kind, site, what)));
            }
        }
        let is_used = |exposure: Exposure| {
            callee == Callee::Static || matches!(exposure, Exposure::Container | Exposure::Sequence)
        };
        if let Some((exposure, kind)) = fact.order.filter(|it| is_used(it.0))
            && value.disorder.is_none()
        {
            let what = format!("calls {method}, whose result has no defined order");
            value.disorder = Some(Disorder::boxed(exposure, Trace::new(kind, site, what)));
        }
        add_fact(value, fact, arguments, site);
    }
}

fn add_fact<'i, 'r>(value: &mut Value<'i, 'r>, fact: &MethodFact, arguments: &[Value<'i, 'r>], site: Site) {
    if value.form == Form::Unknown {
        value.form = fact.form;
    }
    for flow in &fact.parameters {
        let Some(argument) = arguments.get(usize::from(flow.position)) else {
            continue;
        };
        if flow.has_taints && argument.form.is_scalar() {
            let part = argument.derived(value.form, site);
            part.taints.into_iter().for_each(|it| value.add_taint(it));
        }
        match flow.order {
            OrderFlow::Shown(exposure) if value.disorder.is_none() && argument.form.is_container() => {
                value.disorder = argument.exposed(exposure, site);
                // The argument itself, or a view of it.
                if exposure == Exposure::Container {
                    value.count = argument.count;
                    if fact.form == Form::List {
                        value.form = argument.form;
                    }
                }
            }
            OrderFlow::Settled if value.settled.is_none() && argument.form.is_container() => {
                value.settled = argument.clone().ordered(site).settled;
            }
            _ => {}
        }
    }
}

/// Words about a library method whose result has this kind of nondeterminism. They follow the name of the method:
/// "which reads the clock".
fn result_of(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Clock => "which reads the clock",
        SourceKind::Elapsed => "which measures time",
        SourceKind::Random => "whose result is random",
        SourceKind::GeneratedId => "which makes a new identifier",
        _ => "whose result depends on the machine",
    }
}
