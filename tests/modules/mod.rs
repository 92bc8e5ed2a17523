//! Import graph of the modules of a crate, read from their sources, and its circles.
//!
//! ```text
//! // cart.rs                    // order.rs
//! use crate::order::Order;      fn total(cart: &super::cart::Cart) -> u32 { ... }
//! ```
//!
//! Here `cart` imports `order` and `order` imports `cart`: one circle. An import is a path, in a `use` or elsewhere,
//! that leads into another module of the crate. Items under `#[cfg(test)]` import nothing. A declaration (`mod cart;`)
//! is no import. The root of the crate is ignored; a name that it re-exports counts as a path to the re-exported
//! module.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr as _;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Segments of a path, or of the place of a module: `["symbols", "index"]`. The root of a crate has none.
pub(crate) type Segments = Vec<String>;

/// The modules that each module imports.
type Imports = BTreeMap<Segments, BTreeSet<Segments>>;

/// One path in a source file, as it is written, and the module that it is written in.
#[derive(Debug)]
pub(crate) struct WrittenPath {
    module: Segments,
    pub(crate) segments: Segments,
    /// The name that a `use` introduces: the last segment, or the name after `as`.
    name: Option<String>,
}

/// All paths of a source file outside of tests, imports included: `use a::{b, c}` has two.
pub(crate) fn paths(module: &[String], source: &str) -> Vec<WrittenPath> {
    let tokens = TokenStream::from_str(source).unwrap_or_else(|error| panic!("{module:?} is not Rust: {error}"));
    let mut found = Vec::new();
    collect(module, tokens, &mut found);
    found
}

