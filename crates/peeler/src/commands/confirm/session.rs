//! Code that `peeler confirm` shares with `--replay`: JVM settings, the project's `.peeler` folder, the hash of the
//! code, and the report.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use peeler_learning::atomic_file::{AtomicFile, Durability};
use peeler_rerun::fingerprint::Fingerprint;
use peeler_rerun::jvm::pool::JvmSettings;
use peeler_rerun::jvm::runner::make_ignored_folder;
use peeler_rerun::project::Project;
use peeler_rerun::report::Report;

use super::arguments::{ConfirmArgs, ReportFormat};
use crate::exit::TO_STDOUT;

pub(super) fn settings(arguments: &ConfirmArgs, root: &Path) -> JvmSettings {
    JvmSettings {
        options: arguments.jvm_arg.clone(),
        limit: arguments.timeout,
        cache: root.join(".peeler"),
    }
}

/// Creates the folder `.peeler` in the project, with a `.gitignore` that excludes it.
pub(super) fn make_peeler_folder(root: &Path) -> anyhow::Result<()> {
    let folder = root.join(".peeler");
    let cannot = || {
        format!(
            "cannot write {}; choose another file for the evidence with --log",
            folder.display()
        )
    };
    make_ignored_folder(&folder).with_context(cannot)
}

/// A hash of the project's class paths and of the JVM options that the user gave. Outcomes of tests depend on both.
pub(super) fn fingerprint(project: &Project, arguments: &ConfirmArgs) -> String {
    let entries = project.modules.iter().flat_map(|it| &it.classpath);
    let mut fingerprint = Fingerprint::of_classpath(entries);
    for option in &arguments.jvm_arg {
        fingerprint.add(option.as_bytes());
    }
    fingerprint.to_string()
}

pub(super) fn write_report(arguments: &ConfirmArgs, report: &Report) -> anyhow::Result<()> {
    let write = |out: &mut dyn Write| match arguments.format {
        ReportFormat::Text => report.write_text(out),
        ReportFormat::Json => report.write_json(out),
        ReportFormat::Junit => report.write_junit(out),
    };
    if let Some(path) = &arguments.output {
        let mut file = AtomicFile::create(path)?;
        write(&mut file).map_err(|it| file.error(it))?;
        file.finish(Durability::Synced)?;
    } else {
        let mut out = BufWriter::new(io::stdout().lock());
        write(&mut out).context(TO_STDOUT)?;
        out.flush().context(TO_STDOUT)?;
    }
    Ok(())
}
