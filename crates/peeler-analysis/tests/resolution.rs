//! Declarations that calls resolve to.

mod picture;

use std::fmt::Write as _;

use insta::assert_snapshot;
use peeler_analysis::Analysis;
use picture::repository;

/// The calls of all test bodies with the declarations that they resolve to.
fn calls_of(files: &[(&str, &str)]) -> String {
    let repository = repository(files);
    let analysis = Analysis::new(&repository);
    let mut out = String::new();
    for call in analysis.calls() {
        let target = match (call.declaration, call.implicit_constructor_of) {
            (Some(found), _) => format!("{} {}:{}", found.method, found.file, found.line),
            (None, Some(class)) => format!("{class} (implicit constructor)"),
            (None, None) => "-".to_owned(),
        };
        let _ = writeln!(out, "{} {} -> {target}", call.line, call.name);
    }
    out
}

/// The resolved calls of a test body, with main code in `shop/`.
fn calls_of_body(main: &str, body: &str) -> String {
    let test = format!(
        "package shop; import org.junit.Test; import java.util.*; public class SampleTest {{ \
         Cart field; @Test public void test() {{ {body}\n}} }}"
    );
    calls_of(&[("main/Shop.java", main), ("test/SampleTest.java", &test)])
}

#[test]
fn receivers_are_locals_fields_parameters_and_results() {
    assert_snapshot!(calls_of_body(
        "package shop; class Cart { Cart copy() { return this; } int size() { return 0; } }",
        r#"Cart local = new Cart();
        local.size();
        field.size();
        var inferred = local.copy();
        inferred.copy().size();
        for (Cart each : Arrays.asList(local)) { each.size(); }"#
    ), @"
    1 <init> -> shop.Cart (implicit constructor)
    2 size -> shop.Cart#size() main/Shop.java:1
    3 size -> shop.Cart#size() main/Shop.java:1
    4 copy -> shop.Cart#copy() main/Shop.java:1
    5 copy -> shop.Cart#copy() main/Shop.java:1
    5 size -> shop.Cart#size() main/Shop.java:1
    6 asList -> -
    6 size -> shop.Cart#size() main/Shop.java:1
    ");
}

#[test]
fn overloads_are_told_apart_by_arity_then_by_types() {
    // The original implementation ignored overloads.
    assert_snapshot!(calls_of_body(
        "package shop; class Cart {\n void put(String s) {}\n void put(int i) {}\n void put(String s, int i) {}\n \
         void put(Object... all) {}\n void put(String[] many) {}\n void put(Cart other) {}\n void put(Runnable r) {} }",
        r#"field.put("a");
        field.put(1);
        field.put("a", 1);
        field.put("a", "b", "c");
        field.put(new String[0]);
        field.put(new Cart());
        field.put(() -> {});"#
    ), @"
    1 put -> shop.Cart#put(String) main/Shop.java:2
    2 put -> shop.Cart#put(int) main/Shop.java:3
    3 put -> shop.Cart#put(String,int) main/Shop.java:4
    4 put -> shop.Cart#put(Object[]) main/Shop.java:5
    5 put -> shop.Cart#put(String[]) main/Shop.java:6
    6 <init> -> shop.Cart (implicit constructor)
    6 put -> shop.Cart#put(Cart) main/Shop.java:7
    7 put -> shop.Cart#put(Runnable) main/Shop.java:8
    ");
}

#[test]
fn generics_and_lambdas_are_followed() {
    assert_snapshot!(calls_of_body(
        "package shop; import java.util.*; class Cart { List<Item> items; Map<String, Item> byName; Optional<Item> first() { return null; } }\n\
         class Item { String name() { return null; } }\n class Box<T> { T open() { return null; } <R> Box<R> map(java.util.function.Function<T, R> f) { return null; } }",
        r#"field.items.get(0).name();
        field.byName.get("pen").name();
        field.first().get().name();
        for (Item item : field.byName.values()) { item.name(); }
        field.items.forEach(item -> item.name());
        new Box<Item>().open().name();
        Box<Cart> carts = null;
        carts.map(cart -> cart.first().get()).open().name();"#
    ), @"
    1 get -> -
    1 name -> shop.Item#name() main/Shop.java:2
    2 get -> -
    2 name -> shop.Item#name() main/Shop.java:2
    3 first -> shop.Cart#first() main/Shop.java:1
    3 get -> -
    3 name -> shop.Item#name() main/Shop.java:2
    4 values -> -
    4 name -> shop.Item#name() main/Shop.java:2
    5 name -> shop.Item#name() main/Shop.java:2
    5 forEach -> -
    6 <init> -> shop.Box (implicit constructor)
    6 open -> shop.Box#open() main/Shop.java:3
    6 name -> shop.Item#name() main/Shop.java:2
    8 first -> shop.Cart#first() main/Shop.java:1
    8 get -> -
    8 map -> shop.Box#map(Function) main/Shop.java:3
    8 open -> shop.Box#open() main/Shop.java:3
    8 name -> shop.Item#name() main/Shop.java:2
    ");
}

#[test]
fn inheritance_and_interfaces_are_followed() {
    assert_snapshot!(calls_of_body(
        "package shop; class Cart extends Basket<Cart> implements Sized { }\n\
         abstract class Basket<SELF extends Basket<SELF>> { SELF with(String s) { return null; } }\n\
         interface Sized { int size(); default boolean isEmpty() { return size() == 0; } }",
        r#"field.with("a").with("b").isEmpty();
        Sized sized = field;
        sized.size();"#
    ), @"
    1 with -> shop.Basket#with(String) main/Shop.java:2
    1 with -> shop.Basket#with(String) main/Shop.java:2
    1 isEmpty -> shop.Sized#isEmpty() main/Shop.java:3
    3 size -> shop.Sized#size() main/Shop.java:3
    ");
}

#[test]
fn static_and_wildcard_imports_constructors_and_nested_types() {
    let main = "package shop.main; public class Carts { public static Carts of(int n) { return null; } public void close() {} \
                public static class Builder { public Builder(int size) {} public Carts build() { return null; } } \
                public enum Kind { BIG; public int rank() { return 1; } } }";
    let test = "package shop.test; import static shop.main.Carts.*; import shop.main.*; import org.junit.Test; public class CartsTest { @Test public void test() {\n\
                of(1).close();\n\
                Carts.of(2).close();\n\
                new Carts.Builder(3).build().close();\n\
                Carts.Kind.BIG.rank();\n\
                new Carts(); } }";
    assert_snapshot!(calls_of(&[("a/Carts.java", main), ("b/CartsTest.java", test)]), @"
    2 of -> shop.main.Carts#of(int) a/Carts.java:1
    2 close -> shop.main.Carts#close() a/Carts.java:1
    3 of -> shop.main.Carts#of(int) a/Carts.java:1
    3 close -> shop.main.Carts#close() a/Carts.java:1
    4 <init> -> shop.main.Carts$Builder#<init>(int) a/Carts.java:1
    4 build -> shop.main.Carts$Builder#build() a/Carts.java:1
    4 close -> shop.main.Carts#close() a/Carts.java:1
    5 rank -> shop.main.Carts$Kind#rank() a/Carts.java:1
    6 <init> -> shop.main.Carts (implicit constructor)
    ");
}

#[test]
fn of_two_modules_with_one_name_the_nearer_wins() {
    let main = "package shop; public class Cart { public int size() { return 0; } }";
    let test = "package shop; import org.junit.Test; public class CartTest { @Test public void test() { new Cart().size(); } }";
    assert_snapshot!(calls_of(&[
        ("one/src/main/Cart.java", main),
        ("two/src/main/Cart.java", main),
        ("two/src/test/CartTest.java", test),
    ]), @"
    1 <init> -> shop.Cart (implicit constructor)
    1 size -> shop.Cart#size() two/src/main/Cart.java:1
    ");
}

#[test]
fn an_abstract_method_stands_for_its_few_implementations() {
    let main = "package shop; interface Store { void save(String s); }\n\
                class FileStore implements Store { public void save(String s) { write(s); } void write(String s) {} }\n\
                class MemoryStore implements Store { public void save(String s) {} }";
    let test = "package shop; import org.junit.*; public class StoreTest { Store store; @Test public void test() { store.save(\"x\"); } }";
    assert_snapshot!(picture::edges_of_files(&[("main/Store.java", main), ("test/StoreTest.java", test)]), @r#"
    *store@1 -[save CUT shop.Store#save(String) | shop.FileStore#save(String) | shop.MemoryStore#save(String)]-> store.save("x")@1!
    *"x"@1 -[save CUT shop.Store#save(String) | shop.FileStore#save(String) | shop.MemoryStore#save(String)]-> store.save("x")@1!
    "#);
}

#[test]
fn a_method_of_the_repository_is_described_for_encoding() {
    let main = "package shop; class Cart { int total() { return sum(tax(3)); } int sum(int x) { return x; } int tax(int x) { return half(x); } int half(int x) { return x / 2; } }";
    let test = "package shop; import org.junit.*; public class CartTest { @Test public void test() { Assert.assertEquals(1, new Cart().total()); } }";
    let repository = repository(&[("main/Cart.java", main), ("test/CartTest.java", test)]);
    let analysis = Analysis::new(&repository);
    let mut ids = Vec::new();
    analysis.extract(
        peeler_analysis::Limits::default(),
        |_| true,
        |traced| {
            let extraction = analysis.extraction(&traced);
            extraction.cut_methods.iter().map(|it| it.id).collect::<Vec<_>>()
        },
        |found| ids.extend(found),
    );
    let methods: Vec<_> = ids.into_iter().map(|id| analysis.cut_method(id, 2)).collect();
    let total = methods
        .iter()
        .find(|it| it.reference.method.contains("total"))
        .expect("total is called");
    assert_eq!(total.tokens, ["sum", "tax", "3"]);
    let calls: Vec<_> = total.calls.iter().map(|it| (it.depth, it.method.as_str())).collect();
    assert_eq!(
        calls,
        [
            (1, "shop.Cart#tax(int)"),
            (1, "shop.Cart#sum(int)"),
            (2, "shop.Cart#half(int)")
        ]
    );
    let first = &total.path_contexts[0];
    assert_eq!(
        (first.from.as_str(), first.path.as_str(), first.to.as_str()),
        ("sum", "method_invocation_argument_list_method_invocation", "tax")
    );
}
