//! `peeler confirm --bisect`: finds the commit that made a test flaky.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use peeler_features::TestName;
use peeler_rerun::bisect::{
    BisectError, Commit, Ends, GitError, Observation, RecordedFailure, Repository, WorkingCopy, bisect, steps_of,
};
use peeler_rerun::confirmation::{ConfirmError, Confirmation};
use peeler_rerun::evidence::{Event, Run, runs};
use peeler_rerun::jvm::jdk::Jdk;
use peeler_rerun::jvm::pool::{JvmSettings, Pool};
use peeler_rerun::jvm::process::Interrupt;
use peeler_rerun::jvm::sandbox::Sandbox;
use peeler_rerun::log::{self, Log};
use peeler_rerun::plan::Plan;
use peeler_rerun::project::{Build, Project};
use peeler_rerun::report::{Price, Report};
use peeler_rerun::verdict::{Status, verdicts};

use super::arguments::{Budget, ConfirmArgs, ReportFormat};
use super::selection;
use super::session::{Prepared, sandbox, settings, write_report};
use crate::exit::ExitStatus;

/// The number of flaky tests that a message names.
const MOST_NAMES: usize = 10;

/// Finds the commit after `good` that made a test of an evidence file flaky (`--bisect`). The runs are not added to the
/// evidence file.
pub(super) fn bisect_record(
    arguments: &ConfirmArgs,
    good: &str,
    record: &Path,
    root: &Path,
    jdk: Jdk,
    interrupt: &Interrupt,
) -> anyhow::Result<ExitStatus> {
    if arguments.format == ReportFormat::Junit {
        bail!("JUnit XML has no place for a commit; choose --format text or json with --bisect");
    }
    let recorded = log::read(record)?;
    let test = flaky_test(&recorded, &selection::parsed(&arguments.test)?, record)?;
    let failure = RecordedFailure::of(&recorded, &test).with_context(|| {
        format!(
            "{} contains no failure of {test} that can be set up again",
            record.display()
        )
    })?;
    let repository = Repository::open(root, interrupt)?;
    let ends = Ends::of(&repository, good)?;
    let between = repository.between(std::slice::from_ref(&ends.good.id), &ends.bad.id)?;
    let unknown = between.len().saturating_sub(1);
    let options = arguments.build_options();
    for command in Build::detect(root).iter().flat_map(|it| it.commands(&options)) {
        eprintln!("builds each commit in a temporary clone with: {command}");
    }
    eprintln!(
        "runs {test} {}, up to {} times at each commit\n\
         checks both ends and about {} of {unknown} commits between them",
        failure.recipe.words(),
        arguments.runs,
        steps_of(unknown)
    );
    if repository.has_changes()? {
        eprintln!("note: changes that are not committed are left out");
    }
    let copy = repository.copy()?;
    let mut observer = Observer {
        sandbox: sandbox(arguments.sandbox, copy.root())?,
        copy,
        arguments,
        root,
        failure: &failure,
        recorded: &recorded,
        record,
        head: &ends.bad,
        jdk,
        interrupt,
        until: arguments.budget.and_then(Budget::time).map(|it| Instant::now() + it),
        loaded: BTreeSet::new(),
        cost: Price::default(),
    };
    let result = bisect(
        &repository,
        &ends,
        &failure,
        arguments.runs,
        &mut |commit| observer.observe(commit),
        &mut |step| eprintln!("{}", step.line()),
    );
    let mut bisection = match result {
        Err(error) if error.is_interrupt() => bail!("interrupted; the temporary clone is deleted"),
        other => other?,
    };
    if !observer.loaded.is_empty() {
        bisection.set_loaded(&observer.loaded);
    }
    let plan = Plan::new(&[], None, arguments.runs);
    // Runs of different code are no evidence together, so the report has no verdicts.
    let mut report = Report::new(&arguments.invocation(record), &[], &BTreeMap::new(), &plan, &[], &[]);
    report.cost = observer.cost;
    report.stopped.clone_from(&bisection.stopped);
    report.bisection = Some(bisection);
    write_report(arguments, &report)?;
    Ok(ExitStatus::Findings)
}

/// The flaky test to bisect: the one that the user names, or the only one of the evidence file.
fn flaky_test(recorded: &[Event], wanted: &[TestName], record: &Path) -> anyhow::Result<TestName> {
    let mut flaky: Vec<TestName> = verdicts(recorded, &[])
        .into_iter()
        .filter(|it| it.status == Status::Flaky)
        .map(|it| it.test)
        .collect();
    let record = record.display();
    match (wanted, flaky.len()) {
        ([], 0) => bail!("{record} contains no flaky test"),
        ([], 1) => Ok(flaky.remove(0)),
        ([], count) => {
            let names: Vec<&str> = flaky.iter().take(MOST_NAMES).map(AsRef::as_ref).collect();
            let more = match count.saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            bail!(
                "{record} contains {count} flaky tests; choose one with --test: {}{more}",
                names.join(", ")
            )
        }
        ([one], _) if flaky.contains(one) => Ok(one.clone()),
        ([one], _) => bail!("{record} does not prove that {one} is flaky"),
        _ => bail!("--bisect takes one test; give --test once"),
    }
}

