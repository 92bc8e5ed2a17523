//! Flows of nondeterminism: from a source to the assertion that notices it.
//!
//! ```java
//! Map<String, Integer> ages = new HashMap<>();                  // source: a HashMap has no defined order
//! ages.put("ann", 1); ages.put("bob", 2);
//! assertEquals("{ann=1, bob=2}", ages.toString());              // oracle: text notices order -> PLR101
//! ```
//!
//! [`FlowFinder`] combines five independent analyses. `interpreter/` follows values, and `timing/` follows threads and
//! waits. `outside/` finds ports, hosts and files. `shared_state/` finds state that tests read and leave changed, and
//! `practice/` reads declarations.
//!
//! Invariant: a flow names code of the repository. Disabled tests have no flows.

mod finder;
pub(crate) mod flow;

pub use self::finder::{FlowFinder, TestFlows};
pub use self::flow::{Flow, FlowOrigin, FlowStep};
