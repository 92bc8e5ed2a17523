//! `peeler confirm`: runs suspected tests to prove that they are flaky. No other command runs code of a repository.

mod arguments;
mod bisecting;
mod planning;
mod replaying;
mod selection;
mod session;
mod steering;
mod wording;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use peeler_features::TestName;
use peeler_learning::atomic_file::{AtomicFile, Durability};
use peeler_rerun::confirm::{Request, confirm};
use peeler_rerun::confirmation::{ConfirmError, Confirmation};
use peeler_rerun::evidence::{Event, Run, runs};
use peeler_rerun::intersect::Changes;
use peeler_rerun::invocation::Invocation;
use peeler_rerun::jvm::JvmError;
use peeler_rerun::jvm::jdk::Jdk;
use peeler_rerun::jvm::pool::Pool;
use peeler_rerun::jvm::process::Interrupt;
use peeler_rerun::log::{self, Log};
use peeler_rerun::orders::Orders;
use peeler_rerun::perturbation::PerturbationKind;
use peeler_rerun::perturbed::Conditions;
use peeler_rerun::plan::Plan;
use peeler_rerun::project::{Build, Project};
use peeler_rerun::report::{ProjectName, Report, write_labels, write_outcomes};
use peeler_rerun::stages::{Completion, RerunCounts};
use peeler_rerun::verdict::Status;

use arguments::Budget;
pub(crate) use arguments::ConfirmArgs;
use bisecting::bisect_record;
use planning::{Planned, planned};
use replaying::replay_record;
use selection::Selection;
use session::{Prepared, make_peeler_folder, sandbox, settings, write_report};

use crate::exit::ExitStatus;
use crate::{console, git, progress, proof};

pub(crate) fn run(arguments: &ConfirmArgs) -> anyhow::Result<ExitStatus> {
    if !arguments.path.is_dir() {
        bail!(
            "{} is not a folder; pass the root of the project",
            arguments.path.display()
        );
    }
    if !cfg!(unix) {
        console::note(
            "note: this system has no process groups, so programs that tests start may outlive an interrupted command",
        );
    }
    let root = arguments.path.canonicalize().context("cannot resolve the path")?;
    let interrupt = interrupt()?;
    let jdk = Jdk::find(arguments.java_home.as_deref())?;
    let build = match &arguments.classpath {
        Some(classpath) => Build::Classpath(absolute(std::env::split_paths(classpath))?),
        None => Build::detect(&root)?,
    };
    let log_path = arguments
        .log
        .clone()
        .unwrap_or_else(|| arguments.path.join(".peeler/evidence.jsonl"));
    let invocation = arguments.invocation(&log_path);
    if let Some(good) = &arguments.bisect {
        let record = arguments.replay.as_ref().unwrap_or(&log_path);
        return bisect_record(arguments, good, record, &root, jdk, &interrupt);
    }
    let sandbox = sandbox(arguments.sandbox, &root)?;
    if let Some(record) = &arguments.replay {
        return replay_record(arguments, record, &root, &build, jdk, sandbox, &interrupt);
    }

    let selection = Selection::of(arguments)?;
    let history = proof::read_history(&arguments.history)?;
    // Earlier run times predict the cost, even those in evidence that --fresh discards.
    let known = [&history[..], &log::read(&log_path).unwrap_or_default()].concat();
    let Planned { plan, grounds } = planned(arguments, &selection, &known)?;
    let mut request = request(arguments, &selection, &plan, &root)?;
    let commands = if arguments.no_build {
        Vec::new()
    } else {
        build.commands(&arguments.build_options())
    };
    eprint!(
        "{}",
        wording::announcement(&commands, &plan, grounds.as_deref(), &request)
    );
    if sandbox.is_some() {
        eprintln!("{}", wording::SANDBOXED);
    }
    if arguments.dry_run {
        eprintln!("nothing was run");
        return Ok(ExitStatus::Success);
    }

    let prepared = Prepared::of(arguments, &root, &build, &interrupt)?;
    let project = &prepared.project;
    if arguments.test.is_empty() {
        keep_tests_of_build(&mut request, project);
    }
    let code = prepared.fingerprint(arguments, sandbox.as_ref());
    let mut log = open_log(arguments, &log_path, &code, &invocation)?;
    let settings = settings(arguments, &root, sandbox);
    let mut pool = Pool::new(project, jdk, settings, interrupt, last_jvm(log.events()));
    let bar = progress::bar("confirming", 0);
    let mut watch = |run: &Run| {
        bar.inc(1);
        bar.set_length(bar.position());
        bar.set_message(format!("{} {}", run.test, run.outcome.words()));
    };
    let mut confirmation = Confirmation::new(&mut pool, &mut log, arguments.budget.and_then(Budget::time), &mut watch);
    let result = confirm(&mut confirmation, &request);
    drop(pool);
    bar.finish_and_clear();
    log.sync()?;
    let stopped = match result {
        Ok(Completion::Complete) => None,
        Ok(Completion::TooManyFailures { failures, tests }) => Some(format!(
            "{failures} of {tests} tests failed, which is too many to be caused by flaky tests; --threshold sets the \
             limit"
        )),
        Err(ConfirmError::BudgetSpent) => {
            Some("the budget is spent; run the same command again to continue".to_owned())
        }
        Err(ConfirmError::Jvm(JvmError::Interrupted)) => bail!(
            "interrupted; all finished runs are recorded in {}; run the same command again to continue",
            log_path.display()
        ),
        Err(other) => return Err(other.into()),
    };
    let mut report = Report::new(
        &invocation,
        &selection.chosen,
        &selection.probabilities,
        &plan,
        &history,
        log.events(),
    );
    report.stopped = stopped;
    let kept = || {
        format!(
            "all runs are recorded in {}, but the results are not written",
            log_path.display()
        )
    };
    write_report(arguments, &report).with_context(kept)?;
    if let Some(path) = &arguments.write_labels {
        labels(arguments, &root, &report, path).with_context(kept)?;
    }
    if let Some(path) = &arguments.write_outcomes {
        outcomes(arguments, &root, project, &report, log.events(), path).with_context(kept)?;
    }
    Ok(if report.summary.flaky > 0 {
        ExitStatus::Findings
    } else {
        ExitStatus::Success
    })
}

