//! The documentation pages of the rules, which are part of the program.
//!
//! The page of a rule is `docs/rules/<id>.md`.

use peeler_features::Rule;

/// The folder of the rule pages on the web, which who publishes the program names when it is built:
/// `PEELER_RULE_PAGES=https://github.com/owner/peeler/blob/main/docs/rules cargo build`. `None` if nobody did.
const FOLDER: Option<&str> = option_env!("PEELER_RULE_PAGES");

/// Lists the Markdown pages of rules, each with the id of its rule.
macro_rules! pages {
    ($($id:ident),* $(,)?) => {
        &[$((stringify!($id), include_str!(concat!("../../../docs/rules/", stringify!($id), ".md")))),*]
    };
}

#[rustfmt::skip]
static PAGES: &[(&str, &str)] = pages![
    PLR101, PLR102, PLR103, PLR104, PLR105, PLR106, PLR107, PLR108, PLR109, PLR110,
    PLR201, PLR202, PLR203, PLR204, PLR205, PLR206, PLR207, PLR208, PLR209,
    PLR301, PLR302, PLR303, PLR304, PLR305, PLR306, PLR307, PLR308, PLR309,
    PLR401, PLR402, PLR403, PLR404, PLR501, PLR502, PLR503, PLR504, PLR505,
    PLR506, PLR507, PLR508, PLR601, PLR602, PLR603, PLR604, PLR605,
];

/// The documentation page of a rule, in Markdown.
pub(crate) fn page(rule: Rule) -> &'static str {
    let page = PAGES.iter().find(|(id, _)| *id == rule.id());
    page.expect("every rule has a page").1
}

/// The web address of the documentation page of a rule; `None` if the pages are not on the web.
pub(crate) fn address(rule: Rule) -> Option<String> {
    FOLDER.map(|it| format!("{}/{}.md", it.trim_end_matches('/'), rule.id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The headings that every documentation page of a rule has after its title, in this order.
    const HEADINGS: [&str; 8] = [
        "## What it finds",
        "## Why it is flaky",
        "## Flaky",
        "## Stable",
        "## How to fix",
        "## Stays silent",
        "## Other tools",
        "## Measured",
    ];

    #[test]
    fn every_rule_has_a_page_with_the_same_headings() {
        for rule in Rule::all() {
            let mut is_code = false;
            let headings: Vec<&str> = page(*rule)
                .lines()
                .filter(|line| {
                    is_code ^= line.starts_with("```");
                    !is_code && (line.starts_with("# ") || line.starts_with("## "))
                })
                .collect();
            let title = format!("# {} {}", rule.id(), rule.name());
            let expected: Vec<&str> = [title.as_str()].into_iter().chain(HEADINGS).collect();
            assert_eq!(headings, expected, "docs/rules/{}.md", rule.id());
        }
        assert_eq!(PAGES.len(), Rule::all().len());
    }
}
