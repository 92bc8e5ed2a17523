//! Library calls that a test can reach, and the number of the repository's methods on the call chains.
//!
//! A call is identified by its origin, its name, and the number of the repository's own methods before it. An example
//! is `Thread#sleep` one call below a setup method.

use serde::{Deserialize, Serialize};

use crate::text_list::TextId;

/// The maximum number of nested calls that are followed from a test into the repository's code.
pub const MAX_DEPTH: usize = 3;

/// The part of a test in which a call chain starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallOrigin {
    /// The call chain starts in the body of the test or a helper of its class.
    Body,
    /// The call chain starts in the setup or teardown of the test's class.
    Setup,
}

impl CallOrigin {
    /// The first character of the name of a library call in the vocabularies of models: `0` in `01 Thread#sleep`,
    /// called from a test's body. It never changes.
    #[must_use]
    pub fn prefix(self) -> char {
        match self {
            Self::Body => '0',
            Self::Setup => '1',
        }
    }
}

/// A library call that a test can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LibraryCall<'t> {
    /// The number of the repository's own methods between the test and the library call.
    pub depth: usize,
    /// The simple name of the class that declares the called method; empty if the class is unknown.
    pub owner: &'t str,
    /// The name of the called method; `<init>` for constructors.
    pub method: &'t str,
}

/// A library call with its names as indices into the text table of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberedCall {
    /// The number of the repository's own methods between the test and the library call.
    pub depth: u8,
    /// The simple name of the class that declares the called method, as an index in the text table.
    pub owner: TextId,
    /// The name of the called method, as an index in the text table.
    pub method: TextId,
}

/// A list of library calls that a test can reach. Those with the fewest methods between the test and the call come
/// first.
#[derive(Debug, Clone, Copy)]
pub enum CallList<'t> {
    /// The list is a slice of library calls.
    Slice(&'t [LibraryCall<'t>]),
    /// The list has library calls whose names are indices in a text table.
    Numbered {
        /// The library calls, whose names are indices in `table`.
        calls: &'t [NumberedCall],
        /// The text table that the names of the library calls refer to.
        table: &'t [String],
    },
}

impl Default for CallList<'_> {
    fn default() -> Self {
        Self::Slice(&[])
    }
}

impl<'t> CallList<'t> {
    /// The library calls of the list, nearest to the test first.
    pub fn iter(&self) -> impl Iterator<Item = LibraryCall<'t>> + use<'t> {
        let (slice, numbered) = match *self {
            Self::Slice(calls) => (Some(calls), None),
            Self::Numbered { calls, table } => (None, Some((calls, table))),
        };
        let named = |(calls, table): (&'t [NumberedCall], &'t [String])| {
            calls.iter().map(move |it| LibraryCall {
                depth: it.depth.into(),
                owner: &table[it.owner as usize],
                method: &table[it.method as usize],
            })
        };
        let slice = slice.into_iter().flatten().copied();
        slice.chain(numbered.into_iter().flat_map(named))
    }

    /// Whether two lists are known to be equal without comparing names. Tests of one class often share a list.
    ///
    /// Returns false if equality would have to be checked name by name.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Slice(one), Self::Slice(other)) => std::ptr::eq(*one, *other),
            (
                Self::Numbered { calls, table },
                Self::Numbered {
                    calls: others,
                    table: its,
                },
            ) => std::ptr::eq(*table, *its) && calls == others,
            _ => false,
        }
    }
}

/// Code that a test can reach from its body, or from its setup.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReachedCode<'t> {
    /// The library calls that a test can reach, sorted by the number of calls on the way to them, fewest first.
    pub calls: CallList<'t>,
    /// How many bodies of the repository's methods and initialisers a test can reach. The index is the number of calls
    /// between the test and the body.
    pub bodies: [u32; MAX_DEPTH + 1],
}

#[cfg(test)]
mod tests {
    use super::{CallList, CallOrigin, LibraryCall, NumberedCall};

    #[test]
    fn origins_are_written_as_in_shipped_vocabularies() {
        assert_eq!((CallOrigin::Body.prefix(), CallOrigin::Setup.prefix()), ('0', '1'));
    }

    #[test]
    fn both_forms_list_the_same_calls() {
        let table = ["sleep", "Thread"].map(str::to_owned);
        let calls = [LibraryCall {
            depth: 2,
            owner: "Thread",
            method: "sleep",
        }];
        let numbered = [NumberedCall {
            depth: 2,
            owner: 1,
            method: 0,
        }];
        let numbered = CallList::Numbered {
            calls: &numbered,
            table: &table,
        };
        assert!(numbered.iter().eq(CallList::Slice(&calls).iter()));
        assert!(!numbered.is_same_as(&CallList::Slice(&calls)));
    }
}
