//! The declaration that a call resolves to.

use super::ids::{MethodId, TypeId};

/// The declaration that a call resolves to, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target<'r> {
    /// The type of the receiver is unknown.
    Unknown,
    /// A method of a type without a known declaration. The name of the type is qualified if an import qualifies it.
    External(&'r str),
    /// A method or constructor of a library stub.
    Library(MethodId),
    /// A method or constructor of the repository.
    Declared(MethodId),
    /// A type of the repository that neither declares nor inherits a fitting method: an implicit constructor, or an
    /// overload that does not fit.
    Owner(TypeId),
}
