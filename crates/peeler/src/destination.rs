//! Where a command writes its result: to a file, or to standard output.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use peeler_learning::atomic_file::{AtomicFile, Durability};

use crate::exit::TO_STDOUT;

/// Writes the result of a command to a file, or to standard output if `file` is `None`. A file is replaced as a whole.
pub(crate) fn write(file: Option<&Path>, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    if let Some(path) = file {
        let mut file = AtomicFile::create(path)?;
        content(&mut file).map_err(|it| file.error(it))?;
        file.finish(Durability::Synced)?;
    } else {
        let mut out = BufWriter::new(io::stdout().lock());
        content(&mut out).and_then(|()| out.flush()).context(TO_STDOUT)?;
    }
    Ok(())
}
