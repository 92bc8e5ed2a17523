//! The arguments of `peeler confirm`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use peeler_rerun::invocation::Invocation;
use peeler_rerun::perturbation::{Perturbation, PerturbationKind};
use peeler_rerun::project::BuildOptions;
use peeler_rerun::repeat::RepeatUntil;
use peeler_rerun::steering::RunCounts;

/// Run suspected tests to prove that they are flaky
///
/// RUNS CODE of the project: builds it and runs its tests repeatedly in separate JVMs. Prints first what it will run
/// (with --dry-run, it stops there). Every run is recorded at once; after an interruption, the same command continues
/// where it stopped. Exit status: 0 if no test is proven flaky, 1 if at least one is, 2 if something failed.
#[derive(Debug, Args)]
pub(crate) struct ConfirmArgs {
    /// Root of the project
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
    /// Test to run, as `package.Class#method`; can be repeated
    #[arg(long, value_name = "FQCN#METHOD")]
    pub(super) test: Vec<String>,
    /// Output of `peeler scan --format json --all`: run the likeliest tests, each under the changes of its environment
    /// that fit the rule that found it
    #[arg(long, value_name = "SCAN.json", conflicts_with = "test")]
    pub(super) from: Option<PathBuf>,
    /// With --from: run the tests that the model is not sure about, all in the same way; --perturb and thresholds do so
    /// too
    #[arg(long, requires = "from")]
    pub(super) unsure: bool,
    /// With --from: also run tests that the model is sure about
    #[arg(long)]
    pub(super) all: bool,
    /// Most runs of each test; fewer if its outcome changes earlier
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) runs: u32,
    /// Make all --runs of a test even after its outcome has changed, to learn how often it fails
    #[arg(long)]
    pub(super) keep_going: bool,
    /// Time for all test runs, such as 90s, 10m or 1h. With --from, it also limits which tests run (findings, then all
    /// tests once, then the likeliest), and can be a share, such as 50% of the cost of running all
    #[arg(long, value_name = "DURATION|SHARE", value_parser = budget)]
    pub(super) budget: Option<Budget>,
    /// With --from: take tests below this probability as stable, without running them. [default: chosen by the model's
    /// errors on held-out tests; 0.07 if the scan does not contain them]
    #[arg(long, value_name = "P")]
    pub(super) omega_lower: Option<f64>,
    /// With --from: take tests at or above this probability as flaky, without running them. [default: chosen by the
    /// model's errors on held-out tests; no test is taken as flaky if the scan does not contain them]
    #[arg(long, value_name = "P")]
    pub(super) omega_upper: Option<f64>,
    /// With --from: choose --omega-lower and --omega-upper by the predictions in this output of `peeler eval --json`,
    /// not by the model's held-out tests
    #[arg(long, value_name = "EVAL.json", requires = "from")]
    pub(super) validation: Option<PathBuf>,
    /// Print what would be run, and run nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Class path of the compiled tests, including JUnit; nothing is built
    #[arg(long, value_name = "PATHS")]
    pub(super) classpath: Option<OsString>,
    /// Module whose tests run, as a folder of the project; can be repeated [default: all]
    #[arg(long, value_name = "MODULE", conflicts_with = "classpath")]
    pub(super) module: Vec<String>,
    /// Argument for Maven or Gradle, such as --build-arg=-Pfast; can be repeated
    #[arg(
        long,
        value_name = "ARGUMENT",
        allow_hyphen_values = true,
        conflicts_with = "classpath"
    )]
    pub(super) build_arg: Vec<String>,
    /// Use the compiled tests and class paths of the last build by this command; nothing is built
    #[arg(long, conflicts_with_all = ["classpath", "module", "build_arg"])]
    pub(super) no_build: bool,
    /// JDK to use [default: `JAVA_HOME` or the search path]
    #[arg(long, value_name = "DIR")]
    pub(super) java_home: Option<PathBuf>,
    /// Option for every JVM, such as --jvm-arg=-Xmx512m; can be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub(super) jvm_arg: Vec<String>,
    /// Run test JVMs in a sandbox: no network but loopback, and a home and a temporary folder of their own
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub(super) sandbox: SandboxChoice,
    /// Kill a test that runs longer than this time
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    pub(super) timeout: Duration,
    /// Stage RERUN: how often to rerun a failing test immediately, in the same JVM
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) c_imm: u32,
    /// Stage POSTPONE: how often to rerun a failing test after all tests have run, in the same JVM
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) c_end: u32,
    /// Stage FORK: how often to rerun a failing test in a new JVM
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) c_new: u32,
    /// Stop after stage RERUN if at least this share of tests failed [default: 0.01 if all tests run, no limit for
    /// chosen tests]
    #[arg(long, value_name = "SHARE")]
    pub(super) threshold: Option<f64>,
    /// Stage INTERSECT: git revision at which the tests passed; a failing test that loads no class changed since then
    /// is flaky
    #[arg(long, value_name = "REVISION")]
    pub(super) changed_since: Option<String>,
    /// Conditions of test runs to vary, to provoke failures
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',')]
    pub(super) perturb: Vec<KindName>,
    /// With --perturb order: number of shuffled orders in which all tests run
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(super) orders: u64,
    /// With --perturb nondex: number of seeds of NonDex with which every test runs
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(super) nondex_seeds: u32,
    /// With --perturb nondex: for how many proven tests to search the call whose unspecified behaviour is the cause
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(super) culprits: usize,
    /// With --perturb order or nondex: random seed of the first shuffled order; each further order adds one
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// With --perturb order: most tests to try, one at a time, to find the one that makes an order-dependent test fail
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(super) pairs: usize,
    /// With --perturb: how often to run a test under each kind of change, such as other time zones
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) perturbed_runs: u32,
    /// Folder of JUnit XML reports from earlier runs of the same code; can be repeated
    #[arg(long, value_name = "DIR")]
    pub(super) history: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(super) format: ReportFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Write the results to a file, as labels for `peeler corpus build --layout csv`
    #[arg(long, value_name = "FILE")]
    pub(super) write_labels: Option<PathBuf>,
    /// Write all outcomes to a file, for `peeler corpus build --layout proven`
    #[arg(long, value_name = "FILE")]
    pub(super) write_outcomes: Option<PathBuf>,
    /// Name of the project for --write-labels and --write-outcomes [default: the name of its folder]
    #[arg(long, value_name = "NAME")]
    pub(super) project: Option<String>,
    /// Evidence file, in which every test run is recorded [default: .peeler/evidence.jsonl in the project]
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Discard the test runs recorded earlier in the evidence file
    #[arg(long)]
    pub(super) fresh: bool,
    /// Reproduce the recorded failures of flaky tests in an evidence file: those of --test, or all
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "fresh", "dry_run", "write_labels", "history"])]
    pub(super) replay: Option<PathBuf>,
    /// Find the commit that made a test flaky: git revision at which it was not. Builds commits up to HEAD in a
    /// temporary clone, and runs the recorded failure of --replay [default: --log] up to --runs times at each
    #[arg(long, value_name = "GOOD", conflicts_with_all = [
        "from", "fresh", "dry_run", "write_labels", "history", "classpath", "perturb", "changed_since"
    ])]
    pub(super) bisect: Option<String>,
}

