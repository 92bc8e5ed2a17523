//! Which definitions a variable may have at a point of a test.
//!
//! A reassignment replaces the definitions, a change in place adds one, and after a branch or a loop
//! the definitions of both ways are joined. Local variables belong to the body that declares them;
//! fields are shared by the test, its setup and the helpers that it follows.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::graph::NodeId;

/// The nodes that define a variable here.
pub(super) type Definitions = SmallVec<[NodeId; 2]>;

#[derive(Debug, Clone, Default)]
pub(super) struct Environment<'r> {
    pub(super) locals: FxHashMap<&'r str, Definitions>,
    pub(super) fields: FxHashMap<&'r str, Definitions>,
}

impl<'r> Environment<'r> {
    pub(super) fn definitions(&self, name: &str) -> Option<&Definitions> {
        self.locals.get(name).or_else(|| self.fields.get(name))
    }

    fn map_of(&mut self, name: &str) -> &mut FxHashMap<&'r str, Definitions> {
        if self.locals.contains_key(name) {
            &mut self.locals
        } else {
            &mut self.fields
        }
    }

    /// Declares a local variable with one definition, or with none where its node was left out.
    pub(super) fn declare_local(&mut self, name: &'r str, node: Option<NodeId>) {
        self.locals.insert(name, node.into_iter().collect());
    }

    /// Replaces the definitions of a variable that is already known, or of a field.
    pub(super) fn redefine(&mut self, name: &'r str, node: Option<NodeId>) {
        self.map_of(name).insert(name, node.into_iter().collect());
    }

    /// Adds a definition beside the others.
    pub(super) fn add_definition(&mut self, name: &'r str, node: Option<NodeId>) {
        let known = self.map_of(name).entry(name).or_default();
        if let Some(node) = node
            && !known.contains(&node)
        {
            known.push(node);
        }
    }

    /// Remembers what the names mean outside a scope that declares them anew.
    pub(super) fn enter(&self, declared: impl Iterator<Item = &'r str>) -> Vec<(&'r str, Option<Definitions>)> {
        declared.map(|name| (name, self.locals.get(name).cloned())).collect()
    }

    /// Gives the names back what they meant outside.
    pub(super) fn leave(&mut self, outside: Vec<(&'r str, Option<Definitions>)>) {
        for (name, definitions) in outside {
            match definitions {
                Some(definitions) => self.locals.insert(name, definitions),
                None => self.locals.remove(name),
            };
        }
    }

    /// Joins the definitions of another way to the same point.
    pub(super) fn join(&mut self, other: &Self) {
        join_maps(&mut self.locals, &other.locals);
        join_maps(&mut self.fields, &other.fields);
    }
}

fn join_maps<'r>(into: &mut FxHashMap<&'r str, Definitions>, from: &FxHashMap<&'r str, Definitions>) {
    for (name, definitions) in from {
        let known = into.entry(name).or_default();
        for node in definitions {
            if !known.contains(node) {
                known.push(*node);
            }
        }
        known.sort_unstable();
    }
}
