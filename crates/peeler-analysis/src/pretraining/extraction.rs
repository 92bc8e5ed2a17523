//! Named methods of some Java files: names as sub-tokens, path contexts and a key for near-duplicates.
//!
//! Sub-tokens, terminals and paths are numbered within the files that are read together. [`super::MethodReader`] joins
//! the results of many such parts.
//!
//! Left out, and counted: methods with a syntax error, with more than [`MAX_TERMINALS`] terminals, without a pair of
//! terminals, and without a letter or digit in the name. Constructors are no methods.

use std::ops::Range;

use peeler_features::texts::{TextSet, Texts};
use peeler_features::{Lists, NumberedContext, narrow, sub_tokens};
use rustc_hash::FxHashMap;

use super::contexts::{Pair, draw, find_pairs};
use crate::repository::SourceFile;
use crate::stable_hash::StableHasher;
use crate::syntax::flat_bodies::{FlatBodies, FlatMethod, FlatNode, Role, kind_name};

/// The maximum number of terminals of a body. Bodies with more are mostly generated tables.
const MAX_TERMINALS: usize = 1_000;
/// The maximum number of sub-tokens of a terminal that are read; the rest of a long literal is not.
const MAX_WORDS: usize = 6;
/// The maximum length of a sub-token in bytes. Longer ones are data and count as [`LONG_WORD`].
const MAX_WORD_BYTES: usize = 32;
/// The sub-token of a call by which a method calls itself. No text of Java has it.
const OWN_NAME: &str = "<self>";
/// The sub-token that stands for all sub-tokens that are too long. No text of Java has it.
const LONG_WORD: &str = "<long>";

/// Counts of what was read from sources and of what was left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MethodCounts {
    /// The number of Java files.
    pub files: usize,
    /// The number of files with a syntax error; their methods without an error are read.
    pub broken_files: usize,
    /// The number of methods with a body, without an error in it.
    pub methods: usize,
    /// The number of methods with a body that contains a syntax error; they are left out.
    pub broken_methods: usize,
    /// The number of methods that are left out because their bodies are too long.
    pub long_methods: usize,
    /// The number of methods that are left out because no path joins two terminals of the body, or the name is no word.
    pub without_contexts: usize,
    /// The number of methods that are left out because an earlier one has the same name and set of terminals.
    pub duplicates: usize,
    /// The number of path contexts of the remaining methods.
    pub contexts: usize,
    /// The number of path contexts that were not drawn.
    pub contexts_left_out: usize,
}

impl MethodCounts {
    /// Adds the counts of other sources.
    pub fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.broken_files += other.broken_files;
        self.methods += other.methods;
        self.broken_methods += other.broken_methods;
        self.long_methods += other.long_methods;
        self.without_contexts += other.without_contexts;
        self.duplicates += other.duplicates;
        self.contexts += other.contexts;
        self.contexts_left_out += other.contexts_left_out;
    }
}

/// A method as it was extracted, before duplicates are removed.
#[derive(Debug, Clone, Copy)]
pub(super) struct MethodKey {
    /// A hash of the name and the set of terminals, which is the same for near-duplicates.
    pub(super) key: u64,
    /// The number of path contexts that were not drawn.
    pub(super) left_out: usize,
}

/// The named methods of some files, with numbers that are only valid among these files.
#[derive(Debug, Default)]
pub(super) struct Extracted<'r> {
    pub(super) words: TextSet,
    pub(super) paths: Texts,
    pub(super) terminals: Lists<u32>,
    pub(super) names: Lists<u32>,
    pub(super) contexts: Lists<NumberedContext>,
    pub(super) keys: Vec<MethodKey>,
    pub(super) counts: MethodCounts,
    terminal_numbers: FxHashMap<&'r str, u32>,
    terminal_hashes: Vec<u64>,
    path_numbers: FxHashMap<u128, u32>,
    hasher: StableHasher,
}

/// The limit of contexts of a method, and the seed of drawing them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawing {
    pub(super) most: usize,
    pub(super) seed: u64,
}

/// The named methods of some files.
pub(super) fn extract(files: &[SourceFile], drawing: Drawing) -> Extracted<'_> {
    let mut found = Extracted::default();
    let mut bodies = FlatBodies::default();
    let mut pairs = Vec::new();
    for file in files {
        found.counts.files += 1;
        if !bodies.read(file.text()) {
            found.counts.broken_files += 1;
            continue;
        }
        found.counts.broken_files += usize::from(bodies.has_errors);
        for method in &bodies.methods {
            if method.is_broken {
                found.counts.broken_methods += 1;
            } else {
                found.counts.methods += 1;
                found.add(file.text(), &bodies.nodes, method, drawing, &mut pairs);
            }
        }
    }
    found
}

