//! The twins of `corpus/twins`: one Java file a pair, which holds a flaky and a stable test in one text.
//!
//! ```java
//! Map<String, Integer> prices = new HashMap<>(); // flaky: PLR101
//! //~ Map<String, Integer> prices = new TreeMap<>();
//! ```
//!
//! The file itself is the flaky twin. In the stable twin a comment `//~` replaces the line before it, a comment `//+`
//! adds a line, and a line that ends in `//-` is left out. Both twins keep the line numbers of the file.

#![allow(dead_code, reason = "each test program uses a part")]

use std::fs;
use std::path::{Path, PathBuf};

/// One of the two tests of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twin {
    /// The test whose outcome can change.
    Flaky,
    /// The test that differs from the flaky one by the settling operation.
    Stable,
}

/// A flaky and a stable test that differ by one settling operation.
pub(crate) struct Pair {
    /// The folder of the pair: `order`.
    pub(crate) family: String,
    /// The test class of the pair.
    pub(crate) name: String,
    /// How the value gets from its source to the assertion.
    pub(crate) route: String,
    /// What makes the stable twin stable.
    pub(crate) settled: String,
    text: String,
}

/// A line that a flow may name as its source, with the ids of the rules that fit.
pub(crate) struct ExpectedSource {
    /// The number of the line, from one.
    pub(crate) line: u32,
    /// Ids of rules, of which one is enough.
    pub(crate) rules: Vec<String>,
}

impl Pair {
    fn new(family: &str, name: &str, text: String) -> Self {
        let tag = |key: &str| {
            let start = format!("// {key}: ");
            let line = text.lines().find_map(|it| it.strip_prefix(&start));
            line.unwrap_or_else(|| panic!("{family}/{name} has no `{start}`"))
                .to_owned()
        };
        Self {
            route: tag("route"),
            settled: tag("settled"),
            family: family.to_owned(),
            name: name.to_owned(),
            text,
        }
    }

    /// The lines that may be named as source in the flaky twin. One of them is enough.
    pub(crate) fn expected(&self) -> Vec<ExpectedSource> {
        let marked = (1..).zip(self.text.lines()).filter_map(|(line, text)| {
            let rules = text.split_once("// flaky: ")?.1;
            Some(ExpectedSource {
                line,
                rules: rules.split_whitespace().map(str::to_owned).collect(),
            })
        });
        marked.collect()
    }

    /// The rule that the pair is about: the first that the file names.
    pub(crate) fn rule(&self) -> String {
        let first = self.expected().into_iter().next();
        first.and_then(|it| it.rules.into_iter().next()).unwrap_or_default()
    }

    /// The text of a line of the file, for messages.
    pub(crate) fn line(&self, line: u32) -> &str {
        self.text.lines().nth(line as usize - 1).unwrap_or_default().trim()
    }

    /// The text of one twin, with the line numbers of the file.
    pub(crate) fn twin(&self, twin: Twin) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut replaced = 0;
        for (at, line) in self.text.lines().enumerate() {
            let indent = &line[..line.len() - line.trim_start().len()];
            let added = line.trim_start().strip_prefix("//+").map(|it| (it, Change::Add));
            let change = added.or_else(|| line.trim_start().strip_prefix("//~").map(|it| (it, Change::Replace)));
            let Some((text, change)) = change else {
                replaced = at;
                let left_out = twin == Twin::Stable && line.ends_with("//-");
                lines.push(if left_out {
                    String::new()
                } else {
                    unmarked(line).to_owned()
                });
                continue;
            };
            if twin == Twin::Stable && change == Change::Replace {
                lines[replaced].clear();
            }
            let text = text.strip_prefix(' ').unwrap_or(text);
            let kept = twin == Twin::Stable && !text.is_empty();
            lines.push(if kept { format!("{indent}{text}") } else { String::new() });
        }
        lines.join("\n") + "\n"
    }

    /// The files of one twin as a repository, with one file a top-level type.
    ///
    /// Types with `Test` in their names are test code, all others are the code under test.
    pub(crate) fn files(&self, twin: Twin) -> Vec<(String, String)> {
        let text = self.twin(twin);
        let lines: Vec<&str> = text.lines().collect();
        let is_header = |line: &str| line.starts_with("import ") || line.starts_with("package ");
        let header: Vec<&str> = lines.iter().map(|it| if is_header(it) { *it } else { "" }).collect();
        let package = lines
            .iter()
            .find_map(|it| it.strip_prefix("package "))
            .expect("a package");
        let folder = package.trim_end_matches(';').replace('.', "/");
        let mut files = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            if lines[at].is_empty() || lines[at].starts_with("//") || is_header(lines[at]) {
                at += 1;
                continue;
            }
            let is_end = |line: &str| line == "}" || (line.ends_with('}') && !line.starts_with([' ', '@']));
            let end = at
                + lines[at..]
                    .iter()
                    .position(|it| is_end(it))
                    .expect("a type ends at a brace in the first column");
            let name = type_name(&lines[at..=end]).expect("a type has a name");
            let side = if name.contains("Test") { "test" } else { "main" };
            let mut file = header.clone();
            file[at..=end].copy_from_slice(&lines[at..=end]);
            files.push((format!("src/{side}/java/{folder}/{name}.java"), file.join("\n") + "\n"));
            at = end + 1;
        }
        files
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Add,
    Replace,
}

fn unmarked(line: &str) -> &str {
    let line = line.split_once(" // flaky: ").map_or(line, |it| it.0);
    line.strip_suffix(" //-").unwrap_or(line)
}

fn type_name<'t>(lines: &[&'t str]) -> Option<&'t str> {
    let words = lines
        .iter()
        .filter(|it| !it.starts_with('@'))
        .flat_map(|it| it.split_whitespace());
    let mut words = words.skip_while(|it| !["class", "interface", "enum", "record", "@interface"].contains(it));
    words.nth(1).map(|it| it.split(['<', '(']).next().unwrap_or(it))
}

/// The folder of the twins.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/twins")
}

/// All pairs whose `family/Name` contains the environment variable `TWINS`, if it is set; sorted.
pub(crate) fn pairs() -> Vec<Pair> {
    let wanted = std::env::var("TWINS").unwrap_or_default();
    let mut pairs = Vec::new();
    for family in entries(&folder()).into_iter().filter(|it| it.is_dir()) {
        let family_name = family.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for file in entries(&family) {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let is_java = file.extension().is_some_and(|it| it == "java");
            if is_java && format!("{family_name}/{name}").contains(&wanted) {
                let text = fs::read_to_string(&file).expect("twins are readable");
                pairs.push(Pair::new(&family_name, &name, text));
            }
        }
    }
    pairs
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|it| it.expect("entries are readable").path()).collect();
    paths.sort();
    paths
}
