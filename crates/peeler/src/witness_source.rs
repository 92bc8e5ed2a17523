//! Adds source lines to the places of a flow that are outside of the test method.
//!
//! ```text
//! source     Order.java:16  private final Map<String, String> attributes = new HashMap<>();    with its neighbours
//! assertion  OrderTest.java:61                                    a line of the test, which the finding has already
//! ```

use peeler_analysis::Repository;

use crate::finding::{Excerpt, Finding, Role};

/// The number of lines before and after the source of a flow that a finding keeps.
const CONTEXT: u32 = 2;
/// The maximum number of lines of one place.
const MOST_LINES: usize = 9;
/// The maximum number of characters of a line. Lines of generated code can be very long.
const MOST_CHARACTERS: usize = 300;

/// Adds source lines to the places of the finding's flow that its own excerpt does not contain.
pub(crate) fn add(finding: &mut Finding, repository: &Repository) {
    let own = &finding.source;
    let own_end = own.first_line + u32::try_from(own.lines.len()).unwrap_or(u32::MAX);
    for step in &mut finding.witness {
        let region = &step.region;
        let is_own = region.file == own.file && (own.first_line..own_end).contains(&region.line);
        let Some(file) = repository.file_id(&region.file).filter(|_| !is_own) else {
            continue;
        };
        let context = if step.role == Role::Source { CONTEXT } else { 0 };
        let first_line = region.line.saturating_sub(context).max(1);
        let last_line = region.end_line.max(region.line) + context;
        let text = repository.files()[file.position()].text();
        let lines = text
            .lines()
            .skip(first_line as usize - 1)
            .take(((last_line - first_line) as usize + 1).min(MOST_LINES))
            .map(|it| it.chars().take(MOST_CHARACTERS).collect());
        step.source = Some(Excerpt {
            file: region.file.clone(),
            first_line,
            lines: lines.collect(),
        });
    }
}
