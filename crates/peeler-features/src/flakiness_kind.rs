//! The kinds of flakiness: what has to change for a test to fail.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

/// A kind of flakiness: what differs between a run in which a test passes and one in which it fails.
///
/// Studies look for one kind at a time. A test that a study did not list may still be flaky in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FlakinessKind {
    /// Behaviour that an interface leaves open differs, such as the order of a `HashMap`. IDoFT writes `ID`.
    #[serde(rename = "id")]
    UnspecifiedBehaviour,
    /// The tests that run before differ. IDoFT writes `OD`.
    #[serde(rename = "od")]
    TestOrder,
    /// Timing, randomness or the environment differs. IDoFT writes `NOD`.
    #[serde(rename = "nod")]
    Timing,
}

impl FlakinessKind {
    /// All kinds of flakiness, in the order in which tables list them.
    pub const ALL: [Self; 3] = [Self::UnspecifiedBehaviour, Self::TestOrder, Self::Timing];

    /// The short name of the kind on the command line, in folders and in JSON: `id`, `od` or `nod`.
    #[must_use]
    pub fn code_name(self) -> &'static str {
        match self {
            Self::UnspecifiedBehaviour => "id",
            Self::TestOrder => "od",
            Self::Timing => "nod",
        }
    }

    /// The kind with this short name (`id`, `od` or `nod`), if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code_name() == name)
    }

    /// Whether a category of IDoFT, such as `OD-Vic`, belongs to this kind.
    ///
    /// `NIO` marks tests that fail when they run a second time, because they leave state behind.
    #[must_use]
    pub fn has_category(self, category: &str) -> bool {
        let root = category.split('-').next().unwrap_or_default();
        match self {
            Self::UnspecifiedBehaviour => root == "ID",
            Self::TestOrder => matches!(root, "OD" | "NDOD" | "NIO"),
            Self::Timing => matches!(root, "NOD" | "NDOI" | "TD" | "TZD" | "UD"),
        }
    }
}

/// Writes the kind in words for readers of reports: `unspecified behaviour`.
impl Display for FlakinessKind {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::UnspecifiedBehaviour => "unspecified behaviour",
            Self::TestOrder => "order of tests",
            Self::Timing => "timing or environment",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_of_idoft_belongs_to_one_kind_at_most() {
        let kinds = |category: &str| -> Vec<&str> {
            let own = FlakinessKind::ALL.into_iter().filter(|it| it.has_category(category));
            own.map(FlakinessKind::code_name).collect()
        };
        assert_eq!(kinds("ID-HtF"), ["id"]);
        assert_eq!(
            ["OD", "OD-Vic", "OD-Brit", "NDOD", "NIO"].map(kinds),
            [["od"], ["od"], ["od"], ["od"], ["od"]]
        );
        assert_eq!(
            ["NOD", "NDOI", "TD", "UD"].map(kinds),
            [["nod"], ["nod"], ["nod"], ["nod"]]
        );
        assert!(kinds("IDEA").is_empty() && kinds("").is_empty());
    }

    #[test]
    fn names_lead_back_to_their_kind() {
        for kind in FlakinessKind::ALL {
            assert_eq!(FlakinessKind::named(kind.code_name()), Some(kind));
        }
        assert_eq!(FlakinessKind::named("ID"), None);
    }
}
