//! Facts about libraries, read from `catalogue/values.toml`, whose header explains its fields.
//!
//! Invariant: facts are looked up by the simple name of a class and apply only if the package fits, as far as the
//! package is known.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::trace::{Exposure, SourceKind};
use super::value::Form;
use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::outline::simple_name;

/// The order in which a container is iterated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum IterationOrder {
    /// The order is not defined.
    Unordered,
    /// The order follows from the elements.
    Sorted,
    /// The order is that of insertion.
    Kept,
}

/// What a method does with the value that it is called on, or with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Effect {
    /// The result does not depend on order or on nondeterministic scalars.
    Drop,
    /// The keys of a map.
    Keys,
    /// The values of a map.
    Values,
    /// The entries of a map.
    Entries,
    /// The value of a key.
    Lookup,
    /// An entry is put by its key.
    Put,
    /// All elements of the argument are added.
    AddAll,
    /// An iterator over the elements.
    Iterator,
    /// A stream of the elements.
    Stream,
    /// The elements in a defined order.
    Sorted,
    /// A stream whose elements are filtered or mapped.
    Transform,
    /// The elements in a sequence.
    Sequence,
    /// One element.
    Pick,
    /// The argument is a collector.
    Collect,
    /// The argument is called with each element.
    Each,
    /// An element is added at the end.
    Append,
    /// The value is put in order in place.
    Sort,
    /// An ordered copy of the first argument.
    SortedCopy,
    /// The first argument is put into a random order.
    Shuffle,
    /// All elements are removed.
    Clear,
    /// The elements as text.
    Text,
    /// A text is added at the end.
    AppendText,
    /// The result changes with the value and the arguments.
    Pass,
    /// A text is split into a sequence.
    Split,
    /// A part of a text is compared.
    Part,
    /// A text is parsed to a document.
    Parse,
    /// An object is serialised, its properties in the order of reflection.
    Serialise,
    /// An object is serialised, its properties in a defined order, maps in their own.
    SerialiseMaps,
}

/// How a static method makes a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FactoryKind {
    /// The arguments are the elements.
    Elements,
    /// The elements of the argument are copied.
    Copy,
    /// The argument itself.
    Wrap,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContainerFact {
    types: Vec<String>,
    pub(super) form: Form,
    pub(super) order: IterationOrder,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormFact {
    types: Vec<String>,
    form: Form,
}

/// A call that returns something nondeterministic.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SourceFact {
    owners: Vec<String>,
    methods: Vec<String>,
    #[serde(default)]
    arguments: Vec<usize>,
    #[serde(default)]
    mentions: Vec<String>,
    #[serde(default)]
    unless_mentions: Vec<String>,
    pub(super) kind: SourceKind,
    pub(super) form: Form,
    #[serde(default)]
    exposure: Option<TextExposure>,
    pub(super) what: String,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TextExposure {
    Text,
}

impl SourceFact {
    /// How the order of the result shows.
    pub(super) fn exposure(&self) -> Exposure {
        match self.exposure {
            Some(TextExposure::Text) => Exposure::Text,
            None => Exposure::Container,
        }
    }
}

/// A static method that makes a container.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FactoryFact {
    owners: Vec<String>,
    methods: Vec<String>,
    pub(super) form: Form,
    pub(super) order: IterationOrder,
    #[serde(default, rename = "type")]
    pub(super) container: String,
    pub(super) from: FactoryKind,
}

/// Another static method, or a method of a class that is not a container.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FunctionFact {
    owners: Vec<String>,
    methods: Vec<String>,
    #[serde(default)]
    arguments: Vec<usize>,
    pub(super) effect: Effect,
    #[serde(default)]
    pub(super) library: String,
    /// Annotations of a class that define the order of its properties.
    #[serde(default)]
    pub(super) ordered_by: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MethodFact {
    on: Vec<Form>,
    names: Vec<String>,
    effect: Effect,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FactFile {
    container: Vec<ContainerFact>,
    form: Vec<FormFact>,
    source: Vec<SourceFact>,
    factory: Vec<FactoryFact>,
    function: Vec<FunctionFact>,
    method: Vec<MethodFact>,
}

/// Positions of facts by the simple name of a class, with its package.
type ByClass = FxHashMap<String, Vec<(String, usize)>>;

/// All facts, by the names that they are looked up by.
#[derive(Debug)]
pub(super) struct Facts {
    file: FactFile,
    containers: ByClass,
    forms: ByClass,
    sources: ByClass,
    factories: ByClass,
    functions: ByClass,
    methods: FxHashMap<String, Vec<(Form, Effect)>>,
}

/// The class that declares a called method, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClassRef<'a> {
    /// The package, with enclosing classes; `None` if it is not known.
    package: Option<&'a str>,
    pub(super) simple: &'a str,
}

impl<'a> ClassRef<'a> {
    /// The class with a name that may be qualified.
    pub(super) fn named(name: &'a str) -> Self {
        Self {
            package: name.rsplit_once('.').map(|(package, _)| package),
            simple: simple_name(name),
        }
    }

    /// A declared class.
    pub(super) fn declared(index: &Index<'a>, id: TypeId) -> Self {
        Self {
            package: Some(index.file_outline(index.file_of(id)).package),
            simple: index.outline(id).name,
        }
    }

    /// The class of the target of a call.
    pub(super) fn of_target(index: &Index<'a>, target: Target<'a>) -> Option<Self> {
        match target {
            Target::Unknown => None,
            Target::External(name) => Some(Self::named(name)),
            Target::Library(id) | Target::Declared(id) => Some(Self::declared(index, id.owner)),
            Target::Owner(id) => Some(Self::declared(index, id)),
        }
    }
}

