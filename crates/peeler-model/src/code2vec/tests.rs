//! Tests of pretraining: gradients, vocabulary, batches, saved files and damaged ones.

use std::fs;
use std::ops::ControlFlow;

use burn::module::{Module, ModuleVisitor, Param};
use burn::tensor::{Device, Tensor};
use burn_optim::GradientsParams;
use peeler_features::{NamedMethods, NumberedContext};

use super::batch::{BatchMaker, NumberedMethods, plans};
use super::network::{NameNetwork, NetworkSizes};
use super::vocabulary::NameVocabulary;
use super::{Code2vec, NameEpoch, Pretrainer, PretrainingData, PretrainingSettings};
use crate::backend::{Backend, GradientMethod};
use crate::cuts::Cuts;
use crate::parameters::RandomSource;
use crate::random::random_stream;

/// Methods of two libraries: the names of their terminals and paths are their numbers.
fn methods(count: u32) -> NamedMethods {
    let mut methods = NamedMethods {
        libraries: vec!["a".to_owned(), "b".to_owned()],
        ..NamedMethods::default()
    };
    for word in 0..8 {
        let word = methods.words.number(&format!("word{word}"));
        methods.terminals.push([word]);
    }
    methods.terminals.push([0, 1, 2]);
    for path in ["call", "call^block", "block_call"] {
        methods.paths.number(path);
    }
    for method in 0..count {
        methods.library.push(u32::from(method >= count / 2));
        methods.names.push([method % 4, 4 + method % 4]);
        let context = |at: u32| NumberedContext {
            from: method % 4,
            path: at % 3,
            to: if at == 0 { 8 } else { (method + at) % 8 },
        };
        methods.contexts.push((0..=method % 5).map(context));
    }
    methods
}

fn settings() -> PretrainingSettings {
    PretrainingSettings {
        width: 4,
        epochs: 30,
        batch: 8,
        learning_rate: 0.02,
        backend: Backend::Cpu,
        least_methods: 1,
        ..PretrainingSettings::default()
    }
}

fn trained(epochs: usize) -> (Code2vec, PretrainingSettings, Vec<NameEpoch>) {
    let methods = methods(40);
    let settings = PretrainingSettings { epochs, ..settings() };
    let mut trainer = Pretrainer::new(settings.clone(), &methods, &[false, true]).expect("methods to learn from");
    while !trainer.is_finished() {
        trainer
            .epoch(&mut |_| ControlFlow::Continue(()))
            .expect("finite numbers");
    }
    let history = trainer.history().to_vec();
    (trainer.into_best(), settings, history)
}

#[test]
fn names_of_a_held_out_library_are_learned() {
    let (_, _, history) = trained(30);
    let last = history.last().and_then(|it| it.held_out).expect("scores");
    assert!(last.f1() > 0.9, "{last:?}");
    assert_eq!(last.expected, 40);
    assert!(history[29].loss < history[0].loss / 2.0, "{history:?}");
}

#[test]
fn gradients_reach_every_parameter_and_rows_can_be_read_in_two_ways() {
    struct Lengths(GradientsParams, Vec<f32>);
    impl ModuleVisitor for Lengths {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            let gradient = self.0.remove::<D>(param.id).expect("a gradient");
            self.1.push(gradient.abs().sum().into_scalar());
        }
    }
    let methods = methods(16);
    let all: Vec<u32> = (0..16).collect();
    let (vocabulary, rows, counts) = NameVocabulary::learn(&methods, &all, &settings()).expect("room");
    let sizes = NetworkSizes {
        words: vocabulary.words.len(),
        targets: counts.targets,
        paths: vocabulary.paths.len(),
        width: 4,
        code: 12,
    };
    let device = Device::flex().autodiff();
    let mut generator = random_stream(1, 1);
    let network = NameNetwork::new(sizes, &mut RandomSource(&mut generator), &device).expect("parameters");
    let source = NumberedMethods {
        methods: &methods,
        rows: &rows,
        targets: counts.targets,
    };
    let plan = plans(&methods, all, 16, None);
    let batch = BatchMaker::new(&methods).batch(source, &plan[0], None);
    let lengths = [GradientMethod::Burn, GradientMethod::Grouped].map(|method| {
        let mut cuts = Cuts::in_training(method);
        let loss = network.loss(&batch, &mut cuts, &device);
        let mut lengths = Lengths(cuts.gradients(&loss, &network), Vec::new());
        network.visit(&mut lengths);
        lengths.1
    });
    assert_eq!(lengths[0].len(), 8);
    assert!(lengths[0].iter().all(|it| *it > 1e-6), "{lengths:?}");
    let are_near = lengths[0]
        .iter()
        .zip(&lengths[1])
        .all(|(a, b)| (a - b).abs() < 1e-4 * a);
    assert!(
        are_near,
        "both ways of reading rows have the same gradients: {lengths:?}"
    );
}

