//! The assertion catalogue: which calls assert something, and which operand is expected.
//!
//! The catalogue is the data file `catalogue/assertions.toml`; this module only matches names against
//! it. The owner of a method decides where it is known: `log.info`, `login` and `catalog.verify()` are
//! no assertions, `Mockito.verify(x)` and `fail()` are.

use std::sync::LazyLock;

use serde::Deserialize;

/// The family of the repository's own assertions.
pub(crate) const OWN: &str = "own";

/// How a call asserts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// By itself: `assertEquals(expected, actual)`.
    Call,
    /// By opening a fluent chain: `assertThat(actual).isEqualTo(expected)`.
    Opener,
    /// As a link that judges what stands before it: `perform(..).andExpect(..)`.
    Link,
}

/// What the catalogue says about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) family: &'static str,
    pub(crate) role: Role,
    /// Where the expected value stands among the operands.
    pub(crate) expected: Position,
    /// Where a message stands, when there is one.
    pub(crate) message: Position,
}

/// What is known about the class that declares a called method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner<'a> {
    Unknown,
    /// A class that the repository does not declare.
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
    expected: Position,
    #[serde(default)]
    message: Position,
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

/// A place among the arguments of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Position {
    First,
    Last,
    /// The catalogue does not say: the arguments themselves have to.
    #[default]
    Unknown,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    toml::from_str(include_str!("../catalogue/assertions.toml")).expect("the catalogue is well-formed")
});

/// What kind of assertion a call of `name` on `owner` is, if any.
pub(crate) fn classify(name: &str, owner: Owner<'_>, has_receiver: bool) -> Option<Rule> {
    // Most calls of a test do not even begin like an assertion.
    if !may_assert(name) {
        return None;
    }
    let catalogue = &*CATALOGUE;
    let full_name = match owner {
        Owner::Unknown => None,
        Owner::Outside(name) | Owner::Repository(name) => Some(name),
    };
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
                return Some(Rule {
                    family: &family.name,
                    role,
                    expected: family.expected,
                    message: family.message,
                });
            }
        }
    }
    if let Owner::Repository(_) = owner {
        return catalogue.own.role(name).map(|role| Rule {
            family: OWN,
            role,
            expected: Position::First,
            message: Position::Unknown,
        });
    }
    // `verifier.verify(..)` on something unknown is no Mockito, `verify(..)` is.
    let role = catalogue.unowned.role(name)?;
    let is_plausible = match role {
        Role::Call => true,
        Role::Opener => !has_receiver || name.starts_with("assert"),
        Role::Link => has_receiver,
    };
    is_plausible.then_some(Rule {
        family: "unowned",
        role,
        expected: Position::First,
        message: Position::Unknown,
    })
}

fn may_assert(name: &str) -> bool {
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
    fn role(&self, name: &str) -> Option<Role> {
        let any = |patterns: &[String]| patterns.iter().any(|it| matches_pattern(it, name));
        if any(&self.openers) {
            Some(Role::Opener)
        } else if any(&self.calls) {
            Some(Role::Call)
        } else if any(&self.links) {
            Some(Role::Link)
        } else {
            None
        }
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
    use super::{Owner, Role, classify};

    fn role(name: &str, owner: Owner<'_>) -> Option<Role> {
        classify(name, owner, owner != Owner::Unknown).map(|rule| rule.role)
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
            assert_eq!(role(name, Owner::Unknown), None, "{name}");
        }
    }

    #[test]
    fn fail_and_verify_are_assertions() {
        assert_eq!(role("fail", Owner::Outside("org.junit.Assert")), Some(Role::Call));
        assert_eq!(role("fail", Owner::Unknown), Some(Role::Call));
        assert_eq!(
            role("verify", Owner::Outside("org.mockito.Mockito")),
            Some(Role::Opener)
        );
    }

    #[test]
    fn verify_on_a_class_of_another_kind_is_none() {
        assert_eq!(role("verify", Owner::Outside("java.security.Signature")), None);
    }

    #[test]
    fn helpers_of_the_repository_assert_by_their_name() {
        assert_eq!(role("assertOrdered", Owner::Repository("shop.Carts")), Some(Role::Call));
        assert_eq!(role("assemble", Owner::Repository("shop.Carts")), None);
    }

    #[test]
    fn every_catalogued_name_passes_the_quick_test() {
        for family in &super::CATALOGUE.family {
            let names = [&family.names.calls, &family.names.openers, &family.names.links];
            for pattern in names.into_iter().flatten() {
                let name = pattern.trim_end_matches('*');
                assert!(super::may_assert(name), "{name} of {}", family.name);
            }
        }
    }
}
