//! Flows that come from threads, waits and time limits: rule and line of each source.

mod harmless;
mod noticed;
#[path = "../unsettled/mod.rs"]
mod unsettled;

use peeler_analysis::{Flow, FlowOrigin};
use unsettled::unsettled_flows;

/// The unsettled timing flows of the tests of some files.
fn timing_flows(files: &[(&str, &str)]) -> Vec<Flow> {
    let flows = unsettled_flows(files).into_iter();
    flows
        .filter(|it| it.rule.id().starts_with("PLR2") && it.rule.id() != "PLR204")
        .collect()
}

/// The unsettled timing flows of the one test of some files, as `rule@line`.
fn flows_of_files(files: &[(&str, &str)]) -> Vec<(String, FlowOrigin)> {
    let flows = timing_flows(files).into_iter();
    flows
        .map(|it| (format!("{}@{}", it.rule, it.source.line), it.origin))
        .collect()
}

/// A JUnit 4 class around members; the first line of the members is line 1.
fn class(members: &str) -> String {
    format!(
        "package t; import static org.junit.Assert.*; import static org.mockito.Mockito.*; \
         import static org.awaitility.Awaitility.await; import java.time.*; import java.util.*; \
         import java.util.concurrent.*; import java.util.concurrent.atomic.*; import org.junit.*; \
         public class SampleTest {{ {members}\n}}"
    )
}

/// The rules and lines of a class with one test.
fn rules_of_class(members: &str) -> Vec<String> {
    let test = class(members);
    let flows = flows_of_files(&[("src/test/java/t/SampleTest.java", &test)]);
    flows.into_iter().map(|(text, _)| text).collect()
}

/// The rules and lines of a test with this body, which begins in line 1.
fn rules(body: &str) -> Vec<String> {
    rules_of_class(&format!(
        "Cart cart = new Cart(); @Test public void test() throws Exception {{ {body}\n }}"
    ))
}

/// Checks that a body breaks a rule in its second line, and that its stable twin breaks none.
#[track_caller]
fn twins(rule: &str, flaky: &str, stable: &str) {
    assert_eq!(rules(flaky), [format!("{rule}@2")], "flaky: {flaky}");
    assert_eq!(rules(stable), [""; 0], "stable: {stable}");
}

#[test]
fn a_sleep_before_an_assertion_is_reported() {
    let stable = "cart.fill();\n latch.await();\n assertEquals(1, cart.size());";
    for sleep in [
        "Thread.sleep(100);",
        "TimeUnit.SECONDS.sleep(1);",
        "TimeUnit.MILLISECONDS.sleep(WAIT);",
        "com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly(1, TimeUnit.SECONDS);",
    ] {
        let flaky = format!("cart.fill();\n {sleep}\n assertEquals(1, cart.size());");
        twins("PLR201", &flaky, stable);
    }
}

#[test]
fn a_wait_after_a_sleep_settles() {
    let flaky = "\n Thread.sleep(100); assertTrue(cart.isFull());";
    for wait in [
        "thread.join();",
        "new CountDownLatch(1).await();",
        "await().until(() -> cart.isFull());",
        "await().untilAsserted(() -> assertTrue(cart.isFull()));",
        "while (!cart.isFull()) { Thread.sleep(10); }",
        "for (int i = 0; i < 10; i++) { if (cart.isFull()) { break; } Thread.sleep(10); }",
        "do { Thread.sleep(10); } while (cart.size() < 3);",
        "do { Thread.sleep(10); } while (count == 0);",
        "Object full; do { Thread.sleep(10); full = cart.state(); } while (null == full || full == cart);",
        "while (true) { try { cart.check(); break; } catch (RuntimeException e) { Thread.sleep(10); } }",
        "cart.waitUntilFull();",
    ] {
        twins(
            "PLR201",
            flaky,
            &format!("Thread.sleep(100); {wait} assertTrue(cart.isFull());"),
        );
    }
}

