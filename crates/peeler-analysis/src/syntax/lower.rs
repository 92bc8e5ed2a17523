//! Turns (lowers) statements of a tree-sitter tree into a [`Body`]. Expressions are lowered in `lower_expression`,
//! variables and local classes in `lower_declaration`.
//!
//! A body is parsed from its own slice of the file, so every offset is shifted by where the slice begins. Of broken
//! code, whatever can be recognised is kept.

use tree_sitter::Node;

use super::body::{Arm, Block, Body, CallId, CallSite, Catch, MAX_NESTING, Statement, Switch};
use super::fields::{Field, Fields};
use super::parser;
use crate::repository::narrow;

/// Parses the slice `start..end` of a file into a [`Body`]. The slice is a block, or the declaration of a field.
pub(crate) fn lower_slice(text: &str, start: u32, end: u32) -> Body<'_> {
    let Some(tree) = parser::parse(&text[start as usize..end as usize]) else {
        return Body {
            errors: vec![start],
            ..Body::default()
        };
    };
    let mut lowering = Lowering::new(text, i64::from(start));
    let block = lowering.children_as_block(tree.root_node());
    lowering.finish(block)
}

/// Parses the start of a block that continues after `end` into a [`Body`], as if the block ended at `end`.
pub(crate) fn lower_start(text: &str, start: u32, end: u32) -> Body<'_> {
    let closed = format!("{}}}", &text[start as usize..end as usize]);
    let Some(tree) = parser::parse(&closed) else {
        return Body {
            errors: vec![start],
            ..Body::default()
        };
    };
    let mut lowering = Lowering::new(text, i64::from(start));
    let block = lowering.children_as_block(tree.root_node());
    lowering.finish(block)
}

/// Parses the body of a constructor into a [`Body`]. `super(..)` is valid Java only in a constructor, so the body is
/// parsed with one around it.
pub(crate) fn lower_constructor(text: &str, start: u32, end: u32) -> Body<'_> {
    const BEFORE: &str = "class C{C()";
    let body = &text[start as usize..end as usize];
    let wrapped = format!("{BEFORE}{body}}}");
    let Some(tree) = parser::parse(&wrapped) else {
        return Body {
            errors: vec![start],
            ..Body::default()
        };
    };
    let mut node = tree.root_node();
    while node.kind() != "constructor_body" {
        match node.named_child(u32::try_from(node.named_child_count()).unwrap_or(1).saturating_sub(1)) {
            Some(last) => node = last,
            None => return lower_slice(text, start, end),
        }
    }
    let mut lowering = Lowering::new(text, i64::from(start) - i64::from(narrow(BEFORE.len())));
    let block = lowering.children_as_block(node);
    lowering.finish(block)
}

/// The state while the syntax tree of one method body is turned into a `Body`.
pub(super) struct Lowering<'r> {
    pub(super) text: &'r str,
    /// What to add to an offset in the parsed text to get the offset in the file.
    shift: i64,
    calls: Vec<CallSite<'r>>,
    errors: Vec<u32>,
    pub(super) depth: usize,
}

/// The named children of a syntax node that are not comments.
pub(super) fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !child.is_extra() || child.is_error())
        .collect()
}

impl<'r> Lowering<'r> {
    fn new(text: &'r str, shift: i64) -> Self {
        Self {
            text,
            shift,
            calls: Vec::new(),
            errors: Vec::new(),
            depth: 0,
        }
    }

