//! The arguments of `peeler confirm`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use peeler_rerun::perturbation::PerturbationKind;
use peeler_rerun::repeat::RepeatUntil;

/// Run suspected tests to prove or refute that they are flaky
///
/// RUNS CODE of the project: it is built, and its tests are run, again and again, in JVMs of their own. Says first what it
/// will run (--dry-run: only says it). Every run is written down at once; the same command goes on where an interrupted one
/// stopped. Exit status: 0 nothing proven flaky, 1 something proven flaky, 2 when something failed.
#[derive(Debug, Args)]
pub(crate) struct ConfirmArgs {
    /// Root of the project
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
    /// A test to run; may be given several times
    #[arg(long, value_name = "FQCN#METHOD")]
    pub(super) test: Vec<String>,
    /// JSON of `peeler scan --format json --all`: runs the tests that the model is not sure of
    #[arg(long, value_name = "SCAN.json", conflicts_with = "test")]
    pub(super) from: Option<PathBuf>,
    /// Run also tests that the model is sure of
    #[arg(long)]
    pub(super) all: bool,
    /// The most runs of a test; it ends earlier when its outcome changes
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) runs: u32,
    /// Make all runs, also after the outcome has changed, to know how often a test fails
    #[arg(long)]
    pub(super) keep_going: bool,
    /// Time for all runs, such as 90s, 10m or 1h; with --from it also chooses how much the model is asked to decide, and may
    /// be a share of the price of running everything, such as 50%
    #[arg(long, value_name = "DURATION|SHARE", value_parser = budget)]
    pub(super) budget: Option<Budget>,
    /// With --from: tests below this probability are taken as stable; by default as the model's mistakes on held-out
    /// tests advise, 0.07 where the scan does not know them
    #[arg(long, value_name = "P")]
    pub(super) omega_lower: Option<f64>,
    /// With --from: tests from this probability on are taken as flaky; by default likewise, 1.01 (none) where the scan
    /// does not know
    #[arg(long, value_name = "P")]
    pub(super) omega_upper: Option<f64>,
    /// With --from: choose the thresholds by the predictions that `peeler eval --json` wrote for labelled tests, not by
    /// those that the model was held to in training
    #[arg(long, value_name = "EVAL.json", requires = "from")]
    pub(super) validation: Option<PathBuf>,
    /// Say what would be run, and run nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Class path of the compiled tests, JUnit included; nothing is built then
    #[arg(long, value_name = "PATHS")]
    pub(super) classpath: Option<OsString>,
    /// The JDK; `JAVA_HOME` or the search path by default
    #[arg(long, value_name = "DIR")]
    pub(super) java_home: Option<PathBuf>,
    /// An option for every JVM, such as --jvm-arg=-Xmx512m; may be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub(super) jvm_arg: Vec<String>,
    /// A test that runs longer is killed
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    pub(super) timeout: Duration,
    /// RERUN: how often a failing test runs again at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) c_imm: u32,
    /// POSTPONE: how often a failing test runs again at the end, in the same JVM
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) c_end: u32,
    /// FORK: how often a failing test runs again in a new JVM
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) c_new: u32,
    /// With this share of failures or more, nothing is rerun after RERUN [default: 0.01 for a whole suite, none for chosen tests]
    #[arg(long, value_name = "SHARE")]
    pub(super) threshold: Option<f64>,
    /// INTERSECT: the revision at which the tests passed; a failing test that loads no class changed since is flaky
    #[arg(long, value_name = "REVISION")]
    pub(super) changed_since: Option<String>,
    /// What to change around the tests
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',')]
    pub(super) perturb: Vec<KindName>,
    /// How many shuffled orders
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(super) orders: u64,
    /// What the first order is drawn with; the next ones follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// How many tests a victim of the order is tried behind
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(super) pairs: usize,
    /// How often a test runs in each changed environment
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) perturbed_runs: u32,
    /// Folder of JUnit XML reports of earlier runs of the same code; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(super) history: Vec<PathBuf>,
    /// How to write the result
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(super) format: ReportFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Write what was proven and refuted as labels for `peeler corpus build --layout csv`
    #[arg(long, value_name = "FILE")]
    pub(super) write_labels: Option<PathBuf>,
    /// The project's name in the labels; the name of its folder by default
    #[arg(long, value_name = "NAME")]
    pub(super) project: Option<String>,
    /// Where the evidence is kept; .peeler/evidence.jsonl in the project by default
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Forget earlier evidence
    #[arg(long)]
    pub(super) fresh: bool,
    /// Show the flaky outcomes of an evidence file again, those of --test or all
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "fresh", "dry_run", "write_labels", "history"])]
    pub(super) replay: Option<PathBuf>,
}

impl ConfirmArgs {
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
    /// For reading
    Text,
    /// Everything
    Json,
    /// For build servers
    Junit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum KindName {
    /// Everything below
    All,
    /// Shuffled orders of all tests, and the polluters of those that fail in one
    Order,
    /// Busy processors
    Stress,
    /// Time zones
    Zone,
    /// Locales
    Locale,
    /// A single processor
    Processors,
    /// A JVM that does not compile
    Interpreted,
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
        }
    }
}

/// What runs may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Budget {
    /// Time; no run begins later.
    Time(Duration),
    /// A share of the price of running every test, foretold and not enforced.
    Share(f64),
}

impl Budget {
    /// The time after which no run begins, if there is one.
    pub(super) fn time(self) -> Option<Duration> {
        match self {
            Self::Time(time) => Some(time),
            Self::Share(_) => None,
        }
    }
}

/// A duration, or a share such as `50%`.
fn budget(text: &str) -> Result<Budget, String> {
    let Some(share) = text.strip_suffix('%') else {
        return duration(text).map(Budget::Time);
    };
    let wrong = || "give a share from 0% to 100%".to_owned();
    let share: f64 = share.trim().parse().map_err(|_| wrong())?;
    let is_share = (0.0..=100.0).contains(&share);
    is_share.then_some(Budget::Share(share / 100.0)).ok_or_else(wrong)
}

/// `90s`, `10m`, `1h`, `1.5h`, `500ms`, or seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "give a duration such as 90s, 10m or 1h".to_owned();
    let split = text.find(|it: char| it.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * factor).map_err(|_| wrong())
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
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "ten minutes", "-1s", "5d", "1e999s"] {
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
