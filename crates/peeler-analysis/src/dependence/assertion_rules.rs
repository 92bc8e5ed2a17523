//! Decides which calls of a body assert: by the catalogue, or by the body of the called method.

use super::run::Run;
use crate::assertions::{self, AssertionOwner, AssertionRole, AssertionRule, OWN, OperandPosition};
use crate::symbols::index::MethodId;
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind};

impl<'r> Run<'_, 'r> {
    /// The rule by which a call asserts; `None` if it does not.
    pub(super) fn rule(&self, call: &Call<'r>) -> Option<AssertionRule> {
        let mut rule = self.catalogued(call)?;
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

    /// The rule of the catalogue for a call.
    fn catalogued(&self, call: &Call<'r>) -> Option<AssertionRule> {
        let classify = |name, owner, has_receiver| assertions::classify(self.extra, name, owner, has_receiver);
        let has_receiver = call.receiver.as_ref().is_some_and(|it| !self.is_type_name(it));
        match self.target(call.id) {
            Target::Unknown => classify(call.name, AssertionOwner::Unknown, has_receiver),
            Target::External(name) => classify(call.name, AssertionOwner::Outside(name), has_receiver),
            Target::Library(method) => {
                let name = self.index.binary_name(method.owner).replace('$', ".");
                classify(call.name, AssertionOwner::Outside(&name), has_receiver)
            }
            Target::Declared(method) => {
                let name = self.index.binary_name(method.owner).replace('$', ".");
                classify(call.name, AssertionOwner::Repository(&name), has_receiver).or_else(|| {
                    let asserts = may_check(call.name) && self.asserts_in_body(method);
                    asserts.then_some(AssertionRule {
                        family: OWN,
                        role: AssertionRole::Call,
                        expected: OperandPosition::First,
                        message: OperandPosition::Last,
                    })
                })
            }
            Target::Owner(id) => {
                let name = self.index.binary_name(id).replace('$', ".");
                classify(call.name, AssertionOwner::Repository(&name), has_receiver)
            }
        }
    }

    /// Whether a method of the repository makes an assertion itself.
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

    /// Whether a call of a chain asserts.
    pub(super) fn is_assertion(&self, expression: &Expression<'r>) -> bool {
        links(expression).iter().any(|it| self.rule(it).is_some())
    }
}

/// Whether a method may assert, going by its name. Callers then check its body.
fn may_check(name: &str) -> bool {
    const BEGINNINGS: [&str; 9] = [
        "check", "validate", "ensure", "test", "compare", "should", "must", "require", "do",
    ];
    BEGINNINGS.iter().any(|it| name.starts_with(it))
}

/// The calls of a chain such as `a().b().c()`, first to last.
pub(super) fn links<'e, 'r>(expression: &'e Expression<'r>) -> Vec<&'e Call<'r>> {
    let mut links = Vec::new();
    let mut current = Some(expression);
    while let Some(ExpressionKind::Call(call)) = current.map(|it| &it.kind) {
        links.push(&**call);
        current = call.receiver.as_ref();
    }
    links.reverse();
    links
}
