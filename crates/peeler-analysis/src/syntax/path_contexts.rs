//! Path contexts of a method body, as in code2vec: pairs of terminals (names and literals) with the path between them
//! in the syntax tree.
//!
//! Paths are limited in length (number of nodes) and in width (distance of their two branches below the top node). The
//! number of paths of a method body is limited too. Pairs of near terminals come first, so that most terminals are part
//! of a path.

use serde::Serialize;
use tree_sitter::Node;

use super::parser;

const MAX_LENGTH: usize = 8;
const MAX_WIDTH: usize = 2;
const MAX_CONTEXTS: usize = 200;
const MAX_TERMINALS: usize = 1_000;
const MAX_DEPTH: usize = 200;

/// Two terminals (names or literals) of a method body and the path between them in the syntax tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PathContext {
    /// The name or literal at which the path starts.
    pub from: String,
    /// The path in the syntax tree between the names or literals `from` and `to`. It lists kinds of syntax nodes, up
    /// with `^` and down with `_`.
    pub path: String,
    /// The name or literal at which the path ends.
    pub to: String,
}

struct Terminal<'t> {
    text: String,
    /// The syntax nodes above the terminal (a name or literal), from the root down. Each comes with the index of the
    /// child that leads to the terminal.
    ancestors: Vec<(Node<'t>, usize)>,
}

/// The terminals (names and literals) of a method body in order, and the path contexts between them.
pub(crate) fn path_contexts(body: &str) -> (Vec<String>, Vec<PathContext>) {
    let Some(tree) = parser::parse(body) else {
        return (Vec::new(), Vec::new());
    };
    let mut terminals = Vec::new();
    collect(tree.root_node(), body, &mut Vec::new(), &mut terminals);
    let mut contexts = Vec::new();
    'far: for distance in 1..terminals.len() {
        for at in 0..terminals.len() - distance {
            if contexts.len() >= MAX_CONTEXTS {
                break 'far;
            }
            contexts.extend(context(&terminals[at], &terminals[at + distance]));
        }
        // Paths get longer with distance; a few rounds find everything within the limits.
        if distance > 16 * MAX_WIDTH {
            break;
        }
    }
    (terminals.into_iter().map(|it| it.text).collect(), contexts)
}

fn collect<'t>(node: Node<'t>, body: &str, above: &mut Vec<(Node<'t>, usize)>, terminals: &mut Vec<Terminal<'t>>) {
    let is_terminal = node.named_child_count() == 0 || node.kind() == "string_literal";
    if is_terminal && node.is_named() && !node.is_extra() {
        let text = &body[node.byte_range()];
        if text.chars().any(char::is_alphanumeric) && terminals.len() < MAX_TERMINALS {
            terminals.push(Terminal {
                text: text.to_owned(),
                ancestors: above.clone(),
            });
        }
        return;
    }
    if above.len() >= MAX_DEPTH {
        return;
    }
    let mut cursor = node.walk();
    for (place, child) in node.named_children(&mut cursor).enumerate() {
        above.push((node, place));
        collect(child, body, above, terminals);
        above.pop();
    }
}

fn context(from: &Terminal<'_>, to: &Terminal<'_>) -> Option<PathContext> {
    let shared = from
        .ancestors
        .iter()
        .zip(&to.ancestors)
        .take_while(|((a, _), (b, _))| a.id() == b.id())
        .count();
    let top = shared.checked_sub(1)?;
    let (up, down) = (&from.ancestors[top..], &to.ancestors[top..]);
    let width = up[0].1.abs_diff(down[0].1);
    if up.len() + down.len() - 1 > MAX_LENGTH || width > MAX_WIDTH {
        return None;
    }
    let mut path = String::new();
    for (node, _) in up.iter().skip(1).rev() {
        path.push_str(node.kind());
        path.push('^');
    }
    path.push_str(up[0].0.kind());
    for (node, _) in down.iter().skip(1) {
        path.push('_');
        path.push_str(node.kind());
    }
    Some(PathContext {
        from: from.text.clone(),
        path,
        to: to.text.clone(),
    })
}
