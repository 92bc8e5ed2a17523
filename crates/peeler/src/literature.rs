//! The methods of the literature as models of a scan: FLAST and the vocabulary approach.

use std::path::Path;

use anyhow::Context;
use peeler_analysis::{AnalysedTests, FeatureSelection};
use peeler_eval::rivals::store;
use peeler_eval::rivals::trained::{Rival, TrainedRival};
use peeler_learning::track_record::TrackRecord;
use peeler_model::BackendError;

use crate::scorer::{Basis, MANY, SHIPPED_IS_DAMAGED, Score, Scorer, unread};

/// The name of the file of a trained method in a model's folder.
pub(crate) const FILE: &str = store::FILE;

/// Loads the built-in method of this name, such as `flast`, or the trained method in a folder. `None` if `wanted` is
/// neither.
pub(crate) fn load(wanted: &Path) -> anyhow::Result<Option<Box<dyn Scorer>>> {
    if let Some(bytes) = shipped(wanted) {
        let path = Path::new("models").join(wanted).join(FILE);
        let (method, _) = store::from_bytes(&path, bytes).context(SHIPPED_IS_DAMAGED)?;
        return Ok(Some(Box::new(method)));
    }
    if wanted.join(FILE).is_file() {
        return Ok(Some(Box::new(store::load(wanted)?.0)));
    }
    Ok(None)
}

/// The file of the built-in method of this name; `None` if there is none.
pub(crate) fn shipped(wanted: &Path) -> Option<&'static [u8]> {
    let method = wanted.to_str().and_then(Rival::named)?;
    Some(match method {
        Rival::Flast => include_bytes!("../../../models/flast/rival.peeler"),
        Rival::Vocabulary => include_bytes!("../../../models/vocabulary/rival.peeler"),
    })
}

impl Scorer for TrainedRival {
    fn name(&self) -> &str {
        self.learned.rival().name()
    }

    fn threshold(&self) -> f32 {
        self.threshold
    }

    fn track_record(&self) -> TrackRecord {
        TrackRecord::default()
    }

    fn reads(&self) -> FeatureSelection {
        FeatureSelection::CHEAPEST
    }

    fn basis(&self) -> Basis {
        match self.learned.rival() {
            Rival::Flast => Basis::Resemblance,
            Rival::Vocabulary => Basis::Words,
        }
    }

    fn tests_at_once(&self) -> usize {
        MANY
    }

    fn scores(&self, tests: &AnalysedTests<'_, '_>) -> Result<Vec<Score>, BackendError> {
        let features = tests.features();
        let probabilities = self.probabilities(&features.iter().collect::<Vec<_>>());
        let scores = probabilities
            .into_iter()
            .zip(tests.iter())
            .map(|(probability, test)| Score {
                probability,
                kinds: Vec::new(),
                paths: unread(&test.traced),
            });
        Ok(scores.collect())
    }
}
