//! Groups of related classes, whose tests no split may divide.

use rustc_hash::FxHashMap;

use peeler_features::narrow;

/// Groups of classes by two relations.
#[derive(Default)]
pub(super) struct Relations {
    /// Classes that have a test in common.
    pub(super) twins: Groups,
    /// Classes that have a superclass in common.
    pub(super) families: Groups,
}

/// Disjoint sets of classes: classes that are related, directly or through others, are in one set.
#[derive(Default)]
pub(super) struct Groups {
    parents: Vec<u32>,
    places: FxHashMap<String, u32>,
}

impl Groups {
    /// Joins the sets of some classes, and returns the number of a member of the joined set.
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

    /// The number of classes; numbers of groups are below it.
    pub(super) fn count(&self) -> u32 {
        narrow(self.parents.len())
    }

    /// The number that stands for the group of a class.
    pub(super) fn root(&self, place: u32) -> u32 {
        let mut at = place;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        at
    }
}
