//! Tests of trained rivals: a stored rival is read back unchanged, and a damaged one is refused.

mod made;

use std::path::Path;

use peeler_eval::corpus::Corpus;
use peeler_eval::rivals::store::{self, Provenance, RivalStoreError};
use peeler_eval::rivals::trained::{Rival, TrainedRival};
use peeler_features::{TestFeatures, stored_hash};
use peeler_learning::predictor::{Training, TrainingSide};

/// A rival trained on the first projects of a sample corpus and validated on the last.
fn trained(corpus: &Corpus, rival: Rival) -> (TrainedRival, Provenance) {
    let part = |wanted: &dyn Fn(u32) -> bool| Training {
        tests: corpus
            .tests
            .iter()
            .filter(|it| wanted(it.project))
            .map(|it| corpus.training_test(it))
            .collect(),
    };
    let side = TrainingSide {
        training: part(&|project| project < 3),
        validation: part(&|project| project == 3),
        both: part(&|_| true),
    };
    let (rival, validation) = TrainedRival::train(rival, &side, 1);
    let origin = Provenance {
        corpus: corpus.fingerprint(),
        projects: corpus.projects.clone(),
        tests: corpus.tests.len() as u64,
        flaky: corpus.tests.iter().filter(|it| it.flaky).count() as u64,
        seed: 1,
        validation,
        held_out: "projects".to_owned(),
    };
    (rival, origin)
}

fn probabilities(rival: &TrainedRival, corpus: &Corpus) -> Vec<f32> {
    let features: Vec<TestFeatures<'_>> = corpus.all_features();
    rival.probabilities(&features.iter().collect::<Vec<_>>())
}

#[test]
fn a_stored_rival_judges_as_the_one_that_was_stored_and_has_a_card() {
    let corpus = made::corpus(4, 5, 6);
    for rival in Rival::ALL {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let folder = folder.path().join("models").join(rival.name());
        let (trained, origin) = trained(&corpus, rival);
        store::save(&folder, &trained, &origin).expect("it can be written");
        let (read, origin_read) = store::load(&folder).expect("it can be read");
        assert_eq!(origin_read, origin);
        assert_eq!(read.learned.rival(), rival);
        assert_eq!(read.threshold.to_bits(), trained.threshold.to_bits());
        for (read, written) in probabilities(&read, &corpus)
            .iter()
            .zip(probabilities(&trained, &corpus))
        {
            assert!((read - written).abs() < 1e-5, "{rival:?}: {read} and {written}");
        }
        assert_eq!(store::to_bytes(&read, &origin_read), store::to_bytes(&trained, &origin));
        let card = std::fs::read_to_string(folder.join("README.md")).expect("a card");
        for words in [
            &format!("# Model card: {}", rival.name()),
            "120 tests (24 flaky) of 4 projects",
            "ranks worse than Peeler's network",
            "project3",
        ] {
            assert!(card.contains(words), "{card} does not say {words}");
        }
    }
}

#[test]
fn the_same_corpus_and_seed_give_the_same_bytes() {
    let corpus = made::corpus(4, 5, 6);
    for rival in Rival::ALL {
        let bytes = || {
            let (rival, origin) = trained(&corpus, rival);
            store::to_bytes(&rival, &origin)
        };
        assert_eq!(bytes(), bytes());
    }
}

#[test]
fn a_card_of_flast_says_how_many_stable_tests_were_left_out() {
    let mut corpus = made::corpus(4, 5, 12);
    for (at, test) in corpus.tests.iter_mut().enumerate() {
        test.flaky = at % 30 == 0;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (rival, origin) = trained(&corpus, Rival::Flast);
    store::save(folder.path(), &rival, &origin).expect("it can be written");
    let card = std::fs::read_to_string(folder.path().join("README.md")).expect("a card");
    assert!(
        card.contains("8 flaky tests, all there are, and of 128 of the 232 stable ones"),
        "{card}"
    );
}

#[test]
fn a_file_cut_short_anywhere_is_refused_with_its_name() {
    let corpus = made::corpus(4, 3, 5);
    for rival in Rival::ALL {
        let (rival, origin) = trained(&corpus, rival);
        let bytes = store::to_bytes(&rival, &origin);
        for length in (0..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
            let error =
                store::from_bytes(Path::new("some/rival.peeler"), &bytes[..length]).expect_err("it is cut short");
            let said = error.to_string();
            assert!(said.starts_with("some/rival.peeler is damaged"), "{said}");
            assert!(said.ends_with("copy the model again or train it anew"), "{said}");
        }
    }
}

#[test]
fn a_file_with_a_changed_byte_is_refused() {
    let corpus = made::corpus(4, 3, 5);
    for rival in Rival::ALL {
        let (rival, origin) = trained(&corpus, rival);
        let whole = store::to_bytes(&rival, &origin);
        for at in (0..whole.len()).step_by(5) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            assert!(
                store::from_bytes(Path::new("rival.peeler"), &bytes).is_err(),
                "byte {at}"
            );
        }
    }
}

#[test]
fn bytes_that_only_have_the_right_hash_do_no_harm() {
    let corpus = made::corpus(4, 3, 5);
    for rival in Rival::ALL {
        let (rival, origin) = trained(&corpus, rival);
        let whole = store::to_bytes(&rival, &origin);
        let unpacked = zstd::decode_all(&whole[20..]).expect("what was packed");
        // All bytes at the start of the file are changed, where the most important numbers are, and some of the rest.
        let rest = (200..unpacked.len()).step_by(unpacked.len() / 100 + 1);
        for at in (0..unpacked.len().min(200)).chain(rest) {
            let mut bytes = unpacked.clone();
            bytes[at] ^= 0xff;
            let packed = zstd::encode_all(bytes.as_slice(), 1).expect("memory");
            let mut file = whole[..12].to_vec();
            file.extend(stored_hash(&packed).to_le_bytes());
            file.extend(packed);
            // Some changes yield another valid rival, which has to score tests without a panic.
            if let Ok((rival, _)) = store::from_bytes(Path::new("rival.peeler"), &file) {
                let judged = probabilities(&rival, &corpus);
                assert!(judged.iter().all(|it| (0.0..=1.0).contains(it)), "byte {at}");
            }
        }
    }
}

#[test]
fn a_file_of_another_version_or_kind_says_so() {
    let corpus = made::corpus(4, 3, 5);
    let (rival, origin) = trained(&corpus, Rival::Vocabulary);
    let mut bytes = store::to_bytes(&rival, &origin);
    bytes[8] = 9;
    let error = store::from_bytes(Path::new("rival.peeler"), &bytes).expect_err("another version");
    assert!(
        matches!(error, RivalStoreError::OtherVersion { found: 9, .. }),
        "{error}"
    );
    let error = store::from_bytes(Path::new("rival.peeler"), &[b'x'; 40]).expect_err("another kind");
    assert!(error.to_string().contains("it is something else"), "{error}");
    let nowhere = store::load(Path::new("no/such/folder")).expect_err("nothing there");
    assert!(nowhere.to_string().contains("rival.peeler"), "{nowhere}");
}
