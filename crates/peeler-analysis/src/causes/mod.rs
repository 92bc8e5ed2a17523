//! Why a test may be flaky: the sources of nondeterminism that it touches, with the line of each.
//!
//! ```java
//! @Test public void prints() { assertEquals("a, b", cart.print()); }   // Cart#print, one call away:
//! String print() { return String.join(", ", names.keySet()); }         // turns a HashMap into text
//! ```
//!
//! A model says *that* a test looks flaky and which contextual paths made it say so; this module says *what* on those
//! paths, or behind them, can come out differently. It knows only what `catalogue/causes.toml` lists.
//!
//! Invariants: nothing is invented, so a test that touches nothing of the catalogue has no causes; every cause has a
//! line of the repository; two calls give the same list. A lack of order is a cause only where an assertion would
//! notice it. Left out: flow inside the code under test, and state that other tests leave behind.

mod catalogue;
mod collections;
mod oracle;
mod owner;
mod scan;
mod search;
mod statics;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

pub use self::catalogue::{CauseCatalogue, ExtraCause};
use self::collections::Orders;
use self::oracle::Oracle;
use self::scan::{Site, sites};
use self::search::{Called, Found, Search};
use crate::analysis::Analysis;
use crate::discovery::DiscoveredTest;
use crate::extraction::{Span, folded};
use crate::graph::{Cut, Edge};
use crate::paths::Path;
use crate::slots::Slots;
use crate::symbols::index::{Index, TypeId};
use crate::syntax::declarations::Annotation;
use crate::traced::TracedTest;
use crate::walk::{Code, MAX_DEPTH, setup_types};
pub use peeler_features::CauseKind;

/// How far calls are followed at most from the code that a path refers to: into it, and two calls further.
const DEEPEST: usize = MAX_DEPTH;
/// How far calls of the setup are followed at most.
const DEEPEST_OF_SETUP: usize = 2;
/// Clocks and the like are looked for up to here; further away they say nothing about a test.
const DEEPEST_INCIDENTAL: usize = 2;
/// Longer texts of causes are shortened.
const MAX_TEXT: usize = 120;

/// A source of nondeterminism that a test touches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// What kind of nondeterminism it is.
    pub kind: CauseKind,
    /// What happens, in a few words that follow "the test": `reads the clock`.
    pub what: String,
    /// The file, relative to the root.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The source that matched, on one line.
    pub text: String,
    /// `Type#method`, `Type#<init>`, `Type#field` for static state, `@Name` for an annotation.
    pub call: String,
    /// Zero in the test, its helpers or its setup; else how many calls away from them.
    pub depth: usize,
    /// The methods called on the way, helpers included, each as `Type#method`; the last one holds the line.
    pub via: Vec<String>,
}

/// The causes of a test in short.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CauseKinds {
    /// Every kind with the depth of the nearest cause.
    pub nearest: BTreeMap<CauseKind, usize>,
    /// Kind and words of the one that a report names.
    pub first: Option<(CauseKind, String)>,
}

/// The sites of each body of a file, in order.
type SitesOfFile = Slots<Box<[Arc<Site>]>>;

/// Looks for causes in the tests of an analysis. What it finds in a body, and behind the setup of a class, it finds once for all
/// tests that lead there.
pub struct CauseFinder<'a, 'r> {
    analysis: &'a Analysis<'r>,
    catalogue: &'a CauseCatalogue,
    deepest: usize,
    /// The sites of every body of every file, where they are the same for all tests.
    bodies: Box<[SitesOfFile]>,
    setups: RwLock<FxHashMap<TypeId, Arc<[Found]>>>,
}

impl<'a, 'r> CauseFinder<'a, 'r> {
    /// A finder of what a catalogue lists.
    #[must_use]
    pub fn new(analysis: &'a Analysis<'r>, catalogue: &'a CauseCatalogue) -> Self {
        Self {
            analysis,
            catalogue,
            deepest: DEEPEST,
            bodies: analysis.index().files().map(|_| Slots::default()).collect(),
            setups: RwLock::default(),
        }
    }

