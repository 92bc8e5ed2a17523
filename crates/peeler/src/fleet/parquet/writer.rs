//! Writes records as one Parquet file.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, DoubleType, FloatType, Int32Type, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use serde::Serialize;

use super::levels::{Columns, listed, listed_twice, optional, required, text};
use super::schema;
use crate::finding::Finding;
use crate::fleet::record::{Counts, Record};

/// Writes a Parquet file with one row for each record and the columns of [`schema::all`].
pub(super) fn write(records: &[Record], out: impl Write + Send) -> Result<()> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(format!("peeler {}", env!("CARGO_PKG_VERSION")))
        .build();
    let mut file = SerializedFileWriter::new(out, Arc::new(schema::all()?), Arc::new(properties))?;
    let mut columns = Columns::new(file.next_row_group()?);
    let texts = |get: fn(&Record) -> &str| records.iter().map(move |it| required(text(get(it))));
    let maybe = |get: fn(&Record) -> Option<&str>| records.iter().map(move |it| optional(get(it).map(text)));
    columns.write::<Int32Type>(records.iter().map(|it| required(small(it.version))))?;
    columns.texts(texts(|it| &it.name))?;
    columns.texts(texts(|it| &it.path))?;
    columns.texts(maybe(|it| it.revision.as_deref()))?;
    columns.texts(maybe(|it| it.commit.as_deref()))?;
    columns.texts(texts(|it| it.status.name()))?;
    columns.texts(maybe(|it| it.error.as_deref()))?;
    columns.texts(texts(|it| &it.tool.name))?;
    columns.texts(texts(|it| &it.tool.version))?;
    columns.texts(texts(|it| &it.model.name))?;
    columns.texts(texts(|it| &it.model.identity))?;
    columns.write::<FloatType>(records.iter().map(|it| optional(it.model.threshold)))?;
    columns.texts(texts(|it| &it.options))?;
    let counts: [fn(&Counts) -> u64; 7] = [
        |it| it.files,
        |it| it.bytes,
        |it| it.tests,
        |it| it.findings,
        |it| it.suppressed,
        |it| it.excluded,
        |it| it.incomplete,
    ];
    for count in counts {
        columns.write::<Int64Type>(records.iter().map(|it| required(large(count(&it.counts)))))?;
    }
    write_findings(records, &mut columns)?;
    columns.texts(records.iter().map(|it| optional(it.tests.as_ref().map(json))))?;
    let problems = || records.iter().map(|it| &it.problems);
    columns.texts(problems().flat_map(|it| listed(it.iter().map(|it| text(&it.file)))))?;
    columns.texts(problems().flat_map(|it| listed(it.iter().map(|it| text(&it.message)))))?;
    columns.write::<DoubleType>(records.iter().map(|it| required(it.run.seconds)))?;
    columns.write::<Int64Type>(records.iter().map(|it| optional(it.run.peak_memory.map(large))))?;
    columns.close()?;
    file.close().map(|_| ())
}

fn write_findings<W: Write + Send>(records: &[Record], columns: &mut Columns<'_, W>) -> Result<()> {
    let all = || records.iter().map(|it| &it.findings);
    let texts = |get: fn(&Finding) -> ByteArray| all().flat_map(move |it| listed(it.iter().map(get)));
    columns.texts(texts(|it| text(it.test.as_str())))?;
    columns.texts(texts(|it| text(&it.file)))?;
    columns.write::<Int32Type>(all().flat_map(|it| listed(it.iter().map(|it| small(it.line)))))?;
    columns.write::<Int32Type>(all().flat_map(|it| listed(it.iter().map(|it| small(it.end_line)))))?;
    columns.write::<FloatType>(all().flat_map(|it| listed(it.iter().map(|it| it.probability))))?;
    columns.texts(texts(|it| word(&it.found_by)))?;
    let rules = |it: &Finding| it.rules.iter().map(|it| word(&it.rule)).collect();
    columns.texts(all().flat_map(|it| listed_twice(it.iter().map(rules))))?;
    columns.texts(texts(|it| text(&it.reason)))?;
    columns.texts(texts(|it| text(&it.fingerprint)))?;
    columns.texts(texts(json))
}

fn json<T: Serialize + ?Sized>(value: &T) -> ByteArray {
    ByteArray::from(serde_json::to_vec(value).expect("records have no maps and no foreign numbers"))
}

/// The name of an enum's variant as JSON writes it, without quotation marks; empty for a value that is no JSON string.
fn word(value: &impl Serialize) -> ByteArray {
    let value = serde_json::to_value(value).unwrap_or_default();
    text(value.as_str().unwrap_or_default())
}

fn small(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn large(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
