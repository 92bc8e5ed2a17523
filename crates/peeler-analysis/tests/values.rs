//! Values that differ from run to run: what tells two readings from one, and how far values are followed.

mod unsettled;

use unsettled::unsettled_flows;

/// The rules and lines of the unsettled flows of all tests of some files.
fn flows_of(files: &[(&str, &str)]) -> Vec<String> {
    let flows = unsettled_flows(files).into_iter();
    flows.map(|it| format!("{} {}", it.rule, it.source.line)).collect()
}

const IMPORTS: &str = "package t; import static org.junit.Assert.*; import java.time.*; import java.util.*; \
    import java.util.concurrent.*; import org.junit.*; ";

/// The flows of a JUnit 4 class with these members, whose first line is line 1.
fn class(members: &str) -> Vec<String> {
    flows_of(&[("A.java", &format!("{IMPORTS} public class A {{ {members}\n}}"))])
}

const NONE: [&str; 0] = [];

#[test]
fn a_helper_draws_another_value_at_every_call() {
    let drawn = |expected: &str| {
        class(&format!(
            "int amount() {{ return ThreadLocalRandom.current().nextInt(1, 100); }}\n\
             int same(int it) {{ return it; }}\n\
             @Test public void test() {{ int amount = amount(); assertEquals({expected}, amount + amount); }}"
        ))
    };
    assert_eq!(drawn("2 * amount()"), ["PLR302 1"]);
    assert_eq!(drawn("2 * amount"), NONE);
    assert_eq!(drawn("2 * same(amount)"), NONE, "a passed value is the same");
}

#[test]
fn a_stored_value_is_the_same_at_every_read() {
    let found = class(
        "private final String id = UUID.randomUUID().toString(); String id() { return id; }\n\
         @Test public void test() { String first = id(); assertEquals(first, id()); }",
    );
    assert_eq!(found, NONE);
}

#[test]
fn the_text_of_a_date_depends_on_the_default_zone() {
    let found = class(
        "String text(Date date) { return date.toString(); }\n\
         @Test public void test() { assertTrue(text(new Date(0)).contains(\"00:00:00\")); }",
    );
    assert_eq!(found, ["PLR304 1"]);
}

