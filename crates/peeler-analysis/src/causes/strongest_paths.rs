//! The contextual paths of a test that a report shows: the causes on them, and the code that they call.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use super::oracle::Oracle;
use super::search::FoundSite;
use super::site::Site;
use crate::extraction::Span;
use crate::graph::{Cut, Edge};
use crate::paths::Path;
use crate::symbols::index::Index;
use crate::traced::TracedTest;
use crate::walk::Callee;

/// The contextual paths of a test on which causes are searched, those with the highest weights first.
pub(super) struct StrongestPaths<'t, 'r, 'x> {
    index: &'t Index<'r>,
    traced: &'t TracedTest<'x>,
    numbers: Vec<usize>,
    /// For each contextual path, whether the assertion at its end would notice another order of elements. Computed on
    /// demand: few tests need it.
    see_order: OnceCell<Vec<bool>>,
    /// The methods called on contextual paths whose assertion would notice another order of elements.
    seen_in_order: OnceCell<FxHashSet<Callee>>,
}

impl<'t, 'r, 'x> StrongestPaths<'t, 'r, 'x> {
    /// The contextual paths of a test whose indices are `paths`, in that order. Indices of paths that do not exist are
    /// ignored.
    pub(super) fn new(index: &'t Index<'r>, traced: &'t TracedTest<'x>, paths: &[usize]) -> Self {
        let known = paths.iter().copied().filter(|at| *at < traced.path_count());
        Self {
            index,
            traced,
            numbers: known.collect(),
            see_order: OnceCell::new(),
            seen_in_order: OnceCell::new(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &'t Path> {
        self.numbers.iter().map(|at| &self.traced.paths.paths[*at])
    }

    fn edge(&self, at: u32) -> &'t Edge<'x> {
        &self.traced.edges[at as usize]
    }

    /// For each contextual path, whether the assertion at its end would notice another order of elements.
    fn see_order(&self) -> &[bool] {
        self.see_order.get_or_init(|| {
            let oracle = Oracle::new(self.index, self.traced);
            self.iter().map(|it| oracle.sees_order(it)).collect()
        })
    }

    /// Whether a contextual path that calls the method `code` ends in an assertion that would notice another order of
    /// elements.
    pub(super) fn see_order_of(&self, code: Callee) -> bool {
        let seen = self.seen_in_order.get_or_init(|| {
            let paths = self.iter().zip(self.see_order()).filter(|(_, sees_order)| **sees_order);
            paths
                .flat_map(|(path, _)| &path.edges)
                .flat_map(|it| self.codes(*it))
                .collect()
        });
        seen.contains(&code)
    }

    /// Removes the causes that lie on a contextual path from `found` and returns them in the order of the paths.
    pub(super) fn take_on_path(&self, found: &mut Vec<FoundSite>) -> Vec<FoundSite> {
        let mut places: Vec<(usize, FoundSite)> = Vec::new();
        let mut rest = Vec::new();
        for it in found.drain(..) {
            match self.place(&it) {
                Some(place) => places.push((place, it)),
                None => rest.push(it),
            }
        }
        places.sort_by_key(|(place, _)| *place);
        *found = rest;
        places.into_iter().map(|(_, it)| it).collect()
    }

    /// The position of a cause on the contextual paths, counted over their nodes and edges; `None` if it lies on none.
    fn place(&self, found: &FoundSite) -> Option<usize> {
        let site = &found.site;
        let is_on_edge = |at: &u32| {
            let operation = &self.edge(*at).operation;
            (operation.file, operation.at) == (site.file, site.at)
        };
        let mut passed = 0;
        for (at, path) in self.iter().enumerate() {
            let node = self.traced.nodes_of(path).position(|it| self.is_on_node(site, it));
            let edge = path.edges.iter().position(is_on_edge);
            let on_path = [node.map(|it| 2 * it), edge.map(|it| 2 * it + 1)];
            if let Some(place) = on_path.into_iter().flatten().min()
                && (!site.is_order() || self.see_order()[at])
            {
                return Some(passed + place);
            }
            passed += 2 * path.edges.len() + 1;
        }
        None
    }

    fn is_on_node(&self, site: &Site, node: usize) -> bool {
        let node = &self.traced.nodes[node];
        if node.file != site.file {
            return false;
        }
        let span = Span::of(self.index, node);
        span.start <= site.at && site.at < span.end
    }

    /// The methods of the repository that edges of the contextual paths call, in the order of the paths, each once.
    pub(super) fn callees(&self) -> Vec<Callee> {
        let mut roots = Vec::new();
        let mut known: FxHashSet<Callee> = FxHashSet::default();
        // Many paths share an edge.
        let mut passed = vec![false; self.traced.edges.len()];
        for &edge in self.iter().flat_map(|it| &it.edges) {
            if !std::mem::replace(&mut passed[edge as usize], true) {
                roots.extend(self.codes(edge).filter(|it| known.insert(*it)));
            }
        }
        roots
    }

    /// The method of the repository that an edge of the dependency graph calls, with its implementations.
    fn codes(&self, edge: u32) -> impl Iterator<Item = Callee> {
        let (declared, implementations) = match self.edge(edge).operation.cut {
            Cut::No => (None, &[][..]),
            Cut::Type(id) => (Some(Callee::ImplicitConstructor(id)), &[][..]),
            Cut::Method(id) => (Some(Callee::Method(id)), self.index.implementations(id)),
        };
        declared
            .into_iter()
            .chain(implementations.iter().copied().map(Callee::Method))
    }
}
