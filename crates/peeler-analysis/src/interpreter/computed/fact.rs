//! A computed fact: what the interpreter found out about a method of a library from its source.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::interpreter::trace::{Exposure, SourceKind};
use crate::interpreter::value::Form;

/// The nondeterminism of the value that a library method returns, and what it carries over from its arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(in crate::interpreter) struct MethodFact {
    /// The form of the returned value: a text, a number, a list, ...
    pub(in crate::interpreter) form: Form,
    /// How an undefined order shows in the returned value for any arguments, and the kind of its source. `None` if the
    /// order is defined or unknown.
    pub(in crate::interpreter) order: Option<(Exposure, SourceKind)>,
    /// The kinds of sources, such as the clock, that make a returned scalar differ from run to run; sorted.
    pub(in crate::interpreter) taints: Vec<SourceKind>,
    /// What the returned value carries over from arguments, by position of the parameter.
    pub(in crate::interpreter) parameters: Vec<ParameterFlow>,
}

/// What a returned value carries over from the argument of one parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(in crate::interpreter) struct ParameterFlow {
    pub(in crate::interpreter) position: u8,
    pub(in crate::interpreter) order: OrderFlow,
    /// Whether the returned value changes with a scalar argument.
    pub(in crate::interpreter) has_taints: bool,
}

/// What a returned value carries over from the order of an unordered argument.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(in crate::interpreter) enum OrderFlow {
    /// The order of the argument does not reach the returned value, as far as is known.
    #[default]
    None,
    /// The order of the argument shows in the returned value.
    Shown(Exposure),
    /// The method puts the elements of the argument into a defined order.
    Settled,
}

impl MethodFact {
    /// Whether the fact says nothing that a caller could use.
    pub(in crate::interpreter) fn is_trivial(&self) -> bool {
        self.order.is_none() && self.taints.is_empty() && self.parameters.is_empty()
    }

    /// What two facts say in common, for two overloads or two implementations of one method.
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
