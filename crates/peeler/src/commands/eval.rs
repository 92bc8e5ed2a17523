//! `peeler eval`: compares predictors on a labelled corpus.

mod time;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use peeler_eval::corpus::Corpus;
use peeler_eval::evaluation::{Evaluation, Settings, evaluate};
use peeler_eval::labels::read_run_times;
use peeler_eval::rivals;
use peeler_eval::splits::Split;
use peeler_learning::atomic_file::{self, Durability};
use peeler_learning::cannier::{self, Case};
use peeler_learning::predictor::Predictor;
use peeler_model::code2vec::Code2vec;
use peeler_model::config::Ablation;
use peeler_model::predictor::{KindPeeler, Peeler};
use peeler_model::{Backend, Config, Input, Pretrained};

use self::time::TimeEvaluation;
use crate::exit::ExitStatus;
use crate::{progress, render};

/// The name of the network among the predictors of `--model`.
const NETWORK: &str = "peeler";
/// The name of the network with a head for each kind of flakiness, among the predictors of `--model`.
const KINDS: &str = "peeler-kinds";

/// Evaluate predictors on a labelled corpus
///
/// Every predictor is trained and tested on the same folds. `F1` uses the threshold 0.5, `F1*` a threshold chosen on
/// tests that are held out from training. Nothing is chosen on the tests that a predictor is tested on.
#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// Corpus of labelled tests; several are merged
    #[arg(long, value_name = "FILE", required_unless_present = "clones")]
    corpus: Vec<PathBuf>,
    /// With --split time: git clones, bare or not, or folders of clones
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with = "corpus")]
    clones: Vec<PathBuf>,
    /// With --split time: file with names of repositories (`owner/name`) that must not be read
    #[arg(long, value_name = "FILE", requires = "clones")]
    keep_out: Option<PathBuf>,
    /// With --split project: corpus of tests before and after their fix (`corpus build --layout fixes`). Says how often
    /// a predictor that has not seen the project scores the flaky one higher
    #[arg(long, value_name = "FILE")]
    fixes: Option<PathBuf>,
    /// With --fixes: predictors also learn from these tests, of the projects that they learn from
    #[arg(long, requires = "fixes")]
    learn_fixes: bool,
    /// How to split the tests into folds; each fold is tested once, after training on the others
    #[arg(long, value_enum)]
    split: SplitName,
    /// Predictors to evaluate, such as peeler, peeler-kinds (a head for each kind of flakiness), flast or vocabulary
    /// [default: all except these two]
    #[arg(long, value_name = "NAME", num_args = 1..)]
    model: Vec<String>,
    /// Configuration of the predictor `peeler`: default, paper, or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "default")]
    config: String,
    /// Initial vectors of sub-tokens (words in identifiers) for `peeler`, as wide as the configuration says: a folder
    /// of `peeler pretrain`, or a file in word2vec's text format
    #[arg(long, value_name = "DIR|FILE")]
    embeddings: Option<PathBuf>,
    /// Leave the vectors of --embeddings as they are, instead of training them further
    #[arg(long, requires = "embeddings")]
    freeze_embeddings: bool,
    /// Inputs or parts of the predictor `peeler` to leave out
    #[arg(long, value_name = "WHAT", num_args = 1.., value_enum)]
    ablate: Vec<AblationName>,
    /// Backend that runs the predictor `peeler`: auto, cpu, flex, ndarray, wgpu or cuda
    #[arg(long, default_value = "cpu")]
    backend: Backend,
    /// Seed of the folds and of every predictor
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of folds; with --split project and at most 30 projects, each project is one fold
    #[arg(long, default_value_t = 10)]
    folds: usize,
    /// Keep only flaky tests of this category of the corpus, such as OD (order-dependent); stable tests stay
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Write all results as JSON, including each prediction
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the scores as JSON, without predictions
    #[arg(long, value_name = "FILE")]
    scores: Option<PathBuf>,
    /// Write an HTML page with the scores and curves of the predictors
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also print the cost of reruns guided by each predictor (CANNIER). The corpus must contain numbers of passing and
    /// failing runs
    #[arg(long)]
    cannier: bool,
    /// With --cannier: most reruns of a test
    #[arg(long, value_name = "N", default_value_t = 100, requires = "cannier")]
    max_reruns: u32,
    /// With --cannier: table `project,test,seconds` of run times; without it every run costs 1
    #[arg(long, value_name = "FILE", requires = "cannier")]
    times: Option<PathBuf>,
    /// With --cannier: budget as a share of the cost of rerunning all tests
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, requires = "cannier")]
    budget: f64,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SplitName {
    /// Split test by test, stratified by label; tests of one class may be in training and in testing
    Random,
    /// Keep all tests of a class in one fold, with those of classes that inherit a test from the same class
    Class,
    /// Keep all tests of classes with a common superclass in one fold
    Family,
    /// Keep all tests of a project in one fold
    Project,
    /// Learn from the labels of a git history before a day, and judge by later ones (`peeler tune`)
    Time,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum AblationName {
    /// Leave out steps of contextual paths that do not call code under test (the PEELER paper's "without inner-test
    /// context")
    Inner,
    /// Leave out bodies of the code under test (the PEELER paper's "without test-CUT context")
    Cut,
    /// Leave out the words of the test's class around the test method
    Context,
    /// Leave out the library calls that the test can reach, and counts such as its lines
    Reach,
    /// Leave out the contextual paths of the test
    Paths,
    /// Leave out the causes of nondeterminism that the catalogue lists, such as `Thread.sleep`
    Causes,
    /// Leave out the flows of nondeterminism that rules find
    Flows,
    /// Leave out what assertions compare
    Oracles,
    /// Leave out the logistic regression that is averaged with each network
    Regression,
    /// Leave out the initial vectors of --embeddings
    Pretrained,
}

impl AblationName {
    /// The part of the network's configuration that this ablation leaves out; `None` for the vectors of `--embeddings`,
    /// which the configuration does not contain.
    fn ablation(self) -> Option<Ablation> {
        match self {
            Self::Inner => Some(Ablation::Inner),
            Self::Cut => Some(Ablation::Cut),
            Self::Context => Some(Ablation::Context),
            Self::Reach => Some(Ablation::Reach),
            Self::Paths => Some(Ablation::Paths),
            Self::Causes => Some(Ablation::Causes),
            Self::Flows => Some(Ablation::Flows),
            Self::Oracles => Some(Ablation::Oracles),
            Self::Regression => Some(Ablation::Regression),
            Self::Pretrained => None,
        }
    }
}

pub(crate) fn run(arguments: &EvalArgs) -> anyhow::Result<ExitStatus> {
    let split = match arguments.split {
        SplitName::Random => Split::Random,
        SplitName::Class => Split::Class,
        SplitName::Family => Split::Family,
        SplitName::Project => Split::Project,
        SplitName::Time => {
            return time::run(&TimeEvaluation {
                clones: &arguments.clones,
                keep_out: arguments.keep_out.as_deref(),
                json: arguments.json.as_deref(),
                seed: arguments.seed,
                backend: arguments.backend,
            });
        }
    };
    if !arguments.clones.is_empty() {
        bail!("--clones is for --split time; name a corpus with --corpus");
    }
    let corpus = Corpus::load_all(&arguments.corpus)?;
    let fixes = match &arguments.fixes {
        Some(_) if split != Split::Project => bail!("--fixes is for --split project, which holds whole projects out"),
        Some(path) => Some(Corpus::load(path)?),
        None => None,
    };
    if arguments.model.iter().any(|it| it == NETWORK || it == KINDS) {
        check_graphs(&network(arguments)?.config, &corpus)?;
    }
    let predictors = predictors(arguments)?;
    if split == Split::Project && corpus.projects.len() < 2 {
        bail!("the corpus has only one project; --split project needs at least two");
    }
    if arguments.folds < 2 {
        bail!("--folds must be at least 2, not {}", arguments.folds);
    }
    let bar = progress::bar("evaluating", predictors.len());
    let settings = Settings {
        split,
        folds: arguments.folds,
        seed: arguments.seed,
        category: arguments.category.as_deref(),
        fixes: fixes.as_ref(),
        learns_fixes: arguments.learn_fixes,
    };
    let evaluation = evaluate(&corpus, &predictors, settings, |model, fold| {
        if fold == 0 {
            bar.inc(1);
        }
        bar.set_message(format!("{model} fold {fold}"));
    });
    bar.finish_and_clear();
    if evaluation.flaky == 0 {
        bail!("no flaky test is left; compare --category with the categories of `peeler corpus stats`");
    }
    let mut out = io::stdout().lock();
    write!(out, "{}", render::scores::table(&evaluation))?;
    if arguments.cannier {
        write!(out, "{}", cannier_table(&corpus, &evaluation, arguments)?)?;
    }
    if let Some(path) = &arguments.json {
        write_json(path, &evaluation)?;
    }
    if let Some(path) = &arguments.scores {
        write_json(path, &render::scores::figures(&evaluation))?;
    }
    if let Some(path) = &arguments.html {
        write_file(path, render::scores::page(&evaluation).as_bytes())?;
    }
    Ok(ExitStatus::Success)
}

fn predictors(arguments: &EvalArgs) -> anyhow::Result<Vec<Box<dyn Predictor>>> {
    if arguments.model.is_empty() {
        return Ok(rivals::all());
    }
    let named = |name: &String| {
        if name == NETWORK {
            return Ok(Box::new(network(arguments)?) as Box<dyn Predictor>);
        }
        if name == KINDS {
            let head = network(arguments)?;
            let name = head.name.replacen(NETWORK, KINDS, 1);
            return Ok(Box::new(KindPeeler { head, name }) as Box<dyn Predictor>);
        }
        rivals::named(name).with_context(|| {
            let known: Vec<_> = rivals::all().iter().map(|it| it.name().to_owned()).collect();
            format!(
                "unknown predictor {name}; available: {NETWORK}, {KINDS}, {}",
                known.join(", ")
            )
        })
    };
    arguments.model.iter().map(named).collect()
}

fn network(arguments: &EvalArgs) -> anyhow::Result<Peeler> {
    let mut config = configuration(&arguments.config)?;
    let mut name = match config.name.as_str() {
        "default" => NETWORK.to_owned(),
        other => format!("{NETWORK}-{other}"),
    };
    let mut pretrained = match &arguments.embeddings {
        Some(path) => Some(embeddings(path, arguments.freeze_embeddings, &config)?),
        None => None,
    };
    for what in &arguments.ablate {
        match what.ablation() {
            Some(ablation) => config = config.without(ablation),
            None if pretrained.take().is_none() => {
                bail!("--ablate pretrained requires --embeddings")
            }
            None => {}
        }
        let what = what.to_possible_value().expect("every ablation has a name");
        name = format!("{name}-no-{}", what.get_name());
    }
    let backend = arguments.backend.resolve()?;
    Ok(Peeler {
        config,
        pretrained,
        backend,
        name,
    })
}

/// Fails if a network of this configuration reads paths, and the corpus has none.
pub(super) fn check_graphs(config: &Config, corpus: &Corpus) -> anyhow::Result<()> {
    if config.reads(Input::Paths) && !corpus.has_graphs() {
        bail!(
            "the configuration reads paths, and the corpus was made with --without-graphs; leave `paths` out of \
             `inputs`, or select from the corpus again without that option"
        );
    }
    Ok(())
}

/// The network's configuration of this name: `default`, `paper`, or the path of a TOML file.
pub(crate) fn configuration(name: &str) -> anyhow::Result<Config> {
    if let Some(config) = Config::named(name) {
        return Ok(config);
    }
    let text = std::fs::read_to_string(name).with_context(|| {
        format!("unknown configuration {name}: it is not `default`, `paper` or a readable TOML file")
    })?;
    let config: Config = toml::from_str(&text).with_context(|| format!("{name} is not a configuration"))?;
    config.check().map_err(|cause| anyhow::anyhow!("{name}: {cause}"))?;
    Ok(config)
}

/// Reads initial vectors of sub-tokens from a folder of `peeler pretrain` or a file of word2vec, and checks that their
/// width is that of the configuration.
pub(crate) fn embeddings(path: &Path, are_frozen: bool, config: &Config) -> anyhow::Result<Pretrained> {
    let mut pretrained = if path.is_dir() {
        Code2vec::load(path)?.0.initial_parameters()
    } else {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}; does it exist?", path.display()))?;
        Pretrained::parse(&text)
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("{} is not in the text format of word2vec", path.display()))?
    };
    if are_frozen {
        pretrained = pretrained.frozen();
    }
    let (width, wanted) = (pretrained.width(), config.embedding);
    if width != wanted {
        let path = path.display();
        bail!(
            "{path} has vectors of width {width}, but the configuration needs {wanted}; set `embedding` in a TOML file"
        );
    }
    Ok(pretrained)
}

