//! Fields of tree-sitter nodes, looked up by number. Lookup by name for every node takes 5% of a scan.

use std::num::NonZeroU16;
use std::sync::LazyLock;

use tree_sitter::{Language, Node, TreeCursor};

macro_rules! fields {
    ($($field:ident = $name:literal,)*) => {
        /// A named field of a syntax node in the tree-sitter grammar of Java, such as `condition` of an `if`.
        #[derive(Debug, Clone, Copy)]
        pub(super) enum Field {
            $($field,)*
        }

        /// The names of the fields of syntax nodes in the tree-sitter grammar, in the order of the enum `Field`.
        const NAMES: &[&str] = &[$($name,)*];
    };
}

fields! {
    Alternative = "alternative",
    Arguments = "arguments",
    Array = "array",
    Body = "body",
    Condition = "condition",
    Consequence = "consequence",
    Constructor = "constructor",
    Declarator = "declarator",
    Dimensions = "dimensions",
    Member = "field",
    Index = "index",
    Init = "init",
    Interfaces = "interfaces",
    Left = "left",
    Name = "name",
    Object = "object",
    Operand = "operand",
    Operator = "operator",
    Parameters = "parameters",
    Right = "right",
    Superclass = "superclass",
    Type = "type",
    TypeParameters = "type_parameters",
    Update = "update",
    Value = "value",
}

static NUMBERS: LazyLock<Vec<NonZeroU16>> = LazyLock::new(|| {
    let language = Language::from(tree_sitter_java::LANGUAGE);
    let number = |name: &&str| language.field_id_for_name(name).expect("the grammar has this field");
    NAMES.iter().map(number).collect()
});

/// Lookup of the children of a tree-sitter node by field, such as the `condition` of an `if`.
pub(super) trait Fields<'t> {
    /// The first child that a tree-sitter node has in a field, such as the `condition` of an `if`.
    fn field(&self, field: Field) -> Option<Node<'t>>;

    /// All children that a tree-sitter node has in a field, such as the `declarator`s of a variable declaration.
    fn fields(&self, field: Field, cursor: &mut TreeCursor<'t>) -> impl Iterator<Item = Node<'t>>;
}

impl<'t> Fields<'t> for Node<'t> {
    fn field(&self, field: Field) -> Option<Node<'t>> {
        self.child_by_field_id(NUMBERS[field as usize].get())
    }

    fn fields(&self, field: Field, cursor: &mut TreeCursor<'t>) -> impl Iterator<Item = Node<'t>> {
        self.children_by_field_id(NUMBERS[field as usize], cursor)
    }
}
