//! The types that expressions have, only as precise as the resolution of calls needs them.

use std::sync::Arc;

use super::ids::TypeId;

/// The type of an expression, with its generic arguments. A type that cannot be determined is [`Type::Unknown`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type<'r> {
    /// A type that could not be determined.
    Unknown,
    /// The type of `null`.
    Null,
    /// A primitive type or `void`.
    Primitive(&'r str),
    /// A type with a known declaration, and its type arguments.
    Declared(TypeId, Arc<[Type<'r>]>),
    /// A type without a known declaration. The text is its qualified name if an import tells it, otherwise the name as
    /// written.
    External(&'r str),
    /// A type parameter such as `T`, with its bound.
    Variable(&'r str, Arc<Type<'r>>),
    /// An array with its element type.
    Array(Arc<Type<'r>>),
    /// A lambda or method reference, with its number of parameters if known.
    Function(Option<usize>),
}

/// Type parameters by name, each with the type that replaces it.
pub(crate) type Bindings<'r> = Vec<(&'r str, Type<'r>)>;

/// A supertype of a type. Its type arguments may name type parameters of that type: `Iterable<T>` for `List<T>`.
#[derive(Debug, Clone)]
pub(crate) struct Ancestor<'r> {
    pub(crate) id: TypeId,
    pub(crate) arguments: Arc<[Type<'r>]>,
}

/// The parameter types and the result type of a method. They may name type parameters of the method and its class.
#[derive(Debug)]
pub(crate) struct Signature<'r> {
    pub(crate) parameters: Vec<Type<'r>>,
    pub(crate) returns: Type<'r>,
}

/// The maximum number of bounds of type parameters that are followed: `A extends B`, `B extends C`, ...
const MAX_BOUNDS: usize = 8;

impl<'r> Type<'r> {
    /// An array of this type with this number of dimensions; the type itself for zero.
    pub(crate) fn array_of(self, dimensions: u8) -> Self {
        (0..dimensions).fold(self, |inner, _| Self::Array(Arc::new(inner)))
    }

    /// The type with each type parameter replaced by the type that `bindings` holds for it. Type parameters without one
    /// stay.
    pub(crate) fn substitute(&self, bindings: &Bindings<'r>) -> Self {
        if bindings.is_empty() {
            return self.clone();
        }
        match self {
            Self::Variable(name, _) => bindings
                .iter()
                .find(|(bound, _)| bound == name)
                .map_or_else(|| self.clone(), |(_, type_)| type_.clone()),
            Self::Declared(id, arguments) if !arguments.is_empty() => {
                Self::Declared(*id, arguments.iter().map(|it| it.substitute(bindings)).collect())
            }
            Self::Array(inner) => Self::Array(Arc::new(inner.substitute(bindings))),
            _ => self.clone(),
        }
    }

    /// The bound of a type parameter; every other type is returned unchanged.
    pub(crate) fn erase_variable(&self) -> Self {
        let mut current = self.clone();
        for _ in 0..MAX_BOUNDS {
            match current {
                Self::Variable(_, bound) => current = (*bound).clone(),
                other => return other,
            }
        }
        Self::Unknown
    }
}
