//! Tests of the network as a whole, on our own Java project.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use burn::tensor::Device;
use peeler_analysis::Limits;
use peeler_eval::build::build_corpus;
use peeler_eval::corpus::Corpus;
use peeler_eval::labels::{Layout, read_labels};
use peeler_features::{Depth, Encoder, GraphFeatures, MAX_DEPTH, TestFeatures, encode};
use peeler_learning::calibration::{Calibration, Curve, logit};
use peeler_learning::track_record::TrackRecord;

use crate::backend::Backend;
use crate::batch::{Batch, View};
use crate::config::{Ablation, Config, Schedule};
use crate::course::Course;
use crate::dataset::Dataset;
use crate::inference::{self, Judged};
use crate::linear::{self, Linear};
use crate::model::TrainedModel;
use crate::network::{Dropout, Network, parameter_names};
use crate::parameters::{Begun, Fresh, Source, Start};
use crate::pretrained::Pretrained;
use crate::step::{Lesson, Middle, gradients};
use crate::store::{self, Origin, StoreError};
use crate::training::{Checkpoint, Parts, Setting, Trainer, chance};
use crate::vocabulary::{Rows, Vocabulary};
use crate::weights::{Precision, Weights};

fn corpus() -> &'static Corpus {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        let file = std::fs::File::open(root.join("samples-labels.csv")).expect("labels");
        let labels = read_labels(file, Layout::Csv, &BTreeMap::new()).expect("labels");
        let (corpus, _) = build_corpus(&labels, &root, Limits::default(), |_| ()).expect("sources");
        corpus
    })
}

/// Every seventh test of the samples.
fn dataset() -> (Dataset, Vec<bool>) {
    let chosen = || corpus().tests.iter().step_by(7);
    let mut encoder = Encoder::new(MAX_DEPTH, Depth::WithPaths);
    for test in chosen() {
        encoder.add(&corpus().features(test), test.project);
    }
    (encoder.finish(), chosen().map(|it| it.flaky).collect())
}

/// The features of every `step`-th test of the samples.
fn every(step: usize) -> Vec<TestFeatures<'static>> {
    let tests = corpus().tests.iter().step_by(step);
    tests.map(|it| corpus().features(it)).collect()
}

fn small(config: Config) -> Config {
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

fn configurations() -> [Config; 4] {
    [
        small(Config::default()),
        small(Config::paper()),
        small(Config::paper().without(Ablation::Inner)),
        small(Config::default().without(Ablation::Cut)),
    ]
}

/// A dataset with an untrained network.
struct Bench {
    config: Config,
    dataset: Dataset,
    flaky: Vec<bool>,
    vocabulary: Vocabulary,
    rows: Rows,
}

impl Bench {
    fn new(config: Config) -> Self {
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

    fn view(&self) -> View<'_> {
        View {
            dataset: &self.dataset,
            vocabulary: &self.vocabulary,
            rows: &self.rows,
            config: &self.config,
        }
    }

    fn network(&self, device: &Device) -> Network {
        let mut chance = chance(3, 0);
        Network::new(&self.config, &self.vocabulary, &mut Fresh(&mut chance), device).expect("fresh weights")
    }

    fn weights(&self) -> Weights {
        self.network(&Device::flex()).weights(&self.config, &self.vocabulary)
    }

    /// With the regression that the configuration asks for.
    fn trained_weights(&self) -> Weights {
        let mut weights = self.weights();
        let all: Vec<usize> = (0..self.dataset.len()).collect();
        weights
            .arrays
            .extend(linear::fit(self.view(), &all, &self.flaky).arrays);
        weights
    }

    fn setting(&self, seed: u64) -> Setting<'_> {
        Setting {
            config: &self.config,
            dataset: &self.dataset,
            pretrained: None,
            backend: Backend::Cpu,
            seed,
        }
    }

    fn parts(&self, training: &[usize], validation: &[usize]) -> Parts {
        Parts {
            flaky: self.flaky.clone().into(),
            training: training.to_vec(),
            validation: validation.to_vec(),
        }
    }
}

