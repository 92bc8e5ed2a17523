//! Bodies of methods, initialisers and fields, each parsed on its first use.

use std::ops::Range;
use std::sync::OnceLock;

use super::body::Body;
use super::lower::{lower_constructor, lower_slice, lower_start};
use crate::repository::narrow;

/// The maximum number of bytes of a body that are read. A method that a Java compiler accepts is much shorter.
const MAX_BODY_BYTES: usize = 2_000_000;

/// A body that is parsed and lowered on its first use.
#[derive(Debug)]
pub(crate) struct LazyBody<'r> {
    text: &'r str,
    /// The number of the body within its file.
    pub(crate) number: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    kind: LazyBodyKind,
    body: OnceLock<Body<'r>>,
}

/// The way to parse the slice of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LazyBodyKind {
    /// The slice is a block, or the declaration of a field.
    Slice,
    /// The body of a constructor, which may begin with `super(..)`.
    Constructor,
}

impl<'r> LazyBody<'r> {
    /// The body `number` of a file with this text.
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

    /// The statements of the body.
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

    /// The offset after the last statement that is read of a body that is too long; `None` for all other bodies.
    fn cut(&self) -> Option<u32> {
        let source = self.source().as_bytes();
        if source.len() <= MAX_BODY_BYTES {
            return None;
        }
        let length = memchr::memrchr2(b';', b'}', &source[..MAX_BODY_BYTES]).map_or(0, |it| it + 1);
        Some(self.start + narrow(length))
    }

    /// The source of the body.
    pub(crate) fn source(&self) -> &'r str {
        &self.text[self.start as usize..self.end as usize]
    }

    /// Whether the body may contain a call or a construction, decided without parsing it.
    ///
    /// Error recovery may insert a missing parenthesis. It inserts none in a text without `(`, `)` and `new`.
    pub(crate) fn may_call(&self) -> bool {
        let source = self.source();
        memchr::memchr2(b'(', b')', source.as_bytes()).is_some() || source.contains("new")
    }
}
