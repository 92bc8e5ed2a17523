//! The text of a test and of what stands around it, for predictors that read words, and the classes
//! it is related to, for splits that keep relatives together.

use crate::analysis::Analysis;
use crate::cut::CutMethodId;
use crate::lifecycle::is_setup_or_teardown;
use crate::symbols::index::TypeId;
use crate::syntax::declarations::LazyBody;
use crate::syntax::outline::TypeKind;
use crate::traced::TracedTest;

/// The classes that a test is related to, by binary name.
#[derive(Debug, Clone)]
pub struct Relatives {
    /// The test's class, the class that declares the test, and its outermost class.
    pub twins: [String; 3],
    /// Classes that share code with the test's class: its ancestors in the repository and its outermost
    /// class, the class itself first.
    pub related: Vec<String>,
}

impl Analysis<'_> {
    /// The method of an extracted test from its name to its closing brace.
    #[must_use]
    pub fn method_text(&self, traced: &TracedTest<'_>) -> &str {
        let index = self.index();
        let method = traced.test.method;
        let declared = index.method(method);
        let end = declared.code.as_ref().map_or(declared.at, |code| code.end);
        &index.source(index.file_of(method.owner)).text()[declared.at as usize..end as usize]
    }

    /// What stands around an extracted test: class names, imports, fields and setup methods of the class and its superclasses.
    /// It is the same for all tests of a class.
    #[must_use]
    pub fn context(&self, traced: &TracedTest<'_>) -> Vec<&str> {
        let index = self.index();
        let mut context = Vec::new();
        for ancestor in index.ancestors(traced.test.class) {
            if !index.is_library(ancestor.id) && !self.is_interface(ancestor.id) {
                self.context_of(ancestor.id, &mut context);
            }
        }
        context
    }

    /// The classes that an extracted test is related to.
    #[must_use]
    pub fn relatives(&self, traced: &TracedTest<'_>) -> Relatives {
        let index = self.index();
        let test = traced.test;
        let mut related = Vec::new();
        for ancestor in index.ancestors(test.class) {
            // Interfaces relate tests only where they bring the test itself.
            let relates = !self.is_interface(ancestor.id) || ancestor.id == test.method.owner;
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

    fn is_interface(&self, id: TypeId) -> bool {
        let kind = self.index().outline(id).kind;
        matches!(kind, TypeKind::Interface | TypeKind::Annotation)
    }

    /// The source of a method of the repository, empty where it has no body.
    #[must_use]
    pub fn method_source(&self, id: CutMethodId) -> &str {
        let code = self.index().method(id.0).code.as_ref();
        code.map_or("", LazyBody::source)
    }

    fn context_of<'i>(&'i self, id: TypeId, context: &mut Vec<&'i str>) {
        let index = self.index();
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
}
