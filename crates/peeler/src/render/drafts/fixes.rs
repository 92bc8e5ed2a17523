//! Examples of fixes in draft issues, by kind of root cause.
//!
//! The advice of a finding describes a fix in words; a sketch shows it in a few lines of example code.
//!
//! Invariant: a sketch depends only on the kind of the cause. Left out: kinds whose fixes have no common form.

use peeler_analysis::CauseKind;

/// Example Java code before and after the fix of a flaky test.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sketch {
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

/// Example code of a fix for a kind of cause; `None` if the fixes of that kind have no common form.
pub(super) fn sketch(kind: CauseKind) -> Option<Sketch> {
    let (before, after) = match kind {
        CauseKind::UnorderedCollection => (
            r#"Map<String, Integer> totals = new HashMap<>();
assertEquals("{ada=1, bob=2}", totals.toString());"#,
            r#"// Where the order does not matter: compare without it.
assertEquals(Map.of("ada", 1, "bob", 2), totals);

// Where it does: give it one.
Map<String, Integer> totals = new LinkedHashMap<>();"#,
        ),
        CauseKind::ReflectionOrder => (
            r#"Method[] methods = Order.class.getDeclaredMethods();
assertEquals("add", methods[0].getName());"#,
            r"Method[] methods = Order.class.getDeclaredMethods();
Arrays.sort(methods, Comparator.comparing(Method::getName));",
        ),
        CauseKind::Clock => (
            r"Order order = new Order();
assertEquals(LocalDate.now(), order.day());",
            r#"Clock clock = Clock.fixed(Instant.parse("2024-05-01T10:00:00Z"), ZoneOffset.UTC);
Order order = new Order(clock);
assertEquals(LocalDate.of(2024, 5, 1), order.day());"#,
        ),
        CauseKind::TimeZoneLocale => (
            r#"String shown = new SimpleDateFormat("d MMM HH:mm").format(date);"#,
            r#"SimpleDateFormat format = new SimpleDateFormat("d MMM HH:mm", Locale.ROOT);
format.setTimeZone(TimeZone.getTimeZone("UTC"));
String shown = format.format(date);"#,
        ),
        CauseKind::Randomness => (
            r"Random random = new Random();",
            r"long seed = 42; // or a new one each time, printed when the test fails
Random random = new Random(seed);",
        ),
        CauseKind::SleepTimeout => (
            r"service.start();
Thread.sleep(500);
assertTrue(service.isReady());",
            r"service.start();
await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertTrue(service.isReady())); // Awaitility",
        ),
        CauseKind::Concurrency => (
            r"executor.submit(() -> cart.add(item));
assertEquals(1, cart.size());",
            r"Future<?> added = executor.submit(() -> cart.add(item));
added.get(30, TimeUnit.SECONDS);
assertEquals(1, cart.size());",
        ),
        CauseKind::Network => (
            r"Server server = new Server(8080);
server.start();",
            r"Server server = new Server(0); // the system picks a free port
server.start();
int port = server.getLocalPort();",
        ),
        CauseKind::Files => (
            r#"File file = new File(System.getProperty("java.io.tmpdir"), "orders.csv");
String[] names = directory.list();"#,
            r#"@TempDir Path own; // JUnit 5; a TemporaryFolder rule with JUnit 4
Path file = own.resolve("orders.csv");
String[] names = directory.list();
Arrays.sort(names);"#,
        ),
        CauseKind::StaticState => (
            r"@Test void strict() {
    Registry.strict = true;
    assertThrows(IllegalStateException.class, () -> Registry.add(null));
}",
            r"@AfterEach void reset() {
    Registry.strict = false; // what other tests expect
}",
        ),
        CauseKind::Environment => return None,
    };
    Some(Sketch { before, after })
}

#[cfg(test)]
mod tests {
    use super::{CauseKind, sketch};

    #[test]
    fn sketches_differ_before_and_after() {
        let kinds = CauseKind::all().into_iter().filter(|it| *it != CauseKind::Environment);
        for kind in kinds {
            let sketch = sketch(kind).expect("a sketch for every kind but one");
            assert_ne!(sketch.before, sketch.after, "{}", kind.id());
        }
    }

    #[test]
    fn a_kind_without_a_common_form_has_no_sketch() {
        assert!(sketch(CauseKind::Environment).is_none());
    }
}
