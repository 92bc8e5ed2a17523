//! Causes that are found for a test: their kinds and lines.

use insta::assert_snapshot;
use peeler_analysis::{Analysis, Cause, CauseCatalogue, CauseFinder, CauseKind, ExtraCause, Limits, Repository};

/// The causes of the only test of some files, with all of its paths considered.
fn causes_by(catalogue: &CauseCatalogue, files: &[(&str, &str)]) -> Vec<Cause> {
    let sources = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    let repository = Repository::from_sources(sources.collect());
    let analysis = Analysis::new(&repository);
    let mut found = Vec::new();
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| {
            let paths: Vec<usize> = (0..traced.path_count()).collect();
            CauseFinder::new(&analysis, catalogue).causes(&traced, &paths)
        },
        |causes| found.push(causes.list),
    );
    assert_eq!(found.len(), 1, "one test");
    found.remove(0)
}

fn causes_of_files(files: &[(&str, &str)]) -> Vec<Cause> {
    causes_by(CauseCatalogue::shipped(), files)
}

/// A JUnit 4 class around members; the first line of the members is line 1.
fn class(members: &str) -> String {
    format!(
        "package t; import static org.junit.Assert.*; import java.io.*; import java.net.*; import java.nio.file.*; \
         import java.text.*; import java.time.*; import java.util.*; import java.util.concurrent.*; \
         import java.util.stream.*; import org.junit.*; public class SampleTest {{ {members}\n}}"
    )
}

/// Kind, line and text of the causes of a test with this body, which begins in line 1.
fn causes(body: &str) -> String {
    let test = class(&format!("@Test public void test() throws Exception {{ {body}\n }}"));
    drawn(&causes_of_files(&[("SampleTest.java", &test)]))
}

fn causes_of_class(members: &str) -> String {
    drawn(&causes_of_files(&[("SampleTest.java", &class(members))]))
}

fn drawn(causes: &[Cause]) -> String {
    let lines: Vec<String> = causes
        .iter()
        .map(|it| format!("{} {}: {} | {}", it.kind().id(), it.line, it.description, it.text))
        .collect();
    lines.join("\n")
}

#[test]
fn a_hash_map_that_becomes_text_is_a_cause_at_its_line() {
    assert_snapshot!(causes(
        r#"Map<String, Integer> counts = new HashMap<>();
        counts.put("a", 1);
        assertEquals("{a=1, b=2}", counts.toString());"#
    ), @"unordered-collection 3: turns a HashMap into text, in no defined order | counts.toString()");
}

#[test]
fn a_loop_over_a_hash_set_that_builds_a_sequence_is_a_cause() {
    assert_snapshot!(causes(
        r#"Set<String> names = new HashSet<>(Arrays.asList("a", "b"));
        StringBuilder out = new StringBuilder();
        for (String name : names) { out.append(name).append(","); }
        assertEquals("a,b,", out.toString());"#
    ), @"unordered-collection 3: iterates a HashSet, which has no defined order | names");
}

#[test]
fn key_sets_values_and_wrappers_have_the_order_of_their_map() {
    assert_snapshot!(causes(
        r#"Map<String, String> map = Collections.unmodifiableMap(new HashMap<>());
        List<String> values = new ArrayList<>(map.values());
        assertEquals(Arrays.asList("a", "b"), values);"#
    ), @"unordered-collection 2: copies a HashMap into a sequence, in no defined order | new ArrayList<>(map.values())");
}

