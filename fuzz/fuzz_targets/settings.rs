//! Fuzz target of `peeler.toml`: globs, rules, assertions and causes of a team.
#![no_main]

use libfuzzer_sys::fuzz_target;
use peeler_fuzz::slowest::watched;

fuzz_target!(|text: &str| {
    watched(text.len(), || check(text));
});

fn check(text: &str) {
    let _ = peeler::fuzzing::settings(text);
}
