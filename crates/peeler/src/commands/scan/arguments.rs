//! The arguments of `peeler scan`.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use peeler_model::Backend;

use crate::commands::fleet_args::FleetArgs;
use crate::commands::rule_args::RuleArgs;
use crate::commands::settings_args::SettingsArgs;
use crate::proof::ProofArgs;
use crate::render::formats::Format;

/// Find flaky tests, without running them
///
/// Lists the tests in which a rule finds something nondeterministic that reaches an assertion. Then come tests that the
/// network finds probably flaky. Each has a reason. `peeler rules` lists the rules. Tests that earlier runs proved
/// flaky (--proof, --history) come first. File names are relative to the root of the git repository, or to the working
/// directory outside of git. Settings are read from the nearest `peeler.toml` at or above each path; command-line
/// options override them. Exit status: 0 if there are no findings, 1 if there are findings, 2 if something failed.
///
/// With --repos every line of a list is scanned as a repository of its own, and the output has one record for each. The
/// exit status is then 0 if every repository has a record, whatever it says, and 2 if the command failed.
#[derive(Debug, Args)]
pub(crate) struct ScanArgs {
    /// Java repositories or single Java files; each path is analysed on its own, and one report covers them all
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Output format [default: text; with --repos: jsonl]
    #[arg(long, value_enum, visible_alias = "output-format")]
    pub(crate) format: Option<ScanFormat>,
    /// Write to a file instead of standard output; a folder for Parquet
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Report tests with at least this probability of being flaky, in addition to those that a rule finds. [default:
    /// the value in `peeler.toml`, or else the model's threshold. The built-in model uses 0.39: at or above it, more than
    /// half of the tests of a project outside its training were flaky by unspecified behaviour]
    #[arg(long, value_name = "P", value_parser = probability)]
    pub(crate) min_probability: Option<f32>,
    /// List N tests: those that runs proved flaky, then those that a rule finds, then the most probable. Tests below
    /// the threshold are marked, and are no findings
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Print the number of findings of each rule instead of the findings, as text or JSON
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Include the probability of every test, in formats that support it
    #[arg(long)]
    pub(crate) all: bool,
    /// List tests too that do not run: `@Ignore`, `@Disabled`, `@Test(enabled = false)`
    #[arg(long)]
    pub(crate) include_disabled: bool,
    /// Do not report the findings in this file, which --write-baseline wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the findings to a file for use with --baseline, and exit with status 0
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Check only tests that are new since a git revision, or whose code, helpers, setup or code under test changed
    /// since then
    #[arg(long, value_name = "REV")]
    pub(crate) since: Option<String>,
    /// Check only tests in the files named on standard input, one per line or separated by NUL, relative to the current
    /// directory. All other files are still read as code under test
    #[arg(long)]
    pub(crate) stdin_files: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    #[command(flatten)]
    pub(crate) proof: ProofArgs,
    /// Cache results for the next scan in this folder instead of the user's cache folder
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub(crate) cache_dir: Option<PathBuf>,
    /// Ignore cached results, and cache nothing
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Exit with status 0 even if there are findings
    #[arg(long)]
    pub(crate) exit_zero: bool,
    /// Model to use instead of the built-in network: a folder written by `peeler train`, flast or vocabulary. The last
    /// two are built-in methods from the literature that are less accurate
    #[arg(long, value_name = "DIR|flast|vocabulary")]
    pub(crate) model: Option<PathBuf>,
    /// Tune the built-in network by the past of each repository first, as `peeler tune` does
    #[arg(long, conflicts_with_all = ["model", "no_tuned", "repos"])]
    pub(crate) tune: bool,
    /// Ignore `.peeler/tuned`, which `peeler tune` wrote
    #[arg(long)]
    pub(crate) no_tuned: bool,
    /// Backend that runs the network: auto, cpu, flex, ndarray or wgpu
    #[arg(long, default_value = "cpu")]
    pub(crate) backend: Backend,
    #[command(flatten)]
    pub(crate) fleet: FleetArgs,
}

pub(crate) fn probability(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number between 0 and 1".to_owned()),
    }
}

/// An output format of `peeler scan`: one for reports about a scan, or one that only fleets have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScanFormat {
    /// A format for the report about one scan. Fleets have only `jsonl` of these.
    Report(Format),
    /// Parquet files with a row for each repository of a fleet.
    Parquet,
}

impl ValueEnum for ScanFormat {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: &[ScanFormat] = &[
            ScanFormat::Report(Format::Text),
            ScanFormat::Report(Format::Json),
            ScanFormat::Report(Format::Jsonl),
            ScanFormat::Report(Format::Sarif),
            ScanFormat::Report(Format::Junit),
            ScanFormat::Report(Format::Github),
            ScanFormat::Report(Format::GithubSummary),
            ScanFormat::Report(Format::Gitlab),
            ScanFormat::Report(Format::Sonar),
            ScanFormat::Report(Format::Checkstyle),
            ScanFormat::Report(Format::Markdown),
            ScanFormat::Report(Format::Html),
            ScanFormat::Parquet,
        ];
        ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Report(format) => format.to_possible_value(),
            Self::Parquet => {
                Some(PossibleValue::new("parquet").help("Folder of Parquet files, one row per repository of --repos"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_has_every_format_of_a_report() {
        let names =
            |values: &[PossibleValue]| -> Vec<String> { values.iter().map(|it| it.get_name().to_owned()).collect() };
        let scans: Vec<PossibleValue> = ScanFormat::value_variants()
            .iter()
            .filter_map(ValueEnum::to_possible_value)
            .collect();
        let reports: Vec<PossibleValue> = Format::value_variants()
            .iter()
            .filter_map(ValueEnum::to_possible_value)
            .collect();
        assert_eq!(names(&scans), [names(&reports), vec!["parquet".to_owned()]].concat());
    }
}
