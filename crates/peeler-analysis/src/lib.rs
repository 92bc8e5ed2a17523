//! From a Java repository to test cases, test dependency graphs and contextual paths.
#![allow(dead_code)]
mod analysis;
mod assertions;
mod cut;
mod discovery;
mod extraction;
mod flow;
mod graph;
mod paths;
mod problem;
mod repository;
mod symbols;
mod syntax;
pub use analysis::{Analysis, ResolvedCall, StageTimes, TestCase};
pub use cut::{CutCall, CutMethod, CutMethodId, CutReference, PathContext};
pub use discovery::Framework;
pub use extraction::{AssertionView, CutView, EdgeView, Extraction, NodeView, PathView};
pub use graph::{NodeKind, OperationKind};
pub use paths::Limits;
pub use problem::Problem;
pub use repository::{Repository, RepositoryError, SourceFile};
