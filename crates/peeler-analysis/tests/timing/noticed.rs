//! Which sleeps and limits an assertion notices.

use crate::unsettled::unsettled_flows;
use crate::{class, rules_of_class, timing_flows, twins};

/// Whether the sleep of a test is noticed by its assertion, because something is seen to go on beside the sleep.
fn is_sleep_noticed(members: &str) -> bool {
    let text = class(members);
    let sleeps = unsettled_flows(&[("src/test/java/A.java", &text)])
        .into_iter()
        .filter(|it| it.rule.id() == "PLR201");
    let oracles: Vec<_> = sleeps.map(|it| it.oracle).collect();
    assert_eq!(oracles.len(), 1, "{members}");
    oracles[0].is_some()
}

#[test]
fn a_sleep_is_noticed_if_something_goes_on_beside_it() {
    let test = |body: &str| {
        format!(
            "Cart cart = new Cart(); ExecutorService pool = Executors.newCachedThreadPool(); \
             @Test public void test() throws Exception {{ {body} assertTrue(cart.isFull()); }}"
        )
    };
    for beside in [
        "new Thread(() -> cart.fill()).start(); Thread.sleep(100);",
        "pool.submit(() -> cart.fill()); Thread.sleep(100);",
        "queue.publish(cart); Thread.sleep(100);",
        "java.net.ServerSocket socket = open(); socket.accept(); Thread.sleep(100);",
        "fillLater(); Thread.sleep(100); } void fillLater() { pool.execute(() -> cart.fill()); } void check() {",
    ] {
        // The last one has its assertion in another method, which the test calls.
        let body = beside.replace("} void fillLater", "check(); } void fillLater");
        assert!(is_sleep_noticed(&test(&body)), "{beside}");
    }
    for alone in [
        "cart.fill(); Thread.sleep(100);",
        "Thread.sleep(100); pool.submit(() -> cart.fill());",
        "new java.net.ServerSocket(0); Thread.sleep(100);",
        "java.net.ServerSocket socket = open(); socket.getInetAddress(); Thread.sleep(100);",
        "Thread thread = new Thread(() -> cart.fill()); thread.start(); thread.join(); Thread.sleep(100);",
    ] {
        assert!(!is_sleep_noticed(&test(alone)), "{alone}");
    }
}

#[test]
fn a_limit_of_zero_only_asks() {
    twins(
        "PLR203",
        "CountDownLatch latch = new CountDownLatch(1);\n assertTrue(latch.await(1, TimeUnit.SECONDS));",
        "CountDownLatch latch = new CountDownLatch(1);\n assertTrue(latch.await(0, TimeUnit.SECONDS));",
    );
}

#[test]
fn a_complete_future_needs_no_time() {
    twins(
        "PLR203",
        "Future<Integer> it = pool.submit(() -> 1);\n it.get(1, TimeUnit.SECONDS);",
        "Future<Integer> it = CompletableFuture.completedFuture(1);\n it.get(1, TimeUnit.SECONDS);",
    );
    for before in ["it.complete(1)", "it.get()", "it.join()"] {
        twins(
            "PLR203",
            &format!("{before}; CompletableFuture<Integer> it = made();\n it.get(1, TimeUnit.SECONDS);"),
            &format!("CompletableFuture<Integer> it = made(); {before};\n it.get(1, TimeUnit.SECONDS);"),
        );
    }
}

#[test]
fn a_test_that_only_computes_needs_less_time() {
    let test = |annotation: &str| rules_of_class(&format!("\n{annotation} public void test() {{ assertTrue(true); }}"));
    assert_eq!(test("@Test(timeout = 100)"), ["PLR203@2"]);
    assert_eq!(test("@Test(timeout = 2000)"), [""; 0]);
}

