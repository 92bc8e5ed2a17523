//! Tests of every option of `scan`, `report` and `explain`, and of the messages for wrong options.

mod support;

use std::process::Command;

use serde_json::Value;
use support::{BINARY, Project, Ran, found, own};

/// Two tests that sleep in one line of a helper, and two that read the environment in separate lines.
const FILES: [(&str, &str); 2] = [
    (
        "SleepyTest.java",
        "package shop; import org.junit.*; public class SleepyTest {\n\
         @Test public void first() throws Exception { pause(); Assert.assertTrue(done()); }\n\
         @Test public void second() throws Exception { pause(); Assert.assertTrue(done()); }\n\
         static void pause() throws Exception {\n Thread.sleep(10); }\n static boolean done() { return true; } }",
    ),
    (
        "HomeTest.java",
        "package shop; import org.junit.*; public class HomeTest {\n\
         @Test public void knowsHome() { Assert.assertEquals(\"/root\", System.getenv(\"HOME\")); }\n\
         @Test public void knowsUser() { Assert.assertEquals(\"root\", System.getenv(\"USER\")); } }",
    ),
];

fn project() -> Project {
    Project::of(&FILES)
}

/// A project with a copy of the built-in model.
fn with_model() -> Project {
    let project = project();
    for kind in ["id", "nod"] {
        for name in ["model.json", "config.toml", "vocabulary.json", "weights.safetensors"] {
            let bytes = std::fs::read(own("models/default").join(kind).join(name)).expect("a file of the model");
            project.write(&format!("model/{kind}/{name}"), bytes);
        }
    }
    project
}

/// A project with `scan.json`, in which every test is a finding.
fn with_scan() -> Project {
    let project = project();
    let all = [
        "scan",
        "--format",
        "json",
        "--min-probability",
        "0",
        "--ignore",
        "ALL",
        "-o",
        "scan.json",
    ];
    project.peeler(&all).ended(1);
    project
}

fn probabilities(scan: &Value) -> Vec<f64> {
    let findings = scan["findings"].as_array().expect("findings").iter();
    findings.filter_map(|it| it["probability"].as_f64()).collect()
}

#[test]
fn a_scan_begins_in_the_folder_where_it_is_started_or_at_the_path_that_it_is_given() {
    let project = project();
    let here = project.scan(&[]);
    assert_eq!(here["roots"][0], ".");
    assert_eq!(found(&here).len(), 4);
    let one = project.scan(&["HomeTest.java"]);
    assert_eq!(found(&one).len(), 2);
    assert_eq!(one["findings"][0]["file"], "HomeTest.java");
}

#[test]
fn min_probability_and_top_choose_among_the_tests() {
    let project = project();
    let ranked = probabilities(&project.scan(&["--ignore", "ALL"]));
    let between = f64::midpoint(ranked[0], ranked[3]);
    let likely: Vec<f64> = ranked.iter().copied().filter(|it| *it >= between).collect();
    assert!((1..4).contains(&likely.len()), "{ranked:?}");
    let between = between.to_string();
    let arguments = [
        "scan",
        "--format",
        "json",
        "--ignore",
        "ALL",
        "--min-probability",
        &between,
    ];
    let scan = project.peeler(&arguments).ended(1).json();
    assert_eq!(probabilities(&scan), likely);
    assert_eq!(scan["model"]["threshold"].as_f64().map(|it| it > 0.0), Some(true));
    assert_eq!(
        probabilities(&project.scan(&["--ignore", "ALL", "--top", "2"])),
        &ranked[..2]
    );
    let every = project.scan(&["--top", "1", "--all"]);
    assert_eq!(
        every["tests"].as_array().map(Vec::len),
        Some(4),
        "--all is about tests, not findings"
    );
}

