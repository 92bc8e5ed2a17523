//! Evaluates expressions to constants, or to terms: placeholders for values that only the caller of a method knows.
//!
//! ```java
//! static final int PORT = 8080;
//! Server start(int port) { return new Server(PORT); }       // Known(8080)
//! Server start(int port) { return new Server(port + 0); }   // Unknown; `new Server(port)` is Parameter(0)
//! ```
//!
//! Invariant: a variable that is assigned several values evaluates to `Unknown`.

use super::bodies::{BodyVariables, Variable};
use super::catalogue::{Catalogue, Origin};
use super::fields::{FieldValue, Fields};
use super::library_class::target_of_chain;
use super::value::{Term, Value, Wanted};
use crate::flows::flow::Site;
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::names::{Scope, TypeReference};
use crate::symbols::targets::Target;
use crate::syntax::body::{CONSTRUCTOR, Expression, ExpressionKind, LiteralKind, Statement};
use crate::walk::Code;

/// The maximum number of variables, fields and calls between a constant and the call that uses it as a port, host or
/// path.
const MAX_STEPS: usize = 8;
/// The maximum number of subtypes that are searched for overrides of a method.
const MAX_SUBTYPES: usize = 20;

/// Evaluates expressions of a repository to constants such as ports and paths.
pub(crate) struct Evaluator<'i, 'r> {
    pub(crate) index: &'i Index<'r>,
    fields: Fields<'i, 'r>,
}

/// An object that an expression constructs: its class and constructor, and the values of the arguments.
pub(crate) struct Construction {
    /// The class of the constructed object.
    pub(crate) class: TypeId,
    /// The constructor that is called; `None` if the class declares none.
    pub(crate) constructor: Option<MethodId>,
    pub(crate) site: Site,
    pub(crate) arguments: Vec<[Term; 2]>,
}

