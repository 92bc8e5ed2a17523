//! The values that a class gives its fields: initial values, and assignments in the bodies of the class.

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::syntax::body::{Expression, ExpressionKind, Local, Statement};
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_local};
use crate::walk::Code;

/// A value that a field gets, with the method or initialiser that assigns it.
#[derive(Clone, Copy)]
pub(crate) struct FieldValue<'i, 'r> {
    pub(crate) code: Code<'i, 'r>,
    /// The assigned expression; `None` if no expression states the value, as in `count++`.
    pub(crate) value: Option<&'i Expression<'r>>,
}

/// The values of the fields of one class, by the name of the field.
type ClassFields<'i, 'r> = Arc<FxHashMap<&'r str, Vec<FieldValue<'i, 'r>>>>;

/// The values that classes assign to their fields. Each class is searched when it is first asked for.
pub(crate) struct Fields<'i, 'r> {
    index: &'i Index<'r>,
    classes: RwLock<FxHashMap<TypeId, ClassFields<'i, 'r>>>,
}

impl<'i, 'r> Fields<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>) -> Self {
        Self {
            index,
            classes: RwLock::default(),
        }
    }

    /// The only value that the class `id` gives its field `name`; `None` if there are none or several.
    pub(crate) fn only_value(&self, id: TypeId, name: &str) -> Option<FieldValue<'i, 'r>> {
        match self.of(id).get(name)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn of(&self, id: TypeId) -> ClassFields<'i, 'r> {
        if let Some(known) = self.classes.read().expect("no holder panics").get(&id) {
            return known.clone();
        }
        let found = Arc::new(self.find(id));
        let mut classes = self.classes.write().expect("no holder panics");
        classes.entry(id).or_insert(found).clone()
    }

    fn find(&self, id: TypeId) -> FxHashMap<&'r str, Vec<FieldValue<'i, 'r>>> {
        let declared = self.index.declaration(id);
        let mut values: FxHashMap<&'r str, Vec<FieldValue<'i, 'r>>> = FxHashMap::default();
        for field in &declared.fields {
            let list = values.entry(field.name).or_default();
            if let Some(value) = initial_value(&field.code.get().block, field.name) {
                let code = Code::Initialiser(id, &field.code);
                list.push(FieldValue {
                    code,
                    value: Some(value),
                });
            }
        }
        let methods = declared.methods.iter().enumerate();
        let methods = methods.filter_map(|(at, it)| Some(Code::Method(MethodId::new(id, at), it.code.as_ref()?)));
        let blocks = declared.initialisers.iter().map(|it| Code::Initialiser(id, &it.code));
        for code in methods.chain(blocks) {
            // Most bodies assign nothing.
            if !code.body().source().contains('=') && !code.body().source().contains("++") {
                continue;
            }
            let mut writes = Writes {
                values: &mut values,
                locals: match code {
                    Code::Method(id, _) => self.index.method(id).parameters.iter().map(|it| it.name).collect(),
                    Code::Initialiser(..) => Vec::new(),
                },
                code,
            };
            walk_block(&mut writes, &code.body().get().block);
        }
        values
    }
}

/// The initial value of the field `name` in the statements that its declaration is parsed to; `None` if it has none.
fn initial_value<'b, 'r>(declaration: &'b [Statement<'r>], name: &str) -> Option<&'b Expression<'r>> {
    declaration.iter().find_map(|it| match it {
        Statement::Local(local) if local.name == name => local.value.as_ref(),
        _ => None,
    })
}

/// A visitor that collects the values that a body assigns to fields.
struct Writes<'v, 'i, 'r> {
    values: &'v mut FxHashMap<&'r str, Vec<FieldValue<'i, 'r>>>,
    locals: Vec<&'r str>,
    code: Code<'i, 'r>,
}

impl<'i, 'r: 'i> Writes<'_, 'i, 'r> {
    fn assign(&mut self, target: &Expression<'r>, value: Option<&'i Expression<'r>>) {
        let name = match &target.kind {
            ExpressionKind::Name(name) if !self.locals.contains(name) => name,
            ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => name,
            ExpressionKind::Field { name, .. } => name,
            _ => return,
        };
        if let Some(list) = self.values.get_mut(name) {
            list.push(FieldValue { code: self.code, value });
        }
    }
}

impl<'i, 'r: 'i> Visit<'i, 'r> for Writes<'_, 'i, 'r> {
    fn local(&mut self, local: &'i Local<'r>) {
        self.locals.push(local.name);
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'i Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Assign {
                target,
                value,
                operator,
            } => {
                self.assign(target, (*operator == "=").then_some(value));
            }
            ExpressionKind::Update { operand, .. } => self.assign(operand, None),
            _ => {}
        }
        walk_expression(self, expression);
    }
}
