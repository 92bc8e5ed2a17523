//! Rules about practices: a test that shows each, and its twin that does not.

mod unsettled;

use unsettled::unsettled_flows;

/// The unsettled flows of all tests of a file, as `rule line origin: what`.
fn flows(text: &str) -> Vec<String> {
    let flows = unsettled_flows(&[("A.java", text)]).into_iter();
    flows
        .map(|it| format!("{} {} {:?}: {}", it.rule, it.source.line, it.origin, it.what))
        .collect()
}

fn junit4(members: &str) -> Vec<String> {
    flows(&format!(
        "package t; import static org.junit.Assert.*; import java.util.*; import org.junit.*; \
         public class A {{ {members}\n}}"
    ))
}

fn junit5(members: &str) -> Vec<String> {
    flows(&format!(
        "package t; import static org.junit.jupiter.api.Assertions.*; import java.util.*; \
         import org.junit.jupiter.api.*; public class A {{ {members}\n}}"
    ))
}

fn assert_flow(found: &[String], expected: &str) {
    assert_eq!(found, [expected]);
}

fn assert_silent(found: &[String]) {
    assert_eq!(found, [""; 0]);
}

#[test]
fn retries_are_found_in_annotations_attributes_and_rules() {
    let testng = |arguments: &str| {
        flows(&format!(
            "package t; import org.testng.annotations.*; public class A {{ @Test({arguments}) public void \
             test() {{}} }}"
        ))
    };
    assert_flow(
        &testng("retryAnalyzer = Again.class"),
        "PLR601 1 Body: is run again when it fails",
    );
    assert_flow(
        &testng("invocationCount = 10, successPercentage = 80"),
        "PLR601 1 Body: passes when 80% of its runs pass",
    );
    assert_silent(&testng("successPercentage = 100"));
    assert_flow(
        &junit4("@Rule public RetryRule retry = new RetryRule(3);\n@Test public void test() {}"),
        "PLR601 1 Setup: is run again by a rule when it fails",
    );
    assert_silent(&junit4(
        "RetryRule retry = new RetryRule(3);\n@Test public void test() {}",
    ));
    assert_flow(
        &flows(
            "package t; import io.github.artsok.*; import org.junit.jupiter.api.*; \
             @ExtendWith(RetryExtension.class)\n\
             class A { @Test void test() {} }",
        ),
        "PLR601 1 Setup: is run again when it fails",
    );
    assert_silent(&flows(
        "package t; import org.junit.jupiter.api.*; @ExtendWith(MockitoExtension.class)\n\
         class A { @RepeatedTest(3) void test() {} }",
    ));
}

#[test]
fn setup_methods_in_no_order_are_found_where_they_share_a_field() {
    assert_flow(
        &junit4(
            "List<String> names;\n@Before public void open() { names = new ArrayList<>(); }\n\
             @Before public void fill() { names.add(\"a\"); }\n@Test public void test() {}",
        ),
        "PLR602 3 Setup: has @Before methods in no defined order that both use names: open and fill",
    );
    assert_silent(&junit4(
        "List<String> names; int count;\n@Before public void open() { names = new ArrayList<>(); }\n\
         @Before public void fill() { count = 1; }\n@After public void close() { names.clear(); }\n\
         @Test public void test() {}",
    ));
    assert_silent(&flows(
        "package t; import org.testng.annotations.*; public class A { int count; @BeforeMethod public void a() \
         { count = 1; } \
         @BeforeMethod(dependsOnMethods = \"a\") public void b() { count++; } @Test public void test() {} }",
    ));
}

#[test]
fn mocks_are_opened_before_they_are_used() {
    assert_flow(
        &junit5(
            "@Mock List<String> names;\n@BeforeEach void open() { MockitoAnnotations.initMocks(this); }\n\
             @BeforeEach void fill() { when(names.size()).thenReturn(1); }\n@Test void test() {}",
        ),
        "PLR602 3 Setup: has @BeforeEach methods in no defined order that both use names: open and fill",
    );
}

#[test]
fn a_replaced_teardown_is_found_unless_it_is_called() {
    let classes = |teardown: &str| {
        flows(&format!(
            "package t; import org.junit.*; abstract class Base {{ Store store; @After public void close() {{ \
             store.clear(); }} }}\n\
             \
             class A extends Base {{ java.io.File file; @After @Override public void close() {{ {teardown} }}\n\
             @Test public void test() {{}} }}"
        ))
    };
    assert_flow(
        &classes("file.length();"),
        "PLR603 2 Setup: replaces Base#close, which calls clear",
    );
    assert_silent(&classes("file.length(); super.close();"));
    assert_silent(&classes("store.clear();"));
}

#[test]
fn a_replaced_setup_is_found_where_it_resets_something_static() {
    let classes = |setup: &str| {
        flows(&format!(
            "package t; import org.junit.*; abstract class Base {{ Object field; @Before public void open() {{ \
             {setup} }} }}\n\
             \
             class A extends Base {{ Object own; @Before public void open() {{ own = new Object(); }}\n\
             @Test public void test() {{}} }}"
        ))
    };
    assert_flow(
        &classes("Registry.reset();"),
        "PLR603 2 Setup: replaces Base#open, which calls reset",
    );
    assert_silent(&classes("field = new Object();"));
}

