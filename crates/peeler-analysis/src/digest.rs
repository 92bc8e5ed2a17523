//! A digest of everything that the judgement of a test rests on, to tell whether a test changed between two states of a
//! repository.
//!
//! It is made of the tokens of the test, of the fields, initialisers, setup and teardown around it, and of every body
//! that these can run, as far as `walk.rs` goes; and of what the names in these tokens mean. Bodies count by their
//! signature and tokens, not by their place: lines and files may move, comments and white space come and go, and an
//! import counts through the names that it gives a meaning to.
//!
//! ```java
//! import java.util.HashMap;          // another HashMap: a change
//! import java.util.List;             // never mentioned: nothing
//! class StockTest {
//!     Stock stock = new Stock(new HashMap<>());
//!     @Test void counts() { assertEquals(2, stock.count()); }    // Stock#count belongs to the test
//! }
//! ```
//!
//! Invariant: the digest of a test does not depend on the order of files or on who was asked about before. Digests are
//! for comparing within one run of the program; they are not the same in every version of it. Left out, as on every
//! walk: methods behind references on values (`stock::count`) and what lies deeper than the walk goes.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Analysis;
use crate::cut::signature;
use crate::discovery::DiscoveredTest;
use crate::lifecycle::setup_types;
use crate::meaning::{Meanings, Names};
use crate::repository::narrow;
use crate::symbols::index::{Index, MethodId, TypeId};
use crate::symbols::targets::Target;
use crate::syntax::declarations::{Annotation, MethodDeclaration};
use crate::syntax::tokens::tokens;
use crate::threads::on_all_cores;
use crate::walk::{CallWalk, Code, MAX_DEPTH, ReachedBody, WalkLimits};

impl Analysis<'_> {
    /// The digests of the tests for which `wanted` holds, by name. Tests of one name in several modules share one digest.
    #[must_use]
    pub fn digests(&self, wanted: impl Fn(&str) -> bool + Sync) -> BTreeMap<String, u64> {
        let index = self.index();
        let known = Known::new(index);
        let classes: Vec<&[DiscoveredTest]> = self.tests().chunk_by(|a, b| a.class == b.class).collect();
        let found: Vec<(String, u64)> = on_all_cores(|| {
            let of_class = |tests: &&[DiscoveredTest]| {
                let name = index.binary_name(tests[0].class);
                let mut setup = None;
                let mut found = Vec::new();
                for test in *tests {
                    let name = format!("{name}#{}", index.method(test.method).name);
                    if wanted(&name) {
                        let setup = *setup.get_or_insert_with(|| known.setup(test.class));
                        found.push((name, known.test(*test, setup)));
                    }
                }
                found
            };
            classes.par_iter().with_max_len(1).flat_map_iter(of_class).collect()
        });
        let mut digests = BTreeMap::new();
        for (name, digest) in found {
            let sum: &mut u64 = digests.entry(name).or_default();
            *sum = sum.wrapping_add(digest);
        }
        digests
    }
}

/// What was seen of a body, whoever leads to it.
#[derive(Debug, Clone)]
struct Seen {
    digest: u64,
    /// Methods of the repository that are handed on by reference: `this::check`, `Stock::new`.
    references: Arc<[MethodId]>,
}

/// The bodies that were seen so far.
struct Known<'i, 'r> {
    index: &'i Index<'r>,
    names: Names<'i, 'r>,
    /// By file, then by where a body begins.
    bodies: Vec<Mutex<FxHashMap<u32, Seen>>>,
}

impl<'i, 'r> Known<'i, 'r> {
    fn new(index: &'i Index<'r>) -> Self {
        let files = index.repository_files().chain(index.library_files());
        Self {
            index,
            names: Names::new(index),
            bodies: files.map(|_| Mutex::default()).collect(),
        }
    }

    /// Of what stands around the tests of a class.
    fn setup(&self, class: TypeId) -> u64 {
        let mut parts = self.parts(
            class,
            CallWalk::of_setup(self.index, class, WalkLimits::of_reachability(MAX_DEPTH)),
        );
        parts.extend(setup_types(self.index, class).into_iter().map(|id| self.header(id)));
        combined(parts)
    }

    /// Of a test with what stands around it.
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

