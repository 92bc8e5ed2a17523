//! A model with a head for each kind of flakiness.
//!
//! A head is a trained model that learned only from tests for which its kind was looked for. What makes a test flaky in
//! one way, such as the order of a `HashMap`, says little about another, such as timing.
//!
//! The probability of a test is that of its likeliest kind. Kinds overlap too little for more: the sum of their
//! probabilities would mostly add errors.
//!
//! In its folder, a model of heads has a folder for each kind: `id`, `od` and `nod`. A folder with a single model, which
//! knows no kinds, is read as one head.

use std::path::Path;

use peeler_features::{FlakinessKind, TestFeatures};

use crate::backend::{Backend, BackendError};
use crate::config::Config;
use crate::model::{Prediction, TrainedModel};
use crate::store::{self, Checksums, FileBytes, StoreError};

/// A model with a head for each kind of flakiness, or with one head that knows no kinds.
#[derive(Debug, Clone, PartialEq)]
pub struct KindModels {
    /// The heads in the order of [`FlakinessKind::ALL`]. There is at least one.
    heads: Vec<Head>,
    /// The probability from which on tests are reported: the highest threshold of a head that has one, 1 if none has.
    threshold: f32,
}

/// A trained model for one kind of flakiness.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// The kind of flakiness that the head predicts; `None` if it was trained on all kinds together.
    pub kind: Option<FlakinessKind>,
    /// The trained model of the head.
    pub model: TrainedModel,
}

/// The probability of one kind of flakiness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KindProbability {
    /// The kind of flakiness.
    pub kind: FlakinessKind,
    /// The calibrated probability that a test is flaky in this way.
    pub probability: f32,
}

/// The prediction of all heads for one test.
#[derive(Debug, Clone, PartialEq)]
pub struct KindPrediction {
    /// The probability of the likeliest kind of flakiness.
    pub probability: f32,
    /// The probability of each kind that a head predicts, likeliest first; empty if the model knows no kinds.
    pub kinds: Vec<KindProbability>,
    /// The indices of the test's contextual paths with the attention of the likeliest kind's head, strongest first.
    /// `None` if that head did not read them.
    pub attention: Option<Vec<(u32, f32)>>,
}

/// The distance to the threshold that a head without a threshold of its own keeps, so that it never reports a test.
const BELOW: f32 = 0.01;

impl KindModels {
    /// A model of these heads.
    ///
    /// # Panics
    ///
    /// If there is no head.
    #[must_use]
    pub fn new(heads: Vec<Head>) -> Self {
        assert!(!heads.is_empty(), "a model has a head");
        #[expect(clippy::cast_possible_truncation, reason = "hundredths")]
        let thresholds = heads.iter().map(|it| it.model.reporting_threshold() as f32);
        let highest = thresholds.filter(|it| *it < 1.0).fold(0.0, f32::max);
        let threshold = if highest > 0.0 { highest } else { 1.0 };
        Self { heads, threshold }
    }

    /// Reads a model from its folder: either a single model, or a folder for each kind of flakiness.
    ///
    /// # Errors
    ///
    /// When the folder contains no model, or a file is damaged.
    pub fn load(folder: &Path) -> Result<Self, StoreError> {
        // A folder of a kind without a model is an error: a head that got lost would change results silently.
        let kinds = FlakinessKind::ALL
            .into_iter()
            .filter(|it| folder.join(it.code_name()).is_dir());
        let mut heads = Vec::new();
        for kind in kinds {
            heads.push(Head {
                kind: Some(kind),
                model: store::load(&folder.join(kind.code_name()))?.0,
            });
        }
        if heads.is_empty() || store::is_model(folder) {
            heads = vec![Head {
                kind: None,
                model: store::load(folder)?.0,
            }];
        }
        Ok(Self::new(heads))
    }

    /// Reads a model with heads for these kinds from files, which `read` finds by kind and name. `folder` is only named
    /// in errors.
    ///
    /// # Errors
    ///
    /// When a file is missing or damaged.
    ///
    /// # Panics
    ///
    /// If there is no kind.
    pub fn from_files(
        folder: &Path,
        kinds: &[FlakinessKind],
        read: &dyn Fn(FlakinessKind, &str) -> FileBytes,
        checksums: Checksums,
    ) -> Result<Self, StoreError> {
        let head = |kind: FlakinessKind| {
            let own = folder.join(kind.code_name());
            let (model, _) = store::from_files(&own, &|name| read(kind, name), checksums)?;
            Ok(Head {
                kind: Some(kind),
                model,
            })
        };
        let heads: Result<Vec<Head>, StoreError> = kinds.iter().copied().map(head).collect();
        heads.map(Self::new)
    }

    /// The heads of the model, each with its kind of flakiness.
    #[must_use]
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// The configurations of all heads.
    pub fn configs(&self) -> impl Iterator<Item = &Config> {
        self.heads.iter().map(|it| &it.model.config)
    }

    /// The probability from which on tests are reported; 1 if no head may report tests by itself.
    #[must_use]
    pub fn reporting_threshold(&self) -> f32 {
        self.threshold
    }

    /// The predictions for tests, in their order.
    ///
    /// # Errors
    ///
    /// When the backend is not available.
    ///
    /// # Panics
    ///
    /// Never: every head predicts every test.
    pub fn predict(&self, tests: &[&TestFeatures<'_>], backend: Backend) -> Result<Vec<KindPrediction>, BackendError> {
        let mut by_head = Vec::with_capacity(self.heads.len());
        for head in &self.heads {
            by_head.push(head.model.predict(tests, backend)?.into_iter());
        }
        let prediction = |_: &&TestFeatures<'_>| {
            let own = by_head
                .iter_mut()
                .map(|it| it.next().expect("a prediction for each test"));
            self.joined(&mut self.heads.iter().zip(own))
        };
        Ok(tests.iter().map(prediction).collect())
    }

    fn joined(&self, by_head: &mut dyn Iterator<Item = (&Head, Prediction)>) -> KindPrediction {
        let mut joined = KindPrediction {
            probability: 0.0,
            kinds: Vec::new(),
            attention: None,
        };
        for (at, (head, prediction)) in by_head.enumerate() {
            let probability = self.reportable(head, prediction.probability);
            if at == 0 || probability > joined.probability {
                joined.probability = probability;
                joined.attention = prediction.attention;
            }
            joined
                .kinds
                .extend(head.kind.map(|kind| KindProbability { kind, probability }));
        }
        joined
            .kinds
            .sort_by(|one, other| other.probability.total_cmp(&one.probability));
        joined
    }

    /// The probability that a head gives a test, below the threshold if the head has none of its own.
    fn reportable(&self, head: &Head, probability: f32) -> f32 {
        if head.model.reporting_threshold() < 1.0 {
            probability
        } else {
            probability.min(self.threshold - BELOW)
        }
    }
}