impl<'r> Extracted<'r> {
    fn add(&mut self, text: &'r str, nodes: &[FlatNode], method: &FlatMethod, drawing: Drawing, pairs: &mut Vec<Pair>) {
        let name = &text[method.name.clone()];
        let body = method.body as usize..nodes[method.body as usize].end as usize;
        let terminals = nodes[body.clone()].iter().filter(|it| it.role != Role::Inner).count();
        if terminals > MAX_TERMINALS {
            self.counts.long_methods += 1;
            return;
        }
        find_pairs(nodes, method.body, pairs);
        if pairs.is_empty() || sub_tokens(name).next().is_none() {
            self.counts.without_contexts += 1;
            return;
        }
        let key = self.key(text, &nodes[body], name);
        let left_out = draw(pairs, drawing.most, drawing.seed ^ key);
        let mut contexts = Vec::with_capacity(pairs.len());
        for pair in pairs.iter() {
            contexts.push(NumberedContext {
                from: self.terminal(text, &nodes[pair.from as usize], name),
                path: self.path(nodes, pair),
                to: self.terminal(text, &nodes[pair.to as usize], name),
            });
        }
        self.contexts.push(contexts);
        let words: Vec<u32> = sub_tokens(name).map(|it| self.word(&it)).collect();
        self.names.push(words);
        self.keys.push(MethodKey { key, left_out });
    }

    /// A hash of a method's name and the set of its terminals.
    fn key(&mut self, text: &'r str, body: &[FlatNode], name: &str) -> u64 {
        let terminals = body.iter().filter(|it| it.role != Role::Inner);
        let mut hashes: Vec<u64> = terminals
            .map(|it| {
                let number = self.terminal(text, it, name);
                self.terminal_hashes[number as usize]
            })
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        for word in sub_tokens(name) {
            self.hasher.text(&word);
        }
        for hash in hashes {
            self.hasher.number(hash);
        }
        self.hasher.finish()
    }

    /// The number of a terminal, without the name of the method if the method calls itself.
    fn terminal(&mut self, text: &'r str, node: &FlatNode, name: &str) -> u32 {
        let own = &text[Range::clone(&node.range)];
        let is_self = node.role == Role::OwnCall && own == name;
        let own = if is_self { OWN_NAME } else { own };
        if let Some(known) = self.terminal_numbers.get(own) {
            return *known;
        }
        let words: Vec<u32> = if is_self {
            vec![self.word(OWN_NAME)]
        } else {
            sub_tokens(own).take(MAX_WORDS).map(|it| self.word(&it)).collect()
        };
        if is_self {
            self.hasher.text(OWN_NAME);
        } else {
            for word in sub_tokens(own).take(MAX_WORDS) {
                self.hasher.text(&word);
            }
        }
        let number = narrow(self.terminal_hashes.len());
        self.terminal_hashes.push(self.hasher.finish());
        self.terminals.push(words);
        self.terminal_numbers.insert(own, number);
        number
    }

    fn word(&mut self, word: &str) -> u32 {
        let is_long = word.len() > MAX_WORD_BYTES;
        self.words.number(if is_long { LONG_WORD } else { word })
    }

    /// The number of the path between two terminals: `a^b_c` goes up from `a` to `b`, then down to `c`.
    fn path(&mut self, nodes: &[FlatNode], pair: &Pair) -> u32 {
        // Kinds have less than 12 bits, and a path has at most 8 nodes.
        let mut key = 1_u128;
        let mut kinds = [0_u16; 2 * 8];
        let (mut count, mut at) = (0, nodes[pair.from as usize].parent);
        loop {
            let node = &nodes[at as usize];
            kinds[count] = node.kind;
            count += 1;
            if at == pair.top {
                break;
            }
            at = node.parent;
        }
        let up = count;
        at = nodes[pair.to as usize].parent;
        while at != pair.top {
            kinds[count] = nodes[at as usize].kind;
            count += 1;
            at = nodes[at as usize].parent;
        }
        kinds[up..count].reverse();
        for kind in &kinds[..count] {
            key = key << 12 | u128::from(*kind);
        }
        key = key << 4 | up as u128;
        if let Some(known) = self.path_numbers.get(&key) {
            return *known;
        }
        let mut written = String::new();
        for (place, kind) in kinds[..count].iter().enumerate() {
            if place > 0 {
                written.push(if place < up { '^' } else { '_' });
            }
            written.push_str(kind_name(*kind));
        }
        let number = narrow(self.paths.len());
        self.paths.push(&written);
        self.path_numbers.insert(key, number);
        number
    }
}
