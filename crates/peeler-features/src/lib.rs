//! What a model may see of a test.
//!
//! A test has a [`TestName`]. Its texts are split by [`sub_tokens`](sub_tokens()) and numbered by a [`texts::TextSet`].
//! A [`Sample`] holds everything that a predictor may read, and no label.

mod hash;
mod sample;
mod sub_tokens;
mod test_name;
pub mod texts;

pub use hash::{content_hash, stored_hash};
pub use sample::{
    EdgeRecord, GraphRecord, MAX_DEPTH, MethodRecord, NodeRecord, ReachRecord, ReachedCallRecord, Sample, Tables,
    TextId,
};
pub use sub_tokens::sub_tokens;
pub use test_name::{InvalidTestName, TestName};
pub use texts::narrow;