#[test]
fn a_limit_that_fails_no_test_is_silent() {
    twins(
        "PLR203",
        "\n verify(cart, timeout(100).times(2)).fill();",
        "verify(cart, timeout(100).times(0)).fill(); verify(cart, timeout(100).never()).fill();",
    );
    twins(
        "PLR203",
        "\n if (!cart.pool().awaitTermination(1, TimeUnit.SECONDS)) { throw new IllegalStateException(); }",
        "if (!cart.pool().awaitTermination(1, TimeUnit.SECONDS)) { cart.pool().shutdownNow(); }",
    );
}

#[test]
fn a_sleep_that_the_test_does_not_rely_on_is_silent() {
    let flaky = "\n Thread.sleep(100); assertTrue(cart.isFull());";
    for stable in [
        "Runnable slow = () -> { try { Thread.sleep(100); } catch (InterruptedException e) { } }; assertNotNull(slow);",
        "Callable<Integer> slow = new Callable<Integer>() { public Integer call() throws Exception { \
         Thread.sleep(100); return 1; } }; assertNotNull(slow);",
        "assertTrue(cart.isFull()); Thread.sleep(100);",
        "Thread.sleep(1); assertTrue(cart.isFull());",
        "Thread.sleep(100); verify(cart, never()).fill();",
        "Thread.sleep(100); fail();",
        "Thread.sleep(2 * KEEP_ALIVE_MS); assertTrue(cart.isFull());",
        "TimeUnit.SECONDS.sleep(cart.ttl()); assertTrue(cart.isFull());",
        "Thread.sleep(100); assertTrue(thread.isAlive());",
    ] {
        twins("PLR201", flaky, stable);
    }
}

#[test]
fn an_asynchronous_start_without_a_wait_is_reported() {
    let list = "List<String> list = new CopyOnWriteArrayList<>();";
    let check = "assertEquals(1, list.size());";
    for (start, wait) in [
        (
            "Thread thread = new Thread(() -> list.add(\"a\")); thread.start();",
            "thread.join();",
        ),
        (
            "executor.execute(() -> list.add(\"a\"));",
            "executor.shutdown(); executor.awaitTermination(1, TimeUnit.DAYS);",
        ),
        (
            "Future<?> future = executor.submit(() -> list.add(\"a\"));",
            "future.get();",
        ),
        (
            "CompletableFuture<Void> done = CompletableFuture.runAsync(() -> list.add(\"a\"));",
            "done.join();",
        ),
        (
            "CompletableFuture<Void> done = CompletableFuture.runAsync(() -> list.add(\"a\"));",
            "done.get(1, TimeUnit.HOURS);",
        ),
        (
            "timer.schedule(new TimerTask() { public void run() { list.add(\"a\"); } }, 10);",
            "latch.await();",
        ),
        (
            "scheduled.schedule(() -> list.add(\"a\"), 1, TimeUnit.SECONDS);",
            "semaphore.acquire();",
        ),
        ("executor.execute(() -> list.add(\"a\"));", "barrier.await();"),
        ("executor.execute(() -> list.add(\"a\"));", "queue.take();"),
        (
            "executor.execute(() -> list.add(\"a\"));",
            "await().until(() -> list.size() == 1);",
        ),
    ] {
        let fields = "ExecutorService executor = Executors.newCachedThreadPool(); Timer timer = new Timer(); \
                      CountDownLatch latch = new CountDownLatch(1); Semaphore semaphore = new Semaphore(0); \
                      CyclicBarrier barrier = new CyclicBarrier(2); BlockingQueue<String> queue; \
                      ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(1);";
        let test = |body: &str| {
            rules_of_class(&format!(
                "{fields} @Test public void test() throws Exception {{ {body}\n }}"
            ))
        };
        assert_eq!(test(&format!("{list}\n {start}\n {check}")), ["PLR202@2"], "{start}");
        assert_eq!(
            test(&format!("{list}\n {start} {wait}\n {check}")),
            [""; 0],
            "{start} {wait}"
        );
    }
}

#[test]
fn an_assertion_on_something_else_does_not_need_the_wait() {
    assert_eq!(
        rules(
            "List<String> list = new CopyOnWriteArrayList<>(); new Thread(() -> list.add(\"a\")).start(); \
               assertEquals(0, cart.size());"
        ),
        [""; 0]
    );
}

