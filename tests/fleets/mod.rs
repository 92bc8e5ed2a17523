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
    let mut list = "# the fleet\n\n".to_owned();
    for number in 0..count {
        let class = format!("Made{number}Test");
        project.write(&format!("r{number}/src/test/{class}.java"), java(&class));
        list += &format!("r{number}\n");
    }
    project.write("list.txt", list);
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

pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args([
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "init.defaultBranch=main",
    ]);
    let output = command.args(arguments).current_dir(folder).output().expect("git");
    assert!(output.status.success(), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}
