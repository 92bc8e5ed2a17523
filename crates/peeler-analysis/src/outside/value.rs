//! Constants that reach a call, and placeholders for values that only the caller of a method knows.

use crate::flows::flow::Site;
use crate::symbols::ids::MethodId;

/// A constant of Java code: an integer or a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Integer(i64),
    Text {
        text: String,
        /// Whether the constant text is complete, and not only the constant beginning of a longer text.
        is_whole: bool,
    },
}

/// The value of an expression, as far as the method around it shows: a constant, a parameter or unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Term {
    /// The expression is this constant, which is written at this site.
    Known(Value, Site),
    /// The value is the method's parameter at this position, used as this kind of value.
    Parameter(usize, Wanted),
    /// The value is the argument at this position of the constructor call that made `this`, used as this kind of value.
    Constructed(MethodId, usize, Wanted),
    /// The value is a path of several parts, of which only a caller knows some.
    Path(Vec<Term>, Site),
    Unknown,
}

/// The kind of value that a call uses: a port, a text, or a `URL` object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The value is the number of a port.
    Port,
    /// The value is a text: a path, host or address.
    Text,
    /// The value is a `java.net.URL` object that is made of an address, not the text of the address.
    UrlObject,
}
