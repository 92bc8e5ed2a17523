//! What paths have in common: two paths `a b c` and `a b d` take four steps, not six.

use rustc_hash::FxHashMap;

use crate::batch::Batch;
use crate::dataset::narrow;

/// Paths as a tree of common beginnings, level by level.
pub(crate) struct PrefixTree {
    pub(crate) levels: Vec<Level>,
}

/// The distinct beginnings of one length.
#[derive(Default)]
pub(crate) struct Level {
    /// The tuple that each ends with,
    pub(crate) tuples: Vec<u32>,
    /// the place of the rest of it among the parents,
    pub(crate) parent_of: Vec<u32>,
    /// which are the beginnings of the level before that go on, by their places there,
    pub(crate) parents: Vec<u32>,
    /// and the paths that are no longer than it.
    pub(crate) ends: Vec<(u32, u32)>,
}

impl PrefixTree {
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
