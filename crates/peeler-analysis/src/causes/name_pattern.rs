//! Patterns for names of methods: `sleep`, `new*`, `*Async`.

use serde::Deserialize;

/// A pattern for method names: a name, or a name in which one `*` stands for any characters.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "String")]
pub(super) enum NamePattern {
    Exact(String),
    /// A pattern with a `*`: the parts before and after it.
    Star(String, String),
}

impl From<String> for NamePattern {
    fn from(written: String) -> Self {
        match written.split_once('*') {
            None => Self::Exact(written),
            Some((before, after)) => Self::Star(before.to_owned(), after.to_owned()),
        }
    }
}

impl NamePattern {
    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Exact(own) => own == name,
            Self::Star(before, after) => {
                name.len() >= before.len() + after.len()
                    && name.starts_with(before.as_str())
                    && name.ends_with(after.as_str())
            }
        }
    }
}

/// Whether one of the patterns matches a name.
pub(super) fn matches_any(patterns: &[NamePattern], name: &str) -> bool {
    patterns.iter().any(|it| it.matches(name))
}

#[cfg(test)]
mod tests {
    use super::matches_any;

    #[test]
    fn a_star_stands_for_anything_on_either_side() {
        let patterns = ["new*", "*Async", "sleep"].map(|it| it.to_owned().into());
        for name in ["newCachedThreadPool", "new", "supplyAsync", "sleep"] {
            assert!(matches_any(&patterns, name), "{name}");
        }
        for name in ["renew", "AsyncTask", "sleepy"] {
            assert!(!matches_any(&patterns, name), "{name}");
        }
    }
}
