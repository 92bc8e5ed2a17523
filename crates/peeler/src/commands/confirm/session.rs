//! Code shared by confirmations and replays: JVM settings, the project's `.peeler` folder, the hash of the code, and
//! the report.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use peeler_rerun::fingerprint::Fingerprint;
use peeler_rerun::jvm::pool::JvmSettings;
use peeler_rerun::project::Project;
use peeler_rerun::report::Report;

use super::arguments::{ConfirmArgs, ReportFormat};

pub(super) fn settings(arguments: &ConfirmArgs, root: &Path) -> JvmSettings {
    JvmSettings {
        options: arguments.jvm_arg.clone(),
        limit: arguments.timeout,
        cache: root.join(".peeler"),
    }
}

/// Creates the folder `.peeler` in the project, with a `.gitignore` that excludes it.
pub(super) fn peeler_folder(root: &Path) -> anyhow::Result<PathBuf> {
    let folder = root.join(".peeler");
    let cannot = || {
        format!(
            "cannot write {}; choose another file for the evidence with --log",
            folder.display()
        )
    };
    fs::create_dir_all(&folder).with_context(cannot)?;
    fs::write(folder.join(".gitignore"), "*\n").with_context(cannot)?;
    Ok(folder)
}

/// A hash of the project's class paths and of the JVM options that the user gave, on which outcomes depend.
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
        let cannot = || format!("cannot write {}; does the folder exist?", path.display());
        let mut file = BufWriter::new(File::create(path).with_context(cannot)?);
        write(&mut file).with_context(cannot)?;
        file.flush().with_context(cannot)?;
    } else {
        let mut out = BufWriter::new(io::stdout().lock());
        write(&mut out)?;
        out.flush()?;
    }
    Ok(())
}