impl<'i, 'r> Evaluator<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>) -> Self {
        Self {
            index,
            fields: Fields::new(index),
        }
    }

    /// The constant that an expression of a method body evaluates to, or the parameter that its value comes from.
    pub(crate) fn term(&self, body: &BodyVariables<'i, 'r>, expression: &'i Expression<'r>, wanted: Wanted) -> Term {
        self.evaluate(body, expression, wanted, MAX_STEPS)
    }

    /// The source text of an expression of a method body.
    pub(crate) fn text(&self, body: &BodyVariables<'i, 'r>, expression: &Expression<'r>) -> &'r str {
        &self.index.source(body.file).text()[expression.start as usize..expression.end as usize]
    }

    fn evaluate(
        &self,
        body: &BodyVariables<'i, 'r>,
        expression: &'i Expression<'r>,
        wanted: Wanted,
        steps: usize,
    ) -> Term {
        let Some(steps) = steps.checked_sub(1) else {
            return Term::Unknown;
        };
        match &expression.kind {
            ExpressionKind::Literal(_) if wanted == Wanted::UrlObject => Term::Unknown,
            ExpressionKind::Literal(kind) => match literal(*kind, self.text(body, expression)) {
                Some(value) => Term::Known(value, body.site(expression)),
                None => Term::Unknown,
            },
            ExpressionKind::Cast { value, .. } => self.evaluate(body, value, wanted, steps),
            ExpressionKind::Assign { value, operator, .. } if *operator == "=" => {
                self.evaluate(body, value, wanted, steps)
            }
            ExpressionKind::Name(name) => match body.variable(name) {
                Variable::Value(value) => self.evaluate(body, value, wanted, steps),
                Variable::Parameter(at) => Term::Parameter(at, wanted),
                Variable::Unknown => Term::Unknown,
                Variable::NotLocal => self.field(self.field_owner(body, name), name, wanted, steps),
            },
            ExpressionKind::Field { object, name } => {
                let owner = match &object.kind {
                    ExpressionKind::This => Some(body.owner()),
                    ExpressionKind::Name(type_) => self.type_named(body, type_),
                    _ => None,
                };
                self.field(owner, name, wanted, steps)
            }
            ExpressionKind::Binary { operator, operands } if *operator == "+" => {
                // What follows an operand without a known value changes nothing.
                let mut terms = Vec::new();
                for operand in operands {
                    terms.push(self.evaluate(body, operand, wanted, steps));
                    if !matches!(terms.last(), Some(Term::Known(..))) {
                        break;
                    }
                }
                sum(&terms, body.site(expression))
            }
            ExpressionKind::Call(_) | ExpressionKind::New(_) => self.call(body, expression, wanted, steps),
            _ => Term::Unknown,
        }
    }

    fn call(&self, body: &BodyVariables<'i, 'r>, expression: &'i Expression<'r>, wanted: Wanted, steps: usize) -> Term {
        let (id, name, receiver, arguments) = match &expression.kind {
            ExpressionKind::Call(call) => (call.id, call.name, call.receiver.as_ref(), &call.arguments),
            ExpressionKind::New(new) => (new.id, CONSTRUCTOR, None, &new.arguments),
            _ => return Term::Unknown,
        };
        let target = target_of_chain(body.targets, expression);
        let catalogue = Catalogue::shipped();
        let Some(carrier) = catalogue.carrier(self.index, body.file, target, name, wanted) else {
            return match (body.targets[id.0 as usize], receiver) {
                (Target::Declared(method), _) if name != CONSTRUCTOR => self.returned(method, wanted, steps),
                (_, Some(receiver)) if catalogue.is_builder(self.index, body.file, target) => {
                    self.evaluate(body, receiver, wanted, steps)
                }
                _ => Term::Unknown,
            };
        };
        // The address of a URL object is a text.
        let wanted = match wanted {
            Wanted::UrlObject => Wanted::Text,
            other => other,
        };
        let parts: Vec<&'i Expression<'r>> = match carrier.from {
            Origin::Receiver => receiver.into_iter().collect(),
            Origin::Argument => {
                let at = if carrier.argument < 0 {
                    arguments.len().checked_add_signed(carrier.argument)
                } else {
                    usize::try_from(carrier.argument).ok()
                };
                at.and_then(|it| arguments.get(it)).into_iter().collect()
            }
            Origin::Joined => arguments.iter().collect(),
            Origin::JoinedToReceiver => receiver.into_iter().chain(arguments).collect(),
        };
        let terms: Vec<Term> = parts.iter().map(|it| self.evaluate(body, it, wanted, steps)).collect();
        match terms.as_slice() {
            [only] => only.clone(),
            _ => path(&terms, body.site(expression)),
        }
    }

    /// The constant that a method of the repository returns; unknown if its body is more than one `return`.
    fn returned(&self, method: MethodId, wanted: Wanted, steps: usize) -> Term {
        let method = match self.index.implementations(method) {
            [only] => *only,
            _ => method,
        };
        // Of a method with overrides it is not known which one runs.
        let name = self.index.method(method).name;
        let mut subtypes = self.index.direct_subtypes(method.owner).take(MAX_SUBTYPES);
        if subtypes.any(|it| self.index.methods_named(it, name).next().is_some()) {
            return Term::Unknown;
        }
        let Some(code) = &self.index.method(method).code else {
            return Term::Unknown;
        };
        let Some(value) = only_return(&code.get().block) else {
            return Term::Unknown;
        };
        let body = BodyVariables::new(self.index, Code::Method(method, code));
        match self.evaluate(&body, value, wanted, steps) {
            known @ Term::Known(..) => known,
            _ => Term::Unknown,
        }
    }

    /// The value of field `name` of type `owner`: the constant that is its only value, or the argument of the
    /// constructor that sets it. Unknown if `owner` is `None`, because the type was not found.
    fn field(&self, owner: Option<TypeId>, name: &str, wanted: Wanted, steps: usize) -> Term {
        let Some(FieldValue {
            code,
            value: Some(value),
        }) = self.field_value(owner, name)
        else {
            return Term::Unknown;
        };
        let body = BodyVariables::new(self.index, code);
        match (self.evaluate(&body, value, wanted, steps), code) {
            (known @ Term::Known(..), _) => known,
            (open, Code::Method(id, _)) if self.index.method(id).is_constructor => of_constructor(open, id),
            _ => Term::Unknown,
        }
    }

    fn field_value(&self, owner: Option<TypeId>, name: &str) -> Option<FieldValue<'i, 'r>> {
        let (declaring, _) = self.index.field(owner?, name)?;
        if self.index.is_library(declaring.id) {
            return None;
        }
        self.fields.only_value(declaring.id, name)
    }

    /// The type whose field a plain name refers to: the type of the body, an enclosing one, or one of a static import.
    /// `None` if the name is no field of these.
    fn field_owner(&self, body: &BodyVariables<'i, 'r>, name: &str) -> Option<TypeId> {
        let mut owner = Some(body.owner());
        while let Some(id) = owner {
            if self.index.field(id, name).is_some() {
                return Some(id);
            }
            owner = self.index.enclosing(id);
        }
        let imports = self.index.file_outline(body.file).imports.iter();
        imports.filter(|it| it.is_static).find_map(|import| {
            let owner = if import.is_wildcard {
                import.path
            } else {
                import.path.strip_suffix(name)?.strip_suffix('.')?
            };
            let id = self.index.lookup_qualified(owner, body.file)?;
            self.index.field(id, name).map(|_| id)
        })
    }

    fn type_named(&self, body: &BodyVariables<'i, 'r>, name: &'r str) -> Option<TypeId> {
        let scope = Scope {
            file: body.file,
            owner: Some(body.owner()),
        };
        match self.index.resolve_name(name, scope)? {
            TypeReference::Type(id) => Some(id),
            TypeReference::External(_) => None,
        }
    }

    /// Finds the call or construction that gives an expression its value, directly or through one variable or field.
    /// Returns what `with` returns for it and its body; `None` if the value has no single origin.
    pub(crate) fn made_by<T>(
        &self,
        body: &BodyVariables<'i, 'r>,
        expression: &'i Expression<'r>,
        with: impl FnOnce(&BodyVariables<'i, 'r>, &'i Expression<'r>) -> Option<T>,
    ) -> Option<T> {
        let name = match &expression.kind {
            ExpressionKind::Name(name) => match body.variable(name) {
                Variable::Value(value) => return with(body, value),
                Variable::NotLocal => name,
                Variable::Parameter(_) | Variable::Unknown => return None,
            },
            ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => name,
            ExpressionKind::Call(_) | ExpressionKind::New(_) => return with(body, expression),
            _ => return None,
        };
        let found = self.field_value(self.field_owner(body, name), name)?;
        with(&BodyVariables::new(self.index, found.code), found.value?)
    }

    /// The `new` expression that makes the value of an expression, directly or through one variable or field. `None` if
    /// no `new` of a class of the repository is found.
    pub(crate) fn construction(
        &self,
        body: &BodyVariables<'i, 'r>,
        expression: &'i Expression<'r>,
    ) -> Option<Construction> {
        self.made_by(body, expression, |body, made| {
            let ExpressionKind::New(new) = &made.kind else {
                return None;
            };
            let (class, constructor) = match body.targets[new.id.0 as usize] {
                Target::Declared(id) => (id.owner, Some(id)),
                Target::Owner(id) => (id, None),
                _ => return None,
            };
            let both = |it| [Wanted::Port, Wanted::Text].map(|wanted| self.term(body, it, wanted));
            Some(Construction {
                class,
                constructor,
                site: body.site(made),
                arguments: new.arguments.iter().map(both).collect(),
            })
        })
    }

    /// The argument at position `at` that the constructor `from` passes to the constructor `to` by `this(..)` or
    /// `super(..)`.
    pub(crate) fn delegated(&self, from: MethodId, to: MethodId, at: usize, wanted: Wanted) -> Term {
        let Some(code) = &self.index.method(from).code else {
            return Term::Unknown;
        };
        let body = BodyVariables::new(self.index, Code::Method(from, code));
        let delegations = code.get().block.iter().filter_map(|statement| match statement {
            Statement::Expression(Expression {
                kind: ExpressionKind::DelegateConstructor { id, arguments, .. },
                ..
            }) => Some((*id, arguments)),
            _ => None,
        });
        for (id, arguments) in delegations {
            if body.targets[id.0 as usize] == Target::Declared(to) {
                let argument = arguments.get(at);
                return argument.map_or(Term::Unknown, |it| self.term(&body, it, wanted));
            }
        }
        Term::Unknown
    }
}

