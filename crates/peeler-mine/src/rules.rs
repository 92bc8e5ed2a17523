//! The rules of mining, read from `rules.toml`: words, annotations, paths, limits and weights.
//!
//! Invariant: every pattern of the file that is part of the program compiles; a test checks it.

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::event::Evidence;

/// The text of the built-in rules of mining: words, annotations, paths and limits.
const RULES: &str = include_str!("../rules.toml");

/// All rules of mining: how flaky tests are recognised in commits, and how certain that is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rules {
    pub(crate) paths: PathRules,
    pub(crate) message: MessageRules,
    pub(crate) markers: MarkerRules,
    pub(crate) stripping: StrippingRules,
    pub(crate) limits: Limits,
    pub(crate) certainty: Certainty,
    pub(crate) cause: Vec<CauseRule>,
}

/// Patterns of paths that tell test files from main code.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PathRules {
    test_file: Pattern,
    test_folder: Pattern,
    main_folder: Pattern,
    code: Pattern,
}

/// Patterns of words in commit messages: of flakiness, of reverts, and of names of test classes and methods.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MessageRules {
    pub(crate) strong: Patterns,
    pub(crate) weak: Patterns,
    pub(crate) about_tests: Pattern,
    pub(crate) domain: Patterns,
    pub(crate) revert: Pattern,
    pub(crate) unmark: Patterns,
    pub(crate) test_class: Pattern,
    pub(crate) test_method: Pattern,
    pub(crate) trailer: Pattern,
}

/// Patterns of annotations and comments that mark a test as flaky.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MarkerRules {
    pub(crate) line: Pattern,
    pub(crate) name: Pattern,
    pub(crate) not_name: Pattern,
    pub(crate) disabling: Pattern,
    pub(crate) reason: Pattern,
    pub(crate) grouping: Pattern,
    pub(crate) group: Pattern,
    pub(crate) retrying: Pattern,
    pub(crate) retry_argument: Pattern,
    pub(crate) comment: Pattern,
    pub(crate) not_comment: Pattern,
}

/// Patterns of words that sources lose before anything is learned from them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StrippingRules {
    pub(crate) words: Pattern,
}

/// Limits of what counts as evidence. For example, a commit that changes many tests says nothing about a single one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    pub(crate) changed_tests: usize,
    pub(crate) marked_in_file: usize,
    pub(crate) marked_in_commit: usize,
    pub(crate) named_characters: usize,
}

/// The estimated share of events whose test really was flaky, for each kind of evidence. Other fields raise or lower
/// it, for example if the message is vague.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Certainty {
    #[serde(rename = "A1")]
    annotated: f64,
    #[serde(rename = "A2")]
    commented: f64,
    #[serde(rename = "B1")]
    named: f64,
    #[serde(rename = "B2")]
    subject: f64,
    #[serde(rename = "B3a")]
    body: f64,
    #[serde(rename = "B3b")]
    with_main_code: f64,
    history: f64,
    proven: f64,
    pub(crate) weak_words: f64,
    pub(crate) several_tests: f64,
    pub(crate) known_cause: f64,
    pub(crate) comment_in_body: f64,
    pub(crate) untouched_test: f64,
}

/// A cause of flakiness, with patterns of lines that a commit changes in a test if it repairs this cause.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CauseRule {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) added: Patterns,
    #[serde(default)]
    pub(crate) either: Patterns,
}

impl Rules {
    /// The rules of mining that are part of the program, parsed once.
    pub(crate) fn built_in() -> &'static Self {
        static BUILT_IN: OnceLock<Rules> = OnceLock::new();
        BUILT_IN.get_or_init(|| toml::from_str(RULES).expect("the rules of the program are valid"))
    }
}

impl PathRules {
    /// Whether a Java file is a test file by its name or its folder. Helpers in test folders count too.
    pub(crate) fn is_java_test(&self, path: &str) -> bool {
        Path::new(path).extension().is_some_and(|it| it == "java") && self.is_test(path)
    }

    /// Whether a path is that of code, such as a Java or Kotlin file, that is no test file by its name or folder.
    pub(crate) fn is_main_code(&self, path: &str) -> bool {
        self.code.is_match(path) && !self.is_test(path)
    }

