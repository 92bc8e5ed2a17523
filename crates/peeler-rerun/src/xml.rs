//! Escapes text for XML elements and attributes.

use std::fmt::Write as _;

/// A text escaped for an XML element or a quoted attribute.
///
/// Line breaks become character references such as `&#10;`, because XML readers turn line breaks of attributes into
/// blanks.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '<' | '>' | '"' | '\'' | '\t' | '\n' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(character));
            }
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(character),
        }
    }
    out
}
