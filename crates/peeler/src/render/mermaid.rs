//! Draws dependency graphs of tests in Mermaid, which Markdown viewers show as pictures.

use std::fmt::Write as _;

use peeler_analysis::{Extraction, OperationKind};

use super::{edge_label, node_label};

/// The dependency graph of a test as a Mermaid flowchart: START nodes rounded, ASSERT nodes hexagons, edges through
/// code under test thick.
pub(crate) fn graph(extraction: &Extraction<'_>) -> String {
    let mut out = String::from("flowchart TD\n");
    for (at, node) in extraction.nodes.iter().enumerate() {
        let (open, close) = match (node.start, node.assert) {
            (_, true) => ("{{", "}}"),
            (true, false) => ("([", "])"),
            (false, false) => ("[", "]"),
        };
        let _ = writeln!(out, "  n{at}{open}\"{}\"{close}", escaped(&node_label(node)));
    }
    for edge in &extraction.edges {
        let arrow = if edge.cut.is_some() {
            "==>"
        } else if edge.kind == OperationKind::Order {
            "-.->"
        } else {
            "-->"
        };
        let label = escaped(&edge_label(extraction, edge));
        let _ = writeln!(out, "  n{} {arrow}|\"{label}\"| n{}", edge.from, edge.to);
    }
    out
}

/// Text with special characters as entities, which Mermaid writes as `#34;` instead of `&#34;`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '#' | '<' | '>' | '&' | '`' | '|' | '{' | '}' => {
                let _ = write!(out, "#{};", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}
