//! Reads records from a Parquet file.

use std::fs::File;
use std::path::Path;

use anyhow::Context;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, List, ListAccessor, Row};
use parquet::schema::types::Type;
use serde_json::{Map, Value, json};

use super::schema;
use crate::fleet::header::Header;
use crate::fleet::record::Record;

/// Calls `each` with the header of every row of a Parquet file: the repository, and the version, model and options that
/// scanned it.
pub(crate) fn headers(path: &Path, mut each: impl FnMut(Header) -> anyhow::Result<()>) -> anyhow::Result<()> {
    rows(path, Some(schema::header()?), |value| {
        each(Header::of(&serde_json::to_vec(&value)?)?)
    })
}

/// Calls `each` with the record of every row of a Parquet file. A row is about one repository.
pub(crate) fn records(path: &Path, mut each: impl FnMut(Record) -> anyhow::Result<()>) -> anyhow::Result<()> {
    rows(path, None, |mut value| {
        restore(&mut value)?;
        each(serde_json::from_value(value)?)
    })
}

fn rows(path: &Path, columns: Option<Type>, mut each: impl FnMut(Value) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let damaged = || {
        format!(
            "cannot read {} as Parquet of `peeler scan --repos`; delete it and resume the scan",
            path.display()
        )
    };
    let file = File::open(path).with_context(damaged)?;
    let reader = SerializedFileReader::new(file).with_context(damaged)?;
    for row in reader.get_row_iter(columns).with_context(damaged)? {
        let mut value = object(&row.with_context(damaged)?);
        value["type"] = json!("repository");
        each(value).with_context(damaged)?;
    }
    Ok(())
}

/// Replaces the findings and tests of a row by those in its `json` and `tests_json` columns, which are complete.
fn restore(record: &mut Value) -> anyhow::Result<()> {
    for finding in record["findings"].as_array_mut().into_iter().flatten() {
        let whole = finding["json"].as_str().context("a finding without its JSON")?;
        *finding = serde_json::from_str(whole)?;
    }
    if let Some(tests) = record["tests_json"].as_str() {
        record["tests"] = serde_json::from_str(tests)?;
    }
    Ok(())
}

fn object(row: &Row) -> Value {
    let members = row.get_column_iter().map(|(name, field)| (name.clone(), value(field)));
    Value::Object(members.collect::<Map<String, Value>>())
}

fn value(field: &Field) -> Value {
    match field {
        Field::Int(number) => json!(number),
        Field::Long(number) => json!(number),
        Field::Float(number) => json!(f64::from(*number)),
        Field::Double(number) => json!(number),
        Field::Str(text) => json!(text),
        Field::Group(row) => object(row),
        Field::ListInternal(list) => Value::Array(elements(list)),
        // The schema has no other types.
        _ => Value::Null,
    }
}

fn elements(list: &List) -> Vec<Value> {
    (0..list.len())
        .map(|at| {
            list.get_group(at)
                .map(object)
                .or_else(|_| list.get_string(at).map(|it| json!(it)))
        })
        .map(Result::unwrap_or_default)
        .collect()
}
