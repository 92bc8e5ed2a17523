//! The options `--config` and `--no-config`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::settings::{Settings, Source};

/// The options that choose a settings file.
#[derive(Debug, Args)]
pub(super) struct SettingsArgs {
    /// Settings file to use instead of the nearest `peeler.toml` at or above each path
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Ignore `peeler.toml`
    #[arg(long)]
    no_config: bool,
}

impl SettingsArgs {
    /// The settings that apply to the scanned folder `root`.
    pub(super) fn open(&self, root: &Path) -> anyhow::Result<Settings> {
        let source = match &self.config {
            Some(file) => Source::File(file),
            None if self.no_config => Source::Nothing,
            None => Source::Nearest,
        };
        Settings::open(root, source)
    }
}
