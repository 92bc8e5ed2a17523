//! Names of one rule or several rules, as users write them in options, settings and suppressions.
//!
//! ```text
//! PLR101   unordered-text-compared   PLR1   PLR   ORDER   ALL
//! ```
//!
//! Invariant: a selector names at least one rule. Upper and lower case are the same.

use crate::codes::StoredCode;
use crate::rule::{Rule, RuleFamily};

/// The start of every rule id.
const PREFIX: &str = "PLR";

/// A text by which users select one rule or a group of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleSelector {
    /// The selector `ALL`, which names every rule.
    All,
    /// A selector such as `ORDER`, which names the rules of a family.
    Family(RuleFamily),
    /// A selector such as `PLR1`, which names the rules whose id starts with this text.
    Prefix(String),
    /// A selector such as `PLR101` or `unordered-text-compared`, which names one rule.
    Rule(Rule),
}

impl RuleSelector {
    /// The selector with this text; `None` if it names no rule.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(rule) = Rule::find(text) {
            return Some(Self::Rule(rule));
        }
        if text.eq_ignore_ascii_case("all") {
            return Some(Self::All);
        }
        let family = RuleFamily::all()
            .into_iter()
            .find(|it| it.name().eq_ignore_ascii_case(text));
        if let Some(family) = family {
            return Some(Self::Family(family));
        }
        let upper = text.to_ascii_uppercase();
        let names_some = upper.starts_with(PREFIX) && Rule::ALL.iter().any(|it| it.id().starts_with(&upper));
        names_some.then_some(Self::Prefix(upper))
    }

    /// Whether a text has the form of a rule id or of its start, whether or not such a rule exists: `PLR999`.
    #[must_use]
    pub fn is_like_id(text: &str) -> bool {
        let start = text.get(..PREFIX.len());
        start.is_some_and(|it| it.eq_ignore_ascii_case(PREFIX))
            && text[PREFIX.len()..].bytes().all(|it| it.is_ascii_digit())
    }

    /// Whether `rule` is one of the rules that the selector names.
    #[must_use]
    pub fn names(&self, rule: Rule) -> bool {
        match self {
            Self::All => true,
            Self::Family(family) => rule.family() == *family,
            Self::Prefix(prefix) => rule.id().starts_with(prefix.as_str()),
            Self::Rule(one) => *one == rule,
        }
    }

    /// The rules that the selector names, in the order of their ids.
    pub fn rules(&self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(|it| self.names(*it))
    }

    /// A number that is higher the fewer rules the selector names: higher for `PLR101` than for `PLR1`. A narrower
    /// selector overrides a wider one.
    #[must_use]
    pub fn narrowness(&self) -> usize {
        match self {
            Self::All => 0,
            // A family is as wide as the prefix with its digit.
            Self::Family(_) => PREFIX.len() + 1,
            Self::Prefix(prefix) => prefix.len(),
            Self::Rule(rule) => rule.id().len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        let selector = RuleSelector::parse(text);
        selector.iter().flat_map(RuleSelector::rules).map(Rule::id).collect()
    }

    #[test]
    fn ids_names_prefixes_and_families_name_rules() {
        assert_eq!(names("plr101"), ["PLR101"]);
        assert_eq!(names("Fixed-Port"), ["PLR401"]);
        assert_eq!(names("PLR4"), ["PLR401", "PLR402", "PLR403", "PLR404"]);
        assert_eq!(names("outside"), names("PLR4"));
        assert_eq!(names("TEST-ORDER"), names("PLR5"));
        assert_eq!(names("PLR").len(), Rule::ALL.len());
        assert_eq!(names("ALL"), names("plr"));
    }

    #[test]
    fn what_names_no_rule_is_no_selector() {
        for text in ["", "PLR9", "PLR1011", "PL", "order-", "unordered", "P\u{fc}R"] {
            assert_eq!(RuleSelector::parse(text), None, "{text}");
        }
    }

    #[test]
    fn ids_are_told_from_words() {
        assert!(RuleSelector::is_like_id("PLR999") && RuleSelector::is_like_id("plr"));
        for text in ["", "PL", "PLR1x", "port", "\u{fc}\u{fc}1"] {
            assert!(!RuleSelector::is_like_id(text), "{text}");
        }
    }

    #[test]
    fn a_rule_is_narrower_than_a_prefix_and_that_than_all() {
        let narrowness = |text: &str| RuleSelector::parse(text).map(|it| it.narrowness());
        assert!(narrowness("PLR101") > narrowness("PLR10"));
        assert!(narrowness("PLR10") > narrowness("PLR1"));
        assert_eq!(narrowness("PLR1"), narrowness("ORDER"));
        assert_eq!(narrowness("PLR101"), narrowness("unordered-text-compared"));
        assert!(narrowness("PLR") > narrowness("ALL"));
    }
}
