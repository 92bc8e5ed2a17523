//! Further classes that run the method of a finding.

use peeler_features::{Rule, TestName};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use crate::schema;

/// A test of another class that inherits the method of a finding, and that would be a finding itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct InheritedTest {
    /// The test, as `package.Class#method`.
    #[cfg_attr(test, schemars(schema_with = "schema::test_name"))]
    pub(crate) test: TestName,
    /// The probability that the test is flaky.
    pub(crate) probability: f32,
    /// The first rule that found the test, where one did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, schemars(schema_with = "schema::rule"))]
    pub(crate) rule: Option<Rule>,
    /// The identifier of the finding that the test would be.
    pub(crate) fingerprint: String,
}

/// The maximum number of classes that [`clause`] names.
const MOST_CLASSES: usize = 3;

/// A clause that names the classes that inherit a method; `None` if there are none.
pub(super) fn clause(tests: &[InheritedTest]) -> Option<String> {
    let classes = tests.iter().take(MOST_CLASSES).map(|it| it.test.simple_class());
    let mut named = classes.collect::<Vec<_>>().join(", ");
    if tests.len() > MOST_CLASSES {
        named = format!("{named} and {} more", tests.len() - MOST_CLASSES);
    }
    match tests.len() {
        0 => None,
        1 => Some(format!("the same method runs in 1 other class: {named}")),
        count => Some(format!("the same method runs in {count} other classes: {named}")),
    }
}
