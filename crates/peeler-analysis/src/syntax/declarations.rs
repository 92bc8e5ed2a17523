//! Parses the declarations of a file: the members of its types, without the insides of method bodies.
//!
//! The types are those of the file's outline, in the same order. A method body is parsed on its first use and then
//! cached.

use std::ops::Range;

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::fields::{Field, Fields};
pub(crate) use super::lazy_body::LazyBody;
use super::lazy_body::LazyBodyKind;
use super::lower::dimensions;
pub(crate) use super::members::{
    Annotation, Declarations, FieldDeclaration, Initialiser, MethodDeclaration, Parameter, TypeDeclaration,
};
use super::outline::{Outline, TypeKind, simple_name};
use super::parser;
use super::skeleton::Skeleton;

/// Parses the declarations of a file. Ranges that its outline marks as elided, such as method bodies, are left out of
/// the parse.
pub(crate) fn declarations<'r>(text: &'r str, outline: &Outline<&'r str>) -> Declarations<'r> {
    let skeleton = Skeleton::new(text, &outline.elided);
    let tree = parser::parse(&skeleton.text);
    let mut reading = Reading {
        text,
        skeleton,
        by_name_at: outline
            .types
            .iter()
            .enumerate()
            .map(|(at, declared)| (declared.name_at, at))
            .collect(),
        found: Declarations {
            types: outline.types.iter().map(|_| TypeDeclaration::default()).collect(),
            ..Declarations::default()
        },
    };
    match tree {
        Some(tree) => {
            let root = tree.root_node();
            reading.scope(root);
            if root.has_error() {
                reading.errors(root);
            }
        }
        None => reading.found.errors.push(0),
    }
    for (declared, outlined) in reading.found.types.iter_mut().zip(&outline.types) {
        if outlined.kind == TypeKind::Interface {
            for method in &mut declared.methods {
                method.is_public = true;
                method.is_abstract = method.code.is_none();
            }
            for field in &mut declared.fields {
                field.is_static = true;
            }
        }
    }
    reading.found
}

/// The state while the declarations of one file are read from its syntax tree.
struct Reading<'r> {
    text: &'r str,
    skeleton: Skeleton<'r>,
    by_name_at: FxHashMap<u32, usize>,
    found: Declarations<'r>,
}

/// The annotations and modifiers in front of a type or member.
#[derive(Default)]
struct Modifiers<'r> {
    annotations: Vec<Annotation<'r>>,
    is_static: bool,
    is_public: bool,
    is_abstract: bool,
}

impl<'r> Reading<'r> {
    fn at(&self, node: Node<'_>) -> u32 {
        self.skeleton.offset(node.start_byte())
    }

    fn range_of(&self, node: Node<'_>) -> Range<u32> {
        self.skeleton.range(node.byte_range())
    }

    fn text_of(&self, node: Node<'_>) -> &'r str {
        let range = self.range_of(node);
        &self.text[range.start as usize..range.end as usize]
    }

    fn field_text(&self, node: Node<'_>, field: Field) -> &'r str {
        node.field(field).map_or("", |child| self.text_of(child))
    }

    /// Creates the lazily parsed body for a syntax node. It gets the next number among the bodies of the file.
    fn body(&mut self, node: Node<'_>, kind: LazyBodyKind) -> LazyBody<'r> {
        let Range { start, end } = self.range_of(node);
        self.found.bodies += 1;
        LazyBody::new(self.text, self.found.bodies - 1, start..end, kind)
    }

    /// Reads the type declarations among the children of `node`, also inside syntax errors that the parser recovered
    /// from.
    fn scope(&mut self, node: Node<'_>) {
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                if is_type(child.kind()) {
                    self.type_declaration(child);
                } else if child.is_error() {
                    pending.push(child);
                }
            }
        }
    }

    fn type_declaration(&mut self, node: Node<'_>) {
        // Types can nest arbitrarily deep in hostile files, so the walk uses a stack and no recursion.
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            let Some(name) = node.field(Field::Name) else {
                continue;
            };
            let Some(&index) = self.by_name_at.get(&self.at(name)) else {
                continue;
            };
            let annotations = self.modifiers(node).annotations;
            self.found.types[index].annotations = annotations;
            if node.kind() == "record_declaration" {
                self.record_components(node, index);
            }
            if let Some(body) = node.field(Field::Body) {
                self.members(body, index, &mut pending);
            }
        }
    }

