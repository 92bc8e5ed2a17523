//! A small dataset of our own Java samples with an untrained network, for the other tests of the crate.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use burn::tensor::Device;
use peeler_analysis::Limits;
use peeler_eval::build::build_corpus;
use peeler_eval::corpus::Corpus;
use peeler_eval::labels::{Layout, read_labels};
use peeler_features::{Depth, Encoder, MAX_DEPTH, TestFeatures};
use peeler_learning::calibration::{Calibration, Curve};
use peeler_learning::project_record::{HeldOutTest, ProjectRecord};
use peeler_learning::track_record::TrackRecord;

use crate::backend::Backend;
use crate::batch::View;
use crate::config::{Ablation, Config, CutEdges, Input};
use crate::inference;
use crate::member::Member;
use crate::model::TrainedModel;
use crate::network::Network;
use crate::parameters::RandomSource;
use crate::random::random_stream;
use crate::regression::Regression;
use crate::score::Score;
use crate::setting::{Parts, Setting};
use crate::vocabulary::{Rows, Vocabulary};
use crate::weights::Weights;
use peeler_features::Dataset;

pub(super) fn corpus() -> &'static Corpus {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        let file = std::fs::File::open(root.join("samples-labels.csv")).expect("labels");
        let labels = read_labels(file, Layout::Csv, &BTreeMap::new()).expect("labels");
        let (corpus, _) = build_corpus(&labels, &root, Limits::default(), |_| ()).expect("sources");
        corpus
    })
}

/// A dataset of every seventh test of our own Java samples, with labels.
pub(super) fn dataset() -> (Dataset, Vec<bool>) {
    let chosen = || corpus().tests.iter().step_by(7);
    let mut encoder = Encoder::new(MAX_DEPTH, Depth::WithPaths);
    for test in chosen() {
        encoder.add(&corpus().features(test), test.project);
    }
    (encoder.finish(), chosen().map(|it| it.flaky).collect())
}

/// The features of every `step`-th test of our own Java samples.
pub(super) fn every(step: usize) -> Vec<TestFeatures<'static>> {
    let tests = corpus().tests.iter().step_by(step);
    tests.map(|it| corpus().features(it)).collect()
}

pub(super) fn small(config: Config) -> Config {
    Config {
        embedding: 8,
        edge: 12,
        tuple: 10,
        hidden: 6,
        head: 8,
        buckets: 8,
        training_paths: 6,
        batch: 16,
        dropout: 0.0,
        token_dropout: 0.0,
        ..config
    }
}

pub(super) fn configurations() -> [Config; 7] {
    let words_alone = Config {
        cut: CutEdges::Body,
        ..Config::default()
    };
    let contexts_and_tokens = Config {
        cut: CutEdges::Both,
        ..Config::paper()
    };
    [
        small(words_alone),
        small(contexts_and_tokens),
        small(Config::default()),
        small(Config::paper()),
        small(Config::paper().without(Ablation::Inner)),
        small(Config::default().without(Ablation::Cut)),
        small(with_flows()),
    ]
}

/// The default configuration, which reads the flows of nondeterminism in addition.
fn with_flows() -> Config {
    let mut config = Config::default();
    config.inputs.push(Input::Flows);
    config
}

/// A small dataset with labels, and all that an untrained network needs to read it.
pub(super) struct Bench {
    pub(super) config: Config,
    pub(super) dataset: Dataset,
    pub(super) flaky: Vec<bool>,
    pub(super) vocabulary: Vocabulary,
    pub(super) rows: Rows,
}

impl Bench {
    pub(super) fn new(config: Config) -> Self {
        let (dataset, flaky) = dataset();
        let all: Vec<usize> = (0..dataset.len()).collect();
        let vocabulary = Vocabulary::learn(&dataset, &all, &config);
        let rows = vocabulary.rows(&dataset);
        Self {
            config,
            dataset,
            flaky,
            vocabulary,
            rows,
        }
    }

