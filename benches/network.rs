//! Times of the network: a training step on a synthetic batch, and scoring a corpus.
//!
//! `cargo bench -p peeler-benches --bench network -- [CORPUS] [--python PYTHON]`
//!
//! On a GPU, only training steps: `cargo bench -p peeler-benches --features wgpu --bench network -- --backend wgpu
//! [--batch 256x36x8] [--python PYTHON]`
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

/// The size of the synthetic batch on the CPU.
const BATCH: BatchSize = BatchSize {
    tests: 64,
    paths: 36,
    steps: 8,
};
/// The number of distinct sub-tokens in the synthetic batch.
const WORDS: usize = 512;
const WARM_UPS: usize = 2;
const REPEATS: usize = 7;
/// The number of steps of an epoch on a GPU, where reading the results of an epoch takes as long as a step.
const GPU_STEPS: usize = 20;
/// The step of the sample for `torch`, which scores every n-th test.
const EVERY: usize = 20;

/// The size of a synthetic batch.
#[derive(Debug, Clone, Copy)]
struct BatchSize {
    tests: usize,
    /// The number of paths of a test.
    paths: usize,
    /// The number of time steps of a path.
    steps: usize,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse()?;
    if options.backend != Backend::Cpu {
        return compare_gpu(&options);
    }
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let step = training_step(options.batch, Backend::Cpu, 1)?;
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
    backend: Backend,
    batch: BatchSize,
}

impl Options {
    fn parse() -> anyhow::Result<Self> {
        let mut options = Self {
            corpus: None,
            python: None,
            backend: Backend::Cpu,
            batch: BATCH,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--python" => options.python = Some(value()?.into()),
                "--backend" => options.backend = value()?.parse()?,
                "--batch" => options.batch = BatchSize::parse(&value()?)?,
                "--bench" => (),
                _ => options.corpus = Some(argument.into()),
            }
        }
        Ok(options)
    }
}

impl BatchSize {
    /// The size that a text such as `64x36x8` gives: tests, paths, steps.
    fn parse(text: &str) -> anyhow::Result<Self> {
        let numbers: Vec<usize> = text.split('x').map(str::parse).collect::<Result<_, _>>()?;
        let [tests, paths, steps] = numbers[..] else {
            anyhow::bail!("a batch is tests x paths x steps, such as 64x36x8");
        };
        Ok(Self { tests, paths, steps })
    }

    fn text(self) -> String {
        format!("{}x{}x{}", self.tests, self.paths, self.steps)
    }
}

/// Times a training step on a GPU, and that of `PyTorch` on the same one.
fn compare_gpu(options: &Options) -> anyhow::Result<()> {
    let started = Instant::now();
    training_step(options.batch, options.backend, 1)?;
    println!(
        "{WARM_UPS} + {REPEATS} first steps, with the preparation of the device: {:.1} s",
        started.elapsed().as_secs_f64()
    );
    let step = training_step(options.batch, options.backend, GPU_STEPS)?;
    println!(
        "training step {}, {}: {step:.2} ms",
        options.batch.text(),
        options.backend
    );
    if let Some(python) = &options.python {
        let figures = python_figures(python, &["--device", "cuda", "--batch", &options.batch.text()])?;
        print!("{figures}");
        let other = figure(&figures, "torch training step, ms:")?;
        println!("training step against PyTorch: {:.2}", step / other);
    }
    Ok(())
}

