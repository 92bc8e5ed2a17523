//! Undefined orders on their way to an assertion: serialisers, builders of containers, mocks, and own checks.

mod unsettled;

use unsettled::unsettled_flows;

const BEAN: &str = "package t; public class Bean { private String name; private int age; \
    public String getName() { return name; } public int getAge() { return age; } }";
const IMPORTS: &str = "package t; import static org.junit.Assert.*; import static org.mockito.Mockito.*; \
    import java.util.*; import org.junit.*; import org.mockito.*; import com.google.common.collect.*; \
    import com.google.gson.Gson; import com.fasterxml.jackson.databind.*;";
const EXPECTED: &str = r#""{\"name\":\"a\",\"age\":1}""#;

/// The rules of the unsettled flows of a test with this body, in a class with these members and beside these files.
fn rules(members: &str, body: &str, files: &[(&str, &str)]) -> Vec<&'static str> {
    let test = format!(
        "{IMPORTS} public class A {{ ObjectMapper mapper = new ObjectMapper(); String expected = {EXPECTED}; {members}\n\
         @Test public void test() throws Exception {{ {body} }} }}"
    );
    let mut all = vec![
        ("src/test/java/t/A.java", test.as_str()),
        ("src/main/java/t/Bean.java", BEAN),
    ];
    all.extend(files);
    unsettled_flows(&all).into_iter().map(|it| it.rule.id()).collect()
}

fn rules_of(body: &str) -> Vec<&'static str> {
    rules("", body, &[])
}

const NONE: [&str; 0] = [];

#[test]
fn changes_of_a_text_keep_the_order_of_its_properties() {
    let text = "String actual = mapper.writeValueAsString(new Bean());";
    let changed =
        format!("{text} assertEquals(expected.replaceAll(\"\\\\d+\", \"0\"), actual.replaceAll(\"\\\\d+\", \"0\"));");
    assert_eq!(rules_of(&changed), ["PLR105"]);
    let same =
        "assertEquals(mapper.writeValueAsString(new Bean()).trim(), mapper.writeValueAsString(new Bean()).trim());";
    assert_eq!(rules_of(same), NONE, "one serialiser on both sides");
}

#[test]
fn two_libraries_have_two_orders() {
    let compared = |other: &str| {
        rules_of(&format!(
            "Bean it = new Bean(); assertEquals(new Gson().toJson(it), {other});"
        ))
    };
    assert_eq!(compared("mapper.writeValueAsString(it)"), ["PLR105"]);
    assert_eq!(compared("new Gson().toJson(it)"), NONE);
}

#[test]
fn a_document_of_an_object_has_the_order_of_reflection() {
    let tree = |check: &str| rules_of(&format!("JsonNode tree = mapper.valueToTree(new Bean()); {check}"));
    assert_eq!(tree(&format!("assertEquals({EXPECTED}, tree.toString());")), ["PLR105"]);
    assert_eq!(tree("assertEquals(\"name\", tree.fieldNames().next());"), ["PLR105"]);
    assert_eq!(
        tree("assertEquals(mapper.readTree(expected), tree);"),
        NONE,
        "documents have no order"
    );
    let converted = "assertEquals(expected, mapper.convertValue(new Bean(), JsonNode.class).toString());";
    assert_eq!(rules_of(converted), ["PLR105"]);
}

#[test]
fn an_object_that_was_read_is_written_in_the_order_of_reflection() {
    let written = |class: &str| {
        rules_of(&format!(
            "Object it = mapper.readValue(expected, {class}); assertEquals(expected, mapper.writeValueAsString(it));"
        ))
    };
    assert_eq!(written("Bean.class"), ["PLR105"]);
    assert_eq!(
        written("JsonNode.class"),
        NONE,
        "a document keeps the order of its text"
    );
}

