//! Library calls that are reachable from a test.

use peeler_analysis::{Analysis, Limits, MAX_DEPTH, Repository};

/// The library calls of the only test: origin, depth and call.
fn reached(files: &[(&str, &str)]) -> Vec<String> {
    reached_within(MAX_DEPTH, files)
}

fn reached_within(deepest: usize, files: &[(&str, &str)]) -> Vec<String> {
    let sources = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    let repository = Repository::from_sources(sources.collect());
    let analysis = Analysis::new(&repository);
    let mut reached = Vec::new();
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| analysis.reach(&traced, deepest),
        |reach| {
            for (origin, way) in [("body", &reach.body), ("setup", &*reach.setup)] {
                reached.extend(way.calls.iter().map(|it| format!("{origin} {} {it}", it.depth)));
            }
        },
    );
    reached
}

const TEST: &str = r#"
    package t;
    import org.junit.*;
    public class PumpTest {
        private final Pump pump = new Pump();
        @Before public void start() { Registry.clear(); }
        @Test public void runs() { drain(); }
        private void drain() { pump.run(); Thread.sleep(5); }
    }"#;

#[test]
fn helpers_are_the_test_and_what_it_calls_is_one_step_away() {
    let pump = r#"
        package t;
        import java.util.HashMap;
        public class Pump {
            private final HashMap<String, String> seen = new HashMap<>();
            public void run() { Valve.open(); }
        }"#;
    let valve = r#"
        package t;
        import java.net.ServerSocket;
        public class Valve { static void open() { new ServerSocket(0); } }"#;
    let registry = r#"
        package t;
        public class Registry { static void clear() { System.gc(); } }"#;
    let files = [
        ("PumpTest.java", TEST),
        ("Pump.java", pump),
        ("Valve.java", valve),
        ("Registry.java", registry),
    ];
    let calls = reached(&files);
    assert!(calls.contains(&"body 0 Thread#sleep".to_owned()), "{calls:?}");
    assert!(calls.contains(&"body 2 ServerSocket#<init>".to_owned()), "{calls:?}");
    assert!(calls.contains(&"setup 1 HashMap#<init>".to_owned()), "{calls:?}");
    assert!(calls.contains(&"setup 1 System#gc".to_owned()), "{calls:?}");
    // A walk with a smaller depth finds a prefix of the results.
    let near: Vec<String> = calls.into_iter().filter(|it| !it.contains(" 2 ")).collect();
    assert_eq!(reached_within(1, &files), near);
}

#[test]
fn recursion_and_a_thousand_bodies_come_to_an_end() {
    use std::fmt::Write as _;
    let mut pump = String::from("package t; public class Pump { public void run() { m0(); run(); }\n");
    for at in 0..2_000 {
        let _ = writeln!(
            pump,
            "void m{at}() {{ m{}(); m{}(); }}",
            (at * 7 + 1) % 2_000,
            (at * 3 + 2) % 2_000
        );
    }
    pump.push('}');
    let calls = reached(&[("PumpTest.java", TEST), ("Pump.java", &pump)]);
    assert!(calls.contains(&"body 0 Thread#sleep".to_owned()), "{calls:?}");
}

#[test]
fn bodies_beyond_the_limit_are_counted() {
    let dropped = |methods: usize| {
        let calls = (0..methods)
            .map(|at| format!("m{at}();\n"))
            .collect::<Vec<_>>()
            .concat();
        let bodies = (0..methods)
            .map(|at| format!("void m{at}() {{ System.gc(); }}\n"))
            .collect::<Vec<_>>()
            .concat();
        let pump = format!("package t; public class Pump {{ public void run() {{ {calls} }} {bodies} }}");
        let sources = [("PumpTest.java", TEST.to_owned()), ("Pump.java", pump)];
        let sources = sources.map(|(path, text)| (path.to_owned(), text.into_bytes()));
        let repository = Repository::from_sources(sources.to_vec());
        let analysis = Analysis::new(&repository);
        let mut dropped = Vec::new();
        analysis.extract(
            Limits::default(),
            |_| true,
            |traced| analysis.reach(&traced, MAX_DEPTH),
            |reach| dropped.push((reach.body.dropped_bodies, reach.setup.dropped_bodies)),
        );
        dropped
    };
    // The test also reaches itself, its helper and `run`.
    assert_eq!(dropped(597), [(0, 0)]);
    assert_eq!(dropped(600), [(3, 0)]);
}
