//! Counts the class members that reflection returns for a class literal. A single member has no order.
//!
//! ```java
//! Shop.class.getDeclaredConstructors()[0]    // the only one: no order
//! ```

use super::run::Run;
use super::trace::SourceKind;
use super::value::Value;
use crate::symbols::names::TypeReference;
use crate::syntax::body::{Call, ClassBody, ExpressionKind};
use crate::syntax::declarations::TypeDeclaration;

/// Parts of names of annotations, such as those of Lombok, that make a code generator add members to a class.
const GENERATING: [&str; 7] = ["Constructor", "Data", "Value", "Builder", "Getter", "Setter", "Auto"];

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// Remembers a class member that a test picks by its position, as in `type.getDeclaredMethods()[0]`. Reflection
    /// returns members in no defined order.
    pub(super) fn remember_member(&mut self, element: &Value<'i, 'r>) {
        let disorder = element.disorder.as_ref().filter(|_| self.is_in_test());
        if let Some(disorder) = disorder.filter(|it| it.trace.origin().kind == SourceKind::ReflectionOrder) {
            self.picked_members.push(disorder.trace.clone());
        }
    }

    /// Whether the code that is run is the test method itself.
    fn is_in_test(&self) -> bool {
        self.units == 0 && self.stack.len() == 1
    }

    /// The number of members that a call such as `Shop.class.getDeclaredFields()` returns, if it is below two.
    /// `receiver` is the class literal, also if a variable has it. Of an unknown class, such as one that it compiles,
    /// a test asks for the only constructor.
    pub(super) fn few_members(&self, call: &Call<'r>, receiver: &Value<'i, 'r>) -> Option<u8> {
        if call.name == "getDeclaredMethods"
            && let Some(class) = anonymous_class(call)
        {
            return u8::try_from(class.methods.len()).ok().filter(|it| *it < 2);
        }
        let Some(literal) = receiver.constant else {
            return (self.is_in_test() && call.name.ends_with("Constructors")).then_some(1);
        };
        let name = literal.strip_suffix(".class")?.trim_end();
        let index = self.shared.index;
        let Some(TypeReference::Type(id)) = index.resolve_name(name, self.scope()) else {
            return None;
        };
        if index.is_library(id) {
            return None;
        }
        let declared = index.declaration(id);
        let is_generated = |it: &str| GENERATING.iter().any(|part| it.contains(part));
        if declared.annotations.iter().any(|it| is_generated(it.name)) {
            return None;
        }
        let count = members(declared, call.name)?;
        u8::try_from(count).ok().filter(|it| *it < 2)
    }
}

/// The anonymous class that a call asks for members: that of `new Object() { .. }.getClass().getDeclaredMethods()`.
fn anonymous_class<'e, 'r>(call: &'e Call<'r>) -> Option<&'e ClassBody<'r>> {
    let ExpressionKind::Call(get_class) = &call.receiver.as_ref()?.kind else {
        return None;
    };
    match &get_class.receiver.as_ref()?.kind {
        ExpressionKind::New(new) if get_class.name == "getClass" => new.body.as_ref(),
        _ => None,
    }
}

/// The number of members of a class that a method of `java.lang.Class`, such as `getDeclaredFields`, returns. `None`
/// for methods that return no declared fields, methods or constructors.
fn members(class: &TypeDeclaration<'_>, method: &str) -> Option<usize> {
    let constructors = class.methods.iter().filter(|it| it.is_constructor).count();
    match method {
        // A class without constructors has one by default.
        "getDeclaredConstructors" | "getConstructors" => Some(constructors.max(1)),
        "getDeclaredFields" => Some(class.fields.len()),
        "getDeclaredMethods" => Some(class.methods.len() - constructors),
        _ => None,
    }
}
