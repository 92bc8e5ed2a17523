//! `peeler train`: from labelled corpora to a model.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use indicatif::ProgressBar;
use peeler_eval::corpus::{Corpus, TestRecord};
use peeler_eval::rivals::store::FILE as RIVAL;
use peeler_eval::splits::{Split, parts};
use peeler_features::Sample;
use peeler_model::store::{self, Origin};
use peeler_model::{Backend, Config, Dataset, EpochReport, Parts, Precision, Setting, Stage, TrainingRun};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::eval::{configuration, embeddings};
use super::train_rival::{self, RivalName};
use crate::{ExitStatus, progress};

/// Where training stands, in the folder of the model to come.
const CHECKPOINT: &str = "checkpoint.peeler";
/// A scout alone holds out one part in so many.
const PARTS: usize = 8;
/// With fewer projects that have flaky tests, classes are held out instead.
const ENOUGH_PROJECTS: usize = 8;
/// The exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Train a model on labelled corpora
///
/// One network, or several with --scouts, is judged on held-out projects (classes, where projects are few) and shows when
/// to stop and where the threshold lies; the networks of the model then learn from everything. After every epoch the state is
/// written down: a run that was interrupted goes on with --resume and ends with the same model.
#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    /// The corpus; several are merged
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    corpus: Vec<PathBuf>,
    /// Folder for the model
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// What computes: auto, cpu, flex, ndarray, wgpu or cuda
    #[arg(long, default_value = "auto")]
    backend: Backend,
    /// Configuration: default, paper, or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "default")]
    config: String,
    /// Vectors of sub-tokens to begin with: word2vec's text format, as wide as the configuration's
    #[arg(long, value_name = "FILE")]
    embeddings: Option<PathBuf>,
    /// Epochs at most, instead of the configuration's
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
    /// Networks that are judged on held-out tests: one holds out an eighth; of more, each holds out a part of its own, and
    /// every test is in one of them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=32))]
    scouts: u8,
    /// Train one of the literature's methods instead of the network; `peeler scan --model DIR` judges with it
    #[arg(long, value_name = "NAME", value_enum,
          conflicts_with_all = ["backend", "config", "embeddings", "epochs", "scouts", "resume"])]
    rival: Option<RivalName>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Go on where an interrupted run in the same folder stood
    #[arg(long)]
    resume: bool,
}

pub(crate) fn run(arguments: &TrainArgs) -> anyhow::Result<ExitStatus> {
    let mut config = configuration(&arguments.config)?;
    if let Some(epochs) = arguments.epochs {
        config.epochs = epochs;
        config
            .check()
            .map_err(|cause| anyhow::anyhow!("--epochs {epochs}: {cause}"))?;
    }
    if arguments.scouts > 1 && config.members == 0 {
        bail!(
            "--scouts {}: in this configuration (`members = 0`) the scout is the model; leave --scouts out",
            arguments.scouts
        );
    }
    let pretrained = match &arguments.embeddings {
        Some(path) => Some(embeddings(path, &config)?),
        None => None,
    };
    let backend = arguments.backend.resolve()?;
    let corpus = Corpus::load_all(&arguments.corpus)?;
    let flaky = corpus.tests.iter().filter(|it| it.flaky).count();
    if flaky == 0 || flaky == corpus.tests.len() {
        bail!(
            "{flaky} of {} tests are flaky; training needs flaky and stable ones",
            corpus.tests.len()
        );
    }
    let checkpoint = arguments.out.join(CHECKPOINT);
    refuse_to_overwrite(arguments, &checkpoint)?;
    if let Some(rival) = arguments.rival {
        let (rounds, held_out) = rounds(&corpus, 1, arguments.seed);
        return train_rival::run(
            rival.into(),
            &corpus,
            &rounds[0],
            held_out,
            arguments.seed,
            &arguments.out,
        );
    }
    std::fs::create_dir_all(&arguments.out).with_context(|| format!("cannot create {}", arguments.out.display()))?;

    let samples: Vec<&Sample> = corpus.tests.iter().map(|it| &it.sample).collect();
    let dataset = Dataset::new(&samples, corpus.tables(), config.depth);
    let (rounds, held_out) = rounds(&corpus, arguments.scouts.into(), arguments.seed);
    eprintln!(
        "{} tests ({flaky} flaky) of {} projects; {} tests of held-out {held_out} judge; backend {backend}, seed {}",
        corpus.tests.len(),
        corpus.projects.len(),
        rounds.iter().map(|it| it.validation.len()).sum::<usize>(),
        arguments.seed
    );
    let setting = Setting {
        config: &config,
        dataset: &dataset,
        pretrained: pretrained.as_ref(),
        backend,
        seed: arguments.seed,
    };
    let mut run = if arguments.resume {
        let bytes = std::fs::read(&checkpoint).with_context(|| {
            format!(
                "nothing to resume: cannot read {}; leave --resume out to begin",
                checkpoint.display()
            )
        })?;
        let remedy = || format!("cannot resume from {}; remove it to begin anew", checkpoint.display());
        let run = TrainingRun::resume(setting, rounds, &bytes).with_context(remedy)?;
        eprintln!("resumed after {} epochs", run.history().len());
        run
    } else {
        TrainingRun::new(setting, rounds)?
    };
    store::write_whole(&checkpoint, &run.checkpoint())?;
    stop_on_interrupt(&checkpoint)?;
    let dashboard = Dashboard::new(&config, arguments.scouts.into());
    let failed = || {
        format!(
            "no model was trained; remove {} before the next try",
            checkpoint.display()
        )
    };
    while let Some((stage, report)) = run.epoch().with_context(failed)? {
        store::write_whole(&checkpoint, &run.checkpoint())?;
        dashboard.show(stage, &report, run.history());
    }
    dashboard.finish();
    let origin = Origin {
        corpus: corpus.fingerprint(),
        projects: corpus.projects.clone(),
        tests: corpus.tests.len(),
        flaky,
        seed: arguments.seed,
        backend: backend.to_string(),
        validation: run.validation(),
        held_out: held_out.to_owned(),
    };
    let history = run.history().to_vec();
    let model = run.into_model();
    store::save(&arguments.out, &model, &origin, &history, Precision::Half)?;
    std::fs::remove_file(&checkpoint).with_context(|| format!("cannot remove {}", checkpoint.display()))?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "model in {}: {} networks, average precision {:.3} on held-out {held_out}",
        arguments.out.display(),
        model.members.len(),
        origin.validation.unwrap_or(0.0)
    )?;
    Ok(ExitStatus::Success)
}