    fn finish(self, block: Block<'r>) -> Body<'r> {
        Body {
            block,
            calls: self.calls,
            errors: self.errors,
        }
    }

    /// Adds a method call or `new` expression to the list of calls and returns its number.
    pub(super) fn next_call(&mut self, name: &'r str, at: u32) -> CallId {
        self.calls.push(CallSite { name, at });
        CallId(narrow(self.calls.len() - 1))
    }

    fn shifted(&self, at: usize) -> u32 {
        let at = i64::from(narrow(at)) + self.shift;
        u32::try_from(at).expect("a body lies inside its file")
    }

    pub(super) fn start(&self, node: Node<'_>) -> u32 {
        self.shifted(node.start_byte())
    }

    pub(super) fn end(&self, node: Node<'_>) -> u32 {
        self.shifted(node.end_byte())
    }

    pub(super) fn text_of(&self, node: Node<'_>) -> &'r str {
        &self.text[self.start(node) as usize..self.end(node) as usize]
    }

    pub(super) fn field_text(&self, node: Node<'_>, field: Field) -> &'r str {
        node.field(field).map_or("", |child| self.text_of(child))
    }

    pub(super) fn error_at(&mut self, node: Node<'_>) {
        let at = self.start(node);
        self.errors.push(at);
    }

    pub(super) fn children_as_block(&mut self, node: Node<'_>) -> Block<'r> {
        let mut block = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.statement_into(child, &mut block);
        }
        block
    }

    /// Turns the statement or block of an `if`, loop and the like into a list of statements. `{..}` is unwrapped.
    fn as_block(&mut self, node: Option<Node<'_>>) -> Block<'r> {
        match node {
            Some(node) if node.kind() == "block" => self.children_as_block(node),
            Some(node) => {
                let mut block = Vec::new();
                self.statement_into(node, &mut block);
                block
            }
            None => Vec::new(),
        }
    }

    /// Turns a syntax node into a statement and appends it to `block`. Statements that nest too deep are left out as
    /// errors.
    pub(super) fn statement_into(&mut self, node: Node<'_>, block: &mut Block<'r>) {
        if self.depth >= MAX_NESTING {
            return self.error_at(node);
        }
        self.depth += 1;
        self.statement(node, block);
        self.depth -= 1;
    }

    fn statement(&mut self, node: Node<'_>, block: &mut Block<'r>) {
        match node.kind() {
            "line_comment" | "block_comment" | "break_statement" | "continue_statement" => {}
            "expression_statement" => {
                if let Some(inner) = parts(node).first() {
                    let value = self.expression(*inner);
                    block.push(Statement::Expression(value));
                }
            }
            "local_variable_declaration" | "field_declaration" | "constant_declaration" => {
                for local in self.declarators(node) {
                    block.push(Statement::Local(local));
                }
            }
            "block" | "constructor_body" => {
                let inner = self.children_as_block(node);
                block.push(Statement::Block(inner));
            }
            "static_initializer" => {
                let inner = self.as_block(parts(node).first().copied());
                block.push(Statement::Block(inner));
            }
            "explicit_constructor_invocation" => {
                let value = self.expression(node);
                block.push(Statement::Expression(value));
            }
            "if_statement" => {
                let condition = self.expression_field(node, Field::Condition);
                let then = self.as_block(node.field(Field::Consequence));
                let otherwise = self.as_block(node.field(Field::Alternative));
                block.push(Statement::If {
                    condition,
                    then,
                    otherwise,
                });
            }
            "while_statement" | "do_statement" | "for_statement" => {
                let statement = self.loop_statement(node);
                block.push(statement);
            }
            "enhanced_for_statement" => {
                let mut variable = self.declared(node);
                variable.type_text = self.field_text(node, Field::Type);
                let iterable = self.expression_field(node, Field::Value);
                let body = self.as_block(node.field(Field::Body));
                block.push(Statement::ForEach {
                    variable,
                    iterable,
                    body,
                });
            }
            "switch_expression" => {
                let switch = self.switch(node);
                block.push(Statement::Switch(switch));
            }
            "return_statement" => {
                let value = parts(node).first().map(|inner| self.expression(*inner));
                block.push(Statement::Return(value));
            }
            "yield_statement" | "throw_statement" => {
                if let Some(inner) = parts(node).first() {
                    let value = self.expression(*inner);
                    block.push(if node.kind() == "throw_statement" {
                        Statement::Throw(value)
                    } else {
                        Statement::Yield(value)
                    });
                }
            }
            "try_statement" | "try_with_resources_statement" => {
                let statement = self.try_statement(node);
                block.push(statement);
            }
            "synchronized_statement" => {
                for part in parts(node) {
                    if part.kind() == "block" {
                        let inner = self.children_as_block(part);
                        block.push(Statement::Block(inner));
                    } else {
                        let lock = self.expression(part);
                        block.push(Statement::Expression(lock));
                    }
                }
            }
            "labeled_statement" => {
                if let Some(inner) = parts(node).get(1) {
                    self.statement_into(*inner, block);
                }
            }
            "assert_statement" => {
                let operands = parts(node);
                if let Some(condition) = operands.first() {
                    let condition = self.expression(*condition);
                    let message = operands.get(1).map(|it| self.expression(*it));
                    block.push(Statement::Assert {
                        at: self.start(node),
                        condition,
                        message,
                    });
                }
            }
            "class_declaration" | "record_declaration" | "enum_declaration" | "interface_declaration" => {
                let supertype = node
                    .field(Field::Superclass)
                    .or_else(|| node.field(Field::Interfaces))
                    .map_or("", |it| {
                        self.text_of(it)
                            .trim_start_matches("extends")
                            .trim_start_matches("implements")
                            .trim()
                    });
                if let Some(body) = node.field(Field::Body) {
                    let class = self.class_body(supertype, body);
                    block.push(Statement::LocalType(class));
                }
            }
            // An error node may contain statements or expressions among its children.
            _ if node.is_error() => {
                self.error_at(node);
                for part in parts(node) {
                    self.statement_into(part, block);
                }
            }
            _ => {
                let value = self.expression(node);
                block.push(Statement::Expression(value));
            }
        }
    }

    fn loop_statement(&mut self, node: Node<'_>) -> Statement<'r> {
        let mut init = Vec::new();
        let mut update = Vec::new();
        let mut cursor = node.walk();
        for part in node.fields(Field::Init, &mut cursor) {
            self.statement_into(part, &mut init);
        }
        for part in node.fields(Field::Update, &mut cursor) {
            let value = self.expression(part);
            update.push(value);
        }
        let condition = node.field(Field::Condition).map(|it| self.expression(it));
        let body = self.as_block(node.field(Field::Body));
        Statement::Loop {
            init,
            condition,
            update,
            body,
        }
    }

    fn try_statement(&mut self, node: Node<'_>) -> Statement<'r> {
        let mut resources = Vec::new();
        let mut body = Vec::new();
        let mut catches = Vec::new();
        let mut finally = Vec::new();
        for part in parts(node) {
            match part.kind() {
                "resource_specification" => {
                    for resource in parts(part) {
                        self.resource(resource, &mut resources);
                    }
                }
                "block" => body = self.children_as_block(part),
                "catch_clause" => {
                    if let Some(catch) = self.catch(part) {
                        catches.push(catch);
                    }
                }
                "finally_clause" => finally = self.as_block(parts(part).first().copied()),
                _ => self.error_at(part),
            }
        }
        Statement::Try {
            resources,
            body,
            catches,
            finally,
        }
    }

    fn resource(&mut self, node: Node<'_>, resources: &mut Block<'r>) {
        if node.field(Field::Name).is_some() {
            let mut local = self.declared(node);
            local.type_text = self.field_text(node, Field::Type);
            local.value = node.field(Field::Value).map(|it| self.expression(it));
            resources.push(Statement::Local(local));
        } else if let Some(inner) = parts(node).first() {
            let value = self.expression(*inner);
            resources.push(Statement::Expression(value));
        }
    }

    fn catch(&mut self, node: Node<'_>) -> Option<Catch<'r>> {
        let parameter = parts(node)
            .into_iter()
            .find(|it| it.kind() == "catch_formal_parameter")?;
        let mut variable = self.declared(parameter);
        variable.type_text = parts(parameter)
            .into_iter()
            .find(|it| it.kind() == "catch_type")
            .map_or("", |it| self.text_of(it));
        let body = self.as_block(node.field(Field::Body));
        Some(Catch { variable, body })
    }

    pub(super) fn switch(&mut self, node: Node<'_>) -> Switch<'r> {
        let subject = self.expression_field(node, Field::Condition);
        let mut arms = Vec::new();
        let mut has_default = false;
        let groups = node.field(Field::Body).map(parts).unwrap_or_default();
        for group in groups {
            let mut arm = Arm {
                bindings: Vec::new(),
                body: Vec::new(),
            };
            for part in parts(group) {
                match part.kind() {
                    "switch_label" => {
                        has_default |= self.text_of(part).contains("default");
                        self.bindings(part, &mut arm.bindings);
                    }
                    "expression_statement" if group.kind() == "switch_rule" => {
                        if let Some(inner) = parts(part).first() {
                            let value = self.expression(*inner);
                            arm.body.push(Statement::Yield(value));
                        }
                    }
                    _ => self.statement_into(part, &mut arm.body),
                }
            }
            arms.push(arm);
        }
        Switch {
            subject,
            has_default,
            arms,
        }
    }
}

/// The number of array dimensions in a run of brackets: two in `[][]`.
pub(super) fn dimensions(brackets: &str) -> u8 {
    u8::try_from(brackets.matches('[').count()).unwrap_or(u8::MAX)
}
