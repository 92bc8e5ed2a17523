//! A cheap check of a body that tells whether it is worthwhile to scan it for causes of flakiness.

use super::catalogue::CauseCatalogue;
use super::class_name::owner_of;
use crate::symbols::index::Index;
use crate::walk::Code;

/// The result of a cheap check whether a body can contain a cause of flakiness at all. Most bodies cannot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prefilter {
    /// Whether a loop or a call of the body may depend on the order of a collection. If so, a scan must track which
    /// variables hold unordered collections.
    pub(super) needs_order: bool,
    /// Whether the body calls a method of a class that the catalogue of causes has entries for.
    pub(super) calls_known_classes: bool,
}

impl Prefilter {
    /// Checks the names and declaring classes of the methods that a body calls, and whether it contains the word `for`.
    pub(super) fn of<'r>(index: &Index<'r>, catalogue: &CauseCatalogue, code: Code<'_, 'r>) -> Self {
        let collections = catalogue.collections();
        let file = index.file_of(code.owner());
        let mut prefilter = Self {
            needs_order: may_loop(code.body().source()),
            calls_known_classes: false,
        };
        for (site, target) in code.body().get().calls.iter().zip(code.targets(index)) {
            prefilter.needs_order |= collections.use_of(site.name).is_some();
            if let Some(owner) = owner_of(index, *target, file) {
                prefilter.needs_order |= collections.copy(index, owner, site.name).is_some();
                prefilter.calls_known_classes |= catalogue.has_calls_of(owner);
            }
        }
        prefilter
    }

    /// Whether the body can contain a cause of flakiness, so that it has to be scanned.
    pub(super) fn passes(self) -> bool {
        self.needs_order || self.calls_known_classes
    }
}

/// Whether a source text contains the word `for`, even in a comment or a string.
fn may_loop(source: &str) -> bool {
    let is_part_of_a_name = |byte: Option<&u8>| byte.is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    let bytes = source.as_bytes();
    let mut places = memchr::memmem::find_iter(bytes, "for");
    places.any(|at| !is_part_of_a_name(bytes[..at].last()) && !is_part_of_a_name(bytes.get(at + 3)))
}
