//! The outline of a file: package, imports, types with their supertypes, and where bodies are.
//!
//! Every file of a repository is outlined, most are never parsed further: one pass over the bytes
//! that knows comments, strings and brackets, an order of magnitude faster than a parse. It answers
//! "which types exist and what do they extend", finds the files that may hold tests, and marks as
//! *elided* what a parse of the declarations can do without: the insides of method bodies, each of
//! which is parsed when somebody asks for it, of field initialisers and long comments, and imports.
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

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::repository::narrow;

/// What the scan of one file found. Names are slices of the file, or whatever stands for them.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outline<Name> {
    pub(crate) package: Name,
    pub(crate) imports: Vec<Import<Name>>,
    pub(crate) types: Vec<TypeOutline<Name>>,
    /// Simple names of the annotations outside bodies, sorted, each once.
    pub(crate) annotations: Vec<Name>,
    /// Byte ranges that the declaration parse may skip, ascending.
    pub(crate) elided: Vec<Range<u32>>,
    /// Whether all brackets matched.
    pub(crate) balanced: bool,
}

/// `import [static] path[.*];`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Import<Name> {
    /// The dotted name, without `.*`.
    pub(crate) path: Name,
    /// Its last component.
    pub(crate) name: Name,
    pub(crate) is_static: bool,
    pub(crate) is_wildcard: bool,
}

/// One declared type that is not local to a body.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TypeOutline<Name> {
    pub(crate) name: Name,
    /// Where the name stands: the key that joins an outline with the parsed declaration.
    pub(crate) name_at: u32,
    pub(crate) kind: TypeKind,
    /// Index of the enclosing type in the same file.
    pub(crate) enclosing: Option<u32>,
    /// The text between `<` and `>` behind the name.
    pub(crate) type_parameters: Name,
    /// Supertypes as written: `extends` first, then `implements`.
    pub(crate) supertypes: Vec<Name>,
    /// How many of the supertypes stood behind `extends`.
    pub(crate) extended: usize,
    pub(crate) is_abstract: bool,
}

/// The kinds of declared types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TypeKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// Shorter comments are parsed as fast as left out.
const LONG_COMMENT: usize = 32;

/// Outlines one file. Never fails: what cannot be understood is passed over.
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

/// A type body the scanner is inside of.
struct OpenType {
    index: u32,
    /// Still before the `;` that ends the constants of an enum.
    in_enum_constants: bool,
}

/// What was seen of the current member since it began.
#[derive(Default)]
struct Header {
    /// A `(` was seen: this is a method or constructor.
    is_callable: bool,
    is_abstract: bool,
}

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

    /// A comment at member level that was passed over.
    fn comment(&mut self, start: usize) {
        let comment = &self.bytes[start..self.at];
        let is_closed = comment.starts_with(b"/*") && comment.ends_with(b"*/");
        if comment.len() >= LONG_COMMENT && (is_closed || comment.starts_with(b"//")) {
            let end = self.at - if is_closed { 2 } else { 0 };
            self.outline.elided.push(narrow(start + 2)..narrow(end));
        }
    }

    /// A `{` at member level: the body of a method or initialiser.
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

    /// `= value` of a field, up to its `;`. With several declarators the value stays visible.
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
        self.outline.imports.push(Import {
            path,
            name: simple_name(path),
            is_static,
            is_wildcard,
        });
        self.at += usize::from(is_wildcard);
        self.skip_trivia();
        if self.bytes.get(self.at) == Some(&b';') && !path.is_empty() {
            self.at += 1;
            let (start, end) = (narrow(start), narrow(self.at));
            match self.outline.elided.last_mut() {
                // One run with those before it.
                Some(last) if self.text[last.end as usize..start as usize].trim().is_empty() => last.end = end,
                _ => self.outline.elided.push(start..end),
            }
        }
    }

    /// `record` is a name unless another name and then `(` or `<` follow.
    fn begins_record(&mut self) -> bool {
        let here = self.at;
        self.skip_trivia();
        let name = self.identifier();
        self.skip_trivia();
        let next = self.bytes.get(self.at).copied();
        self.at = here;
        !name.is_empty() && matches!(next, Some(b'(' | b'<')) && !self.header.is_callable
    }

    /// Behind the keyword of a type: name, parameters, supertypes, up to and including `{`.
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
            let start = self.at + 1;
            self.skip_angles();
            declared.type_parameters = &self.text[start..self.at.saturating_sub(1).max(start)];
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

    /// Reads `extends ... implements ...` up to `{`; false when no body follows.
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
                b'<' => self.skip_angles(),
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

    /// From an opening bracket past its match; brackets of other kinds are not counted.
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

    fn skip_angles(&mut self) {
        let mut depth = 0_usize;
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.skip_trivia_or_literal() {
                continue;
            }
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                b'{' | b'}' | b';' => return,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    fn skip_trivia(&mut self) {
        while self
            .bytes
            .get(self.at)
            .is_some_and(|&byte| byte.is_ascii_whitespace() || byte == b'/')
            && self.skip_trivia_or_literal()
        {}
    }

    /// Skips one run of white space, one comment or one literal; false when there was none.
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

/// The last component of a dotted name.
pub(crate) fn simple_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path).trim()
}

/// Bytes that matter while looking for a closing bracket.
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

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

pub(super) fn is_word_part(byte: u8) -> bool {
    is_word_start(byte) || byte.is_ascii_digit()
}

