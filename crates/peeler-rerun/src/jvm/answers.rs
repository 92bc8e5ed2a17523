//! The answers of a JVM that runs tests: lines that Peeler's test runner appends to a file, and their parser.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::evidence::Outcome;

/// The maximum length of a failure text in characters; longer texts are cut.
const LONGEST_TEXT: usize = 6_000;

/// The result of one run of a test in a JVM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunResult {
    /// The outcome of the test's run, such as passed or timed out.
    pub outcome: Outcome,
    /// The time that the test's run took, in milliseconds.
    pub milliseconds: u64,
    /// The message and stack trace of the failure, if the test failed.
    pub failure: Option<String>,
}

/// The result of a test run, parsed from the JVM's answer `end <number> <outcome> <microseconds> <text>`.
///
/// The fields are separated by tabs. `waited` is used as the run's time in milliseconds if the answer gives no time.
pub(super) fn ended(line: &str, waited: u64) -> RunResult {
    let mut fields = line.splitn(5, '\t').skip(2);
    let outcome = match fields.next() {
        Some("passed") => Outcome::Passed,
        Some("failed") => Outcome::Failed,
        Some("skipped") => Outcome::Skipped,
        Some("missing") => Outcome::Missing,
        _ => Outcome::Crashed,
    };
    let micros = fields.next().and_then(|it| it.parse::<u64>().ok());
    let text = unescaped(fields.next().unwrap_or(""));
    RunResult {
        outcome,
        milliseconds: micros.map_or(waited, |it| it.div_ceil(1000)),
        failure: (!text.is_empty()).then(|| cut(&text)),
    }
}

/// The innermost stack frame outside the Java library, followed by the whole stack trace.
///
/// Empty if every frame is in the Java library.
pub(super) fn place(stack: &str) -> String {
    let is_java = |line: &str| {
        ["java.", "jdk.", "sun."]
            .iter()
            .any(|it| line.starts_with(&format!("at {it}")))
    };
    let own = stack
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("at ") && !is_java(line));
    own.map_or_else(String::new, |own| format!(" {own}\n{stack}"))
}

/// The failure text for a JVM that ended during a test: how it ended, and its last output.
pub(super) fn last_words(how: &str, output: &str) -> String {
    let text = if output.is_empty() {
        format!("the JVM ended during the test: {how}")
    } else {
        format!("the JVM ended during the test: {how}; its last output:\n{output}")
    };
    cut(&text)
}

/// A failure text, cut to [`LONGEST_TEXT`] characters.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{} [cut]", &text[..end]),
        None => text.to_owned(),
    }
}

/// A text of Peeler's test runner with its escapes decoded: `\n`, `\t`, `\r` and `\\`.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// A reader of the answers that a JVM appends, line by line, to a file.
#[derive(Debug)]
pub(super) struct Answers {
    file: File,
    unread: Vec<u8>,
}

impl Answers {
    /// Creates the file to which a JVM appends its answers, and opens it for reading.
    pub(super) fn open(path: &Path) -> std::io::Result<Self> {
        File::create(path)?;
        Ok(Self {
            file: File::open(path)?,
            unread: Vec::new(),
        })
    }

    /// The next line that a JVM appended to the file of its answers, if a complete one is there.
    pub(super) fn next(&mut self) -> Option<String> {
        if !self.unread.contains(&b'\n') {
            let _ = self.file.read_to_end(&mut self.unread);
        }
        let end = self.unread.iter().position(|&byte| byte == b'\n')?;
        let line: Vec<u8> = self.unread.drain(..=end).collect();
        Some(String::from_utf8_lossy(&line[..end]).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn an_answer_says_how_a_test_ended() {
        let failed = ended(
            "end\t7\tfailed\t5210\tjava.lang.AssertionError: a\\tb\\n\\tat C\\\\D",
            99,
        );
        assert_eq!((failed.outcome, failed.milliseconds), (Outcome::Failed, 6));
        assert_eq!(
            failed.failure.as_deref(),
            Some("java.lang.AssertionError: a\tb\n\tat C\\D")
        );
        assert_eq!(ended("end\t1\tpassed\t0\t", 99).failure, None);
        assert_eq!(ended("end\t1\tnonsense", 99).outcome, Outcome::Crashed);
    }

    #[test]
    fn a_hung_test_is_named_by_its_own_code() {
        let stack = "\tat java.base@17/java.lang.Thread.sleep(Native Method)\n\tat shop.T.t(T.java:3)\n";
        let words = place(stack);
        assert_eq!(words.lines().next(), Some(" at shop.T.t(T.java:3)"));
        assert!(words.ends_with(stack));
    }

    #[test]
    fn half_an_answer_waits_for_its_other_half() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("answers");
        let mut answers = Answers::open(&path).expect("a file");
        let mut writer = std::fs::OpenOptions::new().append(true).open(&path).expect("the file");
        writer.write_all(b"begin\t1\nen").expect("a line and a half");
        assert_eq!(answers.next().as_deref(), Some("begin\t1"));
        assert_eq!(answers.next(), None);
        writer.write_all(b"d\t1\tpassed\t3\t\n").expect("the rest");
        assert_eq!(answers.next().as_deref(), Some("end\t1\tpassed\t3\t"));
    }

    #[test]
    fn a_long_failure_is_cut_between_characters() {
        let text = cut(&"ä".repeat(LONGEST_TEXT + 1));
        assert!(text.ends_with("ä [cut]"));
        assert_eq!(text.chars().count(), LONGEST_TEXT + " [cut]".len());
    }
}
