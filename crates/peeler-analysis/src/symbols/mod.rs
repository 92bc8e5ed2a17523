//! What names mean: the symbol index, types, and what calls resolve to.

pub(crate) mod index;
mod overloads;
pub(crate) mod resolve;
mod stubs;
pub(crate) mod targets;
pub(crate) mod type_text;
pub(crate) mod types;
