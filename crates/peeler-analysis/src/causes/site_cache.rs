//! A cache of the causes of flakiness in each body, so that a body is scanned once for all tests that reach it.

use std::borrow::Cow;
use std::sync::Arc;

use super::catalogue::CauseCatalogue;
use super::collections::Orders;
use super::scan::sites;
use super::site::Site;
use crate::slots::Slots;
use crate::symbols::index::Index;
use crate::walk::Code;

/// For each body of a file, the places of causes in it, in the order of the source.
type SitesOfFile = Slots<Box<[Arc<Site>]>>;

/// A cache of the causes of flakiness in every body of every file, where they are the same for all tests.
pub(super) struct SiteCache<'a, 'r> {
    index: &'a Index<'r>,
    catalogue: &'a CauseCatalogue,
    files: Box<[SitesOfFile]>,
}

impl<'a, 'r> SiteCache<'a, 'r> {
    pub(super) fn new(index: &'a Index<'r>, catalogue: &'a CauseCatalogue) -> Self {
        Self {
            index,
            catalogue,
            files: index.files().map(|_| Slots::default()).collect(),
        }
    }

    pub(super) fn index(&self) -> &'a Index<'r> {
        self.index
    }

    pub(super) fn catalogue(&self) -> &'a CauseCatalogue {
        self.catalogue
    }

    /// The places of causes in a body, in the order of the source. `teardown` is the source of the teardown methods of
    /// the test class.
    pub(super) fn sites(&self, code: Code<'a, 'r>, teardown: &[&str]) -> Cow<'_, [Arc<Site>]> {
        let file = self.index.file_of(code.owner());
        let slot = self.index.slot_of(&self.files[file.0 as usize], file, code.body());
        if let Some(known) = slot.get() {
            return Cow::Borrowed(known);
        }
        let all = sites(&mut self.orders(), code, teardown);
        let found: Box<[Arc<Site>]> = all.found.into_iter().map(Arc::new).collect();
        if all.depend_on_teardown {
            return Cow::Owned(found.into_vec());
        }
        Cow::Borrowed(slot.get_or_init(|| found))
    }

    pub(super) fn orders(&self) -> Orders<'a, 'r> {
        Orders::new(self.catalogue, self.index)
    }
}
