//! Facts about libraries that the interpreter computed from their sources, as one table inside the program.

pub(super) mod fact;
mod rows;
pub(super) mod survey;
pub(super) mod table;
