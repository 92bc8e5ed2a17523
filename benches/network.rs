//! Times of the network on the CPU: a training step on a synthetic batch, and scoring a corpus.
//!
//! `cargo bench -p peeler-benches --bench network -- [CORPUS] [--python PYTHON]`
//!
//! With a Python that has `torch`, `network.py` measures the same shapes in the same run, each on one thread, and
//! ratios are printed. Without a corpus the samples are scored.

use std::hint::black_box;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, ensure};
use peeler_benches::sample_corpus;
use peeler_eval::corpus::Corpus;
use peeler_features::graph::{Edge, Graph, Node};
use peeler_features::{
    Depth, GraphFeatures, MAX_DEPTH, NodeKind, NodeMark, OperationKind, TestFeatures, TestName, encode,
};
use peeler_model::config::{CutEdges, Input};
use peeler_model::{Backend, Config, Parts, Setting, TrainedModel, Trainer, store};

/// The allocator that the `peeler` binary uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The size of the synthetic batch: number of tests, paths per test, time steps per path.
const BATCH: (usize, usize, usize) = (64, 36, 8);
/// The number of distinct sub-tokens in the synthetic batch.
const WORDS: usize = 512;
const WARM_UPS: usize = 2;
const REPEATS: usize = 7;
/// The step of the sample for `torch`, which scores every n-th test.
const EVERY: usize = 20;

fn main() -> anyhow::Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let options = Options::parse();
    let step = training_step()?;
    println!("training step, one thread: {step:.0} ms (forward, backward, update)");
    let corpus = match &options.corpus {
        Some(path) => Corpus::load(path)?,
        None => sample_corpus()?,
    };
    let model = store::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/default/id"))?.0;
    judge_all(&corpus, &model)?;
    if let Some(python) = &options.python {
        let tests = corpus.tests.iter().step_by(EVERY);
        let tests: Vec<TestFeatures<'_>> = tests.map(|it| corpus.features(it)).collect();
        compare(python, step, &tests, &model)?;
    }
    Ok(())
}

struct Options {
    corpus: Option<PathBuf>,
    python: Option<PathBuf>,
}

impl Options {
    fn parse() -> Self {
        let mut options = Self {
            corpus: None,
            python: None,
        };
        let mut arguments = std::env::args_os().skip(1);
        while let Some(argument) = arguments.next() {
            if argument == "--python" {
                options.python = arguments.next().map(PathBuf::from);
            } else if argument != "--bench" {
                options.corpus = Some(argument.into());
            }
        }
        options
    }
}

/// The milliseconds of one training step on the synthetic batch, in which all tuples are distinct.
fn training_step() -> anyhow::Result<f64> {
    let texts: Vec<String> = texts().collect();
    let name = TestName::new("bench.Made", "test");
    let tests: Vec<TestFeatures<'_>> = (0..BATCH.0).map(|at| made_test(&name, &texts, at)).collect();
    let dataset = encode(&tests, MAX_DEPTH, Depth::WithPaths);
    let config = Config {
        inputs: vec![Input::Paths],
        cut: CutEdges::Tokens,
        training_paths: BATCH.1,
        batch: BATCH.0,
        stable_per_flaky: 1,
        epochs: WARM_UPS + REPEATS,
        ..Config::paper()
    };
    let parts = Parts {
        flaky: (0..BATCH.0).map(|at| at % 2 == 0).collect(),
        sampled: vec![false; BATCH.0].into(),
        training: (0..BATCH.0).collect(),
        validation: Vec::new(),
    };
    let setting = Setting {
        config: &config,
        dataset: &dataset,
        pretrained: None,
        backend: Backend::Cpu,
        seed: 1,
    };
    let mut trainer = Trainer::new(setting, parts)?;
    // Half of the tests and half of a batch are flaky, so an epoch is one step.
    let mut times: Vec<f64> = (0..WARM_UPS + REPEATS)
        .map(|_| trainer.epoch().expect("the bench batch converges").took.as_secs_f64() * 1e3)
        .skip(WARM_UPS)
        .collect();
    Ok(median(&mut times))
}

/// A test whose paths have no tuple in common.
fn made_test<'t>(name: &'t TestName, texts: &'t [String], at: usize) -> TestFeatures<'t> {
    let steps = BATCH.1 * BATCH.2;
    let first = at * steps;
    let number = |of: usize| u32::try_from(of).expect("few of anything");
    let nodes = (0..steps).map(|step| Node {
        text: texts[2 * (first + step)].as_str().into(),
        kind: NodeKind::Variable,
        mark: NodeMark::Inner,
        line: 1,
    });
    let edges = (0..steps).map(|step| Edge {
        from: number(step),
        to: number(step),
        operation: texts[2 * (first + step) + 1].as_str().into(),
        kind: OperationKind::Assign,
        methods: Vec::new(),
    });
    let path = |path: usize| -> Vec<u32> {
        let own = path * BATCH.2..(path + 1) * BATCH.2;
        own.flat_map(|step| [number(step), number(step)]).collect()
    };
    let graph = Graph {
        nodes: nodes.collect(),
        edges: edges.collect(),
        methods: Vec::new(),
        paths: (0..BATCH.1).map(path).collect(),
    };
    TestFeatures {
        graph: GraphFeatures::from(graph),
        ..TestFeatures::empty(name)
    }
}

