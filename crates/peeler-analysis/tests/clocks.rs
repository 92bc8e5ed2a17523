//! Comparisons of clock readings: which of them can differ from run to run.

mod unsettled;

use unsettled::unsettled_flows;

const NONE: [&str; 0] = [];

/// The rules of the unsettled flows of a test with this body, beside a class `Payload` that reads the clock once.
fn rules(body: &str) -> Vec<&'static str> {
    let test = format!(
        "package t; import static org.junit.Assert.*; import java.time.*; import java.util.*; import org.junit.*;
         public class A {{ @Test public void test() {{ {body} }} }}"
    );
    let code = "package t; import java.time.*; public class Payload { private final Instant made = Instant.now(); \
         public Instant made() { return made; } public Instant now() { return Instant.now(); } }";
    let files = [("A.java", test.as_str()), ("Payload.java", code)];
    unsettled_flows(&files).into_iter().map(|it| it.rule.id()).collect()
}

#[test]
fn what_is_read_last_is_never_earlier() {
    let payload = |check: &str| rules(&format!("Payload it = new Payload(); {check}"));
    assert_eq!(payload("assertFalse(Instant.now().isBefore(it.made()));"), NONE);
    assert_eq!(
        rules("Instant start = Instant.now(); assertFalse(Instant.now().isBefore(start));"),
        NONE
    );
    assert_eq!(
        payload("assertTrue(it.made().isBefore(Instant.now()));"),
        ["PLR301"],
        "both may be read in the same tick"
    );
    assert_eq!(
        payload("assertFalse(Instant.now().isBefore(it.now()));"),
        ["PLR301"],
        "the argument is read after the receiver"
    );
}

#[test]
fn a_calendar_that_is_moved_is_another_time() {
    let after = |moved: &str| {
        rules(&format!(
            "Calendar before = Calendar.getInstance(); {moved} Date now = new Date(); \
             assertTrue(now.after(before.getTime()));"
        ))
    };
    assert_eq!(after(""), ["PLR301"]);
    assert_eq!(after("before.add(Calendar.DATE, -1);"), NONE);
    let minutes = "Calendar one = Calendar.getInstance(), two = Calendar.getInstance(); \
                   assertEquals(one.get(Calendar.MINUTE), two.get(Calendar.MINUTE));";
    assert_eq!(
        rules(minutes),
        ["PLR301", "PLR301"],
        "a part of a time is no other time"
    );
}

#[test]
fn an_order_of_unknown_times_depends_on_no_clock() {
    let bounds = "Instant before = Instant.now().minus(Duration.ofSeconds(2)); \
         java.util.stream.Stream<String> lines = java.nio.file.Files.lines(java.nio.file.Paths.get(\"log\"));";
    let check = "assertTrue(lines.map(Instant::parse).findFirst().get().isAfter(before));";
    assert_eq!(rules(&format!("{bounds} {check}")), NONE);
}

#[test]
fn clocks_are_compared_by_their_zones() {
    assert_eq!(
        rules("assertEquals(Clock.system(ZoneOffset.UTC), Clock.system(ZoneOffset.UTC));"),
        NONE
    );
    let millis = "assertEquals(Clock.system(ZoneOffset.UTC).millis(), Clock.system(ZoneOffset.UTC).millis());";
    assert_eq!(rules(millis), ["PLR301", "PLR301"], "one for each reading");
}