    /// The same, following no call further than `deepest` into other code than the test's.
    #[must_use]
    pub fn within(mut self, deepest: usize) -> Self {
        self.deepest = deepest.min(DEEPEST);
        self
    }

    /// The sources of nondeterminism that an extracted test touches. `paths` are indices of its contextual paths,
    /// strongest first.
    ///
    /// First come those that lie on the paths, in the order of the paths; then those in the code under test that the
    /// paths pass through, the nearest first; then those elsewhere in the test, in its setup, and in what the setup
    /// calls. Clocks and the like that are read outside the test come last. A line is listed once for each kind.
    #[must_use]
    pub fn causes(&self, traced: &TracedTest<'_>, paths: &[usize]) -> Vec<Cause> {
        let index = self.analysis.index();
        let found = self.found(traced, paths);
        found.into_iter().map(|(line, it)| cause(index, line, it)).collect()
    }

    /// The sources of nondeterminism that an extracted test touches, whatever its strongest paths may be, in short.
    #[must_use]
    pub fn kinds(&self, traced: &TracedTest<'_>) -> CauseKinds {
        let all: Vec<usize> = (0..traced.path_count()).collect();
        let found = self.found(traced, &all);
        let mut nearest: BTreeMap<CauseKind, usize> = BTreeMap::new();
        for (_, it) in &found {
            let depth = nearest.entry(it.site.kind).or_insert(it.depth);
            *depth = it.depth.min(*depth);
        }
        CauseKinds {
            nearest,
            first: found.first().map(|(_, it)| (it.site.kind, it.site.what.clone())),
        }
    }

    /// What is found, in the order of [`Self::causes`], each with its line.
    fn found(&self, traced: &TracedTest<'_>, paths: &[usize]) -> Vec<(u32, Found)> {
        let index = self.analysis.index();
        let test = traced.test;
        let strongest = Paths::new(index, traced, paths);
        let mut own = Search::new(self, test.class, 0).test(test.method);
        let setup = self.setup(test.class);
        let (setup, far) = setup.split_at(setup.partition_point(|it| it.depth == 0));
        let roots = strongest.roots();
        let mut called = Search::new(self, test.class, self.deepest).called(&roots);
        called.retain(|it| !it.site.is_order || strongest.see_order_of(roots[it.root]));
        own.extend(annotations(self.catalogue, index, test));
        own.extend_from_slice(setup);
        let on_path = strongest.take_on_path(&mut own);
        let (called, incidental): (Vec<_>, Vec<_>) = called.into_iter().partition(|it| !it.is_incidental());
        // Order that is lost elsewhere than on the way to an assertion is nobody's concern.
        let far = far.iter().filter(|it| !it.site.is_order).cloned();
        let elsewhere = own.into_iter().filter(|it| !it.site.is_order).chain(far);
        let (elsewhere, more_incidental): (Vec<_>, Vec<_>) = elsewhere.partition(|it| !it.is_incidental());
        let mut seen = FxHashSet::default();
        [on_path, called, elsewhere, incidental, more_incidental]
            .into_iter()
            .flatten()
            .filter(|it| !it.is_incidental() || it.depth <= DEEPEST_INCIDENTAL)
            .map(|it| (index.source(it.site.file).line(it.site.at), it))
            .filter(|(line, it)| seen.insert((it.site.kind, it.site.file, *line)))
            .collect()
    }

    /// What the setup of a class touches, the nearest first: the same for all of its tests.
    fn setup(&self, class: TypeId) -> Arc<[Found]> {
        let known = self.setups.read().expect("no holder panics").get(&class).cloned();
        known.unwrap_or_else(|| {
            let found: Arc<[Found]> = Search::new(self, class, DEEPEST_OF_SETUP.min(self.deepest))
                .setup()
                .into();
            let mut setups = self.setups.write().expect("no holder panics");
            setups.entry(class).or_insert(found).clone()
        })
    }