impl ConfirmArgs {
    /// The project folder, log file and JVM options of this command line, which a command that replays a failure has to
    /// repeat.
    pub(super) fn invocation(&self, log: &Path) -> Invocation {
        let mut options = Vec::new();
        if let Some(classpath) = &self.classpath {
            options.push(format!("--classpath={}", classpath.to_string_lossy()));
        }
        if let Some(home) = &self.java_home {
            options.push(format!("--java-home={}", home.display()));
        }
        options.extend(self.module.iter().map(|it| format!("--module={it}")));
        options.extend(self.build_arg.iter().map(|it| format!("--build-arg={it}")));
        options.extend(self.jvm_arg.iter().map(|it| format!("--jvm-arg={it}")));
        if self.sandbox != SandboxChoice::default() {
            let name = self.sandbox.to_possible_value();
            options.extend(name.map(|it| format!("--sandbox={}", it.get_name())));
        }
        Invocation {
            root: self.path.display().to_string(),
            log: log.display().to_string(),
            options,
        }
    }

    /// The settings for the build of the project.
    pub(super) fn build_options(&self) -> BuildOptions {
        BuildOptions {
            java_home: self.java_home.clone(),
            modules: self.module.clone(),
            arguments: self.build_arg.clone(),
        }
    }

    /// The kinds of changed conditions that the user chose with `--perturb`, such as time zones, each once.
    pub(super) fn kinds(&self) -> Vec<PerturbationKind> {
        let mut kinds: Vec<PerturbationKind> = self.perturb.iter().flat_map(|it| it.kinds()).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }

    /// Whether the rules of the scan that `--from` names choose the runs: the user chose neither changes nor thresholds.
    pub(super) fn is_steered(&self) -> bool {
        let has_thresholds = self.omega_lower.is_some() || self.omega_upper.is_some() || self.validation.is_some();
        self.from.is_some() && self.perturb.is_empty() && !has_thresholds && !self.all && !self.unsure
    }

    /// The number of runs that a steered plan makes with one test.
    pub(super) fn run_counts(&self) -> RunCounts {
        RunCounts {
            repeated: self.runs,
            nondex: self.nondex_seeds,
            perturbed: self.perturbed_runs,
            // Behind the other test, alone, and behind it again.
            paired: 3,
        }
    }

