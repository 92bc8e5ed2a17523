//! Draws dependency graphs of tests for Graphviz.

use std::fmt::Write as _;

use peeler_analysis::{Extraction, OperationKind};

use super::{edge_label, node_label};

/// The dependency graph of a test as a Graphviz digraph: START nodes green, ASSERT nodes red, edges through code under
/// test bold and blue.
pub(crate) fn graph(extraction: &Extraction<'_>) -> String {
    let mut out = String::from("digraph test {\n  rankdir=TB;\n  node [shape=box, fontname=\"monospace\"];\n");
    let _ = writeln!(out, "  label=\"{}\";", escaped(extraction.case.name.as_str()));
    for (at, node) in extraction.nodes.iter().enumerate() {
        let colour = match (node.start, node.assert) {
            (_, true) => ", style=filled, fillcolor=\"#f9d0c4\"",
            (true, false) => ", style=filled, fillcolor=\"#d5e8d4\"",
            (false, false) => "",
        };
        let _ = writeln!(out, "  n{at} [label=\"{}\"{colour}];", escaped(&node_label(node)));
    }
    for edge in &extraction.edges {
        let style = if edge.cut.is_some() {
            ", style=bold, color=\"#1f4e9e\""
        } else if edge.kind == OperationKind::Order {
            ", style=dashed"
        } else {
            ""
        };
        let label = escaped(&edge_label(extraction, edge));
        let _ = writeln!(out, "  n{} -> n{} [label=\"{label}\"{style}];", edge.from, edge.to);
    }
    out.push_str("}\n");
    out
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
