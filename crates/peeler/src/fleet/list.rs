//! The list of repositories of a fleet: a line each, with fields that tabs separate.
//!
//! ```text
//! # path                 revision    name
//! /clones/orders.git
//! /clones/billing.git    v2.1        billing
//! ```
//!
//! Invariant: no two entries of a list have the same name, because outputs and shards know repositories by name.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

/// A repository in the list that `peeler scan --repos` reads, one per line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The name of the repository in outputs: the third field of its line in the list, or else its path.
    pub(crate) name: String,
    /// The path of the repository's folder or git clone, as written in the list.
    pub(crate) path: String,
    /// The git revision to read; `None` to read the files in the folder, or `HEAD` of a bare git clone.
    pub(crate) revision: Option<String>,
}

impl Entry {
    /// The repository that a line of a list names; `None` for a comment or an empty line.
    fn of(line: &str) -> Result<Option<Self>, &'static str> {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let mut fields = line.split('\t');
        let path = fields.next().unwrap_or_default();
        let revision = fields.next().filter(|it| !it.is_empty());
        let name = fields.next().filter(|it| !it.is_empty());
        if path.is_empty() {
            return Err("has no path in front of its first tab");
        }
        if fields.next().is_some() {
            return Err("has more than three fields; tabs separate path, revision and name");
        }
        Ok(Some(Self {
            name: name.unwrap_or(path).to_owned(),
            path: path.to_owned(),
            revision: revision.map(str::to_owned),
        }))
    }
}

impl fmt::Display for Entry {
    /// Writes the line of a list that names the repository: path, revision and name with tabs between, as far as
    /// needed.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let revision = self.revision.as_deref().unwrap_or_default();
        formatter.write_str(&self.path)?;
        if self.name != self.path {
            return write!(formatter, "\t{revision}\t{}", self.name);
        }
        match revision {
            "" => Ok(()),
            revision => write!(formatter, "\t{revision}"),
        }
    }
}

/// A reader of a list of repositories, one per line. It yields every repository once.
pub(crate) struct List {
    lines: Box<dyn BufRead + Send>,
    /// The name of the list in error messages: its path, or `standard input`.
    shown: String,
    /// The number of the last line of the list that was read, counted from one.
    line: usize,
    /// The repositories that were read so far, by name, each with the number of its line in the list.
    seen: HashMap<String, (Entry, usize)>,
}

impl List {
    /// Opens a list of repositories: a file, or standard input for `-`.
    pub(crate) fn open(place: &Path) -> anyhow::Result<Self> {
        if place == Path::new("-") {
            return Ok(Self::new("standard input", BufReader::new(io::stdin())));
        }
        let shown = place.display().to_string();
        let file = File::open(place).with_context(|| {
            format!("cannot read the list of repositories {shown}; give a file with a path a line, or - for stdin")
        })?;
        Ok(Self::new(&shown, BufReader::new(file)))
    }

    fn new(shown: &str, lines: impl BufRead + Send + 'static) -> Self {
        Self {
            lines: Box::new(lines),
            shown: shown.to_owned(),
            line: 0,
            seen: HashMap::new(),
        }
    }

    /// Reads the next repository that no earlier line of the list named; `None` at the end of the list.
    pub(crate) fn read(&mut self) -> anyhow::Result<Option<Entry>> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = self.lines.read_until(b'\n', &mut bytes);
            if read.with_context(|| format!("cannot read the list of repositories {}", self.shown))? == 0 {
                return Ok(None);
            }
            self.line += 1;
            let Ok(text) = std::str::from_utf8(bytes.strip_suffix(b"\n").unwrap_or(&bytes)) else {
                bail!("{}:{}: is not UTF-8; write the path in UTF-8", self.shown, self.line);
            };
            let text = if self.line == 1 {
                text.strip_prefix('\u{feff}').unwrap_or(text)
            } else {
                text
            };
            let entry = Entry::of(text).map_err(|error| anyhow::anyhow!("{}:{}: {error}", self.shown, self.line))?;
            if let Some(entry) = entry
                && self.is_new(&entry)?
            {
                return Ok(Some(entry));
            }
        }
    }

    /// Whether no earlier line of the list names the repository. It is an error if an earlier line has the same name
    /// with another path or revision.
    fn is_new(&mut self, entry: &Entry) -> anyhow::Result<bool> {
        match self.seen.get(&entry.name) {
            Some((earlier, _)) if earlier == entry => Ok(false),
            Some((_, line)) => bail!(
                "{}:{}: the name `{}` already means another path or revision in line {line}; give one of them a name \
                 of its own in the third field",
                self.shown,
                self.line,
                entry.name
            ),
            None => {
                self.seen.insert(entry.name.clone(), (entry.clone(), self.line));
                Ok(true)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> anyhow::Result<Vec<Entry>> {
        let mut list = List::new("list", text.as_bytes());
        let mut entries = Vec::new();
        while let Some(entry) = list.read()? {
            entries.push(entry);
        }
        Ok(entries)
    }

    fn shown(entry: &Entry) -> String {
        let revision = entry.revision.as_deref().unwrap_or("-");
        format!("{} | {revision} | {}", entry.path, entry.name)
    }

    #[test]
    fn a_line_is_a_path_a_revision_and_a_name() {
        let text = "\u{feff}# a comment\n\n/a b\r\n/c.git\tv1\n/c.git\tv2\tc two\n/d\t\td\n/a b\n  \nlast";
        let entries: Vec<String> = read(text).unwrap().iter().map(shown).collect();
        let expected = [
            "/a b | - | /a b",
            "/c.git | v1 | /c.git",
            "/c.git | v2 | c two",
            "/d | - | d",
            "last | - | last",
        ];
        assert_eq!(entries, expected, "the line that repeats another one is skipped");
        for entry in read(text).unwrap() {
            assert_eq!(
                Entry::of(&entry.to_string()),
                Ok(Some(entry)),
                "it can be written and read"
            );
        }
    }

    #[test]
    fn errors_name_the_line() {
        for (text, expected) in [
            ("/a\n\tv1\n", "list:2: has no path"),
            ("/a\tb\tc\td\n", "list:1: has more than three fields"),
            (
                "/a\n\n/a\tv1\n",
                "list:3: the name `/a` already means another path or revision in line 1",
            ),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