/// A call as facts are matched with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallText<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: usize,
    /// The source of the arguments.
    pub(super) text: &'a str,
}

static FACTS: LazyLock<Facts> = LazyLock::new(|| {
    let file: FactFile =
        toml::from_str(include_str!("../../catalogue/values.toml")).expect("the facts are well-formed");
    Facts::new(file)
});

impl Facts {
    /// The facts inside the program.
    pub(super) fn shipped() -> &'static Self {
        &FACTS
    }

    fn new(file: FactFile) -> Self {
        let mut methods: FxHashMap<String, Vec<(Form, Effect)>> = FxHashMap::default();
        for fact in &file.method {
            for name in &fact.names {
                let known = methods.entry(name.clone()).or_default();
                known.extend(fact.on.iter().map(|form| (*form, fact.effect)));
            }
        }
        Self {
            containers: by_class(&file.container, |it| &it.types),
            forms: by_class(&file.form, |it| &it.types),
            sources: by_class(&file.source, |it| &it.owners),
            factories: by_class(&file.factory, |it| &it.owners),
            functions: by_class(&file.function, |it| &it.owners),
            methods,
            file,
        }
    }

    /// The container that instances of a class are.
    pub(super) fn container(&self, class: ClassRef<'_>) -> Option<&ContainerFact> {
        found(&self.containers, class).map(|at| &self.file.container[at]).next()
    }

    /// The form of instances of a class.
    pub(super) fn form(&self, class: ClassRef<'_>) -> Form {
        let container = self.container(class).map(|it| it.form);
        container.unwrap_or_else(|| {
            let form = found(&self.forms, class).map(|at| self.file.form[at].form).next();
            form.unwrap_or_default()
        })
    }

    /// The source that a call is.
    pub(super) fn source(&self, class: ClassRef<'_>, call: CallText<'_>) -> Option<&SourceFact> {
        found(&self.sources, class).map(|at| &self.file.source[at]).find(|it| {
            let mentions = |words: &[String]| words.iter().any(|word| call.text.contains(word.as_str()));
            matches(&it.methods, call.name)
                && (it.arguments.is_empty() || it.arguments.contains(&call.arguments))
                && (it.mentions.is_empty() || mentions(&it.mentions))
                && !mentions(&it.unless_mentions)
        })
    }

    /// The factory that a call is.
    pub(super) fn factory(&self, class: ClassRef<'_>, call: CallText<'_>) -> Option<&FactoryFact> {
        let mut known = found(&self.factories, class).map(|at| &self.file.factory[at]);
        known.find(|it| matches(&it.methods, call.name) && (it.from != FactoryKind::Copy || call.arguments < 2))
    }

    /// The function that a call is.
    pub(super) fn function(&self, class: ClassRef<'_>, call: CallText<'_>) -> Option<&FunctionFact> {
        let mut known = found(&self.functions, class).map(|at| &self.file.function[at]);
        known.find(|it| {
            matches(&it.methods, call.name) && (it.arguments.is_empty() || it.arguments.contains(&call.arguments))
        })
    }

    /// What a method does with a value of a form.
    pub(super) fn method(&self, form: Form, name: &str) -> Option<Effect> {
        let known = self.methods.get(name)?;
        known.iter().find(|(on, _)| *on == form).map(|(_, effect)| *effect)
    }
}

fn by_class<T>(facts: &[T], names: impl Fn(&T) -> &Vec<String>) -> ByClass {
    let mut map = ByClass::default();
    for (at, fact) in facts.iter().enumerate() {
        for name in names(fact) {
            let (package, simple) = name.rsplit_once('.').unwrap_or(("", name));
            map.entry(simple.to_owned()).or_default().push((package.to_owned(), at));
        }
    }
    map
}

fn found<'f>(map: &'f ByClass, class: ClassRef<'f>) -> impl Iterator<Item = usize> + 'f {
    let known = map.get(class.simple).map_or(&[][..], Vec::as_slice);
    let fits = move |package: &str| class.package.is_none_or(|it| it == package || package.is_empty());
    known
        .iter()
        .filter(move |(package, _)| fits(package))
        .map(|(_, at)| *at)
}

/// Whether one of the patterns matches a name; one `*` stands for anything.
fn matches(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.split_once('*') {
        Some((before, behind)) => {
            name.len() >= before.len() + behind.len() && name.starts_with(before) && name.ends_with(behind)
        }
        None => pattern == name,
    })
}

#[cfg(test)]
mod tests {
    use super::{CallText, ClassRef, Effect, Facts, IterationOrder};
    use crate::interpreter::value::Form;

    #[test]
    fn facts_apply_to_their_package_only() {
        let facts = Facts::shipped();
        let order = |name| facts.container(ClassRef::named(name)).map(|it| it.order);
        assert_eq!(order("java.util.HashMap"), Some(IterationOrder::Unordered));
        assert_eq!(order("HashMap"), Some(IterationOrder::Unordered));
        assert_eq!(order("com.acme.HashMap"), None);
    }

    #[test]
    fn a_seeded_generator_is_no_source() {
        let random = |arguments, text| {
            let call = CallText {
                name: "<init>",
                arguments,
                text,
            };
            Facts::shipped()
                .source(ClassRef::named("java.util.Random"), call)
                .is_some()
        };
        assert!(random(0, "()"));
        assert!(!random(1, "(42)"));
    }

    #[test]
    fn methods_depend_on_the_form() {
        let facts = Facts::shipped();
        assert_eq!(facts.method(Form::Map, "get"), Some(Effect::Lookup));
        assert_eq!(facts.method(Form::List, "get"), Some(Effect::Pick));
        assert_eq!(facts.method(Form::Number, "get"), None);
    }
}