#[test]
fn closing_an_executor_waits() {
    let body =
        |end: &str| format!("Set<String> set = ConcurrentHashMap.newKeySet();\n {end}\n assertEquals(1, set.size());");
    twins(
        "PLR202",
        &body("Executors.newFixedThreadPool(1).execute(() -> set.add(\"a\"));"),
        &body("try (ExecutorService pool = Executors.newFixedThreadPool(1)) { pool.execute(() -> set.add(\"a\")); }"),
    );
}

#[test]
fn a_verification_with_a_timeout_waits() {
    let start = "Runnable task = mock(Runnable.class);\n new Thread(task).start();";
    twins(
        "PLR202",
        &format!("{start} verify(task).run();"),
        &format!("{start} verify(task, timeout(60000)).run();"),
    );
}

#[test]
fn short_limits_are_reported() {
    for (flaky, stable) in [
        (
            "assertTrue(latch.await(1, TimeUnit.SECONDS));",
            "assertTrue(latch.await(1, TimeUnit.MINUTES));",
        ),
        (
            "boolean isDone = latch.await(1, TimeUnit.SECONDS); assertTrue(isDone);",
            "boolean isDone = latch.await(1, TimeUnit.SECONDS); assertFalse(isDone);",
        ),
        (
            "await().atMost(Duration.ofMillis(400)).until(() -> cart.isFull());",
            "assertTrue(new Condition().atMost(400));",
        ),
        (
            "future.get(500, TimeUnit.MILLISECONDS);",
            "future.get(30, TimeUnit.SECONDS);",
        ),
        (
            "assertEquals(1, queue.poll(100, TimeUnit.MILLISECONDS));",
            "assertNull(queue.poll(100, TimeUnit.MILLISECONDS));",
        ),
        (
            "await().atMost(Duration.ofMillis(500)).until(() -> cart.isFull());",
            "await().atMost(Duration.ofMinutes(1)).until(() -> cart.isFull());",
        ),
        (
            "await().atMost(1, TimeUnit.SECONDS).until(() -> cart.isFull());",
            "await().until(() -> cart.isFull());",
        ),
        (
            "verify(cart, timeout(100)).fill();",
            "verify(cart, timeout(10000)).fill();",
        ),
        (
            "future.get(LIMIT * 2, TimeUnit.MILLISECONDS);",
            "future.get(LIMIT, TimeUnit.SECONDS);",
        ),
        (
            "assertTrue(latch.await(1, TimeUnit.SECONDS));",
            "assertFalse(latch.await(1, TimeUnit.SECONDS));",
        ),
        (
            "future.get(500, TimeUnit.MILLISECONDS);",
            "try { future.get(1, TimeUnit.SECONDS); fail(); } catch (TimeoutException e) { }",
        ),
    ] {
        let fields = "static final int LIMIT = 500; CountDownLatch latch = new CountDownLatch(1); Cart cart; \
                      CompletableFuture<String> future; BlockingQueue<Integer> queue;";
        let test = |body: &str| {
            rules_of_class(&format!(
                "{fields} @Test public void test() throws Exception {{\n {body}\n }}"
            ))
        };
        assert_eq!(test(flaky), ["PLR203@2"], "{flaky}");
        assert_eq!(test(stable), [""; 0], "{stable}");
    }
}

#[test]
fn named_limits_have_their_own_length() {
    for (name, length) in [
        ("ONE_HUNDRED_MILLISECONDS", "100 ms"),
        ("TWO_HUNDRED_MILLISECONDS", "200 ms"),
        ("FIVE_HUNDRED_MILLISECONDS", "500 ms"),
        ("ONE_SECOND", "1 s"),
    ] {
        let wait = format!("await().atMost(Durations.{name}).until(() -> cart.isFull());");
        let test = class(&format!("Cart cart; @Test public void test() {{ {wait} }}"));
        let flows = timing_flows(&[("src/test/java/t/SampleTest.java", &test)]);
        let reasons: Vec<&str> = flows.iter().map(|it| it.what.as_str()).collect();
        assert_eq!(reasons, [format!("waits at most {length}")], "{name}");
    }
}

