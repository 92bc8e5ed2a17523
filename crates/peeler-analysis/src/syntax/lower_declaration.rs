//! Turns variables, parameters and local classes of a tree-sitter tree into values of module `body`.

use tree_sitter::Node;

use super::body::{ClassBody, InnerMethod, Local, MAX_NESTING};
use super::fields::{Field, Fields};
use super::lower::{Lowering, dimensions, parts};

impl<'r> Lowering<'r> {
    /// Appends the variables that patterns below `node` declare, such as `s` in `o instanceof String s`.
    pub(super) fn bindings(&mut self, node: Node<'_>, bindings: &mut Vec<Local<'r>>) {
        if self.depth >= MAX_NESTING {
            return;
        }
        self.depth += 1;
        for part in parts(node) {
            match part.kind() {
                "type_pattern" | "record_pattern_component" => {
                    let inner = parts(part);
                    if let [.., type_node, name] = inner.as_slice() {
                        bindings.push(Local {
                            name: self.text_of(*name),
                            at: self.start(*name),
                            type_text: self.text_of(*type_node),
                            dimensions: 0,
                            value: None,
                        });
                    }
                }
                "pattern" | "record_pattern" | "record_pattern_body" => self.bindings(part, bindings),
                _ => {}
            }
        }
        self.depth -= 1;
    }

    /// The variables of a local, field or constant declaration, with their values: two for `int a = 1, b = 2;`.
    pub(super) fn declarators(&mut self, node: Node<'_>) -> Vec<Local<'r>> {
        let type_text = self.field_text(node, Field::Type);
        let mut cursor = node.walk();
        let declarators: Vec<_> = node.fields(Field::Declarator, &mut cursor).collect();
        declarators
            .into_iter()
            .map(|declarator| {
                let mut local = self.declared(declarator);
                local.type_text = type_text;
                local.value = declarator.field(Field::Value).map(|it| self.expression(it));
                local
            })
            .collect()
    }

    /// A variable with the name and position of a syntax node that has a `name` field; its type and value are not set.
    pub(super) fn declared(&self, node: Node<'_>) -> Local<'r> {
        let name = node.field(Field::Name);
        Local {
            name: name.map_or("", |it| self.text_of(it)),
            at: self.start(name.unwrap_or(node)),
            type_text: "",
            dimensions: dimensions(self.field_text(node, Field::Dimensions)),
            value: None,
        }
    }

    /// The parameters of a method or lambda. A lambda has one of three forms: `x -> ..`, `(x, y) -> ..` or
    /// `(int x) -> ..`.
    pub(super) fn parameters(&mut self, node: Node<'_>) -> Vec<Local<'r>> {
        if node.kind() == "identifier" {
            return vec![self.untyped(node)];
        }
        parts(node)
            .into_iter()
            .filter_map(|part| match part.kind() {
                "identifier" => Some(self.untyped(part)),
                "formal_parameter" => {
                    let mut local = self.declared(part);
                    local.type_text = self.field_text(part, Field::Type);
                    Some(local)
                }
                "spread_parameter" => {
                    let inner = parts(part);
                    let declarator = inner.iter().find(|it| it.kind() == "variable_declarator")?;
                    let type_node = inner
                        .iter()
                        .find(|it| !matches!(it.kind(), "modifiers" | "variable_declarator"))?;
                    let mut local = self.declared(*declarator);
                    local.type_text = self.text_of(*type_node);
                    local.dimensions += 1;
                    Some(local)
                }
                _ => None,
            })
            .collect()
    }

    fn untyped(&self, node: Node<'_>) -> Local<'r> {
        Local {
            name: self.text_of(node),
            at: self.start(node),
            type_text: "",
            dimensions: 0,
            value: None,
        }
    }

    /// The members of an anonymous or local class, from the syntax node of its body.
    pub(super) fn class_body(&mut self, supertype: &'r str, body: Node<'_>) -> ClassBody<'r> {
        let mut class = ClassBody {
            supertype,
            fields: Vec::new(),
            methods: Vec::new(),
        };
        self.class_members(body, &mut class);
        class
    }

    fn class_members(&mut self, body: Node<'_>, class: &mut ClassBody<'r>) {
        for member in parts(body) {
            match member.kind() {
                "field_declaration" | "constant_declaration" => {
                    let mut fields = self.declarators(member);
                    class.fields.append(&mut fields);
                }
                "method_declaration" | "constructor_declaration" => {
                    let parameters = member
                        .field(Field::Parameters)
                        .map(|it| self.parameters(it))
                        .unwrap_or_default();
                    let body = match member.field(Field::Body) {
                        Some(body) => self.children_as_block(body),
                        None => Vec::new(),
                    };
                    class.methods.push(InnerMethod {
                        name: self.field_text(member, Field::Name),
                        return_type: self.field_text(member, Field::Type),
                        parameters,
                        body,
                    });
                }
                // An initialiser runs whenever the class is instantiated.
                "block" | "static_initializer" => {
                    let mut body = Vec::new();
                    self.statement_into(member, &mut body);
                    class.methods.push(InnerMethod {
                        name: "",
                        return_type: "void",
                        parameters: Vec::new(),
                        body,
                    });
                }
                "enum_body_declarations" => self.class_members(member, class),
                _ => {}
            }
        }
    }
}
