//! Fields as shared states: which static fields, fields of singletons and injected beans outlive a test.
//!
//! ```java
//! static final Logger LOG = ...;                     // no state
//! static final Map<String, Plan> PLANS = ...;        // state, if something is put
//! @Autowired OrderRepository orders;                 // the store `store:Order`
//! ```

use std::sync::RwLock;

use rustc_hash::FxHashMap;

use super::catalogue::CATALOGUE;
use super::state::StateKey;
use crate::symbols::ids::{FileId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::type_text::parse_type;
use crate::syntax::declarations::FieldDeclaration;
use crate::syntax::outline::{TypeKind, simple_name};

/// A field that is a shared state, because its value outlives a test or a method call.
#[derive(Debug, Clone)]
pub(super) struct FieldState<'r> {
    pub(super) key: StateKey<'r>,
    /// Whether only an assignment changes the field, because the type of its value is immutable.
    pub(super) is_immutable: bool,
    /// Whether the field wraps its value in an object such as a `ThreadLocal` or an `AtomicReference`.
    pub(super) is_holder: bool,
    /// The source text of the field's initial value, such as `new HashMap<>()`; empty if there is none.
    pub(super) initial: &'r str,
}

/// The static field that holds the only object of a singleton class. `None` for an enum with one constant, which needs
/// no field.
type Instance<'r> = Option<(TypeId, &'r str)>;

/// Looks up fields that are shared states, and caches which classes are singletons.
pub(super) struct Fields<'i, 'r> {
    pub(super) index: &'i Index<'r>,
    singletons: RwLock<FxHashMap<TypeId, Option<Instance<'r>>>>,
}

impl<'i, 'r> Fields<'i, 'r> {
    pub(super) fn new(index: &'i Index<'r>) -> Self {
        Self {
            index,
            singletons: RwLock::default(),
        }
    }