#[test]
fn builders_of_containers_keep_the_order_of_what_they_get() {
    let built = |made: &str, expected: &str| {
        let body = format!(
            "Set<String> set = new HashSet<>(); set.add(\"a\"); set.add(\"b\"); assertEquals({expected}, {made});"
        );
        rules_of(&body)
    };
    let list = "Arrays.asList(\"a\", \"b\")";
    assert_eq!(built("ImmutableList.builder().addAll(set).build()", list), ["PLR102"]);
    assert_eq!(
        built("ImmutableList.builder().addAll(set).add(\"c\").build()", list),
        ["PLR102"]
    );
    assert_eq!(
        built("ImmutableSet.builder().addAll(set).build().toString()", "\"[a, b]\""),
        ["PLR101"]
    );
    assert_eq!(built("ImmutableSet.builder().addAll(set).build()", "set"), NONE);
    assert_eq!(
        built("ImmutableList.builder().add(\"a\").add(\"b\").build()", list),
        NONE
    );
    let sorted = "ImmutableList.builder().addAll(new TreeSet<>(set)).build()";
    assert_eq!(built(sorted, list), NONE);
    assert_eq!(
        built("Collections.list(Collections.enumeration(set))", list),
        ["PLR102"]
    );
}

#[test]
fn a_map_that_keeps_its_order_shows_that_of_another_map() {
    let copied = |class: &str| {
        rules_of(&format!(
            "Map<String, Integer> from = new {class}<>(); from.put(\"a\", 1); from.put(\"b\", 2); \
             Map<String, Integer> to = new LinkedHashMap<>(); to.putAll(from); \
             assertEquals(\"{{a=1, b=2}}\", to.toString());"
        ))
    };
    assert_eq!(copied("HashMap"), ["PLR101"]);
    assert_eq!(copied("TreeMap"), NONE);
    assert_eq!(copied("LinkedHashMap"), NONE);
}

#[test]
fn a_captor_has_what_code_gave_to_a_mock() {
    let sink = "package t; public interface Sink { void put(String text); }";
    let service = "package t; import com.fasterxml.jackson.databind.ObjectMapper; public class Service { Sink sink; \
        ObjectMapper mapper = new ObjectMapper(); Service(Sink it) { sink = it; } \
        void send(Bean it) throws Exception { sink.put(mapper.writeValueAsString(it)); } }";
    let files = [
        ("src/main/java/t/Sink.java", sink),
        ("src/main/java/t/Service.java", service),
    ];
    let sent = |check: &str| {
        let members = "@Mock Sink sink; @Captor ArgumentCaptor<String> captor;";
        let body = format!("new Service(sink).send(new Bean()); verify(sink).put(captor.capture()); {check}");
        rules(members, &body, &files)
    };
    assert_eq!(sent("assertEquals(expected, captor.getValue());"), ["PLR105"]);
    assert_eq!(
        sent("assertEquals(expected, captor.getAllValues().get(0));"),
        ["PLR105"]
    );
    assert_eq!(
        sent("assertEquals(mapper.readTree(expected), mapper.readTree(captor.getValue()));"),
        NONE
    );
}

#[test]
fn a_condition_that_fails_the_test_is_an_assertion() {
    let checked = |check: &str| {
        rules_of(&format!(
            "String actual = mapper.writeValueAsString(new Bean()); {check}"
        ))
    };
    assert_eq!(checked("if (!expected.equals(actual)) { fail(); }"), ["PLR105"]);
    assert_eq!(
        checked("if (!expected.equals(actual)) { throw new AssertionError(actual); }"),
        ["PLR105"]
    );
    assert_eq!(
        checked("if (expected.equals(actual)) { run(); } else { fail(); }"),
        ["PLR105"]
    );
    assert_eq!(checked("if (!expected.equals(actual)) { warn(actual); }"), NONE);
}

#[test]
fn lombok_prints_all_fields() {
    let text = |annotation: &str| {
        let cart = format!(
            "package t; import java.util.*; import lombok.*; {annotation} public class Cart {{ \
             private Set<String> items = new HashSet<>(Arrays.asList(\"a\", \"b\")); }}"
        );
        let files = [("src/main/java/t/Cart.java", cart.as_str())];
        rules(
            "",
            "assertEquals(\"Cart(items=[a, b])\", new Cart().toString());",
            &files,
        )
    };
    for annotation in ["@Data", "@ToString", "@Value"] {
        assert_eq!(text(annotation), ["PLR101"], "{annotation}");
    }
    assert_eq!(text("@Getter"), NONE);
}

