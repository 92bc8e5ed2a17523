//! Speed of extracting named methods for `peeler pretrain`, relative to parsing the same files in the same run.
//!
//! `cargo bench -p peeler-benches --bench pretraining -- [FOLDER WITH REPOSITORIES]`
//!
//! Absolute times are unreliable on shared machines, ratios are not. Both are timed five times in turn, and the fastest
//! time counts. Reading files is part of neither.

use std::path::Path;
use std::time::{Duration, Instant};

use peeler_analysis::{MethodCounts, MethodReader, Repository};
use peeler_benches::{bare_parse, repositories};

/// The allocator that the `peeler` binary uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 5;

#[allow(clippy::cast_precision_loss)]
fn main() -> anyhow::Result<()> {
    let given = std::env::args().skip(1).find(|it| !it.starts_with("--"));
    let mut libraries = Vec::new();
    for path in repositories(given.as_deref().map(Path::new))? {
        libraries.push(Repository::open(&path)?);
    }
    let bytes: u64 = libraries.iter().map(Repository::bytes).sum();
    let (mut parse, mut extract) = (Duration::MAX, Duration::MAX);
    let (mut counts, mut distinct) = (MethodCounts::default(), 0);
    for _ in 0..ROUNDS {
        parse = parse.min(libraries.iter().map(bare_parse).sum());
        let started = Instant::now();
        let mut reader = MethodReader::new(MethodReader::DEFAULT_CONTEXTS, 1);
        counts = MethodCounts::default();
        for (at, library) in libraries.iter().enumerate() {
            counts.add(&reader.read(&at.to_string(), library));
        }
        extract = extract.min(started.elapsed());
        distinct = reader.finish().len();
    }
    let speed = |took: Duration| bytes as f64 / 1e6 / took.as_secs_f64();
    println!(
        "{} libraries, {} files, {:.1} MB: {} methods, {} duplicates, {distinct} distinct with {} contexts",
        libraries.len(),
        counts.files,
        bytes as f64 / 1e6,
        counts.methods,
        counts.duplicates,
        counts.contexts
    );
    println!("bare parsing   {:>7.1} MB/s", speed(parse));
    println!(
        "extraction     {:>7.1} MB/s, {:.0} methods/s; {:.2} of the speed of parsing",
        speed(extract),
        counts.methods as f64 / extract.as_secs_f64(),
        parse.as_secs_f64() / extract.as_secs_f64()
    );
    Ok(())
}
