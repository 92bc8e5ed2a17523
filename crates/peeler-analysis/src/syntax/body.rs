//! Statements and expressions of a method body, independent of the tree-sitter syntax tree.
//!
//! Names and literals are slices of the source; types are stored as written. Calls and `new` expressions are numbered
//! in the order in which they are read. So the declarations that they resolve to can be stored beside the body as a
//! plain list.
//!
//! Invariant: nesting is at most [`MAX_NESTING`], so that recursion over a body does not overflow the stack. Deeper
//! expressions are empty [`ExpressionKind::Opaque`]s, and deeper statements are left out.

/// The maximum nesting depth of expressions and statements that are read from a method body.
pub(crate) const MAX_NESTING: usize = 200;

/// The name of constructors where they are looked up or called like methods.
pub(crate) const CONSTRUCTOR: &str = "<init>";

/// The number of a method call or `new` expression within its method body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CallId(pub(crate) u32);

/// A method body, an initialiser block, or the declaration of a field.
#[derive(Debug, Default)]
pub(crate) struct Body<'r> {
    pub(crate) block: Block<'r>,
    /// The method calls and `new` expressions of the body, by their id.
    pub(crate) calls: Vec<CallSite<'r>>,
    /// Byte offsets of syntax errors in the body.
    pub(crate) errors: Vec<u32>,
}

/// The name and byte offset of a method call or `new` expression.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallSite<'r> {
    /// The name of the called method; `<init>` for a `new` expression.
    pub(crate) name: &'r str,
    /// Byte offset in the file of the called method's name, or of the `new`.
    pub(crate) at: u32,
}

pub(crate) type Block<'r> = Vec<Statement<'r>>;