#[test]
fn a_short_limit_of_the_whole_test_is_reported() {
    let test = |annotation: &str| {
        rules_of_class(&format!(
            "\n{annotation} public void test() {{ new Socket(\"localhost\", port); process.waitFor(); assertTrue(true); }}"
        ))
    };
    assert_eq!(test("@Test(timeout = 1000)"), ["PLR203@2"]);
    assert_eq!(test("@Test(timeout = 2 * 1000)"), ["PLR203@2"]);
    assert_eq!(test("@Test(timeout = 60 * 1000)"), [""; 0]);
    assert_eq!(test("@Test @Timeout(2)"), ["PLR203@2"]);
    assert_eq!(
        test("@Test @Timeout(value = 200, unit = TimeUnit.MILLISECONDS)"),
        ["PLR203@2"]
    );
    assert_eq!(test("@Test @Timeout(60)"), [""; 0]);
}

#[test]
fn a_wait_whose_result_is_ignored_is_reported() {
    let fields =
        "CountDownLatch latch = new CountDownLatch(1); ExecutorService pool = Executors.newCachedThreadPool();";
    let test = |body: &str| {
        let check = "assertTrue(cart.isFull());";
        rules_of_class(&format!(
            "{fields} Cart cart; @Test public void test() throws Exception {{\n {body}\n {check} }}"
        ))
    };
    assert_eq!(test("latch.await(4, TimeUnit.SECONDS);"), ["PLR206@2"]);
    assert_eq!(test("pool.awaitTermination(4, TimeUnit.SECONDS);"), ["PLR206@2"]);
    let stopped = "if (!pool.awaitTermination(4, TimeUnit.SECONDS)) { pool.shutdownNow(); }";
    assert_eq!(test(stopped), ["PLR206@2"]);
    assert_eq!(test("assertTrue(latch.await(4, TimeUnit.SECONDS));"), [""; 0]);
    assert_eq!(
        test("if (!latch.await(4, TimeUnit.SECONDS)) { throw new IllegalStateException(); }"),
        [""; 0]
    );
    assert_eq!(test("latch.await(4, TimeUnit.HOURS);"), [""; 0]);
}

#[test]
fn an_assertion_whose_failure_is_lost_is_reported() {
    twins(
        "PLR205",
        "Thread thread = new Thread(() ->\n assertTrue(cart.isFull())); thread.start(); thread.join();",
        "FutureTask<?> task = new FutureTask<>(() -> { assertTrue(cart.isFull()); return 1; }); task.get();",
    );
    twins(
        "PLR205",
        "new Thread() { public void run() {\n assertTrue(cart.isFull()); } }.start();",
        "new Thread(() -> { try { assertTrue(cart.isFull()); } catch (Throwable e) { cart.failed(e); } }).start();",
    );
    let submit = "ExecutorService pool = Executors.newCachedThreadPool();";
    twins(
        "PLR205",
        &format!("{submit} pool.submit(() ->\n assertTrue(cart.isFull()));"),
        &format!("{submit} Future<?> future = pool.submit(() -> assertTrue(cart.isFull())); future.get();"),
    );
}

#[test]
fn assumptions_about_scheduling_are_reported() {
    twins(
        "PLR207",
        "\n Thread.yield(); assertTrue(cart.isFull());",
        "assertTrue(cart.isFull());",
    );
    twins(
        "PLR207",
        "\n Thread.currentThread().setPriority(1); assertTrue(cart.isFull());",
        "cart.setPriority(1);",
    );
    let wait = |members: &str| rules_of_class(&format!("boolean done; volatile boolean over; {members}"));
    let test = "@Test public void test() throws Exception {";
    assert_eq!(
        wait(&format!(
            "{test} synchronized (this) {{\n this.wait(); }} assertTrue(done); }}"
        )),
        ["PLR207@2"]
    );
    assert_eq!(
        wait(&format!(
            "{test} synchronized (this) {{ while (!done) {{ this.wait(); }} }} assertTrue(done); }}"
        )),
        [""; 0]
    );
    assert_eq!(
        wait(&format!("{test}\n while (!done) {{ }} assertTrue(done); }}")),
        ["PLR207@2"]
    );
    assert_eq!(
        wait(&format!("{test}\n while (!over) {{ }} assertTrue(over); }}")),
        [""; 0]
    );
}

