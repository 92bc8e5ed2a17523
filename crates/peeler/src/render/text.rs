//! Dependency graphs and contextual paths of tests as text, for people and for snapshots.

use std::fmt::Write as _;

use peeler_analysis::{Extraction, PathView};

use super::{edge_label, node_label};

/// A dependency graph as text: a heading, then nodes and edges.
pub(crate) fn graph(extraction: &Extraction<'_>) -> String {
    let mut out = heading(extraction);
    out.push_str("nodes\n");
    for (at, node) in extraction.nodes.iter().enumerate() {
        let _ = writeln!(out, "  {at}: {}", node_label(node));
    }
    out.push_str("edges\n");
    for edge in &extraction.edges {
        let label = edge_label(extraction, edge);
        let from = &extraction.nodes[edge.from];
        let to = &extraction.nodes[edge.to];
        let _ = writeln!(
            out,
            "  {} -> {}: {} -[{label}]-> {}",
            edge.from,
            edge.to,
            node_label(from),
            node_label(to)
        );
    }
    out
}

/// Contextual paths as text: a heading, then one path per line.
pub(crate) fn paths(extraction: &Extraction<'_>) -> String {
    let mut out = heading(extraction);
    for path in &extraction.paths {
        let _ = writeln!(out, "  {}", path_line(extraction, path));
    }
    if extraction.dropped_paths > 0 {
        let _ = writeln!(out, "  ... and {} more paths", extraction.dropped_paths);
    }
    out.push('\n');
    out
}

fn path_line(extraction: &Extraction<'_>, path: &PathView) -> String {
    let mut line = String::new();
    let mut edges = path.edges();
    for node in path.nodes() {
        line.push_str(&node_label(&extraction.nodes[node]));
        if let Some(edge) = edges.next() {
            let _ = write!(line, " -[{}]-> ", edge_label(extraction, &extraction.edges[edge]));
        }
    }
    line
}

fn heading(extraction: &Extraction<'_>) -> String {
    let case = &extraction.case;
    let mut out = format!("{}\n  {}:{}\n", case.name, case.file, case.line);
    for assertion in &extraction.assertions {
        let _ = writeln!(
            out,
            "  asserts ({}) line {}: {}",
            assertion.family, assertion.line, assertion.text
        );
    }
    for problem in extraction.problems {
        let _ = writeln!(out, "  problem: {problem}");
    }
    out
}
