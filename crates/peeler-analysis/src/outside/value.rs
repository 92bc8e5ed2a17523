//! Constants that reach a call, and terms for values that only a caller knows.

use crate::flows::flow::Site;
use crate::symbols::ids::MethodId;

/// A constant of Java code: a number or a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Integer(i64),
    Text {
        text: String,
        /// Whether the constant text is complete, and not only the beginning of a longer text.
        is_whole: bool,
    },
}

/// The value of an expression, as far as its body says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Term {
    /// The expression is a constant, with the place where it is written.
    Known(Value, Site),
    /// The parameter of the method at this position, from which this kind of value is wanted.
    Parameter(usize, Wanted),
    /// The argument at this position of the constructor that made `this`.
    Constructed(MethodId, usize, Wanted),
    /// A path of several parts, of which a caller knows some.
    Path(Vec<Term>, Site),
    Unknown,
}

/// The kind of value that a call outside the program uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The call uses the number of a port.
    Port,
    /// The call uses a path, host or address.
    Text,
    /// The call uses the address of a `java.net.URL` object, not of a text.
    UrlObject,
}
