//! The commands that this build does not have, because it was made without some features.

use anyhow::bail;
use clap::Args;

use crate::exit::ExitStatus;

/// Not part of this build
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct NotBuiltArgs {
    /// The arguments, which nothing reads.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Says which feature of the build has the commands. Always returns an error.
pub(crate) fn run(commands: &str, feature: &str) -> anyhow::Result<ExitStatus> {
    bail!("this program was built without {commands}; build it with default features, or with `--features {feature}`")
}
