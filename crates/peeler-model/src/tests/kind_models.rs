//! Tests of models with a head for each kind of flakiness.

use peeler_features::FlakinessKind;

use super::bench::{every, model};
use crate::backend::Backend;
use crate::kind_models::{Head, KindModels, KindPrediction};
use crate::model::TrainedModel;
use crate::store::{self, Origin, StoreError};
use crate::weights::Precision;

fn head(kind: FlakinessKind, threshold: Option<f32>, shift: f32) -> Head {
    let mut model = model();
    model.project_record.threshold = threshold;
    model.calibration.shift = shift;
    Head {
        kind: Some(kind),
        model,
    }
}

fn predictions(model: &KindModels) -> Vec<KindPrediction> {
    let tests = every(40);
    model
        .predict(&tests.iter().collect::<Vec<_>>(), Backend::Cpu)
        .expect("the CPU is there")
}

fn alone(model: &TrainedModel) -> Vec<f32> {
    let tests = every(40);
    let predictions = model.predict(&tests.iter().collect::<Vec<_>>(), Backend::Cpu);
    predictions
        .expect("the CPU is there")
        .iter()
        .map(|it| it.probability)
        .collect()
}

#[test]
fn the_probability_is_that_of_the_likeliest_kind() {
    let low = head(FlakinessKind::UnspecifiedBehaviour, Some(0.4), -2.0);
    let high = head(FlakinessKind::Timing, Some(0.6), 1.0);
    let of_high = alone(&high.model);
    let model = KindModels::new(vec![low, high]);
    assert!(
        (model.reporting_threshold() - 0.6).abs() < 1e-6,
        "the stricter of the two"
    );
    for (prediction, expected) in predictions(&model).iter().zip(of_high) {
        assert!((prediction.probability - expected).abs() < 1e-6);
        assert_eq!(prediction.kinds[0].kind, FlakinessKind::Timing);
        assert!(prediction.kinds[0].probability > prediction.kinds[1].probability);
    }
}

#[test]
fn a_head_that_only_ranks_reports_nothing() {
    let reports = head(FlakinessKind::UnspecifiedBehaviour, Some(0.4), -9.0);
    let ranks = head(FlakinessKind::Timing, None, 9.0);
    let model = KindModels::new(vec![reports, ranks.clone()]);
    assert!((model.reporting_threshold() - 0.4).abs() < 1e-6);
    for prediction in predictions(&model) {
        assert!(prediction.probability < 0.4, "{prediction:?}");
        assert_eq!(prediction.kinds[0].kind, FlakinessKind::Timing, "it still comes first");
    }
    let alone = KindModels::new(vec![ranks]);
    assert!((alone.reporting_threshold() - 1.0).abs() < 1e-6);
    assert!(predictions(&alone).iter().all(|it| it.probability < 1.0));
}

#[test]
fn heads_are_read_from_folders_of_their_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let none = KindModels::load(folder.path()).unwrap_err();
    assert!(matches!(none, StoreError::NoModel(_)), "{none}");
    let save = |name: &str| {
        let own = folder.path().join(name);
        store::save(&own, &model(), &Origin::default(), &[], Precision::Single).unwrap();
    };
    save("nod");
    save("id");
    let kinds = |model: &KindModels| -> Vec<_> { model.heads().iter().map(|it| it.kind).collect() };
    let read = KindModels::load(folder.path()).unwrap();
    assert_eq!(
        kinds(&read),
        [Some(FlakinessKind::UnspecifiedBehaviour), Some(FlakinessKind::Timing)]
    );
    save("");
    let single = KindModels::load(folder.path()).unwrap();
    assert_eq!(kinds(&single), [None], "a model in the folder itself comes first");
    assert!(predictions(&single).iter().all(|it| it.kinds.is_empty()));
    std::fs::remove_file(folder.path().join("model.json")).unwrap();
    std::fs::write(folder.path().join("nod/weights.safetensors"), b"short").unwrap();
    let damaged = KindModels::load(folder.path()).unwrap_err().to_string();
    assert!(damaged.contains("nod"), "{damaged}");
}
