//! Tests of findings that are not reported: suppressed in the code or known to a baseline.

mod support;

use support::{Project, found};

/// The source of two tests that sleep, each on separate lines.
const SLEEPY: &str = "import org.junit.*;
public class MadeTest {
    @Test
    public void first() throws Exception {
        Thread.sleep(10);
        Assert.assertTrue(done());
    }
    @Test
    public void second() throws Exception {
        Thread.sleep(20);
        Assert.assertTrue(done());
    }
    static boolean done() { return true; }
}
";

/// The last line of a scan's text output.
fn closing(project: &Project, arguments: &[&str], code: i32) -> String {
    let every = ["scan", "--min-probability", "0", "--ignore", "ALL"];
    let shown = project.peeler(&[&every, arguments].concat()).ended(code).stdout;
    shown.lines().last().expect("a closing line").to_owned()
}

#[test]
fn a_suppressed_test_is_counted_and_not_listed() {
    let silent = SLEEPY.replacen("@Test", "// peeler:ignore the machine is ours\n@Test", 1);
    let project = Project::java(&silent);
    let scan = project.scan(&["--all"]);
    assert_eq!(found(&scan), ["MadeTest#second"]);
    assert_eq!(
        (&scan["summary"]["findings"], &scan["summary"]["suppressed"]),
        (&1.into(), &1.into())
    );
    assert_eq!(
        scan["tests"].as_array().map(Vec::len),
        Some(2),
        "every test keeps its probability"
    );
    let line = closing(&project, &[], 1);
    assert!(
        line.starts_with("1 finding: ") && line.ends_with("; 1 suppressed in the code"),
        "{line}"
    );
}

#[test]
fn a_suppressed_class_ends_with_status_0_and_takes_no_place_among_the_first() {
    let class = SLEEPY.replace(
        "public class",
        "@SuppressWarnings({\"unchecked\", \"peeler\"})\npublic class",
    );
    let project = Project::java(&class);
    let line = closing(&project, &[], 0);
    assert!(
        line.starts_with("no findings") && line.ends_with("; 2 suppressed in the code"),
        "{line}"
    );
    project.write("OtherTest.java", SLEEPY.replace("MadeTest", "OtherTest"));
    let scan = project.scan(&["--top", "1"]);
    assert_eq!(scan["findings"][0]["file"], "OtherTest.java");
    assert_eq!(scan["summary"]["suppressed"], 2);
}

#[test]
fn a_suppressed_test_is_still_explained_with_who_asked_for_silence() {
    let silent = SLEEPY.replacen("@Test", "// peeler:ignore the machine is ours\n@Test", 1);
    let project = Project::java(&silent);
    let explain = |test: &str| project.peeler(&["explain", ".", "--test", test]).ended(0).stdout;
    let shown = explain("MadeTest#first");
    assert!(
        shown.contains("scans do not report it, as requested in MadeTest.java:3: the machine is ours"),
        "{shown}"
    );
    assert!(!explain("MadeTest#second").contains("silent"));
}

#[test]
fn a_written_baseline_silences_its_findings_also_when_lines_move() {
    let project = Project::java(SLEEPY);
    let written = project
        .peeler(&[
            "scan",
            "--min-probability",
            "0",
            "--ignore",
            "ALL",
            "--write-baseline",
            "known.json",
        ])
        .ended(0);
    assert!(
        written.stdout.contains("MadeTest#first"),
        "the findings are listed once more"
    );
    assert!(
        written.stderr.contains("wrote 2 known findings to known.json"),
        "{}",
        written.stderr
    );
    let entries: Vec<String> = project.read("known.json").lines().map(str::to_owned).collect();
    assert!(
        entries[3].contains("\"test\":\"MadeTest#first\",\"file\":\"MadeTest.java\",\"cause\":null,\"fingerprint\":")
    );
    assert!(entries[4].contains("MadeTest#second"), "{entries:?}");

    project.write("MadeTest.java", format!("\n\n// moved\n{SLEEPY}"));
    let line = closing(&project, &["--baseline", "known.json"], 0);
    assert!(
        line.starts_with("no findings") && line.ends_with("; 2 known to the baseline"),
        "{line}"
    );
    let scan = project.scan(&["--ignore", "ALL", "--baseline", "known.json"]);
    assert_eq!(
        (&scan["summary"]["known"], &scan["summary"]["stale"]),
        (&2.into(), &0.into())
    );
    let mut known: Vec<&str> = scan["known"]
        .as_array()
        .expect("known")
        .iter()
        .filter_map(|it| it["test"].as_str())
        .collect();
    known.sort_unstable();
    assert_eq!(
        known,
        ["MadeTest#first", "MadeTest#second"],
        "what is not listed is named"
    );
}

