//! Batches of methods as indices of rows, in few distinct shapes.
//!
//! Each terminal and path of a batch occurs once; contexts refer to them by index. The numbers of methods, contexts,
//! terminals and paths are rounded up, because a GPU prepares its programs anew for every shape.

use peeler_features::{NamedMethods, narrow};
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::vocabulary::RowNumbers;
use crate::batch::PADDING_SCORE;

/// The number of sub-tokens of a terminal that a batch has room for, as the extraction yields at most.
pub(super) const TERMINAL_WORDS: usize = 6;
/// The number of sub-tokens of a name that a batch has room for. The rest of a longer name is not learned.
pub(super) const NAME_WORDS: usize = 12;
/// The fewest contexts of a method that a batch has room for.
const FEWEST_CONTEXTS: usize = 8;

/// The methods of a batch, with the shape that it is padded to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    /// The numbers of the methods.
    pub(super) methods: Vec<u32>,
    /// The number of methods that the batch has room for.
    rows: usize,
    /// The number of contexts of a method that the batch has room for.
    contexts: usize,
}

/// Divides methods into batches of at most `most` methods with similar numbers of contexts. With a random number
/// generator, methods and batches are shuffled.
pub(super) fn plans(
    methods: &NamedMethods,
    mut chosen: Vec<u32>,
    most: usize,
    mut random: Option<&mut ChaCha8Rng>,
) -> Vec<Plan> {
    if let Some(random) = &mut random {
        chosen.shuffle(*random);
    }
    let count = |it: &u32| methods.contexts.get(*it as usize).len();
    let largest = chosen.iter().map(count).max().unwrap_or(0);
    let room = |it: &u32| count(it).next_power_of_two().max(FEWEST_CONTEXTS).min(largest.max(1));
    // The sort is stable, so shuffled methods stay shuffled among those with as much room.
    chosen.sort_by_key(room);
    let mut plans: Vec<Plan> = Vec::new();
    for same in chosen.chunk_by(|a, b| room(a) == room(b)) {
        for part in same.chunks(most) {
            plans.push(Plan {
                rows: part.len().next_power_of_two().min(most),
                contexts: room(&part[0]),
                methods: part.to_vec(),
            });
        }
    }
    if let Some(random) = random {
        plans.shuffle(random);
    }
    plans
}

/// The numbers of a batch, ready for a device.
#[derive(Debug, Default, PartialEq)]
pub(super) struct NameBatch {
    /// The number of methods with padding.
    pub(super) rows: usize,
    /// The number of methods without padding.
    pub(super) methods: usize,
    /// The number of contexts of a method with padding.
    pub(super) contexts: usize,
    /// For each terminal, the rows of its sub-tokens; `TERMINAL_WORDS` of them.
    pub(super) terminal_words: Vec<u32>,
    /// The weights of the sub-tokens of the terminals. They add up to one, or are zero for padding.
    pub(super) word_weights: Vec<f32>,
    /// For each path, its row.
    pub(super) path_rows: Vec<u32>,
    /// For each context, the indices of its first terminal, its path and its second terminal.
    pub(super) columns: [Vec<u32>; 3],
    /// For each context, zero or [`PADDING_SCORE`].
    pub(super) padding: Vec<f32>,
    /// For each method, the targets in its name; `NAME_WORDS` of them.
    pub(super) targets: Vec<i32>,
    /// The weights of the targets. They add up to one for a method whose name has a target, else they are zero.
    pub(super) target_weights: Vec<f32>,
    /// For each method, one, or zero for padding.
    pub(super) is_method: Vec<f32>,
}

/// Numbers things of a batch in the order in which they occur.
#[derive(Debug, Default)]
struct Numbering {
    /// For each thing, the batch that it occurred in last.
    batches: Vec<u32>,
    /// For each thing, its number in that batch.
    numbers: Vec<u32>,
    /// The things of the present batch.
    list: Vec<u32>,
}

impl Numbering {
    fn of(count: usize) -> Self {
        Self {
            batches: vec![0; count],
            numbers: vec![0; count],
            list: Vec::new(),
        }
    }

    fn number(&mut self, thing: u32, batch: u32) -> u32 {
        let at = thing as usize;
        if std::mem::replace(&mut self.batches[at], batch) != batch {
            self.numbers[at] = narrow(self.list.len());
            self.list.push(thing);
        }
        self.numbers[at]
    }
}

/// Named methods with the rows of their words and paths.
#[derive(Clone, Copy)]
pub(super) struct NumberedMethods<'d> {
    /// The methods.
    pub(super) methods: &'d NamedMethods,
    /// The rows of the methods' words and paths.
    pub(super) rows: &'d RowNumbers,
    /// The number of sub-tokens that names are predicted from.
    pub(super) targets: usize,
}

