//! Findings as one self-contained HTML page that loads nothing from the network or other files.
//!
//! The page is `report.html`. It reads its data from a script element that browsers do not run. Invariant: no text of a
//! repository is markup. In the data every character that could end the element is escaped, and the page sets text,
//! never HTML.

use std::io::{self, Write};

use super::page_data::PageData;
use crate::finding::Scan;

const PAGE: &str = include_str!("report.html");
/// The text in `report.html` that is replaced by the data of the page as JSON.
const PLACEHOLDER: &str = "/*PEELER-DATA*/null";

pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    let (before, after) = PAGE.split_once(PLACEHOLDER).expect("the page has a place for data");
    out.write_all(before.as_bytes())?;
    out.write_all(escaped(&serde_json::to_string(&PageData::new(scan))?).as_bytes())?;
    out.write_all(after.as_bytes())
}

/// Equivalent JSON without characters that are special in HTML or JavaScript.
fn escaped(json: &str) -> String {
    use std::fmt::Write as _;

    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{PAGE, PLACEHOLDER, escaped};

    #[test]
    fn the_page_has_one_place_for_data() {
        assert_eq!(PAGE.matches(PLACEHOLDER).count(), 1);
    }

    #[test]
    fn data_cannot_end_its_element_and_means_the_same() {
        let hostile = "</script><img src=x onerror=alert(1)>&\u{2028}";
        let json = serde_json::to_string(hostile).expect("text");
        let written = escaped(&json);
        assert!(!written.contains(['<', '>', '&', '\u{2028}']), "{written}");
        let read: String = serde_json::from_str(&written).expect("still JSON");
        assert_eq!(read, hostile);
    }
}
