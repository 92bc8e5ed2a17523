//! Shared state between tests: Java in; rule, test, state and partners out.

use peeler_analysis::{Analysis, FlowFinder, Limits, Repository, StateAccess, TestCase, pair_states};
use peeler_features::TestName;

const IMPORTS: &str = "import org.junit.*; import static org.junit.Assert.*; import java.util.*; import java.io.*;\n";

/// The name of every test of a repository, with the shared state that the test reads and changes.
fn accesses(repository: &Repository) -> Vec<(TestName, StateAccess)> {
    let analysis = Analysis::new(repository);
    let finder = FlowFinder::new(&analysis);
    let mut tests = Vec::new();
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| (traced.case.name.clone(), finder.flows(&traced).state),
        |test| tests.push(test),
    );
    tests
}

/// The accesses of all tests, and the findings: `RULE test state <- partners` for pairs, `RULE test what` for others.
fn scan(sources: &[(&str, &str)]) -> (Vec<(TestCase, StateAccess)>, Vec<String>) {
    let files = sources.iter().map(|(path, text)| {
        let folder = if path.ends_with("Test.java") { "test" } else { "main" };
        (
            format!("src/{folder}/java/{path}"),
            format!("{IMPORTS}{text}").into_bytes(),
        )
    });
    let repository = Repository::from_sources(files.collect());
    let analysis = Analysis::new(&repository);
    let finder = FlowFinder::new(&analysis);
    let mut tests = Vec::new();
    let mut lines = Vec::new();
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| (traced.case.clone(), finder.flows(&traced)),
        |(case, found)| {
            for flow in found.flows.iter().filter(|it| it.rule.id().starts_with("PLR5")) {
                lines.push(format!("{} {} {}", flow.rule.id(), case.name.method(), flow.what));
            }
            tests.push((case, found.state));
        },
    );
    let states: Vec<_> = tests.iter().map(|(case, state)| (case.name.clone(), state)).collect();
    for finding in pair_states(&states) {
        let partners: Vec<&str> = finding.partners.iter().map(peeler_features::TestName::method).collect();
        let test = states[finding.test].0.method();
        lines.push(format!(
            "{} {test} {} <- {}",
            finding.flow.rule.id(),
            finding.state,
            partners.join(" ")
        ));
    }
    lines.sort();
    (tests, lines)
}

fn check(sources: &[(&str, &str)], expected: &[&str]) {
    let (tests, lines) = scan(sources);
    let accesses: Vec<_> = tests.iter().map(|(case, state)| (case.name.as_str(), state)).collect();
    assert_eq!(lines, expected, "{accesses:#?} {sources:?}");
}

const PARSER: (&str, &str) = (
    "Parser.java",
    "public class Parser { static boolean strict; static void setStrict(boolean it) { strict = it; }
       static int parse(String text) { return strict ? 1 : 2; } }",
);

