//! What a corpus holds of a test, as texts: read from an extraction on whatever thread made it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use peeler_analysis::{
    Analysis, Cause, CauseCatalogue, CauseFinder, CauseKind, CutMethodId, CutView, Extraction, Reach, Surroundings,
};
use rustc_hash::FxHashMap;

use super::Gathered;
use crate::corpus::{narrow, stable_hash};
use crate::words::sub_tokens;

/// A test before its texts are interned, made on whatever thread extracted it.
pub(super) struct RawTest {
    pub(super) name: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) lines: u32,
    pub(super) twins: [String; 3],
    pub(super) related: Vec<String>,
    pub(super) tokens: Vec<String>,
    pub(super) words: Vec<String>,
    /// The same for all tests of a class.
    pub(super) context_words: Arc<[String]>,
    pub(super) nodes: Vec<(String, u8, u8, u32)>,
    pub(super) edges: Vec<(u32, u32, String, u8, Vec<u32>)>,
    pub(super) methods: Vec<(CutMethodId, String)>,
    pub(super) paths: Vec<Vec<u32>>,
    pub(super) reach: Reach,
    pub(super) causes: Vec<String>,
    pub(super) path_bag: u64,
    pub(super) token_bag: u64,
}

/// A class by its name, and by where that stands in memory: modules may hold classes of one name.
type ClassKey = (String, usize);

/// The words around the tests of each class, which are many and the same for all of them.
#[derive(Default)]
struct ContextWords(Mutex<FxHashMap<ClassKey, Arc<[String]>>>);

impl ContextWords {
    fn of(&self, surroundings: &Surroundings<'_>) -> Arc<[String]> {
        let place = surroundings.context.first().map_or(0, |name| name.as_ptr().addr());
        let class = (surroundings.twins[0].clone(), place);
        let known = self.0.lock().expect("no holder panics").get(&class).cloned();
        known.unwrap_or_else(|| {
            let words: Arc<[String]> = surroundings.context.iter().flat_map(|it| sub_tokens(it)).collect();
            let mut all = self.0.lock().expect("no holder panics");
            all.insert(class, words.clone());
            words
        })
    }
}

/// Reads tests of one analysis, with what those of a class have in common.
pub(super) struct Reader<'a, 'r> {
    analysis: &'a Analysis<'r>,
    gathered: Gathered,
    contexts: ContextWords,
    causes: CauseFinder<'a, 'r>,
}

impl<'a, 'r> Reader<'a, 'r> {
    pub(super) fn new(analysis: &'a Analysis<'r>, gathered: Gathered) -> Self {
        Self {
            analysis,
            gathered,
            contexts: ContextWords::default(),
            causes: CauseFinder::new(analysis, CauseCatalogue::shipped()).within(gathered.depth),
        }
    }

    /// What a corpus holds of a test.
    pub(super) fn read(&self, extraction: &Extraction<'_>) -> RawTest {
        let gathered = self.gathered;
        let surroundings = self.analysis.surroundings(extraction);
        let context_words = self.contexts.of(&surroundings);
        let tokens = surroundings.method.split_whitespace();
        let (path_bag, token_bag) = if gathered.digests {
            let paths = path_texts(extraction);
            (bag(paths.iter().map(String::as_str)), bag(tokens.clone()))
        } else {
            (0, 0)
        };
        let nodes = extraction
            .nodes
            .iter()
            .map(|it| {
                let marks = u8::from(it.start) | u8::from(it.assert) << 1;
                (it.text.to_string(), it.kind as u8, marks, it.line)
            })
            .collect();
        let edges = extraction
            .edges
            .iter()
            .map(|it| {
                let methods = match &it.cut {
                    Some(CutView::Resolved {
                        declaration,
                        implementations,
                    }) => std::iter::once(declaration)
                        .chain(implementations)
                        .map(|at| narrow(*at))
                        .collect(),
                    _ => Vec::new(),
                };
                (
                    narrow(it.from),
                    narrow(it.to),
                    it.operation.to_string(),
                    it.kind as u8,
                    methods,
                )
            })
            .collect();
        RawTest {
            name: extraction.case.name.clone(),
            file: extraction.case.file.clone(),
            line: extraction.case.line,
            lines: surroundings.lines,
            twins: surroundings.twins,
            related: surroundings.related,
            words: sub_tokens(surroundings.method).collect(),
            context_words,
            tokens: if gathered.tokens {
                tokens.map(str::to_owned).collect()
            } else {
                Vec::new()
            },
            nodes,
            edges,
            reach: self.analysis.reach(extraction, gathered.depth),
            causes: if gathered.causes {
                cause_texts(&self.causes.causes_anywhere(extraction))
            } else {
                Vec::new()
            },
            methods: extraction
                .cut_methods
                .iter()
                .map(|it| (it.id, it.method.clone()))
                .collect(),
            path_bag,
            token_bag,
            paths: extraction
                .paths
                .iter()
                .map(|it| it.elements.iter().map(|at| narrow(*at)).collect())
                .collect(),
        }
    }
}

/// Causes as a predictor reads them. Of every kind the nearest counts; the first of all is the one that a report names.
fn cause_texts(causes: &[Cause]) -> Vec<String> {
    let mut nearest: BTreeMap<CauseKind, usize> = BTreeMap::new();
    for cause in causes {
        let depth = nearest.entry(cause.kind).or_insert(cause.depth);
        *depth = cause.depth.min(*depth);
    }
    let kinds = nearest.iter().map(|(kind, depth)| format!("{} {depth}", kind.id()));
    let first = causes.first().into_iter();
    let first = first.flat_map(|it| [format!("first {}", it.kind.id()), format!("first {}", it.what)]);
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
    let mut hashes: Vec<u64> = texts.map(|it| stable_hash(it.as_bytes())).collect();
    hashes.sort_unstable();
    let bytes: Vec<u8> = hashes.iter().flat_map(|it| it.to_le_bytes()).collect();
    stable_hash(&bytes)
}
