//! Tests as numbers without their paths, straight from texts: most tests of a scan are judged by that.
//!
//! Invariant: the names and measures of a test are those that [`Dataset::of`] finds in a sample of it.

use std::fmt::Write as _;

use peeler_eval::build::{Glance, Origin};
use peeler_features::MAX_DEPTH;

use crate::dataset::{Dataset, EncodedTest, FAR, Sizes, distinct, is_cause_within};

impl Dataset {
    /// Encodes tests of one project, with what lies up to `depth` calls away from them.
    pub fn of_glances<'t>(glances: impl Iterator<Item = Glance<'t>>, depth: usize) -> Self {
        let mut encoding = Encoding {
            depth,
            out: Self::default(),
            text: String::new(),
        };
        let mut last: Option<(Glance<'t>, Surroundings)> = None;
        for glance in glances {
            let known = last.take().filter(|(beside, _)| glance.stands_beside(beside));
            let around = encoding.add(&glance, known.map(|it| it.1));
            last = Some((glance, around));
        }
        encoding.out
    }
}

struct Encoding {
    /// Nothing further away is read.
    depth: usize,
    out: Dataset,
    /// The name of the call at hand.
    text: String,
}

/// What tests of one class have in common.
struct Surroundings {
    context: Vec<u32>,
    setup: Calls,
}

/// Library calls from one origin.
#[derive(Default)]
struct Calls {
    names: Vec<u32>,
    by_depth: [u32; MAX_DEPTH + 1],
}

impl Encoding {
    fn surroundings(&mut self, glance: &Glance<'_>) -> Surroundings {
        Surroundings {
            context: self.words(glance.context_words),
            setup: self.calls(glance, Origin::Setup),
        }
    }

    /// Adds a test, and says what stands around it where that is not known yet.
    fn add(&mut self, glance: &Glance<'_>, around: Option<Surroundings>) -> Surroundings {
        let body = self.calls(glance, Origin::Body);
        let words = self.words(glance.words);
        let around = around.unwrap_or_else(|| self.surroundings(glance));
        let sizes = Sizes {
            lines: glance.lines,
            paths: glance.paths,
            nodes: glance.nodes,
            words: glance.words.len(),
            context_words: glance.context_words.len(),
            bodies: glance.bodies(),
            calls: [body.by_depth, around.setup.by_depth],
        };
        let depth = self.depth;
        let causes = glance.causes.iter().filter(|it| is_cause_within(depth, it));
        let causes = causes.map(|it| self.out.causes.number(it)).collect();
        self.out.tests.push(EncodedTest {
            project: 0,
            words,
            context: around.context.clone(),
            calls: distinct([body.names, around.setup.names.clone()].concat()),
            causes: distinct(causes),
            measures: sizes.measures(depth),
            paths: Vec::new(),
        });
        around
    }

    fn words(&mut self, words: &[impl AsRef<str>]) -> Vec<u32> {
        distinct(words.iter().map(|it| self.out.tokens.number(it.as_ref())).collect())
    }

    fn calls(&mut self, glance: &Glance<'_>, origin: Origin) -> Calls {
        let mut calls = Calls::default();
        glance.each_call(origin, |depth, call| {
            calls.by_depth[depth] += 1;
            if depth <= self.depth {
                self.text.clear();
                let _ = write!(self.text, "{}{} {call}", origin as u8, depth.min(FAR));
                calls.names.push(self.out.calls.number(&self.text));
            }
        });
        calls
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use peeler_analysis::{Analysis, Limits, Repository};
    use peeler_eval::build::{Gathered, Graphs, unlabelled_classes};
    use peeler_features::{MAX_DEPTH, Sample};

    use crate::dataset::{Dataset, Reading};

    #[test]
    fn a_glance_sees_what_a_sample_without_paths_says() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/samples");
        let repository = Repository::open(&folder).expect("our own samples");
        let analysis = Analysis::new(&repository);
        let mut seen = 0;
        unlabelled_classes(
            &analysis,
            Gathered::EVERYTHING,
            Limits::default(),
            |_| true,
            |class| {
                let all: Vec<usize> = (0..class.len()).collect();
                let corpus = class.corpus(&all, Graphs::Sizes);
                let samples: Vec<&Sample> = corpus.tests.iter().map(|it| &it.sample).collect();
                [1, MAX_DEPTH].map(|depth| {
                    let of_samples = Dataset::of(&samples, corpus.tables(), depth, Reading::Glance);
                    (of_samples, Dataset::of_glances(class.glances(&all), depth))
                })
            },
            |pairs| {
                for (of_samples, of_glances) in pairs {
                    seen += of_glances.len();
                    let names = |it: &Dataset| {
                        [&it.tokens, &it.calls, &it.causes].map(|it| it.iter().collect::<Vec<_>>().join("\n"))
                    };
                    assert_eq!(names(&of_samples), names(&of_glances));
                    assert_eq!(format!("{:?}", of_samples.tests), format!("{:?}", of_glances.tests));
                }
            },
        );
        assert!(seen > 100, "{seen}");
    }
}
