//! `--tune` of scans in a build without the feature `history`.

use std::path::Path;

use anyhow::bail;
use peeler_model::Backend;

use crate::proof::ProofArgs;
use crate::tuning::tuned_file::Tuning;

/// Always an error, because this build reads no histories.
pub(crate) fn tuned(_: &Path, _: &ProofArgs, _: Backend) -> anyhow::Result<Tuning> {
    bail!("this program was built without tuning; build it with default features, or with `--features history`")
}
