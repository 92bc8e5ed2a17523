//! Globs that match files of a repository, with the syntax of `.gitignore`.
//!
//! ```text
//! *IT.java          files with such a name in any folder
//! legacy            a file or folder with that name anywhere, and everything below it
//! src/test/**/db/   folders `db` below src/test; a slash inside anchors a glob at the root
//! ```
//!
//! Comments (`#`) and exceptions (`!`) of `.gitignore` are errors here.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// A set of globs for files of a repository. A file matches the set when it matches one of the globs.
#[derive(Debug)]
pub struct FileGlobs(Gitignore);

/// A glob for files that is not valid, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{glob}` is not a valid glob for files: {reason}")]
pub struct GlobError {
    /// The position of the invalid glob in the list given to [`FileGlobs::new`], counted from zero.
    pub place: usize,
    /// The invalid glob as the user wrote it.
    pub glob: String,
    /// The reason why the glob is not valid.
    pub reason: String,
}

impl FileGlobs {
    /// Parses globs for files, which have the syntax of `.gitignore`.
    ///
    /// # Errors
    ///
    /// When a glob is empty or malformed, or is a comment or an exception.
    pub fn new<'g>(globs: impl IntoIterator<Item = &'g str>) -> Result<Self, GlobError> {
        let mut builder = GitignoreBuilder::new(".");
        // Git reads `a[` as a name; here it is more likely an unfinished glob.
        builder.allow_unclosed_class(false);
        for (place, glob) in globs.into_iter().enumerate() {
            let error = |reason: String| GlobError {
                place,
                glob: glob.to_owned(),
                reason,
            };
            match glob.trim().chars().next() {
                None => return Err(error("it is empty".to_owned())),
                Some('!') => {
                    return Err(error(
                        "exceptions that begin with `!` are not supported; to match such a name write `\\!`".to_owned(),
                    ));
                }
                Some('#') => {
                    return Err(error(
                        "comments that begin with `#` are not supported; to match such a name write `\\#`".to_owned(),
                    ));
                }
                Some(_) => {}
            }
            builder.add_line(None, glob).map_err(|it| error(reason(&it)))?;
        }
        // Each glob compiled by itself, so this fails only when all of them together are too large.
        builder.build().map(Self).map_err(|it| GlobError {
            place: 0,
            glob: String::new(),
            reason: reason(&it),
        })
    }

    /// Whether the set has no globs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a glob matches the file at `path` or a folder that contains it. The path is relative, with `/` between
    /// components.
    #[must_use]
    pub fn name(&self, path: &str) -> bool {
        let path = Path::new(path);
        !path.has_root() && self.0.matched_path_or_any_parents(path, false).is_ignore()
    }
}

/// The message of a glob parser's error without the glob, which [`GlobError`] names already.
fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        ignore::Error::WithPath { err, .. } | ignore::Error::WithLineNumber { err, .. } => reason(err),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::FileGlobs;

    fn named<'p>(glob: &str, paths: &[&'p str]) -> Vec<&'p str> {
        let globs = FileGlobs::new([glob]).expect("a glob");
        paths.iter().copied().filter(|it| globs.name(it)).collect()
    }

    #[test]
    fn a_name_is_found_in_any_folder_and_a_path_from_the_top_on() {
        let paths = ["AIT.java", "a/AIT.java", "a/b/AIT.java", "a/ATest.java"];
        assert_eq!(named("*IT.java", &paths), paths[..3]);
        assert_eq!(named("a/*IT.java", &paths), ["a/AIT.java"]);
        assert_eq!(named("/*IT.java", &paths), ["AIT.java"]);
        assert_eq!(named("a/**/*.java", &paths), paths[1..]);
        assert_eq!(named("b", &paths), ["a/b/AIT.java"]);
        assert_eq!(named("b/", &paths), ["a/b/AIT.java"]);
        assert_eq!(named("AIT.java/", &paths), [""; 0], "a file is no folder");
    }

    #[test]
    fn no_glob_names_no_file() {
        let none = FileGlobs::new([]).expect("no glob");
        assert!(none.is_empty() && !none.name("A.java"));
    }

    #[test]
    fn what_would_not_name_files_is_refused_by_its_place() {
        for glob in ["", "  ", "!a", "#a", "a[", "{a,b"] {
            let error = FileGlobs::new(["a", glob]).expect_err(glob);
            assert_eq!((error.place, error.glob.as_str()), (1, glob));
            assert!(!error.reason.is_empty(), "{error}");
        }
        assert!(named("\\#a", &["#a"]) == ["#a"]);
    }

    #[test]
    fn a_path_of_the_machine_is_named_by_nothing() {
        assert_eq!(
            named("*", &["/a/A.java", "../A.java", "a/A.java"]),
            ["../A.java", "a/A.java"]
        );
    }
}
