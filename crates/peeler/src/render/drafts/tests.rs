//! Sample findings for unit tests of draft issues.

mod hostile;
mod whole;

use peeler_analysis::CauseKind;
use peeler_features::{Rule, TestName};
use peeler_learning::track_record::TrackRecord;

use super::{Draft, Grouping, drafts};
use crate::build_layout::{BuildKind, BuildLayout};
use crate::finding::{
    Excerpt, Finding, FlowPlace, FoundBy, Graph, ModelSummary, Origin, Proof, Region, RerunStatus, Role, RootCause,
    RuleMatch, SCHEMA, Scan, Summary, Tool, WitnessStep,
};

const TEST_FILE: &str = "orders/src/test/java/dev/shop/OrderTest.java";
const MAIN_FILE: &str = "orders/src/main/java/dev/shop/Order.java";

/// The build tools of the tests, both with a wrapper.
#[derive(Debug, Clone, Copy)]
enum Build {
    Maven,
    Gradle,
}

const MAVEN: Build = Build::Maven;
const GRADLE: Build = Build::Gradle;

impl Build {
    fn layout(self) -> BuildLayout {
        match self {
            Self::Maven => BuildLayout::same(BuildKind::Maven),
            Self::Gradle => BuildLayout::same(BuildKind::Gradle),
        }
    }
}

/// A sample finding caused by a `HashMap` that is compared as text.
pub(super) fn cause_in_the_test() -> Finding {
    Finding {
        test: TestName::new("dev.shop.OrderTest", "totals"),
        file: TEST_FILE.to_owned(),
        line: 21,
        end_line: 27,
        probability: 0.874,
        kind: None,
        kinds: Vec::new(),
        found_by: FoundBy::Both,
        below_threshold: false,
        inherited_by: Vec::new(),
        rules: vec![matched(Rule::UnorderedTextCompared, Origin::Body)],
        root_cause: Some(RootCause {
            kind: CauseKind::UnorderedCollection,
            title: Rule::UnorderedTextCompared.title().to_owned(),
            what: "turns a HashMap into text, in no defined order".to_owned(),
            file: TEST_FILE.to_owned(),
            line: 26,
            text: "totals.toString()".to_owned(),
            advice: "Compare without order, or use a LinkedHashMap where the order is meant.".to_owned(),
        }),
        reason: "`totals` has no defined order and reaches `assertEquals` as text".to_owned(),
        fingerprint: "5f1c0a".to_owned(),
        witness: vec![
            step(Role::Source, TEST_FILE, 22, "new HashMap<>()"),
            step(Role::Step, TEST_FILE, 23, "totals.put(\"ada\", 1)"),
            step(
                Role::Assertion,
                TEST_FILE,
                26,
                "assertEquals(\"{ada=1, bob=2}\", totals.toString())",
            ),
        ],
        paths: Vec::new(),
        graph: Graph::default(),
        source: Excerpt {
            file: TEST_FILE.to_owned(),
            first_line: 20,
            lines: lines(&[
                "    @Test",
                "    void totals() {",
                "        Map<String, Integer> totals = new HashMap<>();",
                "        totals.put(\"ada\", 1);",
                "        totals.put(\"bob\", 2);",
                "        // both customers are listed",
                "        assertEquals(\"{ada=1, bob=2}\", totals.toString());",
                "    }",
            ]),
        },
        neighbours: Vec::new(),
        proof: None,
    }
}

