//! Turns expressions of a tree-sitter tree into values of module `body`.

use tree_sitter::Node;

use super::body::{CONSTRUCTOR, Call, Expression, ExpressionKind, Lambda, LiteralKind, MAX_NESTING, New, Statement};
use super::fields::{Field, Fields};
use super::lower::{Lowering, dimensions, parts};

impl<'r> Lowering<'r> {
    /// The expression in a field of the syntax node `node`. A missing expression becomes an empty `Opaque` one.
    pub(super) fn expression_field(&mut self, node: Node<'_>, field: Field) -> Expression<'r> {
        match node.field(field) {
            Some(child) => self.expression(child),
            None => Expression {
                start: self.start(node),
                end: self.start(node),
                kind: ExpressionKind::Opaque(Vec::new()),
            },
        }
    }

    pub(super) fn expression(&mut self, node: Node<'_>) -> Expression<'r> {
        let mut node = node;
        while node.kind() == "parenthesized_expression" {
            match parts(node).first() {
                Some(inner) => node = *inner,
                None => break,
            }
        }
        let (start, end) = (self.start(node), self.end(node));
        if self.depth >= MAX_NESTING {
            self.error_at(node);
            return Expression {
                start,
                end,
                kind: ExpressionKind::Opaque(Vec::new()),
            };
        }
        self.depth += 1;
        let kind = self.expression_kind(node);
        self.depth -= 1;
        Expression { start, end, kind }
    }

    fn boxed_field(&mut self, node: Node<'_>, field: Field) -> Box<Expression<'r>> {
        Box::new(self.expression_field(node, field))
    }

    fn expressions(&mut self, nodes: &[Node<'_>]) -> Vec<Expression<'r>> {
        nodes.iter().map(|it| self.expression(*it)).collect()
    }

    fn arguments(&mut self, node: Node<'_>) -> Vec<Expression<'r>> {
        match node.field(Field::Arguments) {
            Some(list) => self.expressions(&parts(list)),
            None => Vec::new(),
        }
    }

    fn expression_kind(&mut self, node: Node<'_>) -> ExpressionKind<'r> {
        use ExpressionKind as Kind;
        match node.kind() {
            "identifier" | "type_identifier" => Kind::Name(self.text_of(node)),
            "this" => Kind::This,
            "super" => Kind::Super,
            "method_invocation" => self.call(node),
            "object_creation_expression" => self.new_object(node),
            "explicit_constructor_invocation" => {
                let id = self.next_call(CONSTRUCTOR, self.start(node));
                Kind::DelegateConstructor {
                    id,
                    to_super: self.field_text(node, Field::Constructor) == "super",
                    arguments: self.arguments(node),
                }
            }
            "array_creation_expression" => self.new_array(node),
            "array_initializer" | "element_value_array_initializer" => {
                Kind::ArrayValues(self.expressions(&parts(node)))
            }
            "field_access" => Kind::Field {
                object: self.boxed_field(node, Field::Object),
                name: self.field_text(node, Field::Member),
            },
            "scoped_identifier" | "scoped_type_identifier" => {
                let inner = parts(node);
                match (inner.first(), inner.last()) {
                    (Some(scope), Some(name)) if inner.len() > 1 => Kind::Field {
                        object: Box::new(self.expression(*scope)),
                        name: self.text_of(*name),
                    },
                    _ => Kind::Name(self.text_of(node)),
                }
            }
            "array_access" => Kind::Index {
                array: self.boxed_field(node, Field::Array),
                index: self.boxed_field(node, Field::Index),
            },
            "unary_expression" => Kind::Unary {
                operator: self.field_text(node, Field::Operator),
                operand: self.boxed_field(node, Field::Operand),
            },
            "update_expression" => {
                let operator = if self.text_of(node).contains("--") { "--" } else { "++" };
                let operand = match parts(node).first() {
                    Some(inner) => self.expression(*inner),
                    None => return Kind::Opaque(Vec::new()),
                };
                Kind::Update {
                    operator,
                    operand: Box::new(operand),
                }
            }
            "binary_expression" => self.binary(node),
            "assignment_expression" => Kind::Assign {
                operator: self.field_text(node, Field::Operator),
                target: self.boxed_field(node, Field::Left),
                value: self.boxed_field(node, Field::Right),
            },
            "ternary_expression" => Kind::Ternary {
                condition: self.boxed_field(node, Field::Condition),
                then: self.boxed_field(node, Field::Consequence),
                otherwise: self.boxed_field(node, Field::Alternative),
            },
            "cast_expression" => Kind::Cast {
                type_text: self.field_text(node, Field::Type),
                value: self.boxed_field(node, Field::Value),
            },
            "instanceof_expression" => self.instance_of(node),
            "lambda_expression" => self.lambda(node),
            "method_reference" => {
                let inner = parts(node);
                let Some(object) = inner.first() else {
                    return Kind::Opaque(Vec::new());
                };
                Kind::MethodReference {
                    name: self.text_of(node).rsplit("::").next().unwrap_or("").trim(),
                    object: Box::new(self.expression(*object)),
                }
            }
            "switch_expression" => Kind::Switch(Box::new(self.switch(node))),
            "generic_type" | "array_type" | "integral_type" | "floating_point_type" | "boolean_type" => {
                Kind::Name(self.text_of(node))
            }
            kind => {
                if let Some(literal) = literal_kind(kind, self.text_of(node)) {
                    Kind::Literal(literal)
                } else {
                    if node.is_error() {
                        self.error_at(node);
                    }
                    Kind::Opaque(self.expressions(&parts(node)))
                }
            }
        }
    }

    fn call(&mut self, node: Node<'_>) -> ExpressionKind<'r> {
        // Receivers nest to the left as deep as a chain is long; they are lowered first.
        let receiver = node.field(Field::Object).map(|it| self.expression(it));
        let name = node.field(Field::Name);
        let arguments = self.arguments(node);
        let name_at = self.start(name.unwrap_or(node));
        let name = name.map_or("", |it| self.text_of(it));
        ExpressionKind::Call(Box::new(Call {
            id: self.next_call(name, name_at),
            receiver,
            name,
            name_at,
            arguments,
        }))
    }

    fn new_object(&mut self, node: Node<'_>) -> ExpressionKind<'r> {
        let type_text = self.field_text(node, Field::Type);
        let mut cursor = node.walk();
        let keyword = node.children(&mut cursor).find(|child| child.kind() == "new");
        let outer = parts(node)
            .first()
            .filter(|first| keyword.is_some_and(|it| first.end_byte() <= it.start_byte()))
            .map(|it| self.expression(*it));
        let arguments = self.arguments(node);
        let at = self.start(keyword.unwrap_or(node));
        let id = self.next_call(CONSTRUCTOR, at);
        let body = parts(node)
            .into_iter()
            .find(|part| part.kind() == "class_body")
            .map(|part| self.class_body(type_text, part));
        ExpressionKind::New(Box::new(New {
            id,
            outer,
            at,
            type_text,
            arguments,
            body,
        }))
    }

    fn new_array(&mut self, node: Node<'_>) -> ExpressionKind<'r> {
        let mut written = 0;
        let mut values = Vec::new();
        for part in parts(node) {
            match part.kind() {
                "dimensions_expr" => {
                    written += 1;
                    let mut sizes = self.expressions(&parts(part));
                    values.append(&mut sizes);
                }
                "dimensions" => written += dimensions(self.text_of(part)),
                "array_initializer" => {
                    let mut elements = self.expressions(&parts(part));
                    values.append(&mut elements);
                }
                _ => {}
            }
        }
        ExpressionKind::NewArray {
            type_text: self.field_text(node, Field::Type),
            dimensions: written,
            parts: values,
        }
    }

    /// A binary expression, from its syntax node. `a + b + c` is a tree that nests to the left; it becomes one
    /// operation with three operands.
    fn binary(&mut self, node: Node<'_>) -> ExpressionKind<'r> {
        let operator = self.field_text(node, Field::Operator);
        let mut rights = Vec::new();
        let mut left = node;
        while left.kind() == "binary_expression" && self.field_text(left, Field::Operator) == operator {
            rights.extend(left.field(Field::Right));
            match left.field(Field::Left) {
                Some(next) => left = next,
                None => break,
            }
        }
        let mut operands = vec![self.expression(left)];
        for right in rights.into_iter().rev() {
            let operand = self.expression(right);
            operands.push(operand);
        }
        ExpressionKind::Binary { operator, operands }
    }

    fn instance_of(&mut self, node: Node<'_>) -> ExpressionKind<'r> {
        let value = self.boxed_field(node, Field::Left);
        let mut bindings = Vec::new();
        if node.field(Field::Name).is_some() {
            let mut local = self.declared(node);
            local.type_text = self.field_text(node, Field::Right);
            bindings.push(local);
        }
        self.bindings(node, &mut bindings);
        ExpressionKind::InstanceOf { value, bindings }
    }

    fn lambda(&mut self, node: Node<'_>) -> ExpressionKind<'r> {
        let parameters = node
            .field(Field::Parameters)
            .map(|it| self.parameters(it))
            .unwrap_or_default();
        let body = match node.field(Field::Body) {
            Some(block) if block.kind() == "block" => self.children_as_block(block),
            Some(value) => vec![Statement::Return(Some(self.expression(value)))],
            None => Vec::new(),
        };
        ExpressionKind::Lambda(Box::new(Lambda { parameters, body }))
    }
}

fn literal_kind(kind: &str, text: &str) -> Option<LiteralKind> {
    Some(match kind {
        "decimal_integer_literal" | "hex_integer_literal" | "octal_integer_literal" | "binary_integer_literal" => {
            if text.ends_with(['l', 'L']) {
                LiteralKind::Long
            } else {
                LiteralKind::Integer
            }
        }
        "decimal_floating_point_literal" | "hex_floating_point_literal" => LiteralKind::Floating,
        "true" | "false" => LiteralKind::Boolean,
        "character_literal" => LiteralKind::Character,
        "string_literal" => LiteralKind::String,
        "null_literal" => LiteralKind::Null,
        "class_literal" => LiteralKind::Class,
        _ => return None,
    })
}
