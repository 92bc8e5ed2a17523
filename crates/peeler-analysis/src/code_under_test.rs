//! Code under test: the methods of the repository that a test calls.
//!
//! The description of a method contains its position, the tokens of its body, and the methods that it calls, down to a
//! given depth. It also contains the syntax tree paths between tokens, for an encoder like code2vec.

use serde::Serialize;

use crate::symbols::ids::MethodId;
use crate::symbols::index::Index;
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::symbols::type_text::parse_type;
use crate::syntax::declarations::LazyBody;
use crate::syntax::outline::simple_name;
pub use crate::syntax::path_contexts::PathContext;
use crate::syntax::path_contexts::path_contexts;

/// Identifies a method of the repository within one analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CutMethodId(pub(crate) MethodId);

/// A method of the repository and the position of its declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CutReference {
    /// The identifier of the method, for [`Analysis::cut_method`](crate::Analysis::cut_method).
    #[serde(skip)]
    pub id: CutMethodId,
    /// The signature of the method, as `package.Class#method(Type,Type)`; the name of a constructor is `<init>`.
    pub method: String,
    /// The file that declares the method, relative to the root of the repository.
    pub file: String,
    /// The line that contains the name of the method in its declaration.
    pub line: u32,
}

/// A method of the repository as models read it: position, tokens, syntax tree paths and called methods.
#[derive(Debug, Clone, Serialize)]
pub struct CutMethod {
    /// The signature of the method, and the position of its declaration.
    #[serde(flatten)]
    pub reference: CutReference,
    /// Identifiers and literals of the method's body, in the order of the source.
    pub tokens: Vec<String>,
    /// Pairs of tokens of the method's body, each with the path between them in the syntax tree.
    pub path_contexts: Vec<PathContext>,
    /// Methods that the method's body calls directly or indirectly, each at its smallest call depth, nearest first.
    pub calls: Vec<CutCall>,
}

/// A method that another method of the repository calls directly or indirectly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CutCall {
    /// The number of calls from the calling method to the called one: one if the body of the calling method contains
    /// the call.
    pub depth: usize,
    /// The called method, as `package.Class#method(Type)`. If its declaration is unknown, only the name of its class
    /// and a `#`.
    pub method: String,
}

impl CutReference {
    /// Looks up the signature, file and line of a method of the repository.
    pub(crate) fn new(index: &Index<'_>, id: CutMethodId) -> Self {
        let method = index.method(id.0);
        let source = index.source(index.file_of(id.0.owner));
        Self {
            id,
            method: signature(index, id.0),
            file: source.path().to_owned(),
            line: source.line(method.at),
        }
    }
}

/// The signature of a method: `package.Class#method(Type,Type)`.
pub(crate) fn signature(index: &Index<'_>, id: MethodId) -> String {
    let method = index.method(id);
    let name = if method.is_constructor { "<init>" } else { method.name };
    let parameters: Vec<String> = method
        .parameters
        .iter()
        .map(|it| {
            let written = parse_type(it.type_text);
            let brackets = "[]".repeat(usize::from(written.dimensions + it.dimensions));
            format!("{}{brackets}", simple_name(written.name))
        })
        .collect();
    format!("{}#{name}({})", index.binary_name(id.owner), parameters.join(","))
}

/// Describes a method of the repository, with the methods that it calls through at most `depth` nested calls.
pub(crate) fn cut_method(index: &Index<'_>, id: CutMethodId, depth: usize) -> CutMethod {
    let (tokens, contexts) = match &index.method(id.0).code {
        Some(code) => path_contexts(code.source()),
        None => (Vec::new(), Vec::new()),
    };
    CutMethod {
        reference: CutReference::new(index, id),
        tokens,
        path_contexts: contexts,
        calls: call_summary(index, id.0, depth),
    }
}

/// The source text of the body of a method of the repository; empty if the method has no body.
pub(crate) fn method_source<'r>(index: &Index<'r>, id: CutMethodId) -> &'r str {
    index.method(id.0).code.as_ref().map_or("", LazyBody::source)
}

/// The methods that a method calls through at most `depth` nested calls, nearest first. An abstract method is followed
/// into its implementations.
fn call_summary(index: &Index<'_>, start: MethodId, depth: usize) -> Vec<CutCall> {
    let mut calls = Vec::new();
    let mut seen = vec![start];
    let mut level = vec![start];
    level.extend(index.implementations(start).iter());
    for depth in 1..=depth {
        let mut next = Vec::new();
        for method in level {
            for target in method_targets(index, method) {
                let called = match target {
                    Target::Declared(called) => {
                        if seen.contains(called) {
                            continue;
                        }
                        seen.push(*called);
                        next.push(*called);
                        next.extend(index.implementations(*called).iter());
                        signature(index, *called)
                    }
                    Target::Library(called) => signature(index, *called),
                    Target::External(owner) => format!("{owner}#"),
                    Target::Owner(owner) => format!("{}#", index.binary_name(*owner)),
                    Target::Unknown => continue,
                };
                let call = CutCall { depth, method: called };
                if !calls.iter().any(|it: &CutCall| it.method == call.method) {
                    calls.push(call);
                }
            }
        }
        level = next;
    }
    calls
}
