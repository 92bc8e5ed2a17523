//! Proof: how often a flaky test failed, and the command that shows it again. This is what a scan or an issue quotes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::evidence::{Event, Stage, TestName};
use crate::verdict::{Status, verdicts};

/// What running a test showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Runs that count.
    pub runs: u32,
    /// How many of them failed.
    pub failures: u32,
    /// How to see it again.
    pub command: String,
}

/// How a confirmation was called, as far as a replay needs the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    /// The root of the project, as it was given.
    pub root: String,
    /// The log of evidence.
    pub log: String,
    /// Options that say how tests run.
    pub options: Vec<String>,
}

impl Invocation {
    /// The command that shows the recorded outcomes of a test again.
    #[must_use]
    pub fn command(&self, test: &TestName) -> String {
        let test = test.to_string();
        let mut words = vec!["peeler", "confirm", &self.root, "--replay", &self.log, "--test", &test];
        words.extend(self.options.iter().map(String::as_str));
        words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
    }
}

/// The proofs that a log holds, by test.
#[must_use]
pub fn from_log(events: &[Event], invocation: &Invocation) -> BTreeMap<TestName, Proof> {
    verdicts(events, &[])
        .into_iter()
        .filter(|verdict| verdict.status == Status::Flaky)
        .map(|verdict| {
            let is_recorded = verdict.failure.as_ref().is_some_and(|it| it.stage != Stage::History);
            let proof = Proof {
                runs: verdict.runs,
                failures: verdict.failures,
                command: if is_recorded {
                    invocation.command(&verdict.test)
                } else {
                    String::new()
                },
            };
            (verdict.test, proof)
        })
        .collect()
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./:=#,@%+".contains(character);
    if !word.is_empty() && !word.starts_with('#') && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_survives_the_shell() {
        let invocation = Invocation {
            root: "my project".to_owned(),
            log: "log.jsonl".to_owned(),
            options: vec!["--jvm-arg=-Xmx64m".to_owned()],
        };
        assert_eq!(
            invocation.command(&"a.B$C#m".parse().expect("a test")),
            "peeler confirm 'my project' --replay log.jsonl --test 'a.B$C#m' --jvm-arg=-Xmx64m"
        );
    }
}
