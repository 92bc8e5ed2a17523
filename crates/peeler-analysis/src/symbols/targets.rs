//! The declaration that a method call or constructor call resolves to.

use super::ids::{MethodId, TypeId};

/// The declaration that a call resolves to, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target<'r> {
    /// The target of a call that is not resolved, because the type that declares its method is unknown.
    Unknown,
    /// A method that neither the repository nor a library stub declares. The text is the name of its type, with the
    /// package if an import tells it.
    External(&'r str),
    /// A method or constructor of a library stub.
    Library(MethodId),
    /// A method or constructor that the repository declares.
    Declared(MethodId),
    /// A type of the repository, for a call on it that no declared or inherited method fits. It is a call of an
    /// implicit constructor, or its arguments fit no overload.
    Owner(TypeId),
}
