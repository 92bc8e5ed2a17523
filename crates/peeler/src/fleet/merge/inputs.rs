//! The outputs that a merge reads: files of JSON lines, Parquet files, and folders of both.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::fleet::header::Header;
use crate::fleet::parquet::reader;
use crate::fleet::record::Record;

/// The files that a merge reads: each file in `outputs`, and the `.jsonl` and `.parquet` files of each folder in it.
/// They keep the order of `outputs`; the files of a folder are sorted.
pub(crate) fn files(outputs: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for output in outputs {
        if output.is_dir() {
            let cannot = || format!("cannot list the folder {}; check its permissions", output.display());
            let entries = fs::read_dir(output).with_context(cannot)?;
            let paths = entries.map(|it| it.map(|it| it.path())).collect::<Result<Vec<_>, _>>();
            let mut found: Vec<PathBuf> = paths
                .with_context(cannot)?
                .into_iter()
                .filter(|it| is_output(it))
                .collect();
            if found.is_empty() {
                bail!(
                    "no output of `peeler scan --repos` in the folder {}; give files that end with .jsonl or .parquet",
                    output.display()
                );
            }
            found.sort();
            files.append(&mut found);
        } else {
            files.push(output.clone());
        }
    }
    Ok(files)
}

fn is_output(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|it| it == "jsonl" || it == "parquet")
}

/// Calls `each` with every record of a Parquet file or a file of JSON lines, in its order. An incomplete last line is
/// left out, and a note is printed.
pub(crate) fn read(path: &Path, mut each: impl FnMut(Record) -> anyhow::Result<()>) -> anyhow::Result<()> {
    if path.extension().is_some_and(|it| it == "parquet") {
        return reader::records(path, each);
    }
    let file = File::open(path).with_context(|| {
        format!(
            "cannot read {}; give an output of `peeler scan --repos`",
            path.display()
        )
    })?;
    let mut lines = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        let read = lines.read_until(b'\n', &mut line);
        if read.with_context(|| format!("cannot read {}", path.display()))? == 0 {
            return Ok(());
        }
        number += 1;
        if !line.ends_with(b"\n") {
            eprintln!(
                "note: the last line of {} is unfinished and left out; finish the scan with --resume",
                path.display()
            );
            return Ok(());
        }
        each(record(&line).with_context(|| format!("{}:{number}", path.display()))?)?;
    }
}

fn record(line: &[u8]) -> anyhow::Result<Record> {
    // The header tells apart what is no record and what is one of another version.
    Header::of(line)?;
    serde_json::from_slice(line).context("is a damaged record; scan its repository again")
}
