//! Types as far as call resolution needs them.

use std::sync::Arc;

use super::index::TypeId;

/// The type of an expression. Generic arguments are kept; what is not known is [`Type::Unknown`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type<'r> {
    Unknown,
    Null,
    /// `int`, `boolean`, `void`, ...
    Primitive(&'r str),
    /// A type with a known declaration.
    Declared(TypeId, Arc<[Type<'r>]>),
    /// A type that is only known by name, qualified where an import says so.
    External(&'r str),
    /// A type parameter with its bound.
    Variable(&'r str, Arc<Type<'r>>),
    Array(Arc<Type<'r>>),
    /// A lambda or method reference with this many parameters, where that is known.
    Function(Option<usize>),
}

/// What the type parameters in scope stand for.
pub(crate) type Bindings<'r> = Vec<(&'r str, Type<'r>)>;

impl<'r> Type<'r> {
    pub(crate) fn array_of(self, dimensions: u8) -> Self {
        (0..dimensions).fold(self, |inner, _| Self::Array(Arc::new(inner)))
    }

    /// The type with its parameters replaced; unbound parameters stay.
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

    /// Parameters become their bounds.
    pub(crate) fn erase_variable(&self) -> Self {
        let mut current = self.clone();
        for _ in 0..8 {
            match current {
                Self::Variable(_, bound) => current = (*bound).clone(),
                other => return other,
            }
        }
        Self::Unknown
    }
}
