//! What a corpus holds of a test, as texts: read from a traced test on whatever thread made it.

use std::borrow::Cow;
use std::sync::Arc;

use peeler_analysis::{
    Analysis, CauseCatalogue, CauseFinder, CauseKinds, Extraction, Reachability, Relatives, TracedTest,
};

use super::Gathered;
use peeler_features::stored_hash;
use peeler_features::sub_tokens;

/// Words that stand around the tests of a class.
pub(super) type ContextWords<'a> = Arc<[Cow<'a, str>]>;

/// A test before its texts are interned. Most texts are still those of the sources.
pub(super) struct RawTest<'a> {
    pub(super) traced: TracedTest<'a>,
    /// The method from its name to its closing brace.
    pub(super) method: &'a str,
    pub(super) words: Vec<Cow<'a, str>>,
    /// The same for all tests of a class.
    pub(super) context_words: ContextWords<'a>,
    pub(super) reach: Reachability<'a>,
    pub(super) causes: Vec<String>,
    pub(super) relatives: Option<Relatives>,
    pub(super) path_bag: u64,
    pub(super) token_bag: u64,
}

impl RawTest<'_> {
    /// Lines of the method.
    pub(super) fn lines(&self) -> u32 {
        u32::try_from(self.method.lines().count()).unwrap_or(u32::MAX)
    }
}

/// Reads tests of one analysis.
pub(super) struct Reader<'a, 'r> {
    analysis: &'a Analysis<'r>,
    gathered: Gathered,
    causes: CauseFinder<'a, 'r>,
}

impl<'a, 'r> Reader<'a, 'r> {
    pub(super) fn new(analysis: &'a Analysis<'r>, gathered: Gathered) -> Self {
        Self {
            analysis,
            gathered,
            causes: CauseFinder::new(analysis, CauseCatalogue::shipped()).within(gathered.depth),
        }
    }

    /// What a corpus holds of a test, but for what stands around it.
    pub(super) fn test(&self, traced: TracedTest<'a>) -> RawTest<'a> {
        let gathered = self.gathered;
        let method = self.analysis.method_text(&traced);
        let (path_bag, token_bag) = if gathered.relatives {
            let paths = path_texts(&self.analysis.extraction(&traced));
            (bag(paths.iter().map(String::as_str)), bag(method.split_whitespace()))
        } else {
            (0, 0)
        };
        RawTest {
            method,
            words: sub_tokens(method).collect(),
            context_words: Arc::default(),
            reach: self.analysis.reach(&traced, gathered.depth),
            causes: if gathered.causes {
                cause_texts(&self.causes.kinds(&traced))
            } else {
                Vec::new()
            },
            relatives: gathered.relatives.then(|| self.analysis.relatives(&traced)),
            path_bag,
            token_bag,
            traced,
        }
    }

    /// The tests of one class with what stands around them.
    pub(super) fn class(&self, mut tests: Vec<RawTest<'a>>) -> Vec<RawTest<'a>> {
        let Some(first) = tests.first() else {
            return tests;
        };
        let context = self.analysis.context(&first.traced);
        let words: ContextWords<'a> = context.into_iter().flat_map(sub_tokens).collect();
        for test in &mut tests {
            test.context_words = words.clone();
        }
        tests
    }
}

/// Causes as a predictor reads them. Of every kind the nearest counts; the first of all is the one that a report names.
fn cause_texts(causes: &CauseKinds) -> Vec<String> {
    let kinds = causes.nearest.iter();
    let kinds = kinds.map(|(kind, depth)| format!("{} {depth}", kind.id()));
    let first = causes.first.iter();
    let first = first.flat_map(|it| [format!("first {}", it.kind().id()), format!("first {it}")]);
    let mut texts: Vec<String> = kinds.chain(first).collect();
    texts.sort_unstable();
    texts
}

fn path_texts(extraction: &Extraction<'_>) -> Vec<String> {
    extraction
        .paths
        .iter()
        .map(|path| {
            let mut text = String::new();
            let mut edges = path.edges();
            for node in path.nodes() {
                text.push_str(&extraction.nodes[node].text);
                if let Some(edge) = edges.next() {
                    text.push('\t');
                    text.push_str(&extraction.edges[edge].operation);
                    text.push('\t');
                }
            }
            text
        })
        .collect()
}

/// Equal for equal multisets.
fn bag<'t>(texts: impl Iterator<Item = &'t str>) -> u64 {
    let mut hashes: Vec<u64> = texts.map(|it| stored_hash(it.as_bytes())).collect();
    hashes.sort_unstable();
    let bytes: Vec<u8> = hashes.iter().flat_map(|it| it.to_le_bytes()).collect();
    stored_hash(&bytes)
}