impl NumberedMethods<'_> {
    /// The distinct targets in the name of a method, sorted. Target `i` is the sub-token of row `i + 1`.
    pub(super) fn targets_of(self, method: u32) -> Vec<u32> {
        let words = self.methods.names.get(method as usize).iter();
        let mut targets: Vec<u32> = words
            .map(|it| self.rows.words[*it as usize])
            .filter(|row| (1..=self.targets).contains(&(*row as usize)))
            .map(|row| row - 1)
            .collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}

/// Makes batches of named methods, one after the other.
pub(super) struct BatchMaker {
    terminals: Numbering,
    paths: Numbering,
    made: u32,
}

impl BatchMaker {
    /// A maker of batches of these methods.
    pub(super) fn new(methods: &NamedMethods) -> Self {
        Self {
            terminals: Numbering::of(methods.terminals.len()),
            paths: Numbering::of(methods.paths.len()),
            made: 0,
        }
    }

    /// The batch of a plan. `dropout` is the share of contexts to leave out, with the generator that chooses them.
    pub(super) fn batch(
        &mut self,
        source: NumberedMethods<'_>,
        plan: &Plan,
        mut dropout: Option<(f32, &mut ChaCha8Rng)>,
    ) -> NameBatch {
        self.made += 1;
        self.terminals.list.clear();
        self.paths.list.clear();
        let places = plan.rows * plan.contexts;
        let mut batch = NameBatch {
            rows: plan.rows,
            methods: plan.methods.len(),
            contexts: plan.contexts,
            columns: [(); 3].map(|()| vec![0; places]),
            padding: vec![PADDING_SCORE; places],
            targets: vec![0; plan.rows * NAME_WORDS],
            target_weights: vec![0.0; plan.rows * NAME_WORDS],
            is_method: vec![0.0; plan.rows],
            ..NameBatch::default()
        };
        for (row, method) in plan.methods.iter().enumerate() {
            batch.is_method[row] = 1.0;
            let contexts = source.methods.contexts.get(*method as usize);
            let start = row * plan.contexts;
            let mut place = start;
            for (at, context) in contexts.iter().enumerate() {
                let is_last = at + 1 == contexts.len() && place == start;
                let is_dropped = dropout
                    .as_mut()
                    .is_some_and(|(share, random)| random.random::<f32>() < *share);
                if is_dropped && !is_last {
                    continue;
                }
                batch.columns[0][place] = self.terminals.number(context.from, self.made);
                batch.columns[1][place] = self.paths.number(context.path, self.made);
                batch.columns[2][place] = self.terminals.number(context.to, self.made);
                batch.padding[place] = 0.0;
                place += 1;
            }
            let targets = source.targets_of(*method);
            let targets = &targets[..targets.len().min(NAME_WORDS)];
            for (place, target) in targets.iter().enumerate() {
                batch.targets[row * NAME_WORDS + place] = index(*target);
                #[allow(clippy::cast_precision_loss)]
                let weight = 1.0 / targets.len() as f32;
                batch.target_weights[row * NAME_WORDS + place] = weight;
            }
        }
        self.add_words(source, &mut batch);
        let rows = self.paths.list.iter().map(|it| source.rows.paths[*it as usize]);
        batch.path_rows = rows.collect();
        batch.path_rows.resize(rounded_up(batch.path_rows.len()), 0);
        batch
    }

    fn add_words(&self, source: NumberedMethods<'_>, batch: &mut NameBatch) {
        let count = rounded_up(self.terminals.list.len());
        batch.terminal_words = vec![0; count * TERMINAL_WORDS];
        batch.word_weights = vec![0.0; count * TERMINAL_WORDS];
        for (at, terminal) in self.terminals.list.iter().enumerate() {
            let words = source.methods.terminals.get(*terminal as usize);
            let words = &words[..words.len().min(TERMINAL_WORDS)];
            #[allow(clippy::cast_precision_loss)]
            let weight = 1.0 / words.len().max(1) as f32;
            for (place, word) in words.iter().enumerate() {
                batch.terminal_words[at * TERMINAL_WORDS + place] = source.rows.words[*word as usize];
                batch.word_weights[at * TERMINAL_WORDS + place] = weight;
            }
        }
    }
}

/// A number that is at most a quarter larger than `count` and has few bits, so that few distinct numbers occur.
fn rounded_up(count: usize) -> usize {
    let step = (count.next_power_of_two() / 8).max(16);
    count.max(1).next_multiple_of(step)
}

fn index(place: u32) -> i32 {
    i32::try_from(place).expect("batches have fewer than two billion of anything")
}
