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
    elided "import java.util.*;\n        import static org.junit.Assert.assertEquals;"
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
