//! The method bodies of a Java file as one flat list of syntax nodes, for paths between terminals.
//!
//! ```java
//! int total() { return price + tax; }   // block, return_statement, binary_expression, price, tax
//! ```
//!
//! Nodes are in the order of the source, each before its children. Punctuation, operators and comments are left out. A
//! terminal is a name, a literal or another node without named parts, whose text has a letter or digit.
//!
//! Invariant: the walk is a loop, not a recursion, so deep nesting does not overflow the stack. Methods of anonymous
//! and local classes are methods of their own, and their nodes are also a part of the body around them.

use std::ops::Range;
use std::sync::LazyLock;

use tree_sitter::{Language, Node, TreeCursor};

use super::parser;

/// The index of no node.
pub(crate) const NONE: u32 = u32::MAX;

/// One named node of a syntax tree inside a method body.
#[derive(Debug, Clone)]
pub(crate) struct FlatNode {
    /// The number of the node's kind in the grammar, for [`kind_name`].
    pub(crate) kind: u16,
    /// The index of the node that contains this one; [`NONE`] for the body of an outermost method.
    pub(crate) parent: u32,
    /// The index of the next node with the same parent; [`NONE`] if there is none.
    pub(crate) next: u32,
    /// The index behind the last node inside this one.
    pub(crate) end: u32,
    /// The number of nodes above this one, up to the body of the outermost method.
    pub(crate) depth: u32,
    pub(crate) role: Role,
    /// The byte range of the node in the file.
    pub(crate) range: Range<usize>,
}

/// What a node of a method body is to paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The node is on the way between terminals.
    Inner,
    /// The node is a terminal: an end of paths.
    Terminal,
    /// The node is a terminal: the name of a method that is called without a receiver, or on `this` or `super`.
    OwnCall,
}

/// One method of a file, with the index of its body among the flat nodes.
#[derive(Debug, Clone)]
pub(crate) struct FlatMethod {
    /// The byte range of the method's name in the file.
    pub(crate) name: Range<usize>,
    /// The index of the node that is the method's body.
    pub(crate) body: u32,
    /// Whether the body contains a syntax error.
    pub(crate) is_broken: bool,
}

/// The methods with bodies of one file, and the nodes of these bodies. The buffers can be used for one file after the
/// other.
#[derive(Debug, Default)]
pub(crate) struct FlatBodies {
    pub(crate) nodes: Vec<FlatNode>,
    pub(crate) methods: Vec<FlatMethod>,
    /// Whether the file has a syntax error anywhere.
    pub(crate) has_errors: bool,
}

/// Numbers of kinds and fields in the grammar.
struct Grammar {
    language: Language,
    method: u16,
    call: u16,
    string: u16,
    this: u16,
    super_class: u16,
    name: u16,
    body: u16,
    object: u16,
}

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let language: Language = tree_sitter_java::LANGUAGE.into();
    let kind = |name: &str| language.id_for_node_kind(name, true);
    let field = |name: &str| language.field_id_for_name(name).map_or(0, u16::from);
    Grammar {
        method: kind("method_declaration"),
        call: kind("method_invocation"),
        string: kind("string_literal"),
        this: kind("this"),
        super_class: kind("super"),
        name: field("name"),
        body: field("body"),
        object: field("object"),
        language,
    }
});

/// The name of a kind of syntax nodes, by its number in the grammar.
pub(crate) fn kind_name(kind: u16) -> &'static str {
    GRAMMAR.language.node_kind_for_id(kind).unwrap_or_default()
}

impl FlatBodies {
    /// Replaces the content by the methods of a Java text. Returns `false` if the parser gave up.
    pub(crate) fn read(&mut self, text: &str) -> bool {
        self.nodes.clear();
        self.methods.clear();
        let Some(tree) = parser::parse(text) else {
            return false;
        };
        self.has_errors = tree.root_node().has_error();
        Walk {
            grammar: &GRAMMAR,
            text,
            bodies: self,
            last_children: Vec::new(),
            open: Vec::new(),
            expected: Vec::new(),
        }
        .run(tree.walk());
        true
    }
}

