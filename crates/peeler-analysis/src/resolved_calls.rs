//! The calls in test bodies with the declarations that they resolve to, for comparison with a compiler.

use rayon::prelude::*;

use crate::code_under_test::{CutMethodId, CutReference};
use crate::discovery::DiscoveredTest;
use crate::symbols::ids::MethodId;
use crate::symbols::index::Index;
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::CONSTRUCTOR;
use crate::threads::on_all_cores;

/// A call in the body of a test, and the declaration in the repository that it resolves to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedCall {
    /// The file that contains the call, relative to the root of the repository.
    pub file: String,
    /// The line of the call, counted from one.
    pub line: u32,
    /// The byte offset of the called method's name, or of `new`, in the decoded file.
    pub offset: u32,
    /// The name of the called method; `<init>` for constructors.
    pub name: String,
    /// The called method or constructor; `None` if the repository does not declare it.
    pub declaration: Option<CutReference>,
    /// The class, by binary name, whose implicit constructor is called; `None` for every other call.
    pub implicit_constructor_of: Option<String>,
}

/// The calls in the bodies of test methods. The body of an inherited test is read once.
pub(crate) fn resolved_calls(index: &Index<'_>, tests: &[DiscoveredTest]) -> Vec<ResolvedCall> {
    let mut methods: Vec<MethodId> = tests.iter().map(|test| test.method).collect();
    methods.sort_unstable();
    methods.dedup();
    on_all_cores(|| methods.par_iter().flat_map_iter(|it| calls_of(index, *it)).collect())
}

/// The calls in the body of one method, with the declarations that they resolve to.
fn calls_of(index: &Index<'_>, method: MethodId) -> Vec<ResolvedCall> {
    let Some(code) = &index.method(method).code else {
        return Vec::new();
    };
    let source = index.source(index.file_of(method.owner));
    let calls = code.get().calls.iter().zip(method_targets(index, method));
    calls
        .map(|(site, target)| ResolvedCall {
            file: source.path().to_owned(),
            line: source.line(site.at),
            offset: site.at,
            name: site.name.to_owned(),
            declaration: match target {
                Target::Declared(id) => Some(CutReference::new(index, CutMethodId(*id))),
                _ => None,
            },
            implicit_constructor_of: match target {
                Target::Owner(id) if site.name == CONSTRUCTOR => Some(index.binary_name(*id)),
                _ => None,
            },
        })
        .collect()
}
