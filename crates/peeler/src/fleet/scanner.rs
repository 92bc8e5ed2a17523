//! Scans one repository after the other and makes their records.
//!
//! Invariant: the findings of a record are those of a plain scan of the same files with the same options.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use super::list::Entry;
use super::memory;
use super::record::{Counts, Origin, Record, RecordModel, Run, Status};
use super::sources::Sources;
use crate::finding::Scan;
use crate::git::ReadRevision;
use crate::named_root::NamedRoot;
use crate::ranking::DisabledTests;
use crate::request::{Caching, Disposal, Request, ScoreList};
use crate::rule_selection::RuleChoices;
use crate::scorer::Scorer;
use crate::settings::{Settings, Source};
use crate::{listing, pipeline, roots};

/// The options of a scan that hold for every repository of a fleet.
#[derive(Debug)]
pub(crate) struct ScanOptions<'a> {
    /// The lowest probability that makes a test a finding; `None` for that of the settings or the model.
    pub(crate) min_probability: Option<f32>,
    /// The number of tests to list of one repository, below the threshold too; `None` for all findings.
    pub(crate) top: Option<usize>,
    /// Whether a record lists every test with its probability, in addition to the findings.
    pub(crate) scores: ScoreList,
    /// The rules that the command line selects and ignores.
    pub(crate) rules: RuleChoices,
    /// Where the settings of each repository come from: the nearest `peeler.toml`, one given file, or the defaults.
    pub(crate) settings: Source<'a>,
}

/// Everything that scanning a repository needs, loaded once.
pub(crate) struct Scanner<'a> {
    /// The model that gives each test its probability of being flaky.
    pub(crate) scorer: Box<dyn Scorer>,
    /// The options of the command line, which hold for every repository.
    pub(crate) options: ScanOptions<'a>,
    /// The version, model and options that all records of the scanner share.
    pub(crate) origin: Origin,
}

impl Scanner<'_> {
    /// Scans a repository and returns its record. After an error, the record has the status `Failed`.
    pub(crate) fn record(&self, entry: &Entry) -> Record {
        memory::reset_peak();
        let started = Instant::now();
        let mut record = self.outcome(entry, started).unwrap_or_else(|error| {
            let words = format!("{error:#}");
            self.origin.record(entry, Status::Failed, Some(words), Run::default())
        });
        record.run = Run {
            seconds: started.elapsed().as_secs_f64(),
            peak_memory: memory::peak(),
        };
        record
    }

    fn outcome(&self, entry: &Entry, started: Instant) -> anyhow::Result<Record> {
        let sources = Sources::open(entry)?;
        let commit = sources.revision.as_ref().map(|it| it.commit.clone());
        let Some(repository) = sources.repository else {
            return Ok(Record {
                commit,
                ..self.origin.record(entry, Status::NoJava, None, Run::default())
            });
        };
        let settings = self.settings(entry, sources.revision.as_ref())?;
        let rules = settings.rules(&self.options.rules);
        let request = Request {
            scorer: &*self.scorer,
            min_probability: self.options.min_probability.or(settings.min_probability),
            top: self.options.top,
            extra: self.options.top.unwrap_or(0),
            disabled: DisabledTests::LeaveOut,
            scores: self.options.scores,
            settings: &settings,
            rules: &rules,
            files: None,
            since: None,
            proven: &BTreeSet::new(),
            caching: Caching::Off,
            disposal: Disposal::Free,
            started,
        };
        let (scan, _) = pipeline::scan(&entry.path, &repository, None, &request)?;
        let mut scan = roots::merged(vec![(NamedRoot::plain(entry.path.clone().into()), scan)]);
        listing::list(&mut scan, None, self.options.top);
        Ok(Record {
            commit,
            ..self.scanned(entry, scan, repository.bytes())
        })
    }

    /// The settings for scanning a repository. With [`Source::Nearest`], a git revision uses only the `peeler.toml` at
    /// its root.
    fn settings(&self, entry: &Entry, revision: Option<&ReadRevision>) -> anyhow::Result<Settings> {
        let root = Path::new(&entry.path);
        match (self.options.settings, revision) {
            (Source::Nearest, Some(revision)) => match &revision.settings {
                Some((shown, text)) => Settings::from_text(shown, text),
                None => Settings::open(root, Source::Nothing),
            },
            (source, _) => Settings::open(root, source),
        }
    }

    fn scanned(&self, entry: &Entry, scan: Scan, bytes: u64) -> Record {
        let summary = &scan.summary;
        Record {
            counts: Counts {
                files: summary.files as u64,
                bytes,
                tests: summary.tests as u64,
                findings: summary.findings as u64,
                suppressed: summary.suppressed as u64,
                excluded: summary.excluded as u64,
                incomplete: summary.incomplete as u64,
            },
            model: RecordModel {
                name: self.origin.model.clone(),
                identity: self.origin.identity.clone(),
                threshold: Some(scan.model.threshold),
            },
            findings: scan.findings,
            tests: scan.tests,
            problems: scan.problems,
            ..self.origin.record(entry, Status::Scanned, None, Run::default())
        }
    }
}