#[test]
fn an_assertion_that_holds_before_the_work_needs_no_wait() {
    let start = "new Thread(() -> work(result)).start();\n Thread.sleep(100);";
    for (declaration, flaky, stable) in [
        (
            "AtomicBoolean result = new AtomicBoolean(false);",
            "assertTrue(result.get());",
            "assertFalse(result.get());",
        ),
        (
            "AtomicInteger result = new AtomicInteger();",
            "assertEquals(1, result.get());",
            "assertEquals(0, result.get());",
        ),
        (
            "List<String> result = Collections.synchronizedList(new ArrayList<>());",
            "assertEquals(2, result.size());",
            "assertTrue(result.isEmpty());",
        ),
        (
            "Queue<String> result = new ConcurrentLinkedQueue<>();",
            "assertThat(result).hasSize(1);",
            "assertThat(result).isEmpty();",
        ),
        (
            "AtomicReference<Throwable> result = new AtomicReference<>();",
            "assertNotNull(result.get());",
            "assertNull(result.get());",
        ),
        (
            "List<String> result = new CopyOnWriteArrayList<>(); result.add(\"a\");",
            "assertThat(result).isEmpty();",
            "verify(cart, never()).fill();",
        ),
        (
            "Cart result = open();",
            "assertEquals(1, result.count());",
            "assertEquals(0, result.errors());",
        ),
        (
            "List<String> result = open();",
            "assertTrue(result.size() >= 1);",
            "assertTrue(result.size() >= 0);",
        ),
        (
            "AtomicInteger result = new AtomicInteger();",
            "assertTrue(result.get() > 1);",
            "assertTrue(result.get() < 20);",
        ),
        (
            "Cart result = open(); assertTrue(result.isOpen());",
            "assertFalse(result.isOpen());",
            "assertTrue(\n    result.isOpen());",
        ),
    ] {
        let body = |check: &str| format!("{declaration} {start} {check}");
        twins("PLR201", &body(flaky), &body(stable));
    }
}

#[test]
fn a_sleep_of_setup_is_noticed_by_no_assertion() {
    let members = |setup: &str, test: &str| {
        format!(
            "Cart cart = new Cart(); @Before public void start() throws Exception {{ {setup} }} \
             @Test public void test() throws Exception {{ {test} assertTrue(cart.isFull()); }}"
        )
    };
    let wait = "new Thread(() -> cart.fill()).start(); Thread.sleep(100);";
    assert!(is_sleep_noticed(&members("", wait)));
    assert!(!is_sleep_noticed(&members(wait, "")));
    let (start, sleep) = wait.split_at(wait.find("Thread.sleep").expect("it sleeps"));
    assert!(!is_sleep_noticed(&members(start, sleep)));
}

#[test]
fn a_sleep_in_a_branch_of_a_helper_is_noticed_by_no_assertion() {
    let test = |sleep: &str| {
        format!(
            "void pause(boolean isSlow) throws Exception {{ {sleep} }} @Test public void test() throws Exception {{ \
             new Thread(() -> cart.fill()).start(); pause(false); assertTrue(cart.isFull()); }}"
        )
    };
    assert!(is_sleep_noticed(&test("Thread.sleep(100);")));
    assert!(!is_sleep_noticed(&test("if (isSlow) { Thread.sleep(100); }")));
}

#[test]
fn values_of_a_server_library_do_not_run_beside_a_test() {
    let test = |made: &str| {
        format!("@Test public void test() throws Exception {{ {made} Thread.sleep(100); assertTrue(cart.isFull()); }}")
    };
    assert!(is_sleep_noticed(&test(
        "org.apache.kafka.clients.consumer.KafkaConsumer it = made(); it.poll();"
    )));
    assert!(!is_sleep_noticed(&test(
        "org.apache.kafka.clients.consumer.ConsumerConfig it = made(); it.originals();"
    )));
}

#[test]
fn a_callback_that_the_test_calls_is_no_work_beside_it() {
    let test = |call: &str| {
        format!(
            "org.apache.kafka.clients.consumer.ConsumerRebalanceListener listener; org.apache.kafka.clients.Client client; \
             @Test public void test() throws Exception {{ {call} Thread.sleep(100); assertTrue(cart.isFull()); }}"
        )
    };
    assert!(is_sleep_noticed(&test("client.send(it);")));
    assert!(!is_sleep_noticed(&test("listener.onPartitionsAssigned(it);")));
}

