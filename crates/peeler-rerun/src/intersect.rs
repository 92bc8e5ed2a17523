//! INTERSECT: the classes that a failing test loaded, compared with the classes that changed since a git revision.
//!
//! A test may pass at a revision and fail now without loading a class that changed since. Then the change is not the
//! reason: the test is flaky.
//!
//! Invariant: in doubt nothing is concluded. Names of changed classes are collected generously from the sources. A
//! changed file that is not Java, or a deleted file, may have an effect without being loaded, so the answer is
//! inconclusive.
//!
//! It is also inconclusive after a changed line with a constant. The compiler copies a `static final` number into the
//! classes that use it, and the declaring class need not be loaded.
//!
//! Left out: constants of interfaces, which are declared without the words `static final`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use peeler_features::TestName;

use crate::evidence::Coverage;

/// The reason why the changes of a project since a git revision cannot be determined.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    /// A `git` command failed or could not be started.
    #[error("cannot ask git for changes since {since} in {root}: {reason}")]
    Git {
        /// The revision that was given to `git`.
        since: String,
        /// The folder of the git repository.
        root: PathBuf,
        /// The error message of `git`.
        reason: String,
    },
}

/// The changes of a project's files since a git revision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The git revision since which the changes are listed.
    pub since: String,
    /// The names of the top-level classes in the changed Java files, such as `shop.Basket`.
    pub classes: BTreeSet<String>,
    /// The reason why the changes may matter even to a test that loads none of the changed classes.
    ///
    /// An example is a changed `pom.xml`. `None` if there is no such reason.
    pub doubt: Option<String>,
}

/// The output of the `git` commands that list the changes of a project since a revision.
#[derive(Debug, Clone, Copy)]
pub struct GitOutput<'g> {
    /// The output of `git diff --name-status --no-renames -z`: changed files that git tracks.
    pub tracked: &'g str,
    /// The output of `git diff --unified=0` for Java files: the changed lines.
    pub lines: &'g str,
    /// The output of `git ls-files --others -z`: new files that git does not track.
    pub untracked: &'g str,
}

/// How a file changed since a git revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileChange {
    /// The file was added or changed since a git revision that the user gave.
    Written,
    /// The file was deleted since a git revision that the user gave.
    Deleted,
}

impl Changes {
    /// The changes of a project's files on disk since a git revision, by running `git`.
    ///
    /// # Errors
    ///
    /// When git is not installed, or there is no such repository or revision.
    pub fn since(root: &Path, revision: &str) -> Result<Self, ChangesError> {
        let git = |folder: &Path, arguments: &[&str]| {
            let failed = |reason: String| ChangesError::Git {
                since: revision.to_owned(),
                root: root.to_owned(),
                reason,
            };
            let output = Command::new("git").arg("-C").arg(folder).args(arguments).output();
            let output = output.map_err(|error| failed(format!("{error}; is git installed?")))?;
            if output.status.success() {
                Ok(String::from_utf8_lossy(&output.stdout).into_owned())
            } else {
                Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
            }
        };
        // A change outside the project folder may affect the project.
        let top = PathBuf::from(git(root, &["rev-parse", "--show-toplevel"])?.trim_end_matches('\n'));
        // This form prevents git from reading a revision such as `--help` as an option.
        let commit = format!("{revision}^{{commit}}");
        let resolved = git(root, &["rev-parse", "--verify", "--end-of-options", &commit])?;
        let resolved = resolved.trim();
        let tracked = git(&top, &["diff", "--name-status", "--no-renames", "-z", resolved, "--"])?;
        let lines = git(
            &top,
            &[
                "diff",
                "--unified=0",
                "--no-color",
                "--no-ext-diff",
                resolved,
                "--",
                "*.java",
            ],
        )?;
        let untracked = git(&top, &["ls-files", "--others", "--exclude-standard", "-z"])?;
        let output = GitOutput {
            tracked: &tracked,
            lines: &lines,
            untracked: &untracked,
        };
        Ok(Self::from_git(&top, revision, &output))
    }