#[test]
fn fields_that_no_serialiser_writes_have_no_order_in_a_text() {
    let written = |marks: &str| {
        let cart = format!(
            "package t; import com.fasterxml.jackson.annotation.*; import java.util.*; @JsonPropertyOrder(\"a\") \
             public class Cart {{ public String a = \"x\"; \
             {marks} Set<String> items = new HashSet<>(Arrays.asList(\"a\", \"b\")); }}"
        );
        let files = [("src/main/java/t/Cart.java", cart.as_str())];
        rules(
            "",
            "assertEquals(expected, mapper.writeValueAsString(new Cart()));",
            &files,
        )
    };
    assert_eq!(written("public"), ["PLR105"]);
    assert_eq!(written("@JsonIgnore public"), NONE);
    assert_eq!(written("public transient"), NONE);
}

#[test]
fn a_mapper_that_its_class_can_make_sort_is_taken_to_sort() {
    let written = |more: &str| {
        let json = format!(
            "package t; import com.fasterxml.jackson.databind.*; public class Json {{ \
             static final ObjectMapper MAPPER = new ObjectMapper(); {more} \
             static String text(Object it) throws Exception {{ return MAPPER.writeValueAsString(it); }} }}"
        );
        let files = [("src/main/java/t/Json.java", json.as_str())];
        let body = "Map<String, Integer> it = new HashMap<>(); it.put(\"name\", 1); it.put(\"age\", 2); \
                    assertEquals(expected, Json.text(it));";
        rules("", body, &files)
    };
    assert_eq!(written(""), ["PLR105"]);
    let sort = "static void sort() { MAPPER.configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true); }";
    assert_eq!(written(sort), NONE);
}

#[test]
fn an_element_that_a_condition_selects_is_the_same_in_every_order() {
    let names = "Set<String> names = new HashSet<>(Arrays.asList(\"a\", \"b\"));";
    let first = |filter: &str| {
        rules_of(&format!(
            "{names} assertEquals(\"a\", names.stream().filter(it -> {filter}).findFirst().get());"
        ))
    };
    assert_eq!(first("it.length() > 0"), ["PLR103"]);
    assert_eq!(first("it.equals(\"a\")"), NONE);
    assert_eq!(first("it != null"), ["PLR103"]);
    let last = |guard: &str| {
        rules_of(&format!(
            "{names} String last = \"\"; for (String it : names) {{ {guard} last = it; }} assertEquals(\"a\", last);"
        ))
    };
    assert_eq!(last(""), ["PLR103"]);
    assert_eq!(last("if (it.length() > 3) continue;"), ["PLR103"]);
    assert_eq!(last("if (!it.equals(\"a\")) { continue; }"), NONE);
}

#[test]
fn an_empty_container_has_no_order() {
    let array = |expected: &str| {
        rules_of(&format!(
            "Set<String> names = new HashSet<>(); for (String it : load()) names.add(it); \
             assertArrayEquals({expected}, names.toArray(new String[0]));"
        ))
    };
    assert_eq!(array("new String[] {\"a\", \"b\"}"), ["PLR102"]);
    assert_eq!(array("new String[0]"), NONE);
}

#[test]
fn a_map_that_cannot_get_a_second_entry_has_no_order() {
    let printed = |made: &str| rules_of(&format!("assertEquals(\"{{a=1, b=2}}\", {made}.toString());"));
    assert_eq!(printed("Map.of(\"a\", 1, \"b\", 2)"), ["PLR101"]);
    for small in ["Map.of(\"a\", 1)", "Map.of()"] {
        assert_eq!(printed(small), NONE, "{small}");
    }
}

#[test]
fn a_container_is_no_truth_value() {
    let checks = "package t; import java.util.*; public class Checks { static boolean isFalse(Object it) { \
                  if (it instanceof Boolean) { return !(Boolean) it; } return ((Collection<?>) it).isEmpty(); } }";
    let body = "assertTrue(Checks.isFalse(new HashSet<String>()));";
    assert_eq!(rules("", body, &[("src/main/java/t/Checks.java", checks)]), NONE);
}

