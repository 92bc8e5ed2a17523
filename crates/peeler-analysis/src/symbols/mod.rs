//! Name resolution: the symbol index, types, and the declarations that calls resolve to.
//!
//! The modules form layers; each imports only those above it in this table.
//!
//! | layer | modules |
//! |---|---|
//! | values | `ids`, `type_text`, `types`, `scope`, `targets`, `stubs` |
//! | tables of declarations | `index` |
//! | type names and written types | `names`, `written_types` |
//! | inheritance | `hierarchy`, `overrides` |
//! | questions about types | `members`, `overloads`, `inference` |
//! | calls of one body | `resolver`, then `receivers`, `calls`, `expressions`, `statements` |
//! | entry points | `resolve` |

mod calls;
mod expressions;
mod hierarchy;
pub(crate) mod ids;
pub(crate) mod index;
mod inference;
mod members;
pub(crate) mod names;
mod overloads;
mod overrides;
mod receivers;
pub(crate) mod resolve;
mod resolver;
mod scope;
mod statements;
mod stubs;
pub(crate) mod targets;
pub(crate) mod type_text;
pub(crate) mod types;
mod written_types;
