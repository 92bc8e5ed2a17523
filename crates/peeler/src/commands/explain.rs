//! `peeler explain`: prints everything about one test, or the documentation page of a rule.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use peeler_analysis::{Analysis, Repository};
use peeler_features::Rule;
use peeler_model::Backend;

use super::lookup::{find_test, require_tests};
use super::rule_args::RuleArgs;
use super::scan::style;
use super::settings_args::SettingsArgs;
use crate::exit::ExitStatus;
use crate::explanation::explain;
use crate::named_root::NamedRoot;
use crate::ranking::DisabledTests;
use crate::render::formats::explained;
use crate::request::{Caching, Disposal, Request, ScoreList};
use crate::rule_selection::UnknownRule;
use crate::tuning::tuned_file::Tuning;
use crate::tuning::tuned_scorer::TunedScorer;
use crate::{model, rule_pages};

/// Explain one test (its probability, flows, source and paths) or one rule
///
/// `peeler explain PLR101` prints the page of a rule. `peeler explain shop.CartTest#prints` and
/// `peeler explain . --test shop.CartTest#prints` explain a test.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Rule, by its id or name; or test, as `package.Class#method` or `Class#method`; or, with --test, a Java repository
    /// or file
    #[arg(value_name = "RULE|FQCN#METHOD|PATH")]
    subject: String,
    /// Java repository or file of the test that the first argument names
    #[arg(value_name = "PATH", default_value = ".", conflicts_with = "test")]
    path: PathBuf,
    /// Test to explain, as `package.Class#method`
    #[arg(long, value_name = "FQCN#METHOD")]
    test: Option<String>,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Model to use instead of the built-in network: a folder written by `peeler train`, flast or vocabulary. The last
    /// two are built-in methods from the literature that are less accurate
    #[arg(long, value_name = "DIR|flast|vocabulary")]
    model: Option<PathBuf>,
    /// Backend that runs the network: auto, cpu, flex, ndarray or wgpu
    #[arg(long, default_value = "cpu")]
    backend: Backend,
}

pub(crate) fn run(arguments: &ExplainArgs) -> anyhow::Result<ExitStatus> {
    let subject = arguments.subject.as_str();
    match &arguments.test {
        Some(test) => explain_test(arguments, test, Path::new(subject)),
        None if is_test(subject) => explain_test(arguments, subject, &arguments.path),
        None => explain_rule(subject),
    }
}

/// Whether the first argument names a test: it has a `#`, or it is the name of a class and not that of a rule.
fn is_test(subject: &str) -> bool {
    let starts_as_class = || {
        let simple = subject.rsplit('.').next().unwrap_or(subject);
        simple.starts_with(|it: char| it.is_uppercase()) && simple.contains(|it: char| it.is_lowercase())
    };
    subject.contains('#') || Rule::find(subject).is_none() && !Path::new(subject).exists() && starts_as_class()
}

/// Prints the documentation page of a rule, given by its id or name.
fn explain_rule(name: &str) -> anyhow::Result<ExitStatus> {
    let Some(rule) = Rule::find(name) else {
        if Path::new(name).exists() {
            bail!("{name} is a path; pass a test of it with --test FQCN#METHOD, or the id of a rule instead");
        }
        return Err(UnknownRule::new(name).into());
    };
    io::stdout().lock().write_all(rule_pages::page(rule).as_bytes())?;
    Ok(ExitStatus::Success)
}

fn explain_test(arguments: &ExplainArgs, test: &str, path: &Path) -> anyhow::Result<ExitStatus> {
    let started = Instant::now();
    let settings = arguments.settings.open(path)?;
    let scorer = model::load(arguments.model.as_deref(), arguments.backend)?;
    let tuning = match arguments.model {
        None => Tuning::open(path, &model::content_identity(None))?,
        Some(_) => None,
    };
    let tuned = tuning.as_ref().map(|tuning| TunedScorer {
        model: &*scorer,
        tuning,
    });
    let repository = Repository::open(path)?;
    let analysis = Analysis::new(&repository).with_assertions(&settings.assertions);
    require_tests(&analysis, &repository, path)?;
    let request = Request {
        scorer: tuned.as_ref().map_or(&*scorer, |it| it),
        min_probability: settings.min_probability,
        top: None,
        extra: 0,
        disabled: DisabledTests::List,
        scores: ScoreList::Nothing,
        settings: &settings,
        rules: &settings.rules(&arguments.rules.choices()),
        files: None,
        since: None,
        proven: &BTreeSet::new(),
        caching: Caching::Off,
        disposal: Disposal::Leak,
        started,
    };
    let name = find_test(&analysis, test, path)?;
    let Some(mut explanation) = explain(&repository, &analysis, &name, &request)? else {
        bail!("no test {name} below {}", path.display());
    };
    for root in NamedRoot::all(&[path.to_owned()]) {
        explanation.name_files(&root.prefix);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    explained::write(&explanation, style(), &mut out)?;
    out.flush()?;
    Ok(ExitStatus::Success)
}
