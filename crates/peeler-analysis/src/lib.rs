//! Finds the tests of a Java repository and builds their dependency graphs and contextual paths.
//!
//! ```text
//! Repository -> TestCase -> TestDependencyGraph -> ContextualPath
//! ```
//!
//! [`Repository::open`] reads the Java files, [`Analysis::new`] indexes them and finds the tests, and
//! [`Analysis::extract`] builds the graph of each test and selects its paths. Java code is never compiled or run. The
//! analysis does not fail: what it cannot read becomes a [`Problem`] beside the results.
//!
//! ```
//! use peeler_analysis::{Analysis, Limits, Repository};
//!
//! let test = "import org.junit.*; public class ClockTest {
//!     @Test public void ticks() { long now = System.nanoTime(); Assert.assertTrue(now > 0); } }";
//! let repository = Repository::from_sources(vec![("ClockTest.java".into(), test.into())]);
//! let analysis = Analysis::new(&repository);
//! let mut sources = Vec::new();
//! analysis.extract(
//!     Limits::default(),
//!     |_| true,
//!     |traced| {
//!         let extraction = analysis.extraction(&traced);
//!         extraction.nodes[extraction.paths[0].elements[0]].text.to_string()
//!     },
//!     |source| sources.push(source),
//! );
//! assert_eq!(sources, ["System"]);
//! ```

mod analysis;
mod assertions;
mod catalogue_text;
mod causes;
mod code_under_test;
mod dependence;
mod digest;
mod disabled;
mod discovery;
mod extraction;
mod features;
mod file_globs;
mod file_interface;
mod flows;
mod folder_selection;
mod graph;
mod grounds;
mod interpreter;
mod lifecycle;
mod meaning;
mod mentions;
mod nondeterminism_features;
mod oracle_features;
mod outside;
mod part;
mod paths;
mod places;
mod practice;
mod pretraining;
mod problem;
mod reach;
mod repository;
mod resolved_calls;
mod selection;
mod shared_state;
mod slots;
mod source_methods;
mod stable_hash;
mod suppression;
mod surroundings;
mod symbols;
mod syntax;
mod test_case;
mod text_range;
mod threads;
mod timing;
mod trace;
mod traced;
mod walk;

pub use analysis::{Analysis, StageTimes};
pub use assertions::{AssertionRole, ExtraAssertion, OperandPosition};
pub use causes::{
    Cause, CauseCatalogue, CauseDescription, CauseFinder, CauseKind, CauseKinds, CauseRule, Causes, ExtraCause,
};
pub use code_under_test::{CutCall, CutMethod, CutMethodId, CutReference, PathContext};
pub use discovery::Framework;
pub use extraction::{AssertionView, CutView, EdgeView, Extraction, NodeView, PathView};
pub use features::{AnalysedTest, AnalysedTests, FeatureReader, FeatureSelection};
pub use file_globs::{FileGlobs, GlobError};
pub use file_interface::FileInterface;
pub use flows::{Flow, FlowFinder, FlowOrigin, FlowStep, TestFlows};
pub use folder_selection::{FolderContent, FolderSelection};
pub use graph::{NodeKind, OperationKind};
pub use interpreter::{LibrarySurvey, LibraryTable, TableError, TableSize};
pub use part::Part;
pub use paths::Limits;
pub use places::{Place, TestSource};
pub use pretraining::{MethodCounts, MethodReader};
pub use problem::Problem;
pub use reach::{Reachability, ReachableCode, ReachedCall};
pub use repository::{FileId, Repository, RepositoryError, SourceFile};
pub use resolved_calls::ResolvedCall;
pub use selection::Selection;
pub use shared_state::{StateAccess, StateFinding, StateReach, StateUse, pair_states};
pub use source_methods::{SourceAnnotation, SourceMethod, source_methods};
pub use suppression::{Suppression, SuppressionScope};
pub use surroundings::{ClassTexts, Relatives};
pub use syntax::marks::comments;
pub use test_case::{TestCase, TestFiles};
pub use threads::use_threads;
pub use traced::TracedTest;
pub use walk::MAX_DEPTH;
