//! Tests of builds: every error names a path and a remedy.
//!
//! The tests need no network and no plugins: scripts replace Maven and Gradle. They compile with `javac` and write the
//! files that the real build tools would write. `gradle.rs` runs the real Gradle.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use peeler_rerun::confirmation::Confirmation;
use peeler_rerun::evidence::{Outcome, Run, Stage};
use peeler_rerun::jvm::jdk::Jdk;
use peeler_rerun::jvm::pool::{JvmSettings, Pool};
use peeler_rerun::jvm::process::Interrupt;
use peeler_rerun::log::Log;
use peeler_rerun::project::{Build, BuildOptions, Project};

use crate::javac::{JUNIT4, jars};
use crate::sample::name;

const TEST: &str = "public class ${class} { @org.junit.Test public void t() { int ok = ${value}; } }";

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

/// A project with two modules, whose build tool wrapper is a script.
fn project(wrapper: &str, build_file: &str, script: &str, value: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(&root.join(build_file), "");
    for (module, class) in [("core", "CoreTest"), ("web", "WebTest")] {
        let source = TEST.replace("${class}", class).replace("${value}", value);
        write(&root.join(module).join(format!("src/test/java/{class}.java")), &source);
    }
    let archives = std::env::join_paths(jars(&JUNIT4)).expect("a class path");
    let script = script.replace("${archives}", archives.to_str().expect("a text"));
    write(&root.join(wrapper), &format!("#!/bin/sh\nset -e\n{script}"));
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(root.join(wrapper), executable).expect("a mode");
    folder
}

const MAVEN: &str = r#"
case "$*" in *--offline*test-compile*build-classpath*outputFile=target/peeler-classpath.txt*) ;; *) exit 9 ;; esac
for module in core web; do
  mkdir -p $module/target/test-classes
  javac -cp ${archives} -d $module/target/test-classes $module/src/test/java/*.java
  printf %s ${archives} > $module/target/peeler-classpath.txt
done
"#;

const GRADLE: &str = r#"
for argument in "$@"; do case "$argument" in -Dpeeler.out=*) out=${argument#-Dpeeler.out=} ;; esac; done
for module in core web; do
  classes=$PWD/$module/build/classes/java/test
  mkdir -p $classes
  javac -cp ${archives} -d $classes $module/src/test/java/*.java
  { echo "root $PWD/$module"; echo "folder $PWD/$module"; echo "tests $classes"; echo "entry $classes"
    echo ${archives} | tr : '\n' | sed 's/^/entry /'; } | tr '\n' '\0' > "$out/_$module.txt"
done
"#;

fn prepared(root: &Path) -> Project {
    let build = Build::detect(root).expect("a build");
    build
        .prepare(root, &BuildOptions::default(), &Interrupt::default())
        .expect("a project")
}

fn check_both_modules_run(root: &Path) {
    let project = prepared(root);
    assert_eq!(project.modules.len(), 2, "{project:?}");
    let settings = JvmSettings {
        options: vec![],
        limit: Duration::from_secs(60),
        cache: root.join("cache"),
        maven: None,
        sandbox: None,
    };
    let mut pool = Pool::new(
        &project,
        Jdk::find(None).expect("a JDK"),
        settings,
        Interrupt::default(),
        0,
    );
    let mut log = Log::fresh(&root.join("log.jsonl"), "code", None).expect("a log");
    let mut watch = |_: &Run| {};
    let mut confirmation = Confirmation::new(&mut pool, &mut log, None, &mut watch);
    for (test, outcome) in [
        ("CoreTest#t", Outcome::Passed),
        ("WebTest#t", Outcome::Passed),
        ("ElsewhereTest#t", Outcome::Missing),
    ] {
        assert_eq!(
            confirmation.run(&name(test), Stage::First).expect("it runs"),
            outcome,
            "{test}"
        );
    }
}

#[test]
fn the_modules_of_a_maven_build_run_each_with_its_own_class_path() {
    let folder = project("mvnw", "pom.xml", MAVEN, "1");
    check_both_modules_run(folder.path());
}

#[test]
fn the_modules_of_a_gradle_build_run_each_with_its_own_class_path() {
    let folder = project("gradlew", "settings.gradle", GRADLE, "1");
    check_both_modules_run(folder.path());
}

#[test]
fn a_build_that_does_not_compile_shows_its_last_lines_and_the_remedy() {
    for (wrapper, build_file, script) in [("mvnw", "pom.xml", MAVEN), ("gradlew", "build.gradle", GRADLE)] {
        // The first build is offline. The script fails on a second call, as a build without a network would.
        let folder = project(
            wrapper,
            build_file,
            &script.replace("exit 9", "cat core/error >&2; exit 9"),
            "\"one\"",
        );
        write(&folder.path().join("core/error"), "incompatible types, still");
        let build = Build::detect(folder.path()).expect("a build");
        let error = build
            .prepare(folder.path(), &BuildOptions::default(), &Interrupt::default())
            .expect_err("it does not compile");
        let message = error.to_string();
        assert!(message.contains("incompatible types"), "{message}");
        assert!(message.contains(&folder.path().display().to_string()), "{message}");
        assert!(message.contains("--classpath"), "{message}");
    }
}
