//! Finds the causes of flakiness of tests and sorts them for a report.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::annotations::annotation_sites;
use super::catalogue::CauseCatalogue;
use super::cause::{Cause, CauseKinds, Causes};
use super::search::{FoundSite, FoundSites, search_callees, search_setup, search_test};
use super::site::Weight;
use super::site_cache::SiteCache;
use super::strongest_paths::StrongestPaths;
use crate::analysis::Analysis;
use crate::symbols::index::TypeId;
use crate::traced::TracedTest;
use crate::walk::MAX_DEPTH;
use peeler_features::CauseKind;

/// The maximum number of nested calls that a search for causes follows from a test into the code that it calls.
const DEEPEST: usize = MAX_DEPTH;
/// The maximum number of nested calls that a search for causes follows from the setup of a test.
const DEEPEST_OF_SETUP: usize = 2;
/// The maximum number of nested calls from a test at which incidental causes, such as clock reads, still count. Further
/// away they have little to do with the test.
const DEEPEST_INCIDENTAL: usize = 2;

/// Finds causes of flakiness in the tests of an analysis. Every body, and the setup of every class, is searched once
/// for all tests.
pub struct CauseFinder<'a, 'r> {
    cache: SiteCache<'a, 'r>,
    deepest: usize,
    setups: RwLock<FxHashMap<TypeId, Arc<FoundSites>>>,
}

/// The causes of a test with their lines, in the order in which a report lists them.
struct OrderedSites {
    sites: Vec<(u32, FoundSite)>,
    dropped_bodies: usize,
}

impl<'a, 'r> CauseFinder<'a, 'r> {
    /// A finder of the causes of flakiness that a catalogue lists, in the tests of an analysis.
    #[must_use]
    pub fn new(analysis: &'a Analysis<'r>, catalogue: &'a CauseCatalogue) -> Self {
        Self {
            cache: SiteCache::new(analysis.index(), catalogue),
            deepest: DEEPEST,
            setups: RwLock::default(),
        }
    }

    /// Limits the search for causes to code that is at most `deepest` nested calls away from the test.
    #[must_use]
    pub fn within(mut self, deepest: usize) -> Self {
        self.deepest = deepest.min(DEEPEST);
        self
    }

    /// The causes of flakiness of a test. `paths` are indices of its contextual paths, those with the highest weights
    /// first.
    ///
    /// Causes on the paths come first, in the order of the paths. Next are causes in the code under test that the paths
    /// pass through, nearest first. Then come those elsewhere in the test, in its setup, and in code that the setup
    /// calls. Incidental causes outside the test, such as clock reads, come last. A line is listed once for each kind
    /// of cause.
    #[must_use]
    pub fn causes(&self, traced: &TracedTest<'_>, paths: &[usize]) -> Causes {
        let index = self.cache.index();
        let found = self.found(traced, paths);
        let sites = found.sites.into_iter();
        Causes {
            list: sites.map(|(line, it)| Cause::new(index, line, it)).collect(),
            dropped_bodies: found.dropped_bodies,
        }
    }

    /// The kinds of causes of a test, independent of the weights that a model gives to its contextual paths.
    #[must_use]
    pub fn kinds(&self, traced: &TracedTest<'_>) -> CauseKinds {
        let all: Vec<usize> = (0..traced.path_count()).collect();
        let found = self.found(traced, &all);
        let mut nearest: BTreeMap<CauseKind, usize> = BTreeMap::new();
        for (_, it) in &found.sites {
            let depth = nearest.entry(it.site.description.kind()).or_insert(it.depth);
            *depth = it.depth.min(*depth);
        }
        CauseKinds {
            nearest,
            first: found.sites.first().map(|(_, it)| it.site.description.clone()),
            dropped_bodies: found.dropped_bodies,
        }
    }

    /// The causes of a test with their lines, in the order of [`Self::causes`].
    fn found(&self, traced: &TracedTest<'_>, paths: &[usize]) -> OrderedSites {
        let index = self.cache.index();
        let test = traced.test;
        let strongest = StrongestPaths::new(index, traced, paths);
        let own = search_test(&self.cache, test.class, test.method);
        let setup = self.setup(test.class);
        let callees = strongest.callees();
        let called = search_callees(&self.cache, test.class, &callees, self.deepest);
        let dropped_bodies = own.dropped_bodies + setup.dropped_bodies + called.dropped_bodies;
        let (mut own, mut called) = (own.sites, called.sites);
        let (setup, far) = setup.sites.split_at(setup.sites.partition_point(|it| it.depth == 0));
        called.retain(|it| !it.site.is_order() || strongest.see_order_of(callees[it.root]));
        own.extend(annotation_sites(self.cache.catalogue(), index, test));
        own.extend_from_slice(setup);
        let on_path = strongest.take_on_path(&mut own);
        let (called, incidental): (Vec<_>, Vec<_>) = called.into_iter().partition(|it| !is_incidental(it));
        // A lack of order counts only on a path to an assertion.
        let far = far.iter().filter(|it| !it.site.is_order()).cloned();
        let elsewhere = own.into_iter().filter(|it| !it.site.is_order()).chain(far);
        let (elsewhere, more_incidental): (Vec<_>, Vec<_>) = elsewhere.partition(|it| !is_incidental(it));
        let mut seen = FxHashSet::default();
        let sites = [on_path, called, elsewhere, incidental, more_incidental]
            .into_iter()
            .flatten()
            .filter(|it| !is_incidental(it) || it.depth <= DEEPEST_INCIDENTAL)
            .map(|it| (index.source(it.site.file).line(it.site.at), it))
            .filter(|(line, it)| seen.insert((it.site.description.kind(), it.site.file, *line)));
        OrderedSites {
            sites: sites.collect(),
            dropped_bodies,
        }
    }

    /// The causes in the setup of a test class, fewest calls away first. All tests of the class share them.
    fn setup(&self, class: TypeId) -> Arc<FoundSites> {
        let known = self.setups.read().expect("no holder panics").get(&class).cloned();
        known.unwrap_or_else(|| {
            let found = Arc::new(search_setup(&self.cache, class, DEEPEST_OF_SETUP.min(self.deepest)));
            let mut setups = self.setups.write().expect("no holder panics");
            setups.entry(class).or_insert(found).clone()
        })
    }
}

/// Whether a cause is incidental: a clock, identifier or property that is read outside the test, mostly for
/// bookkeeping.
fn is_incidental(found: &FoundSite) -> bool {
    found.site.weight == Weight::Incidental && found.depth > 0
}
