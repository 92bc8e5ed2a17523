//! Conditions of entries of the catalogue of causes on a call, beyond the names of its class and method.

use serde::Deserialize;

/// A call with its surrounding code, against which the conditions of an entry of the catalogue of causes are checked.
pub(super) struct CallShape<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: usize,
    /// The text of the call from its receiver to its closing parenthesis.
    pub(super) text: &'a str,
    /// Names of methods called on the call's result or fields read from it, nearest last: `["get", "sorted"]` for `x()`
    /// in `x().sorted().get(0)`.
    pub(super) then: &'a [&'a str],
    /// Names of the calls that have this call among their arguments, nearest last: `["f", "g"]` for `x()` in
    /// `f(g(x()))`.
    pub(super) inside: &'a [&'a str],
    /// Whether the method body that contains the call also calls a method with the given name.
    pub(super) body_calls: &'a dyn Fn(&str) -> bool,
    /// Whether the source of the teardown methods of the test class contains one of the given words. Then the teardown
    /// is taken to undo what the call changes.
    pub(super) is_restored_by: &'a dyn Fn(&[String]) -> bool,
}

/// Conditions under which an entry of the catalogue of causes matches a call, beyond the names of class and method.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(super) struct Conditions {
    arguments: Option<Vec<usize>>,
    mentions: Vec<String>,
    unless_mentions: Vec<String>,
    unless_calls: Vec<String>,
    unless_then: Vec<String>,
    unless_inside: Vec<String>,
    unless_restored_by: Vec<String>,
}

impl Conditions {
    /// Whether all conditions of this catalogue entry hold for a call.
    pub(super) fn hold(&self, call: &CallShape<'_>) -> bool {
        let any = |names: &[String], given: &[&str]| names.iter().any(|it| given.contains(&it.as_str()));
        self.arguments.as_ref().is_none_or(|it| it.contains(&call.arguments))
            && (self.mentions.is_empty() || mentions(&self.mentions, call.text))
            && !mentions(&self.unless_mentions, call.text)
            && !any(&self.unless_then, call.then)
            && !any(&self.unless_inside, call.inside)
            && !self.unless_calls.iter().any(|it| (call.body_calls)(it))
            && (self.unless_restored_by.is_empty() || !(call.is_restored_by)(&self.unless_restored_by))
    }
}

/// Whether a text contains one of the words.
pub(super) fn mentions(words: &[String], text: &str) -> bool {
    words.iter().any(|it| text.contains(it.as_str()))
}
