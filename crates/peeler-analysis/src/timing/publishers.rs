//! Chains of calls that build a publisher or future in one place and end in another.
//!
//! ```java
//! Flux<String> words = Flux.just("a").publishOn(Schedulers.parallel());
//! words.subscribe(seen::add);                // `publishOn` and `just` are earlier calls of its chain
//! ```

use crate::syntax::body::{Call, Expression, ExpressionKind, Statement};

use super::references::{called_method, is_own_method, scanned_method};
use super::scanned_body::ScannedBody;
use super::variables::{Values, names_in};

/// The maximum number of variables and methods that are followed to the earlier calls of one call chain.
const MAX_STEPS: u8 = 3;

/// The earlier calls of a call chain, found through variables and methods of the repository.
#[derive(Default)]
pub(super) struct Chain<'r> {
    /// The names of the methods that are called earlier in the chain: `b` and `a` for the call of `c` in `a().b().c()`.
    pub(super) links: Vec<&'r str>,
    /// Fields in the `return` statements of methods that build the chain: `queue` for `return Flux.from(queue);`. Only
    /// methods of the calling class, its superclasses and enclosing classes count.
    pub(super) fields: Vec<&'r str>,
}

/// The earlier calls of the chain that leads to a call, found through local variables and methods of the repository.
pub(super) fn chain<'b, 'r>(scanned: &ScannedBody<'b, 'r>, values: &Values<'b, 'r>, call: &Call<'r>) -> Chain<'r> {
    let mut chain = Chain::default();
    if let Some(receiver) = &call.receiver {
        follow(scanned, values, receiver, MAX_STEPS, &mut chain);
    }
    chain
}

fn follow<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    values: &Values<'b, 'r>,
    object: &Expression<'r>,
    steps: u8,
    chain: &mut Chain<'r>,
) {
    match &object.kind {
        ExpressionKind::Name(name) => {
            // Calls of field initialisers belong to another body, so only local variables are followed.
            let value = values.iter().rev().find(|(it, _)| it == name);
            if let (Some((_, value)), Some(steps)) = (value, steps.checked_sub(1)) {
                follow(scanned, values, value, steps, chain);
            }
        }
        ExpressionKind::Call(call) => {
            chain.links.push(call.name);
            if let Some(receiver) = &call.receiver {
                follow(scanned, values, receiver, steps, chain);
            }
            let built = called_method(scanned, call)
                .and_then(|it| Some((it, scanned_method(scanned, it)?, steps.checked_sub(1)?)));
            if let Some((method, body, steps)) = built
                && let Some(Statement::Return(Some(value))) = last_statement(body.block)
            {
                if is_own_method(scanned, method) {
                    let is_field = |it: &&'r str| scanned.index.field(method.owner, it).is_some();
                    chain.fields.extend(names_in(value).into_iter().filter(is_field));
                }
                follow(&body, &Values::new(), value, steps, chain);
            }
        }
        _ => {}
    }
}

/// The last statement of a block. If that is a nested block, it is the last statement inside. `None` if there is no
/// statement.
pub(super) fn last_statement<'b, 'r>(block: &'b [Statement<'r>]) -> Option<&'b Statement<'r>> {
    match block.last()? {
        Statement::Block(inner) => last_statement(inner),
        other => Some(other),
    }
}
