//! Names of tests and modules as arguments of Maven and Gradle, which give some characters a meaning of their own.
//!
//! ```text
//! mvn -pl './-f evil.xml'    a folder; without ./ Maven reads the option -f
//! mvn -pl './!core'          a folder; without ./ Maven leaves out the module core
//! ```
//!
//! Invariant: an argument means the test or the module of its name, and nothing else. A name for which there is no such
//! argument is an error, and drafts then say why they show no command. The forms of Maven
//! were tried with Maven 3.8; those of Gradle were not tried.

use std::fmt;

use peeler_features::TestName;
use peeler_rerun::shell;

use super::markdown::span;

/// The characters that divide modules (`a,b`) or mark an artifact (`group:artifact`) in Maven's `-pl`.
const MAVEN_SYNTAX: &[char] = &[',', ':', '\\'];
/// The characters that Gradle does not allow in names of projects and tasks.
const GRADLE_SYNTAX: &[char] = &[':', '\\', '<', '>', '"', '?', '*', '|'];

/// The name of a test or folder that cannot be passed to Maven or Gradle because of its characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UnusableName {
    kind: &'static str,
    name: String,
}

impl UnusableName {
    /// A folder whose name cannot be passed on.
    pub(super) fn folder(name: &str) -> Self {
        Self {
            kind: "folder",
            name: name.to_owned(),
        }
    }
}

impl fmt::Display for UnusableName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, name } = self;
        write!(
            out,
            "the {kind} {} has characters that cannot be passed on safely",
            span(name)
        )
    }
}

/// The folder of a module as an argument of Maven's `-pl`, quoted for the shell where needed.
pub(super) fn maven_module(folders: &[&str]) -> Result<String, UnusableName> {
    let path = folders.join("/");
    let is_plain = path.starts_with(|it: char| it.is_alphanumeric() || it == '_' || it == '.');
    let argument = if is_plain { path.clone() } else { format!("./{path}") };
    let word = shell::word(&argument).filter(|_| !path.contains(MAVEN_SYNTAX));
    word.ok_or(UnusableName {
        kind: "folder",
        name: path,
    })
}

/// Checks that Gradle accepts the folders of a module and the name of a source set as names.
pub(super) fn check_gradle_names(folders: &[&str], source_set: &str) -> Result<(), UnusableName> {
    for name in folders.iter().copied().chain([source_set]) {
        let is_usable = shell::word(name).is_some() && !name.contains(GRADLE_SYNTAX) && name != "..";
        if !is_usable {
            return Err(UnusableName {
                kind: "folder",
                name: name.to_owned(),
            });
        }
    }
    Ok(())
}

/// Checks that the name of a test has only characters of Java names. Surefire and Gradle take other characters for
/// patterns and options.
pub(super) fn check_test(test: &TestName) -> Result<(), UnusableName> {
    let is_java = |it: char| !it.is_ascii() || it.is_ascii_alphanumeric() || it == '_' || it == '$';
    let class = test
        .class()
        .split('.')
        .all(|it| !it.is_empty() && it.chars().all(is_java));
    if class && test.method().chars().all(is_java) && shell::word(test.as_str()).is_some() {
        return Ok(());
    }
    Err(UnusableName {
        kind: "test",
        name: test.as_str().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_maven_are_folders_and_neither_options_nor_selectors() {
        for (folder, word) in [
            ("orders", "orders"),
            ("-f evil.xml", "'./-f evil.xml'"),
            ("!core", "'./!core'"),
            ("+core", "./+core"),
            ("?core", "'./?core'"),
            ("a b", "'a b'"),
        ] {
            assert_eq!(maven_module(&[folder]).as_deref(), Ok(word));
        }
        for folder in ["a,b", "a:b", "a\\b", "a\nb", "a ", "a  b"] {
            let error = maven_module(&[folder]).expect_err("no word").to_string();
            assert!(error.starts_with("the folder `a"), "{error}");
        }
    }

    #[test]
    fn tests_with_characters_of_patterns_have_no_command() {
        for name in ["a.B#c", "B$C#d_1", "a.Prüfung#größe"] {
            assert_eq!(check_test(&name.parse().unwrap()), Ok(()), "{name}");
        }
        for name in [
            "*#c",
            "a.B#c*",
            "!B#c",
            "B,C#d",
            "%regex#x",
            "B+C#d",
            "-B#c",
            "a..B#c",
            "a/B#c",
            "a.\u{202e}B#c",
        ] {
            assert!(check_test(&name.parse().unwrap()).is_err(), "{name}");
        }
    }
}
