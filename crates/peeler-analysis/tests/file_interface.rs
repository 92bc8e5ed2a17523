//! Interfaces of files: which names a change of a file affects, and which files mention them.

use std::collections::BTreeSet;

use peeler_analysis::{FileId, FileInterface, Repository};

const BEFORE: &str =
    "package shop; class Stock extends Store { int count; int count() { return 1; } void fill(String it) {} }";

fn interface(text: &str) -> FileInterface {
    let repository = Repository::from_sources(vec![("Stock.java".into(), text.into())]);
    FileInterface::of(&repository.files()[0])
}

/// Compares the interfaces before and after a replacement; `expected` are the names that differ.
fn check(from: &str, to: &str, expected: &[&str]) {
    assert!(BEFORE.contains(from), "{from:?} is not there");
    let (before, after) = (interface(BEFORE), interface(&BEFORE.replacen(from, to, 1)));
    let names: Vec<&str> = before.difference(&after).into_iter().collect();
    assert_eq!(names, expected, "{from} -> {to}");
}

#[test]
fn bodies_and_values_are_not_part_of_an_interface() {
    check("return 1", "return 2", &[]);
    check("int count;", "int count = 7;", &[]);
    check("{}", "{ int local; }", &[]);
}

#[test]
fn changed_members_are_named() {
    check("int count()", "long count()", &["count"]);
    check("String it", "Object it", &["fill"]);
    check("int count;", "long count;", &["count"]);
    check("void fill", "void empty", &["empty", "fill"]);
    check("void fill", "static void fill", &["fill"]);
    check("void fill", "@Before void fill", &["fill"]);
    check(
        "class Stock extends Store {",
        "class Stock extends Store { Stock(int it) {}",
        &["Stock"],
    );
}

#[test]
fn a_changed_header_names_types_and_supertypes() {
    check("extends Store", "extends Depot", &["Depot", "Stock", "Store"]);
    check("extends Store", "", &["Stock", "Store"]);
    check("package shop;", "package depot;", &["Stock", "Store"]);
    check("class Stock", "abstract class Stock", &["Stock", "Store"]);
}

#[test]
fn names_are_found_as_whole_words() {
    let sources = [
        ("A.java", "int stock;"),
        ("B.java", "int stocks, restock, $stock;"),
        ("C.java", "// a stock"),
    ];
    let sources = sources.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
    let repository = Repository::from_sources(sources.to_vec());
    let mentioning = |names: &[&str]| -> Vec<usize> {
        let files = repository.files_that_mention(&names.iter().copied().collect::<BTreeSet<_>>());
        files.into_iter().map(FileId::position).collect()
    };
    assert_eq!(mentioning(&["stock"]), [0, 2]);
    assert_eq!(mentioning(&[]), [0_usize; 0]);
}
