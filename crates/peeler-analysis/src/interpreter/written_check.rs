//! What the source text of an assertion tells about its check: that order plays no part in it.
//!
//! ```java
//! import static org.skyscreamer.jsonassert.JSONAssert.*;
//! assertEquals(expected, json, false);                    // compares parsed documents
//! assertThat(states).containsExactly(OFFLINE, OFFLINE);   // equal elements have no order
//! ```

use super::run::Run;
use crate::syntax::body::{Call, Expression, ExpressionKind};

/// The class whose `assertEquals` compares JSON documents. It is imported together with classes that have one too.
const DOCUMENT_CHECKS: &str = "org.skyscreamer.jsonassert.JSONAssert";

impl<'r> Run<'_, '_, 'r> {
    /// Whether a call is `assertEquals(expected, actual, false)` of `JSONAssert`, by a static import of the file. No
    /// other `assertEquals` has a truth value behind the compared texts.
    pub(super) fn is_document_check(&self, call: &Call<'r>) -> bool {
        let [_, _, .., last] = call.arguments.as_slice() else {
            return false;
        };
        let is_mode = call.arguments.len() > 2 && {
            let text = self.text(last);
            matches!(
                text,
                "true" | "false" | "STRICT" | "LENIENT" | "NON_EXTENSIBLE" | "STRICT_ORDER"
            ) || text.contains("JSONCompareMode.")
        };
        let mut imports = self.shared.index.file_outline(self.frame.file).imports.iter();
        is_mode
            && call.receiver.is_none()
            && matches!(call.name, "assertEquals" | "assertNotEquals")
            && imports.any(|it| {
                let rest = it.path.strip_prefix(DOCUMENT_CHECKS).filter(|_| it.is_static);
                rest.is_some_and(|it| it.is_empty() || it.starts_with('.'))
            })
    }

    /// Whether two or more expected elements are all written alike, as constants or variables. Then their order is
    /// always the same.
    pub(super) fn are_written_alike(&self, expected: &[Expression<'r>]) -> bool {
        let [first, rest @ ..] = expected else {
            return false;
        };
        let is_fixed = |it: &Expression<'r>| {
            matches!(
                it.kind,
                ExpressionKind::Literal(_) | ExpressionKind::Name(_) | ExpressionKind::Field { .. }
            )
        };
        !rest.is_empty() && is_fixed(first) && rest.iter().all(|it| self.text(it) == self.text(first))
    }
}
