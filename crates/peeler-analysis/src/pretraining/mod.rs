//! Reads named methods from sources, so that a network can learn to predict the name of a method from its body.

mod contexts;
mod extraction;
mod method_reader;
#[cfg(test)]
mod tests;

pub use method_reader::{MethodCounts, MethodReader};
