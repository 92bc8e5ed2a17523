//! Tests of the examples: they are valid YAML, fit together, and every command in them works, even in comments.

mod support;

use saphyr::{LoadableYamlNode, Yaml};
use support::{Project, own};

const FILES: [&str; 4] = [
    ".pre-commit-hooks.yaml",
    "examples/pre-commit-config.yaml",
    "examples/github-workflow.yml",
    "examples/gitlab-ci.yml",
];

/// The source of a test that sleeps.
const SLEEPY: &str = "import org.junit.*; public class MadeTest { @Test public void waits() throws Exception {\n\
                      Thread.sleep(10); Assert.assertTrue(done()); }\n static boolean done() { return true; } }";

fn text(file: &str) -> String {
    std::fs::read_to_string(own(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The only YAML document of a text.
fn yaml(text: &str) -> Yaml<'_> {
    let mut documents = Yaml::load_from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(documents.len(), 1, "{text}");
    documents.remove(0)
}

fn word<'y>(node: &'y Yaml<'_>, key: &str) -> &'y str {
    let value = node.as_mapping_get(key).and_then(Yaml::as_str);
    value.unwrap_or_else(|| panic!("no {key} in {node:?}"))
}

fn list<'y, 'i>(node: &'y Yaml<'i>, key: &str) -> &'y [Yaml<'i>] {
    let value = node.as_mapping_get(key).and_then(|it| it.as_sequence());
    value.unwrap_or_else(|| panic!("no list {key} in {node:?}"))
}

/// Runs a command line that begins with `peeler` on a project with one finding that the baseline knows.
fn accepted(command: &str) -> Project {
    let project = Project::java(SLEEPY);
    let known = [
        "scan",
        "--min-probability",
        "0",
        "--write-baseline",
        "peeler-baseline.json",
    ];
    project.peeler(&known).ended(0);
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    // A low threshold makes the test a finding, so that a lost baseline would be noticed.
    project
        .peeler(&[&words[..], &["--min-probability", "0"]].concat())
        .ended(0);
    project
}

/// Every `peeler scan ...` of a text, up to the end of its line, a quote or a backtick.
fn commands(text: &str) -> Vec<&str> {
    let starts = text.match_indices("peeler scan").map(|(at, _)| at);
    starts
        .map(|at| {
            text[at..]
                .split(['\n', '`', '"', '#'])
                .next()
                .unwrap_or_default()
                .trim()
        })
        .collect()
}

#[test]
fn every_command_of_the_examples_is_accepted() {
    let mut seen = 0;
    for file in FILES {
        // Hooks get their arguments elsewhere, and without a baseline they report findings.
        for command in commands(&text(file)).into_iter().filter(|it| *it != "peeler scan") {
            accepted(command);
            seen += 1;
        }
    }
    assert_eq!(
        seen, 7,
        "commands were lost or came; look at the examples and count again"
    );
}

#[test]
fn the_pre_commit_example_asks_for_a_hook_that_there_is_and_runs_it() {
    let (offered, asked) = (text(FILES[0]), text(FILES[1]));
    let (offered, asked) = (yaml(&offered), yaml(&asked));
    let hooks = offered.as_sequence().expect("a list of hooks");
    assert_eq!(
        hooks.iter().map(|it| word(it, "id")).collect::<Vec<_>>(),
        ["peeler", "peeler-system"]
    );
    let used = &list(&list(&asked, "repos")[0], "hooks")[0];
    let hook = hooks
        .iter()
        .find(|it| word(it, "id") == word(used, "id"))
        .expect("a hook that is offered");
    let arguments: Vec<&str> = list(used, "args").iter().filter_map(Yaml::as_str).collect();
    accepted(&format!("{} {}", word(hook, "entry"), arguments.join(" ")));
}

#[test]
fn the_github_example_uploads_the_file_that_it_writes() {
    let text = text(FILES[2]);
    let workflow = yaml(&text);
    assert!(workflow.as_mapping_get("on").is_some(), "it runs at some time");
    let steps = list(&workflow["jobs"]["peeler"], "steps");
    let upload = steps.iter().find(|it| {
        it.as_mapping_get("uses")
            .and_then(Yaml::as_str)
            .is_some_and(|it| it.contains("upload-sarif"))
    });
    let file = word(&upload.expect("an upload")["with"], "sarif_file");
    let scan = steps
        .iter()
        .filter_map(|it| it.as_mapping_get("run")?.as_str())
        .find(|it| it.contains("sarif"));
    let sarif: serde_json::Value = serde_json::from_str(&accepted(scan.expect("a scan")).read(file)).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_gitlab_example_reports_the_file_that_it_writes() {
    let text = text(FILES[3]);
    let pipeline = yaml(&text);
    let job = &pipeline["flaky-tests"];
    let file = word(&job["artifacts"]["reports"], "codequality");
    let scan = list(job, "script")[0].as_str().expect("a command");
    let report: serde_json::Value = serde_json::from_str(&accepted(scan).read(file)).expect("JSON");
    assert_eq!(report.as_array().map(Vec::len), Some(1));
}