    fn members<'t>(&mut self, body: Node<'t>, index: usize, types: &mut Vec<Node<'t>>) {
        let mut pending = vec![body];
        while let Some(body) = pending.pop() {
            let mut cursor = body.walk();
            for member in body.named_children(&mut cursor) {
                match member.kind() {
                    "method_declaration"
                    | "constructor_declaration"
                    | "compact_constructor_declaration"
                    | "annotation_type_element_declaration" => {
                        let method = self.method(member);
                        self.found.types[index].methods.push(method);
                    }
                    "field_declaration" | "constant_declaration" => self.fields(member, index),
                    "enum_constant" => {
                        let name = member.field(Field::Name).unwrap_or(member);
                        let constant = FieldDeclaration {
                            name: self.text_of(name),
                            at: self.at(name),
                            type_text: "",
                            dimensions: 0,
                            is_static: true,
                            code: self.body(name, LazyBodyKind::Slice),
                        };
                        self.found.types[index].fields.push(constant);
                    }
                    "block" | "static_initializer" => {
                        let initialiser = Initialiser {
                            is_static: member.kind() == "static_initializer",
                            code: self.body(member, LazyBodyKind::Slice),
                        };
                        self.found.types[index].initialisers.push(initialiser);
                    }
                    "enum_body_declarations" => pending.push(member),
                    kind if is_type(kind) => types.push(member),
                    _ if member.is_error() => pending.push(member),
                    _ => {}
                }
            }
        }
    }

    fn method(&mut self, node: Node<'_>) -> MethodDeclaration<'r> {
        let modifiers = self.modifiers(node);
        let name = node.field(Field::Name).unwrap_or(node);
        let is_constructor = matches!(
            node.kind(),
            "constructor_declaration" | "compact_constructor_declaration"
        );
        let (parameters, is_variadic) = match node.field(Field::Parameters) {
            Some(list) => self.parameters(list),
            None => (Vec::new(), false),
        };
        let kind = match node.kind() {
            "constructor_declaration" => LazyBodyKind::Constructor,
            _ => LazyBodyKind::Slice,
        };
        let code = node.field(Field::Body).map(|body| self.body(body, kind));
        MethodDeclaration {
            name: self.text_of(name),
            at: self.at(name),
            start: self.at(node),
            is_constructor,
            is_static: modifiers.is_static,
            is_public: modifiers.is_public,
            is_abstract: modifiers.is_abstract,
            annotations: modifiers.annotations,
            type_parameters: self.field_text(node, Field::TypeParameters),
            return_type: self.field_text(node, Field::Type),
            return_dimensions: dimensions(self.field_text(node, Field::Dimensions)),
            parameters,
            is_variadic,
            code,
        }
    }

    fn parameters(&self, list: Node<'_>) -> (Vec<Parameter<'r>>, bool) {
        let mut parameters = Vec::new();
        let mut is_variadic = false;
        let mut cursor = list.walk();
        for part in list.named_children(&mut cursor) {
            match part.kind() {
                "formal_parameter" => {
                    let name = part.field(Field::Name).unwrap_or(part);
                    parameters.push(Parameter {
                        name: self.text_of(name),
                        at: self.at(name),
                        type_text: self.field_text(part, Field::Type),
                        dimensions: dimensions(self.field_text(part, Field::Dimensions)),
                    });
                }
                "spread_parameter" => {
                    is_variadic = true;
                    let mut inner = part.walk();
                    let mut type_text = "";
                    for piece in part.named_children(&mut inner) {
                        match piece.kind() {
                            "modifiers" | "line_comment" | "block_comment" => {}
                            "variable_declarator" => {
                                let name = piece.field(Field::Name).unwrap_or(piece);
                                parameters.push(Parameter {
                                    name: self.text_of(name),
                                    at: self.at(name),
                                    type_text,
                                    dimensions: 1,
                                });
                            }
                            _ => type_text = self.text_of(piece),
                        }
                    }
                }
                _ => {}
            }
        }
        (parameters, is_variadic)
    }

    fn fields(&mut self, node: Node<'_>, index: usize) {
        let mut cursor = node.walk();
        for declarator in node.fields(Field::Declarator, &mut cursor) {
            let modifiers = self.modifiers(node);
            let name = declarator.field(Field::Name).unwrap_or(declarator);
            let field = FieldDeclaration {
                name: self.text_of(name),
                at: self.at(name),
                type_text: self.field_text(node, Field::Type),
                dimensions: dimensions(self.field_text(declarator, Field::Dimensions)),
                is_static: modifiers.is_static,
                code: self.body(node, LazyBodyKind::Slice),
            };
            self.found.types[index].fields.push(field);
        }
    }

    /// Adds the implicit methods of a record: an accessor for each component, and the canonical constructor.
    fn record_components(&mut self, node: Node<'_>, index: usize) {
        let Some(list) = node.field(Field::Parameters) else {
            return;
        };
        let (parameters, is_variadic) = self.parameters(list);
        let name = node.field(Field::Name).unwrap_or(node);
        let (type_name, type_at) = (self.text_of(name), self.at(name));
        let declared = &mut self.found.types[index];
        for component in &parameters {
            declared.methods.push(MethodDeclaration {
                name: component.name,
                at: component.at,
                start: component.at,
                is_constructor: false,
                is_static: false,
                is_public: true,
                is_abstract: false,
                annotations: Vec::new(),
                type_parameters: "",
                return_type: component.type_text,
                return_dimensions: component.dimensions,
                parameters: Vec::new(),
                is_variadic: false,
                code: None,
            });
        }
        declared.methods.push(MethodDeclaration {
            name: type_name,
            at: type_at,
            start: type_at,
            is_constructor: true,
            is_static: false,
            is_public: true,
            is_abstract: false,
            annotations: Vec::new(),
            type_parameters: "",
            return_type: "",
            return_dimensions: 0,
            parameters,
            is_variadic,
            code: None,
        });
    }

    fn modifiers(&self, node: Node<'_>) -> Modifiers<'r> {
        let mut modifiers = Modifiers::default();
        let mut cursor = node.walk();
        let Some(list) = node
            .named_children(&mut cursor)
            .find(|child| child.kind() == "modifiers")
        else {
            return modifiers;
        };
        for part in list.children(&mut cursor) {
            match part.kind() {
                "marker_annotation" | "annotation" => modifiers.annotations.push(Annotation {
                    name: simple_name(self.field_text(part, Field::Name)),
                    at: self.at(part),
                    arguments: self
                        .field_text(part, Field::Arguments)
                        .trim_start_matches('(')
                        .trim_end_matches(')'),
                }),
                "static" => modifiers.is_static = true,
                "public" => modifiers.is_public = true,
                "abstract" => modifiers.is_abstract = true,
                _ => {}
            }
        }
        modifiers
    }

    /// Collects the byte offsets of syntax errors; errors inside other errors are left out.
    fn errors(&mut self, root: Node<'_>) {
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            if node.is_error() || node.is_missing() {
                self.found.errors.push(self.at(node));
                continue;
            }
            let mut cursor = node.walk();
            pending.extend(node.children(&mut cursor).filter(Node::has_error));
        }
        self.found.errors.sort_unstable();
    }
}

fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration"
    )
}