/// The texts of the node and edge of every time step, of three sub-tokens each, all distinct.
fn texts() -> impl Iterator<Item = String> {
    (0..2 * BATCH.0 * BATCH.1 * BATCH.2).map(|at| {
        let parts = [at % WORDS, at / WORDS % WORDS, at / WORDS / WORDS];
        parts.map(letters).join("_")
    })
}

/// A number written in letters, so that it is one sub-token.
fn letters(number: usize) -> String {
    let digit = |value: usize| char::from(b'a' + u8::try_from(value % 26).expect("a letter"));
    [digit(number), digit(number / 26), digit(number / 676), 'x']
        .iter()
        .collect()
}

fn judge_all(corpus: &Corpus, model: &TrainedModel) -> anyhow::Result<()> {
    let tests = corpus.all_features();
    let started = Instant::now();
    let dataset = encode(&tests, model.config.depth, Depth::WithPaths);
    let encoded = started.elapsed().as_secs_f64() * 1e3;
    #[allow(clippy::cast_precision_loss)]
    let count = tests.len().max(1) as f64;
    let sharing = dataset.sharing();
    println!(
        "{} tests: {} paths ({} distinct), {} steps, {} distinct tuples, {} steps after sharing beginnings within a test",
        tests.len(),
        sharing.paths,
        sharing.distinct_paths,
        sharing.steps,
        sharing.tuples,
        sharing.beginnings
    );
    println!("encoding, one thread: {:.3} ms a test", encoded / count);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let took = pool.install(|| timed(|| model.predict_dataset(&dataset, Backend::Cpu)))?;
        println!("judging, {threads} threads: {:.3} ms a test", took / count);
    }
    Ok(())
}

/// The milliseconds of one run.
fn timed<T, E>(run: impl FnOnce() -> Result<T, E>) -> Result<f64, E> {
    let started = Instant::now();
    black_box(run()?);
    Ok(started.elapsed().as_secs_f64() * 1e3)
}

/// Measures `torch` for comparison: the training step, and the sample in padded batches.
fn compare(python: &Path, step: f64, sample: &[TestFeatures<'_>], model: &TrainedModel) -> anyhow::Result<()> {
    let mut lengths = tempfile::NamedTempFile::new()?;
    for test in sample {
        let graph = test.graph.read();
        let steps: Vec<String> = graph.paths.iter().map(|it| it.len().div_ceil(2).to_string()).collect();
        writeln!(lengths, "{}", steps.join(" "))?;
    }
    lengths.flush()?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("network.py");
    let (tests, paths, steps) = BATCH;
    let output = Command::new(python)
        .arg(script)
        .args(["--batch", &format!("{tests}x{paths}x{steps}")])
        .args(["--tuple", &model.config.tuple.to_string()])
        .args(["--hidden", &model.config.hidden.to_string()])
        .args(["--members", &model.members.len().to_string()])
        .arg("--lengths")
        .arg(lengths.path())
        .output()
        .with_context(|| format!("cannot run {}", python.display()))?;
    ensure!(
        output.status.success(),
        "{} failed: {}",
        python.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout)?;
    print!("{text}");
    let figure = |name: &str| -> anyhow::Result<f64> {
        let line = text.lines().find_map(|it| it.strip_prefix(name));
        let number = line.and_then(|it| it.split_whitespace().next());
        number
            .and_then(|it| it.parse().ok())
            .with_context(|| format!("PyTorch did not say `{name}`"))
    };
    println!(
        "training step against PyTorch: {:.2}",
        step / figure("torch training step, ms:")?
    );
    let dataset = encode(sample, model.config.depth, Depth::WithPaths);
    let own = timed(|| model.predict_dataset(&dataset, Backend::Cpu))?;
    println!(
        "judging {} tests against PyTorch's padded batches: {:.3} ({own:.0} ms)",
        sample.len(),
        own / figure("torch judging, ms:")?
    );
    // The number of multiplications and additions in the paper's layers, forward once and backward twice. Peeler makes
    // fewer, because it multiplies two consecutive matrices once.
    #[allow(clippy::cast_precision_loss)]
    let products = 3.0 * 2.0 * (tests * paths * steps) as f64 * (512.0 * 384.0 + 384.0 * 512.0 + 3.0 * 128.0 * 512.0);
    println!(
        "the arithmetic of the paper's network in that time, as a share of a plain matrix product: {:.2}",
        products / (step * 1e6) / figure("torch matrix product, GFLOP/s:")?
    );
    Ok(())
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
