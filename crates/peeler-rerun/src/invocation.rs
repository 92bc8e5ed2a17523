//! The command line of `peeler confirm`, recorded so that its outcomes can be reproduced.

use peeler_features::TestName;
use serde::{Deserialize, Serialize};

use crate::shell;

/// The arguments of `peeler confirm` that a replay of its runs has to repeat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    /// The root folder of the project, as the user wrote it.
    pub root: String,
    /// The path of the evidence log.
    pub log: String,
    /// Options of `peeler confirm` that change how tests run, such as `--jvm-arg`.
    pub options: Vec<String>,
}

impl Invocation {
    /// The shell command that replays the recorded outcomes of a test.
    ///
    /// `None` if a name in it cannot be shown on one line.
    #[must_use]
    pub fn command(&self, test: &TestName) -> Option<String> {
        let mut words = vec!["peeler".to_owned(), "confirm".to_owned(), shell::path_word(&self.root)?];
        words.extend(["--replay".to_owned(), shell::path_word(&self.log)?]);
        if test.as_str().starts_with('-') {
            words.push(shell::word(&format!("--test={test}"))?);
        } else {
            words.extend(["--test".to_owned(), shell::word(test.as_str())?]);
        }
        for option in &self.options {
            words.push(shell::word(option)?);
        }
        Some(words.join(" "))
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
        let command = invocation.command(&"a.B$C#m".parse().expect("a test"));
        let command = command.expect("names that can be shown");
        assert_eq!(
            command,
            "peeler confirm 'my project' --replay log.jsonl --test 'a.B$C#m' '--jvm-arg=-Xmx64m'"
        );
        let words = shlex::split(&command).expect("balanced quotes");
        assert_eq!(words[6..], ["a.B$C#m", "--jvm-arg=-Xmx64m"]);
    }
    #[test]
    fn names_that_begin_with_a_dash_are_no_options() {
        let invocation = Invocation {
            root: "-root".to_owned(),
            log: "--log.jsonl".to_owned(),
            options: Vec::new(),
        };
        let command = invocation.command(&"-a.B#m".parse().expect("a test"));
        assert_eq!(
            command.as_deref(),
            Some("peeler confirm ./-root --replay ./--log.jsonl '--test=-a.B#m'")
        );
        let unseen = Invocation {
            root: "a\nb".to_owned(),
            ..invocation
        };
        assert_eq!(unseen.command(&"a.B#m".parse().expect("a test")), None);
    }
}
