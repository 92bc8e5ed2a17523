//! Loads the model of a scan: one built into the program, or one from a folder.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use peeler_features::{FlakinessKind, content_hash};
use peeler_model::store::{Checksums, StoreError};
use peeler_model::{Backend, KindModels};

use crate::literature;
use crate::scorer::{Network, SHIPPED_IS_DAMAGED, Scorer};

/// The names of the files of a trained model.
const FILES: [&str; 4] = ["model.json", "config.toml", "vocabulary.json", "weights.safetensors"];

/// The contents of the files of a built-in head, in the order of [`FILES`].
macro_rules! shipped_head {
    ($kind:literal) => {
        [
            include_bytes!(concat!("../../../models/default/", $kind, "/model.json")),
            include_bytes!(concat!("../../../models/default/", $kind, "/config.toml")),
            include_bytes!(concat!("../../../models/default/", $kind, "/vocabulary.json")),
            include_bytes!(concat!("../../../models/default/", $kind, "/weights.safetensors")),
        ]
    };
}

/// The heads of the built-in network, each with the contents of its [`FILES`].
const SHIPPED: [(FlakinessKind, [&[u8]; 4]); 2] = [
    (FlakinessKind::UnspecifiedBehaviour, shipped_head!("id")),
    (FlakinessKind::Timing, shipped_head!("nod")),
];

/// Loads the built-in network, the model in a folder, or a built-in method of the literature by its name, such as
/// `flast`. A folder of that name has to be written as `./flast`. `backend` computes networks.
pub(crate) fn load(wanted: Option<&Path>, backend: Backend) -> anyhow::Result<Box<dyn Scorer>> {
    let Some(wanted) = wanted else {
        let model = shipped(Checksums::Trust).context(SHIPPED_IS_DAMAGED)?;
        return network(model, backend);
    };
    if let Some(method) = literature::load(wanted)? {
        return Ok(method);
    }
    network(KindModels::load(wanted)?, backend)
}

fn network(model: KindModels, backend: Backend) -> anyhow::Result<Box<dyn Scorer>> {
    let backend = backend.resolve()?;
    Ok(Box::new(Network::new(model, backend)))
}

/// A text that differs between models that may give different scores. It is a part of the names of cache files.
pub(crate) fn identity(folder: Option<&Path>) -> String {
    let Some(folder) = folder else {
        return "shipped".to_owned();
    };
    if literature::shipped(folder).is_some() {
        return folder.display().to_string();
    }
    let digest = |path: PathBuf| std::fs::read(path).map(|it| content_hash(&it)).ok();
    format!("{:x?}", model_files(folder).map(digest).collect::<Vec<_>>())
}

/// The files that may belong to a model in a folder: those of a model without kinds, of its heads, and of a method of
/// the literature.
fn model_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let heads = FlakinessKind::ALL.into_iter().map(FlakinessKind::code_name);
    let folders = [folder.to_owned()].into_iter().chain(heads.map(|it| folder.join(it)));
    let files = folders.flat_map(|folder| FILES.map(|name| folder.join(name)));
    files.chain([folder.join(literature::FILE)])
}

/// A hash of the files of a model, the same on every machine.
pub(crate) fn content_identity(wanted: Option<&Path>) -> String {
    let hash = match wanted.map(|it| (it, literature::shipped(it))) {
        None => {
            let files = SHIPPED.iter().flat_map(|(_, files)| files);
            content_hash(&hashes(files.map(|bytes| content_hash(bytes))))
        }
        Some((_, Some(method))) => content_hash(method),
        Some((folder, None)) => {
            let found = model_files(folder).filter_map(|path| std::fs::read(path).ok());
            content_hash(&hashes(found.map(|it| content_hash(&it))))
        }
    };
    format!("{hash:016x}")
}

fn hashes(parts: impl Iterator<Item = u64>) -> Vec<u8> {
    parts.flat_map(u64::to_le_bytes).collect()
}

fn shipped(checksums: Checksums) -> Result<KindModels, StoreError> {
    let read = |kind: FlakinessKind, name: &str| {
        let head = SHIPPED.iter().find(|(known, _)| *known == kind);
        let place = FILES.iter().position(|known| *known == name);
        head.zip(place)
            .map(|((_, files), at)| Cow::Borrowed(files[at]))
            .ok_or_else(|| StoreError::NoModel(name.into()))
    };
    let kinds = SHIPPED.map(|(kind, _)| kind);
    KindModels::from_files(Path::new("models/default"), &kinds, &read, checksums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_inside_the_program_is_whole() {
        assert!(shipped(Checksums::Verify).is_ok(), "with checksums");
        assert!(shipped(Checksums::Trust).is_ok(), "as scans read it");
    }

    #[test]
    fn a_copy_of_the_network_has_its_identity() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models/");
        let identity = |name: &str| content_identity(Some(&Path::new(folder).join(name)));
        assert_eq!(identity("default"), content_identity(None));
        let others = [Path::new("flast"), Path::new("vocabulary")].map(|it| content_identity(Some(it)));
        assert!(others[0] != others[1] && !others.contains(&content_identity(None)));
    }
}
