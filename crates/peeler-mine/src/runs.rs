//! Events of tests whose runs showed that they are flaky.
//!
//! A report of runs names classes and no files. The file of a class is looked up at the mined revision.

use std::path::Path;

use git2::{ObjectType, Oid, Repository, TreeWalkMode, TreeWalkResult};
use rustc_hash::FxHashMap;

use crate::event::{Event, RunLabel, TestLocation};
use crate::rules::Rules;

/// One event for each test that runs showed to be flaky, sorted by class and method.
pub(crate) fn events(repository: &Repository, rules: &Rules, tip: Oid, labels: &[RunLabel]) -> Vec<Event> {
    if labels.is_empty() {
        return Vec::new();
    }
    let mut files: FxHashMap<String, Option<String>> = labels.iter().map(|it| (file_of(&it.class), None)).collect();
    let tree = repository.find_commit(tip).and_then(|it| it.tree());
    if let Ok(tree) = tree {
        // A part of the files is better than none, so a broken tree ends the walk without an error.
        let _ = tree.walk(TreeWalkMode::PreOrder, |folder, entry| {
            if entry.kind() == Some(ObjectType::Blob)
                && let Ok(name) = entry.name()
                && Path::new(name).extension().is_some_and(|it| it == "java")
            {
                let path = format!("{folder}{name}");
                for (at, _) in path.match_indices('/').chain([(0, "")]) {
                    let inner = path[at..].trim_start_matches('/');
                    if let Some(found) = files.get_mut(inner) {
                        found.get_or_insert_with(|| path.clone());
                    }
                }
            }
            TreeWalkResult::Ok
        });
    }
    let mut labels: Vec<&RunLabel> = labels.iter().collect();
    labels.sort_by(|a, b| (&a.class, &a.test, a.evidence).cmp(&(&b.class, &b.test, b.evidence)));
    labels.dedup_by(|b, a| (&a.class, &a.test) == (&b.class, &b.test));
    let event = |label: &RunLabel| {
        let path = files.get(&file_of(&label.class)).cloned().flatten();
        Event {
            commit: tip.to_string(),
            path: path.clone().unwrap_or_default(),
            class: label.class.clone(),
            test: label.test.clone(),
            fix: String::new(),
            date: String::new(),
            evidence: label.evidence,
            causes: vec!["other".to_owned()],
            certainty: rules.certainty.of(label.evidence),
            subject: String::new(),
            today: path.map(|path| TestLocation {
                path,
                class: label.class.clone(),
                test: label.test.clone(),
            }),
        }
    };
    labels.into_iter().map(event).collect()
}

/// The path of a class's file below its source folder: `shop/CartTest.java` for `shop.CartTest$Late`.
fn file_of(class: &str) -> String {
    let outer = class.split('$').next().unwrap_or(class);
    format!("{}.java", outer.replace('.', "/"))
}