    /// The changes since a git revision that the output of `git` lists.
    ///
    /// `top` is the folder of the work tree, where changed sources are read.
    #[must_use]
    pub fn from_git(top: &Path, revision: &str, output: &GitOutput<'_>) -> Self {
        let mut changes = Self {
            since: revision.to_owned(),
            ..Self::default()
        };
        let mut fields = output.tracked.split('\0');
        while let (Some(status), Some(file)) = (fields.next(), fields.next()) {
            let change = if status.starts_with('D') {
                FileChange::Deleted
            } else {
                FileChange::Written
            };
            changes.add(top, file, change);
        }
        for file in output.untracked.split('\0').filter(|file| !file.is_empty()) {
            changes.add(top, file, FileChange::Written);
        }
        if let Some(line) = output.lines.lines().find(|line| is_constant(line)) {
            let line = line[1..].trim();
            changes
                .doubt
                .get_or_insert_with(|| format!("`{line}` changed, and the compiler copies constants"));
        }
        changes
    }

    fn add(&mut self, root: &Path, file: &str, change: FileChange) {
        let is_java = Path::new(file).extension().is_some_and(|it| it == "java");
        if change == FileChange::Deleted && is_java {
            self.doubt
                .get_or_insert_with(|| format!("{file} was deleted since {}", self.since));
        } else if is_java {
            let source = std::fs::read(root.join(file)).unwrap_or_default();
            let classes = declared_classes(&String::from_utf8_lossy(&source));
            if classes.is_empty() {
                self.doubt
                    .get_or_insert_with(|| format!("{file} changed, and what it declares is unknown"));
            }
            self.classes.extend(classes);
        } else if acts_without_loading(file) || root.join(file).is_dir() {
            self.doubt
                .get_or_insert_with(|| format!("{file} changed since {}, which is not a Java source", self.since));
        }
    }

    /// Compares the classes that a failing test loaded with those that changed since a git revision.
    ///
    /// This comparison is the stage INTERSECT: a failing test that loads no changed class counts as flaky.
    #[must_use]
    pub fn coverage(&self, test: &TestName, loaded: &BTreeSet<String>) -> Coverage {
        let changed = loaded
            .iter()
            .filter(|class| {
                let outer = class.split('$').next().unwrap_or(class);
                self.classes.contains(outer)
            })
            .cloned()
            .collect();
        let nothing = loaded
            .is_empty()
            .then(|| "the JVM did not say what it loaded".to_owned());
        Coverage {
            test: test.clone(),
            since: self.since.clone(),
            loaded: loaded.len(),
            changed,
            inconclusive: nothing.or_else(|| self.doubt.clone()),
        }
    }
}

/// Whether a line of a diff adds or removes a constant: it contains the words `static` and `final`.
fn is_constant(line: &str) -> bool {
    let is_changed = line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
    let mut words = line.split_whitespace().map(|it| it.trim_start_matches(['+', '-']));
    is_changed && words.clone().any(|it| it == "static") && words.any(|it| it == "final")
}

/// Whether a file that is not Java may affect tests without being loaded as a class.
///
/// Such files are resources, build files and sources of other languages.
fn acts_without_loading(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let is_source = file.starts_with("src/") || file.contains("/src/");
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    is_source || name == "pom.xml" || ends(&[".gradle", ".kts", ".properties", ".toml", ".lockfile", ".jar", ".mvn"])
}

/// The maximum number of class names that are made for one Java file from its package names and simple class names.
const MOST_PAIRS: usize = 100_000;

/// The names of all classes that a Java file may declare, such as `shop.Basket`.
///
/// Each word after `package` is combined with each word after `class`, `interface`, `enum` or `record`, even in
/// comments. The result is empty if there are more than 100,000 names: what the file declares is then unknown.
#[must_use]
pub fn declared_classes(source: &str) -> BTreeSet<String> {
    let words: Vec<&str> = source
        .split(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '.' | '$')))
        .filter(|word| !word.is_empty())
        .collect();
    let after = |keywords: &'static [&'static str]| {
        let pairs = words.windows(2).filter(move |pair| keywords.contains(&pair[0]));
        pairs.map(|pair| pair[1])
    };
    // A comment before the declaration may contain the word too, so every package name after the word counts.
    let mut packages: BTreeSet<&str> = after(&["package"]).collect();
    if packages.is_empty() {
        packages.insert("");
    }
    let names: BTreeSet<&str> = after(&["class", "interface", "enum", "record"]).collect();
    let mut found = BTreeSet::new();
    if packages.len().saturating_mul(names.len()) > MOST_PAIRS {
        return found;
    }
    for name in names {
        for package in &packages {
            let dot = if package.is_empty() { "" } else { "." };
            found.insert(format!("{package}{dot}{name}"));
        }
    }
    found
}

