//! Times of the evaluation: reading a corpus, and FLAST at the size of its paper (1,703 tests).
//!
//! `cargo bench -p peeler-benches --bench evaluation -- [CORPUS]`
//!
//! Without a corpus the samples are built and repeated to that size.

use std::path::Path;
use std::time::Instant;

use peeler_benches::sample_corpus;
use peeler_eval::corpus::Corpus;
use peeler_eval::rivals::flast::Flast;
use peeler_learning::predictor::{Model as _, Training};

/// The allocator that the `peeler` binary uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of tests in the largest measurement of the FLAST paper.
const PAPER_TESTS: usize = 1_703;

fn main() -> anyhow::Result<()> {
    let given = std::env::args().skip(1).find(|it| !it.starts_with("--"));
    let corpus = match &given {
        Some(path) => {
            let started = Instant::now();
            let corpus = Corpus::load(Path::new(path))?;
            println!(
                "load {path}: {:.3} s, {} tests",
                started.elapsed().as_secs_f64(),
                corpus.tests.len()
            );
            corpus
        }
        None => sample_corpus()?,
    };
    // Every n-th test of the corpus is taken, so that projects are mixed as in the paper.
    let step = (corpus.tests.len() / PAPER_TESTS).max(1);
    let chosen: Vec<_> = corpus.tests.iter().step_by(step).cycle().take(PAPER_TESTS).collect();
    let training = Training {
        tests: chosen.iter().map(|it| corpus.training_test(it)).collect(),
    };
    let started = Instant::now();
    let model = Flast::default().learn(&training, 1);
    let trained = started.elapsed();
    let started = Instant::now();
    let scores: f32 = chosen.iter().map(|it| model.predict(&corpus.features(it)).score).sum();
    let predicted = started.elapsed();
    std::hint::black_box(scores);
    #[allow(clippy::cast_precision_loss)]
    let each = predicted.as_secs_f64() * 1e3 / chosen.len() as f64;
    #[allow(clippy::cast_precision_loss)]
    let megabytes = model.storage_bytes() as f64 / 1e6;
    println!(
        "FLAST on {} tests: train {:.3} s (paper 0.85), predict {each:.3} ms a test on one core (paper 0.81), {megabytes:.2} MB (paper 4)",
        chosen.len(),
        trained.as_secs_f64()
    );
    Ok(())
}
