//! Words in code: sub-tokens of identifiers.
//!
//! `parseHTTPResponse2` reads as `parse http response 2`.

/// The lower-case sub-tokens of a text in order: split at everything that is not a letter or digit, at
/// camel case, behind acronyms, and between letters and digits.
pub fn sub_tokens(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|token| !token.is_empty())
        .flat_map(split_token)
}

fn split_token(token: &str) -> Vec<String> {
    let characters: Vec<char> = token.chars().collect();
    let mut parts = Vec::new();
    let mut part = String::new();
    for (at, &current) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|it| characters[it]);
        let after = characters.get(at + 1);
        let begins = before.is_some_and(|before| {
            let digits_change = before.is_numeric() != current.is_numeric();
            let camel = before.is_lowercase() && current.is_uppercase();
            let acronym_ends =
                before.is_uppercase() && current.is_uppercase() && after.is_some_and(|it| it.is_lowercase());
            digits_change || camel || acronym_ends
        });
        if begins && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        part.extend(current.to_lowercase());
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::sub_tokens;

    #[test]
    fn camel_case_acronyms_underscores_and_digits_split() {
        let words: Vec<String> = sub_tokens("parseHTTPResponse2 MAX_SIZE x.toJSON()").collect();
        assert_eq!(
            words,
            ["parse", "http", "response", "2", "max", "size", "x", "to", "json"]
        );
    }
}
