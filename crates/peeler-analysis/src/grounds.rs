//! The files that the flows of a test, or their absence, depend on.
//!
//! Detection rules follow calls to different depths and through different kinds of code. Here everything is followed
//! that one of them may follow: calls, implementations, overrides, initialisers, method references and the methods of
//! JUnit rules.
//!
//! ```java
//! @Rule public Cleaning rule = new Cleaning();                   // all methods of Cleaning and its superclasses
//! @Test public void books() { run(Ledger::sum); check(Till.open); }    // Ledger#sum, and the file of Till
//! ```
//!
//! Invariant: the files of a test do not depend on the tests that were asked about before.

use rustc_hash::FxHashSet;

use crate::discovery::DiscoveredTest;
use crate::lifecycle::{own_class, setup_methods, setup_types};
use crate::slots::Slots;
use crate::symbols::ids::{FileId, MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::names::{Scope, TypeReference};
use crate::symbols::targets::Target;
use crate::symbols::type_text::parse_type;
use crate::syntax::body::CONSTRUCTOR;
use crate::syntax::tokens::tokens;
use crate::walk::{Code, initialisers};

/// The maximum number of calls between a test and code that a detection rule looks at; no rule follows more.
const MAX_CALLS: usize = 9;
/// The maximum number of methods and types that are visited to find the files that the flows of one test depend on.
const MAX_VISITS: usize = 6_000;

/// Code that a body can run: a method, or the fields and initialisers of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Callee {
    Method(MethodId),
    /// The fields and initialisers of a type.
    Initialisers(TypeId),
}

/// The code that one body may run, and the types that it names.
#[derive(Debug, Default)]
struct References {
    /// The code that the body may run.
    callees: Vec<Callee>,
    /// The types that the body names.
    types: Vec<TypeId>,
}

/// Finds the files that the flows of tests depend on. What a body refers to is read once for all tests.
pub(crate) struct Grounds<'i, 'r> {
    index: &'i Index<'r>,
    bodies: Vec<Slots<References>>,
}