#[test]
fn code_under_test_asserts_what_holds_for_every_element() {
    let first = |path: &str| {
        let names = "package t; import java.util.*; public class Names { static boolean check() { \
                     Set<String> names = new HashSet<>(Arrays.asList(\"a\", \"b\")); \
                     assert names.iterator().next().equals(\"a\"); return true; } }";
        rules("", "assertTrue(Names.check());", &[(path, names)])
    };
    assert_eq!(first("src/main/java/t/Names.java"), NONE);
    assert_eq!(first("src/test/java/t/Names.java"), ["PLR103"]);
}

#[test]
fn a_creator_gives_the_order_of_properties() {
    let written = |annotation: &str| {
        let cart = format!(
            "package t; public class Cart {{ private String name; private int age; \
             {annotation} public Cart(String name, int age) {{ this.name = name; this.age = age; }} \
             public String getName() {{ return name; }} public int getAge() {{ return age; }} }}"
        );
        let files = [("src/main/java/t/Cart.java", cart.as_str())];
        let body = "assertEquals(expected, mapper.writeValueAsString(new Cart(\"a\", 1)));";
        rules("", body, &files)
    };
    assert_eq!(written(""), ["PLR105"]);
    assert_eq!(written("@com.fasterxml.jackson.annotation.JsonCreator"), NONE);
    assert_eq!(written("@java.beans.ConstructorProperties({\"name\", \"age\"})"), NONE);
}

#[test]
fn names_of_all_parameters_make_a_creator() {
    let written = |second: &str| {
        let cart = format!(
            "package t; public class Cart {{ private String name; private int age; \
             public Cart(@JsonProperty(\"name\") String name, {second} int age) {{ this.name = name; this.age = age; }} \
             public String getName() {{ return name; }} public int getAge() {{ return age; }} }}"
        );
        let body = "assertEquals(expected, mapper.writeValueAsString(new Cart(\"a\", 1)));";
        rules("", body, &[("src/main/java/t/Cart.java", cart.as_str())])
    };
    assert_eq!(written("@JsonProperty(\"age\")"), NONE);
    assert_eq!(written("final"), ["PLR105"]);
}

#[test]
fn properties_without_another_of_their_group_have_no_order() {
    let written = |fields: &str| {
        let cart = format!("package t; public class Cart {{ {fields} }}");
        let body = "assertEquals(expected, mapper.writeValueAsString(new Cart()));";
        rules("", body, &[("src/main/java/t/Cart.java", cart.as_str())])
    };
    assert_eq!(written("public int age; public int size;"), ["PLR105"]);
    assert_eq!(written("public int age; @JsonIgnore public int size;"), NONE);
    assert_eq!(written("public int age; public transient int size;"), NONE);
    // Jackson writes renamed properties after the others.
    assert_eq!(
        written("public int age; @JsonProperty(\"length\") public int size;"),
        NONE
    );
    let renamed = "@JsonProperty(\"years\") public int age; @JsonProperty(value = \"length\") public int size;";
    assert_eq!(written(renamed), ["PLR105"]);
}

#[test]
fn an_empty_container_in_place_of_content_has_no_order() {
    let listed = |missing: &str| {
        let cart = format!(
            "package t; import java.util.*; public class Cart {{ List<String> names = new ArrayList<>(); \
             Collection<String> names() {{ if (names.isEmpty()) {{ {missing} }} return names; }} }}"
        );
        let body = "assertEquals(expected, new ArrayList<>(new Cart().names()));";
        rules("", body, &[("src/main/java/t/Cart.java", cart.as_str())])
    };
    assert_eq!(listed("return new HashSet<>();"), NONE);
    assert_eq!(
        listed("return null; } if (names.size() < 1) { return new HashSet<>();"),
        NONE
    );
    assert_eq!(
        listed("Set<String> all = new HashSet<>(); all.add(first); all.add(second); return all;"),
        ["PLR102"]
    );
}

