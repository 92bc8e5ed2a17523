//! What names mean: the symbol index, types, and what calls resolve to.

mod calls;
mod hierarchy;
pub(crate) mod index;
pub(crate) mod names;
mod overloads;
mod receivers;
pub(crate) mod resolve;
mod stubs;
pub(crate) mod targets;
pub(crate) mod type_text;
pub(crate) mod types;
