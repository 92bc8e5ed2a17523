//! Edits after which a warm scan once differed from a cold one, each with a repository of its own.

use crate::comparison::{difference, warm_up};
use crate::repository::SCANS;
use crate::sources::Sources;
use crate::support::Project;

/// Asserts that a warm scan equals a cold one after files of a repository were written, or deleted where there is no
/// text.
#[track_caller]
fn check(files: &[(&str, &str)], edits: &[(&str, Option<&str>)]) {
    let project = Project::of(files);
    warm_up(&project, SCANS[0]);
    let before = Sources::of(files);
    let mut after = before.clone();
    for (path, text) in edits {
        match text {
            Some(text) => after.0.insert((*path).to_owned(), (*text).to_owned()),
            None => after.0.remove(*path),
        };
    }
    after.write(&project, &before);
    assert_eq!(difference(&project, SCANS[0]), None);
}

/// A test class of the package `shop` with one test.
fn test_class(body: &str) -> String {
    format!(
        "package shop;\nimport org.junit.*;\nimport static org.junit.Assert.*;\npublic class ATest {{\n\
         @Test public void a() throws Exception {{ {body} }}\n}}\n"
    )
}

#[test]
fn a_sleep_moves_in_code_behind_an_interface_that_a_lambda_implements() {
    let test = test_class("Writer writer = it -> it; assertEquals(2, writer.write(1));");
    let pen = "package shop;\nclass Pen implements Writer {\npublic int write(int it) { return Hand.press(it); }\n}\n";
    let hand = "package shop;\nclass Hand {\nstatic int press(int it) { return Arm.press(it); }\n}\n";
    let arm = "package shop;\nclass Arm {\nstatic int press(int it) { return Shoulder.press(it); }\n}\n";
    let shoulder = "package shop;\nclass Shoulder {\nstatic int press(int it) { return Back.press(it); }\n}\n";
    let back = "package shop;\nclass Back {\nstatic int press(int it) { return Worker.rest(it); }\n}\n";
    let worker = "package shop;\nclass Worker {\n\
        static int rest(int it) { try { Thread.sleep(it); } catch (Exception e) { } return it; }\n}\n";
    let files = [
        ("src/shop/ATest.java", test.as_str()),
        (
            "src/shop/Writer.java",
            "package shop;\ninterface Writer {\nint write(int it);\n}\n",
        ),
        ("src/shop/Pen.java", pen),
        ("src/shop/Hand.java", hand),
        ("src/shop/Arm.java", arm),
        ("src/shop/Shoulder.java", shoulder),
        ("src/shop/Back.java", back),
        ("src/shop/Worker.java", worker),
    ];
    let moved = worker.replace("class", "\nclass");
    check(&files, &[("src/shop/Worker.java", Some(&moved))]);
}

#[test]
fn the_import_of_the_type_of_a_field_in_another_file_changes() {
    let test = test_class("Shop shop = Shops.first; assertEquals(2, shop.till.count());");
    let shop = |import: &str| format!("package shop;\nimport {import}.Till;\nclass Shop {{\nTill till;\n}}\n");
    let till = |package: &str, value: &str| {
        format!("package {package};\npublic class Till {{\npublic int count() {{ return {value}; }}\n}}\n")
    };
    let (shop_before, shop_after) = (shop("one"), shop("two"));
    let (one, two) = (till("one", "2"), till("two", "new java.util.Random().nextInt()"));
    let files = [
        ("src/shop/ATest.java", test.as_str()),
        (
            "src/shop/Shops.java",
            "package shop;\nclass Shops {\nstatic Shop first = null;\n}\n",
        ),
        ("src/shop/Shop.java", shop_before.as_str()),
        ("src/one/Till.java", one.as_str()),
        ("src/two/Till.java", two.as_str()),
    ];
    check(&files, &[("src/shop/Shop.java", Some(&shop_after))]);
}

#[test]
fn the_supertype_of_the_type_of_a_field_gains_a_field() {
    let test = test_class("Shop shop = Shops.first; assertEquals(2, shop.till.drawer.count());");
    let files = [
        ("src/shop/ATest.java", test.as_str()),
        (
            "src/shop/Shops.java",
            "package shop;\nclass Shops {\nstatic Shop first = null;\n}\n",
        ),
        ("src/shop/Shop.java", "package shop;\nclass Shop {\nTill till;\n}\n"),
        ("src/shop/Till.java", "package shop;\nclass Till extends Machine {\n}\n"),
        ("src/shop/Machine.java", "package shop;\nclass Machine {\n}\n"),
        ("src/shop/Desk.java", "package shop;\nclass Desk {\nDrawer drawer;\n}\n"),
        (
            "src/shop/Drawer.java",
            "package shop;\nclass Drawer {\nint count() { return new java.util.Random().nextInt(); }\n}\n",
        ),
    ];
    check(
        &files,
        &[(
            "src/shop/Machine.java",
            Some("package shop;\nclass Machine extends Desk {\n}\n"),
        )],
    );
}

#[test]
fn a_class_that_implements_a_method_through_an_abstract_class_appears() {
    let test = test_class("assertEquals(2, Writers.first().write(1));");
    let files = [
        ("src/shop/ATest.java", test.as_str()),
        (
            "src/shop/Writers.java",
            "package shop;\nclass Writers {\nstatic Writer first() { return null; }\n}\n",
        ),
        (
            "src/shop/Writer.java",
            "package shop;\ninterface Writer {\nint write(int it);\n}\n",
        ),
        (
            "src/shop/Journal.java",
            "package shop;\nabstract class Journal implements Writer {\n}\n",
        ),
    ];
    let diary = "package shop;\nclass Diary extends Journal {\npublic int write(int it) { return new \
                 java.util.Random().nextInt(); }\n}\n";
    check(&files, &[("src/shop/Diary.java", Some(diary))]);
}

#[test]
fn a_generated_file_with_the_class_of_a_test_gains_that_test() {
    let test = test_class("assertEquals(2, 1 + 1);");
    let generated = "package shop;\npublic class ATest {\n}\n";
    let files = [
        ("generated/shop/ATest.java", generated),
        ("src/shop/ATest.java", test.as_str()),
    ];
    let with_test = test_class("assertEquals(2, System.nanoTime());");
    check(&files, &[("generated/shop/ATest.java", Some(&with_test))]);
}

#[test]
fn the_superclass_of_a_test_rule_no_longer_resets_a_state() {
    let test = "package shop;\nimport org.junit.*;\nimport static org.junit.Assert.*;\npublic class ATest {\n\
        @Rule public Cleaning rule = new Cleaning();\n\
        @Test public void writes() { Ledger.entries = 3; assertEquals(3, Ledger.entries); }\n\
        @Test public void reads() { assertEquals(0, Ledger.entries); }\n}\n";
    let base = |body: &str| {
        format!(
            "package shop;\nclass CleaningBase extends org.junit.rules.ExternalResource {{\n\
             protected void after() {{ {body} }}\n}}\n"
        )
    };
    let (before, after) = (base("Ledger.entries = 0;"), base(""));
    let files = [
        ("src/shop/ATest.java", test),
        (
            "src/shop/Cleaning.java",
            "package shop;\nclass Cleaning extends CleaningBase {\n}\n",
        ),
        ("src/shop/CleaningBase.java", before.as_str()),
        (
            "src/shop/Ledger.java",
            "package shop;\nclass Ledger {\nstatic int entries;\n}\n",
        ),
    ];
    check(&files, &[("src/shop/CleaningBase.java", Some(&after))]);
}
