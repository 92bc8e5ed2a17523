//! Which sub-tokens and paths have vectors of their own: the frequent ones, as many as fit into the files.
//!
//! Row 0 of both tables stands for everything without a row. The sub-tokens that names are predicted from follow, most
//! frequent in names first, then those that only occur in bodies.

use std::cmp::Reverse;

use peeler_features::texts::{TextSet, Texts};
use peeler_features::{NamedMethods, narrow};
use rustc_hash::FxHashSet;

use super::settings::PretrainingSettings;
use crate::lexicon::Usage;

/// The maximum size in bytes of all files of a pretrained network.
pub(super) const MAX_BYTES: usize = 16_000_000;
/// The part of the maximum that is reserved for the description, the card and the header of the weights.
const RESERVED_BYTES: usize = 60_000;
/// The minimum number of rows of each table that must fit.
const FEWEST_ROWS: usize = 100;
/// The text of row 0: everything that has no row of its own. No text of Java has it.
pub(super) const UNKNOWN: &str = "<unknown>";

/// The names of the rows of a pretrained network's tables.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct NameVocabulary {
    /// The sub-tokens by row.
    pub(super) words: Texts,
    /// The paths by row.
    pub(super) paths: Texts,
    /// The number of sub-tokens that names are predicted from. Their rows start at 1.
    pub(super) targets: usize,
}

/// The rows of the words and paths of named methods, by their numbers; 0 without a row.
#[derive(Debug, Default)]
pub(super) struct RowNumbers {
    pub(super) words: Vec<u32>,
    pub(super) paths: Vec<u32>,
}

/// The numbers of sub-tokens and paths that have vectors, and of those that are frequent enough.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// The number of sub-tokens with vectors.
    pub words: usize,
    /// The number of sub-tokens that names are predicted from.
    pub targets: usize,
    /// The number of sub-tokens that are frequent enough for a vector.
    pub frequent_words: usize,
    /// The number of paths with vectors.
    pub paths: usize,
    /// The number of paths that are frequent enough for a vector.
    pub frequent_paths: usize,
}

/// The tables of a pretrained network would exceed the maximum size of its files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "vectors of width {width} leave no room for {FEWEST_ROWS} sub-tokens and paths in {MAX_BYTES} bytes; choose a smaller --width"
)]
pub struct NoRoom {
    /// The width of the vectors.
    pub width: usize,
}

impl NameVocabulary {
    /// Chooses the rows of the tables from the methods that training learns from.
    pub(super) fn learn(
        methods: &NamedMethods,
        training: &[u32],
        settings: &PretrainingSettings,
    ) -> Result<(Self, RowNumbers, RowCounts), NoRoom> {
        let usage = Usages::count(methods, training);
        let libraries: FxHashSet<u32> = training.iter().map(|it| methods.library[*it as usize]).collect();
        // A word of one library alone is mostly its own name.
        let least_libraries = libraries.len().min(2);
        let is_frequent = |it: &Usage| it.tests >= settings.least_methods.max(1) && it.projects >= least_libraries;
        let [mut targets, mut others, mut paths] = [Vec::new(), Vec::new(), Vec::new()];
        for (number, usage) in usage.words.iter().enumerate() {
            if is_frequent(usage) {
                others.push((number, usage.tests));
            }
        }
        for (number, usage) in usage.paths.iter().enumerate() {
            if is_frequent(usage) {
                paths.push((number, usage.tests));
            }
        }
        for (number, usage) in usage.names.iter().enumerate() {
            if is_frequent(usage) {
                targets.push((number, usage.tests));
            }
        }
        let [words_by_number, paths_by_number] =
            [&methods.words, &methods.paths].map(|it| it.iter().collect::<Vec<_>>());
        for (list, texts) in [
            (&mut targets, &words_by_number),
            (&mut others, &words_by_number),
            (&mut paths, &paths_by_number),
        ] {
            list.sort_by_key(|(number, count)| (Reverse(*count), texts[*number]));
        }
        targets.truncate(settings.most_targets);
        let is_target: FxHashSet<usize> = targets.iter().map(|it| it.0).collect();
        let mut words: Vec<usize> = targets.iter().map(|it| it.0).collect();
        words.extend(others.iter().map(|it| it.0).filter(|it| !is_target.contains(it)));
        let mut paths: Vec<usize> = paths.into_iter().map(|it| it.0).collect();
        let mut counts = RowCounts {
            frequent_words: words.len(),
            frequent_paths: paths.len(),
            ..RowCounts::default()
        };
        words.truncate(settings.most_words);
        paths.truncate(settings.most_paths);
        let cost = |text: &str| 2 * settings.width + text.len() + 1;
        let mut bytes = fixed_bytes(settings, targets.len())
            + words.iter().map(|it| cost(words_by_number[*it])).sum::<usize>()
            + paths.iter().map(|it| cost(paths_by_number[*it])).sum::<usize>();
        while bytes > MAX_BYTES {
            let (list, texts) = if words.len() > paths.len() {
                (&mut words, &words_by_number)
            } else {
                (&mut paths, &paths_by_number)
            };
            let Some(last) = list.pop().filter(|_| list.len() >= FEWEST_ROWS) else {
                return Err(NoRoom { width: settings.width });
            };
            bytes -= cost(texts[last]);
        }
        counts.words = words.len();
        counts.paths = paths.len();
        counts.targets = targets.len().min(words.len());
        let vocabulary = Self {
            words: texts(&words, &words_by_number),
            paths: texts(&paths, &paths_by_number),
            targets: counts.targets,
        };
        let rows = RowNumbers {
            words: rows(&words, &methods.words),
            paths: rows(&paths, &methods.paths),
        };
        Ok((vocabulary, rows, counts))
    }
}

