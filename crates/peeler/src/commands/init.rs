//! `peeler init`: writes a commented `peeler.toml` and, on request, the file of a CI job.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use peeler_learning::atomic_file::{self, Durability};

use crate::console;
use crate::exit::ExitStatus;

/// Write a commented `peeler.toml`, and a CI job on request
///
/// All settings in the file are comments with their defaults, so the file changes nothing until one is uncommented.
/// Existing files are kept unless --force is given.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Folder to write to, usually the root of the repository
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Write the CI job for this service too
    #[arg(long, value_enum, value_name = "SERVICE")]
    ci: Option<CiService>,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// A service that runs CI jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CiService {
    /// GitHub Actions
    Github,
    /// GitLab CI
    Gitlab,
    /// Jenkins
    Jenkins,
}

impl CiService {
    /// The path and the text of the service's file.
    fn file(self) -> (&'static str, &'static str) {
        match self {
            Self::Github => (
                ".github/workflows/flaky-tests.yml",
                include_str!("../../../../examples/github-workflow.yml"),
            ),
            Self::Gitlab => (
                ".gitlab/flaky-tests.yml",
                include_str!("../../../../examples/gitlab-ci.yml"),
            ),
            Self::Jenkins => (
                "flaky-tests.Jenkinsfile",
                include_str!("../../../../examples/Jenkinsfile"),
            ),
        }
    }

    /// What is left to do by hand.
    fn remedy(self) -> &'static str {
        match self {
            Self::Github => "replace OWNER and REVISION in it, then commit it",
            Self::Gitlab => {
                "replace OWNER and REVISION in it, and add `include: .gitlab/flaky-tests.yml` to .gitlab-ci.yml"
            }
            Self::Jenkins => "replace OWNER and REVISION in it, and name it as the script path of a pipeline job",
        }
    }
}

/// The text of a new `peeler.toml`.
const SETTINGS: &str = include_str!("init/peeler.toml");

pub(crate) fn run(arguments: &InitArgs) -> anyhow::Result<ExitStatus> {
    let mut files = vec![("peeler.toml", SETTINGS, "uncomment what you want to change")];
    if let Some(service) = arguments.ci {
        let (path, text) = service.file();
        files.push((path, text, service.remedy()));
    }
    if !arguments.folder.is_dir() {
        bail!(
            "no such folder: {}; give the root of the repository",
            arguments.folder.display()
        );
    }
    let existing: Vec<String> = files
        .iter()
        .map(|(path, ..)| arguments.folder.join(path))
        .filter(|it| it.exists())
        .map(|it| it.display().to_string())
        .collect();
    if !arguments.force && existing.len() == files.len() {
        bail!("{} exists already; --force replaces it", existing.join(" and "));
    }
    for (path, text, remedy) in files {
        let place = arguments.folder.join(path);
        if place.exists() && !arguments.force {
            console::note(format_args!(
                "kept {}, which exists already; --force replaces it",
                place.display()
            ));
            continue;
        }
        write(&place, text)?;
        console::note(format_args!("wrote {}; {remedy}", place.display()));
    }
    Ok(ExitStatus::Success)
}

fn write(place: &Path, text: &str) -> anyhow::Result<()> {
    let folder = place.parent().unwrap_or(Path::new("."));
    let create = || -> io::Result<()> { fs::create_dir_all(folder) };
    create().with_context(|| {
        format!(
            "cannot create the folder {}; is there a file of that name?",
            folder.display()
        )
    })?;
    atomic_file::replace(place, &[text.as_bytes()], Durability::Synced)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::SETTINGS;
    use crate::settings::Settings;

    #[test]
    fn a_new_file_is_valid_and_so_is_every_setting_in_it() {
        Settings::from_text("peeler.toml", SETTINGS).unwrap();
        // Settings are commented with `#`, explanations with `##`.
        let lines: Vec<&str> = SETTINGS.lines().map(|it| it.strip_prefix("# ").unwrap_or(it)).collect();
        let uncommented = lines.join("\n");
        let settings = Settings::from_text("peeler.toml", &uncommented).unwrap();
        assert!(settings.min_probability.is_some());
    }
}