#[test]
fn a_set_that_a_stream_collects_has_no_order() {
    assert_snapshot!(causes(
        r#"Set<String> set = Stream.of("a", "b").collect(Collectors.toSet());
        String joined = String.join(",", set);
        assertEquals("a,b", joined);"#
    ), @r#"unordered-collection 2: turns a set made by Collectors.toSet into text, in no defined order | String.join(",", set)"#);
}

#[test]
fn a_hash_map_that_is_only_filled_and_asked_is_none() {
    assert_snapshot!(causes(
        r#"Map<String, String> map = new HashMap<>();
        map.put("a", "b");
        assertEquals("one, two", map.get("a"));
        assertTrue(map.keySet().contains("a"));
        assertEquals(new HashSet<>(Arrays.asList("a")), map.keySet());"#
    ), @"");
}

#[test]
fn linked_and_sorted_collections_are_none() {
    assert_snapshot!(causes(
        r#"Map<String, String> linked = new LinkedHashMap<>();
        Map<String, String> sorted = new TreeMap<>(new HashMap<>());
        HashMap<String, String> typed = new LinkedHashMap<>();
        assertEquals("{a=1, b=2}", linked.toString() + sorted.toString() + typed.toString());
        for (String key : linked.keySet()) { assertEquals("a, b", key + sorted.keySet().iterator().next()); }"#
    ), @"");
}

#[test]
fn order_that_is_settled_again_is_none() {
    assert_snapshot!(causes(
        r#"Set<String> names = new HashSet<>();
        assertEquals("a, b", names.stream().sorted().collect(Collectors.joining(", ")));
        assertEquals(Arrays.asList("a", "b"), new ArrayList<>(new TreeSet<>(names)));"#
    ), @"");
}

#[test]
fn a_loop_that_only_asserts_or_fills_a_map_is_none() {
    assert_snapshot!(causes(
        r#"Map<String, String> map = new HashMap<>();
        Map<String, String> other = new HashMap<>();
        for (Map.Entry<String, String> entry : map.entrySet()) { other.put(entry.getKey(), entry.getValue()); }
        for (String key : map.keySet()) { assertEquals("a, b", map.get(key)); }"#
    ), @"");
}

#[test]
fn order_that_no_assertion_would_notice_is_none() {
    assert_snapshot!(causes(
        r#"Set<String> names = new HashSet<>();
        Object[] all = names.toArray();
        assertEquals(2, all.length);
        assertNotNull(names.toString());"#
    ), @"");
}

#[test]
fn order_that_only_a_mock_or_nobody_judges_is_none() {
    assert_snapshot!(causes(
        r#"Set<String> names = new HashSet<>();
        List<String> log = org.mockito.Mockito.mock(List.class);
        log.addAll(new ArrayList<>(names));
        org.mockito.Mockito.verify(log).addAll(new ArrayList<>(names));"#
    ), @"");
    assert_snapshot!(causes("Object[] all = new HashSet<String>().toArray(); System.out.println(all);"), @"");
}

#[test]
fn a_serialiser_writes_in_its_own_order() {
    let test = r#"package t;
        import com.google.gson.Gson;
        import org.junit.*;
        public class JsonTest {
            @Test public void test() {
                String json = new Gson().toJson(new Object());
                Assert.assertEquals("{\"a\":1,\"b\":2}", json);
            }
        }"#;
    assert_snapshot!(drawn(&causes_of_files(&[("JsonTest.java", test)])), @"unordered-collection 6: serialises with Gson, in the order of fields and maps | new Gson().toJson(new Object())");
}

#[test]
fn json_that_is_only_input_is_none() {
    let test = r#"package t;
        import com.google.gson.Gson;
        import org.junit.*;
        public class JsonTest {
            @Test public void test() {
                Gson gson = new Gson();
                Object back = gson.fromJson(gson.toJson(new Object()), Object.class);
                Assert.assertEquals("a, b", back);
            }
        }"#;
    assert_snapshot!(drawn(&causes_of_files(&[("JsonTest.java", test)])), @"");
}

#[test]
fn the_members_of_a_class_come_in_no_order() {
    assert_snapshot!(causes(
        r#"Object fields = String.class.getDeclaredFields();
        assertEquals(Arrays.asList("a", "b"), fields);"#
    ), @"reflection-order 1: asks for the members of a class, which come in no defined order | String.class.getDeclaredFields()");
}

#[test]
fn counting_members_is_none() {
    assert_snapshot!(causes(r#"assertEquals("a, b", "" + String.class.getDeclaredFields().length);"#), @"");
}

#[test]
fn the_clock_is_read_in_many_ways() {
    assert_snapshot!(causes(
        r#"long start = System.currentTimeMillis();
        Date date = new Date();
        LocalDate today = LocalDate.now();
        ZonedDateTime there = ZonedDateTime.now(ZoneId.of("UTC"));
        assertTrue(start < date.getTime());
        assertEquals(today, there.toLocalDate());"#
    ), @r#"
    clock 1: reads the clock | System.currentTimeMillis()
    clock 3: reads the clock | LocalDate.now()
    clock 2: reads the clock | new Date()
    clock 4: reads the clock | ZonedDateTime.now(ZoneId.of("UTC"))
    "#);
}

#[test]
fn a_clock_that_is_passed_in_and_a_fixed_date_are_none() {
    assert_snapshot!(causes(
        r#"Clock clock = Clock.fixed(Instant.ofEpochMilli(5), ZoneId.of("UTC"));
        assertEquals(Instant.now(clock), new Date(5).toInstant());
        assertEquals(LocalDate.now(clock), LocalDate.of(2020, 1, 1));"#
    ), @"");
}

#[test]
fn default_zones_and_locales_are_causes() {
    assert_snapshot!(causes(
        r#"TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        String day = new SimpleDateFormat("yyyy-MM-dd").format(new Date(0));
        assertEquals("1970-01-01", day + Locale.getDefault());"#
    ), @r#"
    time-zone-locale 1: changes the default time zone or locale of the whole JVM | TimeZone.setDefault(TimeZone.getTimeZone("UTC"))
    time-zone-locale 2: formats dates in the default time zone | new SimpleDateFormat("yyyy-MM-dd")
    time-zone-locale 3: depends on the default time zone or locale | Locale.getDefault()
    "#);
}

#[test]
fn a_format_with_its_own_zone_is_none() {
    assert_snapshot!(causes(
        r#"SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd");
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        assertEquals("1970-01-01", format.format(new Date(0)));"#
    ), @"");
}

#[test]
fn random_values_without_a_seed_are_causes() {
    assert_snapshot!(causes(
        r#"int one = new Random().nextInt();
        double two = Math.random();
        String three = UUID.randomUUID().toString();
        assertTrue(one + two > three.length());"#
    ), @"
    randomness 1: draws random numbers without a seed | new Random()
    randomness 2: draws a random number without a seed | Math.random()
    randomness 3: makes a random identifier | UUID.randomUUID()
    ");
}

#[test]
fn a_seeded_random_is_none() {
    assert_snapshot!(causes("assertEquals(3, new Random(42).nextInt());"), @"");
}

#[test]
fn a_class_of_the_repository_with_a_known_name_is_none() {
    let random = "package t; public class Random { public int nextInt() { return 4; } }";
    let thread = "package t; public class Thread { public static void sleep(long millis) { } }";
    let test = "package t; import static org.junit.Assert.*; import org.junit.*; public class SampleTest {
        @Test public void test() { Thread.sleep(5); assertEquals(4, new Random().nextInt()); } }";
    let files = [
        ("SampleTest.java", test),
        ("Random.java", random),
        ("Thread.java", thread),
    ];
    assert_snapshot!(drawn(&causes_of_files(&files)), @"");
}

#[test]
fn a_class_of_an_unknown_package_is_not_taken_for_a_known_one() {
    let test = "package t; import static org.junit.Assert.*; import org.junit.*; public class SampleTest {
        @Test public void test() { Server server = new Server(1); server.start(); assertEquals(4, server.port()); } }";
    assert_snapshot!(drawn(&causes_of_files(&[("SampleTest.java", test)])), @"");
    let imported = test.replace(
        "import org.junit.*;",
        "import org.junit.*; import org.eclipse.jetty.server.*;",
    );
    assert_snapshot!(drawn(&causes_of_files(&[("SampleTest.java", &imported)])), @"network 2: starts a server | server.start()");
}

#[test]
fn sleeps_and_limits_of_time_are_causes() {
    assert_snapshot!(causes(
        r#"CountDownLatch latch = new CountDownLatch(1);
        Thread.sleep(100);
        TimeUnit.SECONDS.sleep(1);
        assertTrue(latch.await(1, TimeUnit.SECONDS));"#
    ), @"
    sleep-timeout 4: waits with a time limit | latch.await(1, TimeUnit.SECONDS)
    sleep-timeout 2: sleeps for a fixed time | Thread.sleep(100)
    sleep-timeout 3: sleeps for a fixed time | TimeUnit.SECONDS.sleep(1)
    ");
}

#[test]
fn a_limit_in_the_annotation_is_a_cause_at_the_annotation() {
    let causes = causes_of_files(&[(
        "SampleTest.java",
        &class("\n@Test(timeout = 500)\npublic void test() { assertTrue(true); }"),
    )]);
    assert_snapshot!(drawn(&causes), @"sleep-timeout 2: fails when it takes longer than a time limit | @Test(timeout = 500)");
    assert_eq!(causes[0].call, "@Test");
}

#[test]
fn waiting_without_a_limit_and_a_method_of_ones_own_called_sleep_are_none() {
    assert_snapshot!(causes_of_class(
        "void sleep(long millis) { }
        @Test public void test() throws Exception { sleep(100); new CountDownLatch(0).await(); assertTrue(true); }"
    ), @"");
}

#[test]
fn threads_pools_and_parallel_streams_are_causes() {
    assert_snapshot!(causes(
        r#"ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<Integer> result = pool.submit(() -> 1);
        new Thread(() -> { }).start();
        CompletableFuture<Integer> later = CompletableFuture.supplyAsync(() -> 2);
        assertEquals(3, result.get() + later.join() + Arrays.asList(1).parallelStream().count());"#
    ), @"
    concurrency 1: makes a pool of threads | Executors.newFixedThreadPool(2)
    concurrency 2: hands work to other threads | pool.submit(() -> 1)
    concurrency 3: starts a thread | new Thread(() -> { }).start()
    concurrency 4: hands work to other threads | CompletableFuture.supplyAsync(() -> 2)
    concurrency 5: works on a stream in parallel | Arrays.asList(1).parallelStream()
    ");
}

#[test]
fn ports_and_connections_are_causes_and_addresses_in_text_are_none() {
    assert_snapshot!(causes(
        r#"ServerSocket server = new ServerSocket(0);
        InputStream in = new URL("http://example.org").openStream();
        String path = new URL("http://example.org/a").getPath();
        assertEquals(path, server.getLocalPort() + in.read());"#
    ), @r#"
    network 1: opens a port | new ServerSocket(0)
    network 2: opens a connection | new URL("http://example.org").openStream()
    "#);
}

#[test]
fn listing_a_directory_is_a_cause_and_counting_it_is_none() {
    assert_snapshot!(causes(
        r#"File[] files = new File("out").listFiles();
        assertEquals("a", files[0].getName());
        assertEquals(2, new File("in").list().length);"#
    ), @r#"files 1: lists a directory, which comes in no defined order | new File("out").listFiles()"#);
}

#[test]
fn properties_of_the_system_are_causes_unless_they_are_the_same_everywhere() {
    assert_snapshot!(causes(
        r#"String end = System.getProperty("line.separator");
        String home = System.getenv("HOME");
        System.setProperty("mode", "test");
        assertEquals(end, home);"#
    ), @r#"
    environment 2: reads an environment variable | System.getenv("HOME")
    environment 3: changes a property of the whole JVM | System.setProperty("mode", "test")
    "#);
}

#[test]
fn properties_and_zones_that_the_teardown_puts_back_are_none() {
    assert_snapshot!(causes_of_class(
        r#"@Before public void setUp() { System.setProperty("mode", "a"); TimeZone.setDefault(null); }
        @After public void tearDown() { System.clearProperty("mode"); TimeZone.setDefault(null); }
        @Test public void test() { assertTrue(new Object() != null); }"#
    ), @"");
}

#[test]
fn bookkeeping_of_the_code_under_test_comes_after_the_threads_of_the_setup() {
    let cart = r#"package shop; public class Cart { private long made = System.nanoTime();
        public String print() { return "a, b"; } }"#;
    let test = CART_TEST.replace(
        "@Test",
        "@Before public void start() { new Thread(() -> { }).start(); }\n@Test",
    );
    let causes = causes_of_files(&[("CartTest.java", &test), ("Cart.java", cart)]);
    assert_snapshot!(drawn(&causes), @"
    concurrency 5: starts a thread | new Thread(() -> { }).start()
    clock 1: reads the clock | System.nanoTime()
    ");
}

#[test]
fn static_state_that_a_test_changes_is_a_cause() {
    let registry =
        "package t; public class Registry { static boolean strict; private static Registry it = new Registry();
        public static Registry getInstance() { return it; } public static void setMode(String mode) { }
        public void register(String name) { } public void registerAll(String name) { } }";
    let test = class(
        "static List<String> seen = new ArrayList<>(); static int count;
        @Test public void test() {
            Registry.strict = true;
            Registry.setMode(\"a\");
            Registry.getInstance().registerAll(\"b\");
            seen.add(\"c\");
            count++;
            assertEquals(1, seen.size());
        }",
    );
    let files = [("SampleTest.java", test.as_str()), ("Registry.java", registry)];
    assert_snapshot!(drawn(&causes_of_files(&files)), @r#"
    static-state 6: changes the static field SampleTest#seen | seen.add("c")
    static-state 4: changes the static state of Registry | Registry.setMode("a")
    static-state 5: changes the static state of Registry | Registry.getInstance().registerAll("b")
    static-state 3: assigns the static field Registry#strict | Registry.strict = true
    static-state 7: assigns the static field SampleTest#count | count++
    "#);
}

#[test]
fn fields_of_the_instance_and_statics_that_are_put_back_are_none() {
    assert_snapshot!(causes_of_class(
        "static int count; int own;
        @Before public void setUp() { count = 0; }
        @Test public void test() { count++; own = 3; int local = 0; local = 4; assertEquals(1, count); }"
    ), @"");
}

const CART: &str = "package shop;
import java.util.*;
public class Cart {
    private final Map<String, Integer> items;
    public Cart() { this.items = new HashMap<>(); }
    public String print() { return new Printer().line(names()); }
    Map<String, Integer> names() { return items; }
}";

const CART_TEST: &str = r#"package shop;
import static org.junit.Assert.*;
import org.junit.*;
public class CartTest {
    @Test public void prints() { assertEquals("a, b", printed()); }
    private String printed() { return new Cart().print(); }
}"#;

#[test]
fn a_cause_two_calls_down_has_its_own_line_file_and_way() {
    let cart = CART.replace(
        "return new Printer().line(names());",
        "return new Printer().line(names().keySet());",
    );
    let printer = "package shop;
        import java.util.*;
        class Printer {
            String line(Set<String> names) {
                long now = System.nanoTime();
                return names + \"\" + now;
            }
        }";
    let files = [
        ("CartTest.java", CART_TEST),
        ("Cart.java", &cart),
        ("Printer.java", printer),
    ];
    let causes = causes_of_files(&files);
    assert_snapshot!(drawn(&causes), @"clock 5: reads the clock | System.nanoTime()");
    assert_eq!(causes[0].file, "Printer.java");
    assert_eq!(causes[0].depth, 2);
    assert_eq!(causes[0].via, ["Cart#print", "Printer#line"]);
    assert_eq!(causes[0].call, "System#nanoTime");
}

#[test]
fn a_field_made_by_the_constructor_and_returned_by_a_method_keeps_its_lack_of_order() {
    let cart = CART.replace("new Printer().line(names())", "String.join(\", \", names().keySet())");
    let causes = causes_of_files(&[("CartTest.java", CART_TEST), ("Cart.java", &cart)]);
    assert_snapshot!(drawn(&causes), @r#"unordered-collection 6: turns a HashMap into text, in no defined order | String.join(", ", names().keySet())"#);
    assert_eq!(causes[0].depth, 1);
    assert_eq!(causes[0].via, ["Cart#print"]);
}

#[test]
fn code_further_away_than_two_more_calls_is_not_looked_at() {
    let chain = "package shop; public class Cart { public String print() { return new B().b(); } }
        class B { String b() { return new C().c(); } }
        class C { String c() { return new D().d(); } }
        class D { String d() { return \"\" + System.nanoTime(); } }";
    assert_snapshot!(drawn(&causes_of_files(&[("CartTest.java", CART_TEST), ("Cart.java", chain)])), @"");
}

#[test]
fn the_setup_of_a_superclass_is_part_of_the_test() {
    let base = "package shop;
        import org.junit.*;
        public abstract class ServerTest {
            @Before public void start() throws Exception { new java.net.ServerSocket(8080); }
        }";
    let test = "package shop;
        import org.junit.*;
        public class CartTest extends ServerTest {
            @Test public void waits() throws Exception { Thread.sleep(5); Assert.assertTrue(true); }
        }";
    let causes = causes_of_files(&[("ServerTest.java", base), ("CartTest.java", test)]);
    assert_snapshot!(drawn(&causes), @"
    network 4: opens a port | new java.net.ServerSocket(8080)
    sleep-timeout 4: sleeps for a fixed time | Thread.sleep(5)
    ");
    assert_eq!(causes[0].file, "ServerTest.java");
    assert_eq!(causes[0].depth, 0);
    assert_eq!(causes[0].via, ["ServerTest#start"]);
}

#[test]
fn what_lies_on_the_strongest_path_comes_first() {
    let test = class(
        "@Test public void test() {
            long first = System.nanoTime();
            double second = Math.random();
            assertTrue(first > 0);
            assertTrue(second > 1);
        }",
    );
    let sources = vec![("SampleTest.java".to_owned(), test.into_bytes())];
    let repository = Repository::from_sources(sources);
    let analysis = Analysis::new(&repository);
    let finder = CauseFinder::new(&analysis, CauseCatalogue::shipped());
    let kinds = |choose: fn(usize) -> Vec<usize>| {
        let mut kinds = Vec::new();
        analysis.extract(
            Limits::default(),
            |_| true,
            |it| finder.causes(&it, &choose(it.path_count())),
            |causes| kinds.extend(causes.list.iter().map(Cause::kind)),
        );
        kinds
    };
    let forward = kinds(|paths| (0..paths).collect());
    let backward = kinds(|paths| (0..paths).rev().collect());
    assert_eq!(forward, [CauseKind::Clock, CauseKind::Randomness]);
    assert_eq!(backward, [CauseKind::Randomness, CauseKind::Clock]);
    assert_eq!(kinds(|paths| vec![paths + 7]).len(), 2, "unknown paths are no paths");
}

#[test]
fn a_test_that_touches_nothing_known_has_no_causes() {
    assert_snapshot!(causes("int sum = 1 + 2; assertEquals(3, sum);"), @"");
}

#[test]
fn entries_of_ones_own_are_found_in_the_repository_too() {
    let extra = ExtraCause {
        kind: CauseKind::Network,
        owner: "t.Gateway".into(),
        method: "call*".into(),
        what: Some("asks the payment gateway".into()),
    };
    let catalogue = CauseCatalogue::with_extra(&[extra]);
    let gateway = "package t; public class Gateway { public int callOnce() { return 1; } }";
    let test = class("@Test public void test() { assertEquals(1, new Gateway().callOnce()); }");
    let files = [("SampleTest.java", test.as_str()), ("Gateway.java", gateway)];
    assert_snapshot!(drawn(&causes_by(&catalogue, &files)), @"network 1: asks the payment gateway | new Gateway().callOnce()");
    assert_snapshot!(drawn(&causes_of_files(&files)), @"");
}

#[test]
fn kinds_have_stable_ids_and_something_to_say() {
    let ids: Vec<&str> = CauseKind::all().iter().map(|it| it.id()).collect();
    assert_eq!(
        ids,
        [
            "unordered-collection",
            "reflection-order",
            "clock",
            "time-zone-locale",
            "randomness",
            "sleep-timeout",
            "concurrency",
            "network",
            "files",
            "environment",
            "static-state"
        ]
    );
    for kind in CauseKind::all() {
        assert!(kind.advice().ends_with('.') && !kind.title().ends_with('.'));
    }
}

#[test]
fn bodies_beyond_the_limit_are_counted() {
    let dropped = |methods: usize| {
        let calls = (0..methods)
            .map(|at| format!("m{at}();\n"))
            .collect::<Vec<_>>()
            .concat();
        let bodies = (0..methods)
            .map(|at| format!("void m{at}() {{ new Object(); }}\n"))
            .collect::<Vec<_>>()
            .concat();
        let pump = format!("package t; public class Pump {{ int run() {{ {calls} return 1; }} {bodies} }}");
        let test = class("@Test public void test() { assertEquals(1, new Pump().run()); }");
        let sources = [("SampleTest.java", test), ("Pump.java", pump)];
        let sources = sources.map(|(path, text)| (path.to_owned(), text.into_bytes()));
        let repository = Repository::from_sources(sources.to_vec());
        let analysis = Analysis::new(&repository);
        let finder = CauseFinder::new(&analysis, CauseCatalogue::shipped());
        let mut dropped = Vec::new();
        analysis.extract(
            Limits::default(),
            |_| true,
            |it| {
                (
                    finder.kinds(&it).dropped_bodies,
                    finder.causes(&it, &[0]).dropped_bodies,
                )
            },
            |it| dropped.push(it),
        );
        dropped
    };
    assert_eq!(dropped(399), [(0, 0)]);
    assert_eq!(dropped(402), [(3, 3)]);
}

#[test]
fn a_catalogue_with_extra_entries_is_shared_by_its_clones() {
    let extra = ExtraCause {
        kind: CauseKind::Network,
        owner: "Broker".into(),
        method: "poll".into(),
        what: Some("polls the broker".into()),
    };
    let catalogue = CauseCatalogue::with_extra(&[extra]);
    let test = class("@Test public void test() { assertEquals(1, new Broker().poll()); }");
    let broker = "package t; public class Broker { public int poll() { return 1; } }";
    let files = [("SampleTest.java", test.as_str()), ("Broker.java", broker)];
    let expected = drawn(&causes_by(&catalogue, &files));
    assert_snapshot!(expected, @"network 1: polls the broker | new Broker().poll()");
    assert_eq!(drawn(&causes_by(&catalogue.clone(), &files)), expected);
}
