//! Sub-tokens of identifiers: `parseHTTPResponse2` has `parse`, `http`, `response` and `2`.

use std::borrow::Cow;
use std::iter;

/// Properties of a character, as bits: letter or digit, digit, lower case, upper case.
type Kind = u8;
const WORD: Kind = 1;
const NUMBER: Kind = 2;
const SMALL: Kind = 4;
const CAPITAL: Kind = 8;

/// The lower-case sub-tokens of a text in order: `parse`, `http` and `2` for `parseHTTP2`.
///
/// The text is split at everything that is not a letter or digit, at camel case, after acronyms, and between letters
/// and digits.
pub fn sub_tokens(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = text;
    iter::from_fn(move || {
        let start = rest.find(|it| kind(it) & WORD != 0)?;
        let token = &rest[start..];
        let (part, behind) = token.split_at(first_part(token));
        rest = behind;
        Some(lower_case(part))
    })
}

/// The length in bytes of the first sub-token of a text.
fn first_part(text: &str) -> usize {
    let known = |at: usize| match text.as_bytes().get(at) {
        Some(byte) => ASCII.get(*byte as usize).copied(),
        None => Some(0),
    };
    let mut before = 0;
    let mut at = 0;
    while let (Some(current), Some(next)) = (known(at), known(at + 1)) {
        if ends(before, current, next) {
            return at;
        }
        before = current;
        at += 1;
    }
    first_part_in_any_script(text)
}

fn first_part_in_any_script(text: &str) -> usize {
    let mut characters = text.char_indices().map(|(at, it)| (at, kind(it))).peekable();
    let mut before = 0;
    while let Some((at, current)) = characters.next() {
        let next = characters.peek().map_or(0, |(_, next)| *next);
        if ends(before, current, next) {
            return at;
        }
        before = current;
    }
    text.len()
}

/// Whether a sub-token ends before a character, from the properties of the character and its neighbours. At the start
/// of a sub-token `before` is zero.
fn ends(before: Kind, current: Kind, next: Kind) -> bool {
    let digits_change = (before ^ current) & NUMBER != 0;
    let camel = before & SMALL != 0 && current & CAPITAL != 0;
    let acronym_ends = before & current & CAPITAL != 0 && next & SMALL != 0;
    current & WORD == 0 || before != 0 && (digits_change || camel || acronym_ends)
}

fn kind(character: char) -> Kind {
    if let Some(known) = ASCII.get(character as usize) {
        return *known;
    }
    let bit = |holds: bool, kind: Kind| if holds { kind } else { 0 };
    bit(character.is_alphanumeric(), WORD)
        | bit(character.is_numeric(), NUMBER)
        | bit(character.is_lowercase(), SMALL)
        | bit(character.is_uppercase(), CAPITAL)
}

/// The properties of all ASCII characters: letter or digit, digit, lower case, upper case.
static ASCII: [Kind; 128] = {
    let mut kinds = [0; 128];
    let mut character = 0_u8;
    while character < 128 {
        kinds[character as usize] = match character {
            b'0'..=b'9' => WORD | NUMBER,
            b'a'..=b'z' => WORD | SMALL,
            b'A'..=b'Z' => WORD | CAPITAL,
            _ => 0,
        };
        character += 1;
    }
    kinds
};

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
        let words: Vec<Cow<'_, str>> = sub_tokens("HTTPölServer2 x٣y abÉcole").collect();
        assert_eq!(words, ["htt", "pöl", "server", "2", "x", "٣", "y", "ab", "école"]);
    }
}