#[test]
fn a_dirtied_context_is_found_where_other_tests_share_it() {
    assert_flow(
        &junit5("@Test @DirtiesContext void test() {}\n@Test void other() {}"),
        "PLR604 1 Body: throws away an application context that other tests share",
    );
    assert_silent(&junit5("@Test @DirtiesContext void test() {}"));
    assert_silent(&junit5("@Test @Transactional void test() {}\n@Test void other() {}"));
    assert_silent(&flows(
        "package t; import org.junit.jupiter.api.*; @DirtiesContext class A { @Test void a() {} @Test void b() {} }",
    ));
}

#[test]
fn a_mode_without_effect_keeps_the_dirtied_context() {
    assert_flow(
        &flows(
            "package t; import org.junit.jupiter.api.*;\n@DirtiesContext(methodMode = MethodMode.AFTER_METHOD)\n\
             class A { @Test void test() {} }",
        ),
        "PLR604 2 Setup: keeps a dirtied context: methodMode has no effect on a class",
    );
}

const FOUND: &str = "compares a computed floating-point number without a tolerance";

#[test]
fn computed_numbers_are_compared_with_a_tolerance_or_found() {
    assert_flow(
        &junit5("@Test void test() { double tenth = 0.1;\nassertEquals(0.3, tenth + 0.2); }"),
        &format!("PLR308 2 Body: {FOUND}"),
    );
    assert_silent(&junit5(
        "@Test void test() { double tenth = 0.1;\nassertEquals(0.3, tenth + 0.2, 1e-9); }",
    ));
    assert_silent(&junit5(
        "@Test void test() { double half = 0.5;\nassertEquals(1.0, half + 0.5); }",
    ));
    assert_silent(&junit5(
        "@Test void test() { double x = 3.0;\nassertEquals(Double.valueOf(1.5), x / 2); }",
    ));
    assert_silent(&junit5("@Test void test() { int one = 1;\nassertEquals(3, one + 2); }"));
    assert_silent(&junit5(
        "@Test void test() { assertEquals(0.3, parse()); } double parse() { return Double.parseDouble(\"0.3\"); }",
    ));
}

#[test]
fn operators_and_fluent_assertions_compare_too() {
    assert_flow(
        &junit5("@Test void test() { double x = Math.sin(0.3);\nassertTrue(x == Math.cos(0.3)); }"),
        &format!("PLR308 2 Body: {FOUND}"),
    );
    assert_flow(
        &junit5("@Test void test() { double share = 1 / 3.0;\nassertThat(share * 0.7).isEqualTo(0.23); }"),
        &format!("PLR308 2 Body: {FOUND}"),
    );
    assert_silent(&junit5(
        "@Test void test() { double share = 1 / 3.0;\nassertThat(share * 0.7).isCloseTo(0.23, within(0.1)); }",
    ));
}

#[test]
fn code_under_test_computes_numbers() {
    assert_flow(
        &junit5(
            "@Test void test() { assertEquals(0.3, new Sum().of(0.1, 0.2)); }\n\
             static class Sum { double of(double a, double b) {\nreturn a + b; } }",
        ),
        &format!("PLR308 3 CodeUnderTest(1): {FOUND}"),
    );
}

#[test]
fn setup_that_extends_one_sequence_in_no_defined_order_is_found() {
    let tests = |second: &str| {
        junit4(&format!(
            "List<String> steps = new ArrayList<>(); Set<String> names = new HashSet<>();
             @Before public void first() {{ steps.add(\"a\"); names.add(\"a\"); }}
             {second}
             @Test public void test() {{}}"
        ))
    };
    assert_flow(
        &tests("@Before public void second() { steps.add(\"b\"); }"),
        "PLR602 3 Setup: has @Before methods in no defined order that both use steps: first and second",
    );
    assert_silent(&tests("@Before public void second() { names.add(\"b\"); }"));
}

#[test]
fn a_setup_that_reads_what_the_replaced_setup_sets_is_found() {
    let replaced = |body: &str| {
        flows(&format!(
            "package t; import org.junit.*; class Base {{ protected String name; \
             @Before public void setUp() {{ name = \"a\"; }} }}
             public class A extends Base {{ @Before @Override public void setUp() {{ {body} }}
             @Test public void test() {{}} }}"
        ))
    };
    assert_flow(
        &replaced("name = name + \"!\";"),
        "PLR603 2 Setup: replaces Base#setUp, which sets name, and reads name",
    );
    assert_silent(&replaced("super.setUp(); name = name + \"!\";"));
    assert_silent(&replaced("name = \"b\"; name = name + \"!\";"));
}

#[test]
fn a_sum_in_a_loop_is_computed() {
    let summed = |assertion: &str| {
        junit5(&format!(
            "@Test void test() {{ double sum = 0;\nfor (int i = 0; i < 3; i++) {{ sum += 0.1; }}\n{assertion} }}"
        ))
    };
    assert_flow(
        &summed("assertEquals(0.3, sum);"),
        "PLR308 2 Body: compares a computed floating-point number without a tolerance",
    );
    assert_silent(&summed("assertEquals(0.3, sum, 1e-9);"));
}