#[test]
fn the_loss_of_a_method_does_not_depend_on_padding_or_on_its_neighbours() {
    let methods = methods(20);
    let all: Vec<u32> = (0..20).collect();
    let (vocabulary, rows, counts) = NameVocabulary::learn(&methods, &all, &settings()).expect("room");
    let sizes = NetworkSizes {
        words: vocabulary.words.len(),
        targets: counts.targets,
        paths: vocabulary.paths.len(),
        width: 4,
        code: 12,
    };
    let device = Device::flex();
    let mut generator = random_stream(1, 1);
    let network = NameNetwork::new(sizes, &mut RandomSource(&mut generator), &device).expect("parameters");
    let source = NumberedMethods {
        methods: &methods,
        rows: &rows,
        targets: counts.targets,
    };
    let mut maker = BatchMaker::new(&methods);
    let mut mean = |most: usize| {
        let plans = plans(&methods, all.clone(), most, None);
        let sums = plans.iter().map(|plan| {
            let batch = maker.batch(source, plan, None);
            let loss: f32 = network
                .loss(&batch, &mut Cuts::in_prediction(GradientMethod::Burn), &device)
                .into_scalar();
            let methods = u32::try_from(plan.methods.len()).expect("few methods");
            f64::from(loss) * f64::from(methods)
        });
        sums.sum::<f64>() / 20.0
    };
    let (alone, together) = (mean(1), mean(16));
    assert!((alone - together).abs() < 1e-5, "{alone} {together}");
}

#[test]
fn a_stopped_epoch_ends_the_training_and_is_stored() {
    let methods = methods(40);
    let mut trainer = Pretrainer::new(settings(), &methods, &[false, true]).expect("methods to learn from");
    let report = trainer.epoch(&mut |_| ControlFlow::Break(())).expect("finite numbers");
    assert!(!report.is_complete && report.held_out.is_some());
    assert!(trainer.is_finished());
    assert!(trainer.into_best().vector("word0").is_some());
}

#[test]
fn rare_words_and_words_of_one_library_have_no_row() {
    let mut methods = methods(40);
    let rare = methods.words.number("rare");
    methods.terminals.push([rare]);
    methods.library.push(1);
    methods.names.push([0]);
    let context = NumberedContext {
        from: 9,
        path: 0,
        to: 9,
    };
    methods.contexts.push([context; 3]);
    let all: Vec<u32> = (0..41).collect();
    let (vocabulary, rows, _) = NameVocabulary::learn(&methods, &all, &settings()).expect("room");
    assert_eq!(vocabulary.words.len(), 9);
    assert_eq!((rows.words[rare as usize], vocabulary.words.get(0)), (0, "<unknown>"));
    let few = PretrainingSettings {
        most_words: 3,
        most_targets: 2,
        least_methods: 10,
        ..settings()
    };
    let (vocabulary, _, counts) = NameVocabulary::learn(&methods, &all, &few).expect("room");
    assert_eq!((counts.words, counts.targets, counts.frequent_words), (3, 2, 8));
    assert_eq!(
        vocabulary.words.iter().collect::<Vec<_>>()[1],
        "word0",
        "the most frequent word of names"
    );
}