#[test]
fn a_static_field_that_one_test_sets_and_another_reads_is_a_pair() {
    let test = "public class ParserTest {
        @Test public void strict() { Parser.strict = true; assertEquals(1, Parser.parse(\"a\")); }
        @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    check(
        &[PARSER, ("ParserTest.java", test)],
        &[
            "PLR501 strict Parser#strict <- parses",
            "PLR502 parses Parser#strict <- strict",
        ],
    );
}

#[test]
fn a_setter_is_followed_and_names_the_polluters_of_other_classes() {
    let setter = "public class StrictTest { @Test public void strict() { Parser.setStrict(true); assertTrue(true); } }";
    let reader = "public class ParserTest { @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    check(
        &[PARSER, ("StrictTest.java", setter), ("ParserTest.java", reader)],
        &[
            "PLR501 strict Parser#strict <- parses",
            "PLR502 parses Parser#strict <- strict",
        ],
    );
}

#[test]
fn tests_of_other_modules_are_no_partners() {
    let setter = "public class StrictTest { @Test public void strict() { Parser.setStrict(true); assertTrue(true); } }";
    let reader = "public class ParserTest { @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    let file = |path: &str, text: &str| (path.to_owned(), format!("{IMPORTS}{text}").into_bytes());
    let repository = Repository::from_sources(vec![
        file("core/src/main/java/Parser.java", PARSER.1),
        file("one/src/test/java/StrictTest.java", setter),
        file("two/src/test/java/ParserTest.java", reader),
    ]);
    let tests = accesses(&repository);
    let states: Vec<_> = tests.iter().map(|(name, state)| (name.clone(), state)).collect();
    assert_eq!(states.len(), 2);
    assert!(pair_states(&states).is_empty());
}

#[test]
fn teardown_setup_finally_and_saved_values_restore() {
    let after = "public class ParserTest { @After public void reset() { Parser.strict = false; }
        @Test public void strict() { Parser.strict = true; assertEquals(1, Parser.parse(\"a\")); }
        @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    let before = "public class ParserTest { @Before public void reset() { Parser.setStrict(false); }
        @Test public void strict() { Parser.strict = true; assertEquals(1, Parser.parse(\"a\")); }
        @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    let finally = "public class ParserTest {
        @Test public void strict() { Parser.strict = true;
          try { assertEquals(1, Parser.parse(\"a\")); } finally { Parser.setStrict(false); } }
        @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    let saved = "public class ParserTest {
        @Test public void strict() { boolean old = Parser.strict; Parser.strict = true;
          assertEquals(1, Parser.parse(\"a\")); Parser.strict = old; }
        @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    let default = "public class ParserTest {
        @Test public void strict() { Parser.strict = true; assertEquals(1, Parser.parse(\"a\"));
          Parser.strict = false; }
        @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    for test in [after, before, finally, saved, default] {
        check(&[PARSER, ("ParserTest.java", test)], &[]);
    }
}

#[test]
fn a_rule_of_the_class_restores_in_its_after_method() {
    let test = "import org.junit.rules.ExternalResource; public class ParserTest {
        @Rule public ExternalResource reset = new ExternalResource() {
          @Override protected void after() { Parser.strict = false; } };
        @Test public void strict() { Parser.strict = true; assertEquals(1, Parser.parse(\"a\")); }
        @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    check(&[PARSER, ("ParserTest.java", test)], &[]);
}

#[test]
fn a_superclass_restores_for_its_subclasses() {
    let base = "public abstract class ParserBase { @After public void reset() { Parser.strict = false; } }";
    let test = "public class ParserTest extends ParserBase {
        @Test public void strict() { Parser.strict = true; assertEquals(1, Parser.parse(\"a\")); }
        @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    check(&[PARSER, ("ParserBase.java", base), ("ParserTest.java", test)], &[]);
}

#[test]
fn instance_fields_constants_loggers_and_lazy_values_are_no_shared_state() {
    let instance = "public class CartTest { private List<String> items = new ArrayList<>(); private int count;
        @Test public void adds() { items.add(\"a\"); count = 1; assertEquals(1, items.size()); }
        @Test public void isEmpty() { assertEquals(0, items.size()); assertEquals(0, count); } }";
    let constants = "public class CartTest { static final String NAME = \"a\"; static final int SIZE = 3;
        @Test public void a() { assertEquals(\"a\", NAME); } @Test public void b() { assertEquals(3, SIZE); } }";
    let lazy = "public class CartTest { static List<String> names;
        static List<String> names() { if (names == null) { names = new ArrayList<>(); } return names; }
        @Test public void a() { assertNotNull(names()); } @Test public void b() { assertNotNull(names()); } }";
    let ids = "public class CartTest { static int next; int id() { return next++; }
        @Test public void a() { String name = \"x\" + id(); assertNotNull(name); }
        @Test public void b() { String name = \"x\" + id(); assertNotNull(name); } }";
    for test in [instance, constants, lazy, ids] {
        check(&[("CartTest.java", test)], &[]);
    }
}

#[test]
fn a_static_collection_that_tests_fill_is_shared() {
    let test = "public class CartTest { static final List<String> ITEMS = new ArrayList<>();
        @Test public void adds() { ITEMS.add(\"a\"); assertTrue(ITEMS.contains(\"a\")); }
        @Test public void isEmpty() { assertEquals(0, ITEMS.size()); } }";
    check(
        &[("CartTest.java", test)],
        &[
            "PLR501 adds CartTest#ITEMS <- isEmpty",
            "PLR502 isEmpty CartTest#ITEMS <- adds",
        ],
    );
    let cleared = test.replace(
        "@Test public void adds",
        "@Before public void clear() { ITEMS.clear(); } @Test public void adds",
    );
    check(&[("CartTest.java", &cleared)], &[]);
}

#[test]
fn a_value_that_only_another_test_sets_requires_an_order() {
    let test = "public class FlowTest { static String id;
        @Test public void creates() { id = Ids.make(); assertNotNull(id); }
        @Test public void deletes() { assertEquals(2, id.length()); } }";
    let ids = "public class Ids { static String make() { return \"ab\"; } }";
    check(
        &[("FlowTest.java", test), ("Ids.java", ids)],
        &["PLR507 deletes FlowTest#id <- creates"],
    );
    let set_up = test.replace(
        "static String id;",
        "static String id; @BeforeClass public static void make() { id = Ids.make(); }",
    );
    let only_reads = set_up.replace("id = Ids.make(); assertNotNull(id);", "assertNotNull(id);");
    check(&[("FlowTest.java", &only_reads), ("Ids.java", ids)], &[]);
}

#[test]
fn a_test_that_names_the_one_before_it_is_not_polluted_by_it() {
    let test = "public class FlowTest { static String id = \"\";
        @Test public void creates() { id = Ids.make(); assertNotNull(id); }
        @Test(dependsOnMethods = \"creates\") public void deletes() { assertEquals(2, id.length()); } }";
    let ids = "public class Ids { static String make() { return \"ab\"; } }";
    check(
        &[("FlowTest.java", test), ("Ids.java", ids)],
        &["PLR507 deletes FlowTest#id <- creates"],
    );
    let unnamed = test.replace("(dependsOnMethods = \"creates\")", "");
    check(
        &[("FlowTest.java", &unnamed), ("Ids.java", ids)],
        &[
            "PLR501 creates FlowTest#id <- deletes",
            "PLR502 deletes FlowTest#id <- creates",
        ],
    );
}

#[test]
fn the_content_of_a_singleton_is_shared() {
    let registry = "public class Registry { private static final Registry INSTANCE = new Registry();
        private final Map<String, String> entries = new HashMap<>(); private Registry() {}
        public static Registry getInstance() { return INSTANCE; }
        public void register(String name, String value) { entries.put(name, value); }
        public void clear() { entries.clear(); }
        public int count() { return entries.size(); } }";
    let test = "public class RegistryTest {
        @Test public void registers() { Registry.getInstance().register(\"a\", \"b\"); assertTrue(true); }
        @Test public void startsEmpty() { assertEquals(0, Registry.getInstance().count()); } }";
    check(
        &[("Registry.java", registry), ("RegistryTest.java", test)],
        &[
            "PLR501 registers Registry#INSTANCE.entries <- startsEmpty",
            "PLR502 startsEmpty Registry#INSTANCE.entries <- registers",
        ],
    );
    let cleared = test.replace(
        "public class RegistryTest {",
        "public class RegistryTest {
        @After public void clear() { Registry.getInstance().clear(); }",
    );
    check(&[("Registry.java", registry), ("RegistryTest.java", &cleared)], &[]);
}

#[test]
fn another_key_of_a_map_is_another_state() {
    let rates = "public class Rates { static final Map<String, Integer> RATES = new HashMap<>();
        static void put(String name, int rate) { RATES.put(name, rate); }
        static Integer get(String name) { return RATES.get(name); } }";
    let test = "public class RatesTest {
        @Test public void puts() { Rates.put(\"EUR\", 1); assertTrue(true); }
        @Test public void gets() { assertNull(Rates.get(\"EUR\")); } }";
    check(
        &[("Rates.java", rates), ("RatesTest.java", test)],
        &[
            "PLR501 puts Rates#RATES[EUR] <- gets",
            "PLR502 gets Rates#RATES[EUR] <- puts",
        ],
    );
    let other = test.replace("get(\"EUR\")", "get(\"USD\")");
    check(&[("Rates.java", rates), ("RatesTest.java", &other)], &[]);
    let unknown = test.replace("get(\"EUR\")", "get(name())");
    check(&[("Rates.java", rates), ("RatesTest.java", &unknown)], &[]);
}

#[test]
fn a_singleton_that_is_made_anew_is_not_shared() {
    let config = "public class Config { private static Config instance; private int limit = 1; private Config() {}
        public static Config get() { if (instance == null) { instance = new Config(); } return instance; }
        static void reset() { instance = null; }
        public void setLimit(int it) { limit = it; } public int limit() { return limit; } }";
    let test = "public class ConfigTest {
        @Test public void limits() { Config.get().setLimit(3); assertTrue(true); }
        @Test public void startsAtOne() { assertEquals(1, Config.get().limit()); } }";
    check(
        &[("Config.java", config), ("ConfigTest.java", test)],
        &[
            "PLR501 limits Config#instance.limit <- startsAtOne",
            "PLR502 startsAtOne Config#instance.limit <- limits",
        ],
    );
    let reset = test.replace(
        "public class ConfigTest {",
        "public class ConfigTest { @After public void reset() { Config.reset(); }",
    );
    check(&[("Config.java", config), ("ConfigTest.java", &reset)], &[]);
}

#[test]
fn a_file_that_called_code_writes_is_left() {
    let export = "import java.nio.file.*; public class Export {
        void write(Path file) { Files.writeString(file, \"x\"); } }";
    let test = "import java.nio.file.*; public class ExportTest {
        @Test public void exports() { new Export().write(Path.of(\"out.txt\")); assertTrue(true); }
        @Test public void startsWithout() { assertFalse(Files.exists(Path.of(\"out.txt\"))); } }";
    check(
        &[("Export.java", export), ("ExportTest.java", test)],
        &[
            "PLR502 startsWithout file:out.txt <- exports",
            "PLR505 exports file:out.txt <- startsWithout",
        ],
    );
}

#[test]
fn a_class_that_resets_before_each_test_leaves_what_its_tests_undo() {
    let registry = "public class Registry { private static Map<String, String> entries = new HashMap<>();
        private static final Registry INSTANCE = new Registry(); private Registry() { reset(); }
        public static Registry getInstance() { return INSTANCE; }
        public void register(String name, String value) { entries.put(name, value); }
        public void unregister(String value) {
          for (String name : entries.keySet()) { if (entries.get(name) == value) { entries.remove(name); break; } } }
        public void reset() { entries = new HashMap<>(); register(\"a\", \"A\"); }
        public int count() { return entries.size(); } }";
    let polluter = "public class RegistryTest { private final Registry registry = Registry.getInstance();
        @Before public void setUp() { registry.reset(); }
        @Test public void registers() { registry.register(\"a\", \"b\"); registry.unregister(\"b\");
          assertTrue(true); } }";
    let victim = "public class CountTest {
        @Test public void counts() { assertEquals(1, Registry.getInstance().count()); } }";
    check(
        &[
            ("Registry.java", registry),
            ("RegistryTest.java", polluter),
            ("CountTest.java", victim),
        ],
        &[
            "PLR501 registers Registry#entries <- counts",
            "PLR502 counts Registry#entries <- registers",
        ],
    );
    let trusting = polluter.replace("@Before public void setUp() { registry.reset(); }", "");
    check(
        &[
            ("Registry.java", registry),
            ("RegistryTest.java", &trusting),
            ("CountTest.java", victim),
        ],
        &[],
    );
}

#[test]
fn an_object_in_a_static_field_is_shared_with_its_fields() {
    let queue = "public class Queue { private List<String> items = new ArrayList<>();
        void accept(String it) { items.add(it); } List<String> flush() { return new ArrayList<>(items); } }";
    let test = "public class QueueTest { private static Queue queue = new Queue();
        @Test public void accepts() { queue.accept(\"a\"); assertTrue(true); }
        @Test public void flushes() { assertEquals(0, queue.flush().size()); } }";
    check(
        &[("Queue.java", queue), ("QueueTest.java", test)],
        &[
            "PLR501 accepts QueueTest#queue.items <- flushes",
            "PLR502 flushes QueueTest#queue.items <- accepts",
        ],
    );
    let fresh = test.replace("private static Queue", "private Queue");
    check(&[("Queue.java", queue), ("QueueTest.java", &fresh)], &[]);
}

#[test]
fn a_thread_local_context_is_shared() {
    let context = "public class Context {
        private static final ThreadLocal<Context> LOCAL = ThreadLocal.withInitial(Context::new);
        private final Map<String, String> attachments = new HashMap<>();
        public static Context getContext() { return LOCAL.get(); }
        public static void removeContext() { LOCAL.remove(); }
        public Context set(String key, String value) {
          if (value == null) { attachments.remove(key); } else { attachments.put(key, value); } return this; }
        public Map<String, String> getAttachments() { return attachments; } }";
    let test = "public class ContextTest {
        @Test public void sets() { Context.getContext().set(\"a\", \"b\"); assertTrue(true); }
        @Test public void isEmpty() { assertEquals(0, Context.getContext().getAttachments().size()); } }";
    check(
        &[("Context.java", context), ("ContextTest.java", test)],
        &[
            "PLR501 sets Context#LOCAL.attachments <- isEmpty",
            "PLR502 isEmpty Context#LOCAL.attachments <- sets",
        ],
    );
    let removed = test.replace(
        "public class ContextTest {",
        "public class ContextTest {
        @After public void remove() { Context.removeContext(); }",
    );
    check(&[("Context.java", context), ("ContextTest.java", &removed)], &[]);
}

#[test]
fn a_system_property_that_is_left_is_reported_and_has_victims() {
    let test = "public class ModeTest { static String mode() { return System.getProperty(\"shop.mode\", \"slow\"); }
        @Test public void fast() { System.setProperty(\"shop.mode\", \"fast\"); assertEquals(\"fast\", mode()); }
        @Test public void slow() { assertEquals(\"slow\", mode()); } }";
    check(
        &[("ModeTest.java", test)],
        &[
            "PLR502 slow property:shop.mode <- fast",
            "PLR503 fast leaves the system property `shop.mode` changed",
        ],
    );
    let cleared = test.replace(
        "public class ModeTest {",
        "public class ModeTest {
        @After public void clear() { System.clearProperty(\"shop.mode\"); }",
    );
    check(&[("ModeTest.java", &cleared)], &[]);
    let all = test.replace(
        "public class ModeTest {",
        "public class ModeTest { private Properties saved;
        @Before public void save() { saved = System.getProperties(); }
        @After public void clear() { System.setProperties(saved); }",
    );
    check(&[("ModeTest.java", &all)], &[]);
    let rule = test.replace(
        "public class ModeTest {",
        "public class ModeTest {
        @Rule public RestoreSystemProperties restore = new RestoreSystemProperties();",
    );
    check(&[("ModeTest.java", &rule)], &[]);
}

#[test]
fn a_default_locale_that_is_left_is_reported() {
    let test = "public class TextTest {
        @Test public void german() { Locale.setDefault(Locale.GERMAN); assertTrue(true); } }";
    check(
        &[("TextTest.java", test)],
        &["PLR504 german leaves the default Locale changed"],
    );
    let restored = "public class TextTest {
        @Test public void german() { Locale before = Locale.getDefault(); Locale.setDefault(Locale.GERMAN);
          try { assertTrue(true); } finally { Locale.setDefault(before); } } }";
    check(&[("TextTest.java", restored)], &[]);
}

#[test]
fn a_static_mock_must_be_closed() {
    let imports = "import org.mockito.Mockito; import org.mockito.MockedStatic;";
    let open = format!(
        "{imports} public class ClockTest {{
        @Test public void mocks() {{ MockedStatic<Clock> clock = Mockito.mockStatic(Clock.class);
          assertNotNull(clock); }} }}"
    );
    check(
        &[("ClockTest.java", &open)],
        &["PLR506 mocks leaves the static mock of `Clock` changed"],
    );
    let resource = format!(
        "{imports} public class ClockTest {{
        @Test public void mocks() {{ try (MockedStatic<Clock> clock = Mockito.mockStatic(Clock.class)) {{
          assertNotNull(clock); }} }} }}"
    );
    let closed = format!(
        "{imports} public class ClockTest {{ private MockedStatic<Clock> clock;
        @Before public void open() {{ clock = Mockito.mockStatic(Clock.class); }}
        @After public void close() {{ clock.close(); }}
        @Test public void mocks() {{ assertNotNull(clock); }} }}"
    );
    let returned = format!(
        "{imports} public class ClockTest {{
        MockedStatic<Clock> open() {{ MockedStatic<Clock> clock = Mockito.mockStatic(Clock.class); return clock; }}
        @Test public void mocks() {{ try (MockedStatic<Clock> clock = open()) {{ assertNotNull(clock); }} }} }}"
    );
    for test in [resource, closed, returned] {
        check(&[("ClockTest.java", &test)], &[]);
    }
}

#[test]
fn a_file_with_a_constant_name_that_another_test_reads_is_shared() {
    let test = "public class ReportTest {
        @Test public void writes() throws Exception {
          FileWriter out = new FileWriter(\"target/report.txt\"); out.close(); assertTrue(true); }
        @Test public void isMissing() { assertFalse(new File(\"target/report.txt\").exists()); } }";
    check(
        &[("ReportTest.java", test)],
        &[
            "PLR502 isMissing file:target/report.txt <- writes",
            "PLR505 writes file:target/report.txt <- isMissing",
        ],
    );
    let deleted = test.replace(
        "public class ReportTest {",
        "public class ReportTest {
        @After public void delete() { new File(\"target/report.txt\").delete(); }",
    );
    check(&[("ReportTest.java", &deleted)], &[]);
}

#[test]
fn beans_of_a_shared_container_keep_what_tests_store() {
    let test = "import org.springframework.boot.test.context.SpringBootTest;
        import org.springframework.beans.factory.annotation.Autowired;
        @SpringBootTest public class OrderTest { @Autowired private OrderRepository orders;
        @Test public void saves() { orders.save(new Object()); assertTrue(true); }
        @Test public void startsEmpty() { assertEquals(0, orders.findAll().size()); } }";
    check(
        &[("OrderTest.java", test)],
        &[
            "PLR502 startsEmpty store:Order <- saves",
            "PLR508 saves store:Order <- startsEmpty",
        ],
    );
    let rolled_back = test.replace("@SpringBootTest", "@SpringBootTest @Transactional");
    let deleted = test.replace(
        "@Test public void saves",
        "@After public void clear() { orders.deleteAll(); } @Test public void saves",
    );
    let plain = test.replace("@SpringBootTest public", "public");
    for stable in [rolled_back, deleted, plain] {
        check(&[("OrderTest.java", &stable)], &[]);
    }
}

#[test]
fn disabled_tests_are_silent() {
    let test = "public class ParserTest {
        @Ignore @Test public void strict() { Parser.strict = true; assertEquals(1, Parser.parse(\"a\")); }
        @Test public void parses() { assertEquals(2, Parser.parse(\"a\")); } }";
    check(&[PARSER, ("ParserTest.java", test)], &[]);
}

#[test]
fn the_access_of_a_test_survives_storage() {
    let test = "public class ParserTest {
        @Test public void strict() { Parser.strict = true; assertEquals(1, Parser.parse(\"a\")); } }";
    let (tests, _) = scan(&[PARSER, ("ParserTest.java", test)]);
    let stored = serde_json::to_string(&tests[0].1).expect("plain data");
    let read: StateAccess = serde_json::from_str(&stored).expect("plain data");
    assert_eq!(read, tests[0].1);
    assert_eq!(read.left[0].state, "Parser#strict");
    assert_eq!(read.left[0].site.text, "Parser.strict = true");
}

/// The text of the assertion or read that a polluter is shown with.
fn shown(members: &str) -> String {
    let text = format!("{IMPORTS}public class SampleTest {{ {members} }}");
    let repository = Repository::from_sources(vec![("src/test/java/SampleTest.java".to_owned(), text.into_bytes())]);
    let tests = accesses(&repository);
    let states: Vec<_> = tests.iter().map(|(name, state)| (name.clone(), state)).collect();
    let findings = pair_states(&states).into_iter().filter(|it| !it.is_victim());
    let oracles: Vec<String> = findings.filter_map(|it| it.flow.oracle).map(|it| it.text).collect();
    oracles.join(" | ")
}

#[test]
fn a_polluter_is_shown_with_an_assertion_that_it_fails() {
    let tests = |write: &str, read: &str| {
        shown(&format!(
            "static Counter counter = new Counter(); static class Counter {{ int count; String name; }} \
             static int total = 0; @Test public void one() {{ {write} }} @Test public void two() {{ {read} }}"
        ))
    };
    assert_eq!(tests("total = 5;", "assertEquals(0, total);"), "assertEquals(0, total)");
    // The reader expects what the other test sets.
    assert_eq!(tests("total = 5;", "assertEquals(5, total);"), "total");
    // The write is expected to throw.
    let refused = "assertThrows(IllegalStateException.class, () -> total = 5);";
    assert_eq!(tests(refused, "assertEquals(0, total);"), "total");
    // The read is expected to throw.
    let throws = "assertThrows(IllegalStateException.class, () -> use(total));";
    assert!(!tests("total = 5;", throws).contains("assert"));
    // The reader asserts another part of the state.
    let name = "assertNull(counter.name);";
    assert_eq!(tests("counter.name = label();", name), "assertNull(counter.name)");
    assert!(!tests("counter.count = label();", name).contains("assert"));
    // The reader sets a part of the state itself.
    let set = "counter.count = 0; run(); assertEquals(1, counter.count);";
    assert!(!tests(set, set).contains("assert"));
}

#[test]
fn a_static_mock_that_is_closed_if_it_is_there_is_closed() {
    let test = |teardown: &str| {
        format!(
            "import org.mockito.*; public class ClockTest {{ static MockedStatic<Clock> clock; \
             @BeforeClass public static void open() {{ clock = Mockito.mockStatic(Clock.class); }} \
             @AfterClass public static void close() {{ {teardown} }} @Test public void test() {{ assertTrue(true); }} }}"
        )
    };
    check(
        &[("ClockTest.java", &test(""))],
        &["PLR506 test leaves the static mock of `Clock` changed"],
    );
    check(
        &[("ClockTest.java", &test("if (clock != null) { clock.close(); }"))],
        &[],
    );
}

#[test]
fn a_text_that_is_replaced_in_another_text_is_no_write() {
    let server = "public class Server { String type; String body; }";
    let found = |call: &str| {
        let test = format!(
            "public class ServerTest {{ static final Server SERVER = new Server();
             @Test public void asks() {{ {call}; assertTrue(true); }}
             @Test public void answers() {{ assertEquals(\"a\", SERVER.body); }} }}"
        );
        scan(&[("Server.java", server), ("ServerTest.java", &test)]).1
    };
    assert_eq!(
        found("SERVER.type.replaceAll(it -> it)"),
        [
            "PLR501 asks ServerTest#SERVER <- answers",
            "PLR502 answers ServerTest#SERVER <- asks"
        ]
    );
    assert_eq!(found("SERVER.type.replace(\";char\", \"; char\")"), [""; 0]);
}

#[test]
fn a_test_that_depends_on_another_does_not_run_before_it() {
    let found = |depends: &str| {
        let test = format!(
            "public class DoorTest {{ static boolean open = false;
             @Test public void isShut() {{ assertFalse(open); }}
             @Test{depends} public void opens() {{ open = true; assertTrue(open); }} }}"
        );
        scan(&[("DoorTest.java", &test)]).1
    };
    assert_eq!(
        found(""),
        [
            "PLR501 opens DoorTest#open <- isShut",
            "PLR502 isShut DoorTest#open <- opens"
        ]
    );
    assert_eq!(found("(dependsOnMethods = \"isShut\")"), [""; 0]);
}

#[test]
fn a_left_state_is_sure_in_a_static_field_of_the_test_class() {
    let left = |test: &str| {
        let (tests, _) = scan(&[PARSER, ("ATest.java", &format!("public class ATest {{ {test} }}"))]);
        let states: Vec<_> = tests.iter().map(|(case, state)| (case.name.clone(), state)).collect();
        let findings = pair_states(&states).into_iter().map(|it| it.flow);
        let left = findings.filter(|it| it.rule.id() == "PLR501");
        left.map(|it| it.is_sure).collect::<Vec<_>>()
    };
    let own = "static List<String> names = new ArrayList<>(); @Test public void adds() { names.add(\"ann\"); }
        @Test public void isEmpty() { assertTrue(names.isEmpty()); }";
    assert_eq!(left(own), [true]);
    assert_eq!(
        left(&format!(
            "{own} @AfterClass public static void clear() {{ names.clear(); }}"
        )),
        [false],
        "something resets it"
    );
    assert_eq!(
        left(
            "@Test public void sets() { Parser.setStrict(true); }
             @Test public void parses() { assertFalse(Parser.strict); }"
        ),
        [false],
        "a field of another class"
    );
}
