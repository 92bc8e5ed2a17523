//! Calls of a library inside the repository that declares it: a test of Gson calls the `Gson` of its own repository.

use super::facts::{CallText, ClassRef, Effect};
use super::run::Run;
use super::value::{Form, Value};
use crate::flows::flow::Site;
use crate::symbols::ids::MethodId;
use crate::symbols::types::Type;
use crate::syntax::body::Call;

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The abstract value of a call of a serialiser class that the repository itself declares, such as `Gson.toJson`.
    /// It follows from the entries of `values.toml`, because the serialiser has too many nested calls to follow. `None`
    /// for other calls.
    pub(super) fn own_serialiser(
        &mut self,
        method: MethodId,
        call: &'i Call<'r>,
        this: &Value<'i, 'r>,
        site: Site,
    ) -> Option<Value<'i, 'r>> {
        let index = self.shared.index;
        let facts = self.shared.facts;
        let class = ClassRef::declared(index, method.owner);
        if facts.form(class) != Form::Serialiser {
            return None;
        }
        let text = CallText {
            name: call.name,
            arguments: call.arguments.len(),
            text: self.arguments_text(call),
        };
        if let Some(function) = facts.function(class, text)
            && matches!(function.effect, Effect::Serialise | Effect::SerialiseMaps)
        {
            return Some(self.function_call(function, call.name, Some(this), &call.arguments, site));
        }
        let returns = match index.signature(method).returns {
            Type::Declared(id, _) => ClassRef::declared(index, id),
            _ => return None,
        };
        let is_setting = !index.method(method).is_static && facts.form(returns) == Form::Serialiser;
        is_setting.then(|| self.configured(this.clone(), call))
    }
}