#[test]
fn an_object_of_the_repository_is_no_service_by_its_package() {
    let found = |body: &str| {
        let counter = format!("package org.apache.activemq; public class Counter {{ {body} }}");
        let test = "package org.apache.activemq; import static org.junit.Assert.*; import org.junit.*; \
                    public class CounterTest { @Test public void test() throws Exception { \
                    Counter counter = new Counter(); Thread.sleep(100); assertTrue(counter.isFull()); } }";
        let files = [
            ("src/test/java/org/apache/activemq/CounterTest.java", test),
            ("src/main/java/org/apache/activemq/Counter.java", &counter),
        ];
        timing_flows(&files).iter().any(|it| it.oracle.is_some())
    };
    assert!(found("public Counter() { new Thread(() -> { fill(); }).start(); }"));
    assert!(!found("public Counter() { }"));
    assert!(!found(""), "no constructor of its own");
}

#[test]
fn a_sleep_seldom_waits_until_nothing_is_left() {
    let test = |after: &str| {
        rules_of_class(&format!(
            "Cart cart = new Cart(); @Test public void test() throws Exception {{ new Thread(() -> cart.fill()).start();\n\
             Thread.sleep(100); {after} }}"
        ))
    };
    for check in [
        "assertNull(cart.first());",
        "assertEquals(0, cart.size());",
        "assertThat(cart.items()).isEmpty();",
    ] {
        assert_eq!(test(check), [""; 0], "{check}");
        assert_eq!(
            test(&format!("{check} assertEquals(1, cart.size());")),
            ["PLR201@2"],
            "{check}"
        );
    }
}

#[test]
fn what_starts_nothing_does_not_run_beside_a_test() {
    let test = |body: &str| {
        format!("@Test public void test() throws Exception {{ {body} Thread.sleep(100); assertTrue(cart.isFull()); }}")
    };
    let socket = "java.net.ServerSocket it = new java.net.ServerSocket(0);";
    assert!(is_sleep_noticed(&test(&format!("{socket} it.accept();"))));
    assert!(!is_sleep_noticed(&test(socket)));
    assert!(!is_sleep_noticed(&test(&format!("{socket} port = it.getLocalPort();"))));
    assert!(!is_sleep_noticed(&test(
        "org.elasticsearch.index.query.QueryBuilders.boolQuery();"
    )));
}

#[test]
fn a_limit_without_a_condition_waits_for_nothing() {
    twins(
        "PLR203",
        "cart.fill();\n await().atMost(1, TimeUnit.SECONDS).until(() -> cart.isFull());",
        "cart.fill();\n await().atMost(1, TimeUnit.SECONDS);",
    );
}

#[test]
fn a_limit_that_is_expected_to_be_reached_is_silent() {
    let latch = "CountDownLatch latch = new CountDownLatch(1);\n";
    for (flaky, stable) in [
        (
            "assertThat(latch.await(1, TimeUnit.SECONDS), is(true));",
            "assertThat(latch.await(1, TimeUnit.SECONDS), is(false));",
        ),
        (
            "assertThat(latch.await(1, TimeUnit.SECONDS)).isTrue();",
            "assertThat(latch.await(1, TimeUnit.SECONDS)).isFalse();",
        ),
        (
            "assertTrue(latch.await(1, TimeUnit.SECONDS));",
            "assertTrue(!latch.await(1, TimeUnit.SECONDS));",
        ),
        (
            "if (!latch.await(1, TimeUnit.SECONDS)) { fail(); }",
            "if (latch.await(1, TimeUnit.SECONDS)) { assertEquals(1, cart.size()); }",
        ),
        (
            "try { future.get(1, TimeUnit.SECONDS); } catch (Exception it) { throw it; }",
            "try { future.get(1, TimeUnit.SECONDS); fail(); } catch (Exception it) { }",
        ),
    ] {
        twins("PLR203", &format!("{latch} {flaky}"), &format!("{latch} {stable}"));
    }
}

#[test]
fn a_sleep_is_shown_with_the_assertion_after_one_that_something_is_there() {
    let oracles = |checks: &str| {
        let text = class(&format!(
            "@Test public void test() throws Exception {{ new Thread(() -> cart.fill()).start(); Thread.sleep(100); \
             {checks} }}"
        ));
        let flows = timing_flows(&[("src/test/java/A.java", &text)]);
        let oracles: Vec<String> = flows.into_iter().filter_map(|it| it.oracle).map(|it| it.text).collect();
        oracles
    };
    for present in [
        "assertNotNull(cart);",
        "assertThat(cart).isNotNull();",
        "assertThat(cart, is(not(nullValue())));",
    ] {
        let both = format!("{present} assertEquals(1, cart.size());");
        assert_eq!(oracles(&both), ["assertEquals(1, cart.size())"], "{present}");
        assert_eq!(oracles(present), [present.trim_end_matches(';')]);
    }
}