#[test]
fn help_names_the_threshold_of_the_model_inside_the_program() {
    let project = project();
    let scan = project.peeler(&["scan", "--format", "json"]).json();
    let threshold = format!("{:.2}", scan["model"]["threshold"].as_f64().expect("a threshold"));
    let help = project.peeler(&["scan", "--help"]).ended(0).stdout;
    let help: Vec<&str> = help.split_whitespace().collect();
    let words = format!("The built-in model uses {threshold}:");
    assert!(help.join(" ").contains(&words), "{help:?}");
    let readme = std::fs::read_to_string(own("README.md")).expect("a README");
    assert!(readme.contains(&format!("the model's own, {threshold}.")));
}

#[test]
fn output_goes_to_the_file_and_nowhere_else() {
    let project = project();
    for option in ["-o", "--output"] {
        let ran = project
            .peeler(&["scan", "--format", "json", "--min-probability", "0", option, "out.json"])
            .ended(1);
        assert_eq!(ran.stdout, "");
        assert!(
            ran.stderr.starts_with("4 findings: ") && ran.stderr.lines().count() == 1,
            "{ran:?}"
        );
        let written: Value = serde_json::from_str(&project.read("out.json")).expect("JSON");
        assert_eq!(found(&written).len(), 4);
        project.write("out.json", "");
    }
}

#[test]
fn a_scan_in_markdown_is_one_document_with_all_findings() {
    let shown = project()
        .peeler(&["scan", "--format", "markdown", "--min-probability", "0"])
        .ended(1)
        .stdout;
    for name in ["first", "second", "knowsHome", "knowsUser"] {
        assert!(shown.contains(name), "{name}: {shown}");
    }
    assert_eq!(shown.matches("\nFound by ").count(), 4, "{shown}");
}

#[test]
fn a_model_from_a_folder_judges_as_the_same_model_inside_the_program() {
    let project = with_model();
    assert_eq!(
        probabilities(&project.scan(&["--model", "model"])),
        probabilities(&project.scan(&[]))
    );
    let explain = |more: &[&str]| {
        let arguments = ["explain", ".", "--test", "shop.HomeTest#knowsHome"];
        project.peeler(&[&arguments, more].concat()).ended(0).stdout
    };
    assert_eq!(explain(&["--model", "model"]), explain(&[]));
}

#[test]
fn a_model_that_is_not_whole_is_refused_with_its_file_and_the_remedy() {
    let project = with_model();
    let refuses = |words: &[&str]| {
        project.peeler(&["scan", ".", "--model", "model"]).refused(words);
        project
            .peeler(&["explain", ".", "--test", "shop.HomeTest#knowsHome", "--model", "model"])
            .refused(words);
    };
    let weights = std::fs::read(project.path("model/id/weights.safetensors")).expect("weights");
    project.write("model/id/weights.safetensors", &weights[..weights.len() / 2]);
    let remedy = "copy the model again or train it anew";
    refuses(&["model/id/weights.safetensors is damaged", remedy]);
    std::fs::remove_file(project.path("model/id/vocabulary.json")).expect("a file");
    refuses(&["model/id/vocabulary.json is damaged", remedy]);
    project.write("model/id/model.json", "{");
    refuses(&["model/id/model.json is damaged", remedy]);
    project.write("model/id/model.json", "{\"version\": 99}");
    refuses(&["model/id/model.json is a model of version 99", "train it anew"]);
    std::fs::remove_file(project.path("model/id/model.json")).expect("a file");
    refuses(&["no model in model/id", "peeler train"]);
    std::fs::remove_dir_all(project.path("model")).expect("a folder");
    refuses(&["no model in model", "peeler train"]);
}

