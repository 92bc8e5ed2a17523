//! Causes: the sources of nondeterminism that a test touches, with the line of each.
//!
//! ```java
//! @Test public void prints() { assertEquals("a, b", cart.print()); }   // Cart#print, one call away:
//! String print() { return String.join(", ", names.keySet()); }         // turns a HashMap into text
//! ```
//!
//! A model predicts *that* a test is flaky and weighs its contextual paths. This module finds *what* on those paths, or
//! in the code behind them, is not deterministic. It knows only what `catalogue/causes.toml` lists.
//!
//! Invariants: a test that touches nothing of the catalogue has no causes. Every cause has a line of the repository.
//! The list for a test is the same in every run. A lack of order is a cause only where an assertion would notice it.
//! Left out: flow inside the code under test, and state that other tests leave behind.

//!
//! The modules of `causes` form layers; each imports only those above it in this table.
//!
//! | layer | modules |
//! |---|---|
//! | values | `rule`, `site` |
//! | catalogue | `class_name`, `name_pattern`, `conditions`, `collection_rules`, `catalogue` |
//! | sites of one body | `collections`, `prefilter`, `scan`, `statics`, `site_cache` |
//! | sites of one test | `search`, `annotations`, `oracle`, `strongest_paths` |
//! | results | `cause`, `finder` |

mod annotations;
mod catalogue;
mod cause;
mod class_name;
mod collection_rules;
mod collections;
mod conditions;
mod finder;
mod name_pattern;
mod oracle;
mod prefilter;
mod rule;
mod scan;
mod search;
mod site;
mod site_cache;
mod statics;
mod strongest_paths;

pub use self::catalogue::{CauseCatalogue, ExtraCause};
pub use self::cause::{Cause, CauseKinds, Causes};
pub use self::finder::CauseFinder;
pub use self::rule::{CauseDescription, CauseRule};
pub use peeler_features::CauseKind;
