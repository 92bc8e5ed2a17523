//! `peeler libraries`: the table of facts about libraries, for developers of Peeler.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use peeler_analysis::{LibrarySurvey, LibraryTable, Repository, TableSize};
use peeler_learning::atomic_file::{self, Durability};

use crate::exit::{ExitStatus, TO_STDOUT};
use crate::progress;
use crate::source_archive::java_files;

/// The maximum size in bytes of the table of facts about libraries that `peeler libraries build` writes.
const MAX_TABLE_BYTES: usize = 4 << 20;

/// Compute and list facts about libraries (for developers of Peeler)
#[derive(Debug, Args)]
pub(crate) struct LibrariesArgs {
    #[command(subcommand)]
    command: LibrariesCommand,
}

#[derive(Debug, Subcommand)]
enum LibrariesCommand {
    Build(BuildArgs),
    Show(ShowArgs),
}

/// Compute a table of facts from source archives
///
/// Peeler analyses the Java sources in each archive and writes what it finds out about public methods: names and facts,
/// no source. The table becomes part of the program when it replaces `crates/peeler-analysis/libraries/facts.bin`.
#[derive(Debug, Args)]
struct BuildArgs {
    /// Source archives (`*-sources.jar`), or folders that contain some
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
    /// File to write the table of facts to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// List the facts about libraries, one method a line
#[derive(Debug, Args)]
struct ShowArgs {
    /// Only classes and methods whose full name starts with this
    #[arg(value_name = "PREFIX", default_value = "")]
    prefix: String,
    /// Table of facts to read instead of the one that is part of the program
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

pub(crate) fn run(arguments: &LibrariesArgs) -> anyhow::Result<ExitStatus> {
    match &arguments.command {
        LibrariesCommand::Build(arguments) => build(arguments),
        LibrariesCommand::Show(arguments) => show(arguments),
    }
}

fn build(arguments: &BuildArgs) -> anyhow::Result<ExitStatus> {
    let archives = archives(&arguments.archives)?;
    let bar = progress::bar("analysing", archives.len());
    let mut surveys = Vec::new();
    let mut skipped = 0;
    let (mut classes, mut methods) = (0, 0);
    for archive in &archives {
        match java_files(archive) {
            Ok(content) if content.files.is_empty() => {
                skipped += 1;
                bar.suspend(|| eprintln!("skipped {}: it contains no readable Java file", archive.display()));
            }
            Ok(content) => {
                if content.broken > 0 {
                    let shown = archive.display();
                    bar.suspend(|| eprintln!("skipped {} files of {shown}: they cannot be read", content.broken));
                }
                let survey = LibrarySurvey::of(&Repository::from_sources(content.files));
                classes += survey.classes();
                methods += survey.methods();
                surveys.push(survey);
            }
            Err(error) => {
                skipped += 1;
                bar.suspend(|| eprintln!("skipped {}: it is no archive ({error})", archive.display()));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if surveys.is_empty() {
        bail!(
            "none of {} archives contains Java sources; name files like `guice-5.1.0-sources.jar`",
            archives.len()
        );
    }
    let read = surveys.len();
    let table = LibraryTable::new(surveys);
    let bytes = table.to_bytes();
    if bytes.len() > MAX_TABLE_BYTES {
        bail!(
            "the table would have {} bytes, more than {MAX_TABLE_BYTES}; name fewer archives",
            bytes.len()
        );
    }
    atomic_file::replace(&arguments.output, &[&bytes], Durability::Synced)
        .with_context(|| format!("cannot write {}", arguments.output.display()))?;
    eprintln!("{read} archives read, {skipped} skipped: {classes} public classes, {methods} methods with a result");
    eprint!("{}", summary(table.size()));
    eprintln!("{} bytes written to {}", bytes.len(), arguments.output.display());
    Ok(ExitStatus::Success)
}

fn summary(size: TableSize) -> String {
    let rows = [
        (size.classes, "classes listed"),
        (size.classes_with_form, "of them containers"),
        (size.methods, "methods with a fact"),
        (size.unordered, "results without a defined order"),
        (size.varying, "results that differ from run to run"),
        (size.order_passed, "results that show the order of an argument"),
        (size.order_settled, "arguments put in order"),
        (size.value_passed, "results that change with a scalar argument"),
    ];
    rows.map(|(count, what)| format!("  {count:>7} {what}\n")).concat()
}

/// The archives that some paths name, sorted by file name, each once. A folder stands for the archives in it.
fn archives(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = BTreeSet::new();
    for path in paths {
        if path.is_dir() {
            let entries = path
                .read_dir()
                .with_context(|| format!("cannot read {}", path.display()))?;
            for entry in entries {
                let entry = entry.with_context(|| format!("cannot read {}", path.display()))?.path();
                if entry.extension().is_some_and(|it| it == "jar") {
                    found.insert(entry);
                }
            }
        } else if path.exists() {
            found.insert(path.clone());
        } else {
            bail!(
                "{} does not exist; name a source archive or a folder of archives",
                path.display()
            );
        }
    }
    let mut archives: Vec<PathBuf> = found.into_iter().collect();
    archives.sort_by(|a, b| a.file_name().cmp(&b.file_name()).then_with(|| a.cmp(b)));
    Ok(archives)
}

fn show(arguments: &ShowArgs) -> anyhow::Result<ExitStatus> {
    let read;
    let table = match &arguments.table {
        Some(path) => {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            read = LibraryTable::from_bytes(&bytes).with_context(|| path.display().to_string())?;
            &read
        }
        None => LibraryTable::shipped(),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for line in table.lines().iter().filter(|it| it.starts_with(&arguments.prefix)) {
        writeln!(out, "{line}").context(TO_STDOUT)?;
    }
    out.flush().context(TO_STDOUT)?;
    Ok(ExitStatus::Success)
}
