//! From a Java repository to test cases, test dependency graphs and contextual paths.
//!
//! ```text
//! Repository -> TestCase -> TestDependencyGraph -> ContextualPath
//! ```
//!
//! [`Repository::open`] reads the Java files, [`Analysis::new`] indexes them and finds the tests,
//! [`Analysis::extract`] builds the graph of each test and selects its paths. Nothing of Java is ever
//! compiled or run, and no input makes the analysis fail: what cannot be understood is a [`Problem`]
//! beside the results.
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
mod causes;
mod cut;
mod digest;
mod discovery;
mod extraction;
mod face;
mod features;
mod file_globs;
mod flow;
mod graph;
mod meaning;
mod paths;
mod places;
mod problem;
mod reach;
mod repository;
mod selection;
mod slots;
mod suppression;
mod surroundings;
mod symbols;
mod syntax;
mod threads;
mod traced;
mod walk;

pub use analysis::{Analysis, ResolvedCall, StageTimes, TestCase, TestFiles};
pub use assertions::{ExtraAssertion, Position as OperandPosition, Role as AssertionRole};
pub use causes::{Cause, CauseCatalogue, CauseFinder, CauseKind, CauseKinds, ExtraCause};
pub use cut::{CutCall, CutMethod, CutMethodId, CutReference, PathContext};
pub use discovery::{Framework, Part};
pub use extraction::{AssertionView, CutView, EdgeView, Extraction, NodeView, PathView};
pub use face::Face;
pub use features::{AnalysedTest, AnalysedTests, FeatureReader, FeatureSelection};
pub use file_globs::{FileGlobs, GlobError};
pub use graph::{NodeKind, OperationKind};
pub use paths::Limits;
pub use places::{Place, TestSource};
pub use problem::Problem;
pub use reach::{Reach, ReachedCall, Way};
pub use repository::{Repository, RepositoryError, SourceFile};
pub use selection::Selection;
pub use suppression::Suppression;
pub use surroundings::Relatives;
pub use traced::TracedTest;
pub use walk::MAX_DEPTH;
