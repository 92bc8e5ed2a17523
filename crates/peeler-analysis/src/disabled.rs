//! Decides whether a test is disabled.
//!
//! Annotations have the meaning that their frameworks give them. JUnit does not inherit `@Ignore` and `@Disabled` from
//! a superclass, TestNG does. Conditions such as `@DisabledOnOs` disable a test only on some machines, so such a test
//! does not count as disabled.

use crate::discovery::{DiscoveredTest, Framework};
use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;
use crate::syntax::declarations::Annotation;

/// Annotations that disable a test, or a class with the classes inside it.
const DISABLING: [&str; 3] = ["Ignore", "Ignored", "Disabled"];

/// Whether a test never runs, because an annotation disables it or a class around it.
pub(crate) fn is_disabled(index: &Index<'_>, test: DiscoveredTest) -> bool {
    if disables(&index.method(test.method).annotations) {
        return true;
    }
    let mut around = Some(test.class);
    while let Some(class) = around {
        if is_disabled_class(index, class, test.framework) {
            return true;
        }
        around = index.enclosing(class);
    }
    false
}

fn is_disabled_class(index: &Index<'_>, class: TypeId, framework: Framework) -> bool {
    if framework != Framework::TestNg {
        return disables(&index.declaration(class).annotations);
    }
    let mut ancestors = index.ancestors(class).iter();
    ancestors.any(|it| disables(&index.declaration(it.id).annotations))
}

/// Whether one of the annotations disables the test or class that it stands at.
fn disables(annotations: &[Annotation<'_>]) -> bool {
    annotations.iter().any(|it| {
        let is_switched_off = it.name == "Test" && {
            let arguments: String = it.arguments.chars().filter(|it| !it.is_whitespace()).collect();
            arguments.contains("enabled=false")
        };
        DISABLING.contains(&it.name) || is_switched_off
    })
}
