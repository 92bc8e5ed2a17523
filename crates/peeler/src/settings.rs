//! `peeler.toml`: what a team says once for all scans.
//!
//! ```toml
//! min-probability = 0.3              # as the option of that name, which wins
//! include = ["*/src/test/"]          # only these files hold findings
//! exclude = ["legacy/", "*IT.java"]  # these hold none, also where they are included
//!
//! [[assertions]]                     # methods that assert, beside those of the catalogue
//! owner = "shop.testing.Checks"
//! method = "ensure*"
//!
//! [[causes]]                         # sources of nondeterminism, beside those of the catalogue
//! kind = "network"
//! owner = "shop.Gateway"
//! method = "call*"
//! what = "asks the payment gateway"
//! ```
//!
//! The nearest file at or above a scanned path counts, alone: settings of several files are not mixed. Globs are those of
//! [`FileGlobs`] and relative to the folder of the file, or to the scanned path where that lies elsewhere.
//!
//! Invariant: what is left out holds no findings but is still read, as code under test of other tests.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use peeler_analysis::{CauseCatalogue, ExtraAssertion, ExtraCause, FileGlobs};
use peeler_features::content_hash;
use serde::Deserialize;
use toml::Spanned;

/// The name of the file.
const NAME: &str = "peeler.toml";

/// Settings for one root.
#[derive(Debug)]
pub(crate) struct Settings {
    /// As the option of that name.
    pub(crate) min_probability: Option<f32>,
    /// Beside those of the catalogue.
    pub(crate) assertions: Vec<ExtraAssertion>,
    /// The catalogue with what was added; none where nothing was.
    causes: Option<CauseCatalogue>,
    include: FileGlobs,
    exclude: FileGlobs,
    /// The file, as messages name it.
    file: Option<String>,
    /// What lies between the folder of the file and the root: `services/orders/`.
    inside: String,
    /// Everything but the probability, in a fixed form.
    plain: String,
}

/// Where settings are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'a> {
    /// In the nearest file at or above the root.
    Nearest,
    /// In this file.
    File(&'a Path),
    /// Nowhere.
    Nothing,
}

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Written {
    min_probability: Option<Spanned<f32>>,
    include: Vec<Spanned<String>>,
    exclude: Vec<Spanned<String>>,
    assertions: Vec<Spanned<ExtraAssertion>>,
    causes: Vec<Spanned<ExtraCause>>,
}

