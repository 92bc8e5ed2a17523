//! Fuzz target of the parser on arbitrary bytes: one file, read to its declarations and the calls of all test bodies.
//!
//! No input may panic or hang. A quarter of the inputs is parsed twice, which must give the same result.
#![no_main]

use libfuzzer_sys::fuzz_target;
use peeler_analysis::{Analysis, Repository};
use peeler_fuzz::slowest::watched;

fuzz_target!(|bytes: &[u8]| {
    watched(bytes.len(), || check(bytes));
});

fn check(bytes: &[u8]) {
    let read = || {
        let repository = Repository::from_sources(vec![("XTest.java".to_owned(), bytes.to_vec())]);
        let analysis = Analysis::new(&repository);
        format!(
            "{:?} {:?} {:?}",
            analysis.test_cases(),
            analysis.calls(),
            analysis.problems()
        )
    };
    let first = read();
    if bytes.len().is_multiple_of(4) {
        assert_eq!(first, read());
    }
}
