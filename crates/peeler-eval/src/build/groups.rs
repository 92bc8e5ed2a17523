//! Which tests a split must not divide: those of related classes.

use rustc_hash::FxHashMap;

use peeler_features::narrow;

/// What must not be divided, narrowly and widely understood.
#[derive(Default)]
pub(super) struct Relations {
    pub(super) twins: Groups,
    pub(super) families: Groups,
}

/// Classes that are related, directly or through others, form one group.
#[derive(Default)]
pub(super) struct Groups {
    parents: Vec<u32>,
    places: FxHashMap<String, u32>,
}

impl Groups {
    /// The group of a test whose class is related to all of these.
    pub(super) fn join(&mut self, related: &[String]) -> u32 {
        let mut joined = None;
        for class in related {
            let next = narrow(self.parents.len());
            let place = *self.places.entry(class.clone()).or_insert(next);
            if place == next {
                self.parents.push(next);
            }
            let root = self.root(place);
            match joined {
                None => joined = Some(root),
                Some(known) => self.parents[root as usize] = known,
            }
        }
        joined.unwrap_or_default()
    }

    /// How many numbers were given to groups.
    pub(super) fn count(&self) -> u32 {
        narrow(self.parents.len())
    }

    pub(super) fn root(&self, place: u32) -> u32 {
        let mut at = place;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        at
    }
}
