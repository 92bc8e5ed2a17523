//! Waits, sleeps and limits that look as if they mattered to a test, and do not: what they wait for is known before, or is
//! asked for nothing.

use crate::{class, rules, rules_of_class, timing_flows};

#[test]
fn an_annotation_of_the_repository_sets_no_limit() {
    let found = |declared: &str| {
        let test = "package t; class SampleTest { @Test @Timeout(1) public void test() throws Exception { \
                    assertEquals(1, Executors.newCachedThreadPool().submit(() -> work()).get()); } }";
        let files = [
            ("src/test/java/t/SampleTest.java", test),
            ("src/test/java/t/Timeout.java", declared),
        ];
        timing_flows(&files).iter().any(|it| it.rule.id() == "PLR203")
    };
    assert!(found("package other; @interface Timeout { int value(); }"));
    assert!(!found("package t; @interface Timeout { int value(); }"));
}

#[test]
fn a_class_that_tests_run_on_their_own_may_be_meant_to_time_out() {
    let found = |runner: &str| {
        let test = format!(
            "package t; class SampleTest {{ static class Endless {{ @Test(timeout = 100) public void test() throws \
             Exception {{ Executors.newCachedThreadPool().submit(() -> work()).get(); }} }}\n {runner} }}"
        );
        let files = [("src/test/java/t/SampleTest.java", test.as_str())];
        timing_flows(&files).iter().any(|it| it.rule.id() == "PLR203")
    };
    assert!(found(""));
    assert!(found("@SuiteClasses(Endless.class)\n class All {}"));
    assert!(!found(
        "@Test public void test() {\n assertEquals(1, JUnitCore.runClasses(Endless.class).getFailureCount()); }"
    ));
}

#[test]
fn a_sleep_to_see_that_nothing_happens_is_none_for_what_is_started_later() {
    let found = |between: &str| {
        rules_of_class(&format!(
            "AtomicInteger count = new AtomicInteger(); ExecutorService pool = Executors.newCachedThreadPool();\n\
             @Test public void test() throws Exception {{ Queue<Integer> queue = new ArrayDeque<>(); \
             pool.execute(() -> serve(queue));\n Thread.sleep(100);\n {between}\n assertEquals(5, queue.size()); }}"
        ))
    };
    let start = "pool.execute(() -> deliver(5));";
    assert!(found("").contains(&"PLR201@3".to_owned()), "{:?}", found(""));
    assert!(found(start).contains(&"PLR201@3".to_owned()), "{:?}", found(start));
    let checked = found(&format!("verify(shop, never()).close(); {start}"));
    assert!(!checked.contains(&"PLR201@3".to_owned()), "{checked:?}");
}

#[test]
fn an_empty_text_holds_before_the_work() {
    let found = |expected: &str| {
        rules_of_class(&format!(
            "@Test public void test() throws Exception {{ AtomicReference<String> seen = new AtomicReference<>(\"\"); \
             new Thread(() -> seen.set(read())).start();\n Thread.sleep(100);\n \
             assertEquals({expected}, seen.get()); }}"
        ))
    };
    assert!(found("\"a\"").contains(&"PLR201@2".to_owned()), "{:?}", found("\"a\""));
    assert!(!found("\"\"").contains(&"PLR201@2".to_owned()), "{:?}", found("\"\""));
}

#[test]
fn locks_paths_and_results_of_a_broker_go_on_with_nothing() {
    let found = |call: &str| {
        let test = format!(
            "package t; import org.apache.curator.framework.CuratorFramework; \
             import org.apache.curator.framework.recipes.locks.InterProcessMutex; \
             import org.apache.curator.utils.ZKPaths; import org.junit.*; import static org.junit.Assert.*; \
             class SampleTest {{ CuratorFramework client; InterProcessMutex lock; @Test public void test() throws \
             Exception {{ {call}; Thread.sleep(100); assertEquals(2, cart.size()); }} }}"
        );
        let flows = timing_flows(&[("src/test/java/t/SampleTest.java", test.as_str())]);
        flows.iter().any(|it| it.rule.id() == "PLR201" && it.oracle.is_some())
    };
    assert!(found("client.delete(\"/a\")"));
    for call in ["ZKPaths.makePath(\"a\", \"b\")", "lock.acquire(1, SECONDS)"] {
        assert!(!found(call), "{call}");
    }
}

#[test]
fn what_was_read_before_a_sleep_does_not_depend_on_it() {
    let found = |read: &str, slept: &str, assertion: &str| {
        let rules = rules_of_class(&format!(
            "@Test public void test() throws Exception {{ Door door = new Door(); new Thread(() -> open(door)).start();\n\
             {read}; Thread.sleep(100);\n {slept} {assertion}; }}"
        ));
        rules.contains(&"PLR201@2".to_owned())
    };
    let read = "boolean isOpen = door.isOpen()";
    assert!(found(read, "", "assertTrue(door.isOpen())"));
    assert!(found(read, "isOpen = door.isOpen();", "assertTrue(isOpen)"));
    assert!(!found(read, "", "assertTrue(isOpen)"));
    assert!(!found(read, "", "assertEquals(Boolean.TRUE, true)"));
    let list = "List<String> seen = door.seen()";
    assert!(found(list, "", "assertEquals(1, seen.size())"));
    assert!(found(list, "", "assertThat(seen, is(SEEN))"));
}

