//! The facts about the methods of one library, before the facts about all libraries become one table. A fact tells how
//! nondeterministic the result of a method is.

use super::fact::MethodFact;
use crate::interpreter::facts::IterationOrder;
use crate::interpreter::value::Form;

/// The facts about the public classes of one library: which are containers, and how nondeterministic the results of
/// methods are. The interpreter computes them from the sources of the library.
#[derive(Debug, Default)]
pub struct LibrarySurvey {
    pub(in crate::interpreter) types: Vec<TypeSurvey>,
}

/// The facts about one public class of a library: whether it is a container, and how nondeterministic the results of
/// its methods are.
#[derive(Debug, Default)]
pub(in crate::interpreter) struct TypeSurvey {
    /// The package of the class, with enclosing classes.
    pub(in crate::interpreter) qualifier: String,
    pub(in crate::interpreter) simple: String,
    /// The full names of the direct supertypes of the class, without those that Peeler knows from its shipped library
    /// stubs.
    pub(in crate::interpreter) supertypes: Vec<String>,
    /// The form of the instances of the class: a list, a set, a map and so on; unknown if the class is no container.
    pub(in crate::interpreter) form: Form,
    /// The order in which instances of the class are iterated. `None` if the class is no container, or its order is
    /// unknown.
    pub(in crate::interpreter) order: Option<IterationOrder>,
    /// The public methods of the class that return a value, with the facts about them. Facts that say nothing about
    /// nondeterminism are included.
    pub(in crate::interpreter) methods: Vec<MethodSurvey>,
}

/// A public method of a library, with the fact about the nondeterminism of its result.
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

    /// Whether the class is a known container, or the fact about one of its methods says something about
    /// nondeterminism.
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

    /// The number of public methods of the library's public classes. Constructors and `void` methods are not counted.
    #[must_use]
    pub fn methods(&self) -> usize {
        self.types.iter().map(|it| it.methods.len()).sum()
    }

    /// The number of public methods of the library whose fact says something about nondeterminism, of their own or of
    /// arguments.
    #[must_use]
    pub fn methods_with_fact(&self) -> usize {
        let methods = self.types.iter().flat_map(|it| &it.methods);
        methods.filter(|it| !it.fact.is_trivial()).count()
    }
}