/// A sample finding caused by a clock two calls away from the test, which runs proved flaky.
fn cause_two_calls_away() -> Finding {
    Finding {
        test: TestName::new("dev.shop.OrderTest$Late", "isDueToday"),
        line: 40,
        end_line: 44,
        probability: 0.71,
        rules: vec![matched(Rule::ClockCompared, Origin::CodeUnderTest)],
        root_cause: Some(RootCause {
            kind: CauseKind::Clock,
            title: Rule::ClockCompared.title().to_owned(),
            what: "reads the clock".to_owned(),
            file: MAIN_FILE.to_owned(),
            line: 118,
            text: "LocalDate.now()".to_owned(),
            advice: "Pass a fixed java.time.Clock in.".to_owned(),
        }),
        reason: "Order#today reads the clock".to_owned(),
        fingerprint: "77ab12".to_owned(),
        witness: vec![
            step(Role::Source, MAIN_FILE, 118, "LocalDate.now()"),
            step(Role::Step, MAIN_FILE, 90, "return today()"),
            step(Role::Assertion, TEST_FILE, 42, "assertTrue(order.isDue())"),
        ],
        source: Excerpt {
            file: TEST_FILE.to_owned(),
            first_line: 39,
            lines: lines(&[
                "        @Test",
                "        void isDueToday() {",
                "            Order order = new Order(LocalDate.now());",
                "            assertTrue(order.isDue());",
                "        }",
            ]),
        },
        proof: Some(Proof {
            showed: RerunStatus::Flaky,
            runs: 100,
            failures: 7,
            how: Some("it changes under the same conditions".to_owned()),
            failure: Some("AssertionFailedError: expected: <true> but was: <false>".to_owned()),
            command: Some(
                "peeler confirm . --replay .peeler/evidence.jsonl --test 'dev.shop.OrderTest$Late#isDueToday'"
                    .to_owned(),
            ),
        }),
        ..cause_in_the_test()
    }
}

fn no_cause() -> Finding {
    Finding {
        test: TestName::new("CartTest", "merges"),
        file: "src/test/java/CartTest.java".to_owned(),
        line: 9,
        end_line: 9,
        probability: 0.62,
        kind: None,
        kinds: Vec::new(),
        found_by: FoundBy::Network,
        below_threshold: false,
        inherited_by: Vec::new(),
        rules: Vec::new(),
        root_cause: None,
        reason: String::new(),
        fingerprint: "c0ffee".to_owned(),
        witness: Vec::new(),
        source: Excerpt {
            file: "src/test/java/CartTest.java".to_owned(),
            first_line: 9,
            lines: lines(&["    @Test void merges() { assertTrue(new Cart().merge(other)); }"]),
        },
        ..cause_in_the_test()
    }
}

pub(super) fn in_file(finding: Finding, test: &str, file: &str) -> Finding {
    Finding {
        test: test.parse().expect("a test name"),
        file: file.to_owned(),
        ..finding
    }
}

pub(super) fn of_kind(mut finding: Finding, kind: CauseKind) -> Finding {
    if let Some(cause) = &mut finding.root_cause {
        cause.kind = kind;
    }
    finding
}

pub(super) fn with_lines(mut finding: Finding, lines: Vec<String>) -> Finding {
    finding.source.lines = lines;
    finding
}

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|it| (*it).to_owned()).collect()
}

/// A sample flow that `rule` reports, whose source is in the kind of code that `origin` names.
fn matched(rule: Rule, origin: Origin) -> RuleMatch {
    let file = if origin.is_direct() { TEST_FILE } else { MAIN_FILE };
    let WitnessStep { region, text, .. } = step(Role::Source, file, 22, "source()");
    RuleMatch {
        rule,
        name: rule.name().to_owned(),
        what: "does it".to_owned(),
        source: FlowPlace { region, text },
        steps: Vec::new(),
        oracle: None,
        origin,
        calls: 0,
        is_sure: true,
        partners: Vec::new(),
        advice: rule.advice().to_owned(),
    }
}

fn step(role: Role, file: &str, line: u32, text: &str) -> WitnessStep {
    let region = Region {
        file: file.to_owned(),
        line,
        column: 9,
        end_line: line,
        end_column: 20,
    };
    let text = text.to_owned();
    WitnessStep {
        role,
        region,
        text,
        source: None,
    }
}

fn scan(findings: Vec<Finding>) -> Scan {
    Scan {
        version: SCHEMA,
        tool: Tool {
            name: "peeler".to_owned(),
            version: "0.1.0".to_owned(),
        },
        model: ModelSummary {
            name: "default".to_owned(),
            ranks: Vec::new(),
            threshold: 0.5,
            track_record: TrackRecord::default(),
            tuned: None,
        },
        roots: vec![".".to_owned()],
        checkout: None,
        summary: Summary {
            files: 12,
            tests: 40,
            findings: findings.len(),
            ..Summary::default()
        },
        findings,
        known: Vec::new(),
        likeliest: Vec::new(),
        tests: None,
        problems: Vec::new(),
    }
}

fn drafted(findings: Vec<Finding>, grouping: Grouping, build: Build) -> Vec<Draft> {
    drafts(&scan(findings), grouping, &build.layout(), 0.0)
}
