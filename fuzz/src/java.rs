//! Random Java of the grammar in `java.grammar`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::random::Random;

/// The deepest nesting of rules. Below it, the first template of a rule is taken, which ends soon.
const DEEPEST: usize = 8;

/// The templates of each rule.
static GRAMMAR: LazyLock<BTreeMap<&str, Vec<String>>> = LazyLock::new(|| {
    let mut rules: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut name = "";
    let lines = include_str!("java.grammar").lines();
    for line in lines.filter(|it| !it.is_empty() && !it.starts_with('#')) {
        match line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            Some(next) => name = next,
            None => rules.entry(name).or_default().push(line.replace("\\n", "\n")),
        }
    }
    rules
});

/// Text of a rule of the grammar.
#[must_use]
pub fn text(rule: &str, random: &mut Random) -> String {
    let mut out = String::new();
    expand(rule, DEEPEST, random, &mut out);
    out
}

fn expand(rule: &str, depth: usize, random: &mut Random, out: &mut String) {
    let Some(templates) = GRAMMAR.get(rule) else {
        // Java's own angle brackets: `<T>`.
        out.push('<');
        out.push_str(rule);
        out.push('>');
        return;
    };
    let template = if depth == 0 {
        &templates[0]
    } else {
        random.choose(templates)
    };
    let mut rest = template.as_str();
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        let inside = &rest[open + 1..];
        let length = inside.find(|it: char| !it.is_ascii_lowercase()).unwrap_or(inside.len());
        if length > 0 && inside[length..].starts_with('>') {
            expand(&inside[..length], depth.saturating_sub(1), random, out);
            rest = &inside[length + 1..];
        } else {
            out.push('<');
            rest = inside;
        }
    }
    out.push_str(rest);
}
