//! The scanner that makes the outline of a file: package, imports, types with their supertypes, and where bodies are.
//!
//! Every file of a repository is outlined; most are never parsed further. One pass over the bytes knows comments,
//! strings and brackets, and is an order of magnitude faster than a parse. The outline shows which types exist, what
//! they extend, and which files may hold tests. Ranges that a parse of the declarations can skip are called *elided*.
//! These are imports and the insides of method bodies, field initialisers and long comments.
//!
//! ```java
//! package shop;                          // package
//! class Cart extends Basket<Item> {      // type, supertype
//!     int total() { /* elided */ }
//! }
//! ```
//!
//! Invariant: an elided range lies strictly inside brackets that match, between `=` and `;`, strictly
//! inside a comment, or is a run of whole imports. Where brackets do not match nothing is elided and
//! the parser sees the whole file.

use super::lexical::{is_word_part, is_word_start, trivia_or_literal_length};
pub(crate) use super::outline_types::{Import, MAX_IMPORTS, Outline, TypeKind, TypeOutline, simple_name};
use crate::repository::narrow;

/// The minimum length in bytes of comments that are left out of the parse of declarations. Shorter comments are parsed
/// as fast as they are skipped.
const LONG_COMMENT: usize = 32;

/// The outline of one file: package, imports, types and positions of bodies. Text that is not Java is skipped.
pub(crate) fn outline(text: &str) -> Outline<&str> {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        at: 0,
        open: Vec::new(),
        header: Header::default(),
        outline: Outline {
            balanced: true,
            ..Outline::default()
        },
    };
    scanner.run();
    let mut outline = scanner.outline;
    outline.annotations.sort_unstable();
    outline.annotations.dedup();
    if !outline.balanced {
        outline.elided.clear();
    }
    outline
}

/// A type whose body contains the position that the scanner has reached.
struct OpenType {
    index: u32,
    /// Whether the scanner is before the `;` that ends the constants of an enum.
    in_enum_constants: bool,
}

/// What the scanner has read so far of the declaration of one member.
#[derive(Default)]
struct Header {
    /// Whether the scanner saw a `(`, so that the member is a method or constructor.
    is_callable: bool,
    is_abstract: bool,
}

/// A scanner that makes the outline of one file in one pass over its bytes.
struct Scanner<'r> {
    text: &'r str,
    bytes: &'r [u8],
    at: usize,
    open: Vec<OpenType>,
    header: Header,
    outline: Outline<&'r str>,
}

