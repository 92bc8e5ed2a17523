//! The output formats of the commands of the program `peeler`, one file each.

pub(crate) mod dot;
pub(crate) mod drafts;
pub(crate) mod formats;
pub(crate) mod mermaid;
#[cfg(feature = "history")]
pub(crate) mod mined;
#[cfg(feature = "training")]
pub(crate) mod scores;
pub(crate) mod svg;
pub(crate) mod text;

use peeler_analysis::{CutView, EdgeView, Extraction, NodeView};

/// The maximum number of characters of a node's text in a drawn or printed graph; longer text is cut.
const BOX_TEXT: usize = 60;

/// The label of a node in a drawn graph: its text, shortened if long, its line, and the marks START and ASSERT.
fn node_label(node: &NodeView<'_>) -> String {
    let mut label: String = node.text.chars().take(BOX_TEXT).collect();
    if node.text.chars().count() > BOX_TEXT {
        label.push('…');
    }
    let marks = match (node.start, node.assert) {
        (true, true) => " START ASSERT",
        (true, false) => " START",
        (false, true) => " ASSERT",
        (false, false) => "",
    };
    format!("{label} @{}{marks}", node.line)
}

/// The label of an edge in a drawn graph: its operation, and the method of the code under test that it calls.
fn edge_label(extraction: &Extraction<'_>, edge: &EdgeView<'_>) -> String {
    match &edge.cut {
        None => edge.operation.to_string(),
        Some(CutView::Resolved { declaration, .. }) => {
            let method = &extraction.cut_methods[*declaration].method;
            format!("{} CUT {}", edge.operation, short_method(method))
        }
        Some(CutView::Type(name)) => format!("{} CUT? {}", edge.operation, short_method(name)),
    }
}

/// The short name `Class#method` of a method `a.b.Class#method(..)`.
fn short_method(method: &str) -> &str {
    let name_end = method.find('(').unwrap_or(method.len());
    let class_start = method[..name_end].rfind('.').map_or(0, |dot| dot + 1);
    &method[class_start..name_end]
}
