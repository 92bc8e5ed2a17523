//! Java text to declarations and bodies. The only module that uses tree-sitter.
//!
//! A file is read to three depths, each on demand: the [`outline`] of every file, the [`declarations`] of the files
//! that tests lead to, and the [`body`] of the methods that are followed.

pub(crate) mod body;
pub(crate) mod declarations;
mod fields;
mod lazy_body;
mod lexical;
mod lower;
mod lower_declaration;
mod lower_expression;
pub(crate) mod marks;
mod members;
pub(crate) mod outline;
mod outline_types;
mod parser;
pub(crate) mod path_contexts;
mod skeleton;
pub(crate) mod stored_outline;
pub(crate) mod tokens;
pub(crate) mod visit;
