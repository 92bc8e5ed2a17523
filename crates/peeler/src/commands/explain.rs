//! `peeler explain`: everything about one test.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use peeler_analysis::{Analysis, Repository};
use peeler_features::TestName;
use peeler_model::Backend;

use super::scan::style;
use super::{SettingsArgs, no_such_test, require_tests};
use crate::explanation::explain;
use crate::render::formats::text;
use crate::request::{Caching, Disposal, Request, ScoreList};
use crate::{ExitStatus, model};

/// Say everything about one test: its probability, cause, source and strongest paths
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Root of a Java repository, or a single Java file
    path: PathBuf,
    /// The test: `package.Class#method`
    #[arg(long, value_name = "FQCN#METHOD")]
    test: String,
    #[command(flatten)]
    settings: SettingsArgs,
    /// What judges instead of the network inside the program: a folder made by `peeler train`, or flast or vocabulary,
    /// two methods of the literature that are inside for comparison and rank worse
    #[arg(long, value_name = "DIR|flast|vocabulary")]
    model: Option<PathBuf>,
    /// What computes a network: auto, cpu, flex, ndarray, wgpu or cuda
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
