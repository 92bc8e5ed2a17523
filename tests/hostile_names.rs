//! Commands of drafts and reports, made of hostile names and split by a real shell.
//!
//! Stand-ins for `mvn`, `gradle` and `peeler` record their arguments. Every argument has to be one of those that a
//! draft means to pass; a name is a part of one argument and never an option, a pattern or a command.
#![cfg(unix)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use support::{Project, Ran, peeler};

/// Pieces of names of folders: what shells, Maven, Gradle and Markdown give a meaning to.
const PIECES: [&str; 40] = [
    "-",
    "--",
    "-f ",
    "-Dx=",
    "a",
    "b",
    "Core",
    "é",
    " ",
    "  ",
    "'",
    "\"",
    "$HOME",
    "$(touch bad)",
    "`touch bad`",
    ";",
    "&",
    "|",
    ">bad",
    "<",
    "\n",
    "\r",
    "\t",
    "!",
    "%",
    "#",
    "*",
    "?",
    "[a]",
    "{a,b}",
    ",",
    ":",
    "\\",
    "=",
    "@",
    "~",
    "+",
    "(",
    ")",
    "\u{202e}",
];

/// Names of folders that once were options or selectors, before the random ones.
const FOLDERS: [&str; 12] = [
    "-f evil.xml",
    "--file=evil.xml",
    "!core",
    "+core",
    "?core",
    "\"quoted",
    "a,b",
    "g:artifact",
    "a b",
    "it's",
    "-",
    "%",
];

/// Kinds of causes that lead to different commands.
const KINDS: [&str; 4] = ["unordered-collection", "time-zone-locale", "static-state", "clock"];

/// Hostile names of folders, the same ones in every run.
fn folders() -> Vec<String> {
    let mut runner = TestRunner::deterministic();
    let names = vec(select(&PIECES[..]), 1..5);
    let mut found: BTreeSet<String> = FOLDERS.iter().map(|it| (*it).to_owned()).collect();
    while found.len() < 120 {
        let name = names.new_tree(&mut runner).expect("a name").current().concat();
        // The source folder is not a module.
        found.insert(name);
    }
    found.into_iter().collect()
}

/// A project with a module of each name, and the JSON of its scan.
fn scanned(folders: &[String]) -> (Project, Value) {
    let project = Project::empty();
    for (at, folder) in folders.iter().enumerate() {
        let source = format!(
            "package a; import org.junit.*; public class T{at}Test {{\n\
             @Test public void waits() throws Exception {{\n\
             new Thread(() -> run()).start(); Thread.sleep(10); Assert.assertTrue(done()); }}\n\
             static boolean done() {{ return true; }} }}"
        );
        project.write(&format!("{folder}/src/test/java/a/T{at}Test.java"), source);
    }
    let mut scan = project.scan(&["--no-cache"]);
    let findings = scan["findings"].as_array_mut().expect("findings");
    assert_eq!(findings.len(), folders.len());
    for (at, finding) in findings.iter_mut().enumerate() {
        finding["root_cause"]["kind"] = json!(KINDS[at % KINDS.len()]);
    }
    (project, scan)
}

/// The drafts of a scan, by the name of their test without its package.
fn drafts(project: &Project, scan: &Value) -> BTreeMap<String, String> {
    project.write("scan.json", scan.to_string());
    let _ = std::fs::remove_dir_all(project.path("drafts"));
    let report = [
        "report",
        "scan.json",
        "--unproven",
        "--min-probability",
        "0",
        "--out",
        "drafts",
    ];
    project.peeler(&report).ended(0);
    let mut found = BTreeMap::new();
    for entry in project.path("drafts").read_dir().expect("drafts").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a draft");
        let title = text.strip_prefix("# Unproven: Test may be flaky: ");
        if let Some(name) = title.and_then(|it| it.split(' ').next()) {
            found.insert(name.to_owned(), text);
        }
    }
    found
}

/// The commands of a draft: blocks of shell code, and the command to install modules.
fn commands(draft: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = draft.lines();
    while let Some(line) = lines.next() {
        let fence = line
            .strip_suffix("sh")
            .filter(|it| it.len() > 2 && it.trim_matches('`').is_empty());
        if let Some(fence) = fence {
            let block: Vec<&str> = lines.by_ref().take_while(|it| *it != fence).collect();
            found.push(block.join("\n"));
        }
        let install = line.strip_prefix("If the module needs others that are not installed yet, run ");
        if let Some(span) = install.and_then(|it| it.strip_suffix(" first.")) {
            let ticks = span.len() - span.trim_start_matches('`').len();
            found.push(span[ticks..span.len() - ticks].trim().to_owned());
        }
    }
    found
}

