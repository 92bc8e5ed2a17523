//! Digests (hashes) of tests, to tell whether a test changed between two states of a repository.
//!
//! The digest of a test covers the tokens of the test, and of the setup and teardown of its class. It includes all
//! bodies that these can run, as far as `walk.rs` follows calls. It also covers what the names in these tokens refer
//! to. Lines, files, comments and white space do not count. An import counts only through the names that it resolves.
//!
//! ```java
//! import java.util.HashMap;          // importing another HashMap is a change
//! import java.util.List;             // adding an import that no name needs is not
//! class StockTest {
//!     Stock stock = new Stock(new HashMap<>());
//!     @Test void counts() { assertEquals(2, stock.count()); }    // the body of Stock#count counts
//! }
//! ```
//!
//! Invariant: the digest of a test does not depend on the order of files or on other tests. Digests are for comparison
//! within one run of the program; another version may compute other digests. Left out: methods referenced on values
//! (`stock::count`), and calls nested deeper than `walk.rs` follows them.

use std::collections::BTreeMap;

use peeler_features::TestName;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::code_under_test::signature;
use crate::discovery::DiscoveredTest;
use crate::lifecycle::setup_types;
use crate::meaning::{Meanings, RepositoryNames};
use crate::slots::Slots;
use crate::stable_hash::StableHasher;
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::declarations::{Annotation, MethodDeclaration};
use crate::syntax::tokens::tokens;
use crate::test_case::test_name;
use crate::threads::on_all_cores;
use crate::walk::{CallWalk, Code, MAX_DEPTH, ReachedBody, WalkLimits};

/// The digests of the tests whose names are `wanted`, by name. A digest changes when the code that a test runs changes.
/// Tests with one name in several modules share one digest.
pub(crate) fn digests(
    index: &Index<'_>,
    tests: &[DiscoveredTest],
    wanted: impl Fn(&str) -> bool + Sync,
) -> BTreeMap<TestName, u64> {
    let digester = Digester::new(index);
    let classes: Vec<&[DiscoveredTest]> = tests.chunk_by(|a, b| a.class == b.class).collect();
    let of_class = |tests: &&[DiscoveredTest]| {
        let mut setup = None;
        let mut found = Vec::new();
        for test in *tests {
            let name = test_name(index, *test);
            if wanted(name.as_str()) {
                let setup = *setup.get_or_insert_with(|| digester.setup(test.class));
                found.push((name, digester.test(*test, setup)));
            }
        }
        found
    };
    let found: Vec<(TestName, u64)> =
        on_all_cores(|| classes.par_iter().with_max_len(1).flat_map_iter(of_class).collect());
    let mut digests = BTreeMap::new();
    for (name, digest) in found {
        let sum: &mut u64 = digests.entry(name).or_default();
        *sum = sum.wrapping_add(digest);
    }
    digests
}

/// The digest of the tokens of one body and of what its names refer to. It is the same for all tests that run the body.
#[derive(Debug)]
struct BodyDigest {
    digest: u64,
    /// Methods of the repository that the body passes on by reference: `this::check`, `Stock::new`.
    references: Box<[MethodId]>,
}

/// Computes digests of tests, and the digest of each body once.
struct Digester<'i, 'r> {
    index: &'i Index<'r>,
    names: RepositoryNames<'i, 'r>,
    /// For each file, one slot for the digest of each of its bodies.
    bodies: Box<[Slots<BodyDigest>]>,
}

impl<'i, 'r> Digester<'i, 'r> {
    fn new(index: &'i Index<'r>) -> Self {
        Self {
            index,
            names: RepositoryNames::new(index),
            bodies: index.files().map(|_| Slots::default()).collect(),
        }
    }

    /// The digest of the setup and teardown of a test class, with all code that they can run.
    fn setup(&self, class: TypeId) -> u64 {
        let mut parts = self.parts(
            class,
            CallWalk::of_setup(self.index, class, WalkLimits::of_reachability(MAX_DEPTH)),
        );
        parts.extend(setup_types(self.index, class).into_iter().map(|id| self.header(id)));
        combined(parts)
    }

    /// The digest of a test and of all code that it can run. It includes `setup`, the digest of its setup.
    fn test(&self, test: DiscoveredTest, setup: u64) -> u64 {
        let limits = WalkLimits::of_reachability(MAX_DEPTH);
        let mut walk = CallWalk::of_test(self.index, test.class, test.method, limits);
        for source in argument_sources(self.index, test) {
            walk.follow(source);
        }
        let mut parts = self.parts(test.class, walk);
        parts.push(setup);
        combined(parts)
    }

