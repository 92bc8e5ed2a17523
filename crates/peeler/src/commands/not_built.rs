//! The commands that this build does not have, because it was made without training: train, eval, corpus and pretrain.

use anyhow::bail;
use clap::Args;

use crate::exit::ExitStatus;

/// Trains models and measures them; not part of this build
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct NotBuiltArgs {
    /// The arguments, which nothing reads.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Says how to get a build with training. Always returns an error.
pub(crate) fn run(_: &NotBuiltArgs) -> anyhow::Result<ExitStatus> {
    bail!(
        "this program was built without the commands train, eval, corpus and pretrain; build it with default features"
    )
}
