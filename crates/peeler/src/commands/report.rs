//! `peeler report`: writes reports about an earlier scan. Nothing is scanned, and nothing is sent over the network.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use peeler_learning::atomic_file::{AtomicFile, Durability, WriteError};
use peeler_rerun::scratch_folder::ScratchFolder;
use peeler_rerun::shell;

use crate::build_layout::BuildLayout;
use crate::console;
use crate::exit::ExitStatus;
use crate::finding::{Finding, SCHEMA, Scan, TestScore};
use crate::named_root::base_folder;
use crate::proof::{ProofArgs, without_details};
use crate::ranking::{self, Rank};
use crate::render::drafts::{Grouping, drafts, index};
use crate::render::formats::{self, Format, Style};

/// Create reports from the JSON of a scan
///
/// The format `markdown` writes a folder of draft issues with an index, one draft for every test (or class, or cause)
/// that runs proved flaky. --unproven drafts the others too, and says so in their first line. A person should read and
/// check each draft before filing it. All other formats write one file.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// File written by `peeler scan --format json`
    scan: PathBuf,
    /// Output format; markdown creates draft issues
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
    /// Folder for draft issues, file for all other formats
    #[arg(short, long, value_name = "PATH")]
    out: PathBuf,
    /// Report tests with at least this probability of being flaky, tests that a rule found, and tests that runs proved
    /// flaky
    #[arg(long, value_name = "P", default_value_t = 0.7, value_parser = super::scan::probability)]
    min_probability: f32,
    /// Draft issues also for tests that no run proved flaky; their first line says so
    #[arg(long)]
    unproven: bool,
    /// What one draft issue is about
    #[arg(long, value_enum, default_value_t = GroupName::Test)]
    group: GroupName,
    #[command(flatten)]
    proof: ProofArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum GroupName {
    /// One draft issue for each test
    Test,
    /// One draft issue for all tests of a class
    Class,
    /// One draft issue for all tests whose cause is on the same line
    Cause,
}

pub(crate) fn run(arguments: &ReportArgs) -> anyhow::Result<ExitStatus> {
    let mut scan = read_scan(&arguments.scan)?;
    let evidence = arguments.proof.open(scan.roots.first().map_or(".", String::as_str))?;
    evidence.add_proven(&mut scan);
    evidence.attach(&mut scan);
    evidence.tell_unlisted(
        &scan,
        "suppressed or not in the scan (`peeler scan --all` or `peeler scan --proof` includes it)",
    );
    add_probable(&mut scan, arguments.min_probability);
    let all = scan.findings.len();
    scan.findings
        .retain(|it| Rank::of(it).is_listed(arguments.min_probability));
    if scan.findings.len() < all {
        let (dropped, from) = (all - scan.findings.len(), arguments.min_probability);
        console::note(format_args!(
            "{dropped} of {all} findings are below {from} and left out; a lower --min-probability includes them"
        ));
    }
    if arguments.format == Format::Markdown && !arguments.unproven {
        leave_out_unproven(&mut scan);
    }
    scan.summary.findings = scan.findings.len();
    if arguments.format == Format::Markdown {
        write_drafts(&scan, arguments)?;
    } else {
        let mut file = AtomicFile::create(&arguments.out)?;
        formats::write(arguments.format, Style::Plain, &scan, &mut file).map_err(|it| file.error(it))?;
        file.finish(Durability::Synced)?;
    }
    Ok(ExitStatus::Success)
}

/// Adds the tests of a scan with `--all` that are below its threshold but reach `min_probability`.
fn add_probable(scan: &mut Scan, min_probability: f32) {
    let threshold = scan.model.threshold;
    let listed: BTreeSet<&str> = scan.findings.iter().map(|it| it.test.as_str()).collect();
    // Other unlisted tests are suppressed, known to the baseline or cut off by `--top`.
    let is_wanted = |it: &&TestScore| {
        let is_between = (min_probability..threshold).contains(&it.probability);
        is_between && it.rules.is_empty() && !listed.contains(it.test.as_str())
    };
    let wanted = scan.tests.iter().flatten().filter(is_wanted);
    let added: Vec<Finding> = wanted
        .map(|it| without_details(it, "no cause found; the network alone suspects it"))
        .collect();
    scan.findings.extend(added);
    ranking::sort(&mut scan.findings);
}

/// Removes the findings that no run proved flaky, and says how to prove or to draft them.
fn leave_out_unproven(scan: &mut Scan) {
    let all = scan.findings.len();
    scan.findings.retain(Finding::is_proven);
    match all - scan.findings.len() {
        0 => {}
        unproven => console::note(format_args!(
            "{unproven} of {all} findings are not proven by runs and left out; `peeler confirm` runs them for --proof, \
             and --unproven drafts them as they are"
        )),
    }
}

