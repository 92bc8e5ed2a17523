//! The command line of a confirmation, recorded so that its outcomes can be reproduced.

use peeler_features::TestName;
use serde::{Deserialize, Serialize};

/// The arguments of a confirmation that a replay has to repeat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    /// The root of the project, as the user wrote it.
    pub root: String,
    /// The path of the evidence log.
    pub log: String,
    /// Options that change how tests run, such as `--jvm-arg`.
    pub options: Vec<String>,
}

impl Invocation {
    /// The shell command that replays the recorded outcomes of a test.
    #[must_use]
    pub fn command(&self, test: &TestName) -> String {
        let mut words = vec![
            "peeler",
            "confirm",
            &self.root,
            "--replay",
            &self.log,
            "--test",
            test.as_str(),
        ];
        words.extend(self.options.iter().map(String::as_str));
        // A word with a NUL byte cannot be an argument, so it cannot come from a command line.
        shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
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
        assert_eq!(
            command,
            "peeler confirm 'my project' --replay log.jsonl --test 'a.B$C#m' '--jvm-arg=-Xmx64m'"
        );
        let words = shlex::split(&command).expect("balanced quotes");
        assert_eq!(words[6..], ["a.B$C#m", "--jvm-arg=-Xmx64m"]);
    }
}