#[test]
fn backends_on_the_processor_agree_and_others_are_refused_with_the_remedy() {
    let project = project();
    let cpu = probabilities(&project.scan(&["--backend", "cpu"]));
    assert_eq!(cpu.len(), 4);
    let flex = probabilities(&project.scan(&["--backend", "flex"]));
    assert!(
        cpu.iter().zip(&flex).all(|(a, b)| (a - b).abs() < 1e-3),
        "{cpu:?} {flex:?}"
    );
    let explain = ["explain", ".", "--test", "shop.HomeTest#knowsHome", "--backend"];
    project.peeler(&[&explain[..], &["flex"]].concat()).ended(0);
    for arguments in [&["scan", ".", "--backend"][..], &explain] {
        let refuses = |name: &str, words: &[&str]| project.peeler(&[arguments, &[name]].concat()).refused(words);
        refuses("abacus", &["no backend `abacus`", "cpu", "wgpu"]);
        if cfg!(not(feature = "wgpu")) {
            refuses("wgpu", &["without the wgpu backend", "--features wgpu"]);
        }
    }
}

#[test]
fn wrong_arguments_of_a_scan_are_refused_with_the_path_and_the_remedy() {
    let project = project();
    project.write("plain/file", "");
    let refuses = |arguments: &[&str], words: &[&str]| project.peeler(&[&["scan"], arguments].concat()).refused(words);
    refuses(
        &["nowhere"],
        &["no such file or folder: nowhere", "give the root of a Java repository"],
    );
    refuses(
        &["plain"],
        &["no Java files below plain", "give the root of a Java repository"],
    );
    for wrong in ["2", "-1", "many", "NaN"] {
        let given = format!("--min-probability={wrong}");
        refuses(
            &[&given],
            &["--min-probability", wrong, "expected a number between 0 and 1"],
        );
    }
    refuses(&["--top", "few"], &["--top", "few"]);
    refuses(&["--format", "pdf"], &["--format", "pdf", "sarif"]);
    for (output, remedy) in [
        ("no/such/file", "does the folder exist?"),
        ("plain/file/out", "a part of the path is a file"),
        ("plain", "choose another name"),
    ] {
        refuses(&["-o", output], &[&format!("cannot write {output}"), remedy]);
    }
}

#[test]
fn a_repository_without_tests_is_no_failure_but_is_remarked() {
    let project = Project::of(&[("A.java", "class A { void f() {} }")]);
    let shown = project.peeler(&["scan"]).ended(0).stdout;
    assert!(
        shown.starts_with("note: no tests were found") && shown.contains("Is . the root"),
        "{shown}"
    );
    assert!(shown.contains("among 0 tests in 1 Java file,"), "{shown}");
    project.peeler(&["explain", ".", "--test", "A#f"]).refused(&[
        "no tests found",
        "1 Java files below .",
        "Is this the root",
    ]);
}

#[test]
fn drafts_are_one_a_test_a_class_or_a_cause() {
    let project = with_scan();
    let drafts = |group: &str| {
        let arguments = [
            "report",
            "scan.json",
            "--unproven",
            "--min-probability",
            "0",
            "--group",
            group,
            "--out",
            group,
        ];
        let said = project.peeler(&arguments).ended(0).stdout;
        let files = std::fs::read_dir(project.path(group)).expect("a folder").count();
        assert!(project.read(&format!("{group}/index.md")).contains("SleepyTest"));
        assert!(said.starts_with(&format!("wrote {} drafts", files - 1)), "{said}");
        files - 1
    };
    assert_eq!(
        (drafts("test"), drafts("class"), drafts("cause")),
        (4, 2, 4),
        "no cause is found"
    );
    project
        .peeler(&["report", "scan.json", "--out", "x", "--group", "colour"])
        .refused(&["--group", "colour", "cause"]);
}

#[test]
fn a_report_of_a_written_scan_is_what_the_scan_would_have_written() {
    let project = with_scan();
    for format in ["text", "json", "jsonl", "sarif", "junit", "github", "gitlab", "html"] {
        let report = [
            "report",
            "scan.json",
            "--format",
            format,
            "--min-probability",
            "0",
            "-o",
            "report",
        ];
        project.peeler(&report).ended(0);
        let direct = project
            .peeler(&[
                "scan",
                "--format",
                format,
                "--min-probability",
                "0",
                "--ignore",
                "ALL",
                "--no-cache",
            ])
            .ended(1)
            .stdout;
        // Run times differ.
        let timeless = |text: &str| text.replace(|it: char| it.is_ascii_digit(), "");
        assert_eq!(timeless(&project.read("report")), timeless(&direct), "{format}");
    }
}

