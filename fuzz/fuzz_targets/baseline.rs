//! Fuzz target of baselines, which then silence the findings of a scan.
//!
//! The input is a baseline, a NUL byte and the JSON of a scan.
#![no_main]

use libfuzzer_sys::fuzz_target;
use peeler_fuzz::bundle;
use peeler_fuzz::slowest::watched;

fuzz_target!(|input: &[u8]| {
    watched(input.len(), || check(input));
});

fn check(input: &[u8]) {
    let (baseline, scan) = bundle::halves(input);
    let _ = peeler::fuzzing::baseline(baseline, scan);
}
