//! The facts about one library, before the facts of all libraries become one table.

use super::fact::MethodFact;
use crate::interpreter::facts::IterationOrder;
use crate::interpreter::value::Form;

/// What the interpreter computed about the public classes of one library.
#[derive(Debug, Default)]
pub struct LibrarySurvey {
    pub(in crate::interpreter) types: Vec<TypeSurvey>,
}

/// What the interpreter computed about one public class.
#[derive(Debug, Default)]
pub(in crate::interpreter) struct TypeSurvey {
    /// The package of the class, with enclosing classes.
    pub(in crate::interpreter) qualifier: String,
    pub(in crate::interpreter) simple: String,
    /// The full names of the supertypes that are no library stubs.
    pub(in crate::interpreter) supertypes: Vec<String>,
    /// The form of the instances of the class: a list, a set, a map, ...; unknown if the class is no container.
    pub(in crate::interpreter) form: Form,
    /// The order in which instances are iterated, for containers of which it is known.
    pub(in crate::interpreter) order: Option<IterationOrder>,
    /// All public methods of the class with their facts, trivial ones too.
    pub(in crate::interpreter) methods: Vec<MethodSurvey>,
}

/// A public method of a library with its fact.
#[derive(Debug)]
pub(in crate::interpreter) struct MethodSurvey {
    pub(in crate::interpreter) name: String,
    pub(in crate::interpreter) parameters: u8,
    pub(in crate::interpreter) is_variadic: bool,
    pub(in crate::interpreter) fact: MethodFact,
}

impl TypeSurvey {
    /// The name of the class with its package and enclosing classes.
    pub(in crate::interpreter) fn full_name(&self) -> String {
        if self.qualifier.is_empty() {
            self.simple.clone()
        } else {
            format!("{}.{}", self.qualifier, self.simple)
        }
    }

    /// Whether the class is a known container, or has a method with a fact.
    pub(in crate::interpreter) fn has_fact(&self) -> bool {
        self.form != Form::Unknown || self.methods.iter().any(|it| !it.fact.is_trivial())
    }
}

impl LibrarySurvey {
    /// The number of public classes of the library.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.types.len()
    }

    /// The number of public methods of the library.
    #[must_use]
    pub fn methods(&self) -> usize {
        self.types.iter().map(|it| it.methods.len()).sum()
    }

    /// The number of public methods of the library with a fact.
    #[must_use]
    pub fn methods_with_fact(&self) -> usize {
        let methods = self.types.iter().flat_map(|it| &it.methods);
        methods.filter(|it| !it.fact.is_trivial()).count()
    }
}
