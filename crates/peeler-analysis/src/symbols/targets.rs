//! The declaration that a call resolves to.

use super::ids::{MethodId, TypeId};

/// The declaration that a call resolves to, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target<'r> {
    /// The call is not resolved, because the type of its receiver is unknown.
    Unknown,
    /// The call resolves to a method of a type without a known declaration. The name of the type is qualified if an
    /// import qualifies it.
    External(&'r str),
    /// The call resolves to a method or constructor of a library stub.
    Library(MethodId),
    /// The call resolves to a method or constructor of the repository.
    Declared(MethodId),
    /// The call names a type of the repository that has no fitting method, not even an inherited one. This is an
    /// implicit constructor, or an overload that does not fit.
    Owner(TypeId),
}
