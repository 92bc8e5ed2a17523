//! The assertion catalogue: which calls assert, and which operand is the expected one.
//!
//! The shipped catalogue is the data file `catalogue/assertions.toml`; this module matches names against it. If the
//! class that declares a called method is known, this class decides: `Mockito.verify(x)` is an assertion and
//! `catalog.verify()` is not. A team adds its own assertions as [`ExtraAssertion`]s, which are matched first.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::catalogue_text;

/// The family name of assertion methods that the repository declares itself. A family is a group of assertions, such as
/// those of `AssertJ`.
pub(crate) const OWN: &str = "own";
/// The family name of assertion methods that the user's configuration adds. A family is a group of assertions, such as
/// those of `AssertJ`.
const EXTRA: &str = "extra";

/// An assertion that a team adds to the shipped catalogue, in its configuration file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExtraAssertion {
    /// The class that declares the asserting method. A simple name matches in every package.
    pub owner: String,
    /// The name of the asserting method. One `*` stands for any characters, as for [`crate::ExtraCause`]: `ensure*`,
    /// `*Holds`, `is*Equal`.
    pub method: String,
    /// The way in which the method asserts; [`AssertionRole::Call`] by default.
    #[serde(default)]
    pub role: AssertionRole,
    /// The position of the expected value in an assertion with two operands. If only one of them is a literal, it is
    /// the expected value in any case.
    #[serde(default)]
    pub expected: OperandPosition,
}

impl ExtraAssertion {
    /// The rule by which a call of method `name` of class `owner` asserts; `None` if this configured assertion does not
    /// match the call.
    fn rule(&self, name: &str, owner: &str) -> Option<AssertionRule> {
        let is_owner = if self.owner.contains('.') {
            is_owner(&self.owner, owner)
        } else {
            owner.rsplit('.').next() == Some(&self.owner)
        };
        (is_owner && matches_wildcard(&self.method, name)).then_some(AssertionRule {
            family: EXTRA,
            role: self.role,
            expected: self.expected,
            message: OperandPosition::Unknown,
        })
    }
}

/// How a call takes part in an assertion: by itself, as the start of a fluent chain, or as a link of a chain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AssertionRole {
    /// The call asserts by itself: `assertEquals(expected, actual)`.
    #[default]
    Call,
    /// The call opens a fluent chain: `assertThat(actual).isEqualTo(expected)`.
    Opener,
    /// The call is a link of a chain and checks its receiver: `perform(..).andExpect(..)`.
    Link,
}

/// How a call asserts according to the catalogue of assertions: its role, and the positions of expected value and
/// message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AssertionRule {
    pub(crate) family: &'static str,
    pub(crate) role: AssertionRole,
    /// The position of the expected value among the operands of an assertion call.
    pub(crate) expected: OperandPosition,
    /// The position of the failure message among the arguments of an assertion call, if there is one.
    pub(crate) message: OperandPosition,
}

/// The class that declares a called method, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AssertionOwner<'a> {
    Unknown,
    /// A class that the repository does not declare, with its full name. Only the simple name if the package is
    /// unknown.
    Outside(&'a str),
    /// A class of the repository, with its full name.
    Repository(&'a str),
}

#[derive(Debug, Deserialize)]
struct Catalogue {
    family: Vec<Family>,
    own: Names,
    unowned: Names,
}

#[derive(Debug, Deserialize)]
struct Family {
    name: String,
    owners: Vec<String>,
    #[serde(flatten)]
    names: Names,
    expected: OperandPosition,
    #[serde(default)]
    message: OperandPosition,
}

#[derive(Debug, Default, Deserialize)]
struct Names {
    #[serde(default)]
    calls: Vec<String>,
    #[serde(default)]
    openers: Vec<String>,
    #[serde(default)]
    links: Vec<String>,
}

/// Where the expected value or the failure message stands among the arguments of an assertion call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OperandPosition {
    /// The expected value or failure message comes before all other arguments of the assertion call.
    First,
    /// The expected value or failure message comes after all other arguments of the assertion call.
    Last,
    /// The catalogue does not state the position of the expected value or failure message; it is derived from the
    /// arguments.
    #[default]
    #[serde(skip_deserializing)]
    Unknown,
}

