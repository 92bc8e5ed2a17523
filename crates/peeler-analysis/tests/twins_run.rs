//! Differential check of the order twins: they are compiled and run under shuffled order.
//!
//! Flaky twins must pass under some seed and fail under another; stable twins must pass under all. The check needs a
//! JDK and Debian's packages `junit4` and `junit5`. `Shuffler.java` changes the order of hash maps,
//! reflection and file lists.
//!
//! `TWINS_LIBRARIES=FOLDER` adds all archives of a folder, so that twins with libraries run too.
//! `TWINS_SHUFFLER=nondex` uses `NonDex` from that folder in place of our own shuffler.

mod twin_pairs;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use self::twin_pairs::{Pair, Twin, pairs};

/// The number of seeds. Two elements keep their order under all of them once in four thousand pairs.
const SEEDS: usize = 12;

/// The number of JVMs that run at the same time.
const JVMS: usize = 2;

/// The rules whose flaky twins change with the order of hash maps, reflection and file lists.
const SHUFFLED_RULES: [&str; 7] = ["PLR101", "PLR102", "PLR103", "PLR104", "PLR105", "PLR106", "PLR110"];

/// Pairs of these rules that are only compiled: their order comes from `Files`, a native method or `Hashtable`, or they
/// need `TestNG`.
const NOT_RUN: [&str; 6] = [
    "ClassesOfTypeTest",
    "DirectoryStreamTest",
    "FilesListStreamTest",
    "HashtableTextTest",
    "TestNgListTest",
    "WalkedTreeTest",
];

/// The least number of pairs that are run, and of flaky twins that change.
const LEAST: usize = 60;

/// Debian's archives of JUnit 4 and 5.
const JUNIT: [&str; 12] = [
    "junit4",
    "hamcrest",
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "junit-jupiter-params",
    "junit-platform-commons",
    "junit-platform-engine",
    "junit-platform-launcher",
    "junit-vintage-engine",
    "opentest4j",
    "apiguardian-api",
    "univocity-parsers",
];

/// Prefixes of imports that need no library beside the JDK and JUnit.
const ALWAYS_THERE: [&str; 5] = ["java.", "javax.", "com.sun.", "org.junit.", "org.hamcrest."];

/// What shuffles the order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Engine {
    /// `Shuffler.java`.
    Own,
    /// `NonDex`, which shuffles iterators, but not `toArray`, `forEach` and streams.
    NonDex,
}

impl Engine {
    fn wanted() -> Self {
        match std::env::var("TWINS_SHUFFLER") {
            Ok(name) if name == "nondex" => Self::NonDex,
            _ => Self::Own,
        }
    }
}

fn libraries() -> Option<PathBuf> {
    std::env::var_os("TWINS_LIBRARIES").map(PathBuf::from)
}

/// Whether the libraries that a pair imports are there.
fn can_be_compiled(pair: &Pair) -> bool {
    let text = pair.twin(Twin::Flaky);
    let imports = text.lines().filter_map(|it| it.strip_prefix("import "));
    let mut names = imports.map(|it| it.trim_start_matches("static "));
    libraries().is_some() || names.all(|name| ALWAYS_THERE.iter().any(|it| name.starts_with(it)))
}

fn classpath(classes: &Path) -> String {
    let mut parts = vec![classes.display().to_string()];
    if let Some(folder) = libraries() {
        parts.push(folder.join("*").display().to_string());
    } else {
        parts.extend(JUNIT.iter().map(|it| format!("/usr/share/java/{it}.jar")));
    }
    parts.join(":")
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The full name of the test class of a twin. The twins of a pair are in packages of their own.
fn class_name(pair: &Pair, twin: Twin) -> String {
    format!("{}.{}", package(pair, twin), pair.name)
}

fn package(pair: &Pair, twin: Twin) -> String {
    let side = match twin {
        Twin::Flaky => "flaky",
        Twin::Stable => "stable",
    };
    format!("{side}.{}", pair.name.trim_end_matches("Test").to_lowercase())
}

/// Compiles both twins of all pairs, and the runner.
fn compile(folder: &Path, pairs: &[Pair]) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/twin_run");
    let mut sources = vec![own.join("Runner.java")];
    for pair in pairs {
        for twin in [Twin::Flaky, Twin::Stable] {
            let package = package(pair, twin);
            let home = folder.join("sources").join(package.replace('.', "/"));
            fs::create_dir_all(&home).expect("a folder");
            let text = pair.twin(twin);
            let named: Vec<String> = text
                .lines()
                .map(|it| {
                    if it.starts_with("package ") {
                        format!("package {package};")
                    } else {
                        it.to_owned()
                    }
                })
                .collect();
            let file = home.join(format!("{}.java", pair.name));
            fs::write(&file, named.join("\n")).expect("a file");
            sources.push(file);
        }
    }
    let classes = folder.join("classes");
    let mut javac = Command::new("javac");
    javac.args(["-nowarn", "-proc:none", "-d"]).arg(&classes);
    run(javac.arg("-cp").arg(classpath(&classes)).args(&sources));
    classes
}

