//! The text of a test and of its class, for predictors that read words, and the classes that share code with a test.
//!
//! When a corpus is split by class or by family of classes, tests that have one of these classes in common stay
//! together.

use crate::discovery::DiscoveredTest;
use crate::lifecycle::is_setup_or_teardown;
use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;
use crate::syntax::declarations::LazyBody;
use crate::syntax::outline::TypeKind;

/// Classes that tell which tests stay together when a corpus is split by class or by family of classes. They are given
/// by binary name. Two tests with a class in common stay in the same part.
#[derive(Debug, Clone)]
pub struct Relatives {
    /// The classes for a split by class: the one that runs the test, the one that declares it, and the outermost class
    /// around the first.
    pub twins: [String; 3],
    /// The classes for a split by family: the test's class, its superclasses in the repository and its outermost
    /// enclosing class. An interface counts only if it declares the test.
    pub related: Vec<String>,
}

/// Texts from the class of a test and its superclasses: class names, imports, fields and setup methods.
#[derive(Debug, Clone, Default)]
pub struct ClassTexts<'r> {
    /// Class names, imports, fields and setup methods as source text: first those of the test's class, then of each
    /// superclass.
    pub texts: Vec<&'r str>,
    /// The number of texts that were left out at the end, because together they would exceed the maximum number of
    /// bytes for the class.
    pub dropped: usize,
}

/// Each test comes with the texts of the imports, fields and setup methods of its class. This is the maximum number of
/// bytes of these texts, added up over all methods of the class. Without it, a class with as many fields as tests would
/// take quadratic time.
const MAX_CONTEXT_READS: usize = 200_000_000;
/// Each test comes with the texts of the imports, fields and setup methods of its class. They are never cut below this
/// number of bytes, however many methods the class has.
const MIN_CONTEXT_BYTES: usize = 4_000;

/// The text of a test method, from its name to its closing brace.
pub(crate) fn method_text<'r>(index: &Index<'r>, test: DiscoveredTest) -> &'r str {
    let method = test.method;
    let declared = index.method(method);
    let end = declared.code.as_ref().map_or(declared.at, |code| code.end);
    &index.source(index.file_of(method.owner)).text()[declared.at as usize..end as usize]
}

/// The texts around the tests of a class: names, imports, fields and setup methods of the class and its superclasses.
pub(crate) fn context<'r>(index: &Index<'r>, class: TypeId) -> ClassTexts<'r> {
    let mut context = Vec::new();
    for ancestor in index.ancestors(class) {
        if !index.is_library(ancestor.id) && !is_interface(index, ancestor.id) {
            add_context(index, ancestor.id, &mut context);
        }
    }
    let methods = index.declaration(class).methods.len();
    let mut left = (MAX_CONTEXT_READS / methods.max(1)).max(MIN_CONTEXT_BYTES);
    let fitting = context.iter().take_while(|text| {
        let fits = text.len() <= left;
        left = left.saturating_sub(text.len());
        fits
    });
    let kept = fitting.count();
    let dropped = context.len() - kept;
    context.truncate(kept);
    ClassTexts {
        texts: context,
        dropped,
    }
}

/// The classes that share code with the class of a test, such as its superclasses and its outermost enclosing class.
pub(crate) fn relatives(index: &Index<'_>, test: DiscoveredTest) -> Relatives {
    let mut related = Vec::new();
    for ancestor in index.ancestors(test.class) {
        // An interface counts only if it declares the test itself.
        let relates = !is_interface(index, ancestor.id) || ancestor.id == test.method.owner;
        if relates && !index.is_library(ancestor.id) {
            related.push(index.binary_name(ancestor.id));
        }
    }
    let mut outermost = test.class;
    while let Some(outer) = index.enclosing(outermost) {
        outermost = outer;
    }
    let twins = [test.class, test.method.owner, outermost].map(|it| index.binary_name(it));
    related.push(index.binary_name(outermost));
    Relatives { twins, related }
}

/// Whether a type is an interface or an annotation.
fn is_interface(index: &Index<'_>, id: TypeId) -> bool {
    matches!(index.outline(id).kind, TypeKind::Interface | TypeKind::Annotation)
}

/// Appends the texts of one class to `context`: names, imports, fields, and setup and teardown methods.
fn add_context<'r>(index: &Index<'r>, id: TypeId, context: &mut Vec<&'r str>) {
    let outline = index.outline(id);
    context.push(outline.name);
    context.extend(&outline.supertypes);
    let imports = &index.file_outline(index.file_of(id)).imports;
    context.extend(imports.iter().map(|it| it.name));
    let declared = index.declaration(id);
    context.extend(declared.annotations.iter().map(|it| it.name));
    context.extend(declared.fields.iter().map(|it| it.code.source()));
    for method in declared.methods.iter().filter(|it| is_setup_or_teardown(it)) {
        context.extend(method.code.as_ref().map(LazyBody::source));
    }
}
