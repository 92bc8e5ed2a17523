//! Mutation of Java that keeps most of it valid: whole lines and bracketed blocks move, and new Java is inserted.

use crate::java;
use crate::random::Random;

/// The input after one structural mutation; `None` if it would be longer than `longest`.
#[must_use]
pub fn mutated(input: &[u8], longest: usize, random: &mut Random) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(input);
    let changed = match random.below(8) {
        0 => inserted(&text, &["statement", "assertion"], random),
        1 => inserted(&text, &["member", "test", "setup"], random),
        2 => format!("{text}\n{}", java::text("file", random)),
        3 => with_other_name(&text, random),
        4 => without_block(&text, random),
        5 => with_copied_block(&text, random),
        6 => with_replaced_value(&text, random),
        _ => with_moved_line(&text, random),
    };
    (changed.len() <= longest).then(|| changed.into_bytes())
}

/// Places behind a `{`, `}` or `;`, where a statement or member may stand.
fn gaps(text: &str) -> Vec<usize> {
    let bytes = text.bytes().enumerate();
    bytes
        .filter(|(_, byte)| b"{};".contains(byte))
        .map(|(at, _)| at + 1)
        .collect()
}

fn inserted(text: &str, rules: &[&str], random: &mut Random) -> String {
    let gaps = gaps(text);
    let place = if gaps.is_empty() {
        text.len()
    } else {
        *random.choose(&gaps)
    };
    let rule = *random.choose(rules);
    let new = java::text(rule, random);
    format!("{} {new}\n{}", &text[..place], &text[place..])
}

/// Positions of the words of a text.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_letter = character.is_alphanumeric() || character == '_';
        match (is_letter, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// The text with one word replaced by another word of the text.
fn with_other_name(text: &str, random: &mut Random) -> String {
    let words = words(text);
    if words.is_empty() {
        return inserted(text, &["member"], random);
    }
    let (from, to) = *random.choose(&words);
    let (other, end) = *random.choose(&words);
    format!("{}{}{}", &text[..from], &text[other..end], &text[to..])
}

/// The positions of a random block, from an opening bracket to its closing one.
fn block(text: &str, random: &mut Random) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let opens: Vec<usize> = (0..bytes.len()).filter(|at| b"{(".contains(&bytes[*at])).collect();
    if opens.is_empty() {
        return None;
    }
    let open = *random.choose(&opens);
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'{' | b'(' => depth += 1,
            b'}' | b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some((open, at + 1));
                }
            }
            _ => {}
        }
    }
    None
}

/// The text with the content of one block removed.
fn without_block(text: &str, random: &mut Random) -> String {
    match block(text, random) {
        Some((open, end)) => format!("{}{}", &text[..=open], &text[end - 1..]),
        None => inserted(text, &["member"], random),
    }
}

/// The text with the line and block of one place copied behind another place.
fn with_copied_block(text: &str, random: &mut Random) -> String {
    let Some((open, end)) = block(text, random) else {
        return inserted(text, &["statement"], random);
    };
    let start = text[..open].rfind(['{', '}', ';', '\n']).map_or(0, |at| at + 1);
    let gaps = gaps(text);
    let place = if gaps.is_empty() { end } else { *random.choose(&gaps) };
    format!("{}{}{}", &text[..place], &text[start..end], &text[place..])
}

/// The text with the arguments of one call, or one condition, replaced by another value.
fn with_replaced_value(text: &str, random: &mut Random) -> String {
    match block(text, random) {
        Some((open, end)) if text.as_bytes()[open] == b'(' => {
            format!("{}{}{}", &text[..=open], java::text("value", random), &text[end - 1..])
        }
        _ => inserted(text, &["statement"], random),
    }
}

/// The text with one line moved to another place.
fn with_moved_line(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_empty() {
        return inserted(text, &["member"], random);
    }
    let line = lines.remove(random.below(lines.len()));
    let place = random.below(lines.len() + 1);
    lines.insert(place, line);
    lines.concat()
}
