//! The rules: every kind of flow of nondeterminism that a scan reports, with a stable id and name.
//!
//! ```text
//! PLR101 unordered-text-compared    a HashMap is printed, and the text is compared with a literal
//! ```
//!
//! Invariant: ids, names and codes are used in stored files, suppressions and settings, and never change. The page of a
//! rule is `docs/rules/<id>.md`.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub use self::family::RuleFamily;
pub use self::kinds::Rule;
use self::texts::{RuleText, TEXTS};
use crate::cause_kind::CauseKind;
use crate::codes::StoredCode;

mod family;
mod kinds;
mod texts;

impl Rule {
    /// All rules, in the order of their ids.
    #[must_use]
    pub fn all() -> &'static [Self] {
        Self::ALL
    }

    fn text(self) -> &'static RuleText {
        let text = &TEXTS[self as usize];
        debug_assert_eq!(text.rule, self);
        text
    }

    /// The id of the rule: `PLR101`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.text().id
    }

    /// The name of the rule: `unordered-text-compared`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.text().name
    }

    /// The family that the rule belongs to, such as [`RuleFamily::Order`] for `PLR101`.
    #[must_use]
    pub fn family(self) -> RuleFamily {
        self.text().family
    }

    /// The kind of nondeterminism that the rule is about.
    #[must_use]
    pub fn cause(self) -> CauseKind {
        self.text().cause
    }

    /// What a test does that breaks the rule, in words that follow "the test", such as `uses a fixed port`.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.text().title
    }

    /// Advice how a test that breaks the rule is usually fixed.
    #[must_use]
    pub fn advice(self) -> &'static str {
        self.text().advice
    }

    /// The rule with this id or name, in upper or lower case; `None` if there is none.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        let is_meant = |it: &&RuleText| it.id.eq_ignore_ascii_case(text) || it.name.eq_ignore_ascii_case(text);
        TEXTS.iter().find(is_meant).map(|it| it.rule)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::find(&text).ok_or_else(|| de::Error::custom(format!("`{text}` is not a rule; `peeler rules` lists them")))
    }
}

impl StoredCode for Rule {
    const ALL: &'static [Self] = &[
        Self::UnorderedTextCompared,
        Self::UnorderedSequenceCompared,
        Self::UnorderedElementPicked,
        Self::ReflectionOrderCompared,
        Self::SerialisedOrderCompared,
        Self::FileListingCompared,
        Self::QueryOrderCompared,
        Self::IdentityTextCompared,
        Self::ParallelOrderCompared,
        Self::LiteralOrderAssumed,
        Self::SleepBeforeAssertion,
        Self::EffectNotAwaited,
        Self::ShortTimeLimit,
        Self::ElapsedTimeCompared,
        Self::AssertionInOtherThread,
        Self::WaitResultIgnored,
        Self::SchedulingAssumed,
        Self::GarbageCollectionAssumed,
        Self::UnsynchronisedSharing,
        Self::ClockCompared,
        Self::RandomValueAsserted,
        Self::GeneratedIdCompared,
        Self::DefaultZoneOrLocaleCompared,
        Self::DefaultCharsetCompared,
        Self::EnvironmentValueCompared,
        Self::LineSeparatorCompared,
        Self::FloatEquality,
        Self::UrlHashUsed,
        Self::FixedPort,
        Self::RealNetwork,
        Self::FixedPath,
        Self::FreePortReleased,
        Self::StaticStateLeft,
        Self::StaticStateAssumed,
        Self::SystemPropertyLeft,
        Self::DefaultLeft,
        Self::FileLeft,
        Self::StaticMockLeft,
        Self::TestOrderRequired,
        Self::SharedStoreLeft,
        Self::RetriedTest,
        Self::DuplicateLifecycle,
        Self::SuperSetupNotCalled,
        Self::DirtiedContext,
        Self::DeletedOnExit,
    ];

    fn code(self) -> u8 {
        // The hundreds and the rest of a number fit into three and five bits.
        let number = self.text().number;
        u8::try_from(number / 100 * 32 + number % 100).expect("numbers of rules are below 800")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Rule, TEXTS};
    use crate::codes::StoredCode;

    #[test]
    fn the_table_has_every_rule_at_its_place_with_an_id_of_its_own() {
        assert_eq!(TEXTS.len(), Rule::all().len());
        let mut codes = BTreeSet::new();
        for (text, rule) in TEXTS.iter().zip(Rule::all()) {
            assert_eq!(text.rule, *rule);
            assert_eq!(rule.id(), format!("PLR{}", text.number));
            assert_eq!(Rule::from_code(rule.code()), Some(*rule));
            assert!(codes.insert(rule.code()), "{rule}");
            assert_eq!(Rule::find(rule.name()), Some(*rule));
        }
    }

    #[test]
    fn codes_follow_from_ids() {
        assert_eq!(Rule::UnorderedTextCompared.code(), 33);
        assert_eq!(Rule::DeletedOnExit.code(), 197);
    }

    #[test]
    fn rules_are_found_by_id_and_name_in_any_case() {
        assert_eq!(Rule::find("plr101"), Some(Rule::UnorderedTextCompared));
        assert_eq!(Rule::find("Fixed-Port"), Some(Rule::FixedPort));
        assert_eq!(Rule::find("PLR999"), None);
    }
}
