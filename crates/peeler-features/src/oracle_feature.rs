//! Features about what the assertions of a test compare: the literals that it expects, those that it passes on, and the
//! operations whose results are compared.
//!
//! ```java
//! String json = gson.toJson(cart("apple"));            // input texts 1, input characters 3
//! assertEquals("{\"fruit\":1,\"price\":2}", json);     // expected keys 2, expected commas 1, actual toJson
//! ```
//!
//! The text of a feature is its name in vocabularies of trained models and never changes.

use std::borrow::Cow;

use crate::codes::StoredCode;

/// One feature about what the assertions of a test compare.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum OracleFeature<'t> {
    /// The size of the literals in one role, as the number of binary digits of the size.
    Literals {
        /// What the test does with the literals.
        role: LiteralRole,
        /// What is counted in them.
        measure: LiteralMeasure,
        /// The number of binary digits of the count: 1 for one, 2 for two and three.
        digits: u8,
    },
    /// An operation whose result an assertion compares.
    Actual {
        /// The name of the operation, or nothing if it is a method of the repository.
        operation: Cow<'t, str>,
        /// Whether the expected text has several parts, such as elements or keys, whose order could matter.
        has_parts: bool,
    },
}

impl OracleFeature<'_> {
    /// The feature about a count of literals; `None` if it is zero.
    #[must_use]
    pub fn literals(role: LiteralRole, measure: LiteralMeasure, count: usize) -> Option<Self> {
        let digits = (usize::BITS - count.leading_zeros()).min(MAX_DIGITS);
        let digits = u8::try_from(digits).unwrap_or(u8::MAX);
        (digits > 0).then_some(Self::Literals { role, measure, digits })
    }

    /// The names of the feature in vocabularies of models. The first of two is that of all sizes, so that a model learns
    /// about rare sizes from others.
    #[must_use]
    pub fn names(&self) -> [String; 2] {
        match self {
            Self::Literals { role, measure, digits } => {
                let all = format!("{} {}", role.name(), measure.name());
                let own = format!("{all} {digits}");
                [all, own]
            }
            Self::Actual { operation, has_parts } => {
                let operation = if operation.is_empty() { "(own)" } else { operation };
                let parts = if *has_parts { "several" } else { "one" };
                [format!("actual {operation}"), format!("actual {operation}: {parts}")]
            }
        }
    }
}

/// The largest number of binary digits of a count that models tell apart.
const MAX_DIGITS: u32 = 12;

/// What a test does with a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LiteralRole {
    /// An assertion compares something with the literal.
    Expected,
    /// The literal is an argument of a call or of a constructor.
    Input,
}

/// What is counted in literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LiteralMeasure {
    /// The number of texts.
    Texts,
    /// The number of literals that are not texts, such as numbers.
    Values,
    /// The characters of the longest text.
    Characters,
    /// The commas of the text with most of them.
    Commas,
    /// The keys of the text with most of them: what stands before `:` or `=`.
    Keys,
    /// The line breaks of the text with most of them.
    Lines,
    /// The opening brackets of objects, lists and XML elements of the text with most of them.
    Brackets,
}

impl LiteralRole {
    fn name(self) -> &'static str {
        match self {
            Self::Expected => "expected",
            Self::Input => "input",
        }
    }
}

impl LiteralMeasure {
    fn name(self) -> &'static str {
        match self {
            Self::Texts => "texts",
            Self::Values => "values",
            Self::Characters => "characters",
            Self::Commas => "commas",
            Self::Keys => "keys",
            Self::Lines => "lines",
            Self::Brackets => "brackets",
        }
    }
}

impl StoredCode for LiteralRole {
    const ALL: &'static [Self] = &[Self::Expected, Self::Input];

    fn code(self) -> u8 {
        match self {
            Self::Expected => 0,
            Self::Input => 1,
        }
    }
}

impl StoredCode for LiteralMeasure {
    const ALL: &'static [Self] = &[
        Self::Texts,
        Self::Values,
        Self::Characters,
        Self::Commas,
        Self::Keys,
        Self::Lines,
        Self::Brackets,
    ];

    fn code(self) -> u8 {
        match self {
            Self::Texts => 0,
            Self::Values => 1,
            Self::Characters => 2,
            Self::Commas => 3,
            Self::Keys => 4,
            Self::Lines => 5,
            Self::Brackets => 6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LiteralMeasure, LiteralRole, OracleFeature};
    use crate::codes::StoredCode;

    #[test]
    fn names_are_those_of_shipped_vocabularies() {
        let of = |count| OracleFeature::literals(LiteralRole::Expected, LiteralMeasure::Keys, count);
        assert_eq!(of(0), None);
        assert_eq!(of(3).unwrap().names(), ["expected keys", "expected keys 2"]);
        assert_eq!(of(1_000_000).unwrap().names()[1], "expected keys 12");
        let actual = |operation: &'static str, has_parts| OracleFeature::Actual {
            operation: operation.into(),
            has_parts,
        };
        assert_eq!(
            actual("toJson", true).names(),
            ["actual toJson", "actual toJson: several"]
        );
        assert_eq!(actual("", false).names(), ["actual (own)", "actual (own): one"]);
    }

    #[test]
    fn codes_are_those_of_stored_corpora() {
        let roles = LiteralRole::ALL.iter().map(|it| format!("{} {}", it.name(), it.code()));
        let measures = LiteralMeasure::ALL
            .iter()
            .map(|it| format!("{} {}", it.name(), it.code()));
        assert_eq!(roles.collect::<Vec<_>>(), ["expected 0", "input 1"]);
        assert_eq!(
            measures.collect::<Vec<_>>(),
            [
                "texts 0",
                "values 1",
                "characters 2",
                "commas 3",
                "keys 4",
                "lines 5",
                "brackets 6"
            ]
        );
    }
}
