//! A scan as one JSON document.
//!
//! Reading the document back yields the scan that was written. It is indented down to the nodes and edges of graphs.
//! Each of these is one line, because there are thousands of them, mostly read by programs.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::finding::Scan;

const BUFFER_BYTES: usize = 1 << 16;
/// The number of nested brackets whose values get lines of their own: document, findings, finding, graph, nodes. Deeper
/// values share a line.
const INDENTED_BRACKETS: usize = 5;
/// A line break followed by the deepest indentation of the JSON document.
const LINE: &[u8; 2 * INDENTED_BRACKETS + 1] = b"\n          ";

/// Writes a scan as indented JSON, with a line break at its end.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    // Without a buffer every bracket would cost a dynamic call.
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, out);
    scan.serialize(&mut Serializer::with_formatter(&mut out, Indented::default()))?;
    out.write_all(b"\n")?;
    out.flush()
}

/// A JSON formatter that indents only the outer brackets of a document.
#[derive(Default)]
struct Indented {
    /// The number of brackets of the JSON document that are open.
    open: usize,
    /// Whether the innermost open bracket of the JSON document is still empty.
    is_empty: bool,
}

impl Indented {
    fn open(&mut self, out: &mut (impl ?Sized + Write), bracket: &[u8]) -> io::Result<()> {
        self.open += 1;
        self.is_empty = true;
        out.write_all(bracket)
    }

    fn close(&mut self, out: &mut (impl ?Sized + Write), bracket: &[u8]) -> io::Result<()> {
        let has_lines = self.has_lines() && !self.is_empty;
        self.open -= 1;
        self.is_empty = false;
        if has_lines {
            self.begin_line(out)?;
        }
        out.write_all(bracket)
    }

    /// Writes the comma, line break or blank before a value of a JSON array or a member of an object.
    fn separate(&mut self, out: &mut (impl ?Sized + Write), is_first: bool) -> io::Result<()> {
        self.is_empty = false;
        match (self.has_lines(), is_first) {
            (true, true) => self.begin_line(out),
            (true, false) => out.write_all(b",").and_then(|()| self.begin_line(out)),
            (false, true) => Ok(()),
            (false, false) => out.write_all(b", "),
        }
    }

    /// Whether values in the innermost open bracket of the JSON document get lines of their own.
    fn has_lines(&self) -> bool {
        self.open <= INDENTED_BRACKETS
    }

    fn begin_line(&self, out: &mut (impl ?Sized + Write)) -> io::Result<()> {
        out.write_all(&LINE[..=2 * self.open])
    }
}

impl Formatter for Indented {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        self.separate(out, is_first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        self.separate(out, is_first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
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