/// The circles among modules, each as the sorted names of its modules. The crate's root is the module without a name.
pub(crate) fn circles(sources: &[(&str, &str)]) -> Vec<Vec<String>> {
    let sources: BTreeMap<Segments, &str> = sources.iter().map(|(name, text)| (segments(name), *text)).collect();
    let imports = imports(&sources);
    let behind: BTreeMap<&Segments, BTreeSet<Segments>> =
        imports.keys().map(|it| (it, reached(it, &imports))).collect();
    let mut circles = BTreeSet::new();
    for (module, reached) in &behind {
        let circle: Vec<String> = reached
            .iter()
            .filter(|other| behind[other].contains(*module))
            .map(|it| it.join("::"))
            .collect();
        if !circle.is_empty() {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

fn segments(name: &str) -> Segments {
    name.split("::")
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

fn imports(sources: &BTreeMap<Segments, &str>) -> Imports {
    let mut written: BTreeMap<&Segments, Vec<WrittenPath>> = BTreeMap::new();
    for (module, source) in sources {
        written.insert(module, paths(module, source));
    }
    // Names that the root of the crate re-exports, and the paths behind them.
    let root = written.get(&Vec::new()).map(Vec::as_slice).unwrap_or_default();
    let exported: BTreeMap<String, Segments> = root
        .iter()
        .filter_map(|it| Some((it.name.clone()?, absolute(it, sources)?)))
        .collect();
    let mut imports = Imports::new();
    for (module, paths) in &written {
        if module.is_empty() {
            continue;
        }
        let named = paths.iter().filter_map(|path| {
            let mut path = absolute(path, sources)?;
            if let Some(behind) = path.first().and_then(|it| exported.get(it))
                && !sources.contains_key(&path[..1])
            {
                path.clone_from(behind);
            }
            let file = (1..=path.len()).rev().find(|it| sources.contains_key(&path[..*it]))?;
            path.truncate(file);
            (path != **module).then_some(path)
        });
        imports.insert((*module).clone(), named.collect());
    }
    imports
}

/// The path from the root of the crate; `None` for a path into another crate.
fn absolute(path: &WrittenPath, sources: &BTreeMap<Segments, &str>) -> Option<Segments> {
    let mut base = path.module.clone();
    let mut rest = path.segments.as_slice();
    match rest.first()?.as_str() {
        "crate" => {
            base.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|it| it == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        first => {
            let child = [&base[..], &[first.to_owned()]].concat();
            if !sources.contains_key(&child) {
                return None;
            }
        }
    }
    base.extend_from_slice(rest);
    Some(base)
}

/// The modules that a module imports directly or indirectly. It contains the module itself only if there is a circle.
fn reached(module: &Segments, imports: &Imports) -> BTreeSet<Segments> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&Segments> = imports[module].iter().collect();
    while let Some(next) = waiting.pop() {
        if reached.insert(next.clone()) {
            waiting.extend(&imports[next]);
        }
    }
    reached
}

fn collect(module: &[String], tokens: TokenStream, found: &mut Vec<WrittenPath>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Punct(hash) if hash.as_char() == '#' && is_test_attribute(tokens.get(at + 1)) => {
                at = end_of_item(&tokens, at + 2);
                continue;
            }
            // `pub(in crate::shop)` says who may use an item and imports nothing.
            TokenTree::Ident(word) if *word == "pub" && matches!(tokens.get(at + 1), Some(TokenTree::Group(_))) => {
                at += 1;
            }
            TokenTree::Ident(word) if *word == "use" => {
                let end = end_of_item(&tokens, at);
                imported(module, &[], &tokens[at + 1..end], found);
                at = end;
                continue;
            }
            TokenTree::Ident(word) if *word == "mod" => {
                if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                    (tokens.get(at + 1), tokens.get(at + 2))
                {
                    collect(&[module, &[name.to_string()]].concat(), body.stream(), found);
                    at += 3;
                    continue;
                }
                at += 1;
            }
            TokenTree::Ident(_) => {
                let (segments, end) = path(&tokens, at);
                if segments.len() > 1 {
                    found.push(WrittenPath {
                        module: module.to_vec(),
                        segments,
                        name: None,
                    });
                }
                at = end;
                continue;
            }
            TokenTree::Group(group) => collect(module, group.stream(), found),
            _ => {}
        }
        at += 1;
    }
}

/// The paths of a tree of imports: `a::{b, c as d}` has `a::b` and `a::c`.
fn imported(module: &[String], before: &[String], tree: &[TokenTree], found: &mut Vec<WrittenPath>) {
    for branch in tree.split(|it| matches!(it, TokenTree::Punct(it) if [',', ';'].contains(&it.as_char()))) {
        let start = branch.iter().position(|it| !matches!(it, TokenTree::Punct(_)));
        let Some(start) = start else { continue };
        let (segments, end) = match &branch[start] {
            TokenTree::Ident(_) => path(branch, start),
            _ => (Vec::new(), start),
        };
        let mut segments = [before, &segments].concat();
        // `a::{self}` is `a`.
        if segments.len() > 1 && segments.last().is_some_and(|it| it == "self") {
            segments.pop();
        }
        let inside = branch[end..].iter().find_map(|it| match it {
            TokenTree::Group(group) => Some(group.stream().into_iter().collect::<Vec<_>>()),
            _ => None,
        });
        if let Some(inside) = inside {
            imported(module, &segments, &inside, found);
            continue;
        }
        let renamed = branch[end..].iter().rev().find_map(|it| match it {
            TokenTree::Ident(name) => Some(name.to_string()),
            _ => None,
        });
        found.push(WrittenPath {
            module: module.to_vec(),
            name: renamed.or_else(|| segments.last().cloned()),
            segments,
        });
    }
}

/// The path that starts at a word, and the index of the first token after it.
fn path(tokens: &[TokenTree], start: usize) -> (Segments, usize) {
    let mut segments = Vec::new();
    let mut at = start;
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        segments.push(word.to_string());
        at += 1;
        let is_colon = |at: usize, spacing: Option<Spacing>| {
            matches!(tokens.get(at), Some(TokenTree::Punct(it))
                if it.as_char() == ':' && spacing.is_none_or(|spacing| it.spacing() == spacing))
        };
        if is_colon(at, Some(Spacing::Joint)) && is_colon(at + 1, None) {
            at += 2;
        } else {
            break;
        }
    }
    (segments, at)
}

fn is_test_attribute(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket
        && ["cfg(test)", "cfg(all(test,"].iter().any(|it| group.stream().to_string().replace(' ', "").starts_with(it)))
}

/// The index after the item that starts at `start`: after its semicolon or its body.
fn end_of_item(tokens: &[TokenTree], start: usize) -> usize {
    let mut is_import = false;
    let end = tokens[start..].iter().position(|it| match it {
        TokenTree::Ident(word) => {
            is_import |= *word == "use";
            false
        }
        TokenTree::Punct(it) => it.as_char() == ';',
        TokenTree::Group(it) => it.delimiter() == Delimiter::Brace && !is_import,
        TokenTree::Literal(_) => false,
    });
    end.map_or(tokens.len(), |it| start + it + 1)
}
