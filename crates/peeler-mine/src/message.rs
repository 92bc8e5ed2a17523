//! What the message of a commit says about flaky tests.
//!
//! ```text
//! SHOP-12 Fix flaky CartTest.testSums        subject speaks of flakiness, names the class and the method
//! Revert "Fix flaky CartTest"                says nothing
//! Re-enable flaky tests                      says nothing: the tests are flaky no longer
//! Add SnowflakeId                            says nothing: a word of the domain
//! ```

use crate::rules::{Limits, MessageRules};

/// How clearly a text speaks of flakiness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Words {
    /// The text has no word of flakiness. Words such as `race` count only in a sentence about tests.
    None,
    /// The text has words such as `unstable` or `race`, in a sentence about tests.
    Weak,
    /// The text has words such as `flaky`, which count in any sentence.
    Strong,
}

/// What a commit message says about flaky tests, and which tests it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// The first line of the message.
    pub(crate) subject: String,
    /// How clearly the subject speaks of flakiness.
    pub(crate) in_subject: Words,
    /// How clearly the lines after the subject speak of flakiness.
    pub(crate) in_body: Words,
    /// Names of test classes in the subject, or in sentences of the body that speak of flakiness.
    classes: Vec<String>,
    /// Names of test methods in the subject, or in sentences of the body that speak of flakiness.
    methods: Vec<String>,
    /// Words that may be Java names, sorted. They are from the subject and from sentences of the body that speak of
    /// flakiness.
    said: Vec<String>,
    /// All words of the message that may be Java names, sorted.
    words: Vec<String>,
}

/// How precisely a commit message names a given test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// The subject, or a sentence that speaks of flakiness, names the test method.
    Method,
    /// Only a sentence that does not speak of flakiness names the test method.
    Mention,
    /// The message names the class of the test, but not clearly its method.
    Class,
    /// The message names no test class and no test method.
    Nothing,
    /// The message names other tests, but not the given one.
    Others,
}

/// Reads a commit message. `None` if it says nothing about flaky tests, reverts a commit or says that tests are flaky
/// no longer.
pub(crate) fn read(rules: &MessageRules, message: &str) -> Option<Message> {
    let (subject, body) = message
        .trim_start()
        .split_once('\n')
        .unwrap_or((message.trim_start(), ""));
    let subject = subject.trim();
    if rules.revert.is_match(subject) {
        return None;
    }
    let plain_subject = rules.domain.without(subject);
    if rules.unmark.is_match(&plain_subject) {
        return None;
    }
    let in_subject = words(rules, &plain_subject);
    let mut in_body = Words::None;
    let mut said = subject.to_owned();
    for sentence in sentences(rules, body) {
        let plain = rules.domain.without(&sentence);
        let speaks = words(rules, &plain);
        if speaks != Words::None && !rules.unmark.is_match(&plain) {
            in_body = in_body.max(speaks);
            said.push('\n');
            said.push_str(&sentence);
        }
    }
    if in_subject == Words::None && in_body == Words::None {
        return None;
    }
    Some(Message {
        subject: subject.to_owned(),
        in_subject,
        in_body,
        classes: rules.test_class.matches(&said),
        methods: rules.test_method.matches(&said),
        said: identifiers(&said),
        words: identifiers(message),
    })
}

impl Message {
    /// How precisely the message names the test with this class and method. A method name such as `sums`, which may be
    /// a plain word, does not count.
    pub(crate) fn names(&self, limits: &Limits, class: &str, method: &str) -> Naming {
        let is_distinctive = method.len() >= limits.named_characters && method.chars().any(char::is_uppercase)
            || method.contains('_') && method.len() > 3;
        let contains = |words: &[String]| words.binary_search_by(|it| it.as_str().cmp(method)).is_ok();
        if is_distinctive && contains(&self.said) {
            return Naming::Method;
        }
        if is_distinctive && contains(&self.words) {
            return Naming::Mention;
        }
        let mut simple = class.rsplit('.').next().unwrap_or(class).split('$');
        if simple.any(|part| self.classes.iter().any(|it| it == part)) {
            return Naming::Class;
        }
        if self.classes.is_empty() && self.methods.is_empty() {
            Naming::Nothing
        } else {
            Naming::Others
        }
    }
}

