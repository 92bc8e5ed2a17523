//! The tests of `peeler train`: what is judged by, what is only learned from, and what is held out.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use peeler_eval::corpus::{Corpus, TestRecord};
use peeler_eval::splits::{Split, parts};
use peeler_model::Parts;

/// The number of parts of which a single scout (network for validation) holds out one.
const PARTS: usize = 8;
/// The minimum number of projects with flaky tests for holding out whole projects in validation. Below it, classes are
/// held out.
const ENOUGH_PROJECTS: usize = 8;

/// All tests of a training, in one corpus.
pub(super) struct TrainingCorpus {
    pub(super) corpus: Corpus,
    /// The number of tests at the start of the corpus by which the training is judged. The others are only learned
    /// from.
    pub(super) judged: usize,
    /// The index of the first test that is one of a pair before and after a fix.
    first_of_fixes: usize,
    /// The indices of flaky tests, each with the index of the same test after its fix.
    pub(super) fixes: Arc<[(usize, usize)]>,
}

impl TrainingCorpus {
    /// Reads the corpora of a training: those by which it is judged, those that are only learned from, and the one with
    /// tests before and after their fix.
    pub(super) fn load(judged: &[PathBuf], learned: &[PathBuf], fixes: Option<&Path>) -> anyhow::Result<Self> {
        let mut corpus = Corpus::load_all(judged)?;
        let judged = corpus.tests.len();
        for path in learned {
            let added = Corpus::load(path)?;
            if let Some(project) = added.projects.iter().find(|it| corpus.projects.contains(it)) {
                bail!(
                    "{project} is in {} and in another corpus; leave it out of one of them, because a project that is \
                     held out must not be learned from",
                    path.display()
                );
            }
            corpus.merge(&added);
        }
        let first_of_fixes = corpus.tests.len();
        let mut pairs = Vec::new();
        if let Some(path) = fixes {
            let added = Corpus::load(path)?;
            pairs = added.fix_pairs();
            if pairs.is_empty() {
                bail!(
                    "{} has no test before and after its fix; build it with `peeler corpus build --layout fixes`",
                    path.display()
                );
            }
            corpus.merge(&added);
        }
        let moved = |(before, after): (usize, usize)| (before + first_of_fixes, after + first_of_fixes);
        let this = Self {
            corpus,
            judged,
            first_of_fixes,
            fixes: pairs.into_iter().map(moved).collect(),
        };
        if fixes.is_some() && this.split() != Split::Project {
            bail!(
                "--fixes needs at least {ENOUGH_PROJECTS} projects with flaky tests in --corpus, because tests before \
                 and after a fix are held out with their projects"
            );
        }
        Ok(this)
    }

    /// What is held out for validation: whole projects if there are enough of them, because scans see new projects.
    fn split(&self) -> Split {
        let judged = self.corpus.tests[..self.judged].iter();
        let projects: HashSet<u32> = judged.filter(|it| it.flaky).map(|it| it.project).collect();
        if projects.len() >= ENOUGH_PROJECTS {
            Split::Project
        } else {
            Split::Family
        }
    }

    /// What is held out for validation, in a word.
    pub(super) fn held_out(&self) -> &'static str {
        match self.split() {
            Split::Project => "projects",
            _ => "classes",
        }
    }

    /// The tests that each scout (network for validation) learns from, and the tests that are held out from it.
    ///
    /// Tests before and after a fix are held out with their project, but a scout is not validated on them.
    pub(super) fn rounds(&self, scouts: usize, seed: u64) -> Vec<Parts> {
        let tests = &self.corpus.tests;
        let judged: Vec<&TestRecord> = tests[..self.judged].iter().collect();
        let flaky: Arc<[bool]> = tests.iter().map(|it| it.flaky).collect();
        let sampled: Arc<[bool]> = (0..tests.len()).map(|at| at >= self.judged).collect();
        let count = if scouts == 1 { PARTS } else { scouts };
        let mut held_out = parts(&judged, self.split(), count, seed);
        held_out.truncate(scouts);
        let round = |validation: Vec<usize>| {
            let held_out: HashSet<usize> = validation.iter().copied().collect();
            let unseen: HashSet<u32> = validation.iter().map(|at| tests[*at].project).collect();
            let is_withheld = |at: &usize| *at >= self.first_of_fixes && unseen.contains(&tests[*at].project);
            let others = (0..tests.len()).filter(|it| !held_out.contains(it));
            let (withheld, training) = others.partition(is_withheld);
            Parts {
                flaky: flaky.clone(),
                sampled: sampled.clone(),
                fixes: self.fixes.clone(),
                training,
                validation,
                withheld,
            }
        };
        held_out.into_iter().map(round).collect()
    }
}
