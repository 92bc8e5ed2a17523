//! Tests of test discovery: which methods are tests, and their names.

mod picture;

use std::fmt::Write as _;

use insta::assert_snapshot;
use peeler_analysis::Analysis;
use picture::repository;

fn tests_of(files: &[(&str, &str)]) -> String {
    let repository = repository(files);
    let analysis = Analysis::new(&repository);
    let mut out = String::new();
    for case in analysis.test_cases() {
        let inherited = case.declared_in.map(|it| format!(" from {it}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "{} {}:{} {:?}{inherited}",
            case.name, case.file, case.line, case.framework
        );
    }
    out
}

#[test]
fn junit_3_tests_are_found_through_superclasses() {
    assert_snapshot!(tests_of(&[
        ("Base.java", "package t; import junit.framework.TestCase; public class Base extends TestCase { public void testBase() {} }"),
        (
            "Sub.java",
            "package t; public class Sub extends Base {\n public void testSub() {}\n public void helper() {}\n \
             void testHidden() {}\n public void testWith(int x) {}\n public int testValue() { return 1; } }"
        ),
    ]), @"
    t.Base#testBase Base.java:1 JUnit3
    t.Sub#testBase Base.java:1 JUnit3 from t.Base
    t.Sub#testSub Sub.java:2 JUnit3
    ");
}

#[test]
fn junit_4_and_5_tests_are_found_by_annotation() {
    assert_snapshot!(tests_of(&[
        ("Four.java", "package t; import org.junit.Test; public class Four {\n @Test public void a() {}\n public void b() {} }"),
        (
            "Five.java",
            "package t; import org.junit.jupiter.api.*; class Five {\n @Test void a() {}\n @ParameterizedTest void b(int i) {}\n \
             @RepeatedTest(3) void c() {}\n @TestFactory Object d() { return null; }\n @TestTemplate void e() {} }"
        ),
    ]), @"
    t.Five#a Five.java:2 JUnit5
    t.Five#b Five.java:3 JUnit5
    t.Five#c Five.java:4 JUnit5
    t.Five#d Five.java:5 JUnit5
    t.Five#e Five.java:6 JUnit5
    t.Four#a Four.java:2 JUnit4
    ");
}

#[test]
fn annotations_of_annotations_count() {
    assert_snapshot!(tests_of(&[
        ("Fast.java", "package t; import org.junit.jupiter.api.Test; @Test @interface Fast {}"),
        ("VeryFast.java", "package t; @Fast @interface VeryFast {}"),
        ("MetaTest.java", "package t; class MetaTest { @Fast void a() {} @VeryFast void b() {} @Slow void c() {} }"),
    ]), @"
    t.MetaTest#a MetaTest.java:1 JUnit5
    t.MetaTest#b MetaTest.java:1 JUnit5
    ");
}

#[test]
fn testng_classes_make_their_public_methods_tests() {
    assert_snapshot!(tests_of(&[(
        "NgTest.java",
        "package t; import org.testng.annotations.*; @Test public class NgTest {\n public void a() {}\n \
         @BeforeMethod public void setUp() {}\n @DataProvider public void data() {}\n void hidden() {} }"
    )]), @"t.NgTest#a NgTest.java:2 TestNg");
}

#[test]
fn inherited_tests_belong_to_each_concrete_subclass() {
    assert_snapshot!(tests_of(&[
        ("Contract.java", "package t; import org.junit.Test; public abstract class Contract { @Test public void keeps() {} @Test public void drops() {} }"),
        ("AContractTest.java", "package t; public class AContractTest extends Contract {}"),
        ("BContractTest.java", "package u; public class BContractTest extends t.Contract { @Override public void drops() {} }"),
    ]), @"
    t.AContractTest#keeps Contract.java:1 JUnit4 from t.Contract
    t.AContractTest#drops Contract.java:1 JUnit4 from t.Contract
    u.BContractTest#drops BContractTest.java:1 JUnit4
    u.BContractTest#keeps Contract.java:1 JUnit4 from t.Contract
    ");
}

#[test]
fn default_methods_of_interfaces_are_inherited_too() {
    assert_snapshot!(tests_of(&[
        ("Equality.java", "package t; import org.junit.jupiter.api.Test; interface Equality { @Test default void equal() {} }"),
        ("MoneyTest.java", "package t; class MoneyTest implements Equality {}"),
    ]), @"t.MoneyTest#equal Equality.java:1 JUnit5 from t.Equality");
}

#[test]
fn nested_classes_have_a_dollar_in_their_name() {
    assert_snapshot!(tests_of(&[(
        "OuterTest.java",
        "package t; import org.junit.jupiter.api.*; class OuterTest { @Nested class Inner { @Nested class Innermost { @Test void a() {} } } }"
    )]), @"t.OuterTest$Inner$Innermost#a OuterTest.java:1 JUnit5");
}

#[test]
fn a_base_class_of_a_test_library_brings_its_tests() {
    assert_snapshot!(tests_of(&[(
        "XSubsystemTestCase.java",
        "package t;\nimport org.jboss.as.subsystem.test.AbstractSubsystemBaseTest;\npublic class XSubsystemTestCase extends AbstractSubsystemBaseTest {\n \
         protected String getSubsystemXml() { return \"x\"; } }"
    )]), @"
    t.XSubsystemTestCase#testSubsystem XSubsystemTestCase.java:3 JUnit4 from org.jboss.as.subsystem.test.AbstractSubsystemBaseTest
    t.XSubsystemTestCase#testSchema XSubsystemTestCase.java:3 JUnit4 from org.jboss.as.subsystem.test.AbstractSubsystemBaseTest
    ");
}

#[test]
fn broken_java_keeps_the_tests_that_can_be_read() {
    assert_snapshot!(tests_of(&[
        (
            "HalfTest.java",
            "package t; import org.junit.*; public class HalfTest {\n @Test public void a() { int x = ; }\n \
             @Test public void b() { if (x { }\n @Test public void c() {} }"
        ),
    ]), @"
    t.HalfTest#a HalfTest.java:2 JUnit4
    t.HalfTest#b HalfTest.java:3 JUnit4
    ");
}