#[test]
fn a_wait_that_is_expected_to_throw_reaches_its_limit() {
    twins(
        "PLR203",
        "Future<Integer> it = pool.submit(() -> 1);\n it.get(1, TimeUnit.SECONDS);",
        "Future<Integer> it = pool.submit(() -> 1);\n assertThatThrownBy(() -> it.get(1, TimeUnit.SECONDS));",
    );
}

#[test]
fn a_latch_that_the_own_thread_counts_down_needs_no_time() {
    let test = |before: &str| {
        let text = class(&format!(
            "@Test public void test() throws Exception {{ CountDownLatch latch = new CountDownLatch(1); {before}\n \
             assertTrue(latch.await(1, TimeUnit.SECONDS)); }}"
        ));
        let service = "package t; import java.util.concurrent.*;
            class Shop {
                ExecutorService pool; Runnable kept;
                void now(int id, Runnable done) { inner(done); }
                private void inner(Runnable it) { if (pool == null) { return; } it.run(); }
                void later(int id, Runnable done) { pool.execute(done); }
                void kept(int id, Runnable done) { kept = done; done.run(); }
                void wrapped(int id, Runnable done) { pool.execute(() -> done.run()); }
                void loop(int id, Runnable done) { loop(id, done); }
            }";
        let files = [
            ("src/test/java/A.java", text.as_str()),
            ("src/main/java/Shop.java", service),
        ];
        timing_flows(&files).iter().any(|it| it.rule.id() == "PLR203")
    };
    let shop = "Shop shop = new Shop();";
    for own in [
        "latch.countDown();",
        "try { open(); } catch (Exception e) { latch.countDown(); }",
        "shop.now(1, () -> latch.countDown());",
        "shop.now(1, latch::countDown);",
        "shop.now(1, new Runnable() { public void run() { latch.countDown(); } });",
        "Runnable done = () -> latch.countDown(); shop.now(1, done);",
    ] {
        assert!(!test(&format!("{shop} {own}")), "{own}");
    }
    for other in [
        "shop.later(1, () -> latch.countDown());",
        "shop.kept(1, latch::countDown);",
        "shop.wrapped(1, latch::countDown);",
        "shop.loop(1, latch::countDown);",
        "Runnable done = () -> latch.countDown(); shop.now(1, done); shop.later(2, done);",
        "start(new Worker(latch)); latch.countDown();",
        "listener = () -> latch.countDown();",
        "open();",
    ] {
        assert!(test(&format!("{shop} {other}")), "{other}");
    }
}

#[test]
fn a_wait_is_not_noticed_by_what_holds_before_it() {
    let fields = "CountDownLatch latch = new CountDownLatch(1); Cart cart; Door door; List<String> errors;";
    let test = |checks: &str| {
        let members = format!(
            "{fields} @Test public void test() throws Exception {{ latch.await(4, TimeUnit.SECONDS);\n {checks} }}"
        );
        let text = class(&members);
        let flows = unsettled_flows(&[("src/test/java/A.java", &text)]);
        let oracle = flows.into_iter().find(|it| it.rule.id() == "PLR206")?.oracle?;
        Some(oracle.text.clone())
    };
    assert_eq!(test("assertFalse(door.isOpen());"), None);
    assert_eq!(test("assertTrue(door == null || !door.isOpen());"), None);
    assert_eq!(
        test("assertFalse(door.isOpen()); assertEquals(1, cart.size());").as_deref(),
        Some("assertEquals(1, cart.size())")
    );
    assert_eq!(
        test("assertEquals(0, latch.getCount());").as_deref(),
        Some("assertEquals(0, latch.getCount())")
    );
    assert_eq!(test("assertTrue(\"errors: \" + cart, errors.isEmpty());"), None);
    assert_eq!(
        test("assertNotNull(cart.items()); assertEquals(1, cart.size());").as_deref(),
        Some("assertEquals(1, cart.size())")
    );
    assert_eq!(
        test("assertNotNull(cart.items());").as_deref(),
        Some("assertNotNull(cart.items())")
    );
    assert!(test("assertTrue(door == null || door.isOpen());").is_some());
}