#[test]
fn a_recorded_request_is_there_before_the_answer() {
    let limited = |wait: &str| {
        rules_of_class(&format!(
            "@Test public void test() throws Exception {{ call(server);\n assertNotNull({wait}); }}"
        ))
    };
    assert_eq!(limited("server.poll(1, TimeUnit.SECONDS)"), ["PLR203@2"]);
    assert_eq!(limited("server.takeRequest(1, TimeUnit.SECONDS)"), [""; 0]);
}

#[test]
fn a_parallel_stream_runs_in_order_for_each_ordered() {
    let found = |each: &str| {
        rules_of_class(&format!(
            "@Test public void test() {{ StringBuilder text = new StringBuilder();\n \
             Arrays.asList(\"a\", \"b\").parallelStream().{each}(text::append);\n assertEquals(\"ab\", text.toString()); }}"
        ))
    };
    assert_eq!(found("forEach"), ["PLR209@2"]);
    assert_eq!(found("forEachOrdered"), [""; 0]);
}

#[test]
fn what_works_in_the_thread_of_its_caller_is_done_at_once() {
    let waits = |channel: &str, wait: &str| {
        rules_of_class(&format!(
            "@Test public void test() throws Exception {{ {channel};\n {wait};\n assertEquals(1, pool.size()); }}"
        ))
    };
    let wait = "channel.close().await(5, TimeUnit.SECONDS)";
    assert_eq!(waits("Channel channel = connect()", wait), ["PLR206@2"]);
    assert_eq!(waits("Channel channel = new EmbeddedChannel()", wait), [""; 0]);
    let several = "EmbeddedChannel[] channels = new EmbeddedChannel[2]";
    assert_eq!(
        waits(several, "channels[0].close().await(5, TimeUnit.SECONDS)"),
        [""; 0]
    );
    let field = |class: &str| {
        rules_of_class(&format!(
            "{class} channel; @Test public void test() throws Exception {{ var closed = channel.close();\n \
             closed.await(5, TimeUnit.SECONDS);\n assertEquals(1, pool.size()); }}"
        ))
    };
    assert_eq!(field("Channel"), ["PLR206@2"]);
    assert_eq!(field("EmbeddedChannel"), [""; 0]);
}

#[test]
fn a_limit_is_meant_to_be_reached_also_where_the_assertion_has_a_message() {
    let asserted = |assertion: &str| {
        rules_of_class(&format!(
            "@Test public void test() throws Exception {{ CountDownLatch latch = serve();\n\
             boolean isDone = latch.await(50, TimeUnit.MILLISECONDS); assertThat(isDone).as(\"early\").{assertion}(); }}"
        ))
    };
    assert_eq!(asserted("isTrue"), ["PLR203@2"]);
    assert_eq!(asserted("isFalse"), [""; 0]);
}

#[test]
fn a_sleep_to_see_that_nothing_comes_is_none_for_what_the_test_does_later() {
    let found = |between: &str| {
        rules_of_class(&format!(
            "ServerSocket socket = listen(); ExecutorService pool = Executors.newCachedThreadPool();\n\
             @Test public void test() throws Exception {{ InputStream in = open(socket); pool.execute(() -> send(in));\n \
             Thread.sleep(100);\n {between}\n assertEquals(5, in.read()); }}"
        ))
    };
    let slept = "PLR201@3".to_owned();
    let nothing = "assertEquals(0, in.available());";
    assert!(found("").contains(&slept), "{:?}", found(""));
    assert!(found(nothing).contains(&slept), "{:?}", found(nothing));
    let acts = found(&format!("{nothing} out.write(5);"));
    assert!(!acts.contains(&slept), "{acts:?}");
    let asserts = found(&format!("{nothing} assertThat(in.available()).isZero();"));
    assert!(asserts.contains(&slept), "{asserts:?}");
}

#[test]
fn a_loop_that_reads_what_it_compares_polls() {
    let body = |update: &str| {
        rules(&format!(
            "int before = Thread.activeCount(); cart.fill(); new Thread(() -> cart.add(1)).start(); int now = 9;\n \
             while (now > before) {{ {update}; Thread.sleep(100); }} assertEquals(before, cart.size());"
        ))
    };
    assert_eq!(body("now = now - 1"), ["PLR201@2"]);
    assert_eq!(body("now = Thread.activeCount()"), [""; 0]);
}

