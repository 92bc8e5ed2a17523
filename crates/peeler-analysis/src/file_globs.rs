//! Globs over the files of a repository, in the manner of `.gitignore`.
//!
//! ```text
//! *IT.java          files of that name in any folder
//! legacy            a file or folder of that name anywhere, with everything below it
//! src/test/**/db/   folders `db` below src/test, from the top on because there is a slash inside
//! ```
//!
//! A glob does one thing: it names files. What `.gitignore` has beside that, comments and exceptions (`!`), is refused
//! with words instead of being read as something else.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Some globs, any of which may name a file.
#[derive(Debug)]
pub struct FileGlobs(Gitignore);

/// A glob that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{glob}` is no glob for files: {reason}")]
pub struct GlobError {
    /// Its place among the globs, from zero on.
    pub place: usize,
    /// As it was given.
    pub glob: String,
    /// What is wrong with it.
    pub reason: String,
}

impl FileGlobs {
    /// Reads globs.
    ///
    /// # Errors
    ///
    /// When one of them is not well-formed, or would not name files.
    pub fn new<'g>(globs: impl IntoIterator<Item = &'g str>) -> Result<Self, GlobError> {
        let mut builder = GitignoreBuilder::new(".");
        // Git takes `a[` for a name; here it is more probably half a glob.
        builder.allow_unclosed_class(false);
        for (place, glob) in globs.into_iter().enumerate() {
            let error = |reason: String| GlobError {
                place,
                glob: glob.to_owned(),
                reason,
            };
            match glob.trim().chars().next() {
                None => return Err(error("it is empty".to_owned())),
                Some('!') => return Err(error("exceptions that begin with `!` have no meaning here".to_owned())),
                Some('#') => return Err(error("a name that begins with `#` is written `\\#`".to_owned())),
                Some(_) => {}
            }
            builder.add_line(None, glob).map_err(|it| error(reason(&it)))?;
        }
        // Every glob was compiled by itself, so only their number could be too much.
        builder.build().map(Self).map_err(|it| GlobError {
            place: 0,
            glob: String::new(),
            reason: reason(&it),
        })
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a glob names the file or a folder around it. The path is relative, with `/` between components.
    #[must_use]
    pub fn name(&self, path: &str) -> bool {
        let path = Path::new(path);
        !path.has_root() && self.0.matched_path_or_any_parents(path, false).is_ignore()
    }
}

/// What is wrong, without the glob, which the error names already.
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
