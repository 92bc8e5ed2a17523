//! Tests of the sample `tests/gradle`, built by the Gradle on the search path.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use peeler_rerun::confirmation::Confirmation;
use peeler_rerun::evidence::{Outcome, Run, Stage};
use peeler_rerun::jvm::jdk::Jdk;
use peeler_rerun::jvm::pool::{JvmSettings, Pool};
use peeler_rerun::jvm::process::Interrupt;
use peeler_rerun::log::Log;
use peeler_rerun::project::{Build, BuildOptions, Project};
use tempfile::TempDir;

use crate::javac::{JUNIT4, copy, jars};
use crate::sample::name;

/// A copy of the sample, in a folder without links.
fn sample() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let root = folder.path().canonicalize().expect("a path");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gradle"), &root);
    (folder, root)
}

fn built(root: &Path, modules: &[&str]) -> Project {
    let build = Build::detect(root).expect("Gradle, which ./run-tests installs");
    let archives = std::env::join_paths(jars(&JUNIT4)).expect("a class path");
    let options = BuildOptions {
        java_home: None,
        modules: modules.iter().map(|it| (*it).to_owned()).collect(),
        arguments: vec![format!("-Pjunit={}", archives.display())],
    };
    build
        .prepare(root, &options, &Interrupt::default())
        .expect("it compiles")
}

/// Runs tests, each of which has to pass.
fn check_all_pass(root: &Path, project: &Project, tests: &[&str]) {
    let settings = JvmSettings {
        options: vec![],
        limit: Duration::from_secs(60),
        cache: root.join("cache"),
        maven: None,
        sandbox: None,
    };
    let jdk = Jdk::find(None).expect("a JDK");
    let mut pool = Pool::new(project, jdk, settings, Interrupt::default(), 0);
    let mut log = Log::fresh(&root.join("log.jsonl"), "code", None).expect("a log");
    let mut failures = Vec::new();
    let mut watch = |run: &Run| failures.extend(run.failure.clone());
    let mut confirmation = Confirmation::new(&mut pool, &mut log, None, &mut watch);
    for test in tests {
        let outcome = confirmation.run(&name(test), Stage::First).expect("it runs");
        assert_eq!(outcome, Outcome::Passed, "{test}");
    }
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn tests_run_with_the_settings_of_the_task_test() {
    let (_folder, root) = sample();
    let project = built(&root, &[]);
    let roots: Vec<&Path> = project.modules.iter().map(|it| &*it.root).collect();
    assert_eq!(roots, [root.join("core"), root.join("web")], "idle runs no tests");
    let core = &project.modules[0];
    let variables: Vec<(&str, &str)> = core
        .environment
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect();
    assert_eq!(
        variables,
        [("FROM_BUILD", "e=f")],
        "the inherited ones are not repeated"
    );
    assert!(project.modules[1].environment.is_empty());
    assert!(project.notes.is_empty(), "{:?}", project.notes);
    let tests = ["core.SettingsTest#hasOptions", "core.SlowTest#isSlow"].map(name);
    let of_build: Vec<_> = project.tests_of_build(&tests).into_iter().collect();
    assert_eq!(of_build, [&tests[0]], "the build excludes the other one");
    check_all_pass(
        &root,
        &project,
        &[
            "core.SettingsTest#hasOptions",
            "core.SettingsTest#hasSystemProperties",
            "core.SettingsTest#hasEnvironment",
            "core.SettingsTest#hasSmallHeap",
            "core.SettingsTest#startsInItsFolder",
            "core.SettingsTest#checksNoAssertions",
            "web.WebTest#usesCore",
            "web.WebTest#checksAssertions",
        ],
    );
}

#[test]
fn a_wrapper_without_its_distribution_is_replaced_and_only_wanted_modules_are_compiled() {
    let (_folder, root) = sample();
    // This is what the wrapper of Gradle 4.4 prints without a network.
    let wrapper = "#!/bin/sh\n\
                   echo 'Downloading https://example.org/gradle-8.5-bin.zip'\n\
                   echo 'Exception in thread \"main\" java.net.UnknownHostException: example.org' >&2\n\
                   echo '\tat org.gradle.wrapper.Download.download(Download.java:51)' >&2\n\
                   echo '\tat org.gradle.wrapper.GradleWrapperMain.main(GradleWrapperMain.java:61)' >&2\n\
                   exit 1\n";
    std::fs::write(root.join("gradlew"), wrapper).expect("a file");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(root.join("gradlew"), executable).expect("a mode");
    std::fs::write(root.join("core/src/test/java/core/SlowTest.java"), "does not compile").expect("a file");
    let project = built(&root, &[":web"]);
    assert_eq!(project.modules.len(), 1, "{project:?}");
    let note = project.notes.join("\n");
    assert!(
        note.contains("UnknownHostException") && note.contains("was used instead"),
        "{note}"
    );
    check_all_pass(&root, &project, &["web.WebTest#usesCore"]);
}