fn write_json(path: &Path, value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    write_file(path, &text)
}

fn write_file(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    Ok(atomic_file::replace(path, &[content], Durability::Synced)?)
}

/// A table of the cost of reruns guided by each predictor. Its columns are plain rerunning, a balance of cost and
/// Matthews correlation (MCC), and the highest MCC within `--budget`.
fn cannier_table(corpus: &Corpus, evaluation: &Evaluation, arguments: &EvalArgs) -> anyhow::Result<String> {
    use std::fmt::Write as _;
    let times = match &arguments.times {
        Some(path) => {
            let file = File::open(path).with_context(|| format!("cannot read {}; does it exist?", path.display()))?;
            Some(read_run_times(file).with_context(|| path.display().to_string())?)
        }
        None => None,
    };
    // A test without a run time gets the mean of the others.
    let mean = times.as_ref().map_or(1.0, |times| {
        #[allow(clippy::cast_precision_loss)]
        let count = times.len().max(1) as f64;
        times.values().sum::<f64>() / count
    });
    let run_time = |project: u32, test: &str| {
        let known = times.as_ref().and_then(|times| {
            let key = (corpus.projects[project as usize].clone(), test.parse().ok()?);
            times.get(&key).copied()
        });
        known.unwrap_or(mean)
    };
    let runs: std::collections::BTreeMap<(u32, &str), (u64, u64)> = corpus
        .tests
        .iter()
        .filter_map(|it| it.runs.map(|runs| ((it.project, it.features.name.as_str()), runs)))
        .collect();
    let mut out = format!(
        "\nreruns at most {} a test; cost in {}\n{:<20} {:>12} {:>28} {:>28}\n",
        arguments.max_reruns,
        if times.is_some() { "seconds" } else { "runs" },
        "predictor",
        "plain",
        "knee (share, MCC, thresholds)",
        "budget (share, MCC, thresholds)"
    );
    for model in &evaluation.models {
        let cases: Vec<Case> = model
            .predictions
            .iter()
            .filter_map(|it| {
                let (failing, passing) = *runs.get(&(it.project, it.test.as_str()))?;
                #[allow(clippy::cast_precision_loss)]
                let failure_rate = failing as f64 / (failing + passing).max(1) as f64;
                Some(Case {
                    probability: f64::from(it.prediction.score),
                    flaky: it.flaky,
                    failure_rate,
                    run_time: run_time(it.project, &it.test),
                })
            })
            .collect();
        if cases.is_empty() {
            let _ = writeln!(out, "{:<20} no counted runs in this corpus", model.model);
            continue;
        }
        let plain = cannier::plain_rerun_cost(&cases, arguments.max_reruns);
        let front = cannier::front(&cases, arguments.max_reruns);
        let words = |point: Option<&cannier::Point>| {
            point.map_or_else(String::new, |it| {
                // Without an upper threshold probabilities up to 1 are rerun.
                let upper = it
                    .thresholds
                    .upper
                    .map_or("1]".to_owned(), |upper| format!("{upper:.2})"));
                let (share, lower) = (it.cost / plain, it.thresholds.lower);
                format!("{share:.3} {:.3} [{lower:.2}, {upper}", it.mcc)
            })
        };
        let _ = writeln!(
            out,
            "{:<20} {plain:>12.0} {:>28} {:>28}",
            model.model,
            words(cannier::knee(&front, plain)),
            words(cannier::within_budget(&front, plain * arguments.budget))
        );
    }
    Ok(out)
}