fn words(rules: &MessageRules, text: &str) -> Words {
    if rules.strong.is_match(text) {
        Words::Strong
    } else if rules.weak.is_match(text) && rules.about_tests.is_match(text) {
        Words::Weak
    } else {
        Words::None
    }
}

/// The sentences of the body of a commit message, without lines such as `Signed-off-by` that tools and reviewers add.
fn sentences(rules: &MessageRules, body: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in body.lines().map(str::trim) {
        let is_item = line.starts_with(['*', '-', '#', '>', '+']) || line.ends_with(':');
        if line.is_empty() || is_item {
            paragraphs.push(String::new());
        }
        if !line.is_empty()
            && !rules.trailer.is_match(line)
            && let Some(last) = paragraphs.last_mut()
        {
            last.push_str(line);
            last.push(' ');
        }
    }
    let split = paragraphs.iter().flat_map(|it| it.split_inclusive(". "));
    split
        .map(|it| it.trim().to_owned())
        .filter(|it| !it.is_empty())
        .collect()
}

/// The words of a text that may be Java names, which have at least three characters; sorted, each once.
fn identifiers(text: &str) -> Vec<String> {
    let words = text.split(|it: char| !it.is_alphanumeric() && it != '_' && it != '$');
    let mut found: Vec<String> = words.filter(|it| it.len() > 2).map(str::to_owned).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::{Naming, Words, read};
    use crate::rules::Rules;

    fn check(message: &str) -> Option<(Words, Words)> {
        let rules = Rules::built_in();
        read(&rules.message, message).map(|it| (it.in_subject, it.in_body))
    }

    #[test]
    fn words_of_flakiness_are_strong_or_need_tests_beside_them() {
        for strong in [
            "Fix flaky test",
            "Deflake CartTest",
            "CartTest fails intermittently",
            "SHOP-1 TestCart sometimes fails",
            "fix spurious test failures",
            "TestCart fails from time to time",
            "remove non-determinism",
            "remove flakiness from sumsAllItems",
            "FlakyTest: sumsAllItems",
        ] {
            assert_eq!(check(strong), Some((Words::Strong, Words::None)), "{strong}");
        }
        for weak in [
            "Stabilize CartTest",
            "fix race in test",
            "improve fragile tests",
            "make CartIT more robust",
        ] {
            assert_eq!(check(weak), Some((Words::Weak, Words::None)), "{weak}");
        }
        for none in [
            "Fix race in Cart",
            "Make the cart robust",
            "Stable sorting",
            "Add carts",
        ] {
            assert_eq!(check(none), None, "{none}");
        }
        assert_eq!(
            check("Wait longer\n\nThis test was\nflaky."),
            Some((Words::None, Words::Strong))
        );
    }

    #[test]
    fn words_of_the_domain_reverts_and_unmarking_say_nothing() {
        for none in [
            "Add SnowflakeId",
            "Test FlakeIdGenerator",
            "Revert \"Fix flaky test\"",
            "Re-enable flaky CartTest",
            "Remove @Flaky annotation",
            "Remove FlakyTest category from CartTest",
            "CartTest is no longer flaky",
            "mark build as unstable if a test fails",
        ] {
            assert_eq!(check(none), None, "{none}");
        }
    }

    #[test]
    fn a_message_names_a_method_a_class_others_or_nothing() {
        let rules = Rules::built_in();
        let names = |message: &str| {
            let message = read(&rules.message, message).expect("a message about flakiness");
            message.names(&rules.limits, "shop.CartTest$Late", "sumsAllItems")
        };
        assert_eq!(names("Fix flaky sumsAllItems"), Naming::Method);
        assert_eq!(names("Work\n\nsumsAllItems() is flaky"), Naming::Method);
        assert_eq!(names("Fix flaky tests\n\nwait in sumsAllItems()"), Naming::Mention);
        assert_eq!(names("Fix flaky CartTest"), Naming::Class);
        assert_eq!(names("Fix flaky tests"), Naming::Nothing);
        assert_eq!(names("Fix flaky OrderTest"), Naming::Others);
        assert_eq!(names("Fix flaky testOther"), Naming::Others);
    }
}
