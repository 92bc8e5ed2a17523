//! Facts about libraries that were computed from their sources: what they add, and what they leave alone.

mod unsettled;

use peeler_analysis::LibraryTable;
use unsettled::unsettled_flows;

/// The rules and lines of the unsettled flows of the tests of a JUnit 4 class with these members.
fn class(members: &str) -> Vec<String> {
    let text = format!(
        "package t; import static org.junit.Assert.*; import java.util.*; import org.junit.*; \
         import org.apache.commons.lang3.*; import org.apache.commons.collections4.MapUtils; \
         import org.apache.commons.collections4.CollectionUtils; import org.apache.commons.lang3.ArrayUtils; \
         public class A {{ {members}\n}}"
    );
    let flows = unsettled_flows(&[("A.java", &text)]).into_iter();
    flows
        .map(|it| format!("{} {}: {}", it.rule, it.source.line, it.what))
        .collect()
}

const NONE: [&str; 0] = [];

#[test]
fn a_map_that_a_library_fills_has_no_defined_order() {
    let found = class(
        "@Test public void test() {\n\
         Map<Object, Object> colours = ArrayUtils.toMap(new String[][] {{\"red\", \"1\"}, {\"green\", \"2\"}});\n\
         assertEquals(\"{red=1, green=2}\", colours.toString()); }",
    );
    assert_eq!(
        found,
        ["PLR101 2: calls ArrayUtils.toMap, whose result has no defined order"]
    );
}

#[test]
fn a_map_of_a_library_is_compared_with_a_map_without_order() {
    let found = class(
        "@Test public void test() { Map<String, String> expected = new HashMap<>();\n\
         expected.put(\"1\", \"red\"); expected.put(\"2\", \"green\");\n\
         assertEquals(expected, MapUtils.invertMap(expected)); }",
    );
    assert_eq!(found, NONE);
}

#[test]
fn a_library_method_shows_the_order_of_its_argument() {
    let found = class(
        "@Test public void test() { Set<String> names = new HashSet<>(); names.add(\"ann\"); names.add(\"bob\");\n\
         Collection<String> chosen = CollectionUtils.select(names, it -> true);\n\
         assertEquals(\"[ann, bob]\", chosen.toString()); }",
    );
    assert_eq!(found, ["PLR101 1: fills a HashSet, which has no defined order"]);
}

#[test]
fn a_library_method_that_sorts_settles_the_order_of_its_argument() {
    let found = class(
        "@Test public void test() { Set<String> names = new HashSet<>(); names.add(\"ann\"); names.add(\"bob\");\n\
         String[] sorted = ArraySorter.sort(names.toArray(new String[0]));\n\
         assertEquals(\"[ann, bob]\", Arrays.toString(sorted)); }",
    );
    assert_eq!(found, NONE);
}

#[test]
fn the_shipped_table_has_the_facts_of_the_sources() {
    let lines = LibraryTable::shipped().lines();
    let expected = [
        "org.apache.commons.lang3.ArrayUtils.toMap/1: Map, HashOrder as Container",
        "org.apache.commons.lang3.ArraySorter.sort/1: List, parameter 0 is put in order",
        "org.apache.commons.collections4.MapUtils.invertMap/1: Map, HashOrder as Container",
    ];
    for line in expected {
        assert!(lines.iter().any(|it| it == line), "{line}");
    }
}

#[test]
fn the_shipped_table_survives_being_written_and_read() {
    let bytes = LibraryTable::shipped().to_bytes();
    assert!(bytes.len() < 4 << 20, "{} bytes", bytes.len());
    let read = LibraryTable::from_bytes(&bytes).expect("a table");
    assert_eq!(read.lines(), LibraryTable::shipped().lines());
}
