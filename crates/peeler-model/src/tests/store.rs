//! Tests of models that are written to a folder, read from it, or damaged in it.

use std::path::Path;

use peeler_features::FlakinessKind;

use super::bench::{dataset, model};
use crate::backend::Backend;
use crate::kind_models::KindModels;
use crate::model::TrainedModel;
use crate::store::{self, Checksums, Origin, StoreError};
use crate::weights::Precision;

#[test]
fn a_model_comes_back_from_its_folder_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let model = model();
    store::save(folder.path(), &model, &Origin::default(), &[], Precision::Single).unwrap();
    let (read, _) = store::load(folder.path()).unwrap();
    assert_eq!(model, read);
}

#[test]
fn a_model_without_a_track_record_has_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    store::save(folder.path(), &model(), &Origin::default(), &[], Precision::Half).unwrap();
    let path = folder.path().join("model.json");
    let mut description: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let removed = description.as_object_mut().unwrap().remove("track_record");
    assert!(removed.is_some());
    std::fs::write(&path, description.to_string()).unwrap();
    assert!(store::load(folder.path()).unwrap().0.track_record.is_empty());
}

#[test]
fn half_precision_hardly_changes_a_probability() {
    let folder = tempfile::tempdir().unwrap();
    let model = model();
    store::save(folder.path(), &model, &Origin::default(), &[], Precision::Half).unwrap();
    let (read, _) = store::load(folder.path()).unwrap();
    let (dataset, _) = dataset();
    let verdicts = |model: &TrainedModel| model.predict_dataset(&dataset, Backend::Cpu).unwrap();
    for (whole, half) in verdicts(&model).iter().zip(verdicts(&read)) {
        assert!((whole.probability - half.probability).abs() < 2e-3);
    }
}

#[test]
fn damaged_files_of_a_model_are_named() {
    for name in ["weights.safetensors", "vocabulary.json", "config.toml", "model.json"] {
        let folder = tempfile::tempdir().unwrap();
        store::save(folder.path(), &model(), &Origin::default(), &[], Precision::Half).unwrap();
        let path = folder.path().join(name);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let error = store::load(folder.path()).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
        std::fs::remove_file(&path).unwrap();
        assert!(store::load(folder.path()).is_err());
    }
}

#[test]
fn a_backend_that_is_not_built_in_says_how_to_get_it() {
    #[cfg(not(feature = "wgpu"))]
    {
        let error = Backend::Wgpu.device().unwrap_err().to_string();
        assert!(error.contains("--features wgpu"), "{error}");
    }
    assert!("gpu".parse::<Backend>().unwrap_err().to_string().contains("wgpu"));
}

#[test]
fn a_model_of_an_older_format_is_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    store::save(folder.path(), &model(), &Origin::default(), &[], Precision::Half).unwrap();
    let path = folder.path().join("model.json");
    let written = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, written.replacen("\"version\": 2", "\"version\": 1", 1)).unwrap();
    let error = store::load(folder.path()).unwrap_err().to_string();
    assert!(
        error.contains("is a model of version 1, this program reads version 2"),
        "{error}"
    );
    assert!(error.contains("train it anew"), "{error}");
}

#[test]
fn the_shipped_model_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/default");
    let model = KindModels::load(&folder).expect("models whose checksums are right");
    let kinds: Vec<_> = model
        .heads()
        .iter()
        .map(|it| (it.kind, it.model.members.len()))
        .collect();
    assert_eq!(
        kinds,
        [
            (Some(FlakinessKind::UnspecifiedBehaviour), 1),
            (Some(FlakinessKind::Timing), 1)
        ]
    );
}

#[test]
fn numbers_that_no_model_has_are_refused_without_a_panic() {
    let refused = |name: &str, key: &str, value: serde_json::Value| {
        let folder = tempfile::tempdir().unwrap();
        store::save(folder.path(), &model(), &Origin::default(), &[], Precision::Half).unwrap();
        let path = folder.path().join(name);
        let mut content: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        content[key] = value;
        std::fs::write(&path, content.to_string()).unwrap();
        let read = |name: &str| {
            Ok(std::borrow::Cow::Owned(
                std::fs::read(folder.path().join(name)).unwrap(),
            ))
        };
        let read = store::from_files(folder.path(), &read, Checksums::Trust);
        read.map(|_| ()).unwrap_err().to_string()
    };
    let members = refused("model.json", "members", u64::MAX.into());
    assert!(members.contains("it names 18446744073709551615 members"), "{members}");
    assert!(refused("model.json", "members", 0.into()).contains("it names 0 members"));
    let measures = refused("vocabulary.json", "measures", serde_json::json!([[0.0, 1.0]]));
    assert!(measures.contains("the scales of 1 measures, not of 21"), "{measures}");
}
