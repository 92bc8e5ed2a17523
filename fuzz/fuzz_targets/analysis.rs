//! Fuzz target of the whole analysis on a small repository: everything that `scan`, `extract` and `--since` ask for.
//!
//! The input is the text of several files. A line `//// shop/Cart.java` starts a file; the text before the first such
//! line is `XTest.java`. Half of the mutations insert, copy and remove whole pieces of Java. No input may panic or hang.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use peeler_analysis::{
    Analysis, CauseCatalogue, CauseFinder, FlowFinder, Limits, MAX_DEPTH, Repository, StateAccess, pair_states,
};
use peeler_features::TestName;
use peeler_fuzz::random::Random;
use peeler_fuzz::slowest::watched;
use peeler_fuzz::{bundle, mutation};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Random::new(seed);
    if random.below(2) == 0
        && let Some(changed) = mutation::mutated(&data[..size], max_size, &mut random)
    {
        data[..changed.len()].copy_from_slice(&changed);
        return changed.len();
    }
    fuzzer_mutate(data, size, max_size)
});

fuzz_target!(|input: &[u8]| {
    watched(input.len(), || check(input));
});

fn check(input: &[u8]) {
    let repository = Repository::from_sources(bundle::files(input, "XTest.java"));
    let analysis = Analysis::new(&repository);
    let causes = CauseFinder::new(&analysis, CauseCatalogue::shipped());
    let flows = FlowFinder::new(&analysis);
    let mut states: Vec<(TestName, StateAccess)> = Vec::new();
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| {
            let extraction = analysis.extraction(&traced);
            let paths: Vec<usize> = (0..extraction.paths.len()).collect();
            let _ = (causes.causes(&traced, &paths).list.len(), causes.kinds(&traced));
            let _ = (
                analysis.reach(&traced, MAX_DEPTH),
                analysis.test_source(&traced),
                analysis.context(&traced),
            );
            let found = flows.flows(&traced);
            (traced.case.name.clone(), found.state)
        },
        |state| states.push(state),
    );
    let states: Vec<(TestName, &StateAccess)> = states.iter().map(|(test, state)| (test.clone(), state)).collect();
    let _ = (
        pair_states(&states),
        analysis.suppressions(|_| true),
        analysis.digests(|_| true),
    );
    let _ = (analysis.file_interfaces(Vec::new()), analysis.problems());
}
