//! Bodies of methods and initialisers, and declarations of fields, each parsed on its first use.

use std::ops::Range;
use std::sync::OnceLock;

use super::body::Body;
use super::lower::{lower_constructor, lower_slice, lower_start};
use crate::repository::narrow;

/// The maximum number of bytes of a method body that are read. A method that a Java compiler accepts is much shorter.
const MAX_BODY_BYTES: usize = 2_000_000;

/// A method body, initialiser or field declaration that is parsed on its first use.
#[derive(Debug)]
pub(crate) struct LazyBody<'r> {
    text: &'r str,
    /// The number of the body among all bodies of its file.
    pub(crate) number: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    kind: LazyBodyKind,
    body: OnceLock<Body<'r>>,
}

/// How the text of a body is parsed: as it is, or inside a constructor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LazyBodyKind {
    /// The text of the body is a block, or the declaration of a field, and is parsed as it is.
    Slice,
    /// The text of the body is that of a constructor, which may begin with `super(..)`. It is parsed inside a
    /// constructor.
    Constructor,
}

impl<'r> LazyBody<'r> {
    /// The body with the given `number` that takes up `range` in a file with this text.
    pub(super) fn new(text: &'r str, number: u32, range: Range<u32>, kind: LazyBodyKind) -> Self {
        Self {
            text,
            number,
            start: range.start,
            end: range.end,
            kind,
            body: OnceLock::new(),
        }
    }

    /// The statements and calls of the body, parsed on the first call.
    pub(crate) fn get(&self) -> &Body<'r> {
        self.body.get_or_init(|| match (self.kind, self.cut()) {
            (_, Some(cut)) => lower_start(self.text, self.start, cut),
            (LazyBodyKind::Constructor, None) => lower_constructor(self.text, self.start, self.end),
            (LazyBodyKind::Slice, None) => lower_slice(self.text, self.start, self.end),
        })
    }

    /// Whether the body is so long that only its first statements are read.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut().is_some()
    }

    /// For a body that is too long, the offset in the file up to which it is read. `None` for all other bodies.
    fn cut(&self) -> Option<u32> {
        let source = self.source().as_bytes();
        if source.len() <= MAX_BODY_BYTES {
            return None;
        }
        let length = memchr::memrchr2(b';', b'}', &source[..MAX_BODY_BYTES]).map_or(0, |it| it + 1);
        Some(self.start + narrow(length))
    }

    /// The source text of the body.
    pub(crate) fn source(&self) -> &'r str {
        &self.text[self.start as usize..self.end as usize]
    }

    /// Whether the body may contain a method call or `new` expression, decided without parsing it.
    ///
    /// A text without `(`, `)` and `new` has none. The parser may insert a missing parenthesis, but not into such a
    /// text.
    pub(crate) fn may_call(&self) -> bool {
        let source = self.source();
        memchr::memchr2(b'(', b')', source.as_bytes()).is_some() || source.contains("new")
    }
}
