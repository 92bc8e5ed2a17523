//! Facts about library methods: how nondeterministic their results are. The interpreter computed them from the sources
//! of the libraries, and they are one table inside the program.

pub(super) mod fact;
mod rows;
pub(super) mod survey;
pub(super) mod table;