#[test]
fn a_garbage_collection_before_an_assertion_is_reported() {
    twins(
        "PLR208",
        "\n System.gc(); assertEquals(0, cart.size());",
        "while (cart.size() > 0) { System.gc(); Thread.sleep(10); } assertEquals(0, cart.size());",
    );
}

#[test]
fn a_collection_that_several_threads_change_is_reported() {
    let body = |list: &str, change: &str| {
        format!(
            "ExecutorService pool = Executors.newFixedThreadPool(4); List<String> list = {list}; \
             for (int i = 0; i < 9; i++) pool.execute(() ->\n {change}); \
             pool.awaitTermination(1, TimeUnit.HOURS); assertEquals(9, list.size());"
        )
    };
    twins(
        "PLR209",
        &body("new ArrayList<>()", "list.add(\"a\")"),
        &body("new CopyOnWriteArrayList<>()", "list.add(\"a\")"),
    );
    twins(
        "PLR209",
        &body("new ArrayList<>()", "list.add(\"a\")"),
        &body("Collections.synchronizedList(new ArrayList<>())", "list.add(\"a\")"),
    );
    twins(
        "PLR209",
        &body("new ArrayList<>()", "list.add(\"a\")"),
        &body("new ArrayList<>()", "{ synchronized (pool) { list.add(\"a\"); } }"),
    );
}

#[test]
fn a_counter_field_that_several_threads_change_is_reported() {
    let test = |count: &str, change: &str, read: &str| {
        rules_of_class(&format!(
            "{count} ExecutorService pool = Executors.newFixedThreadPool(4); \
             @Test public void test() throws Exception {{ for (int i = 0; i < 9; i++) {{ pool.submit(() ->\n {change}); }} \
             pool.awaitTermination(1, TimeUnit.HOURS); assertEquals(9, {read}); }}"
        ))
    };
    assert_eq!(test("int count;", "count++", "count"), ["PLR209@2"]);
    assert_eq!(
        test(
            "AtomicInteger count = new AtomicInteger();",
            "count.incrementAndGet()",
            "count.get()"
        ),
        [""; 0]
    );
}

#[test]
fn an_object_that_two_threads_change_is_reported() {
    let body = |list: &str, between: &str| {
        format!(
            "List<String> list = {list}; Thread one = new Thread(() -> list.add(\"a\")); \
             Thread two = new Thread(() ->\n list.add(\"b\")); one.start(); {between} two.start(); one.join(); two.join(); \
             assertEquals(2, list.size());"
        )
    };
    let flaky = body("new ArrayList<>()", "");
    twins("PLR209", &flaky, &body("new CopyOnWriteArrayList<>()", ""));
    twins("PLR209", &flaky, &body("new ArrayList<>()", "one.join();"));
}

#[test]
fn an_ignored_wait_matters_to_an_assertion_about_the_work() {
    let body = |wait: &str, check: &str| {
        format!(
            "AtomicInteger sum = new AtomicInteger(); Thread thread = new Thread(() -> sum.set(4)); thread.start();\n \
             {wait} {check}"
        )
    };
    let check = "assertEquals(4, sum.get());";
    let flaky = body("thread.join(9000);", check);
    twins("PLR206", &flaky, &body("thread.join();", check));
    twins(
        "PLR206",
        &flaky,
        &body("thread.join(9000); assertFalse(thread.isAlive());", check),
    );
    twins(
        "PLR206",
        &flaky,
        &body("thread.join(9000);", "assertEquals(0, cart.size());"),
    );
}

#[test]
fn an_assertion_of_a_forgotten_future_is_lost() {
    let submit = "ExecutorService pool = Executors.newCachedThreadPool(); Future<?> check = pool.submit(() ->";
    twins(
        "PLR205",
        &format!("{submit}\n assertTrue(cart.isFull()));"),
        &format!("{submit} assertTrue(cart.isFull())); check.get();"),
    );
}