    fn is_test(&self, path: &str) -> bool {
        self.test_file.is_match(path) || self.test_folder.is_match(path) && !self.main_folder.is_match(path)
    }
}

impl Certainty {
    /// The estimated share of events with this kind of evidence whose test really was flaky, between 0 and 1.
    pub(crate) fn of(&self, evidence: Evidence) -> f64 {
        match evidence {
            Evidence::Annotation => self.annotated,
            Evidence::Comment => self.commented,
            Evidence::Named => self.named,
            Evidence::Subject => self.subject,
            Evidence::Body => self.body,
            Evidence::SubjectWithMainCode => self.with_main_code,
            Evidence::History => self.history,
            Evidence::Proven => self.proven,
        }
    }
}

/// A regular expression that ignores case and in which `\w` matches ASCII only.
#[derive(Debug)]
pub(crate) struct Pattern(Regex);

impl Pattern {
    /// Whether the regular expression matches a part of the text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text.as_bytes())
    }

    /// All parts of the text that the regular expression matches, from left to right.
    pub(crate) fn matches(&self, text: &str) -> Vec<String> {
        let found = self.0.find_iter(text.as_bytes());
        found
            .map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned())
            .collect()
    }

    /// The text with a space in place of every part that the regular expression matches.
    pub(crate) fn without(&self, text: &str) -> String {
        let rest = self.0.replace_all(text.as_bytes(), &b" "[..]);
        String::from_utf8_lossy(&rest).into_owned()
    }

    /// The byte range of the first match of the regular expression at or after the offset `at`; `None` if there is
    /// none.
    pub(crate) fn find_at(&self, bytes: &[u8], at: usize) -> Option<Range<usize>> {
        self.0.find_at(bytes, at).map(|it| it.range())
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        compiled(&text).map(Self).map_err(Error::custom)
    }
}

/// Alternative regular expressions, joined by `|` into one; `None` if there are none, so that nothing matches.
#[derive(Debug, Default)]
pub(crate) struct Patterns(Option<Pattern>);

impl Patterns {
    /// Whether one of the regular expressions matches a part of the text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.0.as_ref().is_some_and(|it| it.is_match(text))
    }

    /// The text with a space in place of every part that one of the regular expressions matches.
    pub(crate) fn without(&self, text: &str) -> String {
        self.0.as_ref().map_or_else(|| text.to_owned(), |it| it.without(text))
    }
}

impl<'de> Deserialize<'de> for Patterns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts: Vec<String> = Vec::deserialize(deserializer)?;
        let grouped: Vec<String> = texts.iter().map(|it| format!("(?:{it})")).collect();
        let pattern = compiled(&grouped.join("|")).map_err(Error::custom)?;
        Ok(Self((!texts.is_empty()).then_some(Pattern(pattern))))
    }
}

/// Compiles a regular expression that ignores case and knows ASCII only. With all letters of Unicode it would be large
/// and slow to build.
fn compiled(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).case_insensitive(true).unicode(false).build()
}

#[cfg(test)]
mod tests {
    use super::Rules;

    #[test]
    fn test_files_are_known_by_their_names_and_folders() {
        let paths = &Rules::built_in().paths;
        for test in [
            "core/src/test/java/shop/Basket.java",
            "core/src/distributedTest/java/shop/Basket.java",
            "core/src/it/java/shop/Basket.java",
            "core/shop/BasketTest.java",
            "core/shop/TestBasket.java",
            "core/shop/BasketIT.java",
            "core/src/main/java/shop/BasketTest.java",
            "test/unit/shop/Basket.java",
        ] {
            assert!(paths.is_java_test(test) && !paths.is_main_code(test), "{test}");
        }
        for main in [
            "core/src/main/java/shop/Basket.java",
            "core/src/main/java/shop/testing/Basket.java",
            "core/src/main/java/shop/Credit.java",
            "audit/shop/Split.java",
            "core/src/main/kotlin/Basket.kt",
        ] {
            assert!(paths.is_main_code(main) && !paths.is_java_test(main), "{main}");
        }
        assert!(!paths.is_main_code("pom.xml"));
    }
}