/// The arguments of a JVM in which the order depends on a seed.
fn shuffled(folder: &Path, engine: Engine) -> impl Fn(usize) -> Vec<String> + Sync {
    let patches = folder.join("patches");
    fs::create_dir_all(&patches).expect("a folder");
    let archive = |part: &str| {
        let folder = libraries().expect("TWINS_LIBRARIES has NonDex");
        let mut files = fs::read_dir(&folder)
            .expect("a folder")
            .map(|it| it.expect("an entry").path());
        files
            .find(|it| it.display().to_string().contains(part))
            .unwrap_or_else(|| panic!("{part} in {}", folder.display()))
    };
    let mut patch = String::new();
    if engine == Engine::NonDex {
        let out = patches.join("nondex.jar");
        run(Command::new("java")
            .arg("-jar")
            .arg(archive("nondex-instrumentation"))
            .arg(&out));
        patch = format!("{}:{}", out.display(), archive("nondex-common").display());
    } else {
        let shuffler = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/twin_run/Shuffler.java");
        let exports = "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED";
        let mut java = Command::new("java");
        java.args(["--add-exports", exports]).arg(shuffler);
        run(java.arg(&patches).arg(SEEDS.to_string()));
    }
    move |seed| {
        if engine == Engine::Own {
            return vec![format!("--patch-module=java.base={}/{seed}", patches.display())];
        }
        vec![
            format!("--patch-module=java.base={patch}"),
            "--add-exports=java.base/edu.illinois.nondex.common=ALL-UNNAMED".to_owned(),
            "--add-exports=java.base/edu.illinois.nondex.shuffling=ALL-UNNAMED".to_owned(),
            "-DnondexMode=ONE".to_owned(),
            format!("-DnondexSeed={}", seed * 7919),
            format!("-DnondexDir={0}", patches.display()),
            format!("-DnondexJarDir={0}", patches.display()),
        ]
    }
}

/// The outcomes of test classes under one seed: `passed`, or `failed` with a reason.
fn outcomes(folder: &Path, classes: &Path, arguments: &[String]) -> BTreeMap<String, String> {
    let mut java = Command::new("java");
    java.args(arguments)
        .args(["-XX:TieredStopAtLevel=1", "-cp"])
        .arg(classpath(classes));
    let output = run(java.current_dir(folder).arg("Runner").arg(folder.join("names")));
    let lines = output
        .lines()
        .filter_map(|it| it.strip_prefix("twin ")?.split_once(' '));
    lines
        .map(|(name, outcome)| (name.to_owned(), outcome.to_owned()))
        .collect()
}

#[test]
fn flaky_order_twins_change_under_shuffled_order_and_stable_ones_do_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let pairs: Vec<Pair> = pairs().into_iter().filter(can_be_compiled).collect();
    let classes = compile(folder, &pairs);
    let is_run = |it: &&Pair| SHUFFLED_RULES.contains(&it.rule().as_str()) && !NOT_RUN.contains(&it.name.as_str());
    let run: Vec<&Pair> = pairs.iter().filter(is_run).collect();
    let names = run
        .iter()
        .flat_map(|it| [class_name(it, Twin::Flaky), class_name(it, Twin::Stable)]);
    fs::write(folder.join("names"), names.collect::<Vec<_>>().join("\n")).expect("a file");

    let engine = Engine::wanted();
    let arguments = shuffled(folder, engine);
    let seeds: Vec<usize> = (1..=SEEDS).collect();
    let mut runs = Vec::new();
    for batch in seeds.chunks(JVMS) {
        let started = |seed: usize| outcomes(folder, &classes, &arguments(seed));
        runs.extend(thread::scope(|scope| {
            let jvms: Vec<_> = batch.iter().map(|seed| scope.spawn(move || started(*seed))).collect();
            jvms.into_iter().map(|it| it.join().expect("a JVM")).collect::<Vec<_>>()
        }));
    }

    let mut wrong = Vec::new();
    let mut changed = 0;
    println!("passed of {SEEDS}: flaky stable");
    for pair in &run {
        let of = |twin| {
            runs.iter()
                .map(move |it| it[&class_name(pair, twin)].as_str())
                .collect::<Vec<_>>()
        };
        let passed = |twin| of(twin).iter().filter(|it| **it == "passed").count();
        let (flaky, stable) = (passed(Twin::Flaky), passed(Twin::Stable));
        println!("{flaky:2} {stable:2} {} {}/{}", pair.rule(), pair.family, pair.name);
        let changes = flaky > 0 && flaky < SEEDS;
        changed += usize::from(changes);
        if (engine == Engine::Own && !changes) || stable < SEEDS {
            let reasons: Vec<&str> = of(Twin::Stable)
                .into_iter()
                .chain(of(Twin::Flaky))
                .filter(|it| *it != "passed")
                .collect();
            wrong.push(format!(
                "{}: flaky {flaky}, stable {stable} {:?}",
                pair.name,
                reasons.first()
            ));
        }
    }
    println!(
        "{} pairs compiled, {} run under {SEEDS} seeds, {changed} changed",
        pairs.len(),
        run.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        std::env::var_os("TWINS").is_some() || changed >= LEAST,
        "{changed} flaky twins changed"
    );
}
