//! Finds the declarations that the calls of a method body resolve to.
//!
//! One walk over a body tracks the types of its variables. A call is looked up in the type of its receiver and in the
//! supertypes. An unqualified call is looked up in the enclosing types and then among static imports. Arguments decide
//! between overloads (see `overloads.rs`). The result is a list of targets by call id, computed once for each body.
//!
//! ```java
//! var cart = shop.carts().get(0);   // List<Cart> -> Cart
//! cart.total();                     // Declared(Cart#total)
//! ```
//!
//! Left out: type inference through more than one level of generic lambdas, and types of libraries without a stub.

use super::ids::{MethodId, TypeId};
use super::index::Index;
use super::resolver::Resolver;
use super::targets::Target;
use super::type_text::parse_type_parameters;
use crate::syntax::declarations::LazyBody;

/// The declarations that the calls in a method or constructor resolve to, in the order of the calls.
pub(crate) fn method_targets<'i, 'r>(index: &'i Index<'r>, id: MethodId) -> &'i [Target<'r>] {
    let method = index.method(id);
    let Some(code) = &method.code else {
        return &[];
    };
    index.cached_targets(index.file_of(id.owner), code, || {
        let mut resolver = Resolver::new(index, id.owner, parse_type_parameters(method.type_parameters));
        for parameter in &method.parameters {
            let type_ = resolver.written_type(parameter.type_text, parameter.dimensions);
            resolver.locals.push((parameter.name, type_));
        }
        resolver.run(code.get())
    })
}

/// The declarations that the calls in a field declaration or initialiser block resolve to, in the order of the calls.
pub(crate) fn code_targets<'i, 'r>(index: &'i Index<'r>, owner: TypeId, code: &LazyBody<'r>) -> &'i [Target<'r>] {
    index.cached_targets(index.file_of(owner), code, || {
        Resolver::new(index, owner, Vec::new()).run(code.get())
    })
}