#[test]
fn a_report_takes_from_0_7_on_unless_told_otherwise() {
    let project = with_scan();
    let ran = project
        .peeler(&["report", "scan.json", "--format", "json", "--out", "few.json"])
        .ended(0);
    assert!(
        ran.stderr
            .contains("findings are below 0.7 and left out; a lower --min-probability"),
        "{}",
        ran.stderr
    );
    let few: Value = serde_json::from_str(&project.read("few.json")).expect("JSON");
    assert!(probabilities(&few).iter().all(|it| *it >= 0.7));
    project
        .peeler(&["report", "scan.json", "--out", "x", "--min-probability", "7"])
        .refused(&["--min-probability", "between 0 and 1"]);
}

#[test]
fn wrong_arguments_of_a_report_are_refused_with_the_path_and_the_remedy() {
    let project = with_scan();
    project.write("file", "");
    let refuses =
        |arguments: &[&str], words: &[&str]| project.peeler(&[&["report"], arguments].concat()).refused(words);
    refuses(
        &["nowhere.json", "--out", "x"],
        &["cannot read nowhere.json", "does it exist?"],
    );
    refuses(&["scan.json"], &["--out"]);
    refuses(&["scan.json", "--out", "file/drafts"], &["cannot write file/drafts"]);
    refuses(
        &["scan.json", "--format", "sarif", "--out", "no/such/file"],
        &["cannot write no/such/file", "does the folder exist?"],
    );
    let text = project.read("scan.json");
    project.write("scan.json", &text[..text.len() / 2]);
    refuses(
        &["scan.json", "--out", "x"],
        &["scan.json is not the JSON of a scan", "peeler scan --format json"],
    );
}

#[test]
fn wrong_arguments_of_an_explanation_are_refused_with_the_remedy() {
    let project = project();
    let refuses =
        |arguments: &[&str], words: &[&str]| project.peeler(&[&["explain"], arguments].concat()).refused(words);
    refuses(&["."], &[". is a path", "--test FQCN#METHOD"]);
    refuses(&[], &["<RULE|FQCN#METHOD|PATH>"]);
    refuses(
        &["nowhere", "--test", "a#b"],
        &["no such file or folder: nowhere", "give the root"],
    );
    refuses(
        &[".", "--test", "HomeTest#knowsHomes"],
        &[
            "no test HomeTest#knowsHomes below .",
            "did you mean shop.HomeTest#knowsHome?",
        ],
    );
    refuses(&[".", "--test", "x.Y#z"], &["no test x.Y#z below .", "list all tests"]);
}

#[test]
fn nothing_is_said_twice_about_what_went_wrong() {
    let project = project();
    let said = project
        .peeler(&["scan", "--write-baseline", "no/such/file"])
        .ended(2)
        .stderr;
    assert_eq!(said.matches("No such file").count(), 1, "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn colours_are_for_terminals_whose_owner_wants_them() {
    let project = project();
    // The program `script` gives its command a terminal.
    let on_a_terminal = |environment: &str| {
        let command = format!("{environment} {BINARY} scan --min-probability 0");
        let mut script = Command::new("script");
        script
            .args(["-qec", &command, "/dev/null"])
            .env_remove("NO_COLOR")
            .current_dir(project.path("."));
        Ran::of(&mut script).ended(1).stdout
    };
    assert!(on_a_terminal("").contains('\u{1b}'));
    assert!(on_a_terminal("NO_COLOR=").contains('\u{1b}'), "an empty one is none");
    let plain = on_a_terminal("NO_COLOR=1");
    assert!(plain.contains("may be flaky") && !plain.contains('\u{1b}'), "{plain}");
}
