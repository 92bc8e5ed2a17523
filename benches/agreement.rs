//! Comparing resolved calls with what javac says.

use std::collections::HashMap;

use peeler_analysis::ResolvedCall;

/// A declaration as the oracle names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// Binary name of the class that declares the method.
    pub owner: String,
    /// Its file.
    pub file: String,
    /// The line of its name, zero for a constructor that nobody wrote.
    pub line: u32,
}

/// By file of the call, offset and name.
pub type Oracle = HashMap<(String, u32, String), Declaration>;

/// How calls compare.
#[derive(Debug, Default)]
pub struct Agreement {
    /// Resolved to what javac says.
    pub right: usize,
    /// Resolved to something else, in words.
    pub wrong: Vec<String>,
    /// Not resolved, in words.
    pub unresolved: Vec<String>,
}

/// Reads the oracle's table; lines that do not fit are skipped.
#[must_use]
pub fn read_oracle(text: &str) -> Oracle {
    text.lines()
        .filter_map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [file, _, offset, name, owner, declared_in, declared_at, ..] = columns.as_slice() else {
                return None;
            };
            let declaration = Declaration {
                owner: (*owner).to_owned(),
                file: (*declared_in).to_owned(),
                line: declared_at.parse().ok()?,
            };
            Some((
                ((*file).to_owned(), offset.parse().ok()?, (*name).to_owned()),
                declaration,
            ))
        })
        .collect()
}

/// Compares the calls that both sides know to be to code of the repository.
#[must_use]
pub fn compare(calls: &[ResolvedCall], oracle: &Oracle) -> Agreement {
    let mut agreement = Agreement::default();
    for call in calls {
        let Some(expected) = oracle.get(&(call.file.clone(), call.offset, call.name.clone())) else {
            continue;
        };
        let place = format!("{}:{} {}", call.file, call.line, call.name);
        match (&call.declaration, &call.implicit_constructor_of) {
            (Some(found), _) if found.file == expected.file && found.line == expected.line => agreement.right += 1,
            (None, Some(owner)) if expected.line == 0 && *owner == expected.owner => agreement.right += 1,
            (Some(found), _) => agreement.wrong.push(format!(
                "{place} -> {}:{} but javac says {}:{}",
                found.file, found.line, expected.file, expected.line
            )),
            (None, _) => agreement
                .unresolved
                .push(format!("{place}: javac says {}:{}", expected.file, expected.line)),
        }
    }
    agreement
}
