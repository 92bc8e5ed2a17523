//! The features of a test that models may see, and their encoding as numbers.
//!
//! A test has a [`TestName`]. Its [`TestFeatures`] hold everything that a model may read, and no label. The [`Encoder`]
//! turns features into an [`EncodedTest`] in a [`Dataset`], for training and for scanning alike.
//!
//! This crate depends on neither Java nor labels nor any model.

mod cause_feature;
mod cause_kind;
mod codes;
mod dataset;
mod encoder;
mod flakiness_kind;
mod flow_feature;
pub mod graph;
mod graph_kinds;
mod hash;
mod measures;
mod named_methods;
mod oracle_feature;
mod reached_code;
mod rule;
mod rule_selector;
mod sub_tokens;
mod test_features;
mod test_name;
mod text_list;
pub mod texts;

pub use cause_feature::CauseFeature;
pub use cause_kind::CauseKind;
pub use codes::{Coded, StoredCode};
pub use dataset::{Dataset, EncodedEdge, EncodedMethod, EncodedTest, Sharing, Tuple};
pub use encoder::{Depth, Encoder, encode};
pub use flakiness_kind::FlakinessKind;
pub use flow_feature::{FlowFeature, FlowOutcome, FlowPlace, MAX_FLOW_CALLS};
pub use graph::GraphFeatures;
pub use graph_kinds::{NodeKind, NodeMark, OperationKind};
pub use hash::{content_hash, stored_hash};
pub use measures::MEASURES;
pub use named_methods::{Lists, NamedMethods, NumberedContext};
pub use oracle_feature::{LiteralMeasure, LiteralRole, OracleFeature};
pub use reached_code::{CallList, CallOrigin, LibraryCall, MAX_DEPTH, NumberedCall, ReachedCode};
pub use rule::{Rule, RuleFamily};
pub use rule_selector::RuleSelector;
pub use sub_tokens::sub_tokens;
pub use test_features::TestFeatures;
pub use test_name::{InvalidTestName, TestName};
pub use text_list::{TextId, TextList};
pub use texts::narrow;
