//! Types as written in source code: `java.util.Map<String, ? extends List<T>>[]`.

/// A type as written in source code: a name with its type arguments, not yet resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypeText<'r> {
    /// The name of the type as written, with dots; empty for `?` without a bound.
    pub(crate) name: &'r str,
    pub(crate) arguments: Vec<TypeText<'r>>,
    pub(crate) dimensions: u8,
}

/// A declared type parameter: `T extends Comparable<T>`.
#[derive(Debug, Clone)]
pub(crate) struct TypeParameter<'r> {
    pub(crate) name: &'r str,
    pub(crate) bound: Option<TypeText<'r>>,
}

/// The maximum nesting depth of type arguments; deeper ones are ignored.
const MAX_DEPTH: usize = 12;

/// Parses a type as written in source code. Annotations are skipped, and the type ends at the first text that does not
/// belong to it.
pub(crate) fn parse_type(text: &str) -> TypeText<'_> {
    Reader { text, at: 0 }.type_text(0)
}

/// Parses the type parameters of a class or method: the text between `<` and `>`, with or without the brackets.
pub(crate) fn parse_type_parameters(text: &str) -> Vec<TypeParameter<'_>> {
    let text = text.trim();
    let text = text
        .strip_prefix('<')
        .map_or(text, |rest| rest.strip_suffix('>').unwrap_or(rest));
    let mut reader = Reader { text, at: 0 };
    let mut parameters = Vec::new();
    loop {
        reader.skip_space();
        let name = reader.word();
        if name.is_empty() {
            return parameters;
        }
        reader.skip_space();
        let bound = reader.eat_word("extends").then(|| reader.type_text(0));
        parameters.push(TypeParameter { name, bound });
        reader.skip_to_comma();
    }
}

/// A parser of types as written in source code: the text and the current offset.
struct Reader<'r> {
    text: &'r str,
    at: usize,
}

impl<'r> Reader<'r> {
    /// The byte at the current offset; `None` at the end of the text.
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space, annotations and comments.
    fn skip_space(&mut self) {
        loop {
            match self.peek() {
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                Some(b'@') => {
                    self.at += 1;
                    self.word();
                    if self.peek() == Some(b'(') {
                        let rest = &self.text[self.at..];
                        self.at += rest.find(')').map_or(rest.len(), |end| end + 1);
                    }
                }
                Some(b'/') => {
                    let rest = &self.text[self.at..];
                    let end = if rest.starts_with("/*") {
                        rest.find("*/").map(|end| end + 2)
                    } else {
                        rest.find('\n')
                    };
                    self.at += end.unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Consumes an identifier; returns an empty text if there is none.
    fn word(&mut self) -> &'r str {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80)
        {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Consumes the next identifier if it is `expected`. Returns whether it is.
    fn eat_word(&mut self, expected: &str) -> bool {
        let here = self.at;
        if self.word() == expected {
            return true;
        }
        self.at = here;
        false
    }

    /// Skips to the text after the next comma outside angle brackets.
    fn skip_to_comma(&mut self) {
        let mut depth = 0_i32;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                b',' if depth == 0 => return,
                _ => {}
            }
        }
    }

    /// Parses one type as written in source code, from the current offset. `depth` is the nesting depth of type
    /// arguments.
    fn type_text(&mut self, depth: usize) -> TypeText<'r> {
        self.skip_space();
        if self.peek() == Some(b'?') {
            self.at += 1;
            self.skip_space();
            if self.eat_word("extends") || self.eat_word("super") {
                return self.type_text(depth);
            }
            return TypeText {
                name: "",
                arguments: Vec::new(),
                dimensions: 0,
            };
        }
        if self.eat_word("final") {
            self.skip_space();
        }
        let start = self.at;
        let mut end = self.at;
        let mut arguments = Vec::new();
        loop {
            self.skip_space();
            let word = self.word();
            if word.is_empty() {
                break;
            }
            end = self.at;
            self.skip_space();
            if self.peek() == Some(b'<') && depth < MAX_DEPTH {
                self.at += 1;
                arguments = self.arguments(depth + 1);
                self.skip_space();
            }
            // `Outer<T>.Inner` is rare; it is read as `Inner`.
            if self.peek() == Some(b'.') && !self.text[self.at..].starts_with("...") {
                self.at += 1;
                if !arguments.is_empty() {
                    return self.type_text(depth);
                }
            } else {
                break;
            }
        }
        let mut dimensions = 0_u8;
        self.skip_space();
        while matches!(self.peek(), Some(b'[' | b']')) {
            dimensions = dimensions.saturating_add(u8::from(self.peek() == Some(b'[')));
            self.at += 1;
            self.skip_space();
        }
        TypeText {
            name: &self.text[start..end],
            arguments,
            dimensions,
        }
    }

    /// Parses type arguments, such as `String, T>`, up to and including the closing `>`.
    fn arguments(&mut self, depth: usize) -> Vec<TypeText<'r>> {
        let mut arguments = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'>') => {
                    self.at += 1;
                    return arguments;
                }
                Some(b',' | b'&') => self.at += 1,
                None => return arguments,
                _ => {
                    let before = self.at;
                    arguments.push(self.type_text(depth));
                    if self.at == before {
                        self.at = self.text.len();
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_type, parse_type_parameters};

    #[test]
    fn arguments_wildcards_and_arrays_are_read() {
        let read = parse_type("java.util.Map<String, ? extends List<@Nullable T>[]>[][]");
        assert_eq!(read.name, "java.util.Map");
        assert_eq!(read.dimensions, 2);
        assert_eq!(read.arguments[0].name, "String");
        assert_eq!(read.arguments[1].name, "List");
        assert_eq!(read.arguments[1].dimensions, 1);
        assert_eq!(read.arguments[1].arguments[0].name, "T");
    }

    #[test]
    fn type_parameters_keep_their_first_bound() {
        let read = parse_type_parameters("<K, V extends Comparable<V> & Closeable>");
        assert_eq!(read.len(), 2);
        assert_eq!(read[1].name, "V");
        assert_eq!(read[1].bound.as_ref().map(|it| it.name), Some("Comparable"));
    }

    #[test]
    fn garbage_ends() {
        parse_type("<<<<>,,,");
        parse_type("Map<String");
        parse_type_parameters("<, & ext");
    }
}
