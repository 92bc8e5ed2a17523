//! `peeler train --rival`: trains a method from the literature on labelled corpora.

use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use peeler_eval::corpus::Corpus;
use peeler_eval::rivals::store::{self, Provenance};
use peeler_eval::rivals::trained::{Rival, TrainedRival};
use peeler_learning::predictor::{Training, TrainingSide};
use peeler_model::Parts;

use crate::exit::ExitStatus;

/// A rival, which is a method from the literature, as `--rival` names it.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum RivalName {
    /// FLAST: scores a test by the nearest known tests, compared by tokens
    Flast,
    /// Vocabulary: scores a test by weighted words of its method
    Vocabulary,
}

impl From<RivalName> for Rival {
    fn from(name: RivalName) -> Self {
        match name {
            RivalName::Flast => Self::Flast,
            RivalName::Vocabulary => Self::Vocabulary,
        }
    }
}

/// Trains a rival, which is a method from the literature, on a corpus split into `parts`, and stores it. `held_out`
/// says what the validation part consists of.
pub(super) fn run(
    rival: Rival,
    corpus: &Corpus,
    parts: &Parts,
    held_out: &str,
    seed: u64,
    out: &Path,
) -> anyhow::Result<ExitStatus> {
    let side = TrainingSide {
        training: part(corpus, parts.training.iter().copied()),
        validation: part(corpus, parts.validation.iter().copied()),
        both: part(corpus, 0..corpus.tests.len()),
    };
    let (trained, validation) = TrainedRival::train(rival, &side, seed);
    let origin = Provenance {
        corpus: corpus.fingerprint(),
        projects: corpus.projects.clone(),
        tests: corpus.tests.len() as u64,
        flaky: corpus.tests.iter().filter(|it| it.flaky).count() as u64,
        seed,
        validation,
        held_out: held_out.to_owned(),
    };
    store::save(out, &trained, &origin)?;
    writeln!(
        io::stdout().lock(),
        "{} in {}: average precision {validation:.3} on held-out {held_out}, threshold {:.3}",
        rival.name(),
        out.display(),
        trained.threshold
    )?;
    Ok(ExitStatus::Success)
}

fn part(corpus: &Corpus, places: impl Iterator<Item = usize>) -> Training<'_> {
    Training {
        tests: places.map(|at| corpus.training_test(&corpus.tests[at])).collect(),
    }
}
