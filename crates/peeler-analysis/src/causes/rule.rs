//! Descriptions of causes: the rule that found a cause, and the class or field that it is about.

use std::fmt;
use std::sync::Arc;

use peeler_features::CauseKind;

/// The placeholder for a class or field in the words of a rule, as in `iterates a {type}`.
const SUBJECT: &str = "{type}";

/// A rule by which causes of flakiness are found: a kind of nondeterminism, and words such as `iterates a {type}`.
///
/// Two entries of a catalogue with the same kind and words are the same rule. Clones share their words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CauseRule {
    kind: CauseKind,
    words: Arc<str>,
}

impl CauseRule {
    pub(super) fn new(kind: CauseKind, words: &str) -> Self {
        let words = words.into();
        Self { kind, words }
    }

    /// The kind of nondeterminism that this rule finds, such as the clock or an unordered collection.
    #[must_use]
    pub fn kind(&self) -> CauseKind {
        self.kind
    }

    /// What the rule finds, in words of the catalogue of causes such as `iterates a {type}`. `{type}` stands for the
    /// class or field that a cause is about.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }
}

/// A description of a cause of flakiness: a rule, with the class or field that it is about.
///
/// Its text is a few words that follow "the test": `reads the clock`, `iterates a HashSet`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CauseDescription {
    /// The rule by which the described cause was found, such as `iterates a {type}`.
    pub rule: CauseRule,
    /// The class or field that replaces `{type}` in the words of the rule, such as `HashSet`. `None` if the words, such
    /// as `reads the clock`, are complete without it.
    pub subject: Option<Arc<str>>,
}

impl CauseDescription {
    /// The kind of nondeterminism of the described cause, such as the clock or an unordered collection.
    #[must_use]
    pub fn kind(&self) -> CauseKind {
        self.rule.kind
    }
}

impl From<CauseRule> for CauseDescription {
    fn from(rule: CauseRule) -> Self {
        Self { rule, subject: None }
    }
}

impl fmt::Display for CauseDescription {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(subject) = &self.subject else {
            return out.write_str(&self.rule.words);
        };
        for (at, part) in self.rule.words.split(SUBJECT).enumerate() {
            if at > 0 {
                out.write_str(subject)?;
            }
            out.write_str(part)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{CauseDescription, CauseRule};
    use crate::causes::CauseKind;

    #[test]
    fn the_subject_takes_its_place_in_the_words() {
        let rule = CauseRule::new(CauseKind::UnorderedCollection, "iterates a {type}, unordered");
        let description = CauseDescription {
            rule,
            subject: Some("HashSet".into()),
        };
        assert_eq!(description.to_string(), "iterates a HashSet, unordered");
    }

    #[test]
    fn words_without_a_subject_stay_as_they_are() {
        let description = CauseDescription::from(CauseRule::new(CauseKind::Clock, "reads the clock"));
        assert_eq!(description.to_string(), "reads the clock");
    }
}
