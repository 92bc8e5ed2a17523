//! Conditions of catalogue entries on a call, beyond the names of its class and method.

use serde::Deserialize;

/// A call with its surrounding code, which the conditions of a catalogue entry are checked against.
pub(super) struct CallShape<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: usize,
    /// The text of the call from its receiver to its closing parenthesis.
    pub(super) text: &'a str,
    /// Names of the operations applied to the result of the call, innermost last.
    pub(super) then: &'a [&'a str],
    /// Names of the calls that have this call among their arguments, innermost last.
    pub(super) inside: &'a [&'a str],
    /// Whether the body around the call contains a call of a method with this name.
    pub(super) body_calls: &'a dyn Fn(&str) -> bool,
    /// Whether the teardown of the test mentions one of the words.
    pub(super) is_restored_by: &'a dyn Fn(&[String]) -> bool,
}

/// Conditions under which a catalogue entry matches a call, beyond the names of class and method.
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
    /// Whether all conditions hold for a call.
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
