//! Words in code: sub-tokens of identifiers.
//!
//! `parseHTTPResponse2` reads as `parse http response 2`.

use std::borrow::Cow;

/// The lower-case sub-tokens of a text in order: split at everything that is not a letter or digit, at
/// camel case, behind acronyms, and between letters and digits.
pub fn sub_tokens(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|token| !token.is_empty())
        .flat_map(parts)
        .map(lower_case)
}

/// The sub-tokens of a token as they are written.
fn parts(token: &str) -> impl Iterator<Item = &str> {
    let mut rest = token;
    std::iter::from_fn(move || {
        let (part, behind) = rest.split_at(first_part(rest));
        rest = behind;
        (!part.is_empty()).then_some(part)
    })
}

/// Where the first sub-token ends.
fn first_part(token: &str) -> usize {
    let mut characters = token.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((at, current)) = characters.next() {
        let begins = before.is_some_and(|before| {
            let digits_change = before.is_numeric() != current.is_numeric();
            let camel = before.is_lowercase() && current.is_uppercase();
            let acronym_ends = before.is_uppercase()
                && current.is_uppercase()
                && characters.peek().is_some_and(|(_, it)| it.is_lowercase());
            digits_change || camel || acronym_ends
        });
        if begins {
            return at;
        }
        before = Some(current);
    }
    token.len()
}

fn lower_case(part: &str) -> Cow<'_, str> {
    if !part.is_ascii() {
        part.chars().flat_map(char::to_lowercase).collect()
    } else if part.bytes().any(|it| it.is_ascii_uppercase()) {
        part.to_ascii_lowercase().into()
    } else {
        part.into()
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::sub_tokens;

    #[test]
    fn camel_case_acronyms_underscores_and_digits_split() {
        let words: Vec<Cow<'_, str>> = sub_tokens("parseHTTPResponse2 MAX_SIZE x.toJSON()").collect();
        assert_eq!(
            words,
            ["parse", "http", "response", "2", "max", "size", "x", "to", "json"]
        );
    }

    #[test]
    fn letters_of_other_alphabets_split_and_become_small_one_by_one() {
        let words: Vec<Cow<'_, str>> = sub_tokens("größeÄndern ΟΔΟΣ").collect();
        assert_eq!(words, ["größe", "ändern", "οδοσ"]);
    }
}
