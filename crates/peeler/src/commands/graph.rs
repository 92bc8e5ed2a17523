//! `peeler graph`: the picture of one test's dependency graph.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use peeler_analysis::{Analysis, Limits, Repository};

use super::{no_such_test, require_tests};
use crate::{ExitStatus, render};

/// Draw the dependency graph of one test
#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// Root of a Java repository, or a single Java file
    path: PathBuf,
    /// The test: `package.Class#method`
    #[arg(long, value_name = "FQCN#METHOD")]
    test: String,
    /// What to draw
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Nodes and edges, for reading
    Text,
    /// Graphviz
    Dot,
    /// Mermaid, for Markdown
    Mermaid,
    /// A picture
    Svg,
}

pub(crate) fn run(arguments: &GraphArgs) -> anyhow::Result<ExitStatus> {
    let repository = Repository::open(&arguments.path)?;
    let analysis = Analysis::new(&repository);
    require_tests(&analysis, &repository, &arguments.path)?;
    let mut picture = None;
    analysis.extract(
        Limits::default(),
        |name| name == arguments.test,
        |traced| {
            let extraction = analysis.extraction(&traced);
            match arguments.format {
                Format::Text => render::text::graph(&extraction),
                Format::Dot => render::dot::graph(&extraction),
                Format::Mermaid => render::mermaid::graph(&extraction),
                Format::Svg => render::svg::graph(&extraction),
            }
        },
        |drawn| {
            picture.get_or_insert(drawn);
        },
    );
    let Some(picture) = picture else {
        return Err(no_such_test(&analysis, &arguments.test, &arguments.path));
    };
    io::stdout().lock().write_all(picture.as_bytes())?;
    Ok(ExitStatus::Success)
}