static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| catalogue_text::read(include_str!("../catalogue/assertions.toml")));

/// The rule by which a call of method `name` of class `owner` asserts; `None` if the call does not assert.
pub(crate) fn classify(
    extra: &[ExtraAssertion],
    name: &str,
    owner: AssertionOwner<'_>,
    has_receiver: bool,
) -> Option<AssertionRule> {
    let full_name = match owner {
        AssertionOwner::Unknown => None,
        AssertionOwner::Outside(name) | AssertionOwner::Repository(name) => Some(name),
    };
    // Entries that a team added come first, because they say more about its own code.
    let own = full_name.and_then(|owner| extra.iter().find_map(|it| it.rule(name, owner)));
    if own.is_some() {
        return own;
    }
    if !has_asserting_name(name) {
        return None;
    }
    let catalogue = &*CATALOGUE;
    if let Some(full_name) = full_name {
        for family in &catalogue.family {
            if family.owners.iter().any(|it| is_owner(it, full_name)) {
                let Some(role) = family.names.role(name) else {
                    // Without a receiver the owner may have been guessed from a wildcard import.
                    if has_receiver {
                        return None;
                    }
                    break;
                };
                return Some(AssertionRule {
                    family: &family.name,
                    role,
                    expected: family.expected,
                    message: family.message,
                });
            }
        }
    }
    if let AssertionOwner::Repository(_) = owner {
        return catalogue.own.role(name).map(|role| AssertionRule {
            family: OWN,
            role,
            expected: OperandPosition::First,
            message: OperandPosition::Unknown,
        });
    }
    // `verify(..)` is Mockito's; `verifier.verify(..)` on an unknown receiver is not.
    let role = catalogue.unowned.role(name)?;
    let is_plausible = match role {
        AssertionRole::Call => true,
        AssertionRole::Opener => !has_receiver || name.starts_with("assert"),
        AssertionRole::Link => has_receiver,
    };
    is_plausible.then_some(AssertionRule {
        family: "unowned",
        role,
        expected: OperandPosition::First,
        message: OperandPosition::Unknown,
    })
}

/// Whether [`classify`] may return a rule for a call of method `name`. This quick check rejects most calls.
pub(crate) fn may_assert(extra: &[ExtraAssertion], name: &str) -> bool {
    !extra.is_empty() || has_asserting_name(name)
}

/// Quick check by prefix whether a method name can be in the assertion catalogue.
fn has_asserting_name(name: &str) -> bool {
    const BEGINNINGS: [&str; 18] = [
        "assert", "fail", "verify", "expect", "until", "and", "then", "should", "await", "given", "with", "wait",
        "status", "body", "check", "validate", "compare", "standard",
    ];
    BEGINNINGS.iter().any(|it| name.starts_with(it)) || name == "reportMissingExceptionWithMessage"
}

fn is_owner(known: &str, given: &str) -> bool {
    if given.contains('.') {
        known == given
    } else {
        known.rsplit('.').next() == Some(given)
    }
}

impl Names {
    fn role(&self, name: &str) -> Option<AssertionRole> {
        let any = |patterns: &[String]| patterns.iter().any(|it| matches_pattern(it, name));
        if any(&self.openers) {
            Some(AssertionRole::Opener)
        } else if any(&self.calls) {
            Some(AssertionRole::Call)
        } else if any(&self.links) {
            Some(AssertionRole::Link)
        } else {
            None
        }
    }
}

/// Whether a name matches a pattern in which one `*` stands for any characters, also none.
fn matches_wildcard(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| rest.ends_with(after)),
    }
}

fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        None => pattern == name,
        Some(prefix) => name
            .strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(|c: char| c.is_uppercase() || c == '_')),
    }
}

#[cfg(test)]
mod tests {
    use super::{AssertionOwner, AssertionRole, ExtraAssertion, OperandPosition, classify};

    fn role(name: &str, owner: AssertionOwner<'_>) -> Option<AssertionRole> {
        classify(&[], name, owner, owner != AssertionOwner::Unknown).map(|rule| rule.role)
    }

