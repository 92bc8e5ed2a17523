//! Comparison of resolved calls with those of javac.

use std::collections::HashMap;

use peeler_analysis::ResolvedCall;

/// A declaration that javac resolved a call to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The binary name of the class that declares the method.
    pub owner: String,
    /// The file of the declaration.
    pub file: String,
    /// The line of the method's name; zero for an implicit constructor.
    pub line: u32,
}

/// The declarations that javac found, by file, offset and name of the call.
pub type Oracle = HashMap<(String, u32, String), Declaration>;

/// The result of comparing calls with javac.
#[derive(Debug, Default)]
pub struct Agreement {
    /// The number of calls with the same declaration as in javac.
    pub right: usize,
    /// Descriptions of calls with another declaration than in javac.
    pub wrong: Vec<String>,
    /// Descriptions of calls that were not resolved.
    pub unresolved: Vec<String>,
}

/// Parses the table that `CallOracle.java` wrote. Lines in another format are skipped.
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

/// Compares the calls that both Peeler and javac resolve to code of the repository.
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
