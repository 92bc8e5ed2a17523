//! Kinds and marks of the nodes and edges in a test dependency graph.
//!
//! Codes and tokens of these kinds are part of shipped vocabularies (`<edge 3>`, `<call>`) and never change.

use serde::Serialize;

use crate::codes::StoredCode;

/// What a node of a dependency graph stands for: a variable, a literal or a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// The graph node is a variable or field. Each of its definitions, such as an assignment, has a node of its own.
    Variable,
    /// The graph node is a literal.
    Literal,
    /// The graph node is a call, construction or method reference whose value is used.
    Call,
}

impl NodeKind {
    /// The text that stands for the node kind in the vocabularies of models: `<call>`.
    #[must_use]
    pub fn token(self) -> &'static str {
        match self {
            Self::Variable => "<variable>",
            Self::Literal => "<literal>",
            Self::Call => "<call>",
        }
    }
}

impl StoredCode for NodeKind {
    const ALL: &'static [Self] = &[Self::Variable, Self::Literal, Self::Call];

    fn code(self) -> u8 {
        match self {
            Self::Variable => 0,
            Self::Literal => 1,
            Self::Call => 2,
        }
    }
}

/// Whether data begins at a node of a dependency graph, and whether an assertion mentions the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeMark {
    /// The graph node is neither a start of data nor part of an assertion.
    Inner,
    /// The graph node is a `START`: data begins at it.
    Start,
    /// The graph node is an `ASSERT`: it appears in an assertion.
    Assert,
    /// The graph node is both `START` and `ASSERT`: data begins at it, and it appears in an assertion.
    StartAndAssert,
}

impl NodeMark {
    /// The mark of a node, from whether data begins at it and whether it appears in an assertion.
    #[must_use]
    pub fn new(is_start: bool, is_assert: bool) -> Self {
        match (is_start, is_assert) {
            (false, false) => Self::Inner,
            (true, false) => Self::Start,
            (false, true) => Self::Assert,
            (true, true) => Self::StartAndAssert,
        }
    }

    /// The text that stands for the mark in the vocabularies of models: `<start>` or `<assert>`. A node with both marks
    /// has `<start>`; `None` for a node with neither.
    #[must_use]
    pub fn token(self) -> Option<&'static str> {
        match self {
            Self::Inner => None,
            Self::Start | Self::StartAndAssert => Some("<start>"),
            Self::Assert => Some("<assert>"),
        }
    }
}

impl StoredCode for NodeMark {
    const ALL: &'static [Self] = &[Self::Inner, Self::Start, Self::Assert, Self::StartAndAssert];

    fn code(self) -> u8 {
        match self {
            Self::Inner => 0,
            Self::Start => 1,
            Self::Assert => 2,
            Self::StartAndAssert => 3,
        }
    }
}

/// The kind of operation on an edge of a dependency graph, such as a method call or an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationKind {
    /// The edge is an assignment `x = y`, or the binding of an argument to a parameter.
    Assign,
    /// The edge is a method call.
    Call,
    /// The edge is a construction: `new T(..)`, `new T[..]`, `{..}`.
    Construct,
    /// The edge is an arithmetic, logical or comparison operator, `? :` or `switch`.
    Operator,
    /// The edge is an array access `array[index]`.
    Index,
    /// The edge is a field access `object.field`.
    Field,
    /// The edge is a cast `(T) value` or an `instanceof`.
    Cast,
    /// The edge is an iteration over the elements of a collection or array.
    Iterate,
    /// The edge is an assertion.
    Assert,
    /// The edge carries no data: it says that the node at its start is evaluated before the assertion at its end.
    Order,
}

impl OperationKind {
    /// The kind of operation in one word, as JSON and reports write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Assign => "assign",
            Self::Call => "call",
            Self::Construct => "construct",
            Self::Operator => "operator",
            Self::Index => "index",
            Self::Field => "field",
            Self::Cast => "cast",
            Self::Iterate => "iterate",
            Self::Assert => "assert",
            Self::Order => "order",
        }
    }

    /// The text that stands for the operation kind in the vocabularies of models: `<edge 3>`.
    #[must_use]
    pub fn token(self) -> &'static str {
        match self {
            Self::Assign => "<edge 0>",
            Self::Call => "<edge 1>",
            Self::Construct => "<edge 2>",
            Self::Operator => "<edge 3>",
            Self::Index => "<edge 4>",
            Self::Field => "<edge 5>",
            Self::Cast => "<edge 6>",
            Self::Iterate => "<edge 7>",
            Self::Assert => "<edge 8>",
            Self::Order => "<edge 9>",
        }
    }
}

impl StoredCode for OperationKind {
    const ALL: &'static [Self] = &[
        Self::Assign,
        Self::Call,
        Self::Construct,
        Self::Operator,
        Self::Index,
        Self::Field,
        Self::Cast,
        Self::Iterate,
        Self::Assert,
        Self::Order,
    ];

    fn code(self) -> u8 {
        match self {
            Self::Assign => 0,
            Self::Call => 1,
            Self::Construct => 2,
            Self::Operator => 3,
            Self::Index => 4,
            Self::Field => 5,
            Self::Cast => 6,
            Self::Iterate => 7,
            Self::Assert => 8,
            Self::Order => 9,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NodeKind, NodeMark, OperationKind};
    use crate::codes::StoredCode;

    /// Lines with the name, code and token of every variant of an enum.
    fn written<T: StoredCode + std::fmt::Debug>(token: impl Fn(T) -> String) -> Vec<String> {
        let all = T::ALL.iter();
        all.map(|it| format!("{it:?} {} {}", it.code(), token(*it))).collect()
    }

    #[test]
    fn codes_and_tokens_are_those_of_shipped_models_and_stored_corpora() {
        assert_eq!(
            written(|it: NodeKind| it.token().to_owned()),
            ["Variable 0 <variable>", "Literal 1 <literal>", "Call 2 <call>"]
        );
        assert_eq!(
            written(|it: NodeMark| it.token().unwrap_or("-").to_owned()),
            [
                "Inner 0 -",
                "Start 1 <start>",
                "Assert 2 <assert>",
                "StartAndAssert 3 <start>"
            ]
        );
        assert_eq!(
            written(|it: OperationKind| format!("{} {}", it.token(), it.name())),
            [
                "Assign 0 <edge 0> assign",
                "Call 1 <edge 1> call",
                "Construct 2 <edge 2> construct",
                "Operator 3 <edge 3> operator",
                "Index 4 <edge 4> index",
                "Field 5 <edge 5> field",
                "Cast 6 <edge 6> cast",
                "Iterate 7 <edge 7> iterate",
                "Assert 8 <edge 8> assert",
                "Order 9 <edge 9> order",
            ]
        );
    }

    #[test]
    fn a_mark_says_whether_data_begins_and_whether_it_is_asserted() {
        assert_eq!(NodeMark::new(false, false), NodeMark::Inner);
        assert_eq!(NodeMark::new(true, false), NodeMark::Start);
        assert_eq!(NodeMark::new(false, true), NodeMark::Assert);
        assert_eq!(NodeMark::new(true, true), NodeMark::StartAndAssert);
    }
}
