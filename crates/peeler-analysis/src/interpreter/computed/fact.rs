//! A library fact: what the interpreter computed from the source of a library method about the nondeterminism of its
//! result.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::interpreter::trace::{Exposure, SourceKind};
use crate::interpreter::value::Form;

/// A fact about a library method: the nondeterminism of the value that it returns. Some of it comes from the method
/// itself, which may read the clock, and some from its arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(in crate::interpreter) struct MethodFact {
    /// The form of the returned value: a text, a number, a list, ...
    pub(in crate::interpreter) form: Form,
    /// How an undefined order shows in the returned value, whatever the arguments are, and the kind of source that it
    /// comes from. `None` if the order is defined or unknown.
    pub(in crate::interpreter) order: Option<(Exposure, SourceKind)>,
    /// The kinds of sources, such as the clock, that make the returned number, text or other scalar differ from run to
    /// run; sorted.
    pub(in crate::interpreter) taints: Vec<SourceKind>,
    /// What becomes of the nondeterminism of arguments in the returned value, sorted by the position of the parameter.
    pub(in crate::interpreter) parameters: Vec<ParameterFlow>,
}

/// What becomes of the nondeterminism of one argument in the value that a library method returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(in crate::interpreter) struct ParameterFlow {
    pub(in crate::interpreter) position: u8,
    pub(in crate::interpreter) order: OrderFlow,
    /// Whether the argument is a scalar, such as a number or text, on which the returned value depends. If so, the
    /// returned value differs from run to run when the argument does.
    pub(in crate::interpreter) has_taints: bool,
}

/// What becomes of the undefined order of an argument in the value that a library method returns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(in crate::interpreter) enum OrderFlow {
    /// The order of the argument does not reach the returned value, as far as is known.
    #[default]
    None,
    /// The undefined order of the argument shows in the returned value: as text, for example, if the method joins the
    /// elements.
    Shown(Exposure),
    /// The method puts the elements of the argument into a defined order.
    Settled,
}

impl MethodFact {
    /// Whether this fact about a library method says nothing about nondeterminism, neither of the method itself nor of
    /// its arguments.
    pub(in crate::interpreter) fn is_trivial(&self) -> bool {
        self.order.is_none() && self.taints.is_empty() && self.parameters.is_empty()
    }

    /// What this fact and `other` have in common. They are about two overloads or two implementations of one library
    /// method.
    pub(in crate::interpreter) fn common(&self, other: &Self) -> Self {
        let same = |it: &&ParameterFlow| other.parameters.contains(it);
        Self {
            form: if self.form == other.form {
                self.form
            } else {
                Form::Unknown
            },
            order: self.order.filter(|_| self.order == other.order),
            taints: self
                .taints
                .iter()
                .filter(|it| other.taints.contains(it))
                .copied()
                .collect(),
            parameters: self.parameters.iter().filter(same).copied().collect(),
        }
    }
}

impl fmt::Display for MethodFact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.form)?;
        if let Some((exposure, kind)) = self.order {
            write!(formatter, ", {kind:?} as {exposure:?}")?;
        }
        for kind in &self.taints {
            write!(formatter, ", {kind:?}")?;
        }
        for flow in &self.parameters {
            write!(formatter, ", parameter {}", flow.position)?;
            match flow.order {
                OrderFlow::None => {}
                OrderFlow::Shown(exposure) => write!(formatter, " shows its order as {exposure:?}")?,
                OrderFlow::Settled => write!(formatter, " is put in order")?,
            }
            if flow.has_taints {
                write!(formatter, " changes the result")?;
            }
        }
        Ok(())
    }
}
