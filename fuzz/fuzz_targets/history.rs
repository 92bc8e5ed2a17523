//! Fuzz target of JUnit XML of earlier builds, and of what git and a JVM say about changed and loaded classes.
#![no_main]

use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use peeler_features::TestName;
use peeler_fuzz::bundle;
use peeler_fuzz::slowest::watched;
use peeler_rerun::history::History;
use peeler_rerun::intersect::{Changes, GitOutput, declared_classes, loaded_classes};
use peeler_rerun::summary::from_history;
use peeler_rerun::verdict::verdicts;

fuzz_target!(|text: &str| {
    watched(text.len(), || check(text));
});

fn check(text: &str) {
    if text.trim_start().starts_with('<') {
        let mut history = History::default();
        history.add_report(PathBuf::from("TEST-shop.xml"), text);
        assert!(
            history.reports + history.problems.len() <= 1,
            "one file is one report or one problem"
        );
        let _ = (verdicts(&history.events, &[]), from_history(&history.events));
        return;
    }
    let files = bundle::files(text.as_bytes(), "source");
    let part = |name: &str| {
        let found = files.iter().find(|(path, _)| path == name);
        found.map_or_else(String::new, |(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
    };
    let changes = Changes::from_git(
        Path::new("/dev/null/none"),
        "HEAD",
        &GitOutput {
            tracked: &part("tracked"),
            lines: &part("lines"),
            untracked: &part("untracked"),
        },
    );
    let loaded = loaded_classes(&part("loaded"));
    let _ = changes.coverage(&TestName::new("shop.CartTest", "prints"), &loaded);
    let _ = declared_classes(&part("source"));
}
