//! The flows that rules find in a few Java files, for the tests of these rules.

use peeler_analysis::{Analysis, Flow, FlowFinder, Limits, Repository};

/// The unsettled flows of all tests of some files, which are given as path and text.
pub(crate) fn unsettled_flows(files: &[(&str, &str)]) -> Vec<Flow> {
    let sources = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    let repository = Repository::from_sources(sources.collect());
    let analysis = Analysis::new(&repository);
    let finder = FlowFinder::new(&analysis);
    let mut found = Vec::new();
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| finder.flows(&traced).flows,
        |flows| found.extend(flows.into_iter().filter(|it| it.settled_by.is_none())),
    );
    found
}