#[test]
fn a_new_finding_is_told_from_known_ones_and_takes_the_first_place() {
    let project = Project::java(SLEEPY);
    project
        .peeler(&[
            "scan",
            "--min-probability",
            "0",
            "--ignore",
            "ALL",
            "--write-baseline",
            "known.json",
        ])
        .ended(0);
    project.write("NewTest.java", SLEEPY.replace("MadeTest", "NewTest"));
    project
        .peeler(&[
            "scan",
            "--min-probability",
            "0",
            "--ignore",
            "ALL",
            "--baseline",
            "known.json",
        ])
        .ended(1);
    let scan = project.scan(&["--ignore", "ALL", "--baseline", "known.json", "--top", "1"]);
    assert_eq!(scan["findings"][0]["file"], "NewTest.java");
    let neighbours = scan["findings"][0]["neighbours"].as_array().expect("neighbours");
    assert_eq!(neighbours.len(), 0, "a report leads to listed findings only");
}

#[test]
fn stale_entries_are_mentioned_and_go_when_the_baseline_is_written_anew() {
    let project = Project::java(SLEEPY);
    project
        .peeler(&[
            "scan",
            "--min-probability",
            "0",
            "--ignore",
            "ALL",
            "--write-baseline",
            "known.json",
        ])
        .ended(0);
    let (first, rest) = SLEEPY.split_at(SLEEPY.find("    @Test\n    public void second").expect("a second test"));
    let end = rest.find("    static").expect("an end");
    project.write("MadeTest.java", format!("{first}{}", &rest[end..]));
    let line = closing(&project, &["--baseline", "known.json"], 0);
    assert!(
        line.contains("; 1 known to the baseline; 1 entry of the baseline is stale; --write-baseline"),
        "{line}"
    );
    project
        .peeler(&[
            "scan",
            "--min-probability",
            "0",
            "--ignore",
            "ALL",
            "--baseline",
            "known.json",
            "--write-baseline",
            "known.json",
        ])
        .ended(0);
    let text = project.read("known.json");
    assert!(
        text.contains("MadeTest#first") && !text.contains("MadeTest#second"),
        "known ones stay: {text}"
    );
}

#[test]
fn a_test_of_two_modules_is_one_finding_and_one_entry() {
    let project = Project::of(&[("a/MadeTest.java", SLEEPY), ("b/MadeTest.java", SLEEPY)]);
    project
        .peeler(&[
            "scan",
            "--min-probability",
            "0",
            "--ignore",
            "ALL",
            "--write-baseline",
            "known.json",
        ])
        .ended(0);
    let text = project.read("known.json");
    assert_eq!(text.matches("MadeTest#first").count(), 1, "{text}");
    // The copy has the same name, so it is the same finding.
    std::fs::remove_file(project.path("a/MadeTest.java")).expect("a file");
    let line = closing(&project, &["--baseline", "known.json"], 0);
    assert!(line.ends_with("; 2 known to the baseline"), "{line}");
}

#[test]
fn a_baseline_that_cannot_be_read_or_written_is_refused_with_the_remedy() {
    let project = Project::java(SLEEPY);
    let remedy = "peeler scan --write-baseline known.json";
    let refuses = |words: &[&str]| project.peeler(&["scan", "--baseline", "known.json"]).refused(words);
    refuses(&["cannot read the baseline known.json", remedy]);
    for broken in [
        "",
        "[]",
        "{}",
        "{\"version\": 1}",
        "{\"version\": 1, \"findings\": [{\"test\": \"a\"}]}",
    ] {
        project.write("known.json", broken);
        refuses(&["known.json is not a baseline", remedy]);
    }
    project.write("known.json", "{\"version\": 9, \"findings\": []}");
    refuses(&["known.json has format version 9", remedy]);
    project
        .peeler(&["scan", "--write-baseline", "no/such/known.json"])
        .refused(&["no/such/known.json", "does the folder exist?"]);
    project.write("folder/file", "");
    project
        .peeler(&["scan", "--write-baseline", "folder"])
        .refused(&["cannot write the baseline folder"]);
    assert!(!project.path("folder.unfinished").exists(), "nothing unfinished stays");
}