    /// The shared state that an unqualified field name denotes inside the type `owner`. `None` if it is no field, or a
    /// field that is no shared state.
    pub(super) fn named(&self, owner: TypeId, name: &str) -> Option<FieldState<'r>> {
        let mut around = Some(owner);
        while let Some(id) = around {
            if let Some((declaring, field)) = self.index.field(id, name) {
                return self.state(declaring.id, field);
            }
            around = self.index.enclosing(id);
        }
        self.statically_imported(self.index.file_of(owner), name)
    }

    /// The field `name` of the type `id` as a shared state; `None` if there is no such field, or if it is no shared
    /// state.
    pub(super) fn of_type(&self, id: TypeId, name: &str) -> Option<FieldState<'r>> {
        let (declaring, field) = self.index.field(id, name)?;
        self.state(declaring.id, field)
    }

    fn statically_imported(&self, file: FileId, name: &str) -> Option<FieldState<'r>> {
        let imports = self.index.file_outline(file).imports.iter().filter(|it| it.is_static);
        for import in imports {
            let owner = if import.is_wildcard {
                Some(import.path)
            } else {
                import.path.strip_suffix(name).and_then(|it| it.strip_suffix('.'))
            };
            let id = owner.and_then(|it| self.index.lookup_qualified(it, file));
            if let Some(id) = id
                && let Some((declaring, field)) = self.index.field(id, name)
            {
                return self.state(declaring.id, field);
            }
        }
        None
    }

    fn state(&self, owner: TypeId, field: &FieldDeclaration<'r>) -> Option<FieldState<'r>> {
        // Enum constants have no written type.
        if self.index.is_library(owner) || field.type_text.is_empty() {
            return None;
        }
        let types = &CATALOGUE.fields;
        let written = parse_type(field.type_text);
        let type_name = simple_name(written.name);
        if types.ignored.iter().any(|it| it == type_name) {
            return None;
        }
        let source = field.code.source();
        let (modifiers, initial) = around_name(source, field);
        let is_array = field.dimensions > 0 || field.type_text.ends_with(']');
        let is_immutable = !is_array && types.immutable.iter().any(|it| it == type_name);
        let key = if matches!(type_name, "MockedStatic" | "MockedConstruction") {
            let mocked = written.arguments.first().map_or(field.name, |it| it.name);
            StateKey::Named(format!("mock:{mocked}").into())
        } else if field.is_static {
            StateKey::Field(owner, field.name)
        } else if let Some(store) = bean(modifiers, type_name) {
            StateKey::Named(format!("store:{store}").into())
        } else if let Some(instance) = self.singleton(owner) {
            match instance {
                Some((holder, name)) => StateKey::Part(holder, name, field.name),
                None => StateKey::Field(owner, field.name),
            }
        } else {
            StateKey::Own(owner, field.name)
        };
        let is_final = has_word(modifiers, "final") || self.index.outline(owner).kind == TypeKind::Interface;
        let is_constant = is_immutable && is_final;
        (!is_constant).then_some(FieldState {
            key,
            is_immutable,
            is_holder: types.holders.iter().any(|it| it == type_name),
            initial,
        })
    }

    /// Whether a class is a singleton: it has one instance for the whole JVM or for each thread.
    pub(super) fn is_singleton(&self, id: TypeId) -> bool {
        self.singleton(id).is_some()
    }

    /// The static field with the only instance of a singleton class: `Some(None)` for an enum, and `None` if the class
    /// is no singleton.
    ///
    /// A singleton hides its constructors and keeps its instance in a static field, or is an enum with one constant.
    fn singleton(&self, id: TypeId) -> Option<Instance<'r>> {
        if let Some(known) = self.singletons.read().expect("no holder panics").get(&id) {
            return *known;
        }
        let found = self.find_singleton(id);
        self.singletons.write().expect("no holder panics").insert(id, found);
        found
    }

    fn find_singleton(&self, id: TypeId) -> Option<Instance<'r>> {
        let outline = self.index.outline(id);
        let declared = self.index.declaration(id);
        if outline.kind == TypeKind::Enum {
            let constants = declared.fields.iter().filter(|it| it.type_text.is_empty());
            return (constants.count() == 1).then_some(None);
        }
        if outline.kind != TypeKind::Class {
            return None;
        }
        let nested = self.index.types_of(self.index.file_of(id));
        let holders = nested.filter(|it| *it == id || self.index.enclosing(*it) == Some(id));
        let fields = holders.flat_map(|it| self.index.declaration(it).fields.iter().map(move |field| (it, field)));
        let instances: Vec<_> = fields
            .filter(|(_, it)| it.is_static && simple_name(parse_type(it.type_text).name) == outline.name)
            .collect();
        let mut constructors = declared.methods.iter().filter(|it| it.is_constructor).peekable();
        let has_getter = || {
            declared
                .methods
                .iter()
                .any(|it| it.is_static && it.return_type == outline.name)
        };
        // A constructor with parameters makes values.
        let is_hidden = (constructors.peek().is_some() || has_getter())
            && constructors.all(|it| !it.is_public && it.parameters.is_empty());
        let [(holder, instance)] = instances.as_slice() else {
            return None;
        };
        // A class that constructs itself in several places is a value with a constant.
        let text = self.index.source(self.index.file_of(id)).text();
        let construction = format!("new {}", outline.name);
        let constructed = text.match_indices(construction.as_str()).filter(|(at, it)| {
            let behind = &text[at + it.len()..];
            behind.starts_with(['(', '<'])
        });
        (is_hidden && constructed.count() <= 1).then_some(Some((*holder, instance.name)))
    }
}

/// The text before the name of a declared field (modifiers and type), and the text of its initial value.
fn around_name<'r>(source: &'r str, field: &FieldDeclaration<'r>) -> (&'r str, &'r str) {
    let at = (field.at.saturating_sub(field.code.start)) as usize;
    let (before, behind) = source.split_at_checked(at).unwrap_or((source, ""));
    let value = behind.strip_prefix(field.name).unwrap_or(behind).trim_start();
    let value = value.strip_prefix('=').unwrap_or("");
    (before, value.trim().trim_end_matches(';').trim_end())
}

/// The name of the stored data behind an injected field: `Order` for `@Autowired OrderRepository`. `None` if the field
/// is not injected.
fn bean<'t>(modifiers: &str, type_name: &'t str) -> Option<&'t str> {
    let beans = &CATALOGUE.beans;
    let is_injected = modifiers.contains('@')
        && beans.annotations.iter().any(|it| {
            modifiers
                .match_indices(it.as_str())
                .any(|(at, _)| modifiers[..at].ends_with('@'))
        });
    (is_injected && !beans.ignored.iter().any(|it| it == type_name)).then(|| beans.store(type_name))
}

/// Whether a text contains a whole word.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|it| it == word)
}
