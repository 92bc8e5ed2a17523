//! `peeler confirm --replay`: reproduces recorded failures.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use peeler_rerun::confirmation::Confirmation;
use peeler_rerun::evidence::{Event, Run};
use peeler_rerun::jvm::jdk::Jdk;
use peeler_rerun::jvm::pool::Pool;
use peeler_rerun::jvm::process::Interrupt;
use peeler_rerun::jvm::sandbox::Sandbox;
use peeler_rerun::log::{self, Log};
use peeler_rerun::plan::Plan;
use peeler_rerun::project::Build;
use peeler_rerun::replay::replay;
use peeler_rerun::report::Report;
use peeler_rerun::scratch_folder::ScratchFolder;

use super::arguments::{Budget, ConfirmArgs};
use super::selection;
use super::session::{Prepared, settings, write_report};
use crate::exit::ExitStatus;

/// Reproduces the recorded failures of flaky tests (`--replay`). The runs of a replay are not added to the evidence
/// file.
pub(super) fn replay_record(
    arguments: &ConfirmArgs,
    record: &Path,
    root: &Path,
    build: &Build,
    jdk: Jdk,
    sandbox: Option<Sandbox>,
    interrupt: &Interrupt,
) -> anyhow::Result<ExitStatus> {
    let recorded = log::read(record)?;
    let wanted = selection::parsed(&arguments.test)?;
    let prepared = Prepared::of(arguments, root, build, interrupt)?;
    let project = &prepared.project;
    let code = prepared.fingerprint(arguments, sandbox.as_ref());
    let is_other_code = recorded
        .iter()
        .any(|event| matches!(event, Event::Session { code: before, .. } if *before != code));
    if is_other_code {
        eprintln!(
            "note: the code, the JVM options or the sandbox have changed since {} was recorded",
            record.display()
        );
    }
    let folder = ScratchFolder::new().context("cannot make a temporary folder; make room, or set TMPDIR")?;
    let mut log = Log::fresh(&folder.path().join("replay.jsonl"), &code, None)?;
    let settings = settings(arguments, root, sandbox);
    let mut pool = Pool::new(project, jdk, settings, interrupt.clone(), 0);
    let mut watch = |_: &Run| {};
    let mut confirmation = Confirmation::new(&mut pool, &mut log, arguments.budget.and_then(Budget::time), &mut watch);
    let result = replay(&mut confirmation, &recorded, &wanted, arguments.runs);
    drop(pool);
    let events = log.events().to_vec();
    let reproductions = result?;
    if reproductions.is_empty() {
        bail!(
            "{} contains no flaky test{}",
            record.display(),
            if wanted.is_empty() { "" } else { " with these names" }
        );
    }
    let invocation = arguments.invocation(record);
    let plan = Plan::new(&[], None, arguments.runs);
    let mut report = Report::new(&invocation, &[], &BTreeMap::new(), &plan, &[], &events);
    let is_seen_again = reproductions.iter().any(|it| it.failed_in_attempt.is_some());
    report.reproductions = reproductions;
    write_report(arguments, &report)?;
    Ok(if is_seen_again {
        ExitStatus::Findings
    } else {
        ExitStatus::Success
    })
}
