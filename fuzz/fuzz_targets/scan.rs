//! Fuzz target of the JSON of a scan, as `report` and `confirm --from` read it. All formats are written from it.
//!
//! The input is the JSON of a scan, a NUL byte, and an evidence log or the JSON of a confirmation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use peeler_fuzz::bundle;
use peeler_fuzz::slowest::watched;

fuzz_target!(|input: &[u8]| {
    watched(input.len(), || check(input));
});

fn check(input: &[u8]) {
    let (scan, proof) = bundle::halves(input);
    let _ = peeler::fuzzing::scan(scan, proof);
}
