//! Fuzz target of the file of a trained rival (FLAST or vocabulary), which then scores a test.
//!
//! The input is the content that the file compresses and hashes.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use peeler_eval::rivals::store::from_bytes;
use peeler_eval::rivals::trained::RivalModel;
use peeler_features::{TestFeatures, TestName, TextList, stored_hash};
use peeler_fuzz::compression::raw_frame;
use peeler_fuzz::slowest::watched;
use peeler_learning::predictor::Model;

/// The first bytes of the file, with the version.
const HEAD: &[u8] = b"PEELRIVL\x01\0\0\0";

fuzz_target!(|input: &[u8]| {
    watched(input.len(), || check(input));
});

fn check(input: &[u8]) {
    let path = Path::new("rival.peeler");
    let packed = raw_frame(input);
    let bytes = [HEAD, &stored_hash(&packed).to_le_bytes(), &packed].concat();
    let Ok((rival, _)) = from_bytes(path, &bytes) else {
        return;
    };
    let name = TestName::new("shop.CartTest", "prints");
    let test = TestFeatures {
        lines: 3,
        tokens: TextList::Parts("assertEquals ( 1 , cart . total ( ) )"),
        words: TextList::Parts("assert equals cart total thread sleep"),
        ..TestFeatures::empty(&name)
    };
    let score = match &rival.learned {
        RivalModel::Flast(tests) => tests.predict(&test).score,
        RivalModel::Vocabulary(words) => words.predict(&test).score,
    };
    assert!(!score.is_nan(), "the score of a rival is a number");
}
