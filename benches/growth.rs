//! How the time of a scan grows with one respect of the code: fails if a shape grows faster than its size.
//!
//! `cargo build --release && cargo bench -p peeler-benches --bench growth -- PEELER [SHAPE]`, where PEELER is the binary
//! and SHAPE a part of the names of shapes. A shape is scanned at an eighth, a quarter, a half and all of its largest
//! size; the fastest of three runs counts, less the start of the program. The exponent is the slope of the logarithm of
//! the time over that of the size.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::Context;
use peeler_benches::finished;
use peeler_benches::shapes::{Files, SHAPES, Shape};

/// The largest exponent that passes.
const MOST_EXPONENT: f64 = 1.3;
/// Below this time a scan says nothing about growth.
const NOISE: f64 = 0.02;
const ROUNDS: usize = 3;

fn main() -> anyhow::Result<ExitCode> {
    let mut given = std::env::args().skip(1).filter(|it| !it.starts_with("--"));
    let peeler = PathBuf::from(given.next().context("give the binary to measure")?);
    let wanted = given.next().unwrap_or_default();
    let start = scan(&peeler, &(SHAPES[0].files)(1))?.seconds;
    println!("shape                               size   seconds  exponent  peak MB");
    let mut failed = Vec::new();
    for shape in SHAPES.iter().filter(|it| it.name.contains(&wanted)) {
        let growth = measure(&peeler, shape, start)?;
        println!(
            "{:<32} {:>7} {:>9.2} {:>9.2} {:>8}",
            shape.name,
            shape.most,
            growth.seconds,
            growth.exponent,
            growth.peak_bytes / 1_000_000
        );
        if growth.exponent > MOST_EXPONENT
            || growth.seconds > shape.limits.seconds
            || growth.peak_bytes > shape.limits.bytes
        {
            failed.push(shape.name);
        }
    }
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    println!("too slow, too large or growing too fast: {}", failed.join(", "));
    Ok(ExitCode::FAILURE)
}

/// How a shape grows.
struct Growth {
    /// The time at the largest size.
    seconds: f64,
    exponent: f64,
    /// The peak memory at the largest size.
    peak_bytes: u64,
}

/// One scan.
#[derive(Clone, Copy)]
struct Scan {
    seconds: f64,
    peak_bytes: u64,
}

fn measure(peeler: &Path, shape: &Shape, start: f64) -> anyhow::Result<Growth> {
    let mut points = Vec::new();
    let mut last = Scan {
        seconds: 0.0,
        peak_bytes: 0,
    };
    for size in [shape.most / 8, shape.most / 4, shape.most / 2, shape.most] {
        last = scan(peeler, &(shape.files)(size))?;
        #[allow(clippy::cast_precision_loss)]
        let size = size as f64;
        points.push((size.ln(), (last.seconds - start).max(NOISE).ln()));
        // Larger sizes of what is too slow already would only take longer.
        if last.seconds > 4.0 * shape.limits.seconds {
            break;
        }
    }
    Ok(Growth {
        seconds: last.seconds,
        exponent: slope(&points),
        peak_bytes: last.peak_bytes,
    })
}

/// The slope of the line with the least squared distance from points.
fn slope(points: &[(f64, f64)]) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let n = points.len() as f64;
    let (x, y) = points
        .iter()
        .fold((0.0, 0.0), |sum, it| (sum.0 + it.0 / n, sum.1 + it.1 / n));
    let covariance: f64 = points.iter().map(|it| (it.0 - x) * (it.1 - y)).sum();
    let variance: f64 = points.iter().map(|it| (it.0 - x).powi(2)).sum();
    if variance > 0.0 { covariance / variance } else { 0.0 }
}

/// The fastest of a few scans of files; one run where a scan takes long.
fn scan(peeler: &Path, files: &Files) -> anyhow::Result<Scan> {
    let folder = tempfile::tempdir()?;
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(path, text)?;
    }
    let mut fastest = Scan {
        seconds: f64::MAX,
        peak_bytes: 0,
    };
    for _ in 0..ROUNDS {
        let mut command = Command::new(peeler);
        let out = folder.path().join("out.json");
        let command = command
            .args(["scan", "--exit-zero", "--no-cache", "--format", "json", "-o"])
            .arg(out)
            .arg(folder.path());
        let (took, peak) = finished(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)?;
        fastest.seconds = fastest.seconds.min(took.as_secs_f64());
        fastest.peak_bytes = fastest.peak_bytes.max(peak);
        if took > Duration::from_secs(2) {
            break;
        }
    }
    Ok(fastest)
}
