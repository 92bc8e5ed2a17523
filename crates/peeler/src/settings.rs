//! `peeler.toml`: the settings of a team for all its scans.
//!
//! ```toml
//! min-probability = 0.3              # as the option of that name, which overrides it
//! include = ["*/src/test/"]          # only tests of these files are reported
//! exclude = ["legacy/", "*IT.java"]  # tests of these files are not, even if they are included
//!
//! [rules]                            # as the options of these names
//! select = ["DEFAULT", "PLR601"]
//! ignore = ["sleep-before-assertion"]
//!
//! [rules.per-file-ignores]           # rules that are not reported for tests of these files
//! "legacy/" = ["PLR2"]
//!
//! [[assertions]]                     # methods that assert, in addition to the catalogue
//! owner = "shop.testing.Checks"
//! method = "ensure*"
//!
//! [[causes]]                         # sources of nondeterminism, in addition to the catalogue
//! kind = "network"
//! owner = "shop.Gateway"
//! method = "call*"
//! what = "asks the payment gateway"
//! ```
//!
//! Only the nearest file at or above a scanned path is used; settings of several files are not merged. Globs have the
//! syntax of [`FileGlobs`]. They are relative to the folder of the settings file if it contains the scanned path, and
//! otherwise to the scanned path. A `*` stands for zero or more characters of one file, folder or method name.
//!
//! Invariant: excluded files are still read, as code under test of other tests.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use peeler_analysis::{CauseCatalogue, ExtraAssertion, ExtraCause, FileGlobs};
use peeler_features::content_hash;
use serde::Deserialize;
use toml::Spanned;

use crate::rule_selection::{FileIgnores, RuleChoice, RuleChoices, RuleSelection};

/// The name of the settings file.
const NAME: &str = "peeler.toml";

/// The settings of `peeler.toml` that apply to one scanned root.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The lowest probability that makes a test a finding; `None` if the settings file names none.
    pub(crate) min_probability: Option<f32>,
    /// Methods that the settings file declares to be assertions, in addition to those of the built-in catalogue.
    pub(crate) assertions: Vec<ExtraAssertion>,
    /// The built-in catalogue of causes with the entries of the settings file; `None` if the file adds none.
    causes: Option<CauseCatalogue>,
    /// The rules that the settings file selects and ignores.
    rules: RuleChoices,
    /// Rules that are not reported for tests of some files, from `[rules.per-file-ignores]`.
    file_ignores: Vec<FileIgnores>,
    include: FileGlobs,
    exclude: FileGlobs,
    /// The path of the settings file, for error messages; `None` if there is no file.
    file: Option<String>,
    /// The path from the folder of the settings file to the scanned root: `services/orders/`. Empty if the root is that
    /// folder or not inside it.
    inside: String,
    /// All settings except the threshold `min-probability` and the rules, as JSON that is equal for equal settings.
    canonical: String,
}

/// Which settings file applies to a scanned root.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'a> {
    /// Use the nearest settings file at or above the scanned root.
    Nearest,
    /// Use the settings file with this path.
    File(&'a Path),
    /// Use no settings file, but the default settings.
    Nothing,
}

/// The content of `peeler.toml`, as serde reads it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Content {
    min_probability: Option<Spanned<f32>>,
    include: Vec<Spanned<String>>,
    exclude: Vec<Spanned<String>>,
    rules: RulesContent,
    assertions: Vec<Spanned<ExtraAssertion>>,
    causes: Vec<Spanned<ExtraCause>>,
}

/// The content of `[rules]` in `peeler.toml`, as serde reads it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RulesContent {
    select: Option<Vec<Spanned<String>>>,
    ignore: Vec<Spanned<String>>,
    per_file_ignores: BTreeMap<String, Spanned<Vec<Spanned<String>>>>,
}

impl Settings {
    /// Reads the settings that apply to the scanned folder `root`.
    pub(crate) fn open(root: &Path, source: Source<'_>) -> anyhow::Result<Self> {
        // A root that does not exist gets a better error when it is opened.
        let place = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let file = match source {
            Source::Nearest => place.ancestors().map(|it| it.join(NAME)).find(|it| it.is_file()),
            Source::File(file) => Some(file.to_owned()),
            Source::Nothing => None,
        };
        let Some(file) = file else {
            return FileText { shown: "", text: "" }.settings(String::new(), None);
        };
        let shown = shown(&file);
        let text = std::fs::read_to_string(&file).with_context(|| {
            format!("cannot read the settings file {shown}; pass a TOML file to --config, or use --no-config")
        })?;
        let folder = if place.is_file() { place.parent() } else { Some(&*place) };
        let above = file.canonicalize().ok();
        let inside = above
            .as_deref()
            .and_then(Path::parent)
            .and_then(|above| folder?.strip_prefix(above).ok());
        let mut between = String::new();
        for folder in inside.unwrap_or(Path::new("")) {
            between.push_str(&folder.to_string_lossy());
            between.push('/');
        }
        let text = FileText {
            shown: &shown,
            text: &text,
        };
        text.settings(between, Some(shown.clone()))
    }