#[test]
fn a_clock_is_followed_through_nested_objects() {
    let code = "package t; import java.time.Clock;
        class Service { private final Audit audit; Service(Clock clock) { audit = new Audit(clock); }
            String save() { return audit.stamp(); } }
        class Audit { private final Stamps stamps; Audit(Clock clock) { stamps = new Stamps(clock); }
            String stamp() { return \"@\" + stamps.next(); } }
        class Stamps { private final Ticks ticks; Stamps(Clock clock) { ticks = new Ticks(clock); }
            String next() { return ticks.format(); } }
        class Ticks { private final Source source; Ticks(Clock clock) { source = new Source(clock); }
            String format() { return Long.toString(source.millis()); } }
        class Source { private final Clock clock; Source(Clock clock) { this.clock = clock; }
            long millis() { return clock.millis(); } }";
    let found = |clock: &str| {
        let test = format!(
            "{IMPORTS} public class A {{ @Test public void test() {{\nClock clock = {clock};\n\
             assertEquals(\"@\" + clock.millis(), new Service(clock).save()); }} }}"
        );
        flows_of(&[("A.java", &test), ("Service.java", code)])
    };
    assert_eq!(found("Clock.systemUTC()"), ["PLR301 2"]);
    assert_eq!(found("Clock.fixed(Instant.ofEpochMilli(42), ZoneOffset.UTC)"), NONE);
}

#[test]
fn a_part_that_is_no_literal_is_in_a_text_of_any_order() {
    let found = |part: &str| {
        class(&format!(
            "@Test public void test() {{ String name = System.getProperty(\"name\");\n\
             Set<String> names = new HashSet<>(); names.add(\"ann\"); names.add(\"bob\");\n\
             assertTrue(String.join(\",\", names).contains({part})); }}"
        ))
    };
    assert_eq!(found("\"ann,bob\""), ["PLR101 2"]);
    assert_eq!(found("name"), NONE);
}

#[test]
fn objects_with_one_key_each_have_no_order() {
    let found = |json: &str| {
        class(&format!(
            "@Test public void test() {{\n\
             Map<String, Object> map = new HashMap<>(); for (String it : keys()) {{ map.put(it, it); }}\n\
             assertEquals({json}, new com.google.gson.Gson().toJson(map)); }}\n List<String> keys() {{ return null; }}"
        ))
    };
    assert_eq!(found(r#""{\"a\":{\"b\":1}}""#), NONE);
    assert_eq!(found(r#""{\"a\":{\"b\":1,\"c\":2}}""#), ["PLR105 2"]);
}

#[test]
fn an_annotation_of_jaxb_gives_properties_an_order_too() {
    let found = |annotation: &str| {
        let bean = format!("package t; {annotation} class Item {{ public int a = 1; public int b = 2; }}");
        let test = format!(
            "{IMPORTS} import com.fasterxml.jackson.databind.ObjectMapper; public class A {{ @Test public void test() \
             throws Exception {{\n assertEquals(\"{{\\\"b\\\":2,\\\"a\\\":1}}\", new ObjectMapper().writeValueAsString(new \
             Item())); }} }}"
        );
        flows_of(&[("A.java", &test), ("Item.java", &bean)])
    };
    assert_eq!(found("@XmlType(name = \"item\")"), ["PLR105 2"]);
    assert_eq!(found("@XmlType(propOrder = {\"b\", \"a\"})"), NONE);
}

#[test]
fn a_container_is_the_same_in_every_order() {
    let found = |check: &str| {
        class(&format!(
            "@Test public void test() {{ Set<String> set = new HashSet<>(); set.add(\"a\"); set.add(\"b\");\n\
             List<String> list = new ArrayList<>(set); List<String> other = Arrays.asList(\"a\", \"b\"); {check} }}"
        ))
    };
    assert_eq!(found("assertEquals(other, list);"), ["PLR102 1"]);
    for stable in [
        "assertTrue(list == other);",
        "assertSame(other, list);",
        "assertThat(list).isSameAs(other);",
    ] {
        assert_eq!(found(stable), NONE, "{stable}");
    }
}

#[test]
fn a_size_of_one_settles_in_the_words_of_every_library() {
    let found = |size: &str| {
        class(&format!(
            "@Test public void test() {{\n String[] names = new HashSet<>(given()).toArray(new String[0]); {size}\n\
             assertEquals(\"a\", names[0]); }} List<String> given() {{ return null; }}"
        ))
    };
    assert_eq!(found("assertThat(names.length, is(2));"), ["PLR103 2"]);
    for stable in [
        "assertEquals(1, names.length);",
        "assertThat(names.length, is(1));",
        "assertThat(names.length, equalTo(1));",
        "assertThat(names.length).isEqualTo(1);",
        "assertThat(names).hasSize(1);",
    ] {
        assert_eq!(found(stable), NONE, "{stable}");
    }
}

#[test]
fn an_element_at_a_position_of_its_own_is_there_in_every_order() {
    let found = |set: &str| {
        class(&format!(
            "@Test public void test() {{ List<String> names = new ArrayList<>(Arrays.asList(\"\", \"\"));\n\
             Map<Integer, String> map = new HashMap<>(); map.put(0, \"a\"); map.put(1, \"b\"); int i = 0;\n\
             for (Map.Entry<Integer, String> it : map.entrySet()) {{ {set} }}\n\
             assertEquals(Arrays.asList(\"a\", \"b\"), names); }}"
        ))
    };
    assert_eq!(found("names.set(i++, it.getValue());"), ["PLR102 2"]);
    assert_eq!(found("names.set(it.getKey(), it.getValue());"), NONE);
}

#[test]
fn one_reading_of_the_clock_cancels_out_of_a_difference() {
    let found = |end: &str| {
        class(&format!(
            "@Test public void test() {{ Instant start = Instant.now();\n\
             assertTrue(Duration.between(start, {end}).toMillis() < 1000); }}"
        ))
    };
    assert_eq!(found("Instant.now()"), ["PLR204 1"]);
    assert_eq!(found("start.plusMillis(10)"), NONE);
}

#[test]
fn an_upper_limit_of_ten_seconds_is_no_limit() {
    let found = |clock: &str, limit: &str| {
        class(&format!(
            "@Test public void test() {{ long start = System.{clock}();\n\
             assertTrue(System.{clock}() - start < {limit}); }}"
        ))
    };
    for (clock, strict, generous) in [
        ("currentTimeMillis", "9999", "10000L"),
        ("nanoTime", "500_000_000L", "30_000_000_000L"),
    ] {
        assert_eq!(found(clock, strict), ["PLR204 2"], "{clock}");
        assert_eq!(found(clock, generous), NONE, "{clock}");
    }
}

#[test]
fn a_class_with_one_constructor_has_no_order_of_constructors() {
    for (local, shop) in [("", "Shop.class"), ("Class<Shop> type = Shop.class;", "type")] {
        let found = |members: &str| {
            let declared = format!("package t; class Shop {{ {members} }}");
            let test = format!(
                "{IMPORTS} public class A {{ @Test public void test() throws Exception {{ {local}\n\
                 assertEquals(1, {shop}.getDeclaredConstructors()[0].getParameterCount()); }} }}"
            );
            flows_of(&[("A.java", &test), ("Shop.java", &declared)])
        };
        assert_eq!(found("Shop(int size) {} Shop() {}"), ["PLR104 2"]);
        assert_eq!(found("Shop(int size) {}"), NONE);
    }
    let compiled = |members: &str| {
        class(&format!(
            "@Test public void test() throws Exception {{ Class<?> type = new Loader().compile(\"Shop\");\n\
             assertEquals(1, type.{members}()[0].getParameterCount()); }}"
        ))
    };
    assert_eq!(compiled("getDeclaredConstructors"), NONE);
    assert_eq!(compiled("getDeclaredMethods"), ["PLR104 2"]);
}

#[test]
fn an_anonymous_class_with_one_method_has_no_order_of_methods() {
    let found = |methods: &str| {
        class(&format!(
            "@Test public void test() {{\n assertEquals(1, \
             new Object() {{ {methods} }}.getClass().getDeclaredMethods()[0].getParameterCount()); }}"
        ))
    };
    assert_eq!(found("void a(int size) {} void b() {}"), ["PLR104 2"]);
    assert_eq!(found("void a(int size) {}"), NONE);
}

#[test]
fn no_random_number_is_below_the_least_one() {
    let found = |least: &str| {
        class(&format!(
            "@Test public void test() {{ int roll = new Random().nextInt();\n assertTrue(roll >= {least}); }}"
        ))
    };
    assert_eq!(found("10"), ["PLR302 1"]);
    assert_eq!(found("Integer.MIN_VALUE"), NONE);
}

#[test]
fn an_empty_list_has_no_order() {
    let found = |expected: &str| {
        class(&format!(
            "@Test public void test() {{\n\
             Map<String, String> map = new HashMap<>(); for (String it : keys()) {{ map.put(it, it); }}\n\
             assertEquals({expected}, new ArrayList<>(map.keySet())); }}\n List<String> keys() {{ return null; }}"
        ))
    };
    assert_eq!(found("Arrays.asList(\"a\", \"b\")"), ["PLR102 2"]);
    assert_eq!(found("Collections.emptyList()"), NONE);
}

#[test]
fn a_time_that_is_compared_with_zero_is_only_asked_for_being_set() {
    let found = |expected: &str| {
        class(&format!(
            "@Test public void test() {{ long time = System.currentTimeMillis();\n assertTrue(time {expected}); }}"
        ))
    };
    assert_eq!(found("== 1700000000000L"), ["PLR301 1"]);
    assert_eq!(found("!= 0L"), NONE);
}

#[test]
fn a_creator_gives_the_properties_of_a_bean_their_order() {
    let found = |annotation: &str| {
        let bean = format!(
            "package t; import com.fasterxml.jackson.annotation.*; class Bean {{ private String name; private int size; \
             {annotation} Bean(@JsonProperty(\"name\") String name, int size) {{ }} }}"
        );
        let test = format!(
            "{IMPORTS} import com.fasterxml.jackson.databind.ObjectMapper; public class A {{\n\
             @Test public void test() throws Exception {{\n\
             String json = new ObjectMapper().writeValueAsString(new Bean(\"a\", 1));\n\
             assertEquals(\"{{\\\"name\\\":\\\"a\\\",\\\"size\\\":1}}\", json); }} }}"
        );
        flows_of(&[("A.java", &test), ("Bean.java", &bean)])
    };
    assert_eq!(found(""), ["PLR105 3"]);
    assert_eq!(found("@JsonCreator"), NONE);
}

#[test]
fn a_part_inside_one_property_does_not_depend_on_their_order() {
    let found = |part: &str| {
        let test = format!(
            "{IMPORTS} import com.fasterxml.jackson.databind.ObjectMapper; public class A {{\n\
             static class Bean {{ public Object a; public Object b; }}\n\
             @Test public void test() throws Exception {{\n\
             String json = new ObjectMapper().writeValueAsString(new Bean());\n\
             assertTrue(json.contains(\"{part}\")); }} }}"
        );
        flows_of(&[("A.java", &test)])
    };
    assert_eq!(found(r#"\"a\":1,\"b\":2"#), ["PLR105 4"]);
    assert_eq!(found(r#"\"a\":[{\"key\":1"#), NONE);
}

#[test]
fn a_formatter_reads_no_clock() {
    let found = class(
        "@Test public void test() throws Exception { java.time.format.DateTimeFormatter format = \
         java.time.format.DateTimeFormatter.ISO_INSTANT;\n\
         Instant now = Instant.now();\n\
         assertEquals(now, Instant.from(format.parse(format.format(now)))); }",
    );
    assert_eq!(found, NONE);
}

#[test]
fn an_answer_of_unknown_code_may_be_the_value_that_it_was_given() {
    let found = |expected: &str| {
        class(&format!(
            "@Test public void test() throws Exception {{ Set<String> names = new HashSet<>();\n\
             names.add(\"ann\"); names.add(\"bob\"); String body = names.toString(); Server server = new Server();\n\
             server.answer(body); assertEquals({expected}, server.fetch()); }}\n\
             interface Transport {{ String send(String text); }}\n\
             static class Server {{ private final remote.Client client = remote.Client.open();\n\
             void answer(String body) {{ client.enqueue(body); }} String fetch() {{ return client.take(); }} }}"
        ))
    };
    assert_eq!(found("body"), NONE);
    let found = class(
        "@Test public void test() throws Exception { long now = System.currentTimeMillis();\n\
         long read = new Parser().parse(Long.toString(now)); assertEquals(now, read); }\n\
         static class Parser { long parse(String text) { return text.isEmpty() ? System.currentTimeMillis() : 1; } }",
    );
    assert_eq!(found, NONE, "the parsed time is the one that was written");
}

#[test]
fn entries_of_a_map_are_told_apart_by_literal_keys() {
    let found = |key: &str| {
        class(&format!(
            "@Test public void test() {{ Set<String> tags = new HashSet<>(); tags.add(\"a\"); tags.add(\"b\");\n\
             Map<String, Object> data = new LinkedHashMap<>(); data.put(\"tags\", tags); data.put(\"name\", \"a, b\");\n\
             assertEquals(\"[a, b]\", data.get({key}).toString()); }}"
        ))
    };
    assert_eq!(found("\"tags\""), ["PLR101 1"]);
    assert_eq!(found("\"name\""), NONE);
}

#[test]
fn code_that_constants_exclude_is_not_reached() {
    let found = |all: &str| {
        class(&format!(
            "Collection<String> find(boolean all) {{ if (all) {{ return new HashSet<>(names()); }}\n\
             return new ArrayList<>(names()); }} List<String> names() {{ return null; }}\n\
             @Test public void test() {{ assertEquals(\"a\", find({all}).iterator().next()); }}"
        ))
    };
    assert_eq!(found("true"), ["PLR103 1"]);
    assert_eq!(found("false"), NONE);
}

#[test]
fn a_list_or_a_set_is_not_taken_for_an_unordered_list() {
    let found = class(
        "void check(Object expected, boolean isList) { Collection<String> actual;\n\
         if (isList) { actual = new ArrayList<>(); } else { actual = new HashSet<>(); }\n\
         for (String it : names()) { actual.add(it); } assertEquals(expected, actual); }\n\
         List<String> names() { return null; }\n\
         @Test public void test() { check(Arrays.asList(\"a\", \"b\"), Boolean.getBoolean(\"list\")); }",
    );
    assert_eq!(found, NONE);
}

#[test]
fn a_word_in_a_text_of_several_elements_is_no_order() {
    let found = |part: &str| {
        class(&format!(
            "@Test public void test() {{ Set<String> names = new HashSet<>(); names.add(\"ann\"); names.add(\"bob\");\n\
             assertTrue((\"missing keys: \" + names).contains({part})); }}"
        ))
    };
    assert_eq!(found("\"missing keys: \""), NONE);
    assert_eq!(found("\"ann, bob\""), ["PLR101 1"]);
}

#[test]
fn a_subclass_of_a_hash_map_has_no_order() {
    let found = |base: &str| {
        class(&format!(
            "static class Prices extends {base}<String, Integer> {{ }}\n\
             @Test public void test() {{ Prices prices = new Prices();\n\
             prices.put(\"a\", 1); prices.put(\"b\", 2); assertEquals(\"{{a=1, b=2}}\", prices.toString()); }}"
        ))
    };
    assert_eq!(found("HashMap"), ["PLR101 2"]);
    assert_eq!(found("TreeMap"), NONE);
}

#[test]
fn method_references_are_followed() {
    let found = |made: &str| {
        class(&format!(
            "static class Order {{ String tags() {{ return new {made}<>(names()).toString(); }}\n\
             List<String> names() {{ return null; }} }}\n\
             @Test public void test() {{ List<Order> orders = Arrays.asList(new Order());\n\
             assertEquals(\"[a, b]\", orders.stream().map(Order::tags).findFirst().get()); }}"
        ))
    };
    assert_eq!(found("HashSet"), ["PLR101 1"]);
    assert_eq!(found("TreeSet"), NONE);
}

#[test]
fn a_serialiser_writes_into_a_writer() {
    let found = |map: &str| {
        class(&format!(
            "@Test public void test() throws Exception {{ java.io.StringWriter out = new java.io.StringWriter();\n\
             Map<String, Integer> map = new {map}<>(); map.put(\"a\", 1); map.put(\"b\", 2);\n\
             new com.fasterxml.jackson.databind.ObjectMapper().writeValue(out, map);\n\
             assertEquals(\"{{\\\"a\\\":1,\\\"b\\\":2}}\", out.toString()); }}"
        ))
    };
    assert_eq!(found("HashMap"), ["PLR105 2"]);
    assert_eq!(found("LinkedHashMap"), NONE);
}

#[test]
fn a_repository_that_declares_a_serialiser_knows_its_facts() {
    let gson = "package com.google.gson; public class Gson { public String toJson(Object source) { return null; } }";
    let test = format!(
        "{IMPORTS} import com.google.gson.Gson; public class A {{\n\
         static class Bean {{ int a = 1; int b = 2; }}\n\
         @Test public void test() {{\n\
         assertEquals(\"{{\\\"a\\\":1,\\\"b\\\":2}}\", new Gson().toJson(new Bean())); }} }}"
    );
    assert_eq!(flows_of(&[("A.java", &test), ("Gson.java", gson)]), ["PLR105 4"]);
}

#[test]
fn a_json_comparison_that_a_wildcard_imports_parses_the_texts() {
    let found = |import: &str, mode: &str| {
        let test = format!(
            "{IMPORTS} {import} import com.fasterxml.jackson.databind.ObjectMapper; public class A {{\n\
             static class Bean {{ public int a = 1; public int b = 2; }}\n\
             @Test public void test() throws Exception {{\n\
             assertEquals(\"{{\\\"a\\\":1,\\\"b\\\":2}}\", new ObjectMapper().writeValueAsString(new Bean()){mode}); }} }}"
        );
        flows_of(&[("A.java", &test)])
    };
    let wildcard = "import static org.skyscreamer.jsonassert.JSONAssert.*;";
    assert_eq!(found("", ""), ["PLR105 4"]);
    assert_eq!(found(wildcard, ""), ["PLR105 4"], "two texts are compared as they are");
    assert_eq!(found(wildcard, ", false"), NONE);
    assert_eq!(found(wildcard, ", JSONCompareMode.LENIENT"), NONE);
    let beside = "import static org.assertj.core.api.Assertions.*;";
    assert_eq!(found(&format!("{beside} {wildcard}"), ", true"), NONE);
}

#[test]
fn a_serialiser_of_its_own_writes_a_class_in_a_defined_order() {
    let found = |annotation: &str| {
        let test = format!(
            "{IMPORTS} import com.fasterxml.jackson.databind.*; public class A {{\n\
             {annotation} interface Token {{ }}\n\
             static class Bean implements Token {{ public int a = 1; public int b = 2; }}\n\
             static class Special extends Bean {{ }}\n\
             @Test public void test() throws Exception {{\n\
             assertEquals(\"{{\\\"a\\\":1,\\\"b\\\":2}}\", new ObjectMapper().writeValueAsString(new Special())); }} }}"
        );
        flows_of(&[("A.java", &test)])
    };
    let name = "com.fasterxml.jackson.databind.annotation.JsonSerialize";
    assert_eq!(found(""), ["PLR105 6"]);
    assert_eq!(found(&format!("@{name}(include = Inclusion.NON_NULL)")), ["PLR105 6"]);
    assert_eq!(found(&format!("@{name}(using = TokenWriter.class)")), NONE);
}

#[test]
fn a_part_inside_one_entry_of_a_serialised_text_has_no_order() {
    let found = |part: &str| {
        class(&format!(
            "@Test public void test() {{ Map<String, Object> data = new HashMap<>();\n\
             data.put(\"name\", \"Silent Hand\"); data.put(\"race\", \"Human\");\n\
             assertTrue(new org.yaml.snakeyaml.Yaml().dump(data).contains(\"{part}\")); }}"
        ))
    };
    assert_eq!(found("name: Silent Hand\\nrace: Human"), ["PLR105 1"]);
    assert_eq!(found("{name: Silent Hand, race: Human}"), ["PLR105 1"]);
    assert_eq!(found("name: Silent Hand"), NONE);
    assert_eq!(found("- !!int \\\"1\\\""), NONE);
    assert_eq!(found("traits: [ONE_HAND, ONE_EYE]"), NONE);
}

#[test]
fn a_lookup_in_an_immutable_map_picks_nothing() {
    let found = |read: &str| {
        let test = format!(
            "{IMPORTS} import com.google.common.collect.ImmutableMap; public class A {{\n\
             static class Mapper {{ private Map<String, String> names;\n\
             void names(Map<String, String> names) {{ this.names = ImmutableMap.copyOf(names); }}\n\
             String name(String key) {{ return names.{read}; }} }}\n\
             @Test public void test() {{ Map<String, String> names = new HashMap<>(); Mapper mapper = new Mapper();\n\
             names.put(\"a\", \"ann\"); names.put(\"b\", \"bob\"); mapper.names(names);\n\
             assertEquals(\"ann\", mapper.name(\"a\")); }} }}"
        );
        flows_of(&[("A.java", &test)])
    };
    assert_eq!(found("values().iterator().next()"), ["PLR103 5"]);
    assert_eq!(found("get(key)"), NONE);
}

#[test]
fn a_sort_in_a_helper_settles_the_array_of_the_caller() {
    let found = |sort: &str| {
        class(&format!(
            "String[] names(java.io.File[] files) {{ String[] names = new String[files.length];\n\
             for (int i = 0; i < files.length; i++) {{ names[i] = files[i].getName(); }} return names; }}\n\
             void settle(String[] names) {{ {sort} }}\n\
             @Test public void test() {{ String[] names = names(new java.io.File(\"data\").listFiles());\n\
             settle(names);\n\
             List<String> list = new ArrayList<>(); for (String name : names) {{ list.add(name); }}\n\
             assertEquals(Arrays.asList(\"a\", \"b\"), list); }}"
        ))
    };
    assert_eq!(found(""), ["PLR106 4"]);
    assert_eq!(found("Arrays.sort(names);"), NONE);
}

#[test]
fn equal_expected_elements_have_no_order() {
    let found = |expected: &str| {
        let test = format!(
            "{IMPORTS} import org.assertj.core.api.Assertions; public class A {{ @Test public void test() {{\n\
             Map<String, String> states = new HashMap<>(); states.put(\"a\", state(1)); states.put(\"b\", state(2));\n\
             Assertions.assertThat(states.values()).containsExactly({expected}); }}\n\
             String state(int host) {{ return System.getProperty(\"state\" + host); }} }}"
        );
        flows_of(&[("A.java", &test)])
    };
    assert_eq!(found("State.ONLINE, State.OFFLINE"), ["PLR102 2"]);
    assert_eq!(found("State.OFFLINE, State.OFFLINE"), NONE);
}

/// The rules that a serialised bean breaks. `mapper` makes the serialiser, and `fields` are those of the bean.
fn serialised(mapper: &str, fields: &str) -> Vec<String> {
    let test = format!(
        "{IMPORTS} import com.fasterxml.jackson.databind.*; import \
         com.fasterxml.jackson.dataformat.xml.*; public class A {{\n static class Bean {{ {fields} }}\n\
         @Test public void test() throws Exception {{ XmlMapper mapper = {mapper};\n\
         String text = mapper.writeValueAsString(new Bean());\n assertEquals(\"<Bean a='1' b='2'><c>3</c></Bean>\", text); }} }}"
    );
    // The tests of the library itself, whose builder inherits its settings from another library.
    let library = "package com.fasterxml.jackson.dataformat.xml; import com.fasterxml.jackson.databind.cfg.*;
        public class XmlMapper extends com.fasterxml.jackson.databind.ObjectMapper {
            public static class Builder extends MapperBuilder<XmlMapper, Builder> {
                public Builder(XmlMapper it) { super(it); }
            }
            public static Builder builder() { return new Builder(new XmlMapper()); }
        }";
    flows_of(&[("A.java", &test), ("XmlMapper.java", library)])
}

#[test]
fn properties_that_a_builder_sorts_have_an_order() {
    let fields = "public int b = 2; public int a = 1;";
    let mapper = |settings: &str| format!("XmlMapper.builder().annotationIntrospector(own()){settings}.build()");
    let setting = "MapperFeature.SORT_PROPERTIES_ALPHABETICALLY";
    for open in [
        String::new(),
        format!(".disable({setting})"),
        format!(".configure({setting}, false)"),
    ] {
        assert_eq!(serialised(&mapper(&open), fields), ["PLR105 4"], "{open}");
    }
    for sorted in [format!(".enable({setting})"), format!(".configure({setting}, true)")] {
        assert_eq!(serialised(&mapper(&sorted), fields), NONE, "{sorted}");
    }
}

#[test]
fn one_attribute_and_one_element_have_an_order() {
    let attribute = "@JacksonXmlProperty(isAttribute = true) public int";
    let serialised = |fields: &str| serialised("new XmlMapper()", fields);
    assert_eq!(serialised(&format!("{attribute} a = 1; public int c = 3;")), NONE);
    assert_eq!(serialised("@XmlAttribute public int a = 1; public int c = 3;"), NONE);
    for open in [
        format!("{attribute} a = 1; {attribute} b = 2;"),
        format!("{attribute} a = 1; public int c = 3; public int d = 4;"),
        "@JacksonXmlProperty(isAttribute = false) public int a = 1; public int c = 3;".to_owned(),
    ] {
        assert_eq!(serialised(&open), ["PLR105 4"], "{open}");
    }
}

#[test]
fn a_random_letter_is_not_asked_for_its_kind() {
    let drawn = |limit: &str| {
        class(&format!(
            "@Test public void test() {{ int it = new Random().nextInt(100); assertTrue(it < {limit}); }}"
        ))
    };
    assert_eq!(drawn("60"), ["PLR302 1"]);
    assert_eq!(drawn("'z'"), NONE);
}

#[test]
fn a_time_that_is_rounded_is_no_reading() {
    let compared = |hours: &str| {
        class(&format!(
            "@Test public void test() {{ long due = Cart.due(); \n\
             double hours = (due - System.currentTimeMillis()) / 3600000.0;\n assertEquals(4, {hours}); }}"
        ))
    };
    assert_eq!(compared("(long) hours"), ["PLR301 2"]);
    assert_eq!(compared("Math.round(hours)"), NONE);
}

#[test]
fn a_reading_that_was_handed_over_comes_back() {
    let note = "package t; import java.util.*; class Note { Date sent = new Date(); static Builder make() { \
                return new Builder(); } static class Builder { private Note note = new Note(); \
                Builder with(Date sent) { note.sent = sent; return this; } Note build() { return note; } } }";
    let compared = |given: &str| {
        let test = format!(
            "{IMPORTS} public class A {{\n Date sent = new Date(); Note note;\n\
             Note note() {{ return Note.make(){given}.build(); }}\n\
             @Before public void setUp() {{ note = note(); }}\n\
             @Test public void test() {{ assertEquals(note.sent, sent); }} }}"
        );
        flows_of(&[("A.java", &test), ("Note.java", note)])
    };
    assert_eq!(compared(".with(sent)"), NONE);
    assert_eq!(compared(""), ["PLR301 2", "PLR301 1"]);
}

#[test]
fn a_random_value_in_an_object_is_the_same_at_every_read() {
    let state = "package t; import java.util.*; class State { Map<String, String> props = new HashMap<>(); }";
    let reader = "package t; class Reader { static String key(State state) { return state.props.get(\"key\"); } }";
    let compared = |expected: &str| {
        let test = format!(
            "{IMPORTS} public class A {{ @Test public void test() {{ State state = new State();\n\
             String key = \"k\" + new Random().nextInt(1000);\n state.props.put(\"key\", key);\n\
             assertEquals({expected}, Reader.key(state)); }} }}"
        );
        flows_of(&[("A.java", &test), ("State.java", state), ("Reader.java", reader)])
    };
    assert_eq!(compared("key"), NONE);
    assert_eq!(compared("\"k1\""), ["PLR302 2"]);
}

#[test]
fn a_difference_to_a_measured_time_is_a_lower_limit() {
    let found = |compared: &str| {
        class(&format!(
            "@Test public void test() {{ long start = System.currentTimeMillis(); run();\n\
             long waited = System.currentTimeMillis() - start; assertTrue({compared}); }}"
        ))
    };
    assert_eq!(found("waited - 250 < 50").len(), 1);
    assert_eq!(found("250 - waited < 50"), NONE);
}

#[test]
fn an_array_whose_length_is_asserted_to_be_one_has_no_order() {
    let found = |length: u8| {
        class(&format!(
            "@Test public void test() throws Exception {{ Class<?> type = new Loader().compile(\"Shop\");\n\
             Method[] all = type.getDeclaredMethods(); assertThat(all).hasLength({length});\n\
             assertEquals(1, all[0].getParameterCount()); }}"
        ))
    };
    assert_eq!(found(2).len(), 1);
    assert_eq!(found(1), NONE);
}
