//! The abstract run of printing, formatting and serialising: what texts they make of values.

use super::facts::{Effect, FunctionFact};
use super::run::Run;
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Taint, Value};
use crate::flows::flow::Site;
use crate::symbols::ids::TypeId;

/// Annotations of Lombok that make a `toString` of all fields.
const PRINTING: [&str; 3] = ["Data", "ToString", "Value"];

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The abstract text that a format string makes. It is nondeterministic if its directives depend on the default
    /// locale or on the line separator.
    pub(super) fn formatted(&self, format: &Value<'i, 'r>, arguments: usize, site: Site) -> Value<'i, 'r> {
        let mut text = Value::of(Form::Text);
        let Some(pattern) = format.constant.filter(|it| it.contains('%') && arguments > 1) else {
            return text;
        };
        let mut depend = |kind, what: &str| {
            text.add_taint(Taint::new(Trace::new(kind, site, what.to_owned())));
        };
        if pattern.contains("%n") {
            depend(
                SourceKind::LineSeparator,
                "formats with the line separator of the platform",
            );
        }
        let has_fraction = pattern.contains("%.") && pattern.contains('f') || pattern.contains("%,");
        if has_fraction {
            depend(SourceKind::ZoneLocale, "formats numbers in the default locale");
        }
        text
    }

    /// The abstract text that a serialiser makes of a value, such as `gson.toJson(value)`.
    pub(super) fn serialised(
        &mut self,
        function: &FunctionFact,
        serialiser: Option<&Value<'i, 'r>>,
        value: &Value<'i, 'r>,
        site: Site,
    ) -> Value<'i, 'r> {
        let stand_in = self.json_value(function, value, site);
        let value = stand_in.as_ref().unwrap_or(value);
        let mut settings = serialiser.map(|it| it.settings).unwrap_or_default();
        // The class that serialises has a method that changes its serialiser.
        let source = self.shared.index.source(self.frame.file).text();
        settings.sorts_maps |= source.contains("ORDER_MAP_ENTRIES_BY_KEYS");
        let mut text = Value::of(Form::Text);
        text.absorb(&Value {
            taints: value.taints.clone(),
            ..Value::default()
        });
        let is_map_order = |it: &Disorder| {
            !(settings.sorts_maps
                && it.trace.origin().kind == SourceKind::HashOrder
                && it.exposure == Exposure::Container)
        };
        let inside = self.disorder_inside(value, 0).filter(|_| value.may_have_two());
        if let Some(disorder) = inside.filter(is_map_order) {
            let trace = disorder.trace.with_kind(SourceKind::SerialiserOrder);
            text.disorder = Some(Box::new(Disorder {
                exposure: Exposure::Text,
                trace: trace.then(site),
                is_sure: disorder.is_sure || value.count.is_some(),
                bracket: None,
            }));
            return text;
        }
        let element = value.inner.as_ref().and_then(|it| it.class);
        if function.effect != Effect::SerialiseMaps
            && !settings.sorts_properties
            && let Some(class) = value.class.or(element)
            && self.has_open_order(class, function)
            && !(function.library == "Jackson" && self.has_creator(class))
        {
            let name = self.shared.index.outline(class).name;
            let what = format!(
                "serialises {name} with {}, its properties in the order of reflection",
                function.library
            );
            text.disorder = Some(Disorder::boxed(
                Exposure::Text,
                Trace::new(SourceKind::SerialiserOrder, site, what),
            ));
        }
        text
    }

    /// What Jackson writes instead of an object whose class has a method with `@JsonValue`: the value of this method.
    /// `None` for other serialisers and objects.
    fn json_value(&mut self, function: &FunctionFact, value: &Value<'i, 'r>, site: Site) -> Option<Value<'i, 'r>> {
        let index = self.shared.index;
        let class = value
            .class
            .filter(|it| function.library == "Jackson" && !index.is_library(*it))?;
        let methods = index.declaration(class).methods.iter();
        let marked = methods
            .filter(|it| it.annotations.iter().any(|it| it.name == "JsonValue"))
            .find_map(|it| index.methods_named(class, it.name).next())?;
        Some(self.call_method(marked, value.clone(), Vec::new(), site))
    }

    /// The first undefined order in a value, in its elements or in its fields that are serialised; `None` if there is
    /// none within three levels of nesting.
    fn disorder_inside(&self, value: &Value<'i, 'r>, depth: usize) -> Option<Disorder> {
        if let Some(disorder) = value.disorder.as_ref().filter(|_| value.may_have_two()) {
            return Some(Disorder::clone(disorder));
        }
        if depth == 3 {
            return None;
        }
        if let Some(inner) = &value.inner {
            return self.disorder_inside(inner, depth + 1);
        }
        let object = value.object.as_ref()?;
        let mut names: Vec<&&str> = object.fields.keys().collect();
        names.sort_unstable();
        names
            .into_iter()
            .filter(|it| self.is_serialised(object.class, it))
            .find_map(|name| self.disorder_inside(&object.fields[*name], depth + 1))
    }

    /// Whether serialisers write the field `name` of a class, which may inherit it. They leave out `transient` fields
    /// and those with `@JsonIgnore`.
    fn is_serialised(&self, class: TypeId, name: &str) -> bool {
        let index = self.shared.index;
        let mut classes = index.ancestors(class).iter().filter(|it| !index.is_library(it.id));
        let before = classes.find_map(|it| {
            let field = index.declaration(it.id).fields.iter().find(|it| it.name == name)?;
            let source = index.source(index.file_of(it.id)).text();
            Some(declared(&source[..field.at as usize]))
        });
        !before.is_some_and(is_ignored)
    }

    /// Whether a class of the repository, or one that it extends, has two or more properties that are serialised in the order in which
    /// reflection returns them.
    pub(super) fn has_open_order(&self, class: TypeId, function: &FunctionFact) -> bool {
        let index = self.shared.index;
        if index.is_library(class) || index.outline(class).kind == crate::syntax::outline::TypeKind::Enum {
            return false;
        }
        // Serialisers write the content of maps and collections, not their properties.
        let is_container = |it: TypeId| index.is_library(it) && matches!(index.outline(it).name, "Map" | "Collection");
        if index.ancestors(class).iter().any(|it| is_container(it.id)) {
            return false;
        }
        let mut is_open = false;
        for ancestor in index.ancestors(class).iter().filter(|it| !index.is_library(it.id)) {
            let members = index.declaration(ancestor.id);
            if members.annotations.iter().any(|it| function.is_ordered_by(it)) {
                return false;
            }
            // Properties of one group are in the order of reflection. Classes follow each other, XML has attributes before
            // elements, and Jackson writes properties with a name of their own after the others.
            let mut groups = [0; 4];
            let source = index.source(index.file_of(ancestor.id)).text();
            for field in members.fields.iter().filter(|it| !it.is_static) {
                let declaration = declared(&source[..field.at as usize]);
                if !is_ignored(declaration) {
                    let is_renamed = function.library == "Jackson" && has_own_name(declaration);
                    groups[usize::from(is_attribute(declaration)) + 2 * usize::from(is_renamed)] += 1;
                }
            }
            is_open |= groups.into_iter().any(|it| it > 1);
        }
        is_open
    }

    /// Whether a class has a creator with a parameter for every property, or for all but one. Annotations of the creator
    /// or of all its parameters mark it. Jackson writes these properties first, in the order of the parameters.
    fn has_creator(&self, class: TypeId) -> bool {
        let index = self.shared.index;
        let members = index.declaration(class);
        let source = index.source(index.file_of(class)).text();
        let properties = members.fields.iter().filter(|it| !it.is_static).count();
        members.methods.iter().any(|it| {
            let mut annotations = it.annotations.iter();
            let is_marked =
                annotations.any(|it| it.name == "JsonCreator" || it.name.ends_with("ConstructorProperties"));
            let names_all = || {
                let head = it
                    .parameters
                    .last()
                    .map_or("", |last| &source[it.at as usize..last.at as usize]);
                it.is_constructor && head.matches("@JsonProperty(").count() == it.parameters.len()
            };
            it.parameters.len() + 1 >= properties && (is_marked || !it.parameters.is_empty() && names_all())
        })
    }

    /// The abstract text of a value, as concatenation and printing make it.
    pub(super) fn text_of(&mut self, value: &Value<'i, 'r>, site: Site) -> Value<'i, 'r> {
        if value.form == Form::Text {
            return value.clone();
        }
        let mut text = value.derived(Form::Text, site);
        text.disorder = None;
        if value.settings.is_array && value.form == Form::List {
            let what = "prints an array, whose text contains an identity hash".to_owned();
            text.add_taint(Taint::new(Trace::new(SourceKind::Identity, site, what)));
            return text;
        }
        if let Some(disorder) = &value.disorder {
            text.disorder = if disorder.exposure == Exposure::Element || value.form.is_scalar() {
                value.disorder.clone()
            } else {
                let mut printed = value.exposed(Exposure::Text, site);
                if let Some(printed) = &mut printed {
                    printed.bracket = match value.form {
                        Form::Map => Some('{'),
                        Form::List | Form::Set | Form::View => Some('['),
                        _ => None,
                    };
                }
                printed
            };
            if value.form == Form::Tree
                && let Some(disorder) = &mut text.disorder
            {
                disorder.trace = disorder.trace.with_kind(SourceKind::SerialiserOrder);
            }
            return text;
        }
        if let Some(inner) = value.inner.as_deref().filter(|it| it.disorder.is_some()) {
            text.disorder = inner.exposed(Exposure::Text, site);
            return text;
        }
        if let Some(class) = value.class {
            return self.printed(class, value, site);
        }
        text
    }

    /// The abstract text that the `toString` of a class of the repository makes.
    pub(super) fn printed(&mut self, class: TypeId, value: &Value<'i, 'r>, site: Site) -> Value<'i, 'r> {
        let index = self.shared.index;
        let mut classes = index.ancestors(class).iter().filter(|it| !index.is_library(it.id));
        let method = classes.find_map(|it| {
            let mut declared = index.methods_named(it.id, "toString");
            declared.find(|it| index.method(*it).parameters.is_empty() && index.method(*it).code.is_some())
        });
        if let Some(method) = method {
            return self.call_method(method, value.clone(), Vec::new(), site);
        }
        let mut text = value.derived(Form::Text, site);
        let declared = index.declaration(class);
        if let Some(object) = &value.object
            && declared.annotations.iter().any(|it| PRINTING.contains(&it.name))
        {
            for field in declared.fields.iter().filter(|it| !it.is_static) {
                if let Some(content) = object.fields.get(field.name) {
                    let part = self.text_of(content, site);
                    text.absorb(&part);
                }
            }
        }
        if self.prints_identity(class) && value.object.is_some() {
            let what = format!(
                "prints {}, whose text contains an identity hash",
                index.outline(class).name
            );
            text.add_taint(Taint::new(Trace::new(SourceKind::Identity, site, what)));
        }
        text
    }

    /// Whether instances of a class get `toString` and `hashCode` from `Object`, as far as superclasses and annotations
    /// tell.
    pub(super) fn prints_identity(&self, class: TypeId) -> bool {
        let index = self.shared.index;
        let is_plain = |it: &crate::symbols::types::Ancestor<'r>| {
            let is_class = index.outline(it.id).kind == crate::syntax::outline::TypeKind::Class;
            let has_annotation = !index.is_library(it.id) && !index.declaration(it.id).annotations.is_empty();
            let is_open = index
                .supertypes(it.id)
                .iter()
                .any(|it| matches!(it, crate::symbols::types::Type::External(_)));
            index.outline(it.id).name == "Object" || is_class && !index.is_library(it.id) && !has_annotation && !is_open
        };
        index.ancestors(class).iter().all(is_plain)
    }
}

/// The annotations, modifiers and type of a field, given the source text before its name.
fn declared(before: &str) -> &str {
    before.rfind([';', '{', '}']).map_or(before, |at| &before[at..])
}

/// Whether the declaration of a field tells serialisers to leave it out.
fn is_ignored(declaration: &str) -> bool {
    declaration.contains("@JsonIgnore") || declaration.contains("transient ")
}

/// Whether the declaration of a field gives it another name in JSON or XML: `@JsonProperty("name")`.
fn has_own_name(declaration: &str) -> bool {
    let named = ["@JsonProperty(\"", "@JsonProperty(value", "@XmlElement(name"];
    named.iter().any(|it| declaration.contains(it))
}

/// Whether the declaration of a field marks it as an attribute in XML.
fn is_attribute(declaration: &str) -> bool {
    let is_marked = declaration.split_once("isAttribute").is_some_and(|(_, value)| {
        let value = value.trim_start_matches([' ', '=']);
        value.starts_with("true")
    });
    is_marked || declaration.contains("@XmlAttribute")
}
