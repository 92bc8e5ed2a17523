//! Searches bodies for causes of flakiness: those of a test's own classes, of its setup, and of the code that these
//! call.

use std::sync::Arc;

use super::site::Site;
use super::site_cache::SiteCache;
use super::statics::{setup_and_teardown, static_writes, teardown};
use crate::symbols::index::{MethodId, TypeId};
use crate::walk::{CallWalk, Callee, ReachedBody, WalkLimits};

/// The place of a cause of flakiness, with the calls that lead to it.
#[derive(Debug, Clone)]
pub(super) struct FoundSite {
    pub(super) site: Arc<Site>,
    /// The number of nested calls between the test's own classes and the place of the cause.
    pub(super) depth: usize,
    /// The called methods that lead from the start of the search to the place of the cause, outermost first. The body
    /// of the last one contains the place.
    pub(super) via: Vec<Callee>,
    /// For a search in several methods, the index of the method that leads to the cause, in the list given to
    /// [`search_callees`]. Zero for a search in a test or its setup.
    pub(super) root: usize,
}

/// The causes that a search of method bodies found, and how many bodies it left out.
#[derive(Debug, Clone, Default)]
pub(super) struct FoundSites {
    /// The places of causes, those with the fewest calls between test and cause first.
    pub(super) sites: Vec<FoundSite>,
    /// The number of method bodies that were not searched for causes because too many can be reached.
    pub(super) dropped_bodies: usize,
}

/// The places of causes in a test method and in the helper methods of its classes.
pub(super) fn search_test(cache: &SiteCache<'_, '_>, class: TypeId, method: MethodId) -> FoundSites {
    let index = cache.index();
    let restoring = setup_and_teardown(index, class);
    let walk = CallWalk::of_test(index, class, method, WalkLimits::of_causes(0));
    search(cache, class, walk, |body| {
        let scope = cache.orders().bare_scope_of(body.code);
        static_writes(index, class, &scope, body.code.body().get(), &restoring)
    })
}

/// The places of causes in the setup of a class, and in the code that the setup calls.
///
/// The setup consists of fields, initialisers, setup and teardown of the class, its superclasses and enclosing classes.
pub(super) fn search_setup(cache: &SiteCache<'_, '_>, class: TypeId, deepest: usize) -> FoundSites {
    let walk = CallWalk::of_setup(cache.index(), class, WalkLimits::of_causes(deepest));
    search(cache, class, walk, |_| Vec::new())
}

/// The places of causes in the methods `callees`, which a test of `class` calls, and in code that these call.
pub(super) fn search_callees(
    cache: &SiteCache<'_, '_>,
    class: TypeId,
    callees: &[Callee],
    deepest: usize,
) -> FoundSites {
    let walk = CallWalk::of_callees(cache.index(), class, callees, WalkLimits::of_causes(deepest));
    search(cache, class, walk, |_| Vec::new())
}

/// The places of causes in all bodies that `walk` visits. `more_sites` finds those that are not calls, such as writes
/// to static fields.
fn search<'i, 'r>(
    cache: &SiteCache<'i, 'r>,
    class: TypeId,
    mut walk: CallWalk<'i, 'r>,
    more_sites: impl Fn(&ReachedBody<'i, 'r>) -> Vec<Site>,
) -> FoundSites {
    let teardown = teardown(cache.index(), class);
    let mut found = Vec::new();
    while let Some(body) = walk.next() {
        let writes = more_sites(&body).into_iter().map(Arc::new);
        // All sites except those of static state come from calls.
        let known = if body.may_call {
            cache.sites(body.code, &teardown)
        } else {
            [].as_slice().into()
        };
        for site in writes.chain(known.iter().cloned()) {
            found.push(FoundSite {
                site,
                depth: body.depth,
                via: walk.callees_to(&body),
                root: body.root,
            });
        }
    }
    found.sort_by_key(|it| it.depth);
    FoundSites {
        sites: found,
        dropped_bodies: walk.remaining_bodies(),
    }
}
