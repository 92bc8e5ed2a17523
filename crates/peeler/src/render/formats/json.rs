//! A scan as one JSON document.
//!
//! Nothing is left out: reading the document back yields the scan that was written. It is indented down to the nodes and
//! edges of graphs, each of which is a line: there are thousands, and all but a few readers of them are programs.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use crate::finding::Scan;

const BUFFER_BYTES: usize = 1 << 16;
/// What lies inside more brackets than these stands in one line: document, findings, finding, graph, nodes.
const INDENTED_BRACKETS: usize = 5;

/// The whole scan, indented, with a line break at its end.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    // Through a writer that nobody knows at compile time every bracket would be a call.
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, out);
    scan.serialize(&mut Serializer::with_formatter(&mut out, Indented::default()))?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Indents the outer brackets of a document.
#[derive(Default)]
struct Indented {
    pretty: PrettyFormatter<'static>,
    /// How many brackets are open.
    open: usize,
}

impl Indented {
    /// Whether what is written now gets lines of its own.
    fn is_indented(&self) -> bool {
        self.open <= INDENTED_BRACKETS
    }

    fn separate<W: ?Sized + Write>(out: &mut W, is_first: bool) -> io::Result<()> {
        if is_first { Ok(()) } else { out.write_all(b", ") }
    }
}

impl Formatter for Indented {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open += 1;
        if self.is_indented() {
            self.pretty.begin_array(out)
        } else {
            out.write_all(b"[")
        }
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let is_indented = self.is_indented();
        self.open -= 1;
        if is_indented {
            self.pretty.end_array(out)
        } else {
            out.write_all(b"]")
        }
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        if self.is_indented() {
            self.pretty.begin_array_value(out, is_first)
        } else {
            Self::separate(out, is_first)
        }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.is_indented() {
            self.pretty.end_array_value(out)?;
        }
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open += 1;
        if self.is_indented() {
            self.pretty.begin_object(out)
        } else {
            out.write_all(b"{")
        }
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let is_indented = self.is_indented();
        self.open -= 1;
        if is_indented {
            self.pretty.end_object(out)
        } else {
            out.write_all(b"}")
        }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        if self.is_indented() {
            self.pretty.begin_object_key(out, is_first)
        } else {
            Self::separate(out, is_first)
        }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.is_indented() {
            self.pretty.end_object_value(out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::{scan, scan_with_tests, written};
    use super::*;

    #[test]
    fn a_scan_comes_back_as_it_was_written() {
        for scan in [scan(), scan_with_tests()] {
            let text = written(write, &scan);
            assert_eq!(serde_json::from_str::<Scan>(&text).unwrap(), scan);
        }
    }

    #[test]
    fn a_node_is_a_line_and_a_finding_is_many() {
        let text = written(write, &scan());
        let node = text.lines().find(|it| it.trim_start().starts_with("{\"text\": "));
        assert!(node.is_some_and(|it| it.trim_end_matches(',').ends_with('}')), "{text}");
        for line in ["  \"findings\": [", "      \"graph\": {", "        \"nodes\": ["] {
            assert!(text.lines().any(|it| it == line), "{text}");
        }
    }

    #[test]
    fn probabilities_keep_the_digits_that_they_have() {
        assert!(written(write, &scan()).contains("\"probability\": 0.93,"));
    }

    #[test]
    fn tests_that_were_not_asked_for_are_not_a_null() {
        let document: serde_json::Value = serde_json::from_str(&written(write, &scan())).unwrap();
        assert_eq!(document.get("tests"), None);
    }

    #[test]
    fn the_document_ends_with_its_only_trailing_line_break() {
        assert!(written(write, &scan()).ends_with("\n}\n"));
    }
}
