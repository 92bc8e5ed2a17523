//! Times of whole runs of the binary, relative to `peeler extract` of the same repository in the same run.
//!
//! `cargo build --release && cargo bench -p peeler-benches --bench scan -- PEELER [FOLDER WITH REPOSITORIES]`, where
//! PEELER is the binary. Every command runs seven times, alternating with the others, and the fastest run counts. The
//! warm scan follows a change of one method body in a copy of the repository. The touched scan follows a new date of
//! that file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use peeler_analysis::{Analysis, Repository};
use peeler_benches::{finished, repositories};

const ROUNDS: usize = 7;

/// The fastest runs of one repository.
struct Runs {
    name: String,
    tests: usize,
    extract: Duration,
    scan: Duration,
    first: Duration,
    warm: Duration,
    touched: Duration,
    peak_bytes: u64,
}

fn main() -> anyhow::Result<()> {
    let mut given = std::env::args().skip(1).filter(|it| !it.starts_with("--"));
    let peeler = PathBuf::from(given.next().context("give the binary to measure")?);
    println!("binary: {:.1} MB", as_megabytes(fs::metadata(&peeler)?.len()));
    println!(
        "start: {:.0} ms for a scan of one test",
        start(&peeler)?.as_secs_f64() * 1e3
    );
    println!(
        "repository          tests  extract ms  scan ms  scan/extract  ms/test  peak MB  first ms  warm ms  warm/first  touched/first"
    );
    let mut total = Runs::new("total");
    for path in repositories(given.next().as_deref().map(Path::new))? {
        let runs = measure(&peeler, &path)?;
        runs.print();
        total.add(&runs);
    }
    total.print();
    Ok(())
}

impl Runs {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            tests: 0,
            extract: Duration::ZERO,
            scan: Duration::ZERO,
            first: Duration::ZERO,
            warm: Duration::ZERO,
            touched: Duration::ZERO,
            peak_bytes: 0,
        }
    }

    fn add(&mut self, other: &Self) {
        self.tests += other.tests;
        self.extract += other.extract;
        self.scan += other.scan;
        self.first += other.first;
        self.warm += other.warm;
        self.touched += other.touched;
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
    }

    fn print(&self) {
        let [extract, scan, first, warm, touched] =
            [self.extract, self.scan, self.first, self.warm, self.touched].map(|it| it.as_secs_f64() * 1e3);
        #[allow(clippy::cast_precision_loss)]
        let per_test = scan / self.tests.max(1) as f64;
        println!(
            "{:<18} {:>6}  {extract:>10.1} {scan:>8.1} {:>13.2} {per_test:>8.2} {:>8.0} {first:>9.1} {warm:>8.1} {:>11.3} {:>14.3}",
            self.name,
            self.tests,
            scan / extract,
            as_megabytes(self.peak_bytes),
            warm / first,
            touched / first,
        );
    }
}

fn measure(peeler: &Path, path: &Path) -> anyhow::Result<Runs> {
    let scratch = tempfile::tempdir()?;
    let copy = scratch.path().join("copy");
    copy_java(path, &copy)?;
    let (out, cache) = (scratch.path().join("out"), scratch.path().join("cache"));
    let mut runs = Runs {
        tests: Analysis::new(&Repository::open(path)?).len(),
        extract: Duration::MAX,
        scan: Duration::MAX,
        first: Duration::MAX,
        warm: Duration::MAX,
        touched: Duration::MAX,
        ..Runs::new(&path.file_name().unwrap_or_default().to_string_lossy())
    };
    for round in 0..ROUNDS {
        let extract = || {
            Command::new(peeler)
                .arg("extract")
                .arg(path)
                .arg("-o")
                .arg(&out)
                .spawn()
        };
        let scan = |root: &Path| {
            let mut command = Command::new(peeler);
            command
                .args(["scan", "--exit-zero", "--format", "json"])
                .arg(root)
                .arg("-o")
                .arg(&out);
            command
        };
        runs.extract = runs.extract.min(finished(extract()?)?.0);
        let (took, peak) = finished(scan(path).arg("--no-cache").spawn()?)?;
        runs.scan = runs.scan.min(took);
        runs.peak_bytes = runs.peak_bytes.max(peak);
        if cache.exists() {
            fs::remove_dir_all(&cache)?;
        }
        let cached = || scan(&copy).arg("--cache-dir").arg(&cache).spawn();
        runs.first = runs.first.min(finished(cached()?)?.0);
        let changed = change_a_body(&copy, round)?;
        runs.warm = runs.warm.min(finished(cached()?)?.0);
        fs::File::options()
            .append(true)
            .open(changed)?
            .set_modified(SystemTime::now())?;
        runs.touched = runs.touched.min(finished(cached()?)?.0);
    }
    Ok(runs)
}

/// The time of a scan of a tiny repository.
fn start(peeler: &Path) -> anyhow::Result<Duration> {
    let folder = tempfile::tempdir()?;
    fs::write(
        folder.path().join("ATest.java"),
        "class ATest { @org.junit.Test public void a() { org.junit.Assert.assertTrue(System.nanoTime() > 0); } }",
    )?;
    let mut fastest = Duration::MAX;
    for _ in 0..2 * ROUNDS {
        let mut command = Command::new(peeler);
        let scan = command.args(["scan", "--exit-zero", "--no-cache"]).arg(folder.path());
        fastest = fastest.min(finished(scan.stdout(Stdio::null()).spawn()?)?.0);
    }
    Ok(fastest)
}

fn copy_java(from: &Path, to: &Path) -> anyhow::Result<()> {
    for file in Repository::open(from)?.files() {
        let path = to.join(file.path());
        fs::create_dir_all(path.parent().unwrap_or(to))?;
        fs::write(path, file.text())?;
    }
    Ok(())
}

/// Changes the first method body of a file near the middle of the list of files. Returns the path of the file.
fn change_a_body(root: &Path, round: usize) -> anyhow::Result<PathBuf> {
    let repository = Repository::open(root)?;
    let files = repository.files();
    let mut around_the_middle = files[files.len() / 2..].iter().chain(files);
    let (file, at) = around_the_middle
        .find_map(|file| Some((file, file.text().find(") {")? + 3)))
        .context("no method to change")?;
    let (before, after) = file.text().split_at(at);
    let path = root.join(file.path());
    fs::write(&path, format!("{before} int changed{round} = {round};{after}"))?;
    Ok(path)
}

fn as_megabytes(bytes: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let bytes = bytes as f64;
    bytes / 1e6
}
