//! Comparison of call resolution with javac, on the samples.
//!
//! The test needs a JDK of version 17 or later. Without one it compares nothing and says so. Continuous integration
//! installs one.

use std::path::Path;
use std::process::Command;

use peeler_analysis::{Analysis, Repository};
use peeler_benches::agreement::{compare, read_oracle};

/// The packages of javac that the oracle accesses.
const EXPORTED: [&str; 7] = ["api", "code", "comp", "file", "main", "tree", "util"];

#[test]
fn calls_of_the_samples_resolve_as_javac_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if Command::new("java").arg("-version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "continuous integration has a JDK");
        println!("skipped: no JDK on the path");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = folder.path().join("calls.tsv");
    let mut java = Command::new("java");
    for package in EXPORTED {
        java.args([
            "--add-exports",
            &format!("jdk.compiler/com.sun.tools.javac.{package}=ALL-UNNAMED"),
        ]);
    }
    let output = java
        .args(["--add-opens", "jdk.compiler/com.sun.tools.javac.comp=ALL-UNNAMED"])
        .arg(root.join("tests/oracle/CallOracle.java"))
        .arg(root.join("corpus/samples"))
        .arg(&table)
        .output()
        .expect("java runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let oracle = read_oracle(&std::fs::read_to_string(table).expect("the oracle's table"));
    let repository = Repository::open(&root.join("corpus/samples")).expect("the samples");
    let agreement = compare(&Analysis::new(&repository).calls(), &oracle);
    let all = agreement.right + agreement.wrong.len() + agreement.unresolved.len();
    assert!(all > 500, "only {all} calls to compare");
    assert!(agreement.right * 100 >= all * 97, "{agreement:#?}");
    assert!(agreement.wrong.len() * 100 <= all, "{agreement:#?}");
}
