//! Methods of libraries as numbers, from which a network learns to predict the name of a method from its body.
//!
//! ```java
//! int total() { return price + tax; }   // name: total; one context: price, the path between the two, tax
//! ```
//!
//! Every sub-token, path and terminal (a name or literal in a body) is stored once and numbered. There is no source
//! text besides single sub-tokens, and no order of the tokens of a body.

use crate::texts::{TextSet, narrow};

/// Lists of items in one piece of memory, numbered in the order in which they were added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lists<T> {
    items: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<T: Clone> Lists<T> {
    /// Adds a list after the others.
    pub fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.ends.push(self.items.len());
    }

    /// The list with this number.
    ///
    /// # Panics
    ///
    /// When there are not so many lists.
    #[must_use]
    pub fn get(&self, number: usize) -> &[T] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[number]]
    }

    /// The number of lists.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no list.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The items of all lists, in order.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }
}

/// Two terminals of a method body, which are names or literals, and the path between them in the syntax tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberedContext {
    /// The number of the terminal at which the path starts.
    pub from: u32,
    /// The number of the path.
    pub path: u32,
    /// The number of the terminal at which the path ends.
    pub to: u32,
}

/// Distinct methods of libraries: their names as sub-tokens, and the path contexts of their bodies.
#[derive(Debug, Default)]
pub struct NamedMethods {
    /// The sub-tokens of names and terminals, numbered.
    pub words: TextSet,
    /// The paths in syntax trees, numbered. `a^b_c` goes up from `a` to `b`, then down to `c`.
    pub paths: TextSet,
    /// For each terminal (a name or literal in a body), the numbers of its sub-tokens.
    pub terminals: Lists<u32>,
    /// The libraries that methods come from. The number of a library is its place in this list.
    pub libraries: Vec<String>,
    /// For each method, the number of its library.
    pub library: Vec<u32>,
    /// For each method, the numbers of the sub-tokens of its name.
    pub names: Lists<u32>,
    /// For each method, the path contexts of its body.
    pub contexts: Lists<NumberedContext>,
}

impl NamedMethods {
    /// The number of methods.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no method.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The number that the next library gets.
    #[must_use]
    pub fn next_library(&self) -> u32 {
        narrow(self.libraries.len())
    }
}

#[cfg(test)]
mod tests {
    use super::Lists;

    #[test]
    fn lists_keep_their_order_and_may_be_empty() {
        let mut lists = Lists::default();
        lists.push([3, 1]);
        lists.push([]);
        lists.push([2]);
        assert_eq!([lists.get(0), lists.get(1), lists.get(2)], [&[3, 1][..], &[], &[2]]);
        assert_eq!((lists.len(), lists.items()), (3, &[3, 1, 2][..]));
    }
}
