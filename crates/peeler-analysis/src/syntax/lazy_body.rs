//! Bodies of methods, initialisers and fields, each parsed on its first use.

use std::ops::Range;
use std::sync::OnceLock;

use super::body::Body;
use super::lower::{lower_constructor, lower_slice};

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
        self.body.get_or_init(|| match self.kind {
            LazyBodyKind::Constructor => lower_constructor(self.text, self.start, self.end),
            LazyBodyKind::Slice => lower_slice(self.text, self.start, self.end),
        })
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
