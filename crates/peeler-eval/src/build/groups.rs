//! Groups of test classes that share an inherited test, a superclass or an outermost class. A split of a corpus by
//! class or by family never divides the tests of a group.

use rustc_hash::FxHashMap;

use peeler_features::narrow;

/// Two ways to group the test classes of a project: by shared tests, and by shared superclasses.
#[derive(Default)]
pub(super) struct Relations {
    /// Groups of classes that inherit a test from the same class, or have the same outermost class.
    pub(super) twins: Groups,
    /// Groups of classes that share a superclass of the repository, or have the same outermost class.
    pub(super) families: Groups,
}

/// A union-find structure over classes. Classes that were joined, directly or through other classes, are in one group.
#[derive(Default)]
pub(super) struct Groups {
    parents: Vec<u32>,
    places: FxHashMap<String, u32>,
}

impl Groups {
    /// Joins the groups of some classes into one. Returns the number of the class that represents the joined group.
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

    /// The number of classes in all groups together. Classes are numbered from 0, so every class has a lower number
    /// than this.
    pub(super) fn count(&self) -> u32 {
        narrow(self.parents.len())
    }

    /// The number of the class that represents the group of the class with number `place`. Classes are numbered from 0,
    /// in the order of appearance.
    pub(super) fn root(&self, place: u32) -> u32 {
        let mut at = place;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        at
    }
}
