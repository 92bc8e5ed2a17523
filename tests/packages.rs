//! Tests of the ways to get and run the program: the GitHub Action, the GitLab component, the Dockerfile, the release
//! workflow and the commands of the README.
#![cfg(unix)]

mod support;

use std::process::Command;

use saphyr::{LoadableYamlNode, Yaml};
use support::{Project, Ran, own};

const PRINTER: &str = "package shop; import org.junit.*; import java.util.*; public class NapTest {\n\
                       @Test public void naps() {\n\
                       Map<String, Integer> counts = new HashMap<>(); counts.put(\"a\", 1); counts.put(\"b\", 2);\n\
                       Assert.assertEquals(\"{a=1, b=2}\", counts.toString()); } }";

fn text(file: &str) -> String {
    std::fs::read_to_string(own(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Runs the script of the GitHub Action in a project, with `peeler` on the `PATH`.
fn action(project: &Project, inputs: &[(&str, &str)]) -> Ran {
    let programs = project.path("bin");
    std::fs::create_dir_all(&programs).expect("a folder");
    let program = programs.join("peeler");
    if !program.exists() {
        std::os::unix::fs::symlink(support::BINARY, program).expect("a link");
    }
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").expect("a PATH"));
    let mut command = Command::new("bash");
    command
        .arg(own("integrations/github-action/scan.sh"))
        .current_dir(project.path(""))
        .env("PATH", path)
        .env("XDG_CACHE_HOME", project.path("cache"))
        .env("GITHUB_STEP_SUMMARY", project.path("summary.md"))
        .env("GITHUB_OUTPUT", project.path("output.txt"))
        .env("PEELER_SARIF", "peeler.sarif");
    for (name, value) in inputs {
        command.env(name, value);
    }
    Ran::of(&mut command)
}

#[test]
fn the_github_action_annotates_summarises_and_fails_on_findings() {
    let project = Project::of(&[("src/NapTest.java", PRINTER)]);
    let ran = action(&project, &[]).ended(1);
    assert!(
        ran.stdout.starts_with("::warning file=src/NapTest.java,line=2,"),
        "{ran:?}"
    );
    assert!(project.read("summary.md").contains("| PLR101 | `NapTest#naps` |"));
    assert_eq!(project.read("output.txt"), "findings=1\n");
    let sarif: serde_json::Value = serde_json::from_str(&project.read("peeler.sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(1));
    action(&project, &[("PEELER_FAIL", "false")]).ended(0);
    action(&project, &[("PEELER_ARGUMENTS", "--ignore PLR1 --min-probability 1")]).ended(0);
    project.peeler(&["scan", "--write-baseline", "known.json"]).ended(0);
    action(&project, &[("PEELER_BASELINE", "known.json"), ("PEELER_PATHS", "src")]).ended(0);
}

#[test]
fn the_action_passes_every_input_to_its_script() {
    let file = text("integrations/github-action/action.yml");
    let documents = Yaml::load_from_str(&file).expect("YAML");
    let inputs = documents[0]
        .as_mapping_get("inputs")
        .and_then(Yaml::as_mapping)
        .expect("inputs");
    let script = text("integrations/github-action/scan.sh");
    for (name, _) in inputs {
        let name = name.as_str().expect("a name");
        assert!(
            file.contains(&format!("PEELER_{}: ${{{{ inputs.{name} }}}}", name.to_uppercase())),
            "{name}"
        );
        assert!(script.contains(&format!("PEELER_{}", name.to_uppercase())), "{name}");
    }
}

#[test]
fn workflows_and_components_are_valid_and_their_commands_work() {
    for (file, documents) in [
        (".github/workflows/release.yml", 1),
        ("integrations/github-action/action.yml", 1),
        ("integrations/gitlab-component/templates/peeler.yml", 2),
    ] {
        let text = text(file);
        let loaded = Yaml::load_from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(loaded.len(), documents, "{file}");
    }
    let component = text("integrations/gitlab-component/templates/peeler.yml");
    let scans = component.lines().filter_map(|it| it.trim().strip_prefix("- peeler "));
    let project = Project::of(&[("src/NapTest.java", PRINTER)]);
    let mut count = 0;
    for scan in scans {
        let line = scan
            .replace("$[[ inputs.paths ]]", ".")
            .replace("$[[ inputs.arguments ]]", "");
        let words: Vec<&str> = line.split_whitespace().collect();
        project.peeler(&words).ended(0);
        count += 1;
    }
    assert_eq!(count, 1);
    assert!(project.read("gl-code-quality-report.json").contains("PLR101"));
    for target in ["linux", "darwin", "windows"] {
        assert!(text(".github/workflows/release.yml").contains(target), "{target}");
    }
    assert!(text("integrations/docker/Dockerfile").contains("ENTRYPOINT [\"peeler\"]"));
}

#[test]
fn the_commands_of_the_jenkins_pipeline_work() {
    let pipeline = text("examples/Jenkinsfile");
    let scans: Vec<&str> = pipeline
        .lines()
        .filter_map(|it| it.trim().strip_prefix("sh 'peeler ")?.strip_suffix('\''))
        .collect();
    assert_eq!(scans.len(), 2, "{pipeline}");
    let project = Project::of(&[("src/NapTest.java", PRINTER)]);
    project
        .peeler(&["scan", "--write-baseline", "peeler-baseline.json"])
        .ended(0);
    for scan in scans {
        project.peeler(&scan.split_whitespace().collect::<Vec<&str>>()).ended(0);
    }
    assert!(project.read("peeler-checkstyle.xml").contains("peeler.PLR101"));
}

#[test]
fn the_first_screen_of_the_readme_runs_the_main_job_and_the_tests() {
    let readme = text("README.md");
    let first: Vec<&str> = readme.lines().take(45).collect();
    let first = first.join("\n");
    let main = first
        .lines()
        .find_map(|it| it.strip_prefix("cargo run --release --locked -- "))
        .expect("a command");
    let words: Vec<&str> = main.split('#').next().expect("a command").split_whitespace().collect();
    let mut command = support::peeler();
    let ran = Ran::of(command.args(&words).current_dir(own("")).arg("--no-cache")).ended(1);
    let last = ran.stdout.lines().last().expect("a line");
    let shown = first
        .lines()
        .find(|it| it.contains(" findings: "))
        .expect("the closing line");
    let start = |it: &str| it.split(" Java files, ").next().map(str::to_owned);
    assert_eq!(start(last), start(shown), "the README shows the real output");
    assert!(first.contains("\n./run-tests "), "{first}");
    assert!(
        text(".ci/run").lines().any(|it| it == "./run-tests"),
        "CI runs the same command"
    );
}

#[test]
fn the_test_command_says_what_is_missing_where_it_may_install_nothing() {
    let project = Project::empty();
    std::fs::create_dir(project.path("bin")).expect("a folder");
    // A user without root and without apt-get: only these programs exist.
    for program in ["bash", "dirname", "env"] {
        let found = Ran::of(Command::new("sh").args(["-c", &format!("command -v {program}")]))
            .ended(0)
            .stdout;
        std::os::unix::fs::symlink(found.trim(), project.path("bin").join(program)).expect("a link");
    }
    project.write("bin/id", "#!/bin/sh\necho 1000\n");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(project.path("bin/id"), executable).expect("permissions");
    let mut command = Command::new(own("run-tests"));
    command.env("PATH", project.path("bin")).env_remove("CHROMIUM");
    let ran = Ran::of(&mut command).ended(1);
    assert!(
        ran.stderr
            .contains("The tests need programs that are not here: git default-jdk-headless"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("apt-get install git"), "{ran:?}");
}
