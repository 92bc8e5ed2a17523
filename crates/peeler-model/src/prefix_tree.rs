//! Common prefixes of contextual paths, so that the LSTM reads each only once.
//!
//! The paths `a b c` and `a b d` have four distinct prefixes, so they take four LSTM steps and not six.

use rustc_hash::FxHashMap;

use crate::batch::Batch;
use peeler_features::narrow;

/// The distinct prefixes of the contextual paths of a batch, as a tree. An LSTM reads each prefix only once.
pub(crate) struct PrefixTree {
    /// The distinct path prefixes by length: first those of one step, then those of two steps, and so on.
    pub(crate) levels: Vec<Level>,
}

/// The distinct prefixes of one length of the contextual paths of a batch.
#[derive(Default)]
pub(crate) struct Level {
    /// For each path prefix of this length, its last step, as an index among the distinct steps of the batch.
    ///
    /// A step is a tuple of node and edge.
    pub(crate) tuples: Vec<u32>,
    /// For each path prefix, the index in `parents` of its parent, which is the prefix without its last step.
    pub(crate) parent_of: Vec<u32>,
    /// The distinct parents of the path prefixes of this length, as indices into the previous level.
    ///
    /// The parent of a prefix is the prefix without its last step.
    pub(crate) parents: Vec<u32>,
    /// The paths of the batch that have exactly this length, each with the index of the prefix that is the whole path.
    ///
    /// Paths are given as indices among all paths of the batch, which are sorted by length.
    pub(crate) ends: Vec<(u32, u32)>,
}

impl PrefixTree {
    /// Builds the tree of prefixes of the contextual paths of a batch.
    pub(crate) fn new(batch: &Batch) -> Self {
        let mut levels: Vec<Level> = Vec::with_capacity(batch.active.len());
        let mut places: Vec<u32> = Vec::new();
        let mut start = 0;
        for (time, &active) in batch.active.iter().enumerate() {
            let mut level = Level::default();
            let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            let mut known_parents: FxHashMap<u32, u32> = FxHashMap::default();
            let longer = batch.active.get(time + 1).copied().unwrap_or(0);
            for path in 0..active {
                let tuple = batch.steps[start + path];
                let parent = places.get(path).copied().unwrap_or(0);
                let place = *known.entry((parent, tuple)).or_insert_with(|| {
                    level.tuples.push(tuple);
                    let parent_of = *known_parents.entry(parent).or_insert_with(|| {
                        level.parents.push(parent);
                        narrow(level.parents.len() - 1)
                    });
                    level.parent_of.push(parent_of);
                    narrow(level.tuples.len() - 1)
                });
                if time == 0 {
                    places.push(place);
                } else {
                    places[path] = place;
                }
                if path >= longer {
                    level.ends.push((narrow(path), place));
                }
            }
            start += active;
            levels.push(level);
        }
        Self { levels }
    }
}
