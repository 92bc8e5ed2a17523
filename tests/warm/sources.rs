//! The files of a repository in memory, with the edits of them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use proptest::sample::Index;

use crate::edits::Edit;
use crate::repository::{
    FILES, IMPORTS, MEMBERS, NAMES, NEW_FILES, PACKAGES, PLACES, SELECTIONS, SETTINGS, SUPERTYPES,
};
use crate::support::Project;

/// Words before the name of a type.
const KINDS: [&str; 4] = ["class ", "interface ", "enum ", "record "];

/// Files of a repository by path.
#[derive(Clone, Default)]
pub(crate) struct Sources(pub(crate) BTreeMap<String, String>);

impl Sources {
    /// The repository before the first edit.
    pub(crate) fn new() -> Self {
        Self::of(FILES)
    }

    /// The given files: paths and texts.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        Self(
            files
                .iter()
                .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
                .collect(),
        )
    }

    /// The path of the Java file that an index chooses. There is always one.
    fn java(&self, file: Index) -> String {
        let files: Vec<&String> = self.0.keys().filter(|path| is_java(path)).collect();
        (*file.get(&files)).clone()
    }

    /// The text of the Java file that an index chooses.
    fn text(&mut self, file: Index) -> &mut String {
        let path = self.java(file);
        self.0.get_mut(&path).expect("a file")
    }

    /// Makes one edit.
    pub(crate) fn edit(&mut self, edit: &Edit) {
        match edit {
            Edit::Rename {
                file: Some(file),
                from,
                to,
            } => {
                let text = self.text(*file);
                *text = renamed(text, word(*from, NAMES), word(*to, NAMES));
            }
            Edit::Rename { file: None, from, to } => {
                for text in self.0.values_mut() {
                    *text = renamed(text, word(*from, NAMES), word(*to, NAMES));
                }
            }
            Edit::Move { file, to } => {
                let text = self.0.remove(&self.java(*file)).expect("a file");
                self.0.insert(place(*to), text);
            }
            Edit::Copy { file, to } => {
                let text = self.text(*file).clone();
                self.0.insert(place(*to), text);
            }
            Edit::Package { file, package } => {
                let text = self.text(*file);
                let end = text.find('\n').unwrap_or(text.len());
                text.replace_range(..end, word(*package, PACKAGES));
            }
            Edit::Delete { file } => {
                self.remove(&self.java(*file));
            }
            Edit::Restore { file } => {
                let (path, text) = *file.get(&[FILES, NEW_FILES].concat());
                self.0.insert(path.to_owned(), text.to_owned());
            }
            Edit::AddMember { file, place, member } => add_line(self.text(*file), *place, word(*member, MEMBERS)),
            Edit::AddImport { file, import } => {
                let text = self.text(*file);
                let at = text.find(";\n").map_or(0, |it| it + 2);
                text.insert_str(at, &format!("{}\n", word(*import, IMPORTS)));
            }
            Edit::RemoveLine { file, line } => {
                take_line(self.text(*file), *line);
            }
            Edit::MoveLine { from, line, to, place } => {
                if let Some(line) = take_line(self.text(*from), *line) {
                    add_line(self.text(*to), *place, &line);
                }
            }
            Edit::MoveTypes { from, to } => {
                let path = self.java(*from);
                let lines = self.0[&path].lines();
                let is_header = |it: &&str| it.starts_with("package ") || it.starts_with("import ");
                let types: Vec<&str> = lines.filter(|it| !is_header(it)).collect();
                let types = types.join("\n") + "\n";
                if self.java(*to) != path {
                    self.text(*to).push_str(&types);
                    self.remove(&path);
                }
            }
            Edit::Supertypes {
                file,
                place,
                supertypes,
            } => change_supertypes(self.text(*file), *place, word(*supertypes, SUPERTYPES)),
            Edit::Settings(text) => self.set("peeler.toml", *text.get(SETTINGS)),
            Edit::Selection(file) => {
                let (path, text) = *file.get(SELECTIONS);
                self.set(path, text);
            }
        }
    }

    /// Removes a Java file, unless few are left: a repository without Java is refused.
    fn remove(&mut self, path: &str) {
        if self.0.keys().filter(|it| is_java(it)).count() > 4 {
            self.0.remove(path);
        }
    }

    fn set(&mut self, path: &str, text: Option<&str>) {
        match text {
            Some(text) => {
                self.0.insert(path.to_owned(), text.to_owned());
            }
            None => {
                self.0.remove(path);
            }
        }
    }

    /// Writes these files to the project and deletes others.
    pub(crate) fn write(&self, project: &Project, before: &Self) {
        for path in before.0.keys().filter(|it| !self.0.contains_key(*it)) {
            std::fs::remove_file(project.path(path)).expect("a file goes");
        }
        for (path, text) in &self.0 {
            if before.0.get(path) != Some(text) {
                project.write(path, text);
            }
        }
    }
}

impl fmt::Display for Sources {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, text) in &self.0 {
            writeln!(formatter, "//// {path}\n{text}")?;
        }
        Ok(())
    }
}

fn is_java(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|it| it == "java")
}

/// The word that an index chooses.
fn word(at: Index, words: &'static [&'static str]) -> &'static str {
    words[at.index(words.len())]
}

/// The path that an index chooses: one of the places, or the original path of a file.
fn place(at: Index) -> String {
    let paths: Vec<&str> = PLACES.iter().chain(FILES.iter().map(|it| &it.0)).copied().collect();
    (*at.get(&paths)).to_owned()
}

/// Adds a line after one of the opening braces that end a line.
fn add_line(text: &mut String, place: Index, line: &str) {
    let places: Vec<usize> = text.match_indices("{\n").map(|it| it.0 + 2).collect();
    if !places.is_empty() {
        text.insert_str(*place.get(&places), &format!("{line}\n"));
    }
}

/// Removes a line and returns it; `None` if there is none.
fn take_line(text: &mut String, line: Index) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return None;
    }
    let taken = lines.remove(line.index(lines.len())).to_owned();
    *text = lines.join("\n") + "\n";
    Some(taken)
}

/// Replaces everything between the name of a type and its body.
fn change_supertypes(text: &mut String, place: Index, supertypes: &str) {
    let mut starts: Vec<usize> = KINDS
        .iter()
        .flat_map(|kind| text.match_indices(kind).map(|it| it.0 + kind.len()))
        .collect();
    starts.sort_unstable();
    if starts.is_empty() {
        return;
    }
    let start = *place.get(&starts);
    if let Some(end) = text[start..].find('{') {
        let name = text[start..].split([' ', '<', '{', '(']).next().unwrap_or_default();
        let header = format!("{name} {supertypes} ");
        text.replace_range(start..start + end, &header);
    }
}

/// A text with a name replaced by another, as a whole word.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_part = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let end = at + from.len();
        let is_word = !is_part(rest[..at].chars().next_back().or(out.chars().next_back()))
            && !is_part(rest[end..].chars().next());
        out.push_str(&rest[..at]);
        out.push_str(if is_word { to } else { from });
        rest = &rest[end..];
    }
    out + rest
}
