//! `peeler corpus merge` and `peeler corpus select`: corpora made from other corpora.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use peeler_eval::corpus::Corpus;
use peeler_features::FlakinessKind;

use crate::exit::ExitStatus;

/// Merge several corpora into one
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Corpora to merge
    #[arg(required = true, num_args = 2..)]
    files: Vec<PathBuf>,
    /// Leave out graphs and paths, but not their sizes: a smaller file for models that read no paths
    #[arg(long)]
    without_graphs: bool,
    /// File to write the merged corpus to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Select the tests about which one kind of flakiness is known
///
/// Studies look for one kind of flakiness at a time. A test that is not listed counts as stable only in modules where
/// the kind was looked for; all other unlisted tests are left out, and so are tests that are flaky in another way.
#[derive(Debug, Args)]
pub(super) struct SelectArgs {
    /// Corpora to select from; several are merged
    #[arg(required = true, num_args = 1..)]
    files: Vec<PathBuf>,
    /// Kind of flakiness that labels shall speak of
    #[arg(long, value_enum)]
    kind: KindName,
    /// Leave out graphs and paths, but not their sizes: a smaller file for models that read no paths
    #[arg(long)]
    without_graphs: bool,
    /// File to write the selected tests to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum KindName {
    /// Unspecified behaviour, such as the order of a hash map
    Id,
    /// Order of tests
    Od,
    /// Timing, randomness and environment
    Nod,
}

/// Writes the tests of several corpora to one file.
pub(super) fn merge(arguments: &MergeArgs) -> anyhow::Result<ExitStatus> {
    let merged = trimmed(Corpus::load_all(&arguments.files)?, arguments.without_graphs);
    merged.save(&arguments.output)?;
    Ok(ExitStatus::Success)
}

/// Writes the tests about which one kind of flakiness is known.
pub(super) fn select(arguments: &SelectArgs) -> anyhow::Result<ExitStatus> {
    let kind = match arguments.kind {
        KindName::Id => FlakinessKind::UnspecifiedBehaviour,
        KindName::Od => FlakinessKind::TestOrder,
        KindName::Nod => FlakinessKind::Timing,
    };
    let selected = trimmed(
        Corpus::load_all(&arguments.files)?.of_kind(kind),
        arguments.without_graphs,
    );
    let flaky = selected.tests.iter().filter(|it| it.flaky).count();
    if flaky == 0 {
        bail!("no test is flaky because of {kind}; compare with the categories of `peeler corpus stats`");
    }
    selected.save(&arguments.output)?;
    eprintln!(
        "{} tests ({flaky} flaky because of {kind}) of {} projects",
        selected.tests.len(),
        selected.projects.len()
    );
    Ok(ExitStatus::Success)
}

fn trimmed(corpus: Corpus, without_graphs: bool) -> Corpus {
    if without_graphs {
        corpus.without_graphs()
    } else {
        corpus
    }
}