struct Walk<'w> {
    grammar: &'static Grammar,
    text: &'w str,
    bodies: &'w mut FlatBodies,
    /// For each node, the index of its last child so far.
    last_children: Vec<u32>,
    /// The indices of the nodes around the present one, outermost first; [`NONE`] outside of method bodies.
    open: Vec<u32>,
    /// The methods whose body the walk has not reached yet, each with the identifier of that node.
    expected: Vec<(usize, FlatMethod)>,
}

impl Walk<'_> {
    fn run(mut self, mut cursor: TreeCursor<'_>) {
        loop {
            let (index, has_parts) = self.enter(&cursor);
            if has_parts && cursor.goto_first_child() {
                self.open.push(index);
                continue;
            }
            self.leave(index);
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                let closed = self.open.pop().unwrap_or(NONE);
                self.leave(closed);
            }
        }
    }

    /// Adds the node of the cursor if it is a part of a body. Returns its index, and whether its children matter.
    fn enter(&mut self, cursor: &TreeCursor<'_>) -> (u32, bool) {
        let node = cursor.node();
        if !node.is_named() || node.is_extra() {
            return (NONE, false);
        }
        let kind = node.kind_id();
        if kind == self.grammar.method {
            self.expect(node);
        }
        let id = node.id();
        let reached = self.expected.pop_if(|(body, _)| *body == id).map(|(_, method)| method);
        let parent = self.open.last().copied().unwrap_or(NONE);
        if parent == NONE && reached.is_none() {
            return (NONE, true);
        }
        let is_string = kind == self.grammar.string;
        let has_parts = node.named_child_count() > 0 && !is_string;
        let range = node.byte_range();
        let role = if has_parts || !has_word(&self.text[range.clone()]) {
            Role::Inner
        } else if self.is_own_call(parent, cursor) {
            Role::OwnCall
        } else {
            Role::Terminal
        };
        let index = u32::try_from(self.bodies.nodes.len()).expect("files over 4 GiB are refused on reading");
        let mut depth = 0;
        if parent != NONE {
            depth = self.bodies.nodes[parent as usize].depth + 1;
            let before = std::mem::replace(&mut self.last_children[parent as usize], index);
            if before != NONE {
                self.bodies.nodes[before as usize].next = index;
            }
        }
        self.bodies.nodes.push(FlatNode {
            kind,
            parent,
            next: NONE,
            end: index + 1,
            depth,
            role,
            range,
        });
        self.last_children.push(NONE);
        if let Some(method) = reached {
            self.bodies.methods.push(FlatMethod { body: index, ..method });
        }
        (index, has_parts)
    }

    fn leave(&mut self, index: u32) {
        if index != NONE {
            self.bodies.nodes[index as usize].end = u32::try_from(self.bodies.nodes.len()).expect("as above");
        }
    }

    /// Notes the body of a method, which the walk reaches next but for the method's modifiers, types and parameters.
    fn expect(&mut self, method: Node<'_>) {
        let name = method.child_by_field_id(self.grammar.name);
        let body = method.child_by_field_id(self.grammar.body);
        if let (Some(name), Some(body)) = (name, body) {
            let noted = FlatMethod {
                name: name.byte_range(),
                body: NONE,
                is_broken: body.has_error(),
            };
            self.expected.push((body.id(), noted));
        }
    }

    /// Whether the node of the cursor is the name in a call without a receiver, or on `this` or `super`.
    fn is_own_call(&self, parent: u32, cursor: &TreeCursor<'_>) -> bool {
        let grammar = self.grammar;
        let is_called = parent != NONE
            && self.bodies.nodes[parent as usize].kind == grammar.call
            && cursor.field_id().is_some_and(|it| it.get() == grammar.name);
        if !is_called {
            return false;
        }
        let call = cursor.node().parent();
        let receiver = call.and_then(|it| it.child_by_field_id(grammar.object));
        receiver.is_none_or(|it| [grammar.this, grammar.super_class].contains(&it.kind_id()))
    }
}

fn has_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