impl<'r> Scanner<'r> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            let start = self.at;
            if self.skip_trivia_or_literal() {
                if byte == b'/' {
                    self.comment(start);
                }
                continue;
            }
            match byte {
                b';' => {
                    if let Some(open) = self.open.last_mut() {
                        open.in_enum_constants = false;
                    }
                    self.header = Header::default();
                    self.at += 1;
                }
                b'}' => {
                    if self.open.pop().is_none() {
                        self.outline.balanced = false;
                    }
                    self.header = Header::default();
                    self.at += 1;
                }
                b'{' => self.body(),
                b'(' => {
                    self.header.is_callable = true;
                    self.skip_brackets(b'(', b')');
                }
                b'=' => self.initialiser(),
                b'@' => self.annotation(),
                _ if is_word_start(byte) => self.word(),
                _ => self.at += 1,
            }
        }
        if !self.open.is_empty() {
            self.outline.balanced = false;
        }
    }

    /// Marks a long comment outside method bodies as a range that the parser may skip. It goes from `start` to the
    /// position of the scanner.
    fn comment(&mut self, start: usize) {
        let comment = &self.bytes[start..self.at];
        let is_closed = comment.starts_with(b"/*") && comment.ends_with(b"*/");
        if comment.len() >= LONG_COMMENT && (is_closed || comment.starts_with(b"//")) {
            let end = self.at - if is_closed { 2 } else { 0 };
            self.outline.elided.push(narrow(start + 2)..narrow(end));
        }
    }

    /// Skips the body of a method or initialiser, from its `{`. Marks it as a range that the parser may skip, unless it
    /// belongs to an enum constant.
    fn body(&mut self) {
        let in_enum_constants = self.open.last().is_some_and(|it| it.in_enum_constants);
        let in_type = !self.open.is_empty();
        let start = self.at + 1;
        self.skip_brackets(b'{', b'}');
        let end = self.at.saturating_sub(1);
        if !in_enum_constants && in_type && end > start {
            self.outline.elided.push(narrow(start)..narrow(end));
        }
        if !in_enum_constants {
            self.header = Header::default();
        }
    }

    /// Skips `= value` of a field up to its `;`. If the declaration has only one variable, the value becomes a range
    /// that the parser may skip.
    fn initialiser(&mut self) {
        let start = self.at;
        self.at += 1;
        let mut has_comma = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.skip_trivia_or_literal() {
                continue;
            }
            match byte {
                b';' => break,
                b'{' => self.skip_brackets(b'{', b'}'),
                b'(' => self.skip_brackets(b'(', b')'),
                b'}' => {
                    self.outline.balanced = false;
                    break;
                }
                _ => {
                    has_comma |= byte == b',';
                    self.at += 1;
                }
            }
        }
        if !has_comma && !self.open.is_empty() {
            self.outline.elided.push(narrow(start)..narrow(self.at));
        }
    }

    fn annotation(&mut self) {
        self.at += 1;
        self.skip_trivia();
        let path = self.dotted_name();
        if path == "interface" {
            return self.type_declaration(TypeKind::Annotation);
        }
        self.outline.annotations.push(simple_name(path));
        self.skip_trivia();
        if self.bytes.get(self.at) == Some(&b'(') {
            self.skip_brackets(b'(', b')');
        }
    }

    fn word(&mut self) {
        let word = self.identifier();
        let at_top = self.open.is_empty();
        if self.open.last().is_some_and(|it| it.in_enum_constants) {
            return;
        }
        match word {
            "package" if at_top && self.outline.package.is_empty() => {
                self.skip_trivia();
                self.outline.package = self.dotted_name();
            }
            "import" if at_top => self.import(self.at - word.len()),
            "class" => self.type_declaration(TypeKind::Class),
            "interface" => self.type_declaration(TypeKind::Interface),
            "enum" => self.type_declaration(TypeKind::Enum),
            "record" if self.begins_record() => self.type_declaration(TypeKind::Record),
            "abstract" => self.header.is_abstract = true,
            _ => {}
        }
    }

    fn import(&mut self, start: usize) {
        self.skip_trivia();
        let mut path = self.dotted_name();
        let is_static = path == "static";
        if is_static {
            self.skip_trivia();
            path = self.dotted_name();
        }
        let is_wildcard = self.bytes.get(self.at) == Some(&b'*');
        let path = path.trim_end_matches('.');
        if self.outline.imports.len() < MAX_IMPORTS {
            self.outline.imports.push(Import {
                path,
                name: simple_name(path),
                is_static,
                is_wildcard,
            });
        }
        self.at += usize::from(is_wildcard);
        self.skip_trivia();
        if self.bytes.get(self.at) == Some(&b';') && !path.is_empty() {
            self.at += 1;
            let (start, end) = (narrow(start), narrow(self.at));
            match self.outline.elided.last_mut() {
                // Adjacent imports are elided as one range.
                Some(last) if self.text[last.end as usize..start as usize].trim().is_empty() => last.end = end,
                _ => self.outline.elided.push(start..end),
            }
        }
    }

    /// Whether the word `record` begins a type: a name and then `(` or `<` have to follow.
    fn begins_record(&mut self) -> bool {
        let here = self.at;
        self.skip_trivia();
        let name = self.identifier();
        self.skip_trivia();
        let next = self.bytes.get(self.at).copied();
        self.at = here;
        !name.is_empty() && matches!(next, Some(b'(' | b'<')) && !self.header.is_callable
    }

    /// Reads the declaration of a type after its keyword: name, type parameters and supertypes, up to and including
    /// `{`.
    fn type_declaration(&mut self, kind: TypeKind) {
        self.skip_trivia();
        let name_at = self.at;
        let name = self.identifier();
        if name.is_empty() {
            return;
        }
        self.skip_trivia();
        let mut declared = TypeOutline {
            name,
            name_at: narrow(name_at),
            kind,
            enclosing: self.open.last().map(|it| it.index),
            type_parameters: "",
            supertypes: Vec::new(),
            extended: 0,
            is_abstract: self.header.is_abstract || kind == TypeKind::Interface,
        };
        if self.bytes.get(self.at) == Some(&b'<') {
            declared.type_parameters = self.skip_angles();
        }
        let has_body = self.supertypes(&mut declared);
        self.header = Header::default();
        let index = narrow(self.outline.types.len());
        self.outline.types.push(declared);
        if has_body {
            self.open.push(OpenType {
                index,
                in_enum_constants: kind == TypeKind::Enum,
            });
        }
    }

    /// Reads `extends ... implements ...` of a type up to its `{`. Returns false if no body follows.
    fn supertypes(&mut self, declared: &mut TypeOutline<&'r str>) -> bool {
        let mut listing = "";
        let mut start = None;
        loop {
            if self.skip_trivia_or_literal() {
                continue;
            }
            let Some(&byte) = self.bytes.get(self.at) else {
                self.outline.balanced = false;
                return false;
            };
            let ends_entry = matches!(byte, b'{' | b',' | b';');
            let word = is_word_start(byte).then(|| self.peek_word());
            let is_keyword = matches!(word, Some("extends" | "implements" | "permits"));
            if (ends_entry || is_keyword)
                && let Some(start) = start.take()
            {
                let entry = self.text[start..self.at].trim();
                if listing != "permits" && !entry.is_empty() {
                    declared.supertypes.push(entry);
                    declared.extended += usize::from(listing == "extends");
                }
            }
            match byte {
                b'{' => {
                    self.at += 1;
                    return true;
                }
                b';' => return false,
                b'<' => _ = self.skip_angles(),
                b'(' => self.skip_brackets(b'(', b')'),
                b'@' => {
                    self.annotation();
                    start = None;
                }
                _ => match word {
                    Some(word) if is_keyword => {
                        listing = word;
                        self.at += word.len();
                    }
                    Some(word) => {
                        if !listing.is_empty() {
                            start.get_or_insert(self.at);
                        }
                        self.at += word.len();
                    }
                    None => self.at += 1,
                },
            }
        }
    }

    /// Skips from an opening bracket to after the closing bracket that matches it. Brackets of other kinds are not
    /// counted.
    fn skip_brackets(&mut self, opening: u8, closing: u8) {
        let mut depth = 0_usize;
        while let Some(&byte) = self.bytes.get(self.at) {
            if INTERESTING[byte as usize] {
                if byte == opening {
                    depth += 1;
                } else if byte == closing {
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return;
                    }
                } else if self.skip_trivia_or_literal() {
                    continue;
                }
            }
            self.at += 1;
        }
        self.outline.balanced = false;
    }

    /// Skips from `<` to after the `>` that matches it, or to where a broken declaration ends. Returns what is between.
    fn skip_angles(&mut self) -> &'r str {
        let start = self.at + 1;
        let mut depth = 0_usize;
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.skip_trivia_or_literal() {
                continue;
            }
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                b'{' | b'}' | b';' => break,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return &self.text[start..self.at - 1];
            }
        }
        &self.text[start..self.at]
    }

    fn skip_trivia(&mut self) {
        while self
            .bytes
            .get(self.at)
            .is_some_and(|&byte| byte.is_ascii_whitespace() || byte == b'/')
            && self.skip_trivia_or_literal()
        {}
    }

    /// Skips one white-space character, comment or literal at the position of the scanner. Returns false if there was
    /// none.
    fn skip_trivia_or_literal(&mut self) -> bool {
        let length = trivia_or_literal_length(&self.bytes[self.at..]);
        self.at += length;
        length > 0
    }

    fn dotted_name(&mut self) -> &'r str {
        let start = self.at;
        loop {
            self.identifier();
            let spaced = self.at;
            self.skip_trivia();
            if self.bytes.get(self.at) == Some(&b'.') {
                self.at += 1;
                self.skip_trivia();
            } else {
                self.at = spaced;
                return &self.text[start..self.at];
            }
            if !self.bytes.get(self.at).is_some_and(|&byte| is_word_start(byte)) {
                return &self.text[start..self.at];
            }
        }
    }

    fn peek_word(&self) -> &'r str {
        let length = self.bytes[self.at..]
            .iter()
            .take_while(|&&byte| is_word_part(byte))
            .count();
        &self.text[self.at..self.at + length]
    }

    fn identifier(&mut self) -> &'r str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }
}

/// Bytes at which the scanner has to look closer while it searches for a closing bracket: brackets, quotes and `/`.
static INTERESTING: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"{}()\"'/";
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests;
