//! Fuzz target of the parser on arbitrary bytes: one file, read to its declarations and the calls of all test bodies.
//!
//! No input may panic or hang, and parsing the same bytes twice gives the same result.
#![no_main]

use libfuzzer_sys::fuzz_target;
use peeler_analysis::{Analysis, Repository};

fuzz_target!(|bytes: &[u8]| {
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
    assert_eq!(read(), read());
});
