//! The options `--config` and `--no-config`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::settings::{Settings, Source};

/// The options `--config` and `--no-config`, which choose the settings file.
#[derive(Debug, Args)]
pub(crate) struct SettingsArgs {
    /// Settings file to use instead of the nearest `peeler.toml` at or above each path
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Ignore `peeler.toml`
    #[arg(long)]
    no_config: bool,
}

impl SettingsArgs {
    /// The settings that apply to the scanned folder `root`.
    pub(crate) fn open(&self, root: &Path) -> anyhow::Result<Settings> {
        Settings::open(root, self.source())
    }

    /// The text of the settings file that `--config` names. Without `--config`, the word `none` if `--no-config` is
    /// given, and else `nearest`.
    pub(crate) fn fixed_text(&self) -> std::io::Result<String> {
        match &self.config {
            Some(file) => std::fs::read_to_string(file),
            None if self.no_config => Ok("none".to_owned()),
            None => Ok("nearest".to_owned()),
        }
    }

    /// Which settings file a scan uses: the file of `--config`, none (`--no-config`) or else the nearest `peeler.toml`.
    pub(crate) fn source(&self) -> Source<'_> {
        match &self.config {
            Some(file) => Source::File(file),
            None if self.no_config => Source::Nothing,
            None => Source::Nearest,
        }
    }
}
