//! Tests of the drafts of issues: what they are about, their commands, and their links.

mod support;

use std::process::Command;

use serde_json::json;
use support::{Project, Ran};

/// A test that compares the text of a `HashMap`.
const PRINTER: &str = "package shop; import org.junit.*; import java.util.*; public class NapTest {\n\
                       @Test public void naps() {\n\
                       Map<String, Integer> counts = new HashMap<>(); counts.put(\"a\", 1); counts.put(\"b\", 2);\n\
                       Assert.assertEquals(\"{a=1, b=2}\", counts.toString()); } }";

/// A repository with a Maven build in one folder and a Gradle build in another, with one commit and a remote.
fn repository() -> Project {
    let project = Project::of(&[
        ("backend/pom.xml", "<project/>"),
        ("backend/orders/pom.xml", "<project/>"),
        ("backend/orders/src/test/java/shop/NapTest.java", PRINTER),
        ("app/settings.gradle", ""),
        ("app/gradlew", ""),
        ("app/core/build.gradle", ""),
        (
            "app/core/src/test/java/shop/RestTest.java",
            &PRINTER.replace("NapTest", "RestTest"),
        ),
        ("tools/LooseTest.java", &PRINTER.replace("NapTest", "LooseTest")),
    ]);
    git(&project, &["init", "-q", "-b", "main"]);
    git(&project, &["remote", "add", "origin", "git@github.com:owner/shop.git"]);
    git(&project, &["add", "-A"]);
    git(&project, &["commit", "-q", "-m", "Start"]);
    project
}

fn git(project: &Project, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    let mut command = Command::new("git");
    command.args(identity).args(arguments).current_dir(project.path(""));
    Ran::of(&mut command).ended(0).stdout.trim().to_owned()
}

/// Scans with `--all`, then drafts with additional options. Returns what the second command said.
fn drafted(project: &Project, options: &[&str]) -> Ran {
    let scan = ["scan", "--all", "--format", "json", "-o", "scan.json", "--no-cache"];
    project.peeler(&scan).ended(1);
    let _ = std::fs::remove_dir_all(project.path("drafts"));
    let report = ["report", "scan.json", "--out", "drafts"];
    project.peeler(&[&report[..], options].concat()).ended(0)
}

/// The draft about a test of the class.
fn draft(project: &Project, class: &str) -> String {
    let entries = project.path("drafts").read_dir().expect("drafts").flatten();
    let mut texts = entries.filter_map(|it| std::fs::read_to_string(it.path()).ok());
    let start = format!("# Unproven: Test may be flaky: {class}#");
    texts
        .find(|it| it.starts_with(&start))
        .unwrap_or_else(|| panic!("no draft about {class}"))
}

#[test]
fn only_proven_tests_are_drafted_unless_others_are_asked_for() {
    let project = repository();
    let said = drafted(&project, &[]);
    assert!(said.stdout.starts_with("wrote 0 drafts"), "{said:?}");
    assert!(
        said.stderr.contains("3 of 3 findings are not proven by runs"),
        "{said:?}"
    );
    assert!(said.stderr.contains("--unproven"), "{said:?}");
    let run = |outcome: &str| json!({"event": "run", "test": "shop.NapTest#naps", "stage": "repeat", "jvm": 1, "outcome": outcome, "milliseconds": 1});
    project.write("log.jsonl", format!("{}\n{}\n", run("passed"), run("failed")));
    let proven = drafted(&project, &["--proof", "log.jsonl"]);
    assert!(proven.stdout.starts_with("wrote 1 drafts"), "{proven:?}");
    let text = project.read("drafts/001-nap-test-naps.md");
    assert!(
        text.starts_with("# Test is flaky: NapTest#naps failed 1 of 2 runs\n"),
        "{text}"
    );
    let all = drafted(&project, &["--unproven"]);
    assert!(all.stdout.starts_with("wrote 3 drafts"), "{all:?}");
}

#[test]
fn commands_name_the_module_of_the_nearest_build_file() {
    let project = repository();
    drafted(&project, &["--unproven"]);
    let maven = draft(&project, "NapTest");
    assert!(
        maven.contains("mvn -f backend -pl orders -Dtest='NapTest#naps' test\n"),
        "{maven}"
    );
    assert!(!maven.contains("gradle"), "{maven}");
    let gradle = draft(&project, "RestTest");
    assert!(
        gradle.contains("app/gradlew -p app :core:test --tests shop.RestTest.naps\n"),
        "{gradle}"
    );
    assert!(!gradle.contains("mvn"), "{gradle}");
    let loose = draft(&project, "LooseTest");
    assert!(loose.contains("No build file was found beside the test"), "{loose}");
    assert!(!loose.contains("gradle"), "{loose}");
}

#[test]
fn drafts_name_the_commit_and_link_lines_to_the_forge() {
    let project = repository();
    let commit = git(&project, &["rev-parse", "HEAD"]);
    drafted(&project, &["--unproven"]);
    let text = draft(&project, "NapTest");
    let link =
        format!("](https://github.com/owner/shop/blob/{commit}/backend/orders/src/test/java/shop/NapTest.java#L2)");
    assert!(text.contains(&link), "{text}");
    assert!(
        text.contains(&format!("Lines are those of commit `{commit}`.")),
        "{text}"
    );
    project.write("backend/orders/src/test/java/shop/NapTest.java", format!("\n{PRINTER}"));
    drafted(&project, &["--unproven"]);
    assert!(draft(&project, "NapTest").contains("with changes that are not committed"));
    git(&project, &["remote", "remove", "origin"]);
    drafted(&project, &["--unproven"]);
    assert!(!draft(&project, "NapTest").contains("/blob/"), "no forge is known");
}

#[test]
fn a_scan_of_all_tests_gives_drafts_below_its_threshold_too() {
    let project = Project::java(
        "import org.junit.*; public class MadeTest { @Test public void adds() { Assert.assertEquals(3, 1 + 2); } }",
    );
    let scan = [
        "scan",
        "--all",
        "--format",
        "json",
        "--min-probability",
        "1",
        "-o",
        "scan.json",
    ];
    project.peeler(&scan).ended(0);
    let report = [
        "report",
        "scan.json",
        "--unproven",
        "--min-probability",
        "0",
        "--out",
        "drafts",
    ];
    let said = project.peeler(&report).ended(0).stdout;
    assert!(said.starts_with("wrote 1 drafts"), "{said}");
    assert!(draft(&project, "MadeTest").contains("No rule found a cause"));
}