fn close(left: &[Judged], right: &[Judged], tolerance: f32) {
    assert_eq!(left.len(), right.len());
    for (left, right) in left.iter().zip(right) {
        let apart = (left.probability - right.probability).abs();
        assert!(apart <= tolerance, "{} and {}", left.probability, right.probability);
        for ((path, weight), (other, its)) in left.attention.iter().zip(&right.attention) {
            assert_eq!(path, other);
            assert!((weight - its).abs() <= tolerance, "attention {weight} and {its}");
        }
    }
}

fn judge(view: View<'_>, weights: &Weights, tests: &[usize], device: Option<&Device>) -> Vec<Judged> {
    inference::judge(view, std::slice::from_ref(weights), tests, device)
}

#[test]
fn burn_and_the_arithmetic_by_hand_agree() {
    for config in configurations() {
        let bench = Bench::new(config);
        let tests: Vec<usize> = (0..bench.dataset.len()).collect();
        let weights = bench.weights();
        let by_hand = judge(bench.view(), &weights, &tests, None);
        let in_burn = judge(bench.view(), &weights, &tests, Some(&Device::flex()));
        close(&by_hand, &in_burn, 1e-4);
        let spread = by_hand.iter().map(|it| it.probability).fold(0.0, f32::max)
            - by_hand.iter().map(|it| it.probability).fold(1.0, f32::min);
        assert!(spread > 1e-3, "tests are told apart");
    }
}

#[test]
fn a_regression_is_averaged_with_the_network_and_pulls_towards_what_it_learned() {
    let bench = Bench::new(small(Config::default()));
    let tests: Vec<usize> = (0..bench.dataset.len()).collect();
    let alone = bench.weights();
    let mut both = alone.clone();
    both.arrays
        .extend(linear::fit(bench.view(), &tests, &bench.flaky).arrays);
    Linear::check(&bench.config, &bench.vocabulary, &both).expect("fitted to this vocabulary");
    Linear::check(&bench.config, &bench.vocabulary, &alone).expect_err("there is none");
    let mean_logit = |judged: &[Judged], flaky: bool| -> f32 {
        let own = judged.iter().zip(&bench.flaky).filter(|it| *it.1 == flaky);
        let logits: Vec<f32> = own.map(|(it, _)| logit(it.probability)).collect();
        logits.iter().sum::<f32>() / f32::from(u16::try_from(logits.len()).expect("a few tests"))
    };
    for device in [None, Some(&Device::flex())] {
        let judged = judge(bench.view(), &both, &tests, device);
        // An untrained network does not tell these apart.
        assert!(mean_logit(&judged, true) > mean_logit(&judged, false) + 1.0);
        let network = judge(bench.view(), &alone, &tests, device);
        let linear = Linear::of(&both).expect("fitted").logits(bench.view(), &tests);
        for ((both, network), linear) in judged.iter().zip(&network).zip(linear) {
            let mean = f32::midpoint(logit(network.probability), linear);
            assert!((logit(both.probability) - mean).abs() < 1e-3);
            assert_eq!(both.attention, network.attention);
        }
    }
}

#[test]
fn paths_are_read_of_tests_that_stand_out_without_them() {
    let mut bench = Bench::new(small(Config::default()));
    let tests: Vec<usize> = (0..bench.dataset.len()).collect();
    let weights = bench.trained_weights();
    let whole = judge(bench.view(), &weights, &tests, None);
    bench.config.paths_from = 0.999;
    let glance = judge(bench.view(), &weights, &tests, None);
    assert!(
        glance.iter().all(|it| it.attention.is_empty()),
        "nothing stands out so far"
    );
    let mut probabilities: Vec<f32> = glance.iter().map(|it| it.probability).collect();
    probabilities.sort_by(f32::total_cmp);
    bench.config.paths_from = probabilities[tests.len() / 2];
    for device in [None, Some(&Device::flex())] {
        let judged = judge(bench.view(), &weights, &tests, device);
        for ((judged, glance), whole) in judged.iter().zip(&glance).zip(&whole) {
            let stands_out = glance.probability >= bench.config.paths_from + 1e-4;
            let does_not = glance.probability < bench.config.paths_from - 1e-4;
            if stands_out {
                close(std::slice::from_ref(judged), std::slice::from_ref(whole), 1e-4);
                assert_eq!(judged.attention.len(), whole.attention.len());
            } else if does_not {
                close(std::slice::from_ref(judged), std::slice::from_ref(glance), 1e-4);
                assert!(judged.attention.is_empty());
            }
        }
        let read = judged.iter().filter(|it| !it.attention.is_empty()).count();
        assert!(read > 0 && read < tests.len(), "{read} of {}", tests.len());
    }
}

