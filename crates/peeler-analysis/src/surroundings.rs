//! The text of a test and of what stands around it, for predictors that read words, and the classes
//! it is related to, for splits that keep relatives together.

use crate::analysis::Analysis;
use crate::cut::CutMethodId;
use crate::extraction::Extraction;
use crate::symbols::index::TypeId;
use crate::syntax::declarations::{LazyBody, MethodDeclaration};
use crate::syntax::outline::TypeKind;

/// Text in and around a test.
#[derive(Debug, Clone)]
pub struct Surroundings<'i> {
    /// The method from its name to its closing brace.
    pub method: &'i str,
    /// Lines of the method.
    pub lines: u32,
    /// Class names, imports, fields and setup methods of the class and its superclasses.
    pub context: Vec<&'i str>,
    /// The test's class, the class that declares the test, and its outermost class, by binary name.
    pub twins: [String; 3],
    /// Classes that share code with the test's class: its ancestors in the repository and its outermost
    /// class, by binary name, the class itself first.
    pub related: Vec<String>,
}

impl Analysis<'_> {
    /// Text and relations of an extracted test.
    #[must_use]
    pub fn surroundings<'i>(&'i self, extraction: &Extraction<'_>) -> Surroundings<'i> {
        let index = self.index();
        let test = extraction.test;
        let file = index.file_of(test.method.owner);
        let text = index.source(file).text();
        let declared = index.method(test.method);
        let end = declared.code.as_ref().map_or(declared.at, |code| code.end);
        let method = &text[declared.at as usize..end as usize];
        let mut context = Vec::new();
        let mut related = Vec::new();
        for ancestor in index.ancestors(test.class) {
            if index.is_library(ancestor.id) {
                continue;
            }
            let outline = index.outline(ancestor.id);
            let is_interface = matches!(outline.kind, TypeKind::Interface | TypeKind::Annotation);
            // Interfaces relate tests only where they bring the test itself.
            if !is_interface || ancestor.id == test.method.owner {
                related.push(index.binary_name(ancestor.id));
            }
            if !is_interface {
                self.context_of(ancestor.id, &mut context);
            }
        }
        let mut outermost = test.class;
        while let Some(outer) = index.enclosing(outermost) {
            outermost = outer;
        }
        let twins = [test.class, test.method.owner, outermost].map(|it| index.binary_name(it));
        related.push(index.binary_name(outermost));
        Surroundings {
            method,
            lines: u32::try_from(method.lines().count()).unwrap_or(u32::MAX),
            context,
            twins,
            related,
        }
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
        for method in declared.methods.iter().filter(|it| is_setup(it)) {
            context.extend(method.code.as_ref().map(LazyBody::source));
        }
    }
}

pub(crate) fn is_setup(method: &MethodDeclaration<'_>) -> bool {
    let by_annotation = method
        .annotations
        .iter()
        .any(|it| it.name.starts_with("Before") || it.name.starts_with("After"));
    by_annotation || matches!(method.name, "setUp" | "tearDown")
}