#[test]
fn a_whole_line_is_one_element_of_a_text() {
    let contains = |part: &str| {
        rules_of(&format!(
            "Map<String, String> pins = new HashMap<>(); pins.put(\"1\", a); pins.put(\"2\", b); \
             StringBuilder text = new StringBuilder(); \
             for (Map.Entry<String, String> it : pins.entrySet()) text.append(it.getKey()).append(\"\\n\"); \
             assertTrue(text.toString().contains(\"{part}\"));"
        ))
    };
    assert_eq!(contains("1: A\\n"), NONE);
    assert_eq!(contains("1: A\\n2: B\\n"), ["PLR101"]);
}

#[test]
fn an_assertion_of_several_elements_shows_that_there_are_two() {
    let is_sure = |elements: &str| {
        let test = format!(
            "package t; import static org.assertj.core.api.Assertions.assertThat; import java.io.File; \
             import org.junit.*; public class A {{ String[] names; @Test public void test() {{ \
             assertThat(new File(\"d\").list()).containsExactly({elements}); }} }}"
        );
        let flows = unsettled_flows(&[("src/test/java/t/A.java", test.as_str())]);
        flows.into_iter().map(|it| it.is_sure).collect::<Vec<_>>()
    };
    assert_eq!(is_sure("\"a\", \"b\""), [true]);
    assert_eq!(is_sure("names"), [false]);
}

#[test]
fn an_assertion_whose_failure_is_accepted_notices_nothing() {
    let differs = |caught: &str| {
        rules_of(&format!(
            "Set<String> names = new HashSet<>(); names.add(a); names.add(b); \
             try {{ assertEquals(Arrays.asList(\"a\", \"b\"), new ArrayList<>(names)); }} \
             catch (AssertionError error) {{ {caught} }}"
        ))
    };
    assert_eq!(differs("return;"), NONE);
    assert_eq!(differs("throw error;"), ["PLR102"]);
    assert_eq!(differs("fail(\"another order\");"), ["PLR102"]);
}

#[test]
fn properties_of_two_classes_follow_each_other() {
    let written = |own: &str| {
        let cart = format!("package t; public class Cart extends Base {{ {own} }}");
        let files = [
            ("src/main/java/t/Cart.java", cart.as_str()),
            (
                "src/main/java/t/Base.java",
                "package t; public class Base { public int id; }",
            ),
        ];
        rules(
            "",
            "assertEquals(expected, mapper.writeValueAsString(new Cart()));",
            &files,
        )
    };
    assert_eq!(written("public int age;"), NONE);
    assert_eq!(written("public int age; public int size;"), ["PLR105"]);
}

#[test]
fn words_of_a_message_show_no_two_elements() {
    let is_sure = |expected: &str| {
        let kinds = "package t; import java.util.*; public class Kinds { \
                     static String all(Set<String> kinds) { return \"kinds: \" + String.join(\" \", new HashSet<>(kinds)); } }";
        let test = format!(
            "{IMPORTS} public class A {{ Set<String> all; @Test public void test() {{ \
             assertEquals({expected}, Kinds.all(all)); }} }}"
        );
        let files = [
            ("src/test/java/t/A.java", test.as_str()),
            ("src/main/java/t/Kinds.java", kinds),
        ];
        let flows = unsettled_flows(&files);
        flows.into_iter().map(|it| it.is_sure).collect::<Vec<_>>()
    };
    assert_eq!(is_sure("\"kinds are a cat\""), [false]);
    assert_eq!(is_sure("\"kinds: cat, dog\""), [true]);
}

#[test]
fn what_is_null_in_a_branch_has_no_order_there() {
    let kept = |set: &str| {
        let cart = format!(
            "package t; import java.util.*; public class Cart {{ private Set<String> names; \
             void set(Set<String> names) {{ {set} }} Set<String> names() {{ return names; }} }}"
        );
        rules(
            "",
            "Cart cart = new Cart(); cart.set(new HashSet<>(Arrays.asList(\"a\", \"b\"))); \
             assertArrayEquals(expected, cart.names().toArray());",
            &[("src/main/java/t/Cart.java", &cart)],
        )
    };
    assert_eq!(
        kept("if (names != null) { this.names = new TreeSet<>(names); } else { this.names = names; }"),
        NONE
    );
    assert_eq!(
        kept("if (null == names) { this.names = names; } else { this.names = new TreeSet<>(names); }"),
        NONE
    );
    assert_eq!(
        kept("if (names == null) { this.names = new TreeSet<>(names); } else { this.names = names; }"),
        ["PLR102"]
    );
}