impl Settings {
    /// The settings for a root.
    pub(crate) fn open(root: &Path, source: Source<'_>) -> anyhow::Result<Self> {
        // A root that does not exist is refused with better words when it is opened.
        let place = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let file = match source {
            Source::Nearest => place.ancestors().map(|it| it.join(NAME)).find(|it| it.is_file()),
            Source::File(file) => Some(file.to_owned()),
            Source::Nothing => None,
        };
        let Some(file) = file else {
            return Text { shown: "", text: "" }.settings(String::new(), None);
        };
        let shown = shown(&file);
        let text = std::fs::read_to_string(&file).with_context(|| {
            format!("cannot read the settings {shown}; name a TOML file with --config, or use --no-config")
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
        let text = Text {
            shown: &shown,
            text: &text,
        };
        text.settings(between, Some(shown.clone()))
    }

    /// The file they are from.
    pub(crate) fn file(&self) -> Option<String> {
        self.file.clone()
    }

    /// The catalogue of causes.
    pub(crate) fn causes(&self) -> &CauseCatalogue {
        self.causes.as_ref().unwrap_or_else(|| CauseCatalogue::shipped())
    }

    /// Whether tests of a file may be findings. The path is relative to the root.
    pub(crate) fn takes(&self, file: &str) -> bool {
        if self.include.is_empty() && self.exclude.is_empty() {
            return true;
        }
        let path = format!("{}{file}", self.inside);
        (self.include.is_empty() || self.include.name(&path)) && !self.exclude.name(&path)
    }

    /// A number for everything that changes what a scan finds below the root, but for the threshold, which the request of
    /// a scan holds. The same settings have the same number in every run and on every machine.
    pub(crate) fn digest(&self) -> u64 {
        content_hash(self.plain.as_bytes())
    }
}

/// A settings file and its name.
struct Text<'t> {
    shown: &'t str,
    text: &'t str,
}

impl Text<'_> {
    fn settings(&self, inside: String, file: Option<String>) -> anyhow::Result<Settings> {
        let written: Written = toml::from_str(self.text).map_err(|error| {
            let message = error.message().replace('\n', ", ");
            let remedy = "the README says what the file may hold, and --no-config does without it";
            self.error(error.span(), &format!("{message}; {remedy}"))
        })?;
        let min_probability = written.min_probability.map(|it| {
            let valid = (0.0..=1.0).contains(it.get_ref());
            let words = format!("min-probability is {}; give a number between 0 and 1", it.get_ref());
            if valid {
                Ok(*it.get_ref())
            } else {
                Err(self.error(Some(it.span()), &words))
            }
        });
        for entry in &written.assertions {
            let ExtraAssertion { owner, method, .. } = entry.get_ref();
            self.check_names(entry.span(), owner, method)?;
            if method.trim_end_matches('*').contains('*') || method.ends_with("**") {
                let words = format!("`{method}` names no assertions; one `*` may stand at the end");
                bail!(self.error(Some(entry.span()), &words));
            }
        }
        for entry in &written.causes {
            let ExtraCause { owner, method, .. } = entry.get_ref();
            self.check_names(entry.span(), owner, method)?;
            if method.matches('*').count() > 1 {
                let words = format!("`{method}` names no calls; one `*` may stand for anything");
                bail!(self.error(Some(entry.span()), &words));
            }
        }
        let causes: Vec<ExtraCause> = written.causes.into_iter().map(Spanned::into_inner).collect();
        let assertions: Vec<ExtraAssertion> = written.assertions.into_iter().map(Spanned::into_inner).collect();
        let (include, exclude) = (plain(&written.include), plain(&written.exclude));
        let parts = (&assertions, &causes, &include, &exclude, &inside);
        Ok(Settings {
            min_probability: min_probability.transpose()?,
            plain: serde_json::to_string(&parts).expect("plain texts are JSON"),
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
            let words = format!("{error}; write it as in .gitignore, relative to the folder of this file");
            self.error(span, &words)
        })
    }

    /// Refuses what no class or method is called, which would silently match nothing.
    fn check_names(&self, span: Range<usize>, owner: &str, method: &str) -> anyhow::Result<()> {
        let is_letter = |it: char| it.is_alphanumeric() || it == '_' || it == '$';
        let is_class = owner
            .split('.')
            .all(|part| !part.is_empty() && part.chars().all(is_letter));
        if !is_class {
            let words = format!("`{owner}` is no name of a class; write `package.Class`, or `Class` for any package");
            bail!(self.error(Some(span), &words));
        }
        let is_method = !method.is_empty() && method.chars().all(|it| is_letter(it) || it == '*');
        if !is_method && method != "<init>" {
            let words = format!("`{method}` is no name of a method; write it without class and arguments");
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

/// A path as messages name it: from the working directory on, where it lies below.
fn shown(file: &Path) -> String {
    let here = std::env::current_dir().and_then(|it| it.canonicalize());
    let inside = here
        .ok()
        .and_then(|here| file.strip_prefix(here).ok().map(PathBuf::from));
    inside.as_deref().unwrap_or(file).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str, inside: &str) -> anyhow::Result<Settings> {
        let text = Text { shown: NAME, text };
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
            digest("min-probability = 0.5", ""),
            "the request holds it"
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
    fn what_would_match_nothing_is_refused() {
        let entry =
            |owner: &str, method: &str| error(&format!("\n[[assertions]]\nowner = \"{owner}\"\nmethod = \"{method}\""));
        for owner in ["", "a..B", "a.B#c", "a.B.", "a/B"] {
            assert!(entry(owner, "x").contains("is no name of a class"), "{owner}");
        }
        for method in ["", "x()", "B#x", "a.b", "<clinit>"] {
            assert!(entry("B", method).contains("is no name of a method"), "{method}");
        }
        for method in ["*x", "x*y", "x**"] {
            assert!(entry("B", method).contains("one `*` may stand at the end"), "{method}");
        }
        let cause = "[[causes]]\nkind = \"clock\"\nowner = \"A\"\nmethod = \"*b*\"";
        assert!(error(cause).contains("one `*` may stand for anything"));
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
        ] {
            let error = error(text);
            assert!(error.starts_with(&format!("{NAME}:{line}: ")), "{text}: {error}");
        }
    }
}
