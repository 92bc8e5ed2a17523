//! Times of `peeler scan --repos`: what many tiny repositories cost, and what a second job gains.
//!
//! `cargo build --release && cargo bench -p peeler-benches --bench fleet -- PEELER [LIST]`, where PEELER is the binary
//! and LIST is a list of repositories. Rounds alternate between the compared commands, and the fastest round counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

const ROUNDS: usize = 3;
/// The number of tiny repositories.
const TINY: usize = 200;

/// One run of the binary over a list.
struct Run {
    wall: Duration,
    /// The sum of the times that the records tell.
    scans: Duration,
    repositories: usize,
    bytes: u64,
    /// The highest peak of a worker's memory.
    peak_bytes: u64,
}

fn main() -> anyhow::Result<()> {
    let mut given = std::env::args().skip(1).filter(|it| !it.starts_with("--"));
    let peeler = PathBuf::from(given.next().context("give the binary to measure")?);
    tiny(&peeler)?;
    if let Some(list) = given.next() {
        jobs(&peeler, Path::new(&list))?;
    }
    Ok(())
}

/// Compares a scan of many tiny repositories with the sum of their scans and one start of the program.
fn tiny(peeler: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut lines = Vec::new();
    for number in 0..TINY {
        let root = folder.path().join(format!("r{number}"));
        fs::create_dir(&root)?;
        let class = format!("Made{number}Test");
        fs::write(
            root.join(format!("{class}.java")),
            format!(
                "package shop; import java.util.*; import org.junit.*; public class {class} {{\n\
                 @Test public void prints() {{ Map<String, Integer> map = new HashMap<>(); map.put(\"a\", {number});\n\
                 Assert.assertEquals(\"{{a={number}}}\", map.toString()); }} }}"
            ),
        )?;
        lines.push(format!("{}\n", root.display()));
    }
    let (all, one) = (folder.path().join("all.txt"), folder.path().join("one.txt"));
    fs::write(&all, lines.concat())?;
    fs::write(&one, &lines[0])?;
    let (mut many, mut start) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let single = run(peeler, &one, 1)?;
        start.push(single.wall.saturating_sub(single.scans));
        many.push(run(peeler, &all, 1)?);
    }
    let start = start.into_iter().min().unwrap_or_default();
    println!("start of the command and a worker: {:.1} ms", start.as_secs_f64() * 1e3);
    for run in &many {
        let expected = run.scans + start;
        println!(
            "{TINY} tiny repositories: {:.1} ms; scans {:.1} ms; ratio to scans and one start {:.2}",
            run.wall.as_secs_f64() * 1e3,
            run.scans.as_secs_f64() * 1e3,
            run.wall.as_secs_f64() / expected.as_secs_f64()
        );
    }
    Ok(())
}

/// Compares one job with two.
fn jobs(peeler: &Path, list: &Path) -> anyhow::Result<()> {
    let mut fastest: [Option<Run>; 2] = [None, None];
    for _ in 0..ROUNDS {
        for (at, best) in fastest.iter_mut().enumerate() {
            let run = run(peeler, list, at + 1)?;
            println!("jobs {}: {:.2} s", at + 1, run.wall.as_secs_f64());
            if best.as_ref().is_none_or(|it| run.wall < it.wall) {
                *best = Some(run);
            }
        }
    }
    let [Some(one), Some(two)] = fastest else {
        bail!("nothing was measured");
    };
    for (jobs, run) in [(1, &one), (2, &two)] {
        let seconds = run.wall.as_secs_f64();
        #[allow(clippy::cast_precision_loss, reason = "figures for reading")]
        let (repositories, megabytes) = (run.repositories as f64, run.bytes as f64 / 1e6);
        println!(
            "jobs {jobs}: {:.2} s; {:.0} repositories an hour and {:.1} MB of Java a second for each core; peak of a \
             worker {} MB",
            seconds,
            repositories / seconds * 3600.0 / f64::from(jobs),
            megabytes / seconds / f64::from(jobs),
            run.peak_bytes >> 20
        );
    }
    println!(
        "gain of a second job: {:.2}",
        one.wall.as_secs_f64() / two.wall.as_secs_f64()
    );
    Ok(())
}

/// Runs the binary over a list, with its records on standard output.
fn run(peeler: &Path, list: &Path, jobs: usize) -> anyhow::Result<Run> {
    let mut command = Command::new(peeler);
    command.args(["scan", "--format", "jsonl", "--jobs", &jobs.to_string(), "--repos"]);
    command.arg(list).stderr(Stdio::null());
    let started = Instant::now();
    let output = command.output()?;
    let wall = started.elapsed();
    if !output.status.success() {
        bail!("{command:?} ended with {}", output.status);
    }
    let mut run = Run {
        wall,
        scans: Duration::ZERO,
        repositories: 0,
        bytes: 0,
        peak_bytes: 0,
    };
    for line in output.stdout.split(|it| *it == b'\n').filter(|it| !it.is_empty()) {
        let record: Value = serde_json::from_slice(line)?;
        if record["status"] != "scanned" {
            bail!("{} was not scanned: {}", record["name"], record["error"]);
        }
        run.repositories += 1;
        run.scans += Duration::from_secs_f64(record["run"]["seconds"].as_f64().unwrap_or_default());
        run.bytes += record["counts"]["bytes"].as_u64().unwrap_or_default();
        run.peak_bytes = run
            .peak_bytes
            .max(record["run"]["peak_memory"].as_u64().unwrap_or_default());
    }
    Ok(run)
}