#[test]
fn tables_are_cut_to_the_size_of_the_files() {
    let mut methods = NamedMethods {
        libraries: vec!["a".to_owned()],
        ..NamedMethods::default()
    };
    for at in 0..6_000 {
        let word = methods.words.number(&format!("w{at}"));
        methods.terminals.push([word]);
        methods.paths.number(&format!("p{at}"));
        methods.library.push(0);
        methods.names.push([word]);
        methods.contexts.push([NumberedContext {
            from: word,
            path: word,
            to: word,
        }]);
    }
    let all: Vec<u32> = (0..6_000).collect();
    let wide = PretrainingSettings {
        width: 700,
        most_targets: 10,
        ..settings()
    };
    let (_, _, counts) = NameVocabulary::learn(&methods, &all, &wide).expect("room for some");
    assert!(
        counts.words < 6_000 && counts.words.abs_diff(counts.paths) <= 1,
        "{counts:?}"
    );
    let bytes = 2 * 700 * (counts.words + counts.paths) + 2 * 4 * 3 * 700 * 700;
    assert!((15_500_000..16_000_000).contains(&bytes), "{bytes}");
    let wider = PretrainingSettings { width: 3_000, ..wide };
    let refused = NameVocabulary::learn(&methods, &all, &wider)
        .expect_err("no room")
        .to_string();
    assert!(refused.contains("width 3000"), "{refused}");
}

#[test]
fn a_saved_network_is_the_same_when_loaded_to_half_precision() {
    let (network, settings, history) = trained(3);
    let folder = tempfile::tempdir().expect("a folder");
    let size = network
        .save(folder.path(), &settings, &PretrainingData::default(), &history)
        .expect("it is written");
    let files = fs::read_dir(folder.path()).expect("files");
    let total: u64 = files
        .map(|it| it.and_then(|it| it.metadata()).expect("a file").len())
        .sum();
    assert_eq!(size as u64, total);
    let (loaded, description) = Code2vec::load(folder.path()).expect("it is read");
    assert!(loaded.words().eq(network.words()) && loaded.paths().eq(network.paths()));
    let (before, after) = (
        network.vector("word3").expect("a vector"),
        loaded.vector("word3").expect("a vector"),
    );
    assert!(
        before.iter().zip(&after).all(|(a, b)| (a - b).abs() < 1e-3),
        "{before:?} {after:?}"
    );
    assert_eq!(description.settings, settings);
    // JSON may change the last digit of a loss.
    let scores = |epochs: &[NameEpoch]| epochs.iter().map(|it| it.held_out).collect::<Vec<_>>();
    assert_eq!(scores(&description.epochs), scores(&history));
}

#[test]
fn every_truncated_or_missing_file_is_named_and_nothing_panics() {
    let (network, settings, history) = trained(1);
    let folder = tempfile::tempdir().expect("a folder");
    let save = || network.save(folder.path(), &settings, &PretrainingData::default(), &history);
    for name in ["code2vec.json", "code2vec.safetensors", "words.txt", "paths.txt"] {
        save().expect("it is written");
        let path = folder.path().join(name);
        let bytes = fs::read(&path).expect("a file");
        for length in [0, 1, 9, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&path, &bytes[..length]).expect("a shorter file");
            let refused = Code2vec::load(folder.path()).expect_err(name).to_string();
            assert!(refused.contains(name) && refused.contains("damaged"), "{refused}");
        }
        fs::remove_file(&path).expect("a file");
        let refused = Code2vec::load(folder.path()).expect_err(name).to_string();
        assert!(
            refused.contains(name) && refused.contains("peeler pretrain"),
            "{refused}"
        );
    }
    save().expect("it is written");
    let path = folder.path().join("code2vec.json");
    let text = fs::read_to_string(&path).expect("a description");
    for (from, to) in [
        ("\"version\": 1", "\"version\": 9"),
        ("\"width\": 4", "\"width\": 5"),
        ("\"words\": 9", "\"words\": 8"),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replace(from, to)).expect("another description");
        let refused = Code2vec::load(folder.path()).expect_err(to).to_string();
        assert!(refused.contains("damaged"), "{refused}");
    }
}
