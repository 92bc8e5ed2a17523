//! Groups of related classes. A split by class or by family never divides the tests of a group.

use rustc_hash::FxHashMap;

use peeler_features::narrow;

/// Two partitions of the classes of a corpus, by different relations.
#[derive(Default)]
pub(super) struct Relations {
    /// Groups of classes that share a test, such as an inherited one.
    pub(super) twins: Groups,
    /// Groups of classes that share a superclass.
    pub(super) families: Groups,
}

/// A union-find structure over classes: classes that are related, directly or indirectly, are in one set.
#[derive(Default)]
pub(super) struct Groups {
    parents: Vec<u32>,
    places: FxHashMap<String, u32>,
}

impl Groups {
    /// Joins the sets of some classes. Returns the number of one class of the joined set.
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

    /// The number of classes, which is greater than the number of any group.
    pub(super) fn count(&self) -> u32 {
        narrow(self.parents.len())
    }

    /// The representative of the group of a class, for the class with number `place`.
    pub(super) fn root(&self, place: u32) -> u32 {
        let mut at = place;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        at
    }
}