    /// Parses the text of a settings file that lies in the scanned root. Error messages name `shown` as the file.
    pub(crate) fn from_text(shown: &str, text: &str) -> anyhow::Result<Self> {
        FileText { shown, text }.settings(String::new(), Some(shown.to_owned()))
    }

    /// The path of the settings file, for messages; `None` if there is no file.
    pub(crate) fn file(&self) -> Option<String> {
        self.file.clone()
    }

    /// The catalogue of causes, including the entries of the settings file. Model and report use the same catalogue.
    pub(crate) fn causes(&self) -> &CauseCatalogue {
        self.causes.as_ref().unwrap_or_else(|| CauseCatalogue::shipped())
    }

    /// Whether the settings allow reporting tests of a file. Its path is relative to the scanned root.
    pub(crate) fn takes(&self, file: &str) -> bool {
        if self.include.is_empty() && self.exclude.is_empty() {
            return true;
        }
        let path = format!("{}{file}", self.inside);
        (self.include.is_empty() || self.include.name(&path)) && !self.exclude.name(&path)
    }

    /// The rules that a scan reports, by the settings and the options of the command line.
    pub(crate) fn rules(&self, command_line: &RuleChoices) -> RuleSelection<'_> {
        RuleSelection::new(&self.rules, command_line, &self.file_ignores, &self.inside)
    }

    /// A hash of all settings that change the scores and flows of a scan, for the names of cache files. Threshold and
    /// rules are left out, because cached results serve all of them.
    pub(crate) fn digest(&self) -> u64 {
        content_hash(self.canonical.as_bytes())
    }
}

/// The text of a settings file and its path, for error messages.
struct FileText<'t> {
    shown: &'t str,
    text: &'t str,
}

