//! Fuzz target of the whole analysis on a small repository: graphs, contextual paths, extractions and causes.
//!
//! The input is the text of several files. A line `//// shop/Cart.java` starts a file; the text before the first such
//! line is `XTest.java`. No input may panic or hang.
#![no_main]

use libfuzzer_sys::fuzz_target;
use peeler_analysis::{Analysis, CauseCatalogue, CauseFinder, Limits, Repository};

/// The prefix of a line that names the next file.
const MARK: &[u8] = b"//// ";

/// The files that the input describes, without duplicate paths.
fn files(input: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = vec![("XTest.java".to_owned(), Vec::new())];
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        if let Some(name) = line.strip_prefix(MARK) {
            let name = String::from_utf8_lossy(name).trim().to_owned();
            if !name.is_empty() && files.iter().all(|(path, _)| *path != name) {
                files.push((name, Vec::new()));
                continue;
            }
        }
        if let Some((_, text)) = files.last_mut() {
            text.extend_from_slice(line);
        }
    }
    files
}

fuzz_target!(|input: &[u8]| {
    let repository = Repository::from_sources(files(input));
    let analysis = Analysis::new(&repository);
    let finder = CauseFinder::new(&analysis, CauseCatalogue::shipped());
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| {
            let extraction = analysis.extraction(&traced);
            let paths: Vec<usize> = (0..extraction.paths.len()).collect();
            (finder.causes(&traced, &paths).list.len(), finder.kinds(&traced))
        },
        |_| (),
    );
    let _ = analysis.problems();
});
