//! Parses Java text into declarations and method bodies. This is the only module that uses tree-sitter.
//!
//! A file is read to three depths, each on demand. Every file has an [`outline`]. Files that tests use have
//! [`declarations`], and methods whose calls are followed have a [`body`].

pub(crate) mod body;
pub(crate) mod declarations;
mod fields;
pub(crate) mod flat_bodies;
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
