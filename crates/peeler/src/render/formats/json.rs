//! A scan as one JSON document.
//!
//! Nothing is left out: reading the document back yields the scan that was written.

use std::io::{self, BufWriter, Write};

use crate::finding::Scan;

const BUFFER_BYTES: usize = 1 << 16;

/// The whole scan, indented, with a line break at its end.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    // Through a writer that nobody knows at compile time every bracket would be a call.
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, out);
    serde_json::to_writer_pretty(&mut out, scan)?;
    out.write_all(b"\n")?;
    out.flush()
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