#[test]
fn work_of_the_calling_thread_is_done_at_once() {
    let body = |executor: &str| {
        format!(
            "List<String> list = new CopyOnWriteArrayList<>(); Executor executor = {executor};\n \
             executor.execute(() -> list.add(\"a\")); assertEquals(1, list.size());"
        )
    };
    twins(
        "PLR202",
        &body("Executors.newCachedThreadPool()"),
        &body("Runnable::run"),
    );
}

/// The flows of a test that calls `start()` of a helper, a superclass or code under test, with their origins.
fn through(members: &str, files: &[(&str, &str)]) -> Vec<(String, FlowOrigin)> {
    let test = class(members);
    let mut all = vec![("src/test/java/t/SampleTest.java", test.as_str())];
    all.extend(files);
    flows_of_files(&all)
}

#[test]
fn a_sleep_is_found_through_calls() {
    let helper = through(
        "void pause() throws Exception {\n Thread.sleep(100); } \
         @Test public void test() throws Exception { pause(); assertTrue(done()); }",
        &[],
    );
    assert_eq!(helper, [("PLR201@2".to_owned(), FlowOrigin::Helper)]);
    let setup = through(
        "@Before public void setUp() throws Exception {\n Thread.sleep(100); } \
         @Test public void test() { assertTrue(done()); }",
        &[],
    );
    assert_eq!(setup, [("PLR201@2".to_owned(), FlowOrigin::Setup)]);
    let polling = through(
        "void pause() throws Exception { while (!done()) { nap(); } } void nap() throws Exception { Thread.sleep(1); } \
         @Test public void test() throws Exception { pause(); assertTrue(done()); }",
        &[],
    );
    assert_eq!(polling, []);
}

#[test]
fn a_start_is_found_in_code_under_test() {
    let shop = |run: &str| {
        format!(
            "package t; public class Shop {{ int sold; int sold() {{ return sold; }} void sell() {{ one(); }} \
             void one() {{ two(); }}\n void two() {{ {run} }} }}"
        )
    };
    let test = "@Test public void test() throws Exception { Shop shop = new Shop(); shop.sell(); \
                assertEquals(1, shop.sold()); }";
    let flaky = shop("new Thread(() -> sold++).start();");
    assert_eq!(
        through(test, &[("src/main/java/t/Shop.java", &flaky)]),
        [("PLR202@2".to_owned(), FlowOrigin::CodeUnderTest(3))]
    );
    let waiting = shop("Thread thread = new Thread(() -> sold++); thread.start(); thread.join();");
    assert_eq!(through(test, &[("src/main/java/t/Shop.java", &waiting)]), []);
    let synchronous = shop("sold++;");
    assert_eq!(through(test, &[("src/main/java/t/Shop.java", &synchronous)]), []);
    let annotated = "package t; public class Shop { int sold() { return 1; }\n @Async void sell() { } }";
    assert_eq!(
        through(test, &[("src/main/java/t/Shop.java", annotated)]),
        [("PLR202@1".to_owned(), FlowOrigin::Body)]
    );
}

#[test]
fn a_service_that_keeps_its_threads_is_silent() {
    let server = "package t; public class Server { boolean up; boolean isUp() { return up; } \
                  void start() { up = true; new Thread(() -> serve()).start(); } void serve() { } }";
    let test = "@Test public void test() { Server server = new Server(); server.start(); assertTrue(server.isUp()); }";
    assert_eq!(through(test, &[("src/main/java/t/Server.java", server)]), []);
}

#[test]
fn a_disabled_test_is_silent() {
    assert_eq!(
        rules_of_class("@Ignore @Test public void test() throws Exception { Thread.sleep(100); assertTrue(done()); }"),
        [""; 0]
    );
}

#[test]
fn recursion_ends() {
    assert_eq!(
        rules_of_class(
            "void a() throws Exception { b(); } void b() throws Exception { a();\n Thread.sleep(100); } \
             @Test public void test() throws Exception { a(); assertTrue(done()); }"
        ),
        ["PLR201@2"]
    );
}
