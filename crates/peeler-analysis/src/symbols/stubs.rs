//! Library stubs: Java files with signatures only, in the folder `stubs/` of this crate.
//!
//! Stubs make the types of expressions known (`map.get(key)` is a `V`), and the parameter types of lambdas. A call that
//! resolves to a stub is not code under test. The stub of a base class of a test library may declare test methods. They
//! belong to every subclass in the repository, like any inherited test.

use std::sync::LazyLock;

use crate::repository::{Repository, SourceFile};

/// The library stub files: name and text.
const STUBS: [(&str, &str); 16] = [
    ("java_io.java", include_str!("../../stubs/java_io.java")),
    ("java_lang.java", include_str!("../../stubs/java_lang.java")),
    (
        "java_lang_reflect.java",
        include_str!("../../stubs/java_lang_reflect.java"),
    ),
    ("java_net.java", include_str!("../../stubs/java_net.java")),
    ("java_nio.java", include_str!("../../stubs/java_nio.java")),
    ("java_time.java", include_str!("../../stubs/java_time.java")),
    ("java_util.java", include_str!("../../stubs/java_util.java")),
    (
        "java_util_concurrent.java",
        include_str!("../../stubs/java_util_concurrent.java"),
    ),
    (
        "java_util_concurrent_atomic.java",
        include_str!("../../stubs/java_util_concurrent_atomic.java"),
    ),
    (
        "java_util_function.java",
        include_str!("../../stubs/java_util_function.java"),
    ),
    (
        "java_util_stream.java",
        include_str!("../../stubs/java_util_stream.java"),
    ),
    ("guava.java", include_str!("../../stubs/guava.java")),
    (
        "jboss_subsystem_test.java",
        include_str!("../../stubs/jboss_subsystem_test.java"),
    ),
    ("junit.java", include_str!("../../stubs/junit.java")),
    ("mockito.java", include_str!("../../stubs/mockito.java")),
    (
        "mockito_stubbing.java",
        include_str!("../../stubs/mockito_stubbing.java"),
    ),
];

/// All library stubs as a repository, with one file for each type.
static LIBRARY: LazyLock<Repository> =
    LazyLock::new(|| Repository::from_sources_on_this_thread(STUBS.iter().flat_map(|(name, text)| types(name, text))));

/// The library stub files, sorted by path.
pub(super) fn files() -> &'static [SourceFile] {
    LIBRARY.files()
}

/// Splits a stub file into one file for each type, so that a lookup of `String` does not parse all of `java.lang`. In a
/// stub file every type starts with `public` at the start of a line.
fn types<'s>(name: &'s str, text: &'s str) -> impl Iterator<Item = (String, Vec<u8>)> {
    let mut types = text.split("\npublic ");
    let header = types.next().unwrap_or_default();
    types.enumerate().map(move |(at, rest)| {
        let path = format!("{name}/{at:03}");
        (path, format!("{header}\npublic {rest}\n").into_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::outline::outline;

    #[test]
    fn every_type_of_the_stubs_is_in_a_file_of_its_own() {
        let whole = STUBS.iter().map(|(_, text)| {
            let outline = outline(text);
            outline.types.iter().filter(|it| it.enclosing.is_none()).count()
        });
        assert_eq!(files().len(), whole.sum::<usize>());
        for file in files() {
            let outline = outline(file.text());
            assert!(outline.balanced, "{}", file.path());
            assert!(!outline.package.is_empty(), "{}", file.path());
            let outermost = outline.types.iter().filter(|it| it.enclosing.is_none());
            assert_eq!(outermost.count(), 1, "{}", file.path());
        }
    }
}
