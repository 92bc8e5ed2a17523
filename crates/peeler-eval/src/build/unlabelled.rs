//! Tests of a repository that nobody labelled: those of a scan.

use std::borrow::Cow;
use std::sync::Arc;

use peeler_analysis::{Analysis, Limits, MAX_DEPTH, Reachability, TracedTest};

use super::reading::{RawTest, Reader};
use super::{Building, Gathered, Graphs};
use crate::corpus::Corpus;
use crate::labels::ProjectLabels;

/// Tests of one repository without labels, of which corpora can be made: each counts as stable.
pub struct Unlabelled<'a, 'r> {
    analysis: &'a Analysis<'r>,
    gathered: Gathered,
    tests: Vec<RawTest<'a>>,
}

impl<'a> Unlabelled<'a, '_> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tests.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Puts other tests of the same repository behind these.
    pub fn extend(&mut self, other: Self) {
        self.tests.extend(other.tests);
    }

    /// The tests as they were traced.
    pub fn traced(&self) -> impl Iterator<Item = &TracedTest<'a>> {
        self.tests.iter().map(|it| &it.traced)
    }

    /// What each of them can set in motion.
    pub fn reaches(&self) -> impl Iterator<Item = &Reachability<'a>> {
        self.tests.iter().map(|it| &it.reach)
    }

    /// What there is to see of some of them without their graphs, by their places.
    pub fn glances(&self, chosen: &[usize]) -> impl Iterator<Item = Glance<'_>> {
        chosen.iter().map(|at| {
            let raw = &self.tests[*at];
            Glance {
                lines: raw.lines(),
                nodes: raw.traced.node_count(),
                paths: raw.traced.path_count(),
                words: &raw.words,
                context_words: &raw.context_words,
                reach: &raw.reach,
                causes: &raw.causes,
            }
        })
    }

    /// A corpus of some of them, by their places.
    #[must_use]
    pub fn corpus(&self, chosen: &[usize], graphs: Graphs) -> Corpus {
        let mut building = Building::new(self.gathered, graphs);
        let known = ProjectLabels::default();
        // Whatever its name may be.
        let mut project = building.begin("", self.analysis, &known);
        for at in chosen {
            building.add(&self.tests[*at], &mut project);
        }
        building.finish().0
    }
}

/// What a [`Sample`](peeler_features::Sample) says of a test beside its graph, still in texts. Most tests are judged by that, and
/// then numbering their texts for a corpus would be for nothing.
#[derive(Debug, Clone, Copy)]
pub struct Glance<'t> {
    /// Lines of the method.
    pub lines: u32,
    /// Nodes of its graph.
    pub nodes: usize,
    /// Its contextual paths.
    pub paths: usize,
    /// Lower-case sub-tokens of the identifiers in the method, in order.
    pub words: &'t [Cow<'t, str>],
    /// Lower-case sub-tokens of what stands around it.
    pub context_words: &'t [Cow<'t, str>],
    /// What the catalogue of nondeterminism finds in it.
    pub causes: &'t [String],
    reach: &'t Reachability<'t>,
}

/// Where a call comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The body of the test.
    Body,
    /// The setup of its class.
    Setup,
}

impl Glance<'_> {
    /// Hands on the library calls that the test may make from there, nearest first: depth and text of each, the text for a moment.
    pub fn each_call(&self, origin: Origin, mut each: impl FnMut(usize, &str)) {
        let way = match origin {
            Origin::Body => &self.reach.body,
            Origin::Setup => &*self.reach.setup,
        };
        let mut text = String::new();
        for call in &way.calls {
            text.clear();
            call.append_to(&mut text);
            each(call.depth, &text);
        }
    }

    /// By origin (body, setup) and depth, how many bodies of the repository are reached.
    #[must_use]
    pub fn bodies(&self) -> [[u32; MAX_DEPTH + 1]; 2] {
        [self.reach.body.bodies, self.reach.setup.bodies]
    }

    /// Whether two tests are known to have the same context and setup, as those of one class are.
    #[must_use]
    pub fn stands_beside(&self, other: &Self) -> bool {
        std::ptr::eq(self.context_words, other.context_words) && Arc::ptr_eq(&self.reach.setup, &other.reach.setup)
    }
}

/// The tests of one repository for which `wanted` holds, class by class, so that no large repository is ever in memory as a
/// corpus. `map` sees the tests of a class on the thread that analysed them; `each` gets what it returned, in order, on this one.
/// Modules may hold copies of one test; all are handed on.
pub fn unlabelled_classes<'a, 'r, T: Send>(
    analysis: &'a Analysis<'r>,
    gathered: Gathered,
    limits: Limits,
    wanted: impl Fn(&str) -> bool + Sync,
    map: impl Fn(Unlabelled<'a, 'r>) -> T + Sync,
    each: impl FnMut(T),
) {
    let reader = Reader::new(analysis, gathered);
    let class = |tests| {
        map(Unlabelled {
            analysis,
            gathered,
            tests: reader.class(tests),
        })
    };
    analysis.extract_classes(limits, wanted, |traced| reader.test(traced), class, each);
}