impl<'i, 'r> Grounds<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>) -> Self {
        Self {
            index,
            bodies: index.files().map(|_| Slots::default()).collect(),
        }
    }

    /// The files of the repository that the flows of a test depend on, sorted. A change of one of them can add or
    /// remove flows.
    pub(crate) fn files(&self, test: DiscoveredTest) -> Vec<FileId> {
        let index = self.index;
        let mut walk = Walk {
            index,
            class: test.class,
            level: Vec::new(),
            visited: FxHashSet::default(),
            types: FxHashSet::default(),
        };
        walk.add(Callee::Method(test.method));
        for id in setup_types(index, test.class) {
            walk.add(Callee::Initialisers(id));
            setup_methods(index, id).for_each(|it| walk.add(Callee::Method(it)));
            self.rule_methods(id).for_each(|it| walk.add(Callee::Method(it)));
        }
        for _ in 0..=MAX_CALLS {
            for callee in std::mem::take(&mut walk.level) {
                self.visit(callee, &mut walk);
            }
        }
        let mut files: Vec<FileId> = walk.types.iter().map(|it| index.file_of(*it)).collect();
        files.sort_unstable();
        files.dedup();
        files.retain(|it| index.is_repository_file(*it));
        files
    }

    /// Adds the types that the code of `callee` names, and the code that it may run, to `walk`.
    fn visit(&self, callee: Callee, walk: &mut Walk<'i, 'r>) {
        match callee {
            Callee::Method(id) => {
                walk.name(id.owner);
                if let Some(body) = &self.index.method(id).code {
                    walk.refer(self.references(Code::Method(id, body)));
                }
            }
            Callee::Initialisers(id) => {
                walk.name(id);
                for code in initialisers(self.index, id) {
                    walk.refer(self.references(code));
                }
            }
        }
    }

    /// All methods of the classes of the JUnit rules and extensions that a type declares.
    fn rule_methods(&self, id: TypeId) -> impl Iterator<Item = MethodId> {
        let index = self.index;
        let declared = index.declaration(id);
        let is_rule = |it: &&str| it.contains("Rule") || it.contains("Extension");
        let fields = declared.fields.iter();
        let fields = fields.filter(move |it| is_rule(&it.code.source()));
        let fields = fields.map(|it| parse_type(it.type_text).name);
        let annotations = declared.annotations.iter().flat_map(|it| tokens(it.arguments));
        let scope = Scope {
            file: index.file_of(id),
            owner: Some(id),
        };
        let types = fields.chain(annotations.filter(|it| is_type_name(it)));
        let types = types.filter_map(move |it| match index.resolve_name(it, scope) {
            Some(TypeReference::Type(id)) => Some(id),
            _ => None,
        });
        let all = types.flat_map(|it| index.ancestors(it)).map(|it| it.id);
        let own = all.filter(|it| !index.is_library(*it));
        own.flat_map(|id| (0..index.declaration(id).methods.len()).map(move |at| MethodId::new(id, at)))
    }

    fn references(&self, code: Code<'i, 'r>) -> &References {
        let file = self.index.file_of(code.owner());
        let slot = self.index.slot_of(&self.bodies[file.position()], file, code.body());
        slot.get_or_init(|| {
            let mut references = References::default();
            self.add_calls(code, &mut references);
            self.add_names(code, file, &mut references);
            references
        })
    }

    fn add_calls(&self, code: Code<'i, 'r>, references: &mut References) {
        if !code.body().may_call() {
            return;
        }
        let targets = code.targets(self.index);
        for (site, target) in code.body().get().calls.iter().zip(targets) {
            match *target {
                Target::Declared(id) => self.add_method(id, references),
                Target::Owner(id) if site.name == CONSTRUCTOR => references.callees.push(Callee::Initialisers(id)),
                Target::Owner(id) => references.types.push(id),
                _ => {}
            }
        }
    }

    /// Adds a called method to the references of a body, with its implementations. For a constructor, adds the
    /// initialisers of its class.
    fn add_method(&self, id: MethodId, references: &mut References) {
        references.callees.push(Callee::Method(id));
        let implementations = self.index.implementations(id).iter();
        references.callees.extend(implementations.map(|it| Callee::Method(*it)));
        if self.index.method(id).is_constructor {
            references.callees.push(Callee::Initialisers(id.owner));
        }
    }

    /// Adds the types that the tokens of a body name, and the methods that it references without calling them, as in
    /// `Ledger::sum`.
    fn add_names(&self, code: Code<'i, 'r>, file: FileId, references: &mut References) {
        let index = self.index;
        let scope = Scope {
            file,
            owner: Some(code.owner()),
        };
        let mut chain = String::new();
        let mut before = ["", ""];
        let mut referred = Vec::new();
        let statics = index.file_outline(file).imports.iter().filter(|it| it.is_static);
        let tokens: Vec<&str> = tokens(code.body().source()).collect();
        for (at, &token) in tokens.iter().enumerate() {
            if before == [":", ":"] {
                referred.push(token);
            }
            if before[1] != "." {
                chain.clear();
                let imported = statics.clone().filter(|it| !it.is_wildcard && it.name == token);
                let owners = imported.filter_map(|it| it.path.rsplit_once('.'));
                let owners = owners.filter_map(|it| index.lookup_qualified(it.0, file));
                references.types.extend(owners);
            }
            chain.push_str(token);
            // No rule reads the code of a class that is only passed as `Ledger.class`.
            let is_literal = tokens.get(at + 1..at + 3) == Some(&[".", "class"]);
            if is_type_name(token) && !is_literal {
                let named = match index.resolve_name(token, scope) {
                    Some(TypeReference::Type(id)) if before[1] != "." => Some(id),
                    _ => index.lookup_qualified(&chain, file),
                };
                references.types.extend(named);
            }
            before = [before[1], token];
        }
        let wildcards = statics.filter(|it| it.is_wildcard);
        references
            .types
            .extend(wildcards.filter_map(|it| index.lookup_qualified(it.path, file)));
        references.types.sort_unstable();
        references.types.dedup();
        references.types.retain(|it| !index.is_library(*it));
        if !referred.is_empty() {
            self.add_referred(code.owner(), &referred, references);
        }
    }

    /// Adds the methods called `names` of every type that a method reference such as `ledger::sum` may mean. These are
    /// `owner`, the types of its fields, and the types that the body names.
    fn add_referred(&self, owner: TypeId, names: &[&str], references: &mut References) {
        let index = self.index;
        let scope = Scope {
            file: index.file_of(owner),
            owner: Some(owner),
        };
        let mut types = references.types.clone();
        types.push(owner);
        let fields = index
            .ancestors(owner)
            .iter()
            .flat_map(|it| &index.declaration(it.id).fields);
        types.extend(
            fields.filter_map(|it| match index.resolve_name(parse_type(it.type_text).name, scope) {
                Some(TypeReference::Type(id)) => Some(id),
                _ => None,
            }),
        );
        for ancestor in types.iter().flat_map(|it| index.ancestors(*it)) {
            if index.is_library(ancestor.id) {
                continue;
            }
            for name in names {
                let name = if *name == "new" { CONSTRUCTOR } else { name };
                for method in index.methods_named(ancestor.id, name) {
                    self.add_method(method, references);
                }
            }
        }
    }
}

/// The state of the search for the files whose code one test can run or names.
struct Walk<'i, 'r> {
    index: &'i Index<'r>,
    class: TypeId,
    /// The code to visit next, one call further from the test than the code visited before.
    level: Vec<Callee>,
    visited: FxHashSet<Callee>,
    /// The types that the visited code belongs to or names, with their supertypes. Their files are the result.
    types: FxHashSet<TypeId>,
}

impl Walk<'_, '_> {
    fn add(&mut self, callee: Callee) {
        if self.visited.len() < MAX_VISITS && self.visited.insert(callee) {
            self.level.push(callee);
        }
    }

    /// Adds a type and its supertypes to the types whose files matter for the test.
    fn name(&mut self, id: TypeId) {
        if self.types.insert(id) {
            self.types.extend(self.index.ancestors(id).iter().map(|it| it.id));
        }
    }

    fn refer(&mut self, references: &References) {
        for &id in &references.types {
            self.name(id);
        }
        for &callee in &references.callees {
            self.add(callee);
            if let Callee::Method(id) = callee
                && let Some(own) = own_class(self.index, self.class, id.owner)
            {
                self.add(Callee::Method(self.index.override_in(own, id)));
            }
        }
    }
}

/// Whether a token looks like the name of a type: it begins with a capital letter.
fn is_type_name(token: &str) -> bool {
    token.starts_with(char::is_uppercase)
}