    pub(super) fn view(&self) -> View<'_> {
        View {
            dataset: &self.dataset,
            vocabulary: &self.vocabulary,
            rows: &self.rows,
            config: &self.config,
        }
    }

    pub(super) fn network(&self, device: &Device) -> Network {
        let mut random = random_stream(3, 0);
        Network::new(&self.config, &self.vocabulary, &mut RandomSource(&mut random), device).expect("fresh weights")
    }

    pub(super) fn weights(&self) -> Weights {
        self.network(&Device::flex()).weights(&self.config, &self.vocabulary)
    }

    /// An untrained network of this bench's configuration, as a member of a model without a logistic regression.
    pub(super) fn network_member(&self) -> Member {
        Member::new(&self.config, &self.vocabulary, self.weights(), None).expect("weights of this configuration")
    }

    /// An untrained network of this bench's configuration, as a member of a model with a logistic regression.
    ///
    /// The regression was fitted to all tests of the bench's dataset.
    pub(super) fn member(&self) -> Member {
        let regression = Some(self.regression());
        Member::new(&self.config, &self.vocabulary, self.weights(), regression).expect("weights of this configuration")
    }

    /// A logistic regression that was fitted to all tests of this bench's dataset.
    pub(super) fn regression(&self) -> Regression {
        Regression::fit(self.view(), 1.0, &self.all(), &self.flaky, &[])
    }

    /// The indices of all tests of this bench's dataset.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.dataset.len()).collect()
    }

    pub(super) fn setting(&self, seed: u64) -> Setting<'_> {
        Setting {
            config: &self.config,
            dataset: &self.dataset,
            pretrained: None,
            backend: Backend::Cpu,
            seed,
        }
    }

    pub(super) fn parts(&self, training: &[usize], validation: &[usize]) -> Parts {
        Parts {
            fixes: [].into(),
            withheld: Vec::new(),
            flaky: self.flaky.clone().into(),
            sampled: vec![false; self.flaky.len()].into(),
            training: training.to_vec(),
            validation: validation.to_vec(),
        }
    }
}

/// Asserts that two lists of scores agree within `tolerance`, in probabilities and attention.
pub(super) fn assert_close(left: &[Score], right: &[Score], tolerance: f32) {
    assert_eq!(left.len(), right.len());
    for (left, right) in left.iter().zip(right) {
        let apart = (left.probability - right.probability).abs();
        assert!(apart <= tolerance, "{} and {}", left.probability, right.probability);
        assert_eq!(left.attention.is_some(), right.attention.is_some());
        let (own, other) = (left.attention.iter().flatten(), right.attention.iter().flatten());
        for ((path, weight), (its_path, its_weight)) in own.zip(other) {
            assert_eq!(path, its_path);
            assert!(
                (weight - its_weight).abs() <= tolerance,
                "attention {weight} and {its_weight}"
            );
        }
    }
}

/// The uncalibrated scores of tests by one member (network and logistic regression) of a model.
pub(super) fn scores(view: View<'_>, member: &Member, tests: &[usize], device: Option<&Device>) -> Vec<Score> {
    inference::scores(view, std::slice::from_ref(member), tests, device)
}

pub(super) fn model() -> TrainedModel {
    let bench = Bench::new(small(Config::default()));
    TrainedModel {
        config: bench.config.clone(),
        vocabulary: bench.vocabulary.clone(),
        members: vec![bench.member(), bench.member()],
        calibration: Calibration {
            temperature: 1.5,
            shift: -0.5,
        },
        curve: Curve::default(),
        threshold: 0.3,
        track_record: TrackRecord::new(&[0.1, 0.004, 0.8], &[false, false, true]),
        project_record: ProjectRecord::new(&[HeldOutTest {
            project: 0,
            probability: 0.5,
            flaky: true,
        }]),
    }
}
