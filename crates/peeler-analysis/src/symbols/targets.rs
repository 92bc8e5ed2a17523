//! What a call resolves to.

use super::index::{MethodId, TypeId};

/// The declaration behind a call, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target<'r> {
    /// Nothing is known about the owner.
    Unknown,
    /// The owner is not declared in the repository; its name, qualified where an import says so.
    External(&'r str),
    /// A method or constructor of a library stub.
    Library(MethodId),
    /// A method or constructor of the repository.
    Declared(MethodId),
    /// The owner is declared in the repository but the method was not found in it or above it: an
    /// implicit constructor, or an overload that does not fit.
    Owner(TypeId),
}
