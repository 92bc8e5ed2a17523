//! Tests of the extraction of named methods: contexts, masked names, limits and duplicates.

use std::fmt::Write as _;

use peeler_features::NamedMethods;

use super::{MethodCounts, MethodReader};
use crate::repository::Repository;

fn read(files: &[(&str, &str)], most: usize) -> (NamedMethods, MethodCounts) {
    let mut reader = MethodReader::new(most, 1);
    let mut counts = MethodCounts::default();
    for (library, text) in files {
        let sources = Repository::from_sources(vec![("A.java".to_owned(), text.as_bytes().to_vec())]);
        counts.add(&reader.read(library, &sources));
    }
    (reader.finish(), counts)
}

fn members(text: &str) -> (NamedMethods, MethodCounts) {
    read(&[("shop", &format!("class A {{ {text} }}"))], 100)
}

/// Every method as a line with its name, followed by one line for each context.
fn shown(methods: &NamedMethods) -> String {
    let texts: [Vec<&str>; 2] = [methods.words.iter().collect(), methods.paths.iter().collect()];
    let words = |numbers: &[u32]| {
        numbers
            .iter()
            .map(|it| texts[0][*it as usize])
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut lines = String::new();
    for at in 0..methods.len() {
        let _ = writeln!(lines, "{}", words(methods.names.get(at)));
        for context in methods.contexts.get(at) {
            let [from, to] = [context.from, context.to].map(|it| words(methods.terminals.get(it as usize)));
            let _ = writeln!(lines, "  {from} | {} | {to}", texts[1][context.path as usize]);
        }
    }
    lines
}

#[test]
fn terminals_are_sub_tokens_and_paths_list_the_nodes_between_them() {
    let (methods, counts) = members("int netPrice() { int netTotal = this.price - 2; return netTotal; }");
    insta::assert_snapshot!(shown(&methods), @r"
    net price
      int | local_variable_declaration_variable_declarator | net total
      int | local_variable_declaration_variable_declarator_binary_expression_field_access | this
      int | local_variable_declaration_variable_declarator_binary_expression_field_access | price
      int | local_variable_declaration_variable_declarator_binary_expression | 2
      int | local_variable_declaration^block_return_statement | net total
      net total | variable_declarator_binary_expression_field_access | this
      net total | variable_declarator_binary_expression_field_access | price
      net total | variable_declarator_binary_expression | 2
      net total | variable_declarator^local_variable_declaration^block_return_statement | net total
      this | field_access | price
      this | field_access^binary_expression | 2
      this | field_access^binary_expression^variable_declarator^local_variable_declaration^block_return_statement | net total
      price | field_access^binary_expression | 2
      price | field_access^binary_expression^variable_declarator^local_variable_declaration^block_return_statement | net total
      2 | binary_expression^variable_declarator^local_variable_declaration^block_return_statement | net total
    ");
    assert_eq!((counts.files, counts.methods, counts.contexts), (1, 1, 15));
}

#[test]
fn paths_are_those_that_models_read_of_code_under_test() {
    let body =
        "{ for (Item it : items) { if (it.isOpen()) total += it.price(rate, 2); } log.info(\"sum {}\", total); }";
    let (methods, _) = members(&format!("void sum() {body}"));
    let paths: Vec<&str> = methods.paths.iter().collect();
    let (_, contexts) = crate::syntax::path_contexts::path_contexts(body);
    assert!(contexts.len() > 20, "{}", contexts.len());
    for context in contexts {
        assert!(paths.contains(&context.path.as_str()), "{}", context.path);
    }
}

#[test]
fn a_call_of_the_method_itself_does_not_tell_its_name() {
    let (methods, _) = members(
        "int size(int a) { return this.size(a) + super.size(a) + size(a); }
         int area(int b) { return other.area(b) + size(b); }",
    );
    let shown = shown(&methods);
    let (size, area) = shown.split_once("area\n").expect("two methods");
    assert!(size.contains("  this | method_invocation | <self>\n"), "{size}");
    assert!(!size.replacen("size\n", "", 1).contains("size"), "{size}");
    assert!(area.contains("other | method_invocation | area\n"), "{area}");
    assert!(area.contains("size | method_invocation_argument_list | b\n"), "{area}");
}

#[test]
fn paths_are_bounded_in_length_and_width() {
    let (methods, _) = members("void f() { g(a, b, c, d, e); }");
    let shown = shown(&methods);
    assert!(shown.contains("a | argument_list | d\n"), "{shown}");
    assert!(!shown.contains("a | argument_list | e\n"), "{shown}");
    let nested = |depth: usize| format!("void f() {{ x = {}y{}; }}", "(".repeat(depth), ")".repeat(depth));
    for (depth, expected) in [(7, 1), (8, 0)] {
        assert_eq!(members(&nested(depth)).1.contexts, expected, "{depth}");
    }
}

#[test]
fn a_long_body_has_so_many_contexts_as_the_limit_says_and_always_the_same() {
    let body: Vec<String> = (0..40).map(|it| format!("v{it} = v{it} + {it} * u{it};")).collect();
    let body = body.concat();
    let text = format!("class A {{ void fill() {{ {body} }} }}");
    let draw = |most| {
        let (methods, counts) = read(&[("shop", &text)], most);
        assert_eq!(counts.contexts, most);
        assert!(counts.contexts_left_out > 100, "{counts:?}");
        shown(&methods)
    };
    assert_eq!(draw(30), draw(30));
    let few: Vec<String> = draw(30).lines().map(str::to_owned).collect();
    let far = few
        .iter()
        .filter(|it| it.contains("v 30") || it.contains("v 39"))
        .count();
    assert!(far < few.len(), "not only the end");
    assert!(
        few.iter().any(|it| it.contains("v 3")),
        "and not only the beginning: {few:?}"
    );
}

#[test]
fn a_method_with_the_same_name_and_terminals_counts_once() {
    let first = "class A { int sum(int a) { int b = a + 1; return b; } }";
    let reordered = "class B { long sum(int a) { int b = 1 + a; /* other */ return b; } }";
    let renamed = "class C { int total(int a) { int b = a + 1; return b; } }";
    let other = "class D { int sum(int c) { int b = c + 1; return b; } }";
    let files = [("one", first), ("two", reordered), ("three", renamed), ("four", other)];
    let (methods, counts) = read(&files, 100);
    assert_eq!((counts.methods, counts.duplicates, methods.len()), (4, 1, 3));
    assert_eq!(methods.library, [0, 1, 2]);
    assert_eq!(
        methods.libraries,
        ["one", "three", "four"],
        "a library needs a method of its own"
    );
}

#[test]
fn methods_of_inner_classes_are_methods_of_their_own() {
    let (methods, counts) = members("void start() { pool.add(new Task() { public void run(int a) { work(a); } }); }");
    assert_eq!(counts.methods, 2);
    let shown = shown(&methods);
    assert!(
        shown.contains("run\n  work | method_invocation_argument_list | a\n"),
        "{shown}"
    );
    assert!(shown.contains("start\n  pool | method_invocation | add\n"), "{shown}");
}

#[test]
fn what_cannot_be_read_is_counted_and_stops_nothing() {
    let (methods, counts) = members(
        "abstract void none(); A() { a = b; } void empty() { } int one() { return one; } void $() { a = b; }
         void broken() { int = ; } int sum() { return a + b; }",
    );
    assert_eq!(shown(&methods), "sum\n  a | binary_expression | b\n");
    let expected = MethodCounts {
        files: 1,
        broken_files: 1,
        methods: 4,
        broken_methods: 1,
        without_contexts: 3,
        contexts: 1,
        ..MethodCounts::default()
    };
    assert_eq!(counts, expected);
    let table: Vec<String> = (0..600).map(|it| format!("t[{it}] = {it};")).collect();
    let table = table.concat();
    assert_eq!(members(&format!("void fill() {{ {table} }}")).1.long_methods, 1);
    assert_eq!(members("}}} %% {{{ \u{0}").1.methods, 0);
}

#[test]
fn long_literals_and_words_are_cut() {
    let word = "x".repeat(33);
    let (methods, _) = members(&format!("void f() {{ g(\"a b c d e f g h\", \"{word}\"); }}"));
    let shown = shown(&methods);
    assert!(shown.contains("a b c d e f | argument_list | <long>\n"), "{shown}");
}

#[test]
fn deep_nesting_is_read() {
    let depth = 20_000;
    let text = format!("void f() {{ a = {}b{}; c = d; }}", "(".repeat(depth), ")".repeat(depth));
    let (methods, _) = members(&text);
    assert!(shown(&methods).contains("c | assignment_expression | d\n"));
}
