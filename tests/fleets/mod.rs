//! Generated repositories, and records of fleet scans.

// Every test file compiles this module separately and uses only a part of it.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::Project;

/// The source of a test that depends on the order of a `HashMap`, and of one that sleeps.
pub(crate) fn java(class: &str) -> String {
    format!(
        "package shop; import java.util.*; import org.junit.*; public class {class} {{\n\
         @Test public void prints() {{ Map<String, Integer> map = new HashMap<>(); map.put(\"a\", 1); map.put(\"b\", 2);\n\
         Assert.assertEquals(\"{{a=1, b=2}}\", map.toString()); }}\n\
         @Test public void waits() throws Exception {{ Thread.sleep(10); Assert.assertTrue(done()); }}\n\
         static boolean done() {{ return true; }} }}"
    )
}

/// A folder with repositories `r0`, `r1` and so on, and their list in `list.txt`.
pub(crate) fn fleet(count: usize) -> Project {
    let project = Project::empty();
    let mut list = vec!["# the fleet\n\n".to_owned()];
    for number in 0..count {
        let class = format!("Made{number}Test");
        project.write(&format!("r{number}/src/test/{class}.java"), java(&class));
        list.push(format!("r{number}\n"));
    }
    project.write("list.txt", list.concat());
    project
}

pub(crate) fn records(text: &str) -> Vec<Value> {
    text.lines()
        .map(|it| serde_json::from_str(it).expect("a record"))
        .collect()
}

/// The records of an output by name. A name that occurs twice is an error.
pub(crate) fn by_name(text: &str) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for record in records(text) {
        let name = record["name"].as_str().expect("a name").to_owned();
        assert!(found.insert(name.clone(), record).is_none(), "{name} is there twice");
    }
    found
}

/// A record without what differs from run to run.
pub(crate) fn settled(mut record: Value) -> Value {
    record.as_object_mut().expect("an object").remove("run").expect("a run");
    record
}

pub(crate) fn settled_all(text: &str) -> BTreeMap<String, Value> {
    by_name(text)
        .into_iter()
        .map(|(name, it)| (name, settled(it)))
        .collect()
}

pub(crate) fn statuses(text: &str) -> BTreeMap<String, String> {
    let status = |it: &Value| it["status"].as_str().expect("a status").to_owned();
    by_name(text)
        .iter()
        .map(|(name, it)| (name.clone(), status(it)))
        .collect()
}

/// Runs git in a folder, whatever its settings are outside of the tests. Returns what it prints.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        // A git hook that runs these tests sets variables for its own repository.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "A. Tester")
        .env("GIT_AUTHOR_EMAIL", "tester@example.org")
        .env("GIT_COMMITTER_NAME", "A. Tester")
        .env("GIT_COMMITTER_EMAIL", "tester@example.org");
    let output = command.args(arguments).current_dir(folder).output().expect("git");
    assert!(output.status.success(), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}
