//! The file of findings that a team already knows, which scans do not report again.
//!
//! ```json
//! {
//!   "version": 1,
//!   "findings": [
//!     {"test":"shop.OrderTest#total","file":"OrderTest.java","rule":"PLR301","cause":"clock","fingerprint":"6f0c"}
//!   ]
//! }
//! ```
//!
//! Each finding is a line, and lines are sorted, so that a diff shows which findings came and went. Findings are
//! recognised by their fingerprint alone, which depends on no line and no file: a test that moves stays known. An
//! entry hides *one* finding. Where several modules have a test of the same name with the same cause, each needs an
//! entry of its own. An entry is matched with the finding of its own file first.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use peeler_learning::atomic_file::{self, Durability, WriteError, remedy};
use peeler_rerun::shell;
use serde::Deserialize;

use crate::finding::{Finding, KnownFinding};

/// The version of the baseline file format.
const VERSION: u64 = 1;

/// The findings in a baseline file, which a team already knows and scans do not report again.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Baseline {
    findings: Vec<KnownFinding>,
}

/// The findings of a scan that a baseline contains, and the entries of the baseline that the scan did not find.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct BaselineMatch {
    /// Findings of the scan that the baseline contains.
    pub(crate) known: Vec<KnownFinding>,
    /// Entries of the baseline that match no finding of the scan.
    pub(crate) unmet: Vec<KnownFinding>,
}

impl Baseline {
    /// Reads a baseline file written by `--write-baseline`.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read(path)
            .with_context(|| format!("cannot read the baseline {}; {}", path.display(), how_to_create(path)))?;
        Self::from_bytes(path, &text)
    }

    /// Parses the text of a baseline file. Error messages name `path` as the file.
    pub(crate) fn from_bytes(path: &Path, text: &[u8]) -> anyhow::Result<Self> {
        let (shown, remedy) = (path.display(), how_to_create(path));
        let broken = || format!("{shown} is not a baseline; {remedy}");
        let value: serde_json::Value = serde_json::from_slice(text).with_context(broken)?;
        match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(VERSION) => serde_json::from_value(value).with_context(broken),
            Some(other) => {
                bail!("{shown} has format version {other}, but this program reads version {VERSION}; {remedy}")
            }
            None => bail!(broken()),
        }
    }

    /// A baseline of the findings that a scan lists and of findings that an earlier baseline contains.
    pub(crate) fn new(listed: &[Finding], known: &[KnownFinding]) -> Self {
        let mut findings: Vec<KnownFinding> = listed
            .iter()
            .filter(|it| !it.below_threshold)
            .flat_map(KnownFinding::all_of)
            .chain(known.iter().cloned())
            .collect();
        findings.sort();
        Self { findings }
    }

    /// The number of findings in the baseline.
    pub(crate) fn len(&self) -> usize {
        self.findings.len()
    }

    /// Writes the baseline to a file, which is replaced as a whole.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        atomic_file::replace(path, &[self.text().as_bytes()], Durability::Synced).map_err(|error| {
            let (path, WriteError { source, .. }) = (path.display(), &error);
            anyhow!("cannot write the baseline {path}: {source}; {}", remedy(source))
        })
    }

    /// The baseline as the JSON text of its file, with one finding on each line.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{{\n  \"version\": {VERSION},\n  \"findings\": [");
        for (at, finding) in self.findings.iter().enumerate() {
            let line = serde_json::to_string(finding).expect("plain texts are JSON");
            let _ = write!(text, "{}\n    {line}", if at == 0 { "" } else { "," });
        }
        text.push_str(if self.findings.is_empty() {
            "]\n}\n"
        } else {
            "\n  ]\n}\n"
        });
        text
    }

    /// Removes the findings that the baseline contains from `findings`, and returns what matched and what did not.
    pub(crate) fn silence(&self, findings: &mut Vec<Finding>) -> BaselineMatch {
        let mut left: HashMap<&str, Vec<&KnownFinding>> = HashMap::new();
        for entry in &self.findings {
            left.entry(&entry.fingerprint).or_default().push(entry);
        }
        let mut is_known: Vec<bool> = findings
            .iter()
            .map(|it| take(&mut left, it, |file| file == it.file))
            .collect();
        for (known, finding) in is_known.iter_mut().zip(&*findings) {
            *known = *known || take(&mut left, finding, |_| true);
        }
        let mut silenced = BaselineMatch {
            known: Vec::new(),
            unmet: left.into_values().flatten().cloned().collect(),
        };
        silenced.unmet.sort();
        let mut known = is_known.into_iter();
        findings.retain(|finding| {
            let is_known = known.next().unwrap_or_default();
            if is_known {
                silenced.known.push(KnownFinding::of(finding));
            }
            !is_known
        });
        silenced
    }
}

