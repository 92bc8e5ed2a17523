//! The test classes that a build runs, by patterns of their names as Surefire understands them.

use serde::{Deserialize, Serialize};

/// The patterns of class names that a build includes and excludes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassPatterns {
    included: Vec<String>,
    excluded: Vec<String>,
}

impl Default for ClassPatterns {
    fn default() -> Self {
        Self::new(std::iter::empty(), std::iter::empty())
    }
}

impl ClassPatterns {
    /// Patterns such as `**/*Test.java`. Without an included pattern, Surefire's own are used.
    #[must_use]
    pub fn new(included: impl Iterator<Item = String>, excluded: impl Iterator<Item = String>) -> Self {
        const USUAL: [&str; 4] = ["**/Test*", "**/*Test", "**/*Tests", "**/*TestCase"];
        // One element may have several patterns, and an included pattern with `!` is an excluded one.
        let parts = |text: String| text.split(',').map(|it| it.trim().to_owned()).collect::<Vec<_>>();
        let known = |it: &String| !it.is_empty() && !it.starts_with("%regex[") && !it.contains('#');
        let (negated, included): (Vec<String>, Vec<String>) = included
            .flat_map(parts)
            .filter(known)
            .partition(|it| it.starts_with('!'));
        let negated = negated.into_iter().map(|it| it[1..].to_owned());
        let mut included: Vec<String> = included.iter().map(|it| plain(it)).collect();
        if included.is_empty() {
            included = USUAL.map(str::to_owned).to_vec();
        }
        let excluded = excluded.flat_map(parts).filter(known).chain(negated);
        Self {
            included,
            excluded: excluded.map(|it| plain(&it)).collect(),
        }
    }

    /// Patterns that include every class.
    #[must_use]
    pub fn everything() -> Self {
        Self {
            included: vec!["**".to_owned()],
            excluded: Vec::new(),
        }
    }

    /// Whether the build runs the tests of a class, given by its full name. A nested class runs with its outer one.
    #[must_use]
    pub fn contains(&self, class: &str) -> bool {
        let outer = class.split('$').next().unwrap_or(class).replace('.', "/");
        let is_in = |patterns: &[String]| patterns.iter().any(|it| matches(it.as_bytes(), outer.as_bytes()));
        is_in(&self.included) && !is_in(&self.excluded)
    }
}

/// A pattern without its file extension, with `/` between packages. A pattern without a folder is meant in any.
fn plain(pattern: &str) -> String {
    let pattern = pattern.replace('\\', "/");
    let name = pattern
        .strip_suffix(".java")
        .or_else(|| pattern.strip_suffix(".class"))
        .unwrap_or(&pattern);
    let name = name.strip_prefix('/').unwrap_or(name);
    if name.contains('/') {
        return if name.ends_with('/') {
            format!("{name}**")
        } else {
            name.to_owned()
        };
    }
    format!("**/{}", name.replace('.', "/"))
}

/// Whether a name matches a pattern in which `**/` is any folders, `*` any characters but `/`, and `?` any one of these.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match pattern {
        [] => name.is_empty(),
        b"**" => true,
        [b'*', b'*', b'/', rest @ ..] => {
            let mut folders =
                std::iter::once(0).chain(name.iter().enumerate().filter(|it| *it.1 == b'/').map(|it| it.0 + 1));
            folders.any(|start| matches(rest, &name[start..]))
        }
        [b'*', rest @ ..] => {
            let end = name.iter().position(|it| *it == b'/').unwrap_or(name.len());
            (0..=end).any(|taken| matches(rest, &name[taken..]))
        }
        [b'?', rest @ ..] => matches!(name, [first, others @ ..] if *first != b'/' && matches(rest, others)),
        [wanted, rest @ ..] => matches!(name, [first, others @ ..] if first == wanted && matches(rest, others)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(included: &[&str], excluded: &[&str], yes: &[&str], no: &[&str]) {
        let owned = |them: &[&str]| them.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>().into_iter();
        let patterns = ClassPatterns::new(owned(included), owned(excluded));
        for class in yes {
            assert!(patterns.contains(class), "{class} {patterns:?}");
        }
        for class in no {
            assert!(!patterns.contains(class), "{class} {patterns:?}");
        }
    }

    #[test]
    fn classes_are_told_as_surefire_tells_them() {
        check(
            &[],
            &[],
            &[
                "a.b.OneTest",
                "TestOne",
                "a.OneTests",
                "a.OneTestCase",
                "a.OneTest$Nested",
            ],
            &["a.OneIT", "a.Testing2x.Helper", "a.AbstractSpec"],
        );
        check(
            &["**/*IT.java", "Spec*"],
            &["**/slow/**"],
            &["a.OneIT", "b.SpecOne"],
            &["a.OneTest", "a.slow.OneIT"],
        );
        check(
            &["a/*Test.class"],
            &["**/Abstract*.java"],
            &["a.OneTest"],
            &["a.b.OneTest", "a.AbstractTest"],
        );
        check(&["%regex[.*]"], &[], &["a.OneTest"], &["a.One"]);
        check(&["**/*Test.java, !**/Bad*"], &[], &["a.OneTest"], &["a.BadTest"]);
        check(&["**/b/"], &[], &["a.b.One"], &["a.One"]);
    }
}
