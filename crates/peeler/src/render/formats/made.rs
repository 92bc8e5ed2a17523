//! A sample scan for unit tests of output formats.
//!
//! One finding has a flow across two files. Another has no cause, and its texts contain the special characters of every
//! format.

use std::io::{self, Write};

use peeler_analysis::CauseKind;
use peeler_features::{Rule, TestName};
use peeler_learning::track_record::TrackRecord;

use crate::finding::{
    Edge, EdgeKind, Excerpt, Finding, FlowPlace, FoundBy, Graph, ModelSummary, Neighbour, Node, NodeKind, Origin, Path,
    Problem, Proof, Region, RerunStatus, Role, RootCause, RuleMatch, SCHEMA, Scan, Summary, TestScore, Tool,
    WitnessStep,
};

pub(crate) const TEST_FILE: &str = "src/test/Größe & Maß/100% ok, OrderTest.java";
pub(crate) const CODE_FILE: &str = "src/main/Order.java";
pub(super) const HOSTILE: &str = "<script>alert(\"it's\")</script> & ]]> 100%, %0A a::b,c=d\r\n::error::\t\u{1} \
                                  \u{1b}[0m {0} [link](1) back\\slash \u{fffe} naïve 💥";

/// The text that an output format writes for a scan.
pub(super) fn written(write: impl Fn(&Scan, &mut dyn Write) -> io::Result<()>, scan: &Scan) -> String {
    let mut out = Vec::new();
    write(scan, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

pub(crate) fn scan() -> Scan {
    Scan {
        version: SCHEMA,
        tool: Tool {
            name: "peeler".to_owned(),
            version: "0.1.0".to_owned(),
        },
        model: ModelSummary {
            name: "small".to_owned(),
            ranks: Vec::new(),
            threshold: 0.5,
            track_record: TrackRecord::default(),
            tuned: None,
        },
        roots: vec![".".to_owned()],
        checkout: None,
        summary: Summary {
            files: 3,
            tests: 3,
            findings: 2,
            suppressed: 0,
            disabled: 0,
            below_threshold: 0,
            without_graph: 0,
            known: 0,
            stale: 0,
            excluded: 0,
            given: None,
            since: None,
            reused: 0,
            incomplete: 0,
            milliseconds: 1024,
        },
        findings: vec![with_cause(), without_cause()],
        known: Vec::new(),
        likeliest: Vec::new(),
        tests: None,
        problems: vec![Problem {
            file: "src/test/Bröken Test.java".to_owned(),
            message: HOSTILE.to_owned(),
        }],
    }
}

/// A sample scan with the probabilities of three tests, two of which are findings.
pub(crate) fn scan_with_tests() -> Scan {
    let mut scan = scan();
    let mut tests: Vec<TestScore> = scan.findings.iter().map(judged).collect();
    tests.push(TestScore {
        test: TestName::new("shop.OrderTest", "discount"),
        line: 25,
        probability: 0.02,
        rules: Vec::new(),
        ..tests[0].clone()
    });
    scan.tests = Some(tests);
    scan.model.track_record = TrackRecord::new(&[0.04, 0.4, 0.9], &[false, true, true]);
    scan
}

fn judged(finding: &Finding) -> TestScore {
    TestScore {
        test: finding.test.clone(),
        file: finding.file.clone(),
        line: finding.line,
        probability: finding.probability,
        kinds: Vec::new(),
        rules: finding.rules.iter().map(|it| it.rule).collect(),
    }
}

fn with_cause() -> Finding {
    Finding {
        test: TestName::new("shop.OrderTest", "total"),
        file: TEST_FILE.to_owned(),
        line: 12,
        end_line: 20,
        probability: 0.93,
        kind: None,
        kinds: Vec::new(),
        found_by: FoundBy::Both,
        below_threshold: false,
        inherited_by: Vec::new(),
        rules: vec![RuleMatch {
            rule: Rule::ClockCompared,
            name: "clock-compared".to_owned(),
            what: "reads the time of day".to_owned(),
            source: place(CODE_FILE, 30, "Instant.now()"),
            steps: vec![
                place(CODE_FILE, 31, "prices[0](now) { return; }"),
                place(TEST_FILE, 15, "long total = order.total()"),
            ],
            oracle: Some(place(TEST_FILE, 18, "assertEquals(42, total)")),
            origin: Origin::CodeUnderTest,
            calls: 2,
            is_sure: true,
            partners: Vec::new(),
            advice: "Pass a fixed clock in.".to_owned(),
        }],
        root_cause: Some(RootCause {
            kind: CauseKind::Clock,
            title: "depends on the clock".to_owned(),
            what: "reads the time of day".to_owned(),
            file: CODE_FILE.to_owned(),
            line: 30,
            text: "Instant.now()".to_owned(),
            advice: "Pass a fixed clock in.".to_owned(),
        }),
        reason: "the test depends on the clock".to_owned(),
        fingerprint: "0123456789abcdef".to_owned(),
        witness: vec![
            step(Role::Source, CODE_FILE, 30, "Instant.now()"),
            step(Role::Step, CODE_FILE, 31, "prices[0](now) { return; }"),
            step(Role::Step, TEST_FILE, 15, "long total = order.total()"),
            step(Role::Assertion, TEST_FILE, 18, "assertEquals(42, total)"),
        ],
        paths: vec![Path {
            attention: Some(0.7),
            nodes: vec![0, 1],
            edges: vec![0],
        }],
        graph: Graph {
            nodes: vec![node("order", 14), node("total", 15)],
            edges: vec![Edge {
                from: 0,
                to: 1,
                operation: "total".to_owned(),
                kind: EdgeKind::Call,
                line: 15,
                cut: Some("shop.Order#total".to_owned()),
            }],
        },
        source: Excerpt {
            file: TEST_FILE.to_owned(),
            first_line: 11,
            lines: vec!["@Test".to_owned(), "void total() {".to_owned()],
        },
        neighbours: vec![Neighbour {
            test: TestName::new("shop.BasketTest$Empty", "isEmpty"),
            file: None,
            probability: 0.61,
        }],
        proof: Some(Proof {
            showed: RerunStatus::Flaky,
            runs: 100,
            failures: 3,
            how: Some("it fails when it is late".to_owned()),
            failure: Some("expected 42 but was 41".to_owned()),
            command: Some("peeler confirm . --replay log.jsonl --test 'shop.OrderTest#total'".to_owned()),
        }),
    }
}

fn without_cause() -> Finding {
    Finding {
        test: TestName::new("shop.BasketTest$Empty", "isEmpty"),
        file: "src/test/BasketTest.java".to_owned(),
        line: 7,
        end_line: 9,
        probability: 0.61,
        kind: None,
        kinds: Vec::new(),
        found_by: FoundBy::Network,
        below_threshold: false,
        inherited_by: Vec::new(),
        rules: Vec::new(),
        root_cause: None,
        reason: HOSTILE.to_owned(),
        fingerprint: "fedcba9876543210".to_owned(),
        witness: Vec::new(),
        paths: Vec::new(),
        graph: Graph::default(),
        source: Excerpt {
            file: "src/test/BasketTest.java".to_owned(),
            first_line: 7,
            lines: vec![HOSTILE.to_owned()],
        },
        neighbours: Vec::new(),
        proof: None,
    }
}

fn step(role: Role, file: &str, line: u32, text: &str) -> WitnessStep {
    let FlowPlace { region, text } = place(file, line, text);
    WitnessStep {
        role,
        region,
        text,
        source: None,
    }
}

fn place(file: &str, line: u32, text: &str) -> FlowPlace {
    FlowPlace {
        region: Region {
            file: file.to_owned(),
            line,
            column: 9,
            end_line: line,
            end_column: 22,
        },
        text: text.to_owned(),
    }
}

fn node(text: &str, line: u32) -> Node {
    Node {
        text: text.to_owned(),
        kind: NodeKind::Variable,
        line,
        file: None,
        start: line == 14,
        assert: line == 15,
    }
}