/// The advice in error messages about a baseline file: `create one with peeler scan --write-baseline FILE`.
fn how_to_create(path: &Path) -> String {
    let file = shell::path_word(&path.display().to_string()).unwrap_or_else(|| "FILE".to_owned());
    format!("create one with `peeler scan --write-baseline {file}`")
}

/// Removes from `left` one baseline entry with the finding's fingerprint whose file `will_do` accepts. Returns false if
/// there is none.
fn take(left: &mut HashMap<&str, Vec<&KnownFinding>>, finding: &Finding, will_do: impl Fn(&str) -> bool) -> bool {
    let Some(entries) = left.get_mut(finding.fingerprint.as_str()) else {
        return false;
    };
    let place = entries.iter().position(|it| will_do(&it.file));
    place.map(|at| entries.remove(at)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::formats::made;

    /// A sample finding with this test name, file and fingerprint.
    fn finding(test: &str, file: &str, fingerprint: &str) -> Finding {
        let mut finding = made::scan().findings.swap_remove(0);
        (finding.test, finding.file, finding.fingerprint) = (test.parse().unwrap(), file.into(), fingerprint.into());
        finding
    }

    fn silence(known: &[Finding], now: &[Finding]) -> (Vec<String>, BaselineMatch) {
        let mut left = now.to_vec();
        let silenced = Baseline::new(known, &[]).silence(&mut left);
        (
            left.into_iter().map(|it| format!("{} {}", it.test, it.file)).collect(),
            silenced,
        )
    }

    #[test]
    fn an_entry_a_line_in_a_fixed_order_comes_back_as_it_was_written() {
        let listed = [
            finding("b.T#\"<x>", "b/T.java", "02"),
            finding("a.T#x", "a/T.java", "01"),
        ];
        let baseline = Baseline::new(&listed[..1], &[KnownFinding::of(&listed[1])]);
        insta::assert_snapshot!(baseline.text(), @r#"
        {
          "version": 1,
          "findings": [
            {"test":"a.T#x","file":"a/T.java","rule":"PLR301","cause":"clock","fingerprint":"01"},
            {"test":"b.T#\"<x>","file":"b/T.java","rule":"PLR301","cause":"clock","fingerprint":"02"}
          ]
        }
        "#);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.json");
        baseline.write(&path).unwrap();
        assert_eq!(Baseline::open(&path).unwrap(), baseline);
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "nothing unfinished stays"
        );
    }

    #[test]
    fn an_empty_baseline_is_a_file_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.json");
        Baseline::default().write(&path).unwrap();
        assert_eq!(Baseline::open(&path).unwrap(), Baseline::default());
    }

    #[test]
    fn a_finding_is_known_by_its_fingerprint_wherever_it_moves() {
        let (left, silenced) = silence(
            &[
                finding("a.T#x", "a/T.java", "01"),
                finding("a.T#gone", "a/T.java", "02"),
            ],
            &[
                finding("a.T#x", "moved/T.java", "01"),
                finding("a.T#new", "a/T.java", "03"),
            ],
        );
        assert_eq!(left, ["a.T#new a/T.java"]);
        assert_eq!(silenced.known[0].file, "moved/T.java", "as it is now");
        let unmet: Vec<&str> = silenced.unmet.iter().map(|it| it.test.as_str()).collect();
        assert_eq!(unmet, ["a.T#gone"]);
    }

    #[test]
    fn one_entry_silences_one_of_two_modules_with_the_same_test() {
        let (a, b) = (finding("t.T#x", "a/T.java", "01"), finding("t.T#x", "b/T.java", "01"));
        let both = [a, b.clone()];
        assert_eq!(
            silence(&both[1..], &both).0,
            ["t.T#x a/T.java"],
            "the one of its own file"
        );
        assert_eq!(
            silence(&[finding("t.T#x", "c/T.java", "01")], &both).0,
            ["t.T#x b/T.java"]
        );
        assert_eq!(silence(&both, &both).0.len(), 0);
        assert_eq!(silence(&both, &[b]).1.unmet.len(), 1);
    }
}
