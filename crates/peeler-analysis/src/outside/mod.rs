//! What tests need outside the program: fixed ports, remote hosts, and files with fixed names.
//!
//! ```java
//! @Before public void start() throws IOException { server = new ServerSocket(8080); }    // PLR401
//! ```
//!
//! A constant is followed to the call that binds, connects or writes. It may pass through variables, fields, parameters
//! and constructors, in the test, its setup and the code that they call.
//!
//! Invariant: only a constant in the source makes a finding. A variable that several places assign has no known value.
//!
//! The modules form layers; each imports only those above it in this table.
//!
//! | layer | modules |
//! |---|---|
//! | values | `value`, `hosts`, `library_class`, `catalogue`, `judgement` |
//! | one body | `accepted`, `bodies`, `fields`, `evaluator`, `free_port`, `uses` |
//! | methods and tests | `summary_cache`, `summary`, `annotations`, this module |

mod accepted;
pub(crate) mod annotations;
mod bodies;
mod catalogue;
mod evaluator;
mod fields;
mod free_port;
mod hosts;
mod judgement;
mod library_class;
mod receiver;
mod summary;
mod summary_cache;
mod uses;
mod value;

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use self::annotations::fixed_ports;
use self::summary::Summaries;
use self::uses::FoundUse;
use crate::discovery::DiscoveredTest;
use crate::flows::flow::{FlowOrigin, FoundFlow, Site};
use crate::lifecycle::{setup_methods, setup_types};
use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;

/// Finds the fixed ports, remote hosts and fixed files that the tests of a repository use.
pub(crate) struct Outside<'i, 'r> {
    index: &'i Index<'r>,
    summaries: Summaries<'i, 'r>,
    /// For each class, the cached flows of its setup that use ports, hosts or files. All its tests share them.
    setups: RwLock<FxHashMap<TypeId, Arc<[FoundFlow]>>>,
}

impl<'i, 'r> Outside<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>) -> Self {
        Self {
            index,
            summaries: Summaries::new(index),
            setups: RwLock::default(),
        }
    }

    /// The flows of a test that uses a fixed port, a remote host or a fixed file.
    pub(crate) fn flows(&self, test: DiscoveredTest) -> Vec<FoundFlow> {
        let mut flows = fixed_ports(self.index, test);
        flows.extend_from_slice(&self.setup(test.class));
        if let Some(summary) = self.summaries.own_method(test.class, test.method) {
            let own = self.index.method(test.method).code.as_ref();
            let file = self.index.file_of(test.method.owner);
            let is_in_body =
                |site: Site| site.file == file && own.is_some_and(|it| (it.start..it.end).contains(&site.start));
            flows.extend(summary.found.iter().map(|it| {
                let origin = if is_in_body(it.source) {
                    FlowOrigin::Body
                } else {
                    FlowOrigin::Helper
                };
                flow(it, origin)
            }));
        }
        flows
    }

    fn setup(&self, class: TypeId) -> Arc<[FoundFlow]> {
        if let Some(known) = self.setups.read().expect("no holder panics").get(&class) {
            return known.clone();
        }
        let mut found = Vec::new();
        for id in setup_types(self.index, class) {
            let fields = self.summaries.own_initialisers(class, id);
            found.extend(
                fields
                    .iter()
                    .flat_map(|it| &it.found)
                    .map(|it| flow(it, FlowOrigin::Setup)),
            );
            for method in setup_methods(self.index, id) {
                // A setup method that is overridden does not run.
                if self.index.override_in(class, method) != method && !self.index.method(method).is_constructor {
                    continue;
                }
                let summary = self.summaries.own_method(class, method);
                found.extend(
                    summary
                        .iter()
                        .flat_map(|it| &it.found)
                        .map(|it| flow(it, FlowOrigin::Setup)),
                );
            }
        }
        let mut setups = self.setups.write().expect("no holder panics");
        setups.entry(class).or_insert_with(|| found.into()).clone()
    }
}

/// The flow of a call that uses a constant port, host or path. `own` is the origin of the flow if its source is in the
/// test's own classes.
fn flow(found: &FoundUse, own: FlowOrigin) -> FoundFlow {
    FoundFlow {
        rule: found.rule,
        what: found.what.clone(),
        source: found.source,
        steps: found.steps.clone(),
        oracle: None,
        origin: match found.depth {
            0 => own,
            depth => FlowOrigin::CodeUnderTest(depth),
        },
        settled_by: found.settled_by,
        is_sure: true,
    }
}
