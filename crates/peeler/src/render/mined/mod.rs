//! The output formats of `peeler mine`.

pub(crate) mod csv;
pub(crate) mod page;
pub(crate) mod summary;
pub(crate) mod text;