/// Reads a file written by `peeler scan --format json`.
pub(super) fn read_scan(path: &Path) -> anyhow::Result<Scan> {
    let text = fs::read(path).with_context(|| format!("cannot read {}; does it exist?", path.display()))?;
    scan_from_bytes(path, &text)
}

/// Parses the text of a file written by `peeler scan --format json`. Error messages name `path` as the file.
pub(crate) fn scan_from_bytes(path: &Path, text: &[u8]) -> anyhow::Result<Scan> {
    let remedy = || {
        format!(
            "{} is not the JSON of a scan; create it with `peeler scan --format json`",
            path.display()
        )
    };
    let value: serde_json::Value = serde_json::from_slice(text).with_context(remedy)?;
    match value.get("version").and_then(serde_json::Value::as_u64) {
        Some(version) if version == u64::from(SCHEMA) => {}
        Some(version) => bail!(
            "{} has format version {version}, but this program reads version {SCHEMA}; scan again",
            path.display()
        ),
        None => bail!(remedy()),
    }
    if has_huge_number(&value) {
        bail!("{}; a number in it is too large", remedy());
    }
    let mut scan: Scan = serde_json::from_value(value).with_context(remedy)?;
    // The file may come from anywhere, and drafts show its commands to people who run them.
    for proof in scan.findings.iter_mut().filter_map(|it| it.proof.as_mut()) {
        proof.command = proof.command.take().and_then(|it| shell::replay_command(&it));
    }
    Ok(scan)
}

/// Whether a JSON value contains a number too large for an `f32`. It would become infinite, and infinity cannot be
/// written as JSON.
fn has_huge_number(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Number(number) => number.as_f64().is_some_and(|it| it.abs() > f64::from(f32::MAX)),
        serde_json::Value::Array(values) => values.iter().any(has_huge_number),
        serde_json::Value::Object(values) => values.values().any(has_huge_number),
        _ => false,
    }
}

fn write_drafts(scan: &Scan, arguments: &ReportArgs) -> anyhow::Result<()> {
    let grouping = match arguments.group {
        GroupName::Test => Grouping::Test,
        GroupName::Class => Grouping::Class,
        GroupName::Cause => Grouping::Cause,
    };
    let folder = &arguments.out;
    if folder.read_dir().is_ok_and(|mut it| it.next().is_some()) {
        bail!(
            "{} is not empty; choose another folder, so that old and new drafts do not mix",
            folder.display()
        );
    }
    let roots: Vec<PathBuf> = scan.roots.iter().map(PathBuf::from).collect();
    let builds = BuildLayout::around(&scan.findings, &base_folder(&roots));
    let made = drafts(scan, grouping, &builds, arguments.min_probability);
    let index = index(scan, &made);
    let mut files: Vec<(&str, &str)> = made.iter().map(|it| (&*it.file_name, &*it.text)).collect();
    files.push(("index.md", &index));
    write_folder(folder, &files).map_err(|source| WriteError {
        path: folder.clone(),
        source,
    })?;
    println!("wrote {} drafts and index.md to {}", made.len(), folder.display());
    Ok(())
}

/// Writes files into a new or empty folder: all of them or, after an error, none. A new folder gets its final name only
/// when it is complete.
fn write_folder(folder: &Path, files: &[(&str, &str)]) -> io::Result<()> {
    let write_into = |folder: &Path| {
        files
            .iter()
            .try_for_each(|(name, text)| fs::write(folder.join(name), text))
    };
    if folder.is_dir() {
        let written = write_into(folder);
        if written.is_err() {
            for (name, _) in files {
                let _ = fs::remove_file(folder.join(name));
            }
        }
        return written;
    }
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent)?;
    let scratch = ScratchFolder::new_in(parent)?;
    let unfinished = scratch.path().join("drafts");
    fs::create_dir(&unfinished)?;
    write_into(&unfinished)?;
    fs::rename(unfinished, folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::formats::made;

    #[test]
    fn a_scan_with_an_invalid_test_name_is_refused_with_the_name_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scan.json");
        let text = serde_json::to_string(&made::scan()).unwrap();
        for name in ["total", "#", "shop.OrderTest#total#again", "two words#total", ""] {
            fs::write(&path, text.replace("shop.OrderTest#total", name)).unwrap();
            let error = format!("{:#}", read_scan(&path).unwrap_err());
            assert!(
                error.contains("scan.json") && error.contains("is not a test"),
                "{name}: {error}"
            );
        }
        fs::write(&path, text).unwrap();
        assert_eq!(read_scan(&path).unwrap(), made::scan());
    }
}
