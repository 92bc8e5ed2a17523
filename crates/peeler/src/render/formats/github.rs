//! Findings as workflow commands, which GitHub shows as annotations beside the code.
//!
//! ```text
//! ::warning file=OrderTest.java,line=12,endLine=20,title=Flaky test%3A OrderTest#total (PLR301 ...)::it depends on ...
//! ```
//!
//! Every finding is one line, whatever its texts contain, so no source can inject a command of its own. GitHub shows
//! the first ten warnings of a step, in the order of the report. Left out: unreadable files and the scores of tests.

use std::io::{self, Write};

use super::wording;
use crate::finding::{Finding, Scan};

/// Writes a GitHub workflow command `::warning` for each finding of a scan, and `::notice` for tests below the threshold.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    for finding in &scan.findings {
        writeln!(
            out,
            "::{} file={},line={},endLine={},title={}::{}",
            if finding.below_threshold { "notice" } else { "warning" },
            escaped_property(&finding.file),
            finding.line,
            finding.end_line,
            escaped_property(&title(finding)),
            escaped(&message(finding))
        )?;
    }
    Ok(())
}

fn title(finding: &Finding) -> String {
    let rule = finding
        .rules
        .first()
        .map(|it| format!(" ({} {})", it.rule.id(), it.name));
    format!("Flaky test: {}{}", finding.test.short(), rule.unwrap_or_default())
}

fn message(finding: &Finding) -> String {
    let mut lines = vec![wording::sentence(finding)];
    lines.extend(wording::again(finding));
    lines.extend(finding.root_cause.as_ref().map(|it| it.advice.clone()));
    lines.join("\n")
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::made::{self, HOSTILE, scan, written};
    use super::*;

    /// Parses a workflow command into properties and message, as the GitHub runner does.
    fn read(line: &str) -> (Vec<(String, String)>, String) {
        let (properties, message) = line.strip_prefix("::warning ").unwrap().split_once("::").unwrap();
        let properties = properties.split(',').map(|it| it.split_once('=').unwrap());
        let properties = properties.map(|(name, value)| (name.to_owned(), unescaped(value)));
        (properties.collect(), unescaped(message))
    }

    fn unescaped(text: &str) -> String {
        let signs = [("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")];
        signs
            .iter()
            .fold(text.to_owned(), |text, (code, sign)| text.replace(code, sign))
    }

    #[test]
    fn a_finding_is_one_line_whatever_it_says() {
        let text = written(write, &scan());
        assert_eq!(text.split(['\r', '\n']).filter(|line| !line.is_empty()).count(), 2);
    }

    #[test]
    fn the_place_and_the_title_are_properties() {
        let text = written(write, &scan());
        let (properties, _) = read(text.lines().next().unwrap());
        let expected = [
            ("file", made::TEST_FILE),
            ("line", "12"),
            ("endLine", "20"),
            ("title", "Flaky test: OrderTest#total (PLR301 clock-compared)"),
        ];
        assert_eq!(
            properties,
            expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
    }

    #[test]
    fn hostile_text_comes_back_as_it_was() {
        let text = written(write, &scan());
        let (_, message) = read(text.lines().nth(1).unwrap());
        assert!(message.starts_with(HOSTILE), "{message}");
    }

    #[test]
    fn a_comma_or_colon_of_a_path_does_not_end_its_property() {
        assert_eq!(
            escaped_property("a,b:c::100%\r\n.java"),
            "a%2Cb%3Ac%3A%3A100%25%0D%0A.java"
        );
    }

    #[test]
    fn the_proof_is_a_line_of_the_message() {
        let text = written(write, &scan());
        let (_, message) = read(text.lines().next().unwrap());
        assert!(message.contains("it failed 3 of 100 runs"), "{message}");
        assert!(
            message
                .contains("\nSee it fail again: peeler confirm . --replay log.jsonl --test 'shop.OrderTest#total'\n"),
            "{message}"
        );
    }

    #[test]
    fn the_advice_is_a_line_of_the_message() {
        let text = written(write, &scan());
        assert!(text.lines().next().unwrap().ends_with("%0APass a fixed clock in."));
    }
}
