//! Columns of a row group with their definition and repetition levels.
//!
//! Parquet stores a column as a list of values and, where values are optional or repeated, two small numbers for each
//! place: how much of its path exists, and at which list it repeats.

use std::io::Write;

use parquet::data_type::{ByteArray, ByteArrayType, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::writer::SerializedRowGroupWriter;

/// An entry of a Parquet column: a value or the lack of one, with its definition and repetition level.
pub(super) struct Cell<T> {
    /// The value; `None` for a missing optional value or an empty list.
    value: Option<T>,
    definition: i16,
    repetition: i16,
}

/// Writes the columns of a row group, one after the other.
pub(super) struct Columns<'a, W: Write + Send> {
    group: SerializedRowGroupWriter<'a, W>,
}

impl<'a, W: Write + Send> Columns<'a, W> {
    /// A writer that is about to write the first column of a row group.
    pub(super) fn new(group: SerializedRowGroupWriter<'a, W>) -> Self {
        Self { group }
    }

    /// Writes the next column of the row group, given its entries.
    pub(super) fn write<T: DataType>(&mut self, cells: impl Iterator<Item = Cell<T::T>>) -> Result<()> {
        let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
        for cell in cells {
            values.extend(cell.value);
            definitions.push(cell.definition);
            repetitions.push(cell.repetition);
        }
        let next = self.group.next_column()?;
        let mut column = next.ok_or_else(|| ParquetError::General("the schema has fewer columns".to_owned()))?;
        let writer = column.typed::<T>();
        writer.write_batch(&values, Some(&definitions), Some(&repetitions))?;
        column.close()
    }

    /// Writes the next column of the row group, whose values are texts.
    pub(super) fn texts(&mut self, cells: impl Iterator<Item = Cell<ByteArray>>) -> Result<()> {
        self.write::<ByteArrayType>(cells)
    }

    /// Completes the row group after its last column.
    pub(super) fn close(self) -> Result<()> {
        self.group.close().map(|_| ())
    }
}

/// A text as a value of a Parquet column.
pub(super) fn text(text: &str) -> ByteArray {
    ByteArray::from(text)
}

/// The entry of a row in a column in which every row has a value.
pub(super) fn required<T>(value: T) -> Cell<T> {
    Cell {
        value: Some(value),
        definition: 0,
        repetition: 0,
    }
}

/// The entry of a row in a column in which a row may lack a value.
pub(super) fn optional<T>(value: Option<T>) -> Cell<T> {
    Cell {
        definition: i16::from(value.is_some()),
        value,
        repetition: 0,
    }
}

/// The entries of a row in a column in which each row has a list of values.
pub(super) fn listed<T>(values: impl IntoIterator<Item = T>) -> Vec<Cell<T>> {
    let cells = values.into_iter().enumerate().map(|(at, value)| Cell {
        value: Some(value),
        definition: 1,
        repetition: i16::from(at > 0),
    });
    or_nothing(cells.collect(), 0, 0)
}

/// The entries of a row in a column in which each row has a list of lists of values.
pub(super) fn listed_twice<T>(lists: impl IntoIterator<Item = Vec<T>>) -> Vec<Cell<T>> {
    let lists = lists.into_iter().enumerate().flat_map(|(outer, values)| {
        let first = i16::from(outer > 0);
        let cells = values.into_iter().enumerate().map(|(inner, value)| Cell {
            value: Some(value),
            definition: 2,
            repetition: if inner > 0 { 2 } else { first },
        });
        or_nothing(cells.collect(), 1, first)
    });
    or_nothing(lists.collect(), 0, 0)
}

/// The entries of a list in a column: `cells`, or one entry without a value if the list is empty. That entry has the
/// levels `definition` and `repetition`.
fn or_nothing<T>(cells: Vec<Cell<T>>, definition: i16, repetition: i16) -> Vec<Cell<T>> {
    if !cells.is_empty() {
        return cells;
    }
    vec![Cell {
        value: None,
        definition,
        repetition,
    }]
}