/// The programs that a shell starts for a command, with their arguments.
fn started(command: &str) -> Vec<Vec<String>> {
    let place = tempfile::tempdir().expect("a folder");
    let (programs, work) = (place.path().join("bin"), place.path().join("work"));
    std::fs::create_dir(&programs).expect("a folder");
    std::fs::create_dir(&work).expect("a folder");
    for name in ["mvn", "gradle", "peeler"] {
        let path = programs.join(name);
        let script = "#!/bin/sh\nprintf '%s\\0' \"${0##*/}\" \"$#\" \"$@\" >> \"$RECORD\"\nexit 1\n";
        std::fs::write(&path, script).expect("a script");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("our file");
    }
    let record = place.path().join("record");
    let path = std::env::var("PATH").expect("a search path");
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(&work).env("RECORD", &record);
    shell.env("PATH", format!("{}:{path}", programs.display()));
    let ran = Ran::of(&mut shell);
    assert_eq!(ran.stderr, "", "{command}");
    assert_eq!(
        work.read_dir().expect("a folder").count(),
        0,
        "it made a file: {command}"
    );
    let text = std::fs::read_to_string(&record).unwrap_or_default();
    let mut words = text.split_terminator('\0').map(str::to_owned);
    let mut found = Vec::new();
    while let Some(program) = words.next() {
        let count: usize = words.next().and_then(|it| it.parse().ok()).expect("a count");
        found.push([program].into_iter().chain(words.by_ref().take(count)).collect());
    }
    found
}

/// The options that drafts pass to Maven.
const MAVEN: [&str; 9] = [
    "-q",
    "-am",
    "-DskipTests",
    "install",
    "test",
    "edu.illinois:nondex-maven-plugin:2.2.5:nondex",
    "-DargLine=-Duser.timezone=Pacific/Auckland -Duser.language=tr -Duser.country=TR",
    "-DargLine=-Djunit.jupiter.testmethod.order.default=org.junit.jupiter.api.MethodOrderer$Random",
    "-Dsurefire.runOrder=reversealphabetical",
];

/// Checks the arguments of Maven for a test in a module.
fn check_maven(arguments: &[String], folder: &str, class: &str) {
    let at = arguments.iter().position(|it| it == "-pl").expect("a module");
    let module = arguments[at + 1].as_str();
    assert_eq!(module.strip_prefix("./").unwrap_or(module), folder);
    assert!(
        !module.starts_with(['-', '!', '+', '?', '"']),
        "an option or a selector: {module}"
    );
    assert!(!module.contains([',', ':']), "several modules or an artifact: {module}");
    let filters = [format!("-Dtest={class}#waits"), format!("-Dtest={class}")];
    for (place, argument) in arguments.iter().enumerate() {
        let is_module = place == at || place == at + 1;
        let is_meant = is_module || MAVEN.contains(&argument.as_str()) || filters.contains(argument);
        assert!(is_meant, "{argument:?} in {arguments:?}");
    }
}

/// Checks the arguments of Gradle for a test in a module.
fn check_gradle(arguments: &[String], folder: &str, class: &str) {
    let mut meant = vec![format!("a.{class}.waits"), format!("a.{class}")];
    meant.extend(["--no-build-cache", "--tests", "-Duser.language=tr", "-Duser.country=TR"].map(str::to_owned));
    meant.extend(["test", "cleanTest", "nondexTest"].map(|it| format!(":{folder}:{it}")));
    for argument in arguments {
        assert!(meant.contains(argument), "{argument:?} in {arguments:?}");
    }
    assert!(
        arguments
            .iter()
            .filter(|it| it.starts_with(':'))
            .all(|it| it.matches(':').count() == 2)
    );
}

#[test]
fn hostile_folders_stay_arguments_of_maven_and_gradle_or_are_left_out_with_a_note() {
    let folders = folders();
    let (project, scan) = scanned(&folders);
    for (build, tool) in [("pom.xml", "mvn"), ("settings.gradle", "gradle")] {
        project.write(build, "");
        if tool == "mvn" {
            for folder in &folders {
                project.write(&format!("{folder}/pom.xml"), "");
            }
        }
        let drafts = drafts(&project, &scan);
        assert_eq!(drafts.len(), folders.len());
        let mut left_out = 0;
        for (at, folder) in folders.iter().enumerate() {
            let class = format!("T{at}Test");
            let draft = &drafts[&format!("{class}#waits")];
            let commands = commands(draft);
            if commands.is_empty() {
                assert!(draft.contains(" is shown here: the folder "), "{draft}");
                left_out += 1;
                continue;
            }
            for command in commands {
                let started = started(&command);
                assert_eq!(started.len(), 1, "{command}");
                assert_eq!(started[0][0], tool, "{command}");
                match tool {
                    "mvn" => check_maven(&started[0][1..], folder, &class),
                    _ => check_gradle(&started[0][1..], folder, &class),
                }
            }
        }
        assert!(
            (10..100).contains(&left_out),
            "{left_out} of {} for {tool}",
            folders.len()
        );
        std::fs::remove_file(project.path(build)).expect("our file");
        for folder in &folders {
            let _ = std::fs::remove_file(project.path(folder).join("pom.xml"));
        }
    }
}