#[test]
fn an_assertion_about_what_the_test_itself_sets_needs_no_wait() {
    let is_noticed = |door: &str, calls: &str, check: &str| {
        let text = class(&format!(
            "@Test public void test() throws Exception {{ Door door = new Door(); new Thread(door).start(); {calls}\n \
             Thread.sleep(100); {check} }}"
        ));
        let door = format!("package t; public class Door implements Runnable {{ boolean open; int turns; {door} }}");
        let files = [
            ("src/test/java/t/SampleTest.java", text.as_str()),
            ("src/main/java/t/Door.java", &door),
        ];
        let mut flows = timing_flows(&files).into_iter();
        flows.any(|it| it.rule.id() == "PLR201" && it.oracle.is_some())
    };
    let open = "public void open() { open = true; } public boolean isOpen() { return open; }";
    let idle = format!("{open} public void run() {{ turns++; }}");
    for check in ["assertTrue(door.isOpen());", "assertTrue(door.open);"] {
        assert!(!is_noticed(&idle, "door.open();", check), "{check}");
        assert!(is_noticed(&idle, "start(() -> door.open());", check), "{check}");
        let other = format!("{open} public void run() {{ this.open = true; }}");
        assert!(is_noticed(&other, "door.open();", check), "{check}");
    }
    let later = "public void open() { pool.submit(() -> open = true); } public void run() { } \
                 public boolean isOpen() { return open; }";
    assert!(is_noticed(later, "door.open();", "assertTrue(door.isOpen());"));
    let anonymous = "start(new Runnable() { public void run() { door.open(); } });";
    assert!(is_noticed(&idle, anonymous, "assertTrue(door.isOpen());"));
    let inner =
        "public void open() { set(); } private void set() { open = true; } public boolean isOpen() { return open; }";
    let idle_inner = format!("{inner} public void run() {{ turns++; }}");
    assert!(!is_noticed(&idle_inner, "door.open();", "assertTrue(door.isOpen());"));
    let other_inner = format!("{inner} public void run() {{ set(); }}");
    assert!(is_noticed(&other_inner, "door.open();", "assertTrue(door.isOpen());"));
    assert!(is_noticed(&idle, "door.open();", "assertEquals(1, door.turns);"));
}

#[test]
fn what_a_mock_stands_for_does_not_run_beside_the_test() {
    let is_noticed = |fields: &str, setup: &str| {
        let text = class(&format!(
            "{fields} @Before public void setUp() {{ {setup} }} @Test public void test() throws Exception {{ \
             new Shop(sender).sell();\n Thread.sleep(100); assertEquals(1, sold); }}"
        ));
        let shop = "package t; public class Shop { Sender sender; Shop(Sender it) { sender = it; } \
                    public void sell() { sender.send(); } }";
        let sender = "package t; public interface Sender { void send(); }";
        let mail = "package t; public class Mail implements Sender { public void send() { new Thread(() -> go()).start(); } \
                    void go() {} }";
        let files = [
            ("src/test/java/t/SampleTest.java", text.as_str()),
            ("src/main/java/t/Shop.java", shop),
            ("src/main/java/t/Sender.java", sender),
            ("src/main/java/t/Mail.java", mail),
        ];
        let mut flows = timing_flows(&files).into_iter();
        flows.any(|it| it.rule.id() == "PLR201" && it.oracle.is_some())
    };
    assert!(is_noticed("Sender sender;", "sender = new Mail();"));
    assert!(!is_noticed("@Mock Sender sender;", ""));
    assert!(!is_noticed("Sender sender;", "sender = mock(Sender.class);"));
    assert!(!is_noticed(
        "Sender sender;",
        "sender = control.createNiceMock(\"it\", Sender.class);"
    ));
}

