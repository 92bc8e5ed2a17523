//! One tree-sitter parser a thread, with a budget of steps instead of a clock.
//!
//! Error recovery on hostile input can take far longer than a parse; a budget counted in the
//! parser's own steps stops it at the same place on every machine, so the same input always gives
//! the same result.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};

use tree_sitter::{ParseOptions, Parser, Point, Tree};

/// The parser reports every hundred operations; a report per this many bytes is ample for Java.
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

/// Parses `text` as if the `elided` ranges were not there. `None`: the budget ran out.
pub(crate) fn parse(text: &str, elided: &[Range<u32>]) -> Option<Tree> {
    let ranges = visible_ranges(text.len(), elided);
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
        parser
            .set_included_ranges(&ranges)
            .expect("elided ranges are ascending and disjoint");
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

/// Positions are taken from byte offsets alone, so rows and columns are left at zero.
fn visible_ranges(length: usize, elided: &[Range<u32>]) -> Vec<tree_sitter::Range> {
    let origin = Point::new(0, 0);
    let visible = |start: usize, end: usize| tree_sitter::Range {
        start_byte: start,
        end_byte: end,
        start_point: origin,
        end_point: origin,
    };
    if elided.is_empty() {
        return Vec::new();
    }
    let mut ranges = Vec::with_capacity(elided.len() + 1);
    let mut start = 0;
    for range in elided {
        ranges.push(visible(start, range.start as usize));
        start = range.end as usize;
    }
    ranges.push(visible(start, length));
    ranges
}