impl FileText<'_> {
    fn settings(&self, inside: String, file: Option<String>) -> anyhow::Result<Settings> {
        let written: Content = toml::from_str(self.text).map_err(|error| {
            let message = error.message().replace('\n', ", ");
            let remedy = "`peeler init` writes a file with all settings; --no-config ignores it";
            self.error(error.span(), &format!("{message}; {remedy}"))
        })?;
        let min_probability = written.min_probability.map(|it| {
            let valid = (0.0..=1.0).contains(it.get_ref());
            let words = format!("min-probability is {}; it must be between 0 and 1", it.get_ref());
            if valid {
                Ok(*it.get_ref())
            } else {
                Err(self.error(Some(it.span()), &words))
            }
        });
        for entry in &written.assertions {
            let ExtraAssertion { owner, method, .. } = entry.get_ref();
            self.check_names(entry.span(), owner, method)?;
        }
        for entry in &written.causes {
            let ExtraCause { owner, method, .. } = entry.get_ref();
            self.check_names(entry.span(), owner, method)?;
        }
        let causes: Vec<ExtraCause> = written.causes.into_iter().map(Spanned::into_inner).collect();
        let assertions: Vec<ExtraAssertion> = written.assertions.into_iter().map(Spanned::into_inner).collect();
        let (include, exclude) = (plain(&written.include), plain(&written.exclude));
        let parts = (&assertions, &causes, &include, &exclude, &inside);
        Ok(Settings {
            min_probability: min_probability.transpose()?,
            rules: RuleChoices {
                select: written.rules.select.map(|it| self.choices(&it)).transpose()?,
                ignore: self.choices(&written.rules.ignore)?,
            },
            file_ignores: self.file_ignores(&written.rules.per_file_ignores)?,
            canonical: serde_json::to_string(&parts).expect("plain texts are JSON"),
            include: self.globs(&written.include)?,
            exclude: self.globs(&written.exclude)?,
            causes: (!causes.is_empty()).then(|| CauseCatalogue::with_extra(&causes)),
            assertions,
            file,
            inside,
        })
    }

    fn globs(&self, written: &[Spanned<String>]) -> anyhow::Result<FileGlobs> {
        FileGlobs::new(written.iter().map(|it| it.get_ref().as_str())).map_err(|error| {
            let span = written.get(error.place).map(Spanned::span);
            let words = format!("{error}; use the syntax of .gitignore, relative to the folder of this file");
            self.error(span, &words)
        })
    }

    fn choices(&self, written: &[Spanned<String>]) -> anyhow::Result<Vec<RuleChoice>> {
        let choice = |it: &Spanned<String>| {
            let parsed = it.get_ref().parse::<RuleChoice>();
            parsed.map_err(|error| self.error(Some(it.span()), &error.to_string()))
        };
        written.iter().map(choice).collect()
    }

    fn file_ignores(
        &self,
        written: &BTreeMap<String, Spanned<Vec<Spanned<String>>>>,
    ) -> anyhow::Result<Vec<FileIgnores>> {
        let ignores = written.iter().map(|(glob, rules)| {
            let globs = [Spanned::new(rules.span(), glob.clone())];
            Ok(FileIgnores {
                files: self.globs(&globs)?,
                rules: self.choices(rules.get_ref())?,
            })
        });
        ignores.collect()
    }

    /// Returns an error for names in the settings file that no class or method can have, because they would silently
    /// match nothing.
    fn check_names(&self, span: Range<usize>, owner: &str, method: &str) -> anyhow::Result<()> {
        let is_letter = |it: char| it.is_alphanumeric() || it == '_' || it == '$';
        let is_class = owner
            .split('.')
            .all(|part| !part.is_empty() && part.chars().all(is_letter));
        if !is_class {
            let words = format!("`{owner}` is not a class name; write `package.Class`, or `Class` for any package");
            bail!(self.error(Some(span), &words));
        }
        let is_method = !method.is_empty() && method.chars().all(|it| is_letter(it) || it == '*');
        if !is_method && method != "<init>" {
            let words = format!("`{method}` is not a method name; write it without class and arguments");
            bail!(self.error(Some(span), &words));
        }
        if method.matches('*').count() > 1 {
            let words = format!("`{method}` has more than one `*`; write one, which stands for any characters");
            bail!(self.error(Some(span), &words));
        }
        Ok(())
    }

    fn error(&self, span: Option<Range<usize>>, words: &str) -> anyhow::Error {
        let before = span.and_then(|it| self.text.get(..it.start)).unwrap_or_default();
        anyhow!("{}:{}: {words}", self.shown, before.matches('\n').count() + 1)
    }
}

fn plain(written: &[Spanned<String>]) -> Vec<&str> {
    written.iter().map(|it| it.get_ref().as_str()).collect()
}

/// The path of a settings file for messages: relative to the working directory if the file is inside it.
fn shown(file: &Path) -> String {
    let here = std::env::current_dir().and_then(|it| it.canonicalize());
    let inside = here
        .ok()
        .and_then(|here| file.strip_prefix(here).ok().map(PathBuf::from));
    inside.as_deref().unwrap_or(file).display().to_string()
}

#[cfg(test)]
mod tests {
    use peeler_features::Rule;

    use super::*;

    fn settings(text: &str, inside: &str) -> anyhow::Result<Settings> {
        let text = FileText { shown: NAME, text };
        text.settings(inside.to_owned(), Some(NAME.to_owned()))
    }

    fn error(text: &str) -> String {
        settings(text, "").expect_err(text).to_string()
    }

    #[test]
    fn nothing_written_is_nothing_changed() {
        let none = settings("", "").unwrap();
        assert!(none.takes("A.java") && none.assertions.is_empty() && none.min_probability.is_none());
    }

    #[test]
    fn exclusion_wins_over_inclusion_and_both_see_the_folders_between() {
        let text = "include = [\"orders/src/\"]\nexclude = [\"*IT.java\"]";
        let takes = |inside: &str, file: &str| settings(text, inside).unwrap().takes(file);
        assert!(takes("", "orders/src/ATest.java"));
        assert!(takes("orders/", "src/ATest.java"));
        assert!(!takes("orders/", "src/AIT.java"));
        assert!(!takes("orders/", "more/ATest.java"));
        assert!(!takes("billing/", "src/ATest.java"));
    }

