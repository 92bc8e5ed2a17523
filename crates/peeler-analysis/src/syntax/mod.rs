//! Java text to declarations and bodies. The only room that knows tree-sitter.
//!
//! Three depths, each paid for only when needed: the [`outline`] of every file, the
//! [`declarations`] of the files that somebody looks into, the [`body`] of the methods that
//! somebody follows.

pub(crate) mod body;
pub(crate) mod declarations;
mod fields;
pub(crate) mod kept_outline;
mod lower;
mod lower_expression;
pub(crate) mod marks;
pub(crate) mod outline;
mod parser;
pub(crate) mod path_contexts;
mod skeleton;
pub(crate) mod tokens;
pub(crate) mod visit;