/// The names of the classes in a class-loading log of a JVM.
///
/// The log is that of `-Xlog` in Java 9 and newer, or of `-verbose:class` in Java 8.
#[must_use]
pub fn loaded_classes(log: &str) -> BTreeSet<String> {
    log.lines()
        .filter_map(|line| {
            if let Some(rest) = line.split("[Loaded ").nth(1) {
                return rest.split(' ').next();
            }
            let before = line.split(" source: ").next().filter(|it| it.len() < line.len())?;
            before.rsplit([' ', ']']).next()
        })
        // Hidden classes such as `a.B$$Lambda/0x00ff` belong to their host class.
        .map(|class| class.split('/').next().unwrap_or(class).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn both_kinds_of_logs_are_read() {
        let unified = "java.lang.Object source: shared objects file\n[0.1s][info][class,load] a.B$C source: file:/x/\n\
                       a.B$$Lambda/0x00ff source: a.B\nnoise\n";
        assert_eq!(
            loaded_classes(unified),
            set(&["a.B$$Lambda", "a.B$C", "java.lang.Object"])
        );
        let verbose = "[Opened x.jar]\n[Loaded a.B from file:/x/]\n";
        assert_eq!(loaded_classes(verbose), set(&["a.B"]));
    }

    #[test]
    fn a_source_declares_every_type_that_it_may() {
        let source = "/* the class that */ package shop.till;\nfinal class Till<T> { enum State { OPEN } }\n\
                      record Coin(int value) {}";
        let found = declared_classes(source);
        for expected in ["shop.till.Till", "shop.till.State", "shop.till.Coin"] {
            assert!(found.contains(expected), "{found:?}");
        }
    }

    #[test]
    fn a_nested_class_changes_with_its_file() {
        let changes = Changes {
            since: "v1".to_owned(),
            classes: set(&["a.B"]),
            doubt: None,
        };
        let test: TestName = "a.T#t".parse().expect("a test");
        assert_eq!(
            changes.coverage(&test, &set(&["a.T", "a.B$Inner"])).changed,
            ["a.B$Inner"]
        );
        assert!(changes.coverage(&test, &set(&["a.T", "a.BB"])).changed.is_empty());
        assert!(changes.coverage(&test, &set(&[])).inconclusive.is_some());
    }

    #[test]
    fn a_changed_constant_is_seen_in_its_line() {
        for line in [
            "+    static final int MAX = 5;",
            "-public final static String NAME = \"a\";",
            "+static final int X = 1;",
        ] {
            assert!(is_constant(line), "{line}");
        }
        for line in [
            " static final int MAX = 5;",
            "+++ b/static final",
            "+    final int local = 5;",
            "@@ static final",
        ] {
            assert!(!is_constant(line), "{line}");
        }
    }

    #[test]
    fn what_is_no_java_source_leaves_a_doubt_where_it_can_act() {
        for file in [
            "src/main/resources/prices.csv",
            "pom.xml",
            "core/src/Main.kt",
            "gradle.properties",
        ] {
            assert!(acts_without_loading(file), "{file}");
        }
        for file in ["README.md", "docs/classes.txt", ".github/workflows/ci.yml"] {
            assert!(!acts_without_loading(file), "{file}");
        }
    }

    #[test]
    fn a_source_with_thousands_of_packages_and_classes_declares_what_is_unknown() {
        let many: Vec<String> = (0..7_000).map(|it| format!("package p{it} class C{it}")).collect();
        assert_eq!(declared_classes(&many.join(" ")), BTreeSet::new());
        let classes: Vec<String> = (0..7_000).map(|it| format!("class C{it}")).collect();
        let source = format!("package p; package p; {}", classes.join(" "));
        assert_eq!(declared_classes(&source).len(), 7_000);
    }
}
