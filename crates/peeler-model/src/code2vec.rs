//! Vectors of sub-tokens and an encoder of method bodies, learned from named methods without labels, as in code2vec.
//!
//! ```java
//! int netPrice() { return price - tax; }   // the body is the input, `net` and `price` are to be predicted
//! ```
//!
//! A context is two terminals (names or literals) of a body and the path between them in the syntax tree. The vector of
//! a terminal is the mean of the vectors of its sub-tokens. The vector of a context is the tanh of a linear map of both
//! terminals and the path. Attention over the contexts gives the code vector. A linear map of it, multiplied by the
//! vectors of sub-tokens, gives a softmax over the sub-tokens of names: terminals and names share one table.
//!
//! The loss of a method is the mean of the negative log-probabilities of the sub-tokens of its name. All sub-tokens with
//! a probability of at least [`PREDICTED_FROM`] count as predicted.
//!
//! Invariant: the files contain single sub-tokens, paths of syntax nodes and numbers, and no text of the sources.

#[cfg(feature = "training")]
mod batch;
mod card;
mod description;
mod neighbours;
#[cfg(feature = "training")]
mod network;
mod report;
mod settings;
mod store;
#[cfg(all(test, feature = "training"))]
mod tests;
#[cfg(feature = "training")]
mod training;
mod vocabulary;

pub use description::Description;
pub use report::{NameEpoch, NameScores, PREDICTED_FROM, PretrainingData};
pub use settings::PretrainingSettings;
pub use store::{Code2vec, Code2vecError};
#[cfg(feature = "training")]
pub use training::{Pretrainer, PretrainingError};
pub use vocabulary::{NoRoom, RowCounts};