#[test]
fn a_test_is_judged_alone_as_it_is_beside_others() {
    let model = model();
    let tests = every(5);
    let predict = |tests: &[&TestFeatures<'_>]| model.predict(tests, Backend::Cpu).unwrap();
    let together = predict(&tests.iter().collect::<Vec<_>>());
    for (test, beside) in tests.iter().zip(together) {
        let alone = predict(&[test]).remove(0);
        assert_eq!(alone, beside);
    }
}

#[test]
fn tests_are_judged_as_their_dataset_is() {
    for paths_from in [0.0, 0.3] {
        let mut model = model();
        model.config.paths_from = paths_from;
        let tests = every(7);
        let dataset = encode(&tests, model.config.depth, Depth::WithPaths);
        let whole = model.predict_dataset(&dataset, Backend::Cpu).unwrap();
        let judged = model.predict(&tests.iter().collect::<Vec<_>>(), Backend::Cpu).unwrap();
        assert_eq!(whole.len(), judged.len());
        for (whole, judged) in whole.into_iter().zip(&judged) {
            assert!((whole.probability - judged.probability).abs() < 1e-5);
            assert_eq!(
                whole.attention.map(|it| it.len()),
                judged.attention.as_ref().map(Vec::len)
            );
        }
    }
}

#[test]
fn what_lies_too_deep_is_not_read() {
    let tests = every(1);
    let read = |call_depth: usize| encode(&tests, call_depth, Depth::WithPaths);
    let (shallow, deep) = (read(1), read(MAX_DEPTH));
    // Names begin with their origin and their depth.
    let is_deep = |it: &&str| it[1..].starts_with('2');
    assert!(deep.calls.iter().any(|it| is_deep(&it)));
    assert_eq!(shallow.calls.iter().find(is_deep), None);
    let causes = |it: &Dataset| -> Vec<String> { it.causes.iter().map(str::to_owned).collect() };
    assert!(causes(&deep).iter().any(|it| it.ends_with(" 2")));
    let too_much = |it: &String| it.ends_with(" 2") || it.ends_with(" 3") || it.starts_with("first ");
    assert_eq!(causes(&shallow).into_iter().find(too_much), None);
    assert!(causes(&shallow).iter().any(|it| it.ends_with(" 1")));
    let sum = |it: &Dataset| -> f32 { it.tests.iter().flat_map(|it| it.measures).sum() };
    assert!(sum(&shallow) < sum(&deep));
}

#[test]
fn a_configuration_that_cannot_be_says_why() {
    let wrong = |config: Config| config.check().unwrap_err();
    let glancing = Config {
        paths_from: 0.1,
        ..Config::default()
    };
    assert!(wrong(glancing).contains("`path_dropout`"));
    let deep = Config {
        depth: 4,
        ..Config::default()
    };
    assert_eq!(wrong(deep), "`depth` is 4; calls are followed 3 deep at most");
    Config::default().check().expect("the default can be");
}

#[test]
fn a_regression_without_tests_of_one_kind_says_nothing() {
    let bench = Bench::new(small(Config::default()));
    let stable: Vec<usize> = (0..bench.dataset.len()).filter(|it| !bench.flaky[*it]).collect();
    let fitted = linear::fit(bench.view(), &stable, &bench.flaky);
    let logits = Linear::of(&fitted).expect("fitted").logits(bench.view(), &stable);
    let share = logit(0.25);
    assert!(logits.iter().all(|it| (it - share).abs() < 1e-3), "{logits:?}");
}

#[test]
fn the_probability_of_a_test_does_not_depend_on_its_batch() {
    for config in configurations() {
        let bench = Bench::new(config);
        let weights = bench.weights();
        let tests: Vec<usize> = (0..bench.dataset.len()).collect();
        for device in [None, Some(&Device::flex())] {
            let together = judge(bench.view(), &weights, &tests, device);
            let alone: Vec<Judged> = tests
                .iter()
                .take(10)
                .flat_map(|it| judge(bench.view(), &weights, &[*it], device))
                .collect();
            close(&together[..10], &alone, 1e-5);
        }
    }
}

/// The loss of one batch and the gradient of every parameter, by name.
fn gradients_by_name(bench: &Bench, device: &Device, middle: Middle) -> (f64, Vec<(String, Vec<f32>)>) {
    let device = device.clone().autodiff();
    let network = bench.network(&device);
    let tests: Vec<usize> = (0..bench.dataset.len()).collect();
    let batch = Batch::new(bench.view(), &tests, None);
    let lesson = Lesson {
        batch: &batch,
        labels: &bench.flaky,
        smoothing: 0.0,
    };
    let mut chance = chance(1, 1);
    let dropout = Dropout {
        share: 0.0,
        paths: 0.0,
        chance: &mut chance,
    };
    let (loss, mut gradients) = gradients(&network, &lesson, dropout, &device, middle);
    let names = parameter_names(&bench.config, &bench.vocabulary);
    let by_name = network.parameter_ids().into_iter().map(|(id, rank)| {
        let name = &names[usize::try_from(id.val()).unwrap() - 1];
        let data = match rank {
            1 => gradients.remove::<1>(id).map(|it| it.into_data()),
            _ => gradients.remove::<2>(id).map(|it| it.into_data()),
        };
        let data = data.unwrap_or_else(|| panic!("no gradient for {name}"));
        (name.clone(), data.try_to_vec().unwrap())
    });
    (loss, by_name.collect())
}

fn gradients_agree(left: &(f64, Vec<(String, Vec<f32>)>), right: &(f64, Vec<(String, Vec<f32>)>)) {
    assert!((left.0 - right.0).abs() < 1e-5, "losses {} and {}", left.0, right.0);
    for ((name, left), (same, right)) in left.1.iter().zip(&right.1) {
        assert_eq!(name, same);
        assert!(left.iter().any(|it| *it != 0.0), "the gradient of {name} is zero");
        let largest = left.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
        for (left, right) in left.iter().zip(right) {
            let apart = (left - right).abs();
            assert!(apart <= 1e-3 * largest + 1e-7, "{name}: {left} and {right}");
        }
    }
}

#[test]
fn a_gradient_reaches_every_parameter_and_is_the_same_by_hand() {
    for config in configurations() {
        let bench = Bench::new(config);
        let of = |middle| gradients_by_name(&bench, &Device::flex(), middle);
        gradients_agree(&of(Middle::Burn), &of(Middle::ByHand));
    }
}

/// The least loss that training reaches on sixteen tests with labels that nothing in the tests explains.
fn least_loss(config: Config, backend: Backend) -> f64 {
    let config = Config {
        learning_rate: 0.02,
        schedule: Schedule::Cosine,
        epochs: 300,
        hidden: 16,
        training_paths: 100,
        ..small(config)
    };
    let mut bench = Bench::new(config);
    let training: Vec<usize> = (0..16).collect();
    bench.flaky = (0..bench.dataset.len()).map(|at| at % 2 == 0).collect();
    bench.config.stable_per_flaky = 1;
    let setting = Setting {
        backend,
        ..bench.setting(1)
    };
    let mut trainer = Trainer::new(setting, bench.parts(&training, &[])).unwrap();
    let mut least = f64::MAX;
    while !trainer.is_finished() && least >= 0.01 {
        least = least.min(trainer.epoch().loss);
    }
    least
}

#[test]
fn one_batch_can_be_learned_by_heart() {
    for config in [Config::default(), Config::paper()] {
        let name = config.name.clone();
        let least = least_loss(config, Backend::Cpu);
        assert!(least < 0.01, "{name}: the loss is still {least}");
    }
}

/// These need a Vulkan adapter; `crates/peeler-model/gpu-tests` runs them.
#[cfg(feature = "wgpu")]
mod on_a_gpu {
    use super::*;

    fn device() -> Device {
        Backend::Wgpu.device().expect("a Vulkan adapter")
    }

    #[test]
    fn judges_as_the_cpu_does() {
        for config in configurations() {
            let bench = Bench::new(config);
            let tests: Vec<usize> = (0..12).collect();
            let weights = bench.weights();
            let by_hand = judge(bench.view(), &weights, &tests, None);
            close(&by_hand, &judge(bench.view(), &weights, &tests, Some(&device())), 1e-3);
        }
    }

    #[test]
    fn gradients_are_those_of_the_cpu() {
        for config in configurations() {
            let bench = Bench::new(config);
            let by_hand = gradients_by_name(&bench, &Device::flex(), Middle::ByHand);
            gradients_agree(&gradients_by_name(&bench, &device(), Middle::Burn), &by_hand);
        }
    }

    #[test]
    fn one_batch_can_be_learned_by_heart() {
        let least = least_loss(Config::default(), Backend::Wgpu);
        assert!(least < 0.01, "the loss is still {least}");
    }
}

#[test]
fn training_that_was_stopped_continues_as_if_it_had_not_been() {
    let config = Config {
        dropout: 0.2,
        token_dropout: 0.2,
        epochs: 4,
        ..small(Config::default())
    };
    let bench = Bench::new(config);
    let (training, validation): (Vec<usize>, Vec<usize>) = (0..bench.dataset.len()).partition(|it| it % 4 != 0);
    let begin = || Trainer::new(bench.setting(9), bench.parts(&training, &validation)).unwrap();
    let mut whole = begin();
    let mut first = begin();
    for _ in 0..2 {
        whole.epoch();
        first.epoch();
    }
    let written = first.checkpoint().to_bytes();
    drop(first);
    let mut second = begin();
    second
        .resume(Checkpoint::from_bytes(&written).expect("just written"))
        .expect("the same training");
    for _ in 0..2 {
        assert_eq!(whole.epoch().loss.to_bits(), second.epoch().loss.to_bits());
    }
    let (whole, second) = (whole.checkpoint(), second.checkpoint());
    assert_eq!(whole.weights, second.weights);
    assert_eq!(whole.best, second.best);
}

#[test]
fn a_damaged_checkpoint_is_refused_in_words() {
    let bench = Bench::new(small(Config::default()));
    let training: Vec<usize> = (0..16).collect();
    let trainer = Trainer::new(bench.setting(1), bench.parts(&training, &[])).unwrap();
    let bytes = trainer.checkpoint().to_bytes();
    for length in [0, 5, 20, bytes.len() / 2, bytes.len() - 1] {
        assert!(Checkpoint::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
}

fn model() -> TrainedModel {
    let bench = Bench::new(small(Config::default()));
    TrainedModel {
        config: bench.config.clone(),
        vocabulary: bench.vocabulary.clone(),
        members: vec![bench.trained_weights(), bench.trained_weights()],
        calibration: Calibration {
            temperature: 1.5,
            shift: -0.5,
        },
        curve: Curve::default(),
        threshold: 0.3,
        track_record: TrackRecord::new(&[0.1, 0.004, 0.8], &[false, false, true]),
    }
}

#[test]
fn a_model_comes_back_from_its_folder_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let model = model();
    store::save(folder.path(), &model, &Origin::default(), &[], Precision::Full).unwrap();
    let (read, _) = store::load(folder.path()).unwrap();
    assert_eq!(model, read);
}

#[test]
fn a_model_of_before_track_records_were_kept_has_an_empty_one() {
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
fn a_course_that_was_stopped_anywhere_ends_with_the_same_model() {
    let config = Config {
        epochs: 2,
        members: 2,
        ..small(Config::default())
    };
    let bench = Bench::new(config);
    let round = |held_out: usize| {
        let tests = 0..bench.dataset.len();
        let (training, validation): (Vec<usize>, Vec<usize>) = tests.partition(|it| it % 4 != held_out);
        bench.parts(&training, &validation)
    };
    let begin = |seed| Course::new(bench.setting(seed), vec![round(0), round(1)]).unwrap();
    let mut whole = begin(5);
    let mut written = vec![whole.to_bytes()];
    while whole.epoch().is_some() {
        written.push(whole.to_bytes());
    }
    let model = whole.into_model();
    assert_eq!(model.members.len(), 2);
    assert_ne!(model.members[0], model.members[1]);
    let held_out: Vec<usize> = (0..bench.dataset.len()).filter(|it| it % 4 < 2).collect();
    let flaky = held_out.iter().filter(|it| bench.flaky[**it]).count();
    let recorded = model.track_record.tests();
    assert_eq!((recorded.0 as usize, recorded.1 as usize), (held_out.len(), flaky));
    for bytes in &written {
        let mut course = begin(5);
        course.resume(bytes).expect("the same course");
        while course.epoch().is_some() {}
        assert_eq!(model, course.into_model());
    }
    let refused = begin(6).resume(&written[0]).unwrap_err();
    assert!(refused.contains("seed"), "{refused}");
    for length in [0, 7, 30, written[0].len() / 2] {
        assert!(begin(5).resume(&written[0][..length]).is_err());
    }
    for prediction in model.predict_dataset(&bench.dataset, Backend::Cpu).unwrap() {
        let attention = prediction.attention.expect("paths were read");
        let sum: f32 = attention.iter().map(|it| it.1).sum();
        assert!((sum - 1.0).abs() < 1e-4);
        assert!(attention.is_sorted_by(|a, b| a.1 >= b.1));
    }
}

#[test]
fn a_test_without_paths_is_judged_alike_alone_and_among_others() {
    let mut tests = every(1);
    tests.truncate(9);
    tests.reverse();
    let without_paths = tests.last_mut().expect("nine tests");
    without_paths.graph = GraphFeatures::default();
    let model = model();
    let last = |tests: &[TestFeatures<'_>]| {
        let dataset = encode(tests, model.config.depth, Depth::WithPaths);
        let predictions = model.predict_dataset(&dataset, Backend::Cpu).unwrap();
        predictions.last().unwrap().probability
    };
    assert!((last(&tests[8..]) - last(&tests)).abs() < 1e-5);
}

#[test]
fn a_backend_that_is_not_built_in_says_how_to_get_it() {
    #[cfg(not(feature = "cuda"))]
    {
        let error = Backend::Cuda.device().unwrap_err().to_string();
        assert!(error.contains("--features cuda"), "{error}");
    }
    assert!("gpu".parse::<Backend>().unwrap_err().to_string().contains("wgpu"));
}

#[test]
fn known_vectors_are_where_training_begins() {
    let bench = Bench::new(small(Config::default()));
    let second = bench.vocabulary.tokens.names().nth(1).expect("several names");
    let numbers = |value: f32| format!(" {value}").repeat(bench.config.embedding);
    let text = format!("{second}{}\nnobodysaysthis{}\n", numbers(0.25), numbers(9.0));
    let pretrained = Pretrained::parse(&text).expect("vectors");
    let mut chance = chance(1, 0);
    let mut source = Begun {
        fresh: Fresh(&mut chance),
        pretrained: &pretrained,
        vocabulary: &bench.vocabulary,
    };
    let width = bench.config.embedding;
    for table in ["words", "context", "paths.tokens"] {
        let shape = [bench.vocabulary.tokens.rows(), width];
        let values = source.values(table, &shape, Start::Within(0.1)).expect("fresh");
        assert!(
            values[width..2 * width]
                .iter()
                .all(|it| it.to_bits() == 0.25_f32.to_bits()),
            "{table}"
        );
        let others = values[..width].iter().chain(&values[2 * width..]);
        assert!(others.into_iter().all(|it| it.abs() <= 0.1), "{table}");
    }
    // Distances of calls are no sub-tokens.
    let calls = source.values("calls", &[bench.vocabulary.calls.rows(), width], Start::Within(0.1));
    assert!(calls.expect("fresh").iter().all(|it| it.abs() <= 0.1));
}