    /// The sites of a body, in order.
    fn sites(&self, code: Code<'a, 'r>, teardown: &[&str]) -> Cow<'_, [Arc<Site>]> {
        let index = self.analysis.index();
        let file = index.file_of(code.owner());
        let slot = index.slot_of(&self.bodies[file.0 as usize], file, code.body());
        if let Some(known) = slot.get() {
            return Cow::Borrowed(known);
        }
        let all = sites(&mut self.orders(), code, teardown);
        let found: Box<[Arc<Site>]> = all.found.into_iter().map(Arc::new).collect();
        if all.depend_on_teardown {
            return Cow::Owned(found.into_vec());
        }
        Cow::Borrowed(slot.get_or_init(|| found))
    }

    fn orders(&self) -> Orders<'a, 'r> {
        Orders::new(self.catalogue, self.analysis.index())
    }
}

impl Found {
    /// Outside the test, clocks, identifiers and properties are read for bookkeeping more often than not.
    fn is_incidental(&self) -> bool {
        self.site.is_incidental && self.depth > 0
    }
}

/// The contextual paths that are asked about.
struct Paths<'t, 'r, 'x> {
    index: &'t Index<'r>,
    traced: &'t TracedTest<'x>,
    numbers: Vec<usize>,
    /// For each of them whether the assertion at its end would notice another order; few tests need to know.
    see_order: OnceCell<Vec<bool>>,
    /// The code on paths that end in such an assertion.
    seen_in_order: OnceCell<FxHashSet<Called>>,
}

