//! Constants that reach a call, and terms for values that only a caller knows.

use crate::flows::flow::Site;
use crate::symbols::ids::MethodId;

/// A constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Integer(i64),
    Text {
        text: String,
        /// Whether the text is complete, and not only the constant beginning of a longer one.
        is_whole: bool,
    },
}

/// The value of an expression, as far as its body says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Term {
    /// A constant, with the site where it is written.
    Known(Value, Site),
    /// The parameter of the method at this position, from which this kind of value is wanted.
    Parameter(usize, Wanted),
    /// The argument at this position of the constructor that made `this`.
    Constructed(MethodId, usize, Wanted),
    /// A path of several parts, of which a caller knows some.
    Path(Vec<Term>, Site),
    Unknown,
}

/// The kind of value that a use wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The number of a port.
    Port,
    /// A path, host or address.
    Text,
    /// The address of a `java.net.URL`. A text is none.
    UrlObject,
}
