//! The abstract run of method references such as `Order::price`, where a stream or loop calls them with elements.

use super::call::Invocation;
use super::run::Run;
use super::value::Value;
use crate::flows::flow::Site;
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::names::TypeReference;
use crate::syntax::body::{CONSTRUCTOR, Expression};

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The abstract value that a method reference returns for the arguments `given`; `None` if the repository does not
    /// declare the method.
    pub(super) fn referenced(
        &mut self,
        object: &'i Expression<'r>,
        name: &'r str,
        given: &[Value<'i, 'r>],
        site: Site,
    ) -> Option<Value<'i, 'r>> {
        let named = self.named_type(object);
        let class = match named {
            Some(TypeReference::Type(id)) if !self.shared.index.is_library(id) => Some(id),
            Some(_) => None,
            None => self.value(object).class,
        };
        let class = class?;
        if name == "new" {
            let constructor = self.method_with(class, CONSTRUCTOR, given.len(), true);
            return Some(self.constructed(class, constructor, given.to_vec()));
        }
        if named.is_none() {
            let method = self.method_with(class, name, given.len(), false)?;
            let this = self.value(object);
            return Some(self.call_method(method, this, given.to_vec(), site));
        }
        if let Some(method) = self.method_with(class, name, given.len(), true) {
            return Some(self.call_method(method, Value::default(), given.to_vec(), site));
        }
        let (first, rest) = given.split_first()?;
        let method = self.method_with(class, name, rest.len(), false)?;
        // The element may be of a class that overrides the method.
        let method = match first.class {
            Some(own) if self.shared.index.inherits(own, class) => self.shared.index.override_in(own, method),
            _ => method,
        };
        let invocation = Invocation {
            this: first.clone(),
            arguments: rest.to_vec(),
            site,
        };
        Some(self.invoke(method, invocation).0)
    }

    /// The static or non-static method of a class or its supertypes with this name and number of parameters, or such a
    /// constructor. `None` if the repository does not declare one.
    fn method_with(&self, class: TypeId, name: &str, parameters: usize, is_static: bool) -> Option<MethodId> {
        let index = self.shared.index;
        let mut classes = index.ancestors(class).iter().filter(|it| !index.is_library(it.id));
        classes.find_map(|it| {
            index.methods_named(it.id, name).find(|it| {
                let declared = index.method(*it);
                let fits = declared.is_constructor || declared.is_static == is_static;
                fits && declared.parameters.len() == parameters
            })
        })
    }
}
