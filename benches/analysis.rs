//! Times of the analysis, stage by stage, relative to parsing the same files in parallel in the same run.
//!
//! `cargo bench -p peeler-benches -- [FOLDER WITH REPOSITORIES]`
//!
//! Absolute times are unreliable on shared machines, ratios are not. Each stage is timed three times, alternating with
//! the others, and the fastest time counts.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use peeler_analysis::{Analysis, Limits, Repository};
use peeler_benches::{bare_parse, repositories};

/// The allocator that the `peeler` binary uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 3;

/// The fastest times of one repository.
struct Times {
    name: String,
    bytes: u64,
    tests: usize,
    parse: Duration,
    read: Duration,
    index: Duration,
    graphs: Duration,
    whole: Duration,
    slowest_test: Duration,
}

fn main() -> anyhow::Result<()> {
    let given = std::env::args().skip(1).find(|it| !it.starts_with("--"));
    let mut all = Vec::new();
    for path in repositories(given.as_deref().map(Path::new))? {
        all.push(measure(&path)?);
    }
    print!("{}", table(&all));
    Ok(())
}

fn measure(path: &Path) -> anyhow::Result<Times> {
    let mut times = Times {
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: 0,
        tests: 0,
        parse: Duration::MAX,
        read: Duration::MAX,
        index: Duration::MAX,
        graphs: Duration::MAX,
        whole: Duration::MAX,
        slowest_test: Duration::MAX,
    };
    for _ in 0..ROUNDS {
        let repository = Repository::open(path)?;
        times.bytes = repository.bytes();
        times.parse = times.parse.min(bare_parse(&repository));
        drop(repository);

        let started = Instant::now();
        let repository = Repository::open(path)?;
        let read = started.elapsed();
        let analysis = Analysis::new(&repository);
        let indexed = started.elapsed();
        times.tests = analysis.len();
        let mut slowest = Duration::ZERO;
        let mut written = 0;
        analysis.extract(
            Limits::default(),
            |_| true,
            |traced| {
                let extraction = analysis.extraction(&traced);
                let edges = serde_json::to_vec(&extraction.edges).map_or(0, |it| it.len());
                let nodes = serde_json::to_vec(&extraction.nodes).map_or(0, |it| it.len());
                let paths = serde_json::to_vec(&extraction.paths).map_or(0, |it| it.len());
                (traced.took, edges + nodes + paths)
            },
            |(took, size)| {
                slowest = slowest.max(took);
                written += size;
            },
        );
        let whole = started.elapsed();
        anyhow::ensure!(written > 0, "{} has no test", path.display());
        times.read = times.read.min(read);
        times.index = times.index.min(indexed.saturating_sub(read));
        times.graphs = times.graphs.min(whole.saturating_sub(indexed));
        times.whole = times.whole.min(whole);
        times.slowest_test = times.slowest_test.min(slowest);
    }
    Ok(times)
}

fn table(all: &[Times]) -> String {
    let mut out = String::from(
        "repository            MB   tests   parse ms  read ms  index ms  graphs ms  whole ms  whole/parse  slowest test ms\n",
    );
    let mut sums = [Duration::ZERO; 5];
    let (mut bytes, mut tests, mut slowest) = (0, 0, Duration::ZERO);
    for times in all {
        row(&mut out, times);
        let parts = [times.parse, times.read, times.index, times.graphs, times.whole];
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum += part;
        }
        bytes += times.bytes;
        tests += times.tests;
        slowest = slowest.max(times.slowest_test);
    }
    let [parse, read, index, graphs, whole] = sums;
    let total = Times {
        name: "total".to_owned(),
        bytes,
        tests,
        parse,
        read,
        index,
        graphs,
        whole,
        slowest_test: slowest,
    };
    row(&mut out, &total);
    out
}

#[allow(clippy::cast_precision_loss)]
fn row(out: &mut String, times: &Times) {
    let ms = |it: Duration| it.as_secs_f64() * 1e3;
    let _ = writeln!(
        out,
        "{:<18} {:>6.1} {:>7} {:>10.1} {:>8.1} {:>9.1} {:>10.1} {:>9.1} {:>12.2} {:>16.1}",
        times.name,
        times.bytes as f64 / 1e6,
        times.tests,
        ms(times.parse),
        ms(times.read),
        ms(times.index),
        ms(times.graphs),
        ms(times.whole),
        ms(times.whole) / ms(times.parse),
        ms(times.slowest_test),
    );
}
