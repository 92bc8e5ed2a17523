//! Decides which calls of a body assert: by the catalogue of assertions, or by the body of the called method.

use super::run::Run;
use crate::assertions::{self, AssertionOwner, AssertionRole, AssertionRule, ExtraAssertion, OWN, OperandPosition};
use crate::symbols::index::{Index, MethodId, TypeId};
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind};

impl<'r> Run<'_, 'r> {
    /// The rule by which a call asserts; `None` if the call does not assert.
    pub(super) fn rule(&self, call: &Call<'r>) -> Option<AssertionRule> {
        let has_receiver = call.receiver.as_ref().is_some_and(|it| !self.is_type_name(it));
        let target = self.target(call.id);
        rule_of(self.index, self.extra, call, target, has_receiver).or_else(|| {
            let Target::Declared(method) = target else {
                return None;
            };
            let asserts = may_check(call.name) && self.asserts_in_body(method);
            asserts.then_some(AssertionRule {
                family: OWN,
                role: AssertionRole::Call,
                expected: OperandPosition::First,
                message: OperandPosition::Last,
            })
        })
    }

    /// Whether the body of a method of the repository itself calls an assertion of a library.
    fn asserts_in_body(&self, method: MethodId) -> bool {
        let Some(code) = &self.index.method(method).code else {
            return false;
        };
        let targets = method_targets(self.index, method);
        code.get().calls.iter().zip(targets.iter()).any(|(site, target)| {
            let owner = match target {
                Target::Unknown => AssertionOwner::Unknown,
                Target::External(name) => AssertionOwner::Outside(name),
                Target::Library(_) | Target::Declared(_) | Target::Owner(_) => return false,
            };
            assertions::classify(self.extra, site.name, owner, false).is_some()
        })
    }

    /// Whether one of the calls of a chain such as `a().b().c()` asserts.
    pub(super) fn is_assertion(&self, expression: &Expression<'r>) -> bool {
        links(expression).iter().any(|it| self.rule(it).is_some())
    }
}

/// The rule of the catalogue of assertions by which a call asserts; `None` if it does not. `has_receiver` tells whether
/// the call has a receiver that is no type.
pub(crate) fn rule_of<'r>(
    index: &Index<'r>,
    extra: &[ExtraAssertion],
    call: &Call<'r>,
    target: Target<'r>,
    has_receiver: bool,
) -> Option<AssertionRule> {
    if !assertions::may_assert(extra, call.name) {
        return None;
    }
    let classify = |owner: AssertionOwner<'_>| assertions::classify(extra, call.name, owner, has_receiver);
    let declared_in = |id: TypeId| index.binary_name(id).replace('$', ".");
    let mut rule = match target {
        Target::Unknown => classify(AssertionOwner::Unknown),
        Target::External(name) => classify(AssertionOwner::Outside(name)),
        Target::Library(method) => classify(AssertionOwner::Outside(&declared_in(method.owner))),
        Target::Declared(method) => classify(AssertionOwner::Repository(&declared_in(method.owner))),
        Target::Owner(id) => classify(AssertionOwner::Repository(&declared_in(id))),
    }?;
    // `assertThat(actual, matcher)` asserts by itself, `assertThat(actual)` only opens a chain.
    if call.name == "assertThat" {
        rule.expected = OperandPosition::Last;
        rule.message = OperandPosition::First;
        if call.arguments.len() == 1 {
            rule.role = AssertionRole::Opener;
        }
    }
    Some(rule)
}

/// Whether a method may assert, going by its name. Callers then check its body.
fn may_check(name: &str) -> bool {
    const BEGINNINGS: [&str; 9] = [
        "check", "validate", "ensure", "test", "compare", "should", "must", "require", "do",
    ];
    BEGINNINGS.iter().any(|it| name.starts_with(it))
}

/// The calls of a chain such as `a().b().c()`, first to last.
pub(crate) fn links<'e, 'r>(expression: &'e Expression<'r>) -> Vec<&'e Call<'r>> {
    let mut links = Vec::new();
    let mut current = Some(expression);
    while let Some(ExpressionKind::Call(call)) = current.map(|it| &it.kind) {
        links.push(&**call);
        current = call.receiver.as_ref();
    }
    links.reverse();
    links
}
