//! Practices that hide or cause flakiness and that show in declarations or in single assertions.
//!
//! ```java
//! @Test(successPercentage = 80) public void mostlyWorks() { .. }    // PLR601
//! ```
//!
//! Invariant: what a class declares is read once for all its tests. Whether a test is disabled is decided in
//! [`crate::disabled`].

mod catalogue;
mod contexts;
mod field_uses;
mod float_equality;
mod floats;
mod lifecycles;
mod retries;

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use self::contexts::dirtied_context;
use self::float_equality::float_comparisons;
use self::lifecycles::lifecycle_flows;
use self::retries::retry;
use crate::assertions::ExtraAssertion;
use crate::discovery::DiscoveredTest;
use crate::flows::flow::{FlowOrigin, FoundFlow};
use crate::lifecycle::own_class;
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;

/// Finds flows of the rules about test practices, such as retries and unordered setup methods.
pub(crate) struct Practice<'i, 'r> {
    index: &'i Index<'r>,
    assertions: &'i [ExtraAssertion],
    /// For each test class, the flows of its setup and teardown methods, which all its tests share.
    lifecycles: RwLock<FxHashMap<TypeId, Arc<[FoundFlow]>>>,
    /// For each helper method, the flows of its floating-point comparisons, which all tests that call it share.
    helpers: RwLock<FxHashMap<MethodId, Arc<[FoundFlow]>>>,
}

impl<'i, 'r> Practice<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>, assertions: &'i [ExtraAssertion]) -> Self {
        Self {
            index,
            assertions,
            lifecycles: RwLock::default(),
            helpers: RwLock::default(),
        }
    }

    /// The flows of a test that the rules about test practices report, such as retries.
    pub(crate) fn flows(&self, test: DiscoveredTest) -> Vec<FoundFlow> {
        let mut flows: Vec<FoundFlow> = retry(self.index, test).into_iter().collect();
        flows.extend(dirtied_context(self.index, test));
        let lifecycle = cached(&self.lifecycles, test.class, || lifecycle_flows(self.index, test.class));
        flows.extend_from_slice(&lifecycle);
        flows.extend(float_comparisons(
            self.index,
            self.assertions,
            test.method,
            FlowOrigin::Body,
        ));
        for target in method_targets(self.index, test.method) {
            if let Target::Declared(id) = *target
                && own_class(self.index, test.class, id.owner).is_some()
                && !self.index.method(id).is_constructor
            {
                let helper = cached(&self.helpers, id, || {
                    float_comparisons(self.index, self.assertions, id, FlowOrigin::Helper)
                });
                flows.extend_from_slice(&helper);
            }
        }
        flows
    }
}

/// The flows that the cache `known` holds for a key, computed by `compute` on the first request.
fn cached<K: std::hash::Hash + Eq + Copy>(
    known: &RwLock<FxHashMap<K, Arc<[FoundFlow]>>>,
    key: K,
    compute: impl FnOnce() -> Vec<FoundFlow>,
) -> Arc<[FoundFlow]> {
    if let Some(found) = known.read().expect("no holder panics").get(&key) {
        return found.clone();
    }
    let found = compute();
    let mut known = known.write().expect("no holder panics");
    known.entry(key).or_insert_with(|| found.into()).clone()
}
