//! `peeler train`: trains a model on labelled corpora.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::ProgressBar;
use peeler_eval::rivals::store::FILE as RIVAL;
use peeler_features::Encoder;
use peeler_model::store::{self, Origin};
use peeler_model::{Backend, Config, EpochReport, Pause, Precision, Setting, Stage, TrainingRun};

use super::eval::{check_graphs, configuration, embeddings};
use super::train_corpus::TrainingCorpus;
use super::train_rival::{self, RivalName};
use crate::exit::ExitStatus;
use crate::progress;

/// The name of the file with the state of an unfinished training, in the folder of the model.
const CHECKPOINT: &str = "checkpoint.peeler";
/// The exit status of a training that was interrupted by a signal.
const INTERRUPTED: i32 = 130;

/// Train a model on labelled corpora
///
/// First one network (or several, see --scouts) is validated on held-out projects, or on classes if there are few
/// projects. It shows when to stop and which threshold to use. Then the networks of the model learn from all tests.
/// The state is saved after every epoch: an interrupted run continues with --resume and ends with the same model.
#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    /// Corpus of labelled tests; several are merged
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    corpus: Vec<PathBuf>,
    /// Corpus of other projects that is learned from but never judged by, because its stable tests are a sample: those
    /// of the layout mined, for example. Several are merged
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "rival")]
    learn_only: Vec<PathBuf>,
    /// Corpus of tests before and after their fix (`corpus build --layout fixes`) that is learned from but never judged
    /// by. Its tests are held out with their project. How much pairs count is `contrast` in the configuration
    #[arg(long, value_name = "FILE", conflicts_with = "rival")]
    fixes: Option<PathBuf>,
    /// Folder to write the model to
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Backend that trains the network: auto, cpu, flex, ndarray, wgpu or cuda
    #[arg(long, default_value = "auto")]
    backend: Backend,
    /// Configuration of the network: default, paper, or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "default")]
    config: String,
    /// Initial vectors of sub-tokens (words in identifiers), as wide as the configuration says: a folder of `peeler
    /// pretrain`, or a file in word2vec's text format
    #[arg(long, value_name = "DIR|FILE")]
    embeddings: Option<PathBuf>,
    /// Leave the vectors of --embeddings as they are, instead of training them further
    #[arg(long, requires = "embeddings")]
    freeze_embeddings: bool,
    /// Most epochs of training, instead of the value in the configuration
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
    /// Number of networks to validate on held-out tests. One network holds out an eighth of the tests; several hold
    /// out one part each, so that every test is held out once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=32))]
    scouts: u8,
    /// Train a method from the literature instead of the network, for use with `peeler scan --model DIR`
    #[arg(long, value_name = "NAME", value_enum,
          conflicts_with_all = ["backend", "config", "embeddings", "epochs", "scouts", "resume"])]
    rival: Option<RivalName>,
    /// Random seed of the training
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Continue an interrupted training in the folder of --out
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
            "--scouts {} cannot be used with this configuration (`members = 0`), where the scout is the model; omit \
             --scouts",
            arguments.scouts
        );
    }
    let pretrained = match &arguments.embeddings {
        Some(path) => Some(embeddings(path, arguments.freeze_embeddings, &config)?),
        None => None,
    };
    let backend = arguments.backend.resolve()?;
    let tests = TrainingCorpus::load(&arguments.corpus, &arguments.learn_only, arguments.fixes.as_deref())?;
    let (corpus, held_out) = (&tests.corpus, tests.held_out());
    if arguments.fixes.is_some() && config.contrast > 0.0 && config.regression.is_none() {
        bail!("`contrast` in the configuration needs `regression`; set one of them to 0, or omit --fixes");
    }
    let flaky = corpus.tests.iter().filter(|it| it.flaky).count();
    if flaky == 0 || flaky == corpus.tests.len() {
        bail!(
            "{flaky} of {} tests are flaky; training needs both flaky and stable tests",
            corpus.tests.len()
        );
    }
    let checkpoint = arguments.out.join(CHECKPOINT);
    refuse_to_overwrite(arguments, &checkpoint)?;
    if let Some(rival) = arguments.rival {
        return train_rival::run(
            rival.into(),
            corpus,
            &tests.rounds(1, arguments.seed)[0],
            held_out,
            arguments.seed,
            &arguments.out,
        );
    }
    check_graphs(&config, corpus)?;
    std::fs::create_dir_all(&arguments.out).with_context(|| format!("cannot create {}", arguments.out.display()))?;

    let mut encoder = Encoder::new(config.depth, config.encoding());
    for test in &corpus.tests {
        encoder.add(&corpus.features(test), test.project);
    }
    let dataset = encoder.finish();
    let rounds = tests.rounds(arguments.scouts.into(), arguments.seed);
    eprintln!(
        "{} tests ({flaky} flaky) of {} projects; {} tests of held-out {held_out} for validation; backend {backend}, \
         seed {}",
        corpus.tests.len(),
        corpus.projects.len(),
        rounds.iter().map(|it| it.validation.len()).sum::<usize>(),
        arguments.seed
    );
    if arguments.fixes.is_some() {
        eprintln!(
            "{} tests are of {} fixes; scouts hold out {} of them with their projects",
            2 * tests.fixes.len(),
            tests.fixes.len(),
            rounds.iter().map(|it| it.withheld.len()).sum::<usize>()
        );
    }
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
                "nothing to resume: cannot read {}; omit --resume to start",
                checkpoint.display()
            )
        })?;
        let remedy = || format!("cannot resume from {}; delete it to start over", checkpoint.display());
        let run = TrainingRun::resume(setting, rounds, &bytes).with_context(remedy)?;
        eprintln!("resumed after {} epochs", run.history().len());
        run
    } else {
        TrainingRun::new(setting, rounds)?
    };
    let saved = |run: &TrainingRun<'_>| {
        let kept = "the last complete epoch that was reported is saved; continue with --resume";
        store::write_whole(&checkpoint, &run.checkpoint()).context(kept)
    };
    // Before the checkpoint is there: who sees it may interrupt.
    stop_on_interrupt(&checkpoint)?;
    saved(&run)?;
    let dashboard = Dashboard::new(&config, arguments.scouts.into());
    let failed = || {
        format!(
            "no model was trained; remove {} before the next try",
            checkpoint.display()
        )
    };
    while let Some((stage, report)) = run.epoch().with_context(failed)? {
        saved(&run)?;
        dashboard.show(stage, &report, run.history());
    }
    dashboard.finish();
    let origin = Origin {
        corpus: corpus.fingerprint(),
        projects: corpus.projects.clone(),
        tests: corpus.tests.len(),
        flaky,
        learned_only: corpus.tests.len() - tests.judged,
        seed: arguments.seed,
        backend: backend.to_string(),
        validation: run.validation(),
        held_out: held_out.to_owned(),
    };
    let history = run.history().to_vec();
    let model = run.into_model();
    store::save(&arguments.out, &model, &origin, &history, Precision::Half)
        .context("all epochs are saved, but the model is not written; continue with --resume")?;
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
        bail!("{folder} contains an interrupted run; continue it with --resume, or choose another folder");
    }
    if ["model.json", RIVAL].iter().any(|it| arguments.out.join(it).exists()) {
        bail!("{folder} already contains a model; choose another folder, or delete it");
    }
    Ok(())
}

