//! Tests of `integrations/`: manifests fit their schemas, and the commands in them scan and join a fleet.
#![cfg(target_os = "linux")]

mod fleets;
mod support;

use std::collections::BTreeSet;

use fleets::fleet;
use saphyr::{LoadableYamlNode, Scalar, Yaml};
use serde_json::{Value, json};
use support::{Project, own};

/// The only YAML document of a file, as JSON.
fn manifest(file: &str) -> Value {
    let text = std::fs::read_to_string(own(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let documents = Yaml::load_from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(documents.len(), 1, "{file}");
    json_of(&documents[0])
}

fn json_of(node: &Yaml<'_>) -> Value {
    match node {
        Yaml::Mapping(mapping) => {
            let members = mapping.iter().map(|(key, value)| (word(key), json_of(value)));
            Value::Object(members.collect())
        }
        Yaml::Sequence(list) => list.iter().map(json_of).collect(),
        Yaml::Value(Scalar::Integer(number)) => json!(number),
        Yaml::Value(Scalar::Boolean(value)) => json!(value),
        Yaml::Value(Scalar::String(text)) => json!(text),
        Yaml::Value(Scalar::Null) => Value::Null,
        other => panic!("{other:?}"),
    }
}

fn word(node: &Yaml<'_>) -> String {
    node.as_str()
        .unwrap_or_else(|| panic!("{node:?} is not a name"))
        .to_owned()
}

/// Checks a manifest against one of the schemas in `tests/schemas`.
fn check(file: &str, schema: &str) -> Value {
    let manifest = manifest(file);
    let text = std::fs::read_to_string(own("tests/schemas").join(schema)).expect("a schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<String> = validator
        .iter_errors(&manifest)
        .map(|it| format!("{}: {it}", it.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{file}: {errors:#?}");
    manifest
}

/// The names of the repositories in the outputs of all shards.
fn scanned(project: &Project, outputs: &[String]) -> BTreeSet<String> {
    let all: String = outputs.iter().map(|it| project.read(it)).collect();
    fleets::by_name(&all).into_keys().collect()
}

fn names(count: usize) -> BTreeSet<String> {
    (0..count).map(|it| format!("r{it}")).collect()
}

/// The arguments of the container of a job.
fn arguments(job: &Value) -> Vec<String> {
    let container = &job["spec"]["template"]["spec"]["containers"][0];
    let list = container["args"].as_array().expect("arguments");
    list.iter().map(|it| it.as_str().expect("a text").to_owned()).collect()
}

/// The value of an option among arguments.
fn option<'a>(arguments: &'a [String], name: &str) -> &'a str {
    let at = arguments.iter().position(|it| it == name);
    &arguments[at.unwrap_or_else(|| panic!("no {name}")) + 1]
}

#[test]
fn the_indexed_job_scans_every_repository_once() {
    let job = check("integrations/kubernetes/fleet-job.yaml", "kubernetes-job.schema.json");
    let merge = check("integrations/kubernetes/merge-job.yaml", "kubernetes-job.schema.json");
    let arguments = arguments(&job);
    let shards = job["spec"]["completions"].as_u64().expect("a number");
    assert_eq!(
        option(&arguments, "--shard"),
        format!("$(JOB_COMPLETION_INDEX)/{shards}")
    );
    let jobs: u64 = option(&arguments, "--jobs").parse().expect("a number");
    let of_worker: u64 = option(&arguments, "--memory-limit")
        .trim_end_matches('M')
        .parse()
        .expect("a number");
    let limit = job["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]["memory"].as_str();
    let of_pod: u64 = limit
        .and_then(|it| it.strip_suffix("Gi"))
        .and_then(|it| it.parse().ok())
        .expect("a limit");
    assert!(jobs * of_worker < of_pod * 1024, "the workers fit into the pod");

    let project = fleet(20);
    std::fs::create_dir(project.path("results")).expect("a folder");
    let outputs: Vec<String> = (0..shards).map(|it| format!("results/shard-{it}.jsonl")).collect();
    for index in 0..shards {
        let here = |it: &String| {
            it.replace("$(JOB_COMPLETION_INDEX)", &index.to_string())
                .replace("/clones/repositories.txt", "list.txt")
                .replace("/results/", "results/")
        };
        let all: Vec<String> = arguments.iter().map(here).collect();
        project.peeler(&all).ended(0);
        // A pod that starts again finds its work done.
        let again = project.peeler(&all).ended(0);
        assert!(again.stderr.starts_with("0 repositories"), "{again:?}");
    }
    assert_eq!(scanned(&project, &outputs), names(20));
    let merge: Vec<String> = self::arguments(&merge)
        .iter()
        .map(|it| it.replace("/results", "results"))
        .collect();
    project.peeler(&merge).ended(0);
    assert!(project.read("results/fleet.html").contains("<td>r19</td>"));
}

/// Runs the lines of a script that call the program, in a shell with the given variables.
fn run_script(project: &Project, script: &str, variables: &[(&str, String)]) {
    let folder = project.path("bin");
    std::fs::create_dir_all(&folder).expect("a folder");
    let _ = std::os::unix::fs::symlink(support::BINARY, folder.join("peeler"));
    let mut command = std::process::Command::new("sh");
    command.args(["-ec", script]).current_dir(project.path("."));
    command.env("PATH", format!("{}:/usr/bin:/bin", folder.display()));
    for (name, value) in variables {
        command.env(name, value);
    }
    support::Ran::of(&mut command).ended(0);
}

/// A project with `repositories.txt`, whose repositories can be cloned by the name of their folder.
fn cloned() -> Project {
    let project = fleet(6);
    let list: String = (0..6).map(|it| format!("clones/o/r{it}.git\n")).collect();
    project.write("repositories.txt", list);
    for number in 0..6 {
        let folder = project.path(&format!("r{number}"));
        for arguments in [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "one"]] {
            fleets::git(&folder, arguments);
        }
    }
    project
}

fn clones(count: usize) -> BTreeSet<String> {
    (0..count).map(|it| format!("clones/o/r{it}.git")).collect()
}

/// A script in which remote repositories are those of the project.
fn local(project: &Project, script: &str, remote: &str) -> String {
    assert!(script.contains(remote), "{script}");
    let script = script.replace(remote, &format!("file://{}/", project.path("served").display()));
    let served = project.path("served/o");
    std::fs::create_dir_all(&served).expect("a folder");
    for number in 0..6 {
        let _ = std::os::unix::fs::symlink(
            project.path(&format!("r{number}/.git")),
            served.join(format!("r{number}.git")),
        );
    }
    script
}

#[test]
fn the_github_matrix_scans_every_repository_once() {
    let workflow = check("integrations/ci/github-fleet.yml", "github-workflow.schema.json");
    let job = &workflow["jobs"]["shard"];
    let shards = job["strategy"]["matrix"]["shard"].as_array().expect("shards");
    let count = shards.len() as u64;
    assert_eq!(
        shards.iter().filter_map(Value::as_u64).collect::<Vec<_>>(),
        (0..count).collect::<Vec<_>>()
    );
    let steps = job["steps"].as_array().expect("steps");
    let scripts: Vec<&str> = steps.iter().filter_map(|it| it["run"].as_str()).collect();
    assert!(
        scripts
            .iter()
            .all(|it| it.contains(&format!("--shard \"$SHARD/{count}\""))),
        "{scripts:?}"
    );
    let project = cloned();
    for shard in 0..count {
        for script in &scripts {
            let script = if script.contains("https") {
                local(&project, script, "https://github.com/")
            } else {
                (*script).to_owned()
            };
            run_script(&project, &script, &[("SHARD", shard.to_string())]);
        }
        let upload = steps.last().expect("an upload");
        assert_eq!(upload["with"]["path"], "shard-${{ matrix.shard }}.jsonl");
    }
    let outputs: Vec<String> = (0..count).map(|it| format!("shard-{it}.jsonl")).collect();
    assert_eq!(scanned(&project, &outputs), clones(6));
    std::fs::create_dir(project.path("shards")).expect("a folder");
    for output in &outputs {
        std::fs::rename(project.path(output), project.path("shards").join(output)).expect("our file");
    }
    let merge = workflow["jobs"]["merge"]["steps"].as_array().expect("steps");
    let script = merge.iter().find_map(|it| it["run"].as_str()).expect("a script");
    run_script(&project, script, &[]);
    assert!(
        project.read("fleet.html").contains("6 scanned"),
        "{}",
        project.read("fleet.html")
    );
}

#[test]
fn the_parallel_gitlab_jobs_scan_every_repository_once() {
    let pipeline = check("integrations/ci/gitlab-fleet.yml", "gitlab-ci.schema.json");
    let job = &pipeline["fleet-shard"];
    let count = job["parallel"].as_u64().expect("a number");
    let lines: Vec<&str> = job["script"]
        .as_array()
        .expect("a script")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let project = cloned();
    let script = local(
        &project,
        &lines.join("\n"),
        "https://gitlab-ci-token:$CI_JOB_TOKEN@$CI_SERVER_HOST/",
    );
    for index in 1..=count {
        let variables = [
            ("CI_NODE_INDEX", index.to_string()),
            ("CI_NODE_TOTAL", count.to_string()),
        ];
        run_script(&project, &script, &variables);
    }
    let outputs: Vec<String> = (0..count).map(|it| format!("shards/{it}.jsonl")).collect();
    assert_eq!(scanned(&project, &outputs), clones(6));
    let script = pipeline["fleet-report"]["script"][0].as_str().expect("a command");
    run_script(&project, script, &[]);
    assert!(project.read("fleet.html").contains("6 scanned"));
}

#[test]
fn a_manifest_with_a_mistake_is_noticed() {
    let text = std::fs::read_to_string(own("tests/schemas/kubernetes-job.schema.json")).expect("a schema");
    let validator = jsonschema::validator_for(&serde_json::from_str(&text).expect("JSON")).expect("a schema");
    let right = manifest("integrations/kubernetes/fleet-job.yaml");
    assert!(validator.is_valid(&right));
    for (path, wrong) in [
        ("/spec/completionMode", json!("indexed")),
        ("/spec/completions", json!("10")),
        ("/spec/template/spec/restartPolicy", json!("Sometimes")),
        ("/spec/template/spec/containers/0/args/0", json!(2)),
        ("/spec/template/spec/containers/0/volumeMounts/0/mountPath", json!(null)),
        ("/apiVersion", json!("v1")),
    ] {
        let mut manifest = right.clone();
        *manifest.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = wrong;
        assert!(!validator.is_valid(&manifest), "{path}");
    }
}
