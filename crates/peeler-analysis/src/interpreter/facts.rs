//! Facts about libraries, read from `catalogue/values.toml`, whose header explains its fields.
//!
//! Invariant: facts are looked up by the simple name of a class. They apply only if the package fits, as far as it is
//! known.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::trace::{Exposure, SourceKind};
use super::value::Form;
use crate::catalogue_text;
use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::declarations::Annotation;
use crate::syntax::outline::simple_name;

/// The order in which a container is iterated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum IterationOrder {
    /// The container is iterated in no defined order.
    Unordered,
    /// The container is iterated in an order that follows from its elements, as a `TreeSet` is.
    Sorted,
    /// The container is iterated in the order of insertion, as a `LinkedHashMap` is.
    Kept,
}

/// The effect of a library method on the value that it is called on, or on its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Effect {
    /// The method returns something that depends neither on order nor on nondeterministic scalars: `size()`.
    Drop,
    /// The method returns the keys of a map.
    Keys,
    /// The method returns the values of a map.
    Values,
    /// The method returns the entries of a map.
    Entries,
    /// The method returns the value of a key in a map.
    Lookup,
    /// The method puts an entry into a map by its key.
    Put,
    /// The method adds all elements of its argument to a container.
    AddAll,
    /// The method returns an iterator over the elements of a container.
    Iterator,
    /// The method returns a stream of the elements of a container.
    Stream,
    /// The method returns a stream of the elements in a defined order: `sorted()`.
    Sorted,
    /// The method returns a stream whose elements are filtered or mapped.
    Transform,
    /// The method returns the elements of a container as a sequence: `toArray()`.
    Sequence,
    /// The method returns one element of a container: `findFirst()`.
    Pick,
    /// The method collects a stream; its argument is a collector.
    Collect,
    /// The method calls its argument with each element of a container: `forEach`.
    Each,
    /// The method adds an element to a list.
    Append,
    /// The method sorts a list in place: `Collections.sort(list)`.
    Sort,
    /// The method returns an ordered copy of its first argument: `Ordering.sortedCopy`.
    SortedCopy,
    /// The method puts its first argument into a random order: `Collections.shuffle`.
    Shuffle,
    /// The method removes all elements of a container.
    Clear,
    /// The method returns the elements of a container, or its arguments, as text: `toString()`.
    Text,
    /// The method adds a text to the end of a builder or writer: `append`.
    AppendText,
    /// The method returns something computed from its receiver and arguments, such as `Math.abs(x)`. The result differs
    /// from run to run if they do.
    Pass,
    /// The method splits a text into a sequence.
    Split,
    /// The method compares a text with a part of another: `startsWith`.
    Part,
    /// The method parses a text to a document: `ObjectMapper.readTree`.
    Parse,
    /// The method serialises an object, with its properties in the order in which reflection returns them.
    Serialise,
    /// The method serialises an object, its properties in a defined order, but maps in the order of iteration.
    SerialiseMaps,
    /// The method turns an object into a document, whose properties are in the order in which reflection returns them.
    SerialiseTree,
}

/// How a static method such as `List.of(..)` makes a container from its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FactoryKind {
    /// The arguments of the factory method are the elements of the container.
    Elements,
    /// The factory method copies the elements of its argument.
    Copy,
    /// The factory method returns its argument itself, a view of it, or a wrapper around it.
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

/// A library call that returns something nondeterministic, such as `UUID.randomUUID()`, as `values.toml` describes it.
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
    /// How the undefined order of the call's result shows. It shows in a text ([`Exposure::Text`]), or not yet, because
    /// the result is a container ([`Exposure::Container`]).
    pub(super) fn exposure(&self) -> Exposure {
        match self.exposure {
            Some(TextExposure::Text) => Exposure::Text,
            None => Exposure::Container,
        }
    }
}

/// Static library methods that make a container, such as `Map.of`, as `values.toml` describes them.
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

/// An entry of `values.toml`: methods of given library classes and their common effect. `Collections.sort` sorts its
/// argument, for example.
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
    /// Annotations of a class that define the order of its properties, such as `JsonPropertyOrder`. Of
    /// `JsonSerialize.using`, the annotation defines it only if it has the argument `using`.
    #[serde(default)]
    ordered_by: Vec<String>,
}

impl FunctionFact {
    /// Whether an annotation of a class, or of a supertype, defines the order in which this serialiser writes it.
    pub(super) fn is_ordered_by(&self, annotation: &Annotation<'_>) -> bool {
        self.ordered_by.iter().any(|known| match known.split_once('.') {
            Some((name, argument)) => {
                let mut arguments = annotation.arguments.split(',').filter_map(|it| it.split_once('='));
                name == annotation.name && arguments.any(|(it, _)| it.trim() == argument)
            }
            None => known == annotation.name,
        })
    }
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

/// For each simple name of a class, its packages in `values.toml`, each with the index of an entry about the class.
type ByClass = FxHashMap<String, Vec<(String, usize)>>;

/// All facts about libraries in `values.toml`, by the names of classes and methods that they are looked up by.
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
    /// The package of the class; `None` if it is not known. A class that is known only by its qualified name has its
    /// enclosing classes here too: `java.util.Map` for `java.util.Map.Entry`.
    pub(super) package: Option<&'a str>,
    pub(super) simple: &'a str,
}