/// The value of a Java literal; `None` if it is neither an integer nor a string.
fn literal(kind: LiteralKind, text: &str) -> Option<Value> {
    match kind {
        LiteralKind::Integer => text.replace('_', "").parse().ok().map(Value::Integer),
        LiteralKind::String => {
            let inner = text.strip_prefix('"')?.strip_suffix('"')?;
            Some(Value::Text {
                text: inner.replace("\\\\", "\\"),
                is_whole: true,
            })
        }
        _ => None,
    }
}

/// The value of Java's `+`: the sum of integers, or the concatenation of texts. If only the first texts are constant,
/// the result is the known beginning of a text.
fn sum(terms: &[Term], site: Site) -> Term {
    if let Some(Term::Known(Value::Integer(_), _)) = terms.first() {
        let total = terms
            .iter()
            .try_fold(0_i64, |total, it| total.checked_add(integer(it)?));
        return match total {
            Some(total) => Term::Known(Value::Integer(total), site),
            None => Term::Unknown,
        };
    }
    let mut whole = String::new();
    for (at, term) in terms.iter().enumerate() {
        match term {
            Term::Known(Value::Text { text, is_whole }, _) => {
                whole.push_str(text);
                if !is_whole {
                    return known_text(whole, false, site);
                }
            }
            Term::Known(Value::Integer(number), _) if at > 0 => whole.push_str(&number.to_string()),
            _ if at == 0 => return Term::Unknown,
            _ => return known_text(whole, false, site),
        }
    }
    known_text(whole, true, site)
}

