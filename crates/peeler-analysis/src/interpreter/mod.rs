//! The abstract interpreter: follows nondeterministic values from their sources to the assertions that notice them.
//!
//! ```java
//! Map<String, Integer> ages = new HashMap<>();   // a map without a defined order, no elements
//! ages.put("ann", 1); ages.put("bob", 2);        // two elements: the order can show
//! String text = ages.toString();                 // text in no defined order
//! assertEquals("{ann=1, bob=2}", text);          // text is compared with two elements: reported
//! ```
//!
//! A test is run once, with its fields and setup before it. A call of repository code whose arguments are harmless is
//! answered by the summary of the method, computed once for all tests. A call with other arguments runs the method
//! again with these arguments. Steps and depth are limited; what is cut off counts as harmless.
//!
//! Left out: control flow of exceptions, aliases of one object, and values that pass through files or databases.

#![allow(
    clippy::unused_self,
    reason = "all operations are methods of the run, whether they need its state or not"
)]

mod assignment;
mod call;
mod checks;
mod compare;
mod computed;
mod computed_call;
mod construct;
mod container;
mod decide;
mod expression;
mod facts;
mod given;
mod join;
mod keys;
mod library;
mod likeness;
mod literals;
mod members;
mod mocks;
mod oracle;
mod own_library;
mod positions;
mod references;
mod report;
mod run;
mod scalars;
mod shared;
mod sources;
mod statement;
mod streams;
mod surveyor;
mod test_run;
mod texts;
mod trace;
mod units;
mod value;
mod written_check;

use rustc_hash::FxHashSet;

pub use self::computed::survey::LibrarySurvey;
pub use self::computed::table::{LibraryTable, TableError, TableSize};
use self::report::Report;
use self::run::Run;
use self::shared::Shared;
use crate::assertions::ExtraAssertion;
use crate::discovery::DiscoveredTest;
use crate::flows::flow::{FlowOrigin, FoundFlow, Site};
use crate::lifecycle::{is_setup_or_teardown, setup_types};
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;

/// The abstract interpreter for the tests of a repository.
pub(crate) struct Interpreter<'i, 'r> {
    shared: Shared<'i, 'r>,
}

/// The flows that the interpreter found in a test, with the files that it read for them.
pub(crate) struct Interpretation {
    pub(crate) flows: Vec<FoundFlow>,
    /// The files that the interpreter read for the test.
    pub(crate) files: Vec<FileId>,
    /// Whether a limit of the interpreter cut off a part of the test's code.
    pub(crate) is_cut: bool,
}

impl<'i, 'r> Interpreter<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>, assertions: &'i [ExtraAssertion]) -> Self {
        Self {
            shared: Shared::new(index, assertions),
        }
    }

    /// Abstractly runs a test and returns the flows of nondeterminism that its assertions notice.
    pub(crate) fn interpret(&self, test: DiscoveredTest) -> Interpretation {
        let mut run = Run::new(&self.shared, test.class);
        run.test(test);
        let flows = run.reports.iter().filter(|it| !it.is_far_fetched());
        let flows = flows.map(|it| self.flow(test, it)).collect();
        let mut files: Vec<FileId> = run.files.into_iter().collect();
        files.sort_unstable();
        Interpretation {
            flows,
            files,
            is_cut: run.is_cut,
        }
    }

    fn flow(&self, test: DiscoveredTest, report: &Report) -> FoundFlow {
        let origin = report.trace.origin();
        FoundFlow {
            rule: origin.kind.rule(report.exposure),
            what: origin.what.clone(),
            source: origin.site,
            steps: report.trace.steps(),
            oracle: Some(report.oracle),
            origin: self.origin(test, origin.site, report.trace.calls()),
            settled_by: report.settled_by,
            is_sure: report.is_sure,
        }
    }

    /// The code that contains the source of a flow, seen from a test: its body, a helper, its setup or code under test.
    fn origin(&self, test: DiscoveredTest, site: Site, calls: u8) -> FlowOrigin {
        let index = self.shared.index;
        let contains = |start: u32, end: u32| start <= site.start && site.end <= end;
        if index.file_of(test.method.owner) == site.file
            && let Some(code) = &index.method(test.method).code
            && contains(code.start, code.end)
        {
            return FlowOrigin::Body;
        }
        let own: FxHashSet<_> = setup_types(index, test.class).into_iter().collect();
        for id in own.into_iter().filter(|it| index.file_of(*it) == site.file) {
            let declared = index.declaration(id);
            for method in &declared.methods {
                if method.code.as_ref().is_some_and(|it| contains(it.start, it.end)) {
                    let is_setup = is_setup_or_teardown(method) || method.is_constructor;
                    return if is_setup {
                        FlowOrigin::Setup
                    } else {
                        FlowOrigin::Helper
                    };
                }
            }
            if declared.fields.iter().any(|it| contains(it.code.start, it.code.end)) {
                return FlowOrigin::Setup;
            }
        }
        FlowOrigin::CodeUnderTest(calls.max(1))
    }
}
