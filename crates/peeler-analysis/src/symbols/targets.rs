//! The declaration that a method call or constructor call resolves to.

use super::ids::{MethodId, TypeId};

/// The declaration that a call resolves to, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target<'r> {
    /// The call is not resolved: the type that declares its method is unknown.
    Unknown,
    /// The call resolves to a method that neither the repository nor a library stub declares. The text is the name of
    /// its type, with the package if an import tells it.
    External(&'r str),
    /// The call resolves to a method or constructor of a library stub.
    Library(MethodId),
    /// The call resolves to a method or constructor of the repository.
    Declared(MethodId),
    /// The call is on a type of the repository that has no fitting method, not even an inherited one. It calls an
    /// implicit constructor, or an overload that does not fit.
    Owner(TypeId),
}