/// The size of the files without the rows of words and paths.
fn fixed_bytes(settings: &PretrainingSettings, targets: usize) -> usize {
    let (width, code) = (settings.width, settings.code_width());
    RESERVED_BYTES + 2 * (4 * width * code + code + 2 * width + targets)
}

fn texts(chosen: &[usize], by_number: &[&str]) -> Texts {
    let mut texts = Texts::default();
    texts.push(UNKNOWN);
    for number in chosen {
        texts.push(by_number[*number]);
    }
    texts
}

fn rows(chosen: &[usize], all: &TextSet) -> Vec<u32> {
    let mut rows = vec![0; all.len()];
    for (row, number) in chosen.iter().enumerate() {
        rows[*number] = narrow(row + 1);
    }
    rows
}

/// By how many methods and libraries each word and path is used.
struct Usages {
    /// The usage of words in terminals of bodies and in names.
    words: Vec<Usage>,
    /// The usage of words in names.
    names: Vec<Usage>,
    paths: Vec<Usage>,
}

impl Usages {
    /// Counts the usages in the training methods, which are sorted by library.
    fn count(methods: &NamedMethods, training: &[u32]) -> Self {
        let mut usages = Self {
            words: vec![Usage::default(); methods.words.len()],
            names: vec![Usage::default(); methods.words.len()],
            paths: vec![Usage::default(); methods.paths.len()],
        };
        // The last method that was counted for a terminal, a word and a path, plus one.
        let mut terminals_seen = vec![0; methods.terminals.len()];
        let mut words_seen = vec![0; methods.words.len()];
        let mut paths_seen = vec![0; methods.paths.len()];
        for method in training {
            let (at, stamp) = (*method as usize, method + 1);
            let library = methods.library[at];
            let mut use_word = |usages: &mut Self, word: u32| {
                if std::mem::replace(&mut words_seen[word as usize], stamp) != stamp {
                    usages.words[word as usize].add(library);
                }
            };
            for context in methods.contexts.get(at) {
                if std::mem::replace(&mut paths_seen[context.path as usize], stamp) != stamp {
                    usages.paths[context.path as usize].add(library);
                }
                for terminal in [context.from, context.to] {
                    if std::mem::replace(&mut terminals_seen[terminal as usize], stamp) != stamp {
                        for word in methods.terminals.get(terminal as usize) {
                            use_word(&mut usages, *word);
                        }
                    }
                }
            }
            let mut name = methods.names.get(at).to_vec();
            name.sort_unstable();
            name.dedup();
            for word in name {
                use_word(&mut usages, word);
                usages.names[word as usize].add(library);
            }
        }
        usages
    }
}
