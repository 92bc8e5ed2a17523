//! Shared code of the tests of this crate: Java in, text out.

#![allow(dead_code)]

use std::fmt::Write as _;

use peeler_analysis::{Analysis, CutView, Extraction, Limits, NodeView, Repository};

/// A repository of the given files.
pub(crate) fn repository(files: &[(&str, &str)]) -> Repository {
    Repository::from_sources(
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
            .collect(),
    )
}

/// A JUnit 4 class around the body of one test; the body's first line is line 1.
pub(crate) fn junit_test(body: &str) -> String {
    format!(
        "package t; import static org.junit.Assert.*; import java.util.*; import org.junit.Test; \
         public class SampleTest {{ @Test public void test() throws Exception {{ {body}\n}} }}"
    )
}

/// Applies `draw` to every test of the files, in order.
pub(crate) fn draw(files: &[(&str, &str)], limits: Limits, draw: impl Fn(&Extraction<'_>) -> String + Sync) -> String {
    let repository = repository(files);
    let analysis = Analysis::new(&repository);
    let mut out = String::new();
    analysis.extract(
        limits,
        |_| true,
        |traced| draw(&analysis.extraction(&traced)),
        |drawn| out.push_str(&drawn),
    );
    out
}

/// The edges of the one test with this body.
pub(crate) fn edges_of_body(body: &str) -> String {
    edges_of_files(&[("src/test/SampleTest.java", &junit_test(body))])
}

/// The edges of all tests of the files.
pub(crate) fn edges_of_files(files: &[(&str, &str)]) -> String {
    draw(files, Limits::default(), edges)
}

/// The paths of the one test with this body.
pub(crate) fn paths_of_body(body: &str, limits: Limits) -> String {
    draw(&[("src/test/SampleTest.java", &junit_test(body))], limits, paths)
}

/// The assertions of all tests of the files.
pub(crate) fn assertions_of_files(files: &[(&str, &str)]) -> String {
    draw(files, Limits::default(), |extraction| {
        let mut out = String::new();
        for assertion in &extraction.assertions {
            let _ = writeln!(out, "{} {}: {}", assertion.line, assertion.family, assertion.text);
        }
        out
    })
}

/// The assertions of the one test with this body.
pub(crate) fn assertions_of_body(body: &str) -> String {
    assertions_of_files(&[("src/test/SampleTest.java", &junit_test(body))])
}

/// The text of a node. `*` marks START, `!` marks ASSERT.
fn node(node: &NodeView<'_>) -> String {
    let start = if node.start { "*" } else { "" };
    let assert = if node.assert { "!" } else { "" };
    format!("{start}{}@{}{assert}", node.text, node.line)
}

fn operation(extraction: &Extraction<'_>, edge: usize) -> String {
    let edge = &extraction.edges[edge];
    match &edge.cut {
        None => edge.operation.to_string(),
        Some(CutView::Type(name)) => format!("{} CUT {name}", edge.operation),
        Some(CutView::Resolved {
            declaration,
            implementations,
        }) => {
            let method = |at: &usize| extraction.cut_methods[*at].method.clone();
            let mut text = format!("{} CUT {}", edge.operation, method(declaration));
            for implementation in implementations {
                let _ = write!(text, " | {}", method(implementation));
            }
            text
        }
    }
}

fn edges(extraction: &Extraction<'_>) -> String {
    let mut out = String::new();
    for (at, edge) in extraction.edges.iter().enumerate() {
        let _ = writeln!(
            out,
            "{} -[{}]-> {}",
            node(&extraction.nodes[edge.from]),
            operation(extraction, at),
            node(&extraction.nodes[edge.to])
        );
    }
    if extraction.edges.is_empty() {
        for alone in &extraction.nodes {
            let _ = writeln!(out, "{}", node(alone));
        }
    }
    out
}

fn paths(extraction: &Extraction<'_>) -> String {
    let mut out = String::new();
    for path in &extraction.paths {
        let mut edges = path.edges();
        for at in path.nodes() {
            out.push_str(&node(&extraction.nodes[at]));
            if let Some(edge) = edges.next() {
                let _ = write!(out, " -[{}]-> ", operation(extraction, edge));
            }
        }
        out.push('\n');
    }
    if extraction.dropped_paths > 0 {
        let _ = writeln!(out, "dropped {}", extraction.dropped_paths);
    }
    out
}
