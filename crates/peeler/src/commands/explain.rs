//! `peeler explain`: everything about one test.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use peeler_analysis::{Analysis, Repository};
use peeler_features::TestName;
use peeler_model::Backend;

use super::lookup::{no_such_test, require_tests};
use super::scan::style;
use super::settings_args::SettingsArgs;
use crate::exit::ExitStatus;
use crate::explanation::explain;
use crate::model;
use crate::render::formats::text;
use crate::request::{Caching, Disposal, Request, ScoreList};

/// Explain one test: its probability, cause, source and strongest paths
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Java repository, or a single Java file
    path: PathBuf,
    /// Test to explain, as `package.Class#method`
    #[arg(long, value_name = "FQCN#METHOD")]
    test: String,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Model to use instead of the built-in network: a folder written by `peeler train`, or flast or vocabulary, two
    /// built-in methods from the literature that are less accurate
    #[arg(long, value_name = "DIR|flast|vocabulary")]
    model: Option<PathBuf>,
    /// Backend that runs the network: auto, cpu, flex, ndarray, wgpu or cuda
    #[arg(long, default_value = "cpu")]
    backend: Backend,
}

pub(crate) fn run(arguments: &ExplainArgs) -> anyhow::Result<ExitStatus> {
    let started = Instant::now();
    let settings = arguments.settings.open(&arguments.path)?;
    let scorer = model::load(arguments.model.as_deref(), arguments.backend)?;
    let repository = Repository::open(&arguments.path)?;
    let analysis = Analysis::new(&repository).with_assertions(&settings.assertions);
    require_tests(&analysis, &repository, &arguments.path)?;
    let request = Request {
        scorer: &*scorer,
        min_probability: settings.min_probability,
        top: None,
        scores: ScoreList::Nothing,
        settings: &settings,
        files: None,
        since: None,
        proven: &BTreeSet::new(),
        caching: Caching::Off,
        disposal: Disposal::Leak,
        started,
    };
    let explanation = match arguments.test.parse::<TestName>() {
        Ok(test) => explain(&analysis, &test, &request)?,
        Err(_) => None,
    };
    let Some(explanation) = explanation else {
        return Err(no_such_test(&analysis, &arguments.test, &arguments.path));
    };
    let mut out = BufWriter::new(io::stdout().lock());
    text::explain(&explanation, style(), &mut out)?;
    out.flush()?;
    Ok(ExitStatus::Success)
}
