//! Sets of names in which some entries are patterns: `poll`, `wait*`, `*Async`, `*WaitFor*`.

use rustc_hash::FxHashSet;
use serde::Deserialize;

/// A set of names and patterns of names. A name is in the set if it is an entry or matches one.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct NameSet {
    names: FxHashSet<String>,
    patterns: Vec<Pattern>,
}

/// A pattern of names. Each `*` stands for any characters, also none.
#[derive(Debug)]
struct Pattern {
    before: String,
    after: String,
    /// Whether a second `*` ends the pattern, as in `*WaitFor*`.
    is_open: bool,
}

impl From<Vec<String>> for NameSet {
    fn from(entries: Vec<String>) -> Self {
        let mut set = Self::default();
        for entry in entries {
            match entry.split_once('*') {
                Some((before, after)) => set.patterns.push(Pattern::new(before, after)),
                None => {
                    set.names.insert(entry);
                }
            }
        }
        set
    }
}

impl NameSet {
    pub(super) fn contains(&self, name: &str) -> bool {
        self.names.contains(name) || self.patterns.iter().any(|it| it.matches(name))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.patterns.is_empty()
    }

    /// The entries without a `*`.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }

    pub(super) fn has_patterns(&self) -> bool {
        !self.patterns.is_empty()
    }
}

impl Pattern {
    fn new(before: &str, after: &str) -> Self {
        let inner = after.strip_suffix('*');
        Self {
            before: before.to_owned(),
            after: inner.unwrap_or(after).to_owned(),
            is_open: inner.is_some(),
        }
    }

    fn matches(&self, name: &str) -> bool {
        let (before, after) = (self.before.as_bytes(), self.after.as_bytes());
        // Most names differ from most patterns in the first or the last letter.
        let may_start = before.first().is_none_or(|it| name.as_bytes().first() == Some(it));
        let may_end = self.is_open || after.last().is_none_or(|it| name.as_bytes().last() == Some(it));
        if !may_start || !may_end {
            return false;
        }
        name.strip_prefix(self.before.as_str()).is_some_and(|rest| {
            if self.is_open {
                rest.contains(self.after.as_str())
            } else {
                rest.ends_with(self.after.as_str())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::NameSet;

    fn has(entry: &str, name: &str) -> bool {
        NameSet::from(vec![entry.to_owned()]).contains(name)
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        assert!(has("poll", "poll"));
        assert!(!has("poll", "polls"));
        assert!(has("wait*", "wait"));
        assert!(!has("wait*", "await"));
        assert!(has("*Async", "runAsync"));
        assert!(!has("*Async", "AsyncTask"));
        assert!(has("immediate*Future", "immediateFailedFuture"));
        assert!(!has("poll*poll", "poll"));
        assert!(has("*WaitFor*", "closeWaitForAll"));
        assert!(has("poll*Until*", "pollFastUntilDone"));
        assert!(!has("poll*Until*", "Until"));
        assert!(!has("wait*", ""));
    }
}