    fn extra_role(entry: (&str, &str), name: &str, owner: AssertionOwner<'_>) -> Option<AssertionRole> {
        let extra = ExtraAssertion {
            owner: entry.0.into(),
            method: entry.1.into(),
            role: AssertionRole::Link,
            expected: OperandPosition::Last,
        };
        classify(&[extra], name, owner, true).map(|rule| rule.role)
    }

    #[test]
    fn an_entry_of_ones_own_asserts_whatever_its_name() {
        let outside = AssertionOwner::Outside("shop.Checks");
        for owner in ["shop.Checks", "Checks"] {
            let entry = (owner, "ensure*");
            for name in ["ensure", "ensureSum", "ensured"] {
                assert_eq!(
                    extra_role(entry, name, outside),
                    Some(AssertionRole::Link),
                    "{owner} {name}"
                );
                assert_eq!(
                    extra_role(entry, name, AssertionOwner::Repository("shop.Checks")),
                    Some(AssertionRole::Link)
                );
            }
            assert_eq!(extra_role(entry, "sure", outside), None);
            assert_eq!(
                extra_role((owner, "*Holds"), "sumHolds", outside),
                Some(AssertionRole::Link)
            );
            assert_eq!(
                extra_role((owner, "a*a"), "a", outside),
                None,
                "no character counts twice"
            );
            assert_eq!(
                extra_role(entry, "ensure", AssertionOwner::Outside("shop.Others")),
                None
            );
            assert_eq!(extra_role(entry, "ensure", AssertionOwner::Unknown), None);
        }
    }

    #[test]
    fn a_full_name_is_of_its_package_and_a_simple_one_of_any() {
        let elsewhere = AssertionOwner::Outside("other.Checks");
        assert_eq!(extra_role(("shop.Checks", "ensure"), "ensure", elsewhere), None);
        assert_eq!(
            extra_role(("Checks", "ensure"), "ensure", elsewhere),
            Some(AssertionRole::Link)
        );
    }

    #[test]
    fn an_entry_of_ones_own_goes_before_the_shipped_ones() {
        let owner = AssertionOwner::Outside("org.junit.Assert");
        assert_eq!(role("assertEquals", owner), Some(AssertionRole::Call));
        let entry = ("org.junit.Assert", "assertEquals");
        assert_eq!(extra_role(entry, "assertEquals", owner), Some(AssertionRole::Link));
    }

    #[test]
    fn log_login_and_catalog_are_no_assertions() {
        for name in [
            "log",
            "login",
            "catalog",
            "info",
            "assertion",
            "asserter",
            "failover",
            "verifier",
        ] {
            assert_eq!(role(name, AssertionOwner::Unknown), None, "{name}");
        }
    }

    #[test]
    fn fail_and_verify_are_assertions() {
        assert_eq!(
            role("fail", AssertionOwner::Outside("org.junit.Assert")),
            Some(AssertionRole::Call)
        );
        assert_eq!(role("fail", AssertionOwner::Unknown), Some(AssertionRole::Call));
        assert_eq!(
            role("verify", AssertionOwner::Outside("org.mockito.Mockito")),
            Some(AssertionRole::Opener)
        );
    }

    #[test]
    fn verify_on_a_class_of_another_kind_is_none() {
        assert_eq!(role("verify", AssertionOwner::Outside("java.security.Signature")), None);
    }

    #[test]
    fn helpers_of_the_repository_assert_by_their_name() {
        assert_eq!(
            role("assertOrdered", AssertionOwner::Repository("shop.Carts")),
            Some(AssertionRole::Call)
        );
        assert_eq!(role("assemble", AssertionOwner::Repository("shop.Carts")), None);
    }

    #[test]
    fn every_catalogued_name_passes_the_quick_test() {
        for family in &super::CATALOGUE.family {
            let names = [&family.names.calls, &family.names.openers, &family.names.links];
            for pattern in names.into_iter().flatten() {
                let name = pattern.trim_end_matches('*');
                assert!(super::has_asserting_name(name), "{name} of {}", family.name);
            }
        }
    }
}
