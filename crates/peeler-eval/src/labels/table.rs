//! Tables as CSV, with the errors in them.

use std::io::Read;

use csv::{ReaderBuilder, StringRecord};
use peeler_features::{InvalidTestName, TestName};

/// The reason why a label file, or a table of commits or run times, cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// The label file or other table is not CSV.
    #[error("not a CSV file: {0}")]
    NotCsv(#[from] csv::Error),
    /// A column of a label file or another table is missing.
    #[error("line 1: no column `{missing}`; the {layout} layout has the columns {expected}")]
    MissingColumn {
        /// The name of the missing column.
        missing: &'static str,
        /// The name of the layout of the table, such as `idoft`.
        layout: &'static str,
        /// The names of all columns that the layout needs, separated by commas.
        expected: String,
    },
    /// A field of a label file or another table has an invalid value.
    #[error("line {line}: `{value}` is not a {what}; {remedy}")]
    BadValue {
        /// The line of the invalid value in its file.
        line: u64,
        /// The text of the invalid value.
        value: String,
        /// The kind of value that is expected, such as `number of runs`.
        what: &'static str,
        /// A hint how to write the value, such as `write 0 or 1`.
        remedy: &'static str,
    },
    /// A field of a label file or another table is not the name of a test.
    #[error("line {line}: {source}")]
    TestName {
        /// The line of the invalid test name in its file.
        line: u64,
        /// The error of the parser for test names, with the invalid name.
        source: InvalidTestName,
    },
    /// The label file has no row.
    #[error("no labels in the file; is it the right one?")]
    Empty,
}

/// A CSV table, with the positions of the columns that a layout needs.
pub(super) struct Table<R> {
    reader: csv::Reader<R>,
    places: Vec<usize>,
    optional: Option<usize>,
}

impl<R: Read> Table<R> {
    pub(super) fn open(file: R, layout: &'static str, columns: &[&'static str]) -> Result<Self, LabelError> {
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(file);
        let header = reader.headers()?.clone();
        let place = |name: &str| header.iter().position(|it| it.trim() == name);
        let mut places = Vec::new();
        for column in columns {
            places.push(place(column).ok_or_else(|| LabelError::MissingColumn {
                missing: column,
                layout,
                expected: columns.join(", "),
            })?);
        }
        let optional = place("category");
        Ok(Self {
            reader,
            places,
            optional,
        })
    }

    /// Maps every row of the table. `map` gets the fields of the columns that the layout needs, then the `category`,
    /// which may be empty, and the line number.
    pub(super) fn rows<T>(
        mut self,
        mut map: impl FnMut(&[&str], u64) -> Result<T, LabelError>,
    ) -> Result<Vec<T>, LabelError> {
        let mut found = Vec::new();
        let mut record = StringRecord::new();
        while self.reader.read_record(&mut record)? {
            let line = record.position().map_or(0, csv::Position::line);
            let mut fields = Vec::with_capacity(self.places.len() + 1);
            for &place in &self.places {
                fields.push(record.get(place).ok_or_else(|| LabelError::BadValue {
                    line,
                    value: record.iter().collect::<Vec<_>>().join(","),
                    what: "complete row",
                    remedy: "give every column a value",
                })?);
            }
            fields.push(self.optional.and_then(|place| record.get(place)).unwrap_or("").trim());
            found.push(map(&fields, line)?);
        }
        Ok(found)
    }
}

/// The name of a test in a line of a table.
pub(super) fn test_name(text: &str, line: u64) -> Result<TestName, LabelError> {
    text.parse().map_err(|source| LabelError::TestName { line, source })
}

/// The name of a test that is written as `package.Class.method`, perhaps with a parameter set.
pub(super) fn dotted_name(text: &str, line: u64) -> Result<TestName, LabelError> {
    let bare = text.split(['[', '(']).next().unwrap_or(text).trim();
    let Some((class, method)) = bare.rsplit_once('.') else {
        return Err(LabelError::BadValue {
            line,
            value: text.to_owned(),
            what: "test",
            remedy: "write it as package.Class.method",
        });
    };
    // Names of Spock and Kotlin tests contain blanks, which become `_`. No Java test has such a name.
    Ok(TestName::new(class, method))
}