    /// Of the bodies on a walk, in any order.
    fn parts(&self, class: TypeId, mut walk: CallWalk<'i, 'r>) -> Vec<u64> {
        let index = self.index;
        let mut parts = Vec::new();
        while let Some(step) = walk.next() {
            let seen = self.seen(&step);
            parts.push(seen.digest);
            let called = step.calls().filter_map(|(_, target)| match target {
                Target::Declared(id) | Target::Library(id) => Some(id),
                _ => None,
            });
            for id in called.chain(seen.references.iter().copied()) {
                // A reach names library calls and can do without the body of a template method; the test cannot.
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

    fn seen(&self, step: &ReachedBody<'i, 'r>) -> Seen {
        let file = self.index.file_of(step.code.owner());
        let bodies = &self.bodies[file.0 as usize];
        let start = step.code.body().start;
        if let Some(known) = bodies.lock().expect("no holder panics").get(&start) {
            return known.clone();
        }
        let seen = self.look(step);
        bodies.lock().expect("no holder panics").insert(start, seen.clone());
        seen
    }

    fn look(&self, step: &ReachedBody<'i, 'r>) -> Seen {
        let index = self.index;
        let owner = step.code.owner();
        let text = match step.code {
            Code::Method(id, body) => {
                let text = index.source(index.file_of(owner)).text();
                &text[index.method(id).start as usize..body.end as usize]
            }
            Code::Initialiser(_, body) => body.source(),
        };
        let mut digest = Digest::default();
        digest.text(&index.binary_name(owner));
        let meanings = Meanings::new(&self.names, owner, text);
        digest.java(text);
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
        Seen {
            digest: digest.finish(),
            references: meanings.references().into(),
        }
    }

    /// Of what is written about a type itself.
    fn header(&self, id: TypeId) -> u64 {
        let index = self.index;
        let outline = index.outline(id);
        let mut digest = Digest::default();
        digest.text(&index.binary_name(id));
        let mut written: Vec<&'r str> = vec![outline.type_parameters];
        written.extend(&outline.supertypes);
        for annotation in &index.declaration(id).annotations {
            written.extend([annotation.name, annotation.arguments]);
        }
        for text in written {
            digest.java(text);
            Meanings::new(&self.names, id, text).each(&FxHashSet::default(), |meaning| digest.text(meaning));
        }
        digest.finish()
    }
}

/// Methods that give a test its arguments: named by an annotation of the test, or by one of their own.
fn argument_sources(index: &Index<'_>, test: DiscoveredTest) -> Vec<MethodId> {
    let method = index.method(test.method);
    let mut quoted: FxHashSet<&str> = FxHashSet::default();
    for annotation in &method.annotations {
        let mut found = strings(annotation).peekable();
        // Without a name JUnit 5 takes the method that is called like the test.
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
                sources.push(MethodId {
                    owner: ancestor.id,
                    index: narrow(at),
                });
            }
        }
    }
    sources
}

/// What stands between quotes in the arguments of an annotation.
fn strings<'r>(annotation: &Annotation<'r>) -> impl Iterator<Item = &'r str> + use<'r> {
    tokens(annotation.arguments).filter_map(|it| it.strip_prefix('"')?.strip_suffix('"'))
}

/// One digest of several, whatever their order; one that comes twice counts once.
fn combined(mut parts: Vec<u64>) -> u64 {
    parts.sort_unstable();
    parts.dedup();
    let mut digest = Digest::default();
    for part in parts {
        digest.0.write_u64(part);
    }
    digest.finish()
}

#[derive(Default)]
struct Digest(DefaultHasher);

impl Digest {
    fn text(&mut self, text: &str) {
        self.0.write(text.as_bytes());
        // No byte of UTF-8: it keeps `a bc` and `ab c` apart.
        self.0.write_u8(0xff);
    }

    fn java(&mut self, text: &str) {
        for token in tokens(text) {
            // Git may check files out with other line ends; to Java they are the same, in text blocks too.
            if token.contains('\r') {
                self.text(&token.replace("\r\n", "\n"));
            } else {
                self.text(token);
            }
        }
    }

    fn finish(&self) -> u64 {
        self.0.finish()
    }
}