#[test]
fn hostile_tests_are_no_patterns_and_no_options() {
    let folders = ["core".to_owned()];
    let (project, mut scan) = scanned(&folders);
    let names = [
        "-a.B#m",
        "*#m",
        "a.*#m",
        "a.B#*",
        "!a.B#m",
        "a.B,C#m",
        "a.B+C#m",
        "%regex#m",
        "a.B#m+n",
        "a.B#m,C",
        "a.;id;#m",
        "a.`id`#m",
        "a.$HOME/x#m",
        "a.B'#m",
        "a.\"B#m",
        "a.B|C#m",
        "a.B?#m",
        "--tests#m",
        "a..B#m",
    ];
    for name in names {
        scan["findings"][0]["test"] = json!(name);
        scan["findings"][0]["fingerprint"] = json!("0123456789abcdef");
        for (build, tool) in [("pom.xml", "Maven"), ("settings.gradle", "Gradle")] {
            project.write(build, "");
            let drafts = drafts(&project, &scan);
            let draft = drafts.values().next().expect("a draft");
            assert_eq!(commands(draft), [""; 0], "{name}");
            let note = format!("No command of {tool} is shown here: the test ");
            assert!(draft.contains(&note), "{name}: {draft}");
            std::fs::remove_file(project.path(build)).expect("our file");
        }
    }
}

/// A log of a test that failed once in four runs.
fn log(test: &str) -> String {
    let mut lines = vec![json!({"event": "session", "format": 1, "code": "c0de"})];
    for outcome in ["passed", "failed", "passed", "passed"] {
        lines.push(json!({
            "event": "run", "test": test, "stage": "repeat", "jvm": 1, "milliseconds": 2, "outcome": outcome,
        }));
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

#[test]
fn the_command_that_replays_a_failure_names_hostile_roots_and_logs_as_paths() {
    let source = "package a; import org.junit.*; public class BTest { @Test public void t() { Assert.fail(); } }";
    for name in [
        "-x",
        "--help",
        "-x; touch bad",
        "it's $HOME",
        "`touch bad`",
        "#",
        "!x",
        "*",
    ] {
        let project = Project::empty();
        project.write(&format!("{name}/BTest.java"), source);
        let log_name = format!("{name}.jsonl");
        project.write(&log_name, log("a.BTest#t"));
        let mut scan = peeler();
        scan.args(["scan", "--format", "json", "--no-cache", "--exit-zero"]);
        scan.arg(format!("--proof={log_name}")).args(["--", name]);
        let scan = Ran::of(scan.current_dir(project.path("."))).ended(0).json();
        let command = scan["findings"][0]["proof"]["command"].as_str().expect("a command");
        let started = started(command);
        assert_eq!(started.len(), 1, "{command}");
        let path = |it: &str| {
            if it.starts_with('-') {
                format!("./{it}")
            } else {
                it.to_owned()
            }
        };
        let meant = [
            "peeler",
            "confirm",
            &path(name),
            "--replay",
            &path(&log_name),
            "--test",
            "a.BTest#t",
        ];
        assert_eq!(started[0], meant, "{command}");
    }
}

#[test]
fn a_name_that_no_line_can_show_has_no_command() {
    let project = Project::empty();
    project.write("a\nb/BTest.java", "class BTest { @org.junit.Test public void t() {} }");
    project.write("log.jsonl", log("BTest#t"));
    let arguments = [
        "scan",
        "--format",
        "json",
        "--no-cache",
        "--exit-zero",
        "--proof",
        "log.jsonl",
        "a\nb",
    ];
    let scan = project.peeler(&arguments).ended(0).json();
    assert_eq!(scan["findings"][0]["proof"]["failures"], 1, "{scan}");
    assert_eq!(scan["findings"][0]["proof"]["command"], Value::Null);
}

#[test]
fn commands_in_the_json_of_a_scan_are_quoted_anew() {
    let (project, mut scan) = scanned(&["core".to_owned()]);
    let proof = |command: &str| json!({"showed": "flaky", "runs": 4, "failures": 1, "command": command});
    let hostile = "peeler confirm . --test a.B#c; touch bad\ntouch bad && $(touch bad)";
    for (command, calls) in [(hostile, 1), ("touch bad", 0), ("peeler rules; touch bad", 0)] {
        scan["findings"][0]["proof"] = proof(command);
        project.write("scan.json", scan.to_string());
        let _ = std::fs::remove_dir_all(project.path("drafts"));
        project
            .peeler(&["report", "scan.json", "--unproven", "--out", "drafts"])
            .ended(0);
        let entries = project.path("drafts").read_dir().expect("drafts").flatten();
        let text: String = entries
            .filter_map(|it| std::fs::read_to_string(it.path()).ok())
            .collect();
        assert!(
            text.contains("failed in 1 of 4 runs") || text.contains("1 of 4"),
            "{text}"
        );
        let replays: Vec<String> = commands(&text)
            .into_iter()
            .filter(|it| !it.contains("mvn") && !it.contains("gradle"))
            .collect();
        let started: Vec<Vec<String>> = replays.iter().flat_map(|it| started(it)).collect();
        assert_eq!(started.len(), calls, "{replays:?}");
        assert!(started.iter().all(|it| it[..2] == ["peeler", "confirm"]), "{started:?}");
    }
}
