//! The abstract interpreter: follows values that can come out differently to the assertions that notice them.

use crate::assertions::ExtraAssertion;
use crate::discovery::DiscoveredTest;
use crate::flows::flow::FoundFlow;
use crate::symbols::index::Index;

/// The interpreter of a repository.
pub(crate) struct Interpreter<'i, 'r> {
    pub(crate) index: &'i Index<'r>,
    pub(crate) assertions: &'i [ExtraAssertion],
}

impl<'i, 'r> Interpreter<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>, assertions: &'i [ExtraAssertion]) -> Self {
        Self { index, assertions }
    }

    /// The flows of a test.
    pub(crate) fn flows(&self, _test: DiscoveredTest) -> Vec<FoundFlow> {
        Vec::new()
    }
}
