//! Fuzz target of corpus files: read, turned into features, encoded, divided and merged.
//!
//! The input is a whole file if it starts as one, and otherwise the content that a corpus file compresses.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use peeler_eval::corpus::{Corpus, TestRecord, VERSION};
use peeler_eval::splits::{Split, folds, parts};
use peeler_features::{Depth, MAX_DEPTH, encode};
use peeler_fuzz::compression::raw_frame;
use peeler_fuzz::slowest::watched;

/// The first bytes of a corpus file.
const MAGIC: &[u8] = b"PEELCORP";

fuzz_target!(|input: &[u8]| {
    watched(input.len(), || check(input));
});

fn check(input: &[u8]) {
    let path = Path::new("fuzzed.corpus");
    let corpus = if input.starts_with(MAGIC) {
        Corpus::from_bytes(path, input)
    } else {
        Corpus::from_bytes(path, &[MAGIC, &VERSION.to_le_bytes(), &raw_frame(input)].concat())
    };
    let Ok(corpus) = corpus else { return };
    let features = corpus.all_features();
    for (features, test) in features.iter().zip(&corpus.tests) {
        assert_eq!(features.graph.path_count(), test.features.graph.paths.len());
        let _ = (corpus.training_test(test), features.tokens.iter().count());
    }
    let dataset = encode(&features, MAX_DEPTH, Depth::WithPaths);
    assert_eq!(dataset.len(), corpus.tests.len());
    let tests: Vec<&TestRecord> = corpus.tests.iter().collect();
    for split in [Split::Random, Split::Class, Split::Family, Split::Project] {
        let _ = (folds(&tests, split, 3, 1), parts(&tests, split, 2, 1));
    }
    let mut merged = corpus.clone();
    merged.merge(&corpus);
    assert_eq!(merged.tests.len(), 2 * corpus.tests.len());
    let _ = (merged.all_features(), merged.fingerprint());
}
