//! The name of a test: a class and a method.
//!
//! ```java
//! package dev.shop; class OrderTest { @Nested class Late { @Test void isDue() { … } } }
//! // dev.shop.OrderTest$Late#isDue: class `dev.shop.OrderTest$Late`, outermost `dev.shop.OrderTest`, method `isDue`
//! ```
//!
//! Invariant: class and method are not empty and hold neither `#` nor white space nor control characters.
//! Left out: parameter sets (`method[2]`, `method(int)`), which belong to their method.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The name of a test, written `package.Class#method`. A nested class is written `Outer$Inner`.
///
/// Names are ordered and hashed as their text, so that maps keyed by names can be queried with a `&str`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TestName {
    text: String,
    /// The byte offset of the `#` in the name of the test.
    separator: usize,
}

/// The error for a text that is not the name of a test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a test; write it as package.Class#method")]
pub struct InvalidTestName(pub String);

impl TestName {
    /// The name of the test that is a method of a class. Characters that are not allowed in names become `_`.
    #[must_use]
    pub fn new(class: &str, method: &str) -> Self {
        let (class, method) = (cleaned(class), cleaned(method));
        let mut text = String::with_capacity(class.len() + 1 + method.len());
        text.push_str(&class);
        text.push('#');
        text.push_str(&method);
        Self {
            separator: class.len(),
            text,
        }
    }

    /// The whole name of the test: `package.Outer$Inner#method`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The binary name of the test's class: `package.Outer$Inner`.
    #[must_use]
    pub fn class(&self) -> &str {
        &self.text[..self.separator]
    }

    /// The name of the test's method.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.text[self.separator + 1..]
    }

    /// The package of the test's class; empty for the unnamed package.
    #[must_use]
    pub fn package(&self) -> &str {
        self.class().rsplit_once('.').map_or("", |(package, _)| package)
    }

    /// The test's class without its package: `Outer$Inner`.
    #[must_use]
    pub fn simple_class(&self) -> &str {
        self.class().rsplit('.').next().unwrap_or(self.class())
    }

    /// The outermost class around the test, with its package: `package.Outer`.
    #[must_use]
    pub fn outermost_class(&self) -> &str {
        let package = self.class().len() - self.simple_class().len();
        // A dollar sign at the very start belongs to the name of the class.
        let end = self.simple_class().char_indices().skip(1).find(|it| it.1 == '$');
        &self.class()[..end.map_or(self.class().len(), |(at, _)| package + at)]
    }

    /// The name of the test without the package: `Outer$Inner#method`.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.text[self.class().len() - self.simple_class().len()..]
    }
}

/// The name of a class or method, with `_` for characters that the name of a test may not hold.
fn cleaned(part: &str) -> Cow<'_, str> {
    if is_name(part) {
        return Cow::Borrowed(part);
    }
    let part = if part.is_empty() { "_" } else { part };
    part.chars().map(|it| if is_allowed(it) { it } else { '_' }).collect()
}

fn is_allowed(character: char) -> bool {
    character != '#' && !character.is_whitespace() && !character.is_control()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_allowed)
}

impl FromStr for TestName {
    type Err = InvalidTestName;

    /// Parses `package.Class#method`. A parameter set after the method, such as `[2]` or `(int)`, is dropped.
    fn from_str(text: &str) -> Result<Self, InvalidTestName> {
        let bare = text.split(['[', '(']).next().unwrap_or(text).trim();
        match bare.split_once('#') {
            Some((class, method)) if is_name(class) && is_name(method) => Ok(Self {
                text: bare.to_owned(),
                separator: class.len(),
            }),
            _ => Err(InvalidTestName(text.to_owned())),
        }
    }
}

impl TryFrom<String> for TestName {
    type Error = InvalidTestName;

    fn try_from(text: String) -> Result<Self, InvalidTestName> {
        text.parse()
    }
}

impl From<TestName> for String {
    fn from(name: TestName) -> Self {
        name.text
    }
}

impl fmt::Display for TestName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.text)
    }
}

impl fmt::Debug for TestName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, out)
    }
}

impl AsRef<str> for TestName {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Borrow<str> for TestName {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl PartialEq for TestName {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for TestName {}

impl PartialEq<str> for TestName {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for TestName {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl PartialOrd for TestName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TestName {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for TestName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::TestName;

    #[test]
    fn a_name_has_its_parts() {
        let name: TestName = "a.b.Outer$Inner#c".parse().unwrap();
        assert_eq!(name, TestName::new("a.b.Outer$Inner", "c"));
        assert_eq!((name.class(), name.method()), ("a.b.Outer$Inner", "c"));
        assert_eq!((name.package(), name.simple_class()), ("a.b", "Outer$Inner"));
        assert_eq!(name.outermost_class(), "a.b.Outer");
        assert_eq!(name.short(), "Outer$Inner#c");
        assert_eq!(TestName::new("a.$Odd", "c").outermost_class(), "a.$Odd");
        assert_eq!(TestName::new("Plain", "c").package(), "");
    }

    #[test]
    fn a_parameter_set_belongs_to_its_method() {
        for text in ["a.B#c[2]", "a.B#c(int)", " a.B#c "] {
            assert_eq!(text.parse::<TestName>().unwrap(), "a.B#c");
        }
    }

    #[test]
    fn what_names_no_method_is_refused() {
        for text in ["", "a.B", "#c", "a.B#", "a.B#c#d", "a b#c"] {
            let error = text.parse::<TestName>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("`{text}` is not a test; write it as package.Class#method")
            );
        }
    }

    #[test]
    fn characters_that_no_name_may_hold_are_replaced() {
        assert_eq!(TestName::new("a b", "c#d"), "a_b#c_d");
        assert_eq!(TestName::new("", ""), "_#_");
    }

    #[test]
    fn names_travel_as_text() {
        let name = TestName::new("a.B", "c");
        assert_eq!(serde_json::to_string(&name).unwrap(), "\"a.B#c\"");
        assert_eq!(serde_json::from_str::<TestName>("\"a.B#c\"").unwrap(), name);
        assert!(serde_json::from_str::<TestName>("\"a.B\"").is_err());
    }
}
