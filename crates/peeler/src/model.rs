//! Loads the model of a scan: one built into the program, or one from a folder.

use std::borrow::Cow;
use std::path::Path;

use anyhow::Context;
use peeler_eval::rivals::store as rival_store;
use peeler_eval::rivals::trained::{Rival, TrainedRival};
use peeler_features::content_hash;
use peeler_model::store::{self, Checksums, StoreError};
use peeler_model::{Backend, Head, KindModels};

use crate::scorer::{Network, Scorer};

/// The file names and contents of the built-in network.
const SHIPPED: [(&str, &[u8]); 4] = [
    ("model.json", include_bytes!("../../../models/default/model.json")),
    ("config.toml", include_bytes!("../../../models/default/config.toml")),
    (
        "vocabulary.json",
        include_bytes!("../../../models/default/vocabulary.json"),
    ),
    (
        "weights.safetensors",
        include_bytes!("../../../models/default/weights.safetensors"),
    ),
];
const SHIPPED_FLAST: &[u8] = include_bytes!("../../../models/flast/rival.peeler");
const SHIPPED_VOCABULARY: &[u8] = include_bytes!("../../../models/vocabulary/rival.peeler");

/// The error message for a built-in model that cannot be read.
const SHIPPED_IS_DAMAGED: &str = "the model built into this program is damaged; rebuild the program";

/// Loads the built-in network, the model in a folder, or a built-in method of the literature by its name, such as
/// `flast`. A folder of that name has to be written as `./flast`. `backend` computes networks.
pub(crate) fn load(wanted: Option<&Path>, backend: Backend) -> anyhow::Result<Box<dyn Scorer>> {
    let Some(wanted) = wanted else {
        let model = shipped(Checksums::Trust).context(SHIPPED_IS_DAMAGED)?;
        return network(model, backend);
    };
    if let Some(rival) = wanted.to_str().and_then(Rival::named) {
        return Ok(Box::new(shipped_rival(rival).context(SHIPPED_IS_DAMAGED)?));
    }
    if wanted.join(rival_store::FILE).is_file() {
        return Ok(Box::new(rival_store::load(wanted)?.0));
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
    if let Some(rival) = folder.to_str().and_then(Rival::named) {
        return rival.name().to_owned();
    }
    let names = SHIPPED.iter().map(|(name, _)| *name).chain([rival_store::FILE]);
    let digest = |name| std::fs::read(folder.join(name)).map(|it| content_hash(&it)).ok();
    format!("{:x?}", names.map(digest).collect::<Vec<_>>())
}

/// A hash of the files of a model, the same on every machine.
pub(crate) fn content_identity(wanted: Option<&Path>) -> String {
    let hash = match wanted.map(|it| (it, it.to_str().and_then(Rival::named))) {
        None => content_hash(&hashes(SHIPPED.iter().map(|(_, bytes)| content_hash(bytes)))),
        Some((_, Some(Rival::Flast))) => content_hash(SHIPPED_FLAST),
        Some((_, Some(Rival::Vocabulary))) => content_hash(SHIPPED_VOCABULARY),
        Some((folder, None)) => {
            let names = SHIPPED.iter().map(|(name, _)| *name).chain([rival_store::FILE]);
            let found = names.filter_map(|name| std::fs::read(folder.join(name)).ok());
            content_hash(&hashes(found.map(|it| content_hash(&it))))
        }
    };
    format!("{hash:016x}")
}

fn hashes(parts: impl Iterator<Item = u64>) -> Vec<u8> {
    parts.flat_map(u64::to_le_bytes).collect()
}

fn shipped(checksums: Checksums) -> Result<KindModels, StoreError> {
    let read = |name: &str| {
        let file = SHIPPED.iter().find(|(known, _)| *known == name);
        file.map(|(_, bytes)| Cow::Borrowed(*bytes))
            .ok_or_else(|| StoreError::NoModel(name.into()))
    };
    let (model, _) = store::from_files(Path::new("models/default"), &read, checksums)?;
    Ok(KindModels::new(vec![Head { kind: None, model }]))
}

fn shipped_rival(rival: Rival) -> Result<TrainedRival, rival_store::RivalStoreError> {
    let bytes = match rival {
        Rival::Flast => SHIPPED_FLAST,
        Rival::Vocabulary => SHIPPED_VOCABULARY,
    };
    let path = Path::new("models").join(rival.name()).join(rival_store::FILE);
    rival_store::from_bytes(&path, bytes).map(|(rival, _)| rival)
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
