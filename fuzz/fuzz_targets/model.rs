//! Fuzz target of the folder of a network: description, configuration, vocabulary and arrays, which then score a test.
//!
//! The input is the text of several files. A line `//// config.toml` starts a file; the text before the first such line
//! is `model.json`.
#![no_main]

use std::borrow::Cow;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use peeler_features::{CallList, LibraryCall, ReachedCode, TestFeatures, TestName, TextList};
use peeler_fuzz::bundle;
use peeler_fuzz::slowest::watched;
use peeler_model::Backend;
use peeler_model::store::{Checksums, StoreError, from_files};

/// The calls that the scored test reaches.
const CALLS: [LibraryCall<'_>; 2] = [
    LibraryCall {
        depth: 0,
        owner: "Thread",
        method: "sleep",
    },
    LibraryCall {
        depth: 3,
        owner: "",
        method: "run",
    },
];

fuzz_target!(|input: &[u8]| {
    watched(input.len(), || check(input));
});

fn check(input: &[u8]) {
    let files = bundle::files(input, "model.json");
    let folder = Path::new("model");
    let read = |name: &str| {
        let found = files.iter().find(|(path, _)| path == name);
        let bytes = found.map(|(_, bytes)| Cow::Owned(bytes.clone()));
        bytes.ok_or_else(|| StoreError::NoModel(folder.to_owned()))
    };
    let Ok((model, _)) = from_files(folder, &read, Checksums::Trust) else {
        return;
    };
    let name = TestName::new("shop.CartTest", "prints");
    let test = TestFeatures {
        lines: 3,
        words: TextList::Parts("assert equals cart total thread sleep"),
        context_words: TextList::Parts("cart test"),
        body: ReachedCode {
            calls: CallList::Slice(&CALLS),
            bodies: [1, 0, 0, 0],
        },
        ..TestFeatures::empty(&name)
    };
    let predictions = model.predict(&[&test, &test], Backend::Cpu).expect("the CPU is there");
    assert_eq!(predictions.len(), 2);
    let _ = model.reporting_threshold();
}