impl<'a> ClassRef<'a> {
    /// A reference to a class by a simple or qualified name.
    pub(super) fn named(name: &'a str) -> Self {
        Self {
            package: name.rsplit_once('.').map(|(package, _)| package),
            simple: simple_name(name),
        }
    }

    /// A reference to a class that the repository, or a shipped file with library signatures, declares.
    pub(super) fn declared(index: &Index<'a>, id: TypeId) -> Self {
        Self {
            package: Some(index.file_outline(index.file_of(id)).package),
            simple: index.outline(id).name,
        }
    }

    /// A reference to the class that declares `target`, the method of a call; `None` if the class is unknown.
    pub(super) fn of_target(index: &Index<'a>, target: Target<'a>) -> Option<Self> {
        match target {
            Target::Unknown => None,
            Target::External(name) => Some(Self::named(name)),
            Target::Library(id) | Target::Declared(id) => Some(Self::declared(index, id.owner)),
            Target::Owner(id) => Some(Self::declared(index, id)),
        }
    }
}

/// The name and arguments of a call, which are matched with the facts about libraries in `values.toml`.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallText<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: usize,
    /// The source text of the arguments of the call.
    pub(super) text: &'a str,
}

static FACTS: LazyLock<Facts> = LazyLock::new(|| {
    let file: FactFile = catalogue_text::read(include_str!("../../catalogue/values.toml"));
    Facts::new(file)
});

impl Facts {
    /// The facts about libraries that are built into the program.
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

    /// What `values.toml` says about a container class, such as `HashMap`; `None` for other classes.
    pub(super) fn container(&self, class: ClassRef<'_>) -> Option<&ContainerFact> {
        found(&self.containers, class).map(|at| &self.file.container[at]).next()
    }

    /// The form that `values.toml` gives to the instances of a class, such as text, list or map; unknown for other
    /// classes.
    pub(super) fn form(&self, class: ClassRef<'_>) -> Form {
        let container = self.container(class).map(|it| it.form);
        container.unwrap_or_else(|| {
            let form = found(&self.forms, class).map(|at| self.file.form[at].form).next();
            form.unwrap_or_default()
        })
    }

    /// The entry of `values.toml` about a library call with a nondeterministic result; `None` for other calls.
    pub(super) fn source(&self, class: ClassRef<'_>, call: CallText<'_>) -> Option<&SourceFact> {
        found(&self.sources, class).map(|at| &self.file.source[at]).find(|it| {
            let mentions = |words: &[String]| words.iter().any(|word| call.text.contains(word.as_str()));
            matches(&it.methods, call.name)
                && (it.arguments.is_empty() || it.arguments.contains(&call.arguments))
                && (it.mentions.is_empty() || mentions(&it.mentions))
                && !mentions(&it.unless_mentions)
        })
    }

    /// The entry of `values.toml` about a static library call that makes a container, such as `List.of(..)`; `None` for
    /// other calls.
    pub(super) fn factory(&self, class: ClassRef<'_>, call: CallText<'_>) -> Option<&FactoryFact> {
        let mut known = found(&self.factories, class).map(|at| &self.file.factory[at]);
        known.find(|it| matches(&it.methods, call.name) && (it.from != FactoryKind::Copy || call.arguments < 2))
    }

    /// The entry of `values.toml` about a library call that it lists with its class, such as `Collections.sort` or
    /// `Gson.toJson`. `None` if there is none.
    pub(super) fn function(&self, class: ClassRef<'_>, call: CallText<'_>) -> Option<&FunctionFact> {
        let mut known = found(&self.functions, class).map(|at| &self.file.function[at]);
        known.find(|it| {
            matches(&it.methods, call.name) && (it.arguments.is_empty() || it.arguments.contains(&call.arguments))
        })
    }

    /// The entry of `values.toml` about a serialising method, found by the name of the method alone. It is for
    /// serialisers of unknown class, as in `builder.create().toJson(order)`. `None` if the receiver is no serialiser,
    /// or if no entry lists the method.
    pub(super) fn serialiser(&self, form: Form, call: CallText<'_>) -> Option<&FunctionFact> {
        let is_meant = |it: &&FunctionFact| {
            let is_serialised = matches!(it.effect, Effect::Serialise | Effect::SerialiseMaps);
            is_serialised && matches(&it.methods, call.name)
        };
        (form == Form::Serialiser).then(|| self.file.function.iter().find(is_meant))?
    }

    /// The effect of library method `name` when it is called on a value of this form, such as a list or text. `None` if
    /// `values.toml` does not list the method for this form.
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

/// Whether one of the patterns matches a name; one `*` in a pattern stands for any characters.
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