#[test]
fn limits_that_are_meant_to_be_reached_or_cannot_be_are_no_findings() {
    let flaky = "Object seen = pool.submit(() -> cart.size())\n.get(1, TimeUnit.SECONDS); assertNotNull(seen);";
    assert_eq!(rules(flaky).len(), 1, "{:?}", rules(flaky));
    for stable in [
        "assertThat(catchThrowable(() -> pool.submit(() -> cart.size()).get(1, TimeUnit.SECONDS))).isNotNull();",
        "await().atMost(1, TimeUnit.SECONDS).untilAsserted(job::isDone);",
        "shop.shutdown().join(1, TimeUnit.SECONDS);",
    ] {
        assert_eq!(rules(stable), [""; 0], "{stable}");
    }
    assert_eq!(
        rules("\nawait().atMost(1, TimeUnit.SECONDS).until(job::isDone);"),
        ["PLR203@2"]
    );
    assert_eq!(
        rules("\nassertTrue(shop.joins(1).get(1, TimeUnit.SECONDS));"),
        ["PLR203@2"]
    );
}

/// Whether the one flow of a class with these members is sure, and its rule.
fn sure(members: &str) -> (String, bool) {
    let flows = timing_flows(&[("src/test/java/t/SampleTest.java", &class(members))]);
    let [flow] = flows.as_slice() else {
        panic!("one flow expected: {flows:?}");
    };
    (flow.rule.id().to_owned(), flow.is_sure)
}

#[test]
fn a_wait_is_sure_where_something_is_seen_to_go_on_beside_the_test() {
    let test = |work: &str| {
        sure(&format!(
            "@Test public void test() throws Exception {{ CountDownLatch done = new CountDownLatch(1); {work} \
             assertTrue(done.await(1, TimeUnit.SECONDS)); }}"
        ))
    };
    let limited = |is_sure| ("PLR203".to_owned(), is_sure);
    assert_eq!(test("shop.order(result -> done.countDown());"), limited(false));
    assert_eq!(test("new Thread(() -> done.countDown()).start();"), limited(true));
    assert_eq!(
        test("shop.order(result -> new Thread(() -> done.countDown()).start());"),
        limited(true)
    );
    assert_eq!(
        test("shop.order(new Listener() { public void seen() { new Thread(() -> done.countDown()).start(); } });"),
        limited(true)
    );
    let timed = class("@Test public void test() { assertTimeout(Duration.ofSeconds(1), () -> shop.fill()); }")
        .replace("org.junit.Assert.*", "org.junit.jupiter.api.Assertions.*");
    let flows = timing_flows(&[("src/test/java/t/SampleTest.java", &timed)]);
    assert!(
        flows.iter().all(|it| it.is_sure) && flows.len() == 1,
        "the test itself may be slow: {flows:?}"
    );
}

#[test]
fn a_sleep_is_not_sure_if_little_is_asserted() {
    let test = |assertion: &str| {
        sure(&format!(
            "@Test public void test() throws Exception {{ new Thread(() -> cart.fill()).start(); Thread.sleep(100); \
             {assertion}; }}"
        ))
    };
    assert_eq!(test("assertEquals(1, cart.size())"), ("PLR201".to_owned(), true));
    for (assertion, is_sure) in [
        ("assertNotNull(cart.first())", false),
        ("assertTrue(cart.accepts(5))", false),
        ("assertThat(cart.accepts(5)).isTrue()", false),
        ("assertTrue(cart.isFull())", true),
        ("assertTrue(String.format(\"%s\", cart), cart.isFull())", true),
        ("assertTrue(cart.accepts(5)); assertEquals(1, cart.size())", true),
    ] {
        assert_eq!(test(assertion), ("PLR201".to_owned(), is_sure), "{assertion}");
    }
}

#[test]
fn a_sleep_is_sure_beside_work_that_test_code_starts() {
    let code = "package t; public class Shop { public void open() { new Thread(() -> serve()).start(); } }";
    let helper = "package t; import org.junit.*; public class Shops { static void open(Runnable work) { \
                  new Thread(work).start(); } }";
    let test = |starts: &str| {
        let test = class(&format!(
            "Shop shop = new Shop(); @Test public void test() throws Exception {{ {starts} Thread.sleep(100); \
             assertEquals(1, shop.size()); }}"
        ));
        let flows = timing_flows(&[
            ("src/test/java/t/SampleTest.java", &test),
            ("src/test/java/t/Shops.java", helper),
            ("src/main/java/t/Shop.java", code),
        ]);
        let sleeps = flows.iter().filter(|it| it.rule.id() == "PLR201");
        sleeps.map(|it| it.is_sure).collect::<Vec<_>>()
    };
    assert_eq!(
        test("shop.open();"),
        [false],
        "only the code under test starts something"
    );
    assert_eq!(
        test("Shops.open(() -> shop.add());"),
        [true],
        "a helper in another file"
    );
    let own = "new Thread(() -> shop.add()).start();";
    assert_eq!(test(own), [true]);
    assert_eq!(
        test(&format!("{own} shop.open();")),
        [true],
        "the later start is another's"
    );
    assert_eq!(test(&format!("shop.open(); {own}")), [true], "so is the earlier one");
}