/// Ends the process on SIGINT and SIGTERM. The last complete training epoch is always on disk, so nothing has to be
/// saved. There is no checkpoint before the first epoch and after the model is written.
fn stop_on_interrupt(checkpoint: &Path) -> anyhow::Result<()> {
    let checkpoint = checkpoint.to_owned();
    ctrlc::set_handler(move || {
        if checkpoint.exists() {
            eprintln!(
                "\ninterrupted; the last complete epoch is in {}; continue with --resume",
                checkpoint.display()
            );
        } else {
            eprintln!("\ninterrupted");
        }
        let _pause = Pause::begin();
        std::process::exit(INTERRUPTED);
    })
    .context("cannot listen for Ctrl-C")
}

/// Prints a line for every training epoch and, on a terminal, a progress bar.
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
        let pace = format!(
            "{:.1} s  {:.1} steps/s  waits: batches {:.0}%, device {:.0}%",
            report.pace.took.as_secs_f64(),
            report.pace.steps_per_second(),
            100.0 * report.pace.batch_share(),
            100.0 * report.pace.device_share()
        );
        let line = match stage {
            Stage::Scout(scout) => format!(
                "scout {scout:>2} epoch {:>2}  loss {:.4}  validation AP {:.4}  {pace}",
                report.epoch,
                report.loss,
                report.validation.unwrap_or(0.0)
            ),
            Stage::Member(member) => format!(
                "member {member} epoch {:>2}  loss {:.4}  {pace}",
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

/// The validation scores of the latest scout (network for validation) by epoch, as a small curve: `AP ▁▃▅▇ 0.412`. AP
/// is average precision, and the number is its highest value.
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