fn integer(term: &Term) -> Option<i64> {
    match term {
        Term::Known(Value::Integer(number), _) => Some(*number),
        _ => None,
    }
}

/// The path that joins several parts with `/`; unknown if the value of any part is unknown.
pub(crate) fn path(terms: &[Term], site: Site) -> Term {
    let mut parts = Vec::new();
    let mut is_open = false;
    for term in terms {
        match term {
            Term::Known(Value::Text { text, is_whole: true }, _) => parts.push(text.as_str()),
            Term::Parameter(..) | Term::Constructed(..) | Term::Path(..) => is_open = true,
            _ => return Term::Unknown,
        }
    }
    match (is_open, parts.is_empty()) {
        (true, _) => Term::Path(terms.to_vec(), site),
        (false, true) => Term::Unknown,
        (false, false) => known_text(parts.join("/"), true, site),
    }
}

/// Restates the value that the constructor `id` gives a field: its parameter becomes the argument that `new` passes.
/// For `Server(int port) { this.port = port; }`, `Parameter(0, ..)` becomes `Constructed(id, 0, ..)`.
fn of_constructor(term: Term, id: MethodId) -> Term {
    match term {
        Term::Parameter(at, wanted) => Term::Constructed(id, at, wanted),
        Term::Path(parts, site) => {
            let parts: Vec<Term> = parts.into_iter().map(|it| of_constructor(it, id)).collect();
            path(&parts, site)
        }
        known @ Term::Known(..) => known,
        Term::Constructed(..) | Term::Unknown => Term::Unknown,
    }
}

/// The returned expression of a body that is a single `return`; `None` for every other body.
fn only_return<'b, 'r>(block: &'b [Statement<'r>]) -> Option<&'b Expression<'r>> {
    match block {
        [Statement::Return(Some(value))] => Some(value),
        [Statement::Block(inner)] => only_return(inner),
        _ => None,
    }
}

fn known_text(text: String, is_whole: bool, site: Site) -> Term {
    Term::Known(Value::Text { text, is_whole }, site)
}