#[test]
fn a_class_that_is_written_as_another_value_has_no_properties() {
    let written = |declared: &str, names: &str| {
        let cart = format!(
            "package t; import java.util.*; import com.fasterxml.jackson.annotation.*; public class Cart {declared} {{ \
             public int age; public int size; {names} }}"
        );
        rules(
            "",
            "assertEquals(\"[a,b]\", mapper.writeValueAsString(new Cart()));",
            &[("src/main/java/t/Cart.java", &cart)],
        )
    };
    assert_eq!(written("", ""), ["PLR105"]);
    let names = |made: &str| {
        format!(
            "@JsonValue public Collection<String> names() {{ Collection<String> names = new {made}<>(); \
             names.add(\"a\"); names.add(\"b\"); return names; }}"
        )
    };
    assert_eq!(written("", &names("ArrayList")), NONE);
    assert_eq!(written("", &names("HashSet")), ["PLR105"]);
    assert_eq!(written("extends TreeMap<String, String>", ""), NONE);
}

#[test]
fn a_key_that_is_put_again_stays_one_entry() {
    let filled = |second: &str| {
        rules_of(&format!(
            "Map<String, String> map = new HashMap<>(); map.put(\"a\", \"1\"); map.put({second}, \"2\"); \
             StringBuilder text = new StringBuilder(); for (String key : map.keySet()) {{ text.append(key).append(','); }} \
             assertEquals(\"a=1,b=2,\", text.toString());"
        ))
    };
    assert_eq!(filled("\"b\""), ["PLR101"]);
    assert_eq!(filled("\"a\""), NONE);
    assert_eq!(filled("KEY"), ["PLR101"], "a name says nothing");
    for made in ["new HashMultimap<>()", "HashMultimap.create()"] {
        let values = format!(
            "HashMultimap<String, String> map = {made}; map.put(\"a\", \"1\"); map.put(\"a\", \"2\"); \
             assertEquals(Arrays.asList(\"1\", \"2\"), new ArrayList<>(map.values()));"
        );
        assert_eq!(rules_of(&values), ["PLR102"], "both values stay in {made}");
    }
}

#[test]
fn hash_tables_that_are_filled_alike_have_the_same_order() {
    let compared = |other: &str| {
        rules_of(&format!(
            "Set<String> one = new HashSet<>(Arrays.asList(\"a\", \"b\")); {other} \
             assertEquals(two.toString(), one.toString());"
        ))
    };
    assert_eq!(
        compared("Set<String> two = new HashSet<>(Arrays.asList(\"b\", \"a\"));"),
        NONE
    );
    assert_eq!(compared("List<String> two = Arrays.asList(\"a\", \"b\");"), ["PLR101"]);
    let maps = "Map<String, Integer> one = new HashMap<>(), two = new HashMap<>(); one.put(\"a\", 1); one.put(\"b\", 2); \
                two.put(\"c\", 1); two.put(\"d\", 2); \
                assertEquals(new ArrayList<>(one.values()), new ArrayList<>(two.values()));";
    assert_eq!(rules_of(maps), ["PLR102"], "other keys");
}

#[test]
fn what_a_key_leads_to_is_not_the_whole_map() {
    let maker = "package t; import java.util.*; public class Maker { Map<String, Object> plain = new HashMap<>(); \
         <T> T conform(Object raw) { return (T) (raw == null ? raw : plain); } }";
    let checked = |check: &str| {
        let body = format!("var made = new Maker().conform(\"x\"); {check}");
        rules("", &body, &[("src/main/java/t/Maker.java", maker)])
    };
    assert_eq!(
        checked("assertArrayEquals(new String[] {\"a\", \"b\"}, made.get(\"key\"));"),
        NONE
    );
}