    #[test]
    fn a_digest_tells_settings_apart_and_knows_no_layout() {
        let digest = |text: &str, inside: &str| settings(text, inside).unwrap().digest();
        let one = "exclude = [\"a\", \"b\"]";
        assert_eq!(digest(one, ""), digest("# why\nexclude = [\n  \"a\",\n  'b',\n]", ""));
        assert_eq!(
            digest("", ""),
            digest("min-probability = 0.5\n[rules]\nignore = [\"PLR1\"]", ""),
            "the request holds them"
        );
        let cause = "[[causes]]\nkind = \"clock\"\nowner = \"A\"\nmethod = \"b\"";
        let mut all = [
            digest("", ""),
            digest(one, ""),
            digest(one, "orders/"),
            digest("include = [\"a\", \"b\"]", ""),
            digest("exclude = [\"a\"]", ""),
            digest(cause, ""),
            digest(&format!("{cause}\nwhat = \"asks\""), ""),
            digest("[[assertions]]\nowner = \"A\"\nmethod = \"b\"", ""),
            digest("[[assertions]]\nowner = \"A\"\nmethod = \"b\"\nrole = \"link\"", ""),
        ];
        all.sort_unstable();
        assert!(all.windows(2).all(|it| it[0] != it[1]), "{all:?}");
    }

    #[test]
    fn rules_are_selected_for_all_files_and_ignored_in_some() {
        let text = "[rules]\nselect = [\"PLR4\"]\n[rules.per-file-ignores]\n\"orders/old/\" = [\"fixed-port\"]";
        let settings = settings(text, "orders/").unwrap();
        let rules = settings.rules(&RuleChoices::default());
        assert!(rules.reports(Rule::FixedPort, "src/ATest.java"));
        assert!(!rules.reports(Rule::FixedPort, "old/ATest.java"));
        assert!(rules.reports(Rule::RealNetwork, "old/ATest.java"));
        assert!(!rules.reports(Rule::ClockCompared, "src/ATest.java"));
    }

    #[test]
    fn what_would_match_nothing_is_refused() {
        let entry =
            |owner: &str, method: &str| error(&format!("\n[[assertions]]\nowner = \"{owner}\"\nmethod = \"{method}\""));
        for owner in ["", "a..B", "a.B#c", "a.B.", "a/B"] {
            assert!(entry(owner, "x").contains("is not a class name"), "{owner}");
        }
        for method in ["", "x()", "B#x", "a.b", "<clinit>"] {
            assert!(entry("B", method).contains("is not a method name"), "{method}");
        }
        let cause = |method: &str| {
            error(&format!(
                "[[causes]]\nkind = \"clock\"\nowner = \"A\"\nmethod = \"{method}\""
            ))
        };
        for method in ["*x*", "x**"] {
            assert!(entry("B", method).contains("has more than one `*`"), "{method}");
            assert!(cause(method).contains("has more than one `*`"), "{method}");
        }
    }

    #[test]
    fn a_star_means_the_same_for_assertions_and_causes() {
        for method in ["x*", "*x", "x*y", "*"] {
            let names = format!("owner = \"B\"\nmethod = \"{method}\"");
            assert!(settings(&format!("[[assertions]]\n{names}"), "").is_ok(), "{method}");
            assert!(
                settings(&format!("[[causes]]\nkind = \"clock\"\n{names}"), "").is_ok(),
                "{method}"
            );
        }
    }

    #[test]
    fn an_error_names_the_line() {
        for (text, line) in [
            ("min-probability = 2", 1),
            ("\n\nexclude = [\n  \"a\",\n  \"!b\",\n]", 5),
            ("\n\ninclude = 3", 3),
            ("\nthreshold = 0.5", 2),
            (
                "min-probability = 0.5\n[[causes]]\nkind = \"weather\"\nowner = \"A\"\nmethod = \"b\"",
                3,
            ),
            (
                "min-probability = 0.5\n\n[[causes]]\nkind = \"clock\"\nowner = \"A\"\nmethod = \"#\"",
                3,
            ),
            ("min-probability = 0.5\ninclude = [\"a\"\n", 2),
            ("[rules]\nselect = [\"PLR1\",\n  \"PLR999\"]", 3),
            ("[rules]\nignore = [\"sleep\"]", 2),
            ("[rules]\nsome = 1", 2),
            ("[rules.per-file-ignores]\n\"a/\" = [\"PLR1\"]\n\"!b\" = [\"PLR1\"]", 3),
            ("[rules.per-file-ignores]\n\"a/\" = [\"weather\"]", 2),
        ] {
            let error = error(text);
            assert!(error.starts_with(&format!("{NAME}:{line}: ")), "{text}: {error}");
        }
    }
}