impl<'t, 'r, 'x> Paths<'t, 'r, 'x> {
    fn new(index: &'t Index<'r>, traced: &'t TracedTest<'x>, paths: &[usize]) -> Self {
        let known = paths.iter().copied().filter(|at| *at < traced.path_count());
        Self {
            index,
            traced,
            numbers: known.collect(),
            see_order: OnceCell::new(),
            seen_in_order: OnceCell::new(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &'t Path> {
        self.numbers.iter().map(|at| &self.traced.paths.paths[*at])
    }

    fn edge(&self, at: u32) -> &'t Edge<'x> {
        &self.traced.edges[at as usize]
    }

    /// Whether the assertion at the end of each path would notice another order.
    fn see_order(&self) -> &[bool] {
        self.see_order.get_or_init(|| {
            let oracle = Oracle::new(self.index, self.traced);
            self.iter().map(|it| oracle.sees_order(it)).collect()
        })
    }

    /// Whether a path through some code ends where another order would be noticed.
    fn see_order_of(&self, code: Called) -> bool {
        let seen = self.seen_in_order.get_or_init(|| {
            let paths = self.iter().zip(self.see_order()).filter(|(_, sees_order)| **sees_order);
            paths
                .flat_map(|(path, _)| &path.edges)
                .flat_map(|it| self.codes(*it))
                .collect()
        });
        seen.contains(&code)
    }

    /// Takes what lies on a path out of `found`, in the order of the paths.
    fn take_on_path(&self, found: &mut Vec<Found>) -> Vec<Found> {
        let mut places: Vec<(usize, Found)> = Vec::new();
        let mut rest = Vec::new();
        for it in found.drain(..) {
            match self.place(&it) {
                Some(place) => places.push((place, it)),
                None => rest.push(it),
            }
        }
        places.sort_by_key(|(place, _)| *place);
        *found = rest;
        places.into_iter().map(|(_, it)| it).collect()
    }

    /// Where on the paths something lies, counted over their nodes and edges.
    fn place(&self, found: &Found) -> Option<usize> {
        let site = &found.site;
        let is_on_edge = |at: &u32| {
            let operation = &self.edge(*at).operation;
            (operation.file, operation.at) == (site.file, site.at)
        };
        let mut passed = 0;
        for (at, path) in self.iter().enumerate() {
            let node = self.traced.nodes_of(path).position(|it| self.is_on_node(site, it));
            let edge = path.edges.iter().position(is_on_edge);
            let on_path = [node.map(|it| 2 * it), edge.map(|it| 2 * it + 1)];
            if let Some(place) = on_path.into_iter().flatten().min()
                && (!site.is_order || self.see_order()[at])
            {
                return Some(passed + place);
            }
            passed += 2 * path.edges.len() + 1;
        }
        None
    }

    fn is_on_node(&self, site: &Site, node: usize) -> bool {
        let node = &self.traced.nodes[node];
        if node.file != site.file {
            return false;
        }
        let span = Span::of(self.index, node);
        span.start <= site.at && site.at < span.end
    }

    /// The code under test behind the edges of the paths, in their order, each once.
    fn roots(&self) -> Vec<Called> {
        let mut roots = Vec::new();
        let mut known: FxHashSet<Called> = FxHashSet::default();
        // Many paths pass the same edge.
        let mut passed = vec![false; self.traced.edges.len()];
        for &edge in self.iter().flat_map(|it| &it.edges) {
            if !std::mem::replace(&mut passed[edge as usize], true) {
                roots.extend(self.codes(edge).filter(|it| known.insert(*it)));
            }
        }
        roots
    }

    fn codes(&self, edge: u32) -> impl Iterator<Item = Called> {
        let (declared, implementations) = match self.edge(edge).operation.cut {
            Cut::No => (None, &[][..]),
            Cut::Type(id) => (Some(Called::Type(id)), &[][..]),
            Cut::Method(id) => (Some(Called::Method(id)), self.index.implementations(id)),
        };
        declared
            .into_iter()
            .chain(implementations.iter().copied().map(Called::Method))
    }
}

/// The annotations of the test and of its classes that the catalogue knows.
fn annotations(catalogue: &CauseCatalogue, index: &Index<'_>, test: DiscoveredTest) -> Vec<Found> {
    let of_method = index.method(test.method).annotations.iter();
    let mut found: Vec<Found> = of_method
        .filter_map(|it| annotated(catalogue, index, test.method.owner, it))
        .collect();
    for id in setup_types(index, test.class) {
        let of_class = index.declaration(id).annotations.iter();
        found.extend(of_class.filter_map(|it| annotated(catalogue, index, id, it)));
    }
    found
}

fn annotated(
    catalogue: &CauseCatalogue,
    index: &Index<'_>,
    owner: TypeId,
    annotation: &Annotation<'_>,
) -> Option<Found> {
    let rule = catalogue.annotation(annotation.name, annotation.arguments)?;
    let file = index.file_of(owner);
    let text = &index.source(file).text()[annotation.at as usize..];
    let length = match annotation.arguments {
        "" => annotation.name.len() + 1,
        arguments => text.find(arguments).map_or(0, |at| at + arguments.len() + 1),
    };
    let site = Site {
        kind: rule.kind,
        what: rule.what.clone(),
        is_incidental: false,
        is_order: false,
        call: format!("@{}", annotation.name),
        file,
        at: annotation.at,
        start: annotation.at,
        end: annotation.at + crate::repository::narrow(length.min(text.len())),
    };
    Some(Found {
        site: Arc::new(site),
        depth: 0,
        via: Vec::new(),
        root: 0,
    })
}

fn cause(index: &Index<'_>, line: u32, found: Found) -> Cause {
    let Found { site, depth, via, .. } = found;
    let source = index.source(site.file);
    Cause {
        kind: site.kind,
        what: site.what.clone(),
        file: source.path().to_owned(),
        line,
        text: shortened(&folded(&source.text()[site.start as usize..site.end as usize])),
        call: site.call.clone(),
        depth,
        via: via.into_iter().map(|it| it.name(index)).collect(),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