#[test]
fn calls_that_a_mock_records_start_nothing() {
    let is_noticed = |setup: &str| {
        let text = class(&format!(
            "Mail mail; @Before public void setUp() {{ {setup} }} @Test public void test() throws Exception {{ \
             mail.send();\n Thread.sleep(100); assertEquals(1, sold); }}"
        ));
        let mail =
            "package t; public class Mail { public void send() { new Thread(() -> go()).start(); } void go() {} }";
        let files = [
            ("src/test/java/t/SampleTest.java", text.as_str()),
            ("src/main/java/t/Mail.java", mail),
        ];
        let mut flows = timing_flows(&files).into_iter();
        flows.any(|it| it.rule.id() == "PLR201" && it.oracle.is_some())
    };
    assert!(is_noticed("mail = new Mail();"));
    assert!(is_noticed("mail = hammock(1);"), "another word");
    assert!(!is_noticed("mail = createStrictMock(Mail.class);"));
    assert!(!is_noticed("this.mail = EasyMock.createMock(Mail.class);"));
}

#[test]
fn what_holds_before_the_work_does_not_notice_a_limit() {
    let test = |check: &str| {
        let text = class(&format!(
            "Door door; @Test public void test() throws Exception {{ CountDownLatch latch = new CountDownLatch(1); \
             pool.submit(() -> {{ door.set(true); latch.countDown(); }});\n \
             latch.await(10, TimeUnit.SECONDS); {check} }}"
        ));
        let mut flows = timing_flows(&[("src/test/java/t/SampleTest.java", text.as_str())]).into_iter();
        flows.any(|it| it.rule.id() == "PLR206")
    };
    assert!(test("assertTrue(door.isOpen());"));
    assert!(!test("assertFalse(door.isOpen());"));
}

#[test]
fn a_wait_that_a_mock_is_told_of_is_none() {
    let stub = |stubbed: &str| {
        format!(
            "@Test public void test() throws Exception {{ Semaphore turns = spy(new Semaphore(1)); {stubbed} \
             assertFalse(new Line(turns).moves()); }}"
        )
    };
    let stubbed = "when(turns.tryAcquire(1, TimeUnit.SECONDS)).thenReturn(false);";
    assert_eq!(rules_of_class(&stub(stubbed)), [""; 0]);
    assert_eq!(
        rules_of_class(&stub("assertTrue(turns.tryAcquire(1, TimeUnit.SECONDS));")),
        ["PLR203@1"]
    );
}

#[test]
fn a_test_that_sleeps_for_longer_than_its_limit_is_meant_to_exceed_it() {
    let limited = |millis: u32| {
        rules_of_class(&format!(
            "@Test(timeout = 500) public void test() throws Exception {{ Thread.sleep({millis}); }}"
        ))
    };
    assert!(limited(100).contains(&"PLR203@1".to_owned()), "{:?}", limited(100));
    assert!(!limited(1001).contains(&"PLR203@1".to_owned()), "{:?}", limited(1001));
}

#[test]
fn the_last_of_two_ignored_waits_decides() {
    let waits = |second: &str| {
        rules_of_class(&format!(
            "CountDownLatch begun = new CountDownLatch(1), ended = new CountDownLatch(1);\n\
             @Test public void test() throws Exception {{ new Thread(() -> work(begun, ended)).start();\n\
             begun.await(5, TimeUnit.SECONDS);\n {second}\n assertTrue(isDone()); }}"
        ))
    };
    assert_eq!(waits(""), ["PLR206@3"]);
    assert_eq!(waits("ended.await(5, TimeUnit.SECONDS);"), ["PLR206@4"]);
    assert_eq!(waits("ended.await();"), [""; 0], "a wait without a limit");
}

#[test]
fn a_test_that_expects_a_timeout_is_meant_to_reach_it() {
    let limited = |expected: &str| {
        rules_of_class(&format!(
            "@Test{expected} public void test() throws Exception {{ \
             assertEquals(1, Executors.newCachedThreadPool().submit(() -> work()).get(1, TimeUnit.SECONDS)); }}"
        ))
    };
    assert!(limited("").contains(&"PLR203@1".to_owned()), "{:?}", limited(""));
    let expected = limited("(expected = TimeoutException.class)");
    assert!(!expected.contains(&"PLR203@1".to_owned()), "{expected:?}");
}