fn request(arguments: &ConfirmArgs, selection: &Selection, plan: &Plan, root: &Path) -> anyhow::Result<Request> {
    let steering = selection.steering.clone();
    let kinds = if steering.is_some() {
        PerturbationKind::ALL.to_vec()
    } else {
        arguments.kinds()
    };
    let paper = RerunCounts::default();
    // Chosen tests are expected to fail, so a large share of failures is no reason to stop.
    let by_default = paper.threshold.filter(|_| selection.is_whole);
    let threshold = arguments.threshold.or(by_default);
    Ok(Request {
        tests: plan.run.clone(),
        sweeps: plan.sweeps.clone(),
        suite: selection.suite.clone(),
        counts: RerunCounts {
            immediate: arguments.c_imm,
            threshold,
            end: arguments.c_end,
            new: arguments.c_new,
        },
        changes: match &arguments.changed_since {
            Some(revision) => Some(Changes::since(root, revision)?),
            None => None,
        },
        most_runs: arguments.runs,
        until: arguments.until(),
        orders: (kinds.contains(&PerturbationKind::Order) && steering.is_none()).then(|| Orders {
            seeds: (0..arguments.orders)
                .map(|it| arguments.seed.wrapping_add(it))
                .collect(),
            most_pairs: arguments.pairs,
            probabilities: selection.probabilities.clone(),
        }),
        conditions: Conditions {
            perturbations: kinds.iter().flat_map(|it| arguments.conditions(*it)).collect(),
            runs: arguments.perturbed_runs,
            until: arguments.until(),
        },
        steering,
        most_culprits: if kinds.contains(&PerturbationKind::NonDex) {
            arguments.culprits
        } else {
            0
        },
    })
}

