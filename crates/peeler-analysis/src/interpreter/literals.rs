//! Literal texts that tests expect: how many elements, keys, entries or children they have.
//!
//! ```text
//! "{\"a\":1,\"b\":2}"    two keys: their order may differ
//! "{\"a\":{\"b\":2}}"    one key in each object: there is no order
//! ```

/// The number of key-value pairs, commas or lines in a literal text, whichever is largest; 0 if the text is a number
/// such as `"1,000"`.
pub(super) fn literal_parts(literal: &str) -> u8 {
    // Most literals are one word.
    if !literal.contains([',', ':', '=', '\\']) {
        return 0;
    }
    let is_digit = |it: char| it.is_ascii_digit() || matches!(it, '"' | ',' | '.');
    if literal.chars().all(is_digit) {
        return 0;
    }
    let count = |pattern: &str| literal.matches(pattern).count();
    let json = count("\\\":") + count("\\\" :") + count("':");
    let is_map = literal.contains(['{', '&', '[']);
    let assigned = if is_map { count("=") } else { 0 };
    let lines = count("\\n");
    let properties = if lines > 0 { count(": ") } else { 0 };
    let parts = json.max(assigned).max(properties).max(count(",")).max(lines);
    u8::try_from(parts).unwrap_or(u8::MAX)
}

/// Whether a literal has a comma between the bracket `open` and its closing bracket, as in `"[a, b]"`. The text of a
/// container with several elements has one.
pub(super) fn has_group(literal: &str, open: char) -> bool {
    let close = if open == '{' { '}' } else { ']' };
    let mut depth = 0_usize;
    for it in literal.chars() {
        if it == open {
            depth += 1;
        } else if it == close {
            depth = depth.saturating_sub(1);
        } else if it == ',' && depth > 0 {
            return true;
        }
    }
    false
}

/// The number of map or list entries in a literal that another text is expected to contain: 2 for `"a=1, b=2"`. Whether
/// the text contains a literal with only one entry does not depend on the order of entries.
pub(super) fn entries(literal: &str) -> usize {
    // A line break at the end is part of the last entry.
    let literal = literal.trim_matches('"').trim_end_matches("\\n");
    let count = |pattern: &str| literal.matches(pattern).count();
    let keys = count("\\\":") + count("\\\" :") + count("':");
    let assigned = count("=");
    match (keys, assigned) {
        (0, 0) => 1 + count(",").max(count("\\n")),
        (2.., 0) => most_siblings(literal),
        _ => keys.max(assigned),
    }
}

/// The number of keys of the largest object in a piece of JSON, which may begin and end anywhere: 1 for
/// `\"a\": [{\"b\": 1`, where `b` is a part of what `a` has.
fn most_siblings(literal: &str) -> usize {
    let mut most = 0;
    let mut open = vec![0];
    let mut quote = None;
    let mut characters = literal.chars();
    while let Some(it) = characters.next() {
        match (it, quote) {
            ('\\', _) => match (characters.next(), quote) {
                (Some('"'), None) => quote = Some('"'),
                (Some('"'), Some('"')) => quote = None,
                _ => {}
            },
            ('\'', None) => quote = Some('\''),
            ('\'', Some('\'')) => quote = None,
            (_, Some(_)) => {}
            ('{', None) => open.push(0),
            ('}', None) => {
                open.pop();
                // The piece began inside an object that ends here.
                if open.is_empty() {
                    open.push(0);
                }
            }
            (':', None) => {
                if let Some(keys) = open.last_mut() {
                    *keys += 1;
                    most = most.max(*keys);
                }
            }
            _ => {}
        }
    }
    most
}

/// Whether a literal that a serialised text is expected to contain lies inside one property or entry of that text. A
/// list behind a key, as in `"tags: [a, b]"`, is a part of one entry.
pub(super) fn is_one_property(literal: &str) -> bool {
    let text = literal.trim_matches('"').trim_end_matches("\\n");
    let is_keyed_list = text.split_once(": [").is_some_and(|(key, list)| {
        !key.contains([',', '{']) && !text.contains("\\n") && list.find(']').is_none_or(|it| it + 1 == list.len())
    });
    !text.contains('<') && (entries(literal) < 2 || is_keyed_list)
}

/// The number of elements or keys that a literal text seems to have, such as 2 for `"a,b"`.
pub(super) fn elements(literal: &str) -> usize {
    let keys = literal.matches("\\\":").count() + literal.matches("':").count() + literal.matches("\\\" :").count();
    if keys > 0 {
        return most_members(literal).unwrap_or_else(|| most_siblings(literal));
    }
    if let Some(most) = most_children(literal) {
        return most;
    }
    // A line break at the end is part of the last element.
    let text = literal.trim_matches('"').trim_end_matches("\\n");
    let separators = text
        .char_indices()
        .filter(|(at, it)| match it {
            ',' | ';' | '&' | '|' | '\n' => true,
            // An escaped line break inside a literal.
            '\\' => text[at + 1..].starts_with('n'),
            '>' => text[at + 1..].starts_with('<'),
            ' ' => true,
            _ => false,
        })
        .count();
    let is_only_space = text.contains(' ') && !text.contains([',', ';', '&', '|', '\n', '<']) && !text.contains("\\n");
    if is_only_space && separators < 2 {
        return 1;
    }
    separators + 1
}

