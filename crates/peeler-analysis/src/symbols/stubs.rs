//! Library stubs: Java files with signatures only, in the folder `stubs/` of this crate.
//!
//! They type expressions (`map.get(key)` is a `V`) and give lambdas their parameters. A call that
//! resolves to a stub is not code under test. A base class of a test library may carry its test
//! methods, which belong to every subclass in the repository like any inherited test.

use std::sync::LazyLock;

use crate::repository::{Repository, SourceFile};

const JAVA_LANG: &str = "java_lang.java";
const STUBS: [(&str, &str); 16] = [
    ("java_io.java", include_str!("../../stubs/java_io.java")),
    (JAVA_LANG, include_str!("../../stubs/java_lang.java")),
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

static LIBRARY: LazyLock<Repository> = LazyLock::new(|| {
    Repository::from_sources(
        STUBS
            .iter()
            .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()))
            .collect(),
    )
});

/// The stub files, sorted.
pub(super) fn files() -> &'static [SourceFile] {
    LIBRARY.files()
}

/// The stub file of `java.lang`.
pub(super) fn java_lang() -> &'static SourceFile {
    let file = files().iter().find(|it| it.path() == JAVA_LANG);
    file.expect("it stands above")
}
