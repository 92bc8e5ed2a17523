//! Findings as Checkstyle XML, which build servers and review tools read.
//!
//! Invariant: the document is well-formed XML. Left out: unreadable files and the scores of tests.

use std::collections::BTreeMap;
use std::io::{self, Write};

use peeler_rerun::xml::escaped;

use super::wording::{self, Check};
use crate::finding::{Finding, Scan};

/// Writes the findings of a scan as Checkstyle XML: files sorted by path, each with its findings in the report's order.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    let mut files: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in &scan.findings {
        files.entry(&finding.file).or_default().push(finding);
    }
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"10.0\">"
    )?;
    for (file, findings) in files {
        writeln!(out, "  <file name=\"{}\">", escaped(file))?;
        for finding in findings {
            let severity = if finding.below_threshold { "info" } else { "warning" };
            let message = format!("{}: {}", finding.test.short(), wording::sentence(finding));
            writeln!(
                out,
                "    <error line=\"{}\" severity=\"{severity}\" message=\"{}\" source=\"{}\"/>",
                finding.line,
                escaped(&message),
                escaped(&source(finding))
            )?;
        }
        writeln!(out, "  </file>")?;
    }
    writeln!(out, "</checkstyle>")
}

/// The name of the check that found a test, as Checkstyle writes it: `peeler.PLR101`.
fn source(finding: &Finding) -> String {
    let check = Check::of(finding).to_string();
    format!("peeler.{}", check.trim_start_matches("peeler/"))
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::super::made::{self, HOSTILE, scan, written};
    use super::*;

    #[test]
    fn an_error_names_its_file_line_and_rule() {
        let text = written(write, &scan());
        let document = Document::parse(&text).unwrap();
        let error = document
            .descendants()
            .find(|it| it.attribute("source") == Some("peeler.PLR301"))
            .unwrap();
        assert_eq!(error.attribute("line"), Some("12"));
        assert_eq!(error.parent().unwrap().attribute("name"), Some(made::TEST_FILE));
    }

    #[test]
    fn hostile_text_stays_text() {
        let mut scan = scan();
        scan.findings[0].reason = HOSTILE.to_owned();
        scan.findings[0].file = HOSTILE.to_owned();
        assert!(Document::parse(&written(write, &scan)).is_ok());
    }
}