/// Builds commits in a temporary clone and runs the recorded failure of a test there.
struct Observer<'a> {
    copy: WorkingCopy,
    arguments: &'a ConfirmArgs,
    /// The folder of the user's project.
    root: &'a Path,
    failure: &'a RecordedFailure,
    recorded: &'a [Event],
    record: &'a Path,
    head: &'a Commit,
    jdk: Jdk,
    interrupt: &'a Interrupt,
    until: Option<Instant>,
    /// The classes that the test loads at `HEAD`; empty if they are unknown.
    loaded: BTreeSet<String>,
    /// The sandbox of test JVMs, in which they may write into the temporary clone.
    sandbox: Option<Sandbox>,
    cost: Price,
}

impl Observer<'_> {
    fn observe(&mut self, commit: &Commit) -> Result<Observation, BisectError> {
        if self.left().is_some_and(|it| it.is_zero()) {
            return Err(ConfirmError::BudgetSpent.into());
        }
        match self.copy.check_out(commit) {
            Err(GitError::Failed { reason, .. }) => {
                return Ok(Observation::Untestable {
                    reason: format!("cannot be checked out\n{reason}"),
                });
            }
            other => other?,
        }
        if !self.copy.root().is_dir() {
            return Ok(Observation::Missing);
        }
        let options = self.arguments.build_options();
        let built =
            Build::detect(self.copy.root()).and_then(|it| it.prepare(self.copy.root(), &options, self.interrupt));
        match built {
            Ok(project) => self.run(commit, &project),
            Err(error) => Ok(Observation::of_build(error)?),
        }
    }

    /// Runs the recorded failure in a commit's build.
    fn run(&mut self, commit: &Commit, project: &Project) -> Result<Observation, BisectError> {
        let code = self.fingerprint(project);
        let is_head = commit == self.head;
        if is_head && self.is_other_code(&code) {
            eprintln!(
                "note: the code of HEAD is not the code that {} recorded",
                self.record.display()
            );
        }
        let folder = self.copy.scratch();
        let log_path = folder.join("runs.jsonl");
        let mut log = Log::fresh(&log_path, &code, None).map_err(ConfirmError::from)?;
        let settings = JvmSettings {
            // An archive of the repository may have other content at another commit.
            cache: folder.join("runner").join(&commit.id),
            ..settings(self.arguments, self.root, self.sandbox.clone())
        };
        let mut pool = Pool::new(project, self.jdk.clone(), settings, self.interrupt.clone(), 0);
        let mut watch = |_: &Run| {};
        let mut confirmation = Confirmation::new(&mut pool, &mut log, self.left(), &mut watch);
        let seen = self.failure.observe(&mut confirmation, self.arguments.runs);
        if is_head && matches!(seen, Ok(Observation::Failed { .. })) {
            // Without these classes the report only says less.
            self.loaded = self.failure.loaded_classes(&mut confirmation).unwrap_or_default();
        }
        drop(pool);
        self.add_cost(log.events());
        Ok(seen?)
    }

    /// The time that is left of the budget; `None` without a budget.
    fn left(&self) -> Option<Duration> {
        self.until.map(|it| it.saturating_duration_since(Instant::now()))
    }

    /// The fingerprint that the code would have in the user's project.
    ///
    /// Archives are hashed by path and time, so those in the temporary clone stand for those of the project.
    fn fingerprint(&self, project: &Project) -> String {
        let mut project = project.clone();
        for entry in project.modules.iter_mut().flat_map(|it| &mut it.classpath) {
            if let Ok(inside) = entry.strip_prefix(self.copy.root())
                && !entry.is_dir()
            {
                *entry = self.root.join(inside);
            }
        }
        Prepared::new(project).fingerprint(self.arguments, self.sandbox.as_ref())
    }

    fn is_other_code(&self, code: &str) -> bool {
        let mut events = self.recorded.iter();
        events.any(|event| matches!(event, Event::Session { code: before, .. } if before != code))
    }

    fn add_cost(&mut self, events: &[Event]) {
        let jvms: BTreeSet<u32> = runs(events).map(|run| run.jvm).filter(|it| *it > 0).collect();
        self.cost.jvms += jvms.len();
        self.cost.runs += runs(events).count();
        self.cost.milliseconds += runs(events).map(|run| run.milliseconds).sum::<u64>();
    }
}
