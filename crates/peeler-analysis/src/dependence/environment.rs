//! The definitions that variables may have at a point of a test.
//!
//! A reassignment replaces the definitions of a variable, and a change in place adds one. After a branch or a loop the
//! definitions of both branches are joined. Local variables belong to the body that declares them; fields are shared by
//! the test, its setup and its helpers.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::graph::NodeId;

/// The graph nodes that may define a variable at one point of a test.
pub(super) type Definitions = SmallVec<[NodeId; 2]>;

/// The maximum number of definitions that a variable has after branches are joined; the earliest are left out.
const MAX_JOINED: usize = 128;

/// The definitions of all variables at one point of a test.
#[derive(Debug, Clone, Default)]
pub(super) struct Environment<'r> {
    pub(super) locals: FxHashMap<&'r str, Definitions>,
    pub(super) fields: FxHashMap<&'r str, Definitions>,
}

impl<'r> Environment<'r> {
    /// The definitions of a variable; `None` if the variable is unknown.
    pub(super) fn definitions(&self, name: &str) -> Option<&Definitions> {
        self.locals.get(name).or_else(|| self.fields.get(name))
    }

    /// The number of variables and of their definitions: a measure of what a copy of the environment costs.
    pub(super) fn size(&self) -> usize {
        let maps = self.locals.values().chain(self.fields.values());
        maps.map(|it| 1 + it.len()).sum()
    }

    fn map_of(&mut self, name: &str) -> &mut FxHashMap<&'r str, Definitions> {
        if self.locals.contains_key(name) {
            &mut self.locals
        } else {
            &mut self.fields
        }
    }

    /// Declares a local variable with one definition, or with none if its node was left out of the graph.
    pub(super) fn declare_local(&mut self, name: &'r str, node: Option<NodeId>) {
        self.locals.insert(name, node.into_iter().collect());
    }

    /// Makes `node` the only definition of the variable `name`; without a node, no definition is left. The variable is
    /// a field if no local variable has this name.
    pub(super) fn redefine(&mut self, name: &'r str, node: Option<NodeId>) {
        self.map_of(name).insert(name, node.into_iter().collect());
    }

    /// Adds `node` to the graph nodes that may define a variable. `None`, for a node that was left out of the graph,
    /// adds nothing.
    pub(super) fn add_definition(&mut self, name: &'r str, node: Option<NodeId>) {
        let known = self.map_of(name).entry(name).or_default();
        if let Some(node) = node
            && !known.contains(&node)
        {
            known.push(node);
        }
    }

    /// The definitions that local variables have before a scope declares their names again. [`Self::leave`] restores
    /// them.
    pub(super) fn enter(&self, declared: impl Iterator<Item = &'r str>) -> Vec<(&'r str, Option<Definitions>)> {
        declared.map(|name| (name, self.locals.get(name).cloned())).collect()
    }

    /// Restores the definitions that local variables had before a scope declared their names again.
    pub(super) fn leave(&mut self, outside: Vec<(&'r str, Option<Definitions>)>) {
        for (name, definitions) in outside {
            match definitions {
                Some(definitions) => self.locals.insert(name, definitions),
                None => self.locals.remove(name),
            };
        }
    }

    /// Adds the definitions that variables have at the end of another branch of the code, such as an `else`.
    pub(super) fn join(&mut self, other: &Self) {
        join_maps(&mut self.locals, &other.locals);
        join_maps(&mut self.fields, &other.fields);
    }
}

fn join_maps<'r>(into: &mut FxHashMap<&'r str, Definitions>, from: &FxHashMap<&'r str, Definitions>) {
    for (name, definitions) in from {
        let known = into.entry(name).or_default();
        if known == definitions && known.is_sorted() {
            continue;
        }
        known.extend_from_slice(definitions);
        known.sort_unstable();
        known.dedup();
        // The latest definitions are the nearest.
        if known.len() > MAX_JOINED {
            let excess = known.len() - MAX_JOINED;
            known.drain(..excess);
        }
    }
}