/// The milliseconds of one training step on the synthetic batch, in which all tuples are distinct. An epoch has `steps`.
fn training_step(size: BatchSize, backend: Backend, steps: usize) -> anyhow::Result<f64> {
    let texts: Vec<String> = texts(size).collect();
    let name = TestName::new("bench.Made", "test");
    let tests: Vec<TestFeatures<'_>> = (0..size.tests).map(|at| made_test(size, &name, &texts, at)).collect();
    let dataset = encode(&tests, MAX_DEPTH, Depth::WithPaths);
    let config = Config {
        inputs: vec![Input::Paths],
        cut: CutEdges::Tokens,
        training_paths: size.paths,
        batch: size.tests,
        stable_per_flaky: 1,
        epochs: WARM_UPS + REPEATS,
        ..Config::paper()
    };
    let parts = Parts {
        fixes: [].into(),
        withheld: Vec::new(),
        flaky: (0..size.tests).map(|at| at % 2 == 0).collect(),
        sampled: vec![false; size.tests].into(),
        // Half of the tests and half of a batch are flaky, so each repetition of the tests is one step.
        training: (0..steps).flat_map(|_| 0..size.tests).collect(),
        validation: Vec::new(),
    };
    let setting = Setting {
        config: &config,
        dataset: &dataset,
        pretrained: None,
        backend,
        seed: 1,
    };
    let mut trainer = Trainer::new(setting, parts)?;
    #[allow(clippy::cast_precision_loss)]
    let scale = 1e3 / steps as f64;
    let mut times: Vec<f64> = (0..WARM_UPS + REPEATS)
        .map(|_| {
            trainer
                .epoch()
                .expect("the bench batch converges")
                .pace
                .took
                .as_secs_f64()
                * scale
        })
        .skip(WARM_UPS)
        .collect();
    Ok(median(&mut times))
}

/// A test whose paths have no tuple in common.
fn made_test<'t>(size: BatchSize, name: &'t TestName, texts: &'t [String], at: usize) -> TestFeatures<'t> {
    let steps = size.paths * size.steps;
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
        let own = path * size.steps..(path + 1) * size.steps;
        own.flat_map(|step| [number(step), number(step)]).collect()
    };
    let graph = Graph {
        nodes: nodes.collect(),
        edges: edges.collect(),
        methods: Vec::new(),
        paths: (0..size.paths).map(path).collect(),
    };
    TestFeatures {
        graph: GraphFeatures::from(graph),
        ..TestFeatures::empty(name)
    }
}

/// The texts of the node and edge of every time step, of three sub-tokens each, all distinct.
fn texts(size: BatchSize) -> impl Iterator<Item = String> {
    (0..2 * size.tests * size.paths * size.steps).map(|at| {
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
    let lengths_path = lengths.path().to_string_lossy();
    let text = python_figures(
        python,
        &[
            "--batch",
            &BATCH.text(),
            "--tuple",
            &model.config.tuple.to_string(),
            "--hidden",
            &model.config.hidden.to_string(),
            "--members",
            &model.members.len().to_string(),
            "--lengths",
            &lengths_path,
        ],
    )?;
    print!("{text}");
    let figure = |name: &str| figure(&text, name);
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
    let products = 3.0
        * 2.0
        * (BATCH.tests * BATCH.paths * BATCH.steps) as f64
        * (512.0 * 384.0 + 384.0 * 512.0 + 3.0 * 128.0 * 512.0);
    println!(
        "the arithmetic of the paper's network in that time, as a share of a plain matrix product: {:.2}",
        products / (step * 1e6) / figure("torch matrix product, GFLOP/s:")?
    );
    Ok(())
}

/// What `network.py` prints: lines of a name and a figure.
fn python_figures(python: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("network.py");
    let output = Command::new(python)
        .arg(script)
        .args(arguments)
        .output()
        .with_context(|| format!("cannot run {}", python.display()))?;
    ensure!(
        output.status.success(),
        "{} failed: {}",
        python.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}

/// The figure after a name in the output of `network.py`.
fn figure(text: &str, name: &str) -> anyhow::Result<f64> {
    let line = text.lines().find_map(|it| it.strip_prefix(name));
    let number = line.and_then(|it| it.split_whitespace().next());
    number
        .and_then(|it| it.parse().ok())
        .with_context(|| format!("PyTorch did not say `{name}`"))
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
