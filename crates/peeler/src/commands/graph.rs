//! `peeler graph`: draws the dependency graph of one test.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use peeler_analysis::{Analysis, Limits, Repository};

use super::lookup::{find_test, require_tests};
use crate::console;
use crate::exit::ExitStatus;
use crate::render;
use crate::render::svg::Extent;

/// Draw the dependency graph of one test
#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// Java repository, or a single Java file
    path: PathBuf,
    /// Test to draw, as `package.Class#method` or `Class#method`
    #[arg(long, value_name = "FQCN#METHOD")]
    test: String,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Draw the whole graph as SVG; otherwise a graph that is too large for a screen is reduced to its first paths
    #[arg(long)]
    whole: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lists of nodes and edges
    Text,
    /// Graphviz, in the DOT language
    Dot,
    /// Mermaid, which Markdown viewers draw
    Mermaid,
    /// SVG image
    Svg,
}

pub(crate) fn run(arguments: &GraphArgs) -> anyhow::Result<ExitStatus> {
    let repository = Repository::open(&arguments.path)?;
    let analysis = Analysis::new(&repository);
    require_tests(&analysis, &repository, &arguments.path)?;
    let test = find_test(&analysis, &arguments.test, &arguments.path)?;
    let mut picture = None;
    analysis.extract(
        Limits::default(),
        |name| *test.as_str() == *name,
        |traced| {
            let extraction = analysis.extraction(&traced);
            match arguments.format {
                Format::Text => render::text::graph(&extraction),
                Format::Dot => render::dot::graph(&extraction),
                Format::Mermaid => render::mermaid::graph(&extraction),
                Format::Svg => {
                    let extent = if arguments.whole { Extent::Whole } else { Extent::Screen };
                    let (picture, drawn) = render::svg::graph(&extraction, extent);
                    let all = extraction.nodes.len();
                    if drawn < all {
                        console::note(format_args!(
                            "drew {drawn} of {all} nodes, those of the first paths; --whole draws all of them"
                        ));
                    }
                    picture
                }
            }
        },
        |drawn| {
            picture.get_or_insert(drawn);
        },
    );
    let picture = picture.with_context(|| format!("no test {test} below {}", arguments.path.display()))?;
    io::stdout().lock().write_all(picture.as_bytes())?;
    Ok(ExitStatus::Success)
}