/// Whether a literal text shows at least two elements or keys. Words alone do not.
pub(super) fn shows_two_elements(literal: &str) -> bool {
    elements(literal) >= 2 && (literal.contains([',', ';', '&', '|', '\n', '<', ':', '=']) || literal.contains("\\n"))
}

/// The number of keys or elements of the largest object or array in a literal JSON text; `None` for other texts.
fn most_members(literal: &str) -> Option<usize> {
    let text = literal.trim_start_matches(['"', ' ', '\n']);
    if !text.starts_with(['{', '[']) || literal.contains("\"\"\"") {
        return None;
    }
    let mut most = 0;
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut quote = None;
    let mut characters = text.chars();
    // Quotes of the Java literal, and what stands between its parts, are no JSON.
    let mut is_inside = true;
    while let Some(it) = characters.next() {
        match it {
            '"' => is_inside = !is_inside,
            _ if !is_inside => {}
            '\\' => match (characters.next()?, quote) {
                ('"', None) => quote = Some('"'),
                ('"', Some('"')) => quote = None,
                _ => {}
            },
            '\'' if quote != Some('"') => quote = if quote.is_some() { None } else { Some('\'') },
            _ if quote.is_some() => {}
            '{' => open.push((it, 0)),
            '[' => open.push((it, 1)),
            ':' => {
                if let Some(('{', keys)) = open.last_mut() {
                    *keys += 1;
                }
            }
            ',' => {
                if let Some(('[', elements)) = open.last_mut() {
                    *elements += 1;
                }
            }
            '}' | ']' => most = most.max(open.pop()?.1),
            _ => {}
        }
    }
    (open.is_empty() && most > 0).then_some(most)
}

/// The number of children of the largest element in a literal XML text, attributes counted as children; `None` for
/// other texts.
fn most_children(literal: &str) -> Option<usize> {
    let text = literal.trim_start_matches(['"', ' ']);
    if !text.starts_with('<') {
        return None;
    }
    let mut most = 0;
    let mut open: Vec<usize> = vec![0];
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>')?;
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if tag.starts_with('/') {
            most = most.max(open.pop()?);
            continue;
        }
        *open.last_mut()? += 1;
        let attributes = tag.matches('=').count();
        if tag.ends_with('/') {
            most = most.max(attributes);
        } else {
            open.push(attributes);
        }
    }
    let [outermost] = open.as_slice() else {
        return None;
    };
    Some(most.max(*outermost))
}

#[cfg(test)]
mod tests {
    use super::{elements, entries, shows_two_elements};

    #[test]
    fn literals_are_counted_by_keys_or_separators() {
        assert_eq!(elements(r#""{\"a\":1}""#), 1);
        assert_eq!(elements(r#""{\"a\":1,\"b\":2}""#), 2);
        assert_eq!(elements(r#""{\"a\":{\"b\":{\"c\":1}}}""#), 1, "each object has one key");
        assert_eq!(elements(r#""{\"a\":[1,2]}""#), 2);
        assert_eq!(elements(r#""{\"a\":" + "1,\"b\":2}""#), 2, "a literal of two parts");
        assert_eq!(elements(r#""<search><price><min>42</min></price></search>""#), 1);
        assert_eq!(elements(r#""<search><min>1</min><max>2</max></search>""#), 2);
        assert_eq!(elements(r#""<search min='1' max='2'/>""#), 2);
        assert_eq!(elements(r#""a, b""#), 3);
        assert_eq!(elements(r#""abc""#), 1);
        assert_eq!(elements(r#""a&b=2""#), 2);
        assert_eq!(elements(r#""1: A\n""#), 1, "a whole line");
        assert_eq!(elements(r#""a\nb\n""#), 2);
    }

    #[test]
    fn words_are_no_elements_for_sure() {
        assert!(shows_two_elements(r#""[a, b]""#));
        assert!(shows_two_elements(r#""a\nb""#));
        assert!(!shows_two_elements(r#""this is no kind of cat""#));
    }

    #[test]
    fn a_piece_of_json_has_as_many_entries_as_its_largest_object() {
        assert_eq!(entries(r#""\"a\":[{\"b\":1""#), 1, "one inside the other");
        assert_eq!(entries(r#""\"a\":1}, {\"b\":1""#), 1, "objects beside each other");
        assert_eq!(entries(r#""\"a\":{\"b\":1},\"c\":2""#), 2);
        assert_eq!(
            entries(r#""{\"a\":1,\"b\":\"x:y\"}""#),
            2,
            "a colon in a text is no key"
        );
    }
}