    /// The changed environments of one kind in which tests run.
    pub(super) fn conditions(&self, kind: PerturbationKind) -> Vec<Perturbation> {
        if kind != PerturbationKind::NonDex {
            return kind.conditions();
        }
        let first = u32::try_from(self.seed % u64::from(u32::MAX / 2)).unwrap_or(1);
        let seeds = (0..self.nondex_seeds).map(|it| first.wrapping_add(it));
        seeds.map(|seed| Perturbation::NonDex { seed, part: None }).collect()
    }

    /// The condition that ends the runs of a test: its outcome changes or, with `--keep-going`, all runs are made.
    pub(super) fn until(&self) -> RepeatUntil {
        if self.keep_going {
            RepeatUntil::AllRunsMade
        } else {
            RepeatUntil::OutcomeChanges
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    /// Text for people
    Text,
    /// JSON with all details
    Json,
    /// JUnit XML, for CI servers
    Junit,
}

/// Whether test JVMs run in a sandbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum SandboxChoice {
    /// Where the system can make one (Linux with bubblewrap or unshare)
    #[default]
    Auto,
    /// Always; without one, nothing is run
    On,
    /// Never
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum KindName {
    /// All conditions that can be varied
    All,
    /// Run all tests in shuffled orders, and search for the tests that make others fail
    Order,
    /// Run tests while all processors are busy
    Stress,
    /// Run tests in other time zones
    Zone,
    /// Run tests in other locales
    Locale,
    /// Run tests in a JVM that sees a single processor
    Processors,
    /// Run tests in a JVM that only interprets bytecode
    Interpreted,
    /// Run tests with other default charsets
    Charset,
    /// Run tests while threads that they start get few turns (Linux)
    Delay,
    /// Run tests while unspecified behaviour of Java varies, such as the order of a hash map (NonDex; needs Maven)
    #[value(name = "nondex")]
    NonDex,
}

impl KindName {
    pub(super) fn kinds(self) -> Vec<PerturbationKind> {
        match self {
            Self::All => PerturbationKind::ALL.to_vec(),
            Self::Order => vec![PerturbationKind::Order],
            Self::Stress => vec![PerturbationKind::Stress],
            Self::Zone => vec![PerturbationKind::Zone],
            Self::Locale => vec![PerturbationKind::Locale],
            Self::Processors => vec![PerturbationKind::Processors],
            Self::Interpreted => vec![PerturbationKind::Interpreted],
            Self::Charset => vec![PerturbationKind::Charset],
            Self::Delay => vec![PerturbationKind::Delay],
            Self::NonDex => vec![PerturbationKind::NonDex],
        }
    }
}

/// The limit on the cost of test runs, as `--budget` gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Budget {
    /// The limit is a time after which no test run starts.
    Time(Duration),
    /// The limit is a share of the estimated cost of running every test. It only decides which tests run, and stops
    /// none.
    Share(f64),
}

impl Budget {
    /// The time after which no test run starts; `None` if the limit is a share.
    pub(super) fn time(self) -> Option<Duration> {
        match self {
            Self::Time(time) => Some(time),
            Self::Share(_) => None,
        }
    }
}

/// Parses a budget: a duration, or a share such as `50%` of the estimated cost of running every test.
fn budget(text: &str) -> Result<Budget, String> {
    let Some(share) = text.strip_suffix('%') else {
        return duration(text).map(Budget::Time);
    };
    let wrong = || "expected a share from 0% to 100%".to_owned();
    let share: f64 = share.trim().parse().map_err(|_| wrong())?;
    let is_share = (0.0..=100.0).contains(&share);
    is_share.then_some(Budget::Share(share / 100.0)).ok_or_else(wrong)
}

/// Parses a duration: `90s`, `10m`, `1h`, `1.5h`, `500ms`, or a number of seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.trim().parse::<f64>().ok();
    let duration = match seconds {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => humantime::parse_duration(text).ok(),
    };
    duration.ok_or_else(|| "expected a duration such as 90s, 10m or 1h".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_with_their_unit() {
        for (text, milliseconds) in [
            ("90s", 90_000),
            ("1.5m", 90_000),
            ("2", 2_000),
            ("1h", 3_600_000),
            ("5ms", 5),
            ("1h 30m", 5_400_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "ten minutes", "-1s", "-1", "5x", "1e999s", "NaN"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_budget_is_time_or_a_share() {
        assert_eq!(budget("90s"), Ok(Budget::Time(Duration::from_secs(90))));
        assert_eq!(budget("50%"), Ok(Budget::Share(0.5)));
        for text in ["%", "-1%", "101%", "NaN%", "half"] {
            assert!(budget(text).is_err(), "{text}");
        }
    }
}