    /// The digests of all bodies that `walk` visits. Their order does not matter.
    fn parts(&self, class: TypeId, mut walk: CallWalk<'i, 'r>) -> Vec<u64> {
        let index = self.index;
        let mut parts = Vec::new();
        while let Some(step) = walk.next() {
            let body = self.body(&step);
            parts.push(body.digest);
            let called = step.calls().filter_map(|(_, target)| match target {
                Target::Declared(id) | Target::Library(id) => Some(id),
                _ => None,
            });
            for id in called.chain(body.references.iter().copied()) {
                // The walk follows the declared method; the digest also needs the override that runs.
                let runs = if index.inherits(class, id.owner) {
                    index.override_in(class, id)
                } else {
                    id
                };
                if !index.is_library(runs.owner) {
                    walk.follow(runs);
                }
            }
        }
        parts
    }

    /// The digest of one body, computed once and cached.
    fn body(&self, step: &ReachedBody<'i, 'r>) -> &BodyDigest {
        let file = self.index.file_of(step.code.owner());
        let slot = self
            .index
            .slot_of(&self.bodies[file.position()], file, step.code.body());
        slot.get_or_init(|| self.body_digest(step))
    }

    fn body_digest(&self, step: &ReachedBody<'i, 'r>) -> BodyDigest {
        let index = self.index;
        let owner = step.code.owner();
        let text = match step.code {
            Code::Method(id, body) => {
                let text = index.source(index.file_of(owner)).text();
                &text[index.method(id).start as usize..body.end as usize]
            }
            Code::Initialiser(_, body) => body.source(),
        };
        let mut digest = StableHasher::default();
        digest.text(&index.binary_name(owner));
        let meanings = Meanings::new(&self.names, owner, text);
        add_java(&mut digest, text);
        let unknown = step.calls().filter(|(_, target)| *target == Target::Unknown);
        let unknown: FxHashSet<&str> = unknown.map(|(site, _)| site.name).collect();
        meanings.each(&unknown, |meaning| digest.text(meaning));
        for (_, target) in step.calls() {
            match target {
                Target::Declared(id) | Target::Library(id) => digest.text(&signature(index, id)),
                Target::External(name) => digest.text(name),
                Target::Owner(id) => digest.text(&index.binary_name(id)),
                Target::Unknown => digest.text(""),
            }
        }
        BodyDigest {
            digest: digest.finish(),
            references: meanings.references().into(),
        }
    }

    /// The digest of the header of a type: its name, type parameters, supertypes and annotations.
    fn header(&self, id: TypeId) -> u64 {
        let index = self.index;
        let outline = index.outline(id);
        let mut digest = StableHasher::default();
        digest.text(&index.binary_name(id));
        let mut written: Vec<&'r str> = vec![outline.type_parameters];
        written.extend(&outline.supertypes);
        for annotation in &index.declaration(id).annotations {
            written.extend([annotation.name, annotation.arguments]);
        }
        for text in written {
            add_java(&mut digest, text);
            Meanings::new(&self.names, id, text).each(&FxHashSet::default(), |meaning| digest.text(meaning));
        }
        digest.finish()
    }
}

/// The methods that provide the arguments of a parameterised test, such as those that `@MethodSource` names or
/// `@Parameters` marks.
fn argument_sources(index: &Index<'_>, test: DiscoveredTest) -> Vec<MethodId> {
    let method = index.method(test.method);
    let mut quoted: FxHashSet<&str> = FxHashSet::default();
    for annotation in &method.annotations {
        let mut found = strings(annotation).peekable();
        // Without a name, JUnit 5 uses the method with the name of the test.
        if annotation.name == "MethodSource" && found.peek().is_none() {
            quoted.insert(method.name);
        }
        quoted.extend(found);
    }
    let is_source = |candidate: &MethodDeclaration<'_>| {
        quoted.contains(candidate.name)
            || candidate.annotations.iter().any(|it| match it.name {
                "Parameters" => candidate.is_static,
                "DataProvider" => strings(it).any(|name| quoted.contains(name)),
                _ => false,
            })
    };
    let mut sources = Vec::new();
    for ancestor in index.ancestors(test.class) {
        for (at, candidate) in index.declaration(ancestor.id).methods.iter().enumerate() {
            if is_source(candidate) {
                sources.push(MethodId::new(ancestor.id, at));
            }
        }
    }
    sources
}

/// The string literals in the arguments of an annotation, without quotes.
fn strings<'r>(annotation: &Annotation<'r>) -> impl Iterator<Item = &'r str> + use<'r> {
    tokens(annotation.arguments).filter_map(|it| it.strip_prefix('"')?.strip_suffix('"'))
}

/// Combines several digests into one, independent of order and repetitions.
fn combined(mut parts: Vec<u64>) -> u64 {
    parts.sort_unstable();
    parts.dedup();
    let mut digest = StableHasher::default();
    for part in parts {
        digest.number(part);
    }
    digest.finish()
}

/// Adds the tokens of a piece of Java to a digest.
fn add_java(digest: &mut StableHasher, text: &str) {
    for token in tokens(text) {
        // Git may check files out with other line ends. Java treats all line ends alike, even in text blocks.
        if token.contains('\r') {
            digest.text(&token.replace("\r\n", "\n"));
        } else {
            digest.text(token);
        }
    }
}
