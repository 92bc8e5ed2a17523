//! `MethodReader`: joins the named methods of libraries and removes near-duplicates.
//!
//! Two methods are near-duplicates if they have the same name and the same set of terminals, compared by sub-tokens.
//! The first one counts, in the order of libraries and of files. Two runs over the same sources give the same numbers,
//! on any number of cores.

use peeler_features::{NamedMethods, NumberedContext, narrow};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub use super::extraction::MethodCounts;
use super::extraction::{Drawing, Extracted, extract};
use crate::repository::Repository;
use crate::threads::on_all_cores;

/// The number of files that one thread reads at once. They number their words together, which saves time in joining.
const FILES_AT_ONCE: usize = 32;

/// Reads the methods of one library after the other, as numbers.
#[derive(Debug)]
pub struct MethodReader {
    drawing: Drawing,
    methods: NamedMethods,
    terminals: FxHashMap<Box<[u32]>, u32>,
    seen: FxHashSet<u64>,
}

impl MethodReader {
    /// The number of path contexts of a method that is enough for most bodies.
    pub const DEFAULT_CONTEXTS: usize = 100;

    /// A reader that draws at most `most_contexts` path contexts of a method, by a seed.
    #[must_use]
    pub fn new(most_contexts: usize, seed: u64) -> Self {
        Self {
            drawing: Drawing {
                most: most_contexts,
                seed,
            },
            methods: NamedMethods::default(),
            terminals: FxHashMap::default(),
            seen: FxHashSet::default(),
        }
    }

    /// Adds the methods of a library that no earlier library has. A library without such a method gets no number.
    pub fn read(&mut self, library: &str, sources: &Repository) -> MethodCounts {
        let number = self.methods.next_library();
        self.methods.libraries.push(library.to_owned());
        let drawing = self.drawing;
        let files = sources.files().par_chunks(FILES_AT_ONCE);
        let parts: Vec<Extracted<'_>> = on_all_cores(|| files.map(|it| extract(it, drawing)).collect());
        let mut counts = MethodCounts::default();
        for part in parts {
            self.join(&part, number, &mut counts);
            counts.add(&part.counts);
        }
        if self.methods.library.last() != Some(&number) {
            self.methods.libraries.pop();
        }
        counts
    }

    /// The methods of all libraries that were read.
    #[must_use]
    pub fn finish(self) -> NamedMethods {
        self.methods
    }

    /// Adds the new methods of some files, with the numbers that words, terminals and paths have among all libraries.
    fn join(&mut self, part: &Extracted<'_>, library: u32, counts: &mut MethodCounts) {
        let all = &mut self.methods;
        let words: Vec<u32> = part.words.iter().map(|it| all.words.number(it)).collect();
        let paths: Vec<u32> = part.paths.iter().map(|it| all.paths.number(it)).collect();
        let mut terminals = Vec::with_capacity(part.terminals.len());
        for at in 0..part.terminals.len() {
            let own: Vec<u32> = part.terminals.get(at).iter().map(|it| words[*it as usize]).collect();
            let number = *self.terminals.entry(own.into_boxed_slice()).or_insert_with_key(|own| {
                all.terminals.push(own.iter().copied());
                narrow(all.terminals.len() - 1)
            });
            terminals.push(number);
        }
        for (at, method) in part.keys.iter().enumerate() {
            if !self.seen.insert(method.key) {
                counts.duplicates += 1;
                continue;
            }
            let contexts = part.contexts.get(at);
            counts.contexts += contexts.len();
            counts.contexts_left_out += method.left_out;
            all.library.push(library);
            all.names.push(part.names.get(at).iter().map(|it| words[*it as usize]));
            all.contexts.push(contexts.iter().map(|it| NumberedContext {
                from: terminals[it.from as usize],
                path: paths[it.path as usize],
                to: terminals[it.to as usize],
            }));
        }
    }
}
