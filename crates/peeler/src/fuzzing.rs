//! Functions for the fuzz targets in `fuzz/`: they read files that other people may have written.
//!
//! Every function reads text as a command would, and does with it what the command does. It writes no file.
//!
//! Invariant: no text makes a function panic. This module is no interface for other programs.

use std::io;
use std::path::Path;

use peeler_analysis::{Analysis, Repository};
use peeler_features::Rule;

use crate::base_revision::BaseRevision;
use crate::baseline::Baseline;
use crate::build_layout::{BuildKind, BuildLayout};
use crate::commands::report::scan_from_bytes;
use crate::proof::Evidence;
use crate::render::drafts::{Grouping, drafts, index};
use crate::render::formats::{self, Format, Style};
use crate::rule_selection::RuleChoices;
use crate::settings::Settings;

/// Parses the text of `peeler.toml`, and asks for a few files and all rules whether they are reported. Returns whether
/// the text is valid.
#[must_use]
pub fn settings(text: &str) -> bool {
    let Ok(settings) = Settings::from_text("peeler.toml", text) else {
        return false;
    };
    let rules = settings.rules(&RuleChoices::default());
    for file in ["ATest.java", "shop/src/test/java/shop/CartTest.java", "legacy/BIT.java"] {
        let _ = settings.takes(file);
        for rule in Rule::all() {
            let _ = rules.reports(*rule, file);
        }
    }
    let _ = (settings.digest(), settings.causes());
    true
}

/// Parses a baseline and removes the findings that it contains from a scan. Returns whether the baseline is valid.
///
/// # Panics
///
/// When the baseline cannot be read again after it was written.
#[must_use]
pub fn baseline(text: &[u8], scan: &[u8]) -> bool {
    let path = Path::new("baseline.json");
    let Ok(baseline) = Baseline::from_bytes(path, text) else {
        return false;
    };
    if let Ok(mut scan) = scan_from_bytes(Path::new("scan.json"), scan) {
        let known = baseline.silence(&mut scan.findings);
        let written = Baseline::new(&scan.findings, &known.known).text();
        Baseline::from_bytes(path, written.as_bytes()).expect("a written baseline is valid");
    }
    true
}

/// Parses the JSON of a scan and results of test runs, and writes the scan in all formats and as draft issues. Returns
/// whether the scan is valid.
///
/// # Panics
///
/// When the scan cannot be read again after it was written.
#[must_use]
pub fn scan(text: &[u8], proof: &[u8]) -> bool {
    let path = Path::new("scan.json");
    let Ok(mut scan) = scan_from_bytes(path, text) else {
        return false;
    };
    if let Ok(evidence) = Evidence::from_bytes(Path::new("evidence.jsonl"), proof, "shop") {
        evidence.add_proven(&mut scan);
        evidence.attach(&mut scan);
    }
    for format in [
        Format::Text,
        Format::Jsonl,
        Format::Sarif,
        Format::Junit,
        Format::Github,
        Format::Gitlab,
        Format::Markdown,
        Format::Html,
    ] {
        formats::write(format, Style::Coloured, &scan, &mut io::sink()).expect("a sink takes everything");
    }
    let mut json = Vec::new();
    formats::write(Format::Json, Style::Plain, &scan, &mut json).expect("memory takes everything");
    scan_from_bytes(path, &json).expect("a written scan is valid");
    for (grouping, kind) in [
        (Grouping::Test, BuildKind::Maven),
        (Grouping::Class, BuildKind::Gradle),
        (Grouping::Cause, BuildKind::Unknown),
    ] {
        let builds = BuildLayout::same(kind);
        let _ = index(&scan, &drafts(&scan, grouping, &builds, 0.0));
    }
    true
}

/// Reads the Java files of a git revision and compares their tests with the Java files of the work tree, as `--since`
/// does. Returns the number of new and changed tests, or nothing if the revision cannot be read.
#[must_use]
pub fn changed_tests(root: &Path, revision: &str, work_tree: Vec<(String, Vec<u8>)>) -> Option<usize> {
    let present = Repository::from_sources(work_tree);
    let base = BaseRevision::open(root, revision, &present).ok()?;
    Some(base.changes(&Analysis::new(&present)).tests.len())
}
