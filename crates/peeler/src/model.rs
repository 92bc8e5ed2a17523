//! The model that judges: the one inside the program, or one from a folder.

use std::path::Path;

use anyhow::Context;
use peeler_eval::corpus::stable_hash;
use peeler_model::TrainedModel;
use peeler_model::store::{self, StoreError};

/// The files of the model inside the program.
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

/// The model of a folder, or the one inside the program.
pub(crate) fn load(folder: Option<&Path>) -> anyhow::Result<TrainedModel> {
    match folder {
        Some(folder) => Ok(store::load(folder)?.0),
        None => shipped().context("the model inside this program is damaged; build it again"),
    }
}

/// Different for models that may judge differently.
pub(crate) fn identity(folder: Option<&Path>) -> String {
    let Some(folder) = folder else {
        return "shipped".to_owned();
    };
    let digest = |(name, _): &(&str, &[u8])| std::fs::read(folder.join(name)).map(|it| stable_hash(&it)).ok();
    format!("{:x?}", SHIPPED.iter().map(digest).collect::<Vec<_>>())
}

fn shipped() -> Result<TrainedModel, StoreError> {
    let read = |name: &str| {
        let file = SHIPPED.iter().find(|(known, _)| *known == name);
        file.map(|(_, bytes)| bytes.to_vec())
            .ok_or_else(|| StoreError::NoModel(name.into()))
    };
    store::from_files(Path::new("models/default"), &read).map(|(model, _)| model)
}