/// Leaves out tests that the build of the project does not run, such as those of modules that are not wanted.
fn keep_tests_of_build(request: &mut Request, project: &Project) {
    let before = request.tests.len();
    let of_build: BTreeSet<TestName> = project.tests_of_build(&request.suite).into_iter().cloned().collect();
    request.tests.retain(|it| of_build.contains(it));
    for sweep in &mut request.sweeps {
        sweep.tests.retain(|it| of_build.contains(it));
    }
    request.suite.retain(|it| of_build.contains(it));
    let left_out = before - request.tests.len();
    if left_out > 0 {
        console::note(format!(
            "note: {left_out} of {before} tests are left out, because the build does not run them; --test runs them"
        ));
    }
}

fn open_log(arguments: &ConfirmArgs, path: &Path, code: &str, invocation: &Invocation) -> anyhow::Result<Log> {
    if arguments.log.is_none() {
        make_peeler_folder(&arguments.path)?;
    }
    Ok(if arguments.fresh {
        Log::fresh(path, code, Some(invocation))?
    } else {
        Log::resume(path, code, Some(invocation))?
    })
}

fn last_jvm(events: &[Event]) -> u32 {
    runs(events).map(|run| run.jvm).max().unwrap_or(0)
}

/// The name of the project that the user gave, or else that of its folder.
fn project_name(arguments: &ConfirmArgs, root: &Path) -> String {
    let folder = root.file_name().map(|it| it.to_string_lossy().into_owned());
    arguments
        .project
        .clone()
        .or(folder)
        .unwrap_or_else(|| "project".to_owned())
}

/// Writes the outcomes of all tests that ran, by what was changed in their runs.
fn outcomes(
    arguments: &ConfirmArgs,
    root: &Path,
    project: &Project,
    report: &Report,
    events: &[Event],
    path: &Path,
) -> anyhow::Result<()> {
    let commit = git::head(root).unwrap_or_default();
    let name = ProjectName {
        project: &project_name(arguments, root),
        commit: &commit,
    };
    let module = |test: &TestName| {
        let folder = project.module_of(test).map(|it| project.modules[it].root.as_path());
        let inside = folder.and_then(|it| it.strip_prefix(root).ok());
        inside
            .filter(|it| *it != Path::new(""))
            .map_or_else(|| ".".to_owned(), |it| it.display().to_string())
    };
    let mut file = AtomicFile::create(path)?;
    let count = write_outcomes(report, events, name, module, &mut file).map_err(|it| file.error(it))?;
    file.finish(Durability::Synced)?;
    console::note(format!("wrote the outcomes of {count} tests to {}", path.display()));
    Ok(())
}

fn labels(arguments: &ConfirmArgs, root: &Path, report: &Report, path: &Path) -> anyhow::Result<()> {
    let project = project_name(arguments, root);
    let mut file = AtomicFile::create(path)?;
    let count = write_labels(report, &project, arguments.runs, &mut file).map_err(|it| file.error(it))?;
    file.finish(Durability::Synced)?;
    let unlabelled = report
        .tests
        .iter()
        .filter(|it| it.verdict.status != Status::Flaky && it.verdict.runs < arguments.runs)
        .count();
    eprintln!(
        "wrote {count} labels to {}; {unlabelled} tests ran fewer than {} times and have no label",
        path.display(),
        arguments.runs
    );
    Ok(())
}

/// Makes paths absolute, because JVMs run in the folder of their module and not in the working directory.
fn absolute(paths: impl Iterator<Item = PathBuf>) -> anyhow::Result<Vec<PathBuf>> {
    let here = std::env::current_dir().context("cannot determine the current folder")?;
    Ok(paths
        .filter(|it| *it != PathBuf::new())
        .map(|it| here.join(it))
        .collect())
}

/// A flag that SIGINT, SIGTERM and SIGHUP set. The running test and its JVM end before the command does.
fn interrupt() -> anyhow::Result<Interrupt> {
    let interrupt = Interrupt::default();
    let requested = interrupt.clone();
    ctrlc::set_handler(move || requested.request()).context("cannot listen for Ctrl-C")?;
    Ok(interrupt)
}