/// The length of one run of white space, one comment or one literal; zero where there is none.
pub(super) fn trivia_or_literal_length(rest: &[u8]) -> usize {
    match rest {
        [b' ' | b'\t' | b'\n' | b'\r' | b'\x0c', ..] => 1,
        [b'/', b'/', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
        [b'/', b'*', tail @ ..] => memchr::memmem::find(tail, b"*/").map_or(rest.len(), |end| end + 4),
        [b'"', b'"', b'"', tail @ ..] => 3 + text_block_length(tail),
        [b'"', tail @ ..] => 1 + quoted_length(tail, b'"'),
        [b'\'', tail @ ..] => 1 + quoted_length(tail, b'\''),
        _ => 0,
    }
}

/// Length of a string or character literal behind its opening quote. It ends with its line at the
/// latest, so that a stray quote costs one line and not the file.
pub(super) fn quoted_length(tail: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while let Some(&byte) = tail.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    tail.len()
}

/// Length of a text block behind its opening quotes.
pub(super) fn text_block_length(tail: &[u8]) -> usize {
    let mut at = 0;
    while let Some(offset) = memchr::memchr2(b'"', b'\\', &tail[at..]) {
        at += offset;
        if tail[at] == b'\\' {
            at = (at + 2).min(tail.len());
        } else if tail[at..].starts_with(b"\"\"\"") {
            return at + 3;
        } else {
            at += 1;
        }
    }
    tail.len()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::outline;

    fn check(text: &str) -> String {
        let found = outline(text);
        let mut picture = format!("package {}\n", found.package);
        for import in &found.imports {
            let kind = if import.is_static { "static " } else { "" };
            let star = if import.is_wildcard { ".*" } else { "" };
            let _ = writeln!(picture, "import {kind}{}{star}", import.path);
        }
        for declared in &found.types {
            let owner = declared
                .enclosing
                .map(|at| format!("{}.", found.types[at as usize].name))
                .unwrap_or_default();
            let _ = writeln!(
                picture,
                "{:?} {owner}{} <{}> {:?}",
                declared.kind, declared.name, declared.type_parameters, declared.supertypes
            );
        }
        for range in &found.elided {
            let _ = writeln!(picture, "elided {:?}", &text[range.start as usize..range.end as usize]);
        }
        let _ = write!(
            picture,
            "annotations {:?} balanced {}",
            found.annotations, found.balanced
        );
        picture
    }

    #[test]
    fn types_imports_and_bodies_are_outlined() {
        insta::assert_snapshot!(check(
            r#"
            package shop.cart; // the "package"
            import java.util.*;
            import static org.junit.Assert.assertEquals;
            @RunWith(value = Suite.class) /* { */
            public abstract class Cart<T extends Comparable<T>> extends Basket<Item, T>
                    implements Closeable, a.b.Sized<T> {
                private final String brace = "}{";
                int one = 1, two = 2;
                Cart(int size) { super(size); }
                @Override public <X> X get(@Nullable Map<String, X> map) { char c = '}'; return null; }
                static { count = 0; }
                enum Kind { A { int f() { return 1; } }, B(2); Kind() {} void g() { h(); } }
                record Point(int x, int y) implements Located { Point { check(x); } int sum() { return x + y; } }
                interface Walker { default void walk() { step(); } }
            }
            @interface Marker { String value() default "x"; }
            "#
        ), @r#"
        package shop.cart
        import java.util.*
        import static org.junit.Assert.assertEquals
        Class Cart <T extends Comparable<T>> ["Basket<Item, T>", "Closeable", "a.b.Sized<T>"]
        Enum Cart.Kind <> []
        Record Cart.Point <> ["Located"]
        Interface Cart.Walker <> []
        Annotation Marker <> []
        elided "import java.util.*;\n            import static org.junit.Assert.assertEquals;"
        elided "= \"}{\""
        elided " super(size); "
        elided " char c = '}'; return null; "
        elided " count = 0; "
        elided " h(); "
        elided " check(x); "
        elided " return x + y; "
        elided " step(); "
        annotations ["Override", "RunWith"] balanced true
        "#);
    }

    #[test]
    fn long_comments_are_elided_but_for_their_signs_and_imports_only_where_they_are_whole() {
        insta::assert_snapshot!(check(
            "package a; import b.C; /* short */ import d.E e;\n\
             /** A class that does nothing, said at some length. */ class A {\n\
             // What follows is nothing either, said at some length.\n\
             } import f.G /* { */ ;\n/* never closed, although there is room enough for it"
        ), @r#"
        package a
        import b.C
        import d.E
        import f.G
        Class A <> []
        elided "import b.C;"
        elided "* A class that does nothing, said at some length. "
        elided " What follows is nothing either, said at some length."
        elided "import f.G /* { */ ;"
        annotations [] balanced true
        "#);
    }

    #[test]
    fn nothing_is_elided_where_brackets_do_not_match() {
        insta::assert_snapshot!(check("class A { void f() { if (x) { } void g() { y(); } }"), @"
        package 
        Class A <> []
        annotations [] balanced false
        ");
    }

    #[test]
    fn a_text_block_hides_its_braces() {
        insta::assert_snapshot!(check("class A { String s = \"\"\"\n { \\\"\"\" \" \"\"\"; void f() { g(); } }"), @r#"
        package 
        Class A <> []
        elided "= \"\"\"\n { \\\"\"\" \" \"\"\""
        elided " g(); "
        annotations [] balanced true
        "#);
    }
}