fn refuse_to_overwrite(arguments: &TrainArgs, checkpoint: &Path) -> anyhow::Result<()> {
    let folder = arguments.out.display();
    if arguments.resume {
        return Ok(());
    }
    if checkpoint.exists() {
        bail!("{folder} holds an interrupted run; go on with --resume, or choose another folder");
    }
    if ["model.json", RIVAL].iter().any(|it| arguments.out.join(it).exists()) {
        bail!("{folder} holds a model already; choose another folder or remove it");
    }
    Ok(())
}

/// What each scout learns from and is judged by, and the name of what is held out: whole projects where there are enough
/// of them, because that is what the model will meet.
fn rounds(corpus: &Corpus, scouts: usize, seed: u64) -> (Vec<Parts>, &'static str) {
    let tests: Vec<&TestRecord> = corpus.tests.iter().collect();
    let mut projects: Vec<u32> = tests.iter().filter(|it| it.flaky).map(|it| it.sample.project).collect();
    projects.dedup();
    let (split, name) = if projects.len() >= ENOUGH_PROJECTS {
        (Split::Project, "projects")
    } else {
        (Split::Family, "classes")
    };
    let flaky: Arc<[bool]> = tests.iter().map(|it| it.flaky).collect();
    let count = if scouts == 1 { PARTS } else { scouts };
    let mut parts = parts(&tests, split, count, seed);
    parts.truncate(scouts);
    let round = |validation: Vec<usize>| {
        let held_out: HashSet<usize> = validation.iter().copied().collect();
        Parts {
            flaky: flaky.clone(),
            training: (0..tests.len()).filter(|it| !held_out.contains(it)).collect(),
            validation,
        }
    };
    (parts.into_iter().map(round).collect(), name)
}

/// The state of the last finished epoch is on disk at any time, so there is nothing to wait for.
fn stop_on_interrupt(checkpoint: &Path) -> anyhow::Result<()> {
    let checkpoint = checkpoint.to_owned();
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot listen for Ctrl-C")?;
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            eprintln!(
                "\ninterrupted; the last finished epoch is in {}; go on with --resume",
                checkpoint.display()
            );
            std::process::exit(INTERRUPTED);
        }
    });
    Ok(())
}

/// A line for every epoch; on a terminal also a bar below them.
struct Dashboard {
    bar: ProgressBar,
    is_terminal: bool,
}

impl Dashboard {
    fn new(config: &Config, scouts: usize) -> Self {
        Self {
            bar: progress::bar("training", config.epochs * (scouts + config.members)),
            is_terminal: io::stderr().is_terminal(),
        }
    }

    fn show(&self, stage: Stage, report: &EpochReport, history: &[(Stage, EpochReport)]) {
        let seconds = report.took.as_secs_f64();
        let line = match stage {
            Stage::Scout(scout) => format!(
                "scout {scout:>2} epoch {:>2}  loss {:.4}  validation AP {:.4}  {seconds:.1} s",
                report.epoch,
                report.loss,
                report.validation.unwrap_or(0.0)
            ),
            Stage::Member(member) => format!(
                "member {member} epoch {:>2}  loss {:.4}  {seconds:.1} s",
                report.epoch, report.loss
            ),
        };
        if self.is_terminal {
            self.bar.println(line);
            self.bar.set_message(curve(history));
            self.bar.inc(1);
        } else {
            eprintln!("{line}");
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The validation scores of the present scout as a small curve: `AP ▁▃▅▇ 0.412`.
fn curve(history: &[(Stage, EpochReport)]) -> String {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let present = history.iter().rev().find(|(stage, _)| matches!(stage, Stage::Scout(_)));
    let scores: Vec<f64> = history
        .iter()
        .filter(|(stage, _)| present.is_some_and(|(scout, _)| stage == scout))
        .filter_map(|(_, report)| report.validation)
        .collect();
    let best = scores.iter().copied().fold(0.0, f64::max);
    let height = |score: &f64| {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let level = (score / best.max(1e-9) * 7.0).round() as usize;
        HEIGHTS[level.min(7)]
    };
    let curve: String = scores.iter().map(height).collect();
    format!("AP {curve} {best:.3}")
}
