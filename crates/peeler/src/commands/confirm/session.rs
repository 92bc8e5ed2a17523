//! Code that `peeler confirm` shares with `--replay`: JVM settings, the project's `.peeler` folder, the hash of the
//! code, and the report.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use peeler_learning::atomic_file::{self, AtomicFile, Durability};
use peeler_rerun::fingerprint::Fingerprint;
use peeler_rerun::jvm::pool::JvmSettings;
use peeler_rerun::jvm::process::Interrupt;
use peeler_rerun::jvm::runner::make_ignored_folder;
use peeler_rerun::jvm::sandbox::Sandbox;
use peeler_rerun::project::{Build, Project};
use peeler_rerun::report::Report;
use serde::{Deserialize, Serialize};

use super::arguments::{ConfirmArgs, ReportFormat, SandboxChoice};
use crate::console;
use crate::exit::TO_STDOUT;

pub(super) fn settings(arguments: &ConfirmArgs, root: &Path, sandbox: Option<Sandbox>) -> JvmSettings {
    JvmSettings {
        options: arguments.jvm_arg.clone(),
        limit: arguments.timeout,
        cache: root.join(".peeler"),
        maven: Build::maven(root),
        sandbox,
    }
}

/// The sandbox that test JVMs run in, as `--sandbox` says. `None` if there is none; a note then says why.
pub(super) fn sandbox(choice: SandboxChoice, root: &Path) -> anyhow::Result<Option<Sandbox>> {
    let found = match choice {
        SandboxChoice::Off => return Ok(None),
        SandboxChoice::On => Sandbox::find(root).context("cannot run tests in a sandbox (--sandbox on)")?,
        SandboxChoice::Auto => match Sandbox::find(root) {
            Ok(found) => found,
            Err(why) => {
                console::note(format!(
                    "note: tests run without a sandbox, so they can use the network and your files: {why}"
                ));
                return Ok(None);
            }
        },
    };
    Ok(Some(found))
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

/// A project whose tests are compiled, as the file `.peeler/project.json` keeps it.
#[derive(Serialize, Deserialize)]
pub(super) struct Prepared {
    /// The hash of the class paths after the build. Tests may write into their folders later.
    code: String,
    pub(super) project: Project,
}

impl Prepared {
    /// Compiles the tests of the project and keeps in its `.peeler` folder how they run; with `--no-build`, reads that.
    pub(super) fn of(
        arguments: &ConfirmArgs,
        root: &Path,
        build: &Build,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Self> {
        let file = root.join(".peeler/project.json");
        if arguments.no_build {
            let text = std::fs::read(&file).with_context(|| {
                format!(
                    "cannot read {}; --no-build needs an earlier build by `peeler confirm`",
                    file.display()
                )
            })?;
            return serde_json::from_slice(&text)
                .with_context(|| format!("{} is damaged; build again without --no-build", file.display()));
        }
        let project = build.prepare(root, &arguments.build_options(), interrupt)?;
        for note in &project.notes {
            console::note(format_args!("note: {note}"));
        }
        let prepared = Self::new(project);
        // A project in a folder that cannot be written still runs.
        if make_peeler_folder(root).is_ok() {
            let text = serde_json::to_vec(&prepared).expect("a project is plain data");
            let _ = atomic_file::replace(&file, &[&text], Durability::Fast);
        }
        Ok(prepared)
    }

    /// A project that was compiled just now.
    pub(super) fn new(project: Project) -> Self {
        let entries = project.modules.iter().flat_map(|it| &it.classpath);
        let code = Fingerprint::of_classpath(entries).to_string();
        Self { code, project }
    }

    /// A hash of the project's class paths, of the JVM options that the user gave, and of whether there is a sandbox.
    /// Outcomes of tests depend on all three.
    pub(super) fn fingerprint(&self, arguments: &ConfirmArgs, sandbox: Option<&Sandbox>) -> String {
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(self.code.as_bytes());
        for option in &arguments.jvm_arg {
            fingerprint.add(option.as_bytes());
        }
        if sandbox.is_some() {
            fingerprint.add(b"sandbox");
        }
        fingerprint.to_string()
    }
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
