//! One tree-sitter parser for each thread, with a budget of steps instead of a time limit.
//!
//! Error recovery on hostile input can take far longer than a parse. A budget of parser steps stops the parser at the
//! same position on every machine. So the same input always gives the same result.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

/// The number of bytes of text that raises the maximum number of progress reports by one. The parser reports every
/// hundred operations, and is stopped at the maximum. One report for 4 bytes is ample for Java.
const BYTES_PER_REPORT: usize = 4;
const REPORTS_FOR_FREE: usize = 20_000;

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(java_parser());
}

fn java_parser() -> Parser {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_java::LANGUAGE.into())
        .expect("the grammar is built for this version of tree-sitter");
    parser
}

/// The syntax tree of the Java text `text`; `None` if parsing takes more steps than allowed.
pub(crate) fn parse(text: &str) -> Option<Tree> {
    let mut reports_left = REPORTS_FOR_FREE + text.len() / BYTES_PER_REPORT;
    let mut on_progress = |_: &tree_sitter::ParseState| {
        reports_left = reports_left.saturating_sub(1);
        if reports_left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    PARSER.with_borrow_mut(|parser| {
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut on_progress)),
        );
        parser.reset();
        tree
    })
}