/// A Java statement in the body of a method or initialiser.
#[derive(Debug)]
pub(crate) enum Statement<'r> {
    Local(Local<'r>),
    Expression(Expression<'r>),
    If {
        condition: Expression<'r>,
        then: Block<'r>,
        otherwise: Block<'r>,
    },
    /// A `for`, `while` or `do` loop.
    Loop {
        init: Block<'r>,
        condition: Option<Expression<'r>>,
        update: Vec<Expression<'r>>,
        body: Block<'r>,
    },
    ForEach {
        variable: Local<'r>,
        iterable: Expression<'r>,
        body: Block<'r>,
    },
    Switch(Switch<'r>),
    Return(Option<Expression<'r>>),
    Yield(Expression<'r>),
    Throw(Expression<'r>),
    Try {
        resources: Block<'r>,
        body: Block<'r>,
        catches: Vec<Catch<'r>>,
        finally: Block<'r>,
    },
    Assert {
        at: u32,
        condition: Expression<'r>,
        message: Option<Expression<'r>>,
    },
    Block(Block<'r>),
    /// A class that is declared inside a method body.
    LocalType(ClassBody<'r>),
}

/// A declared variable: local, resource, loop variable, parameter or field.
#[derive(Debug)]
pub(crate) struct Local<'r> {
    pub(crate) name: &'r str,
    pub(crate) at: u32,
    /// The type of the variable as written; empty if it is inferred.
    pub(crate) type_text: &'r str,
    /// The number of bracket pairs after the name, as in `int a[]`.
    pub(crate) dimensions: u8,
    pub(crate) value: Option<Expression<'r>>,
}

/// A `catch` clause of a `try` statement: its variable and its statements.
#[derive(Debug)]
pub(crate) struct Catch<'r> {
    pub(crate) variable: Local<'r>,
    pub(crate) body: Block<'r>,
}

/// A `switch`, as a statement or an expression.
#[derive(Debug)]
pub(crate) struct Switch<'r> {
    pub(crate) subject: Expression<'r>,
    /// Whether the `switch` has a `default` case.
    pub(crate) has_default: bool,
    pub(crate) arms: Vec<Arm<'r>>,
}

/// A `case` of a `switch` with its statements. An expression after an arrow is stored as a `Yield` statement.
#[derive(Debug)]
pub(crate) struct Arm<'r> {
    pub(crate) bindings: Vec<Local<'r>>,
    pub(crate) body: Block<'r>,
}

/// A Java expression with its range of bytes in the file.
#[derive(Debug)]
pub(crate) struct Expression<'r> {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) kind: ExpressionKind<'r>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LiteralKind {
    Integer,
    Long,
    Floating,
    Boolean,
    Character,
    String,
    Null,
    Class,
}

/// The kind of a Java expression, such as a call or a literal, with its parts.
#[derive(Debug)]
pub(crate) enum ExpressionKind<'r> {
    Name(&'r str),
    Literal(LiteralKind),
    This,
    Super,
    Call(Box<Call<'r>>),
    New(Box<New<'r>>),
    /// A constructor call `this(..)` or `super(..)` at the start of a constructor.
    DelegateConstructor {
        id: CallId,
        to_super: bool,
        arguments: Vec<Expression<'r>>,
    },
    NewArray {
        type_text: &'r str,
        dimensions: u8,
        parts: Vec<Expression<'r>>,
    },
    /// An array initialiser `{a, b}`.
    ArrayValues(Vec<Expression<'r>>),
    Field {
        object: Box<Expression<'r>>,
        name: &'r str,
    },
    Index {
        array: Box<Expression<'r>>,
        index: Box<Expression<'r>>,
    },
    Unary {
        operator: &'r str,
        operand: Box<Expression<'r>>,
    },
    /// An increment or decrement, `++` or `--`, before or after the operand.
    Update {
        operator: &'r str,
        operand: Box<Expression<'r>>,
    },
    /// An operation such as `a + b`. A chain of one operator is a single expression: `a + b + c` has three operands.
    Binary {
        operator: &'r str,
        operands: Vec<Expression<'r>>,
    },
    Assign {
        operator: &'r str,
        target: Box<Expression<'r>>,
        value: Box<Expression<'r>>,
    },
    Ternary {
        condition: Box<Expression<'r>>,
        then: Box<Expression<'r>>,
        otherwise: Box<Expression<'r>>,
    },
    Cast {
        type_text: &'r str,
        value: Box<Expression<'r>>,
    },
    InstanceOf {
        value: Box<Expression<'r>>,
        bindings: Vec<Local<'r>>,
    },
    Lambda(Box<Lambda<'r>>),
    MethodReference {
        object: Box<Expression<'r>>,
        name: &'r str,
    },
    Switch(Box<Switch<'r>>),
    /// Unknown or broken code, with the expressions that could be recognised in it.
    Opaque(Vec<Expression<'r>>),
}

/// A Java method call, with receiver and arguments.
#[derive(Debug)]
pub(crate) struct Call<'r> {
    pub(crate) id: CallId,
    pub(crate) receiver: Option<Expression<'r>>,
    pub(crate) name: &'r str,
    pub(crate) name_at: u32,
    pub(crate) arguments: Vec<Expression<'r>>,
}

/// A `new` expression such as `new T(..)`, perhaps with an anonymous class body.
#[derive(Debug)]
pub(crate) struct New<'r> {
    pub(crate) id: CallId,
    pub(crate) outer: Option<Expression<'r>>,
    pub(crate) at: u32,
    pub(crate) type_text: &'r str,
    pub(crate) arguments: Vec<Expression<'r>>,
    pub(crate) body: Option<ClassBody<'r>>,
}

/// A lambda. A body that is a single expression is stored as a `Return` statement.
#[derive(Debug)]
pub(crate) struct Lambda<'r> {
    pub(crate) parameters: Vec<Local<'r>>,
    pub(crate) body: Block<'r>,
}

/// The supertype and the members of an anonymous or local class.
#[derive(Debug)]
pub(crate) struct ClassBody<'r> {
    pub(crate) supertype: &'r str,
    pub(crate) fields: Vec<Local<'r>>,
    pub(crate) methods: Vec<InnerMethod<'r>>,
}

/// A method of an anonymous or local class; its name is empty for an initialiser.
#[derive(Debug)]
pub(crate) struct InnerMethod<'r> {
    pub(crate) name: &'r str,
    pub(crate) return_type: &'r str,
    pub(crate) parameters: Vec<Local<'r>>,
    pub(crate) body: Block<'r>,
}
