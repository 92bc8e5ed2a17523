//! The test runner: a Java program of Peeler that runs the tests of a project one at a time.
//!
//! Its sources `java/*.java` are compiled with the project's compiler against the project's class path, so it fits any
//! version of Java, JUnit and TestNG. The classes are cached in a folder whose name is a hash of their sources, compiler and
//! class path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use peeler_learning::atomic_file::{self, Durability};

use super::JvmError;
use super::archive::has_class;
use super::jdk::Jdk;
use super::process::{Interrupt, complete};
use crate::fingerprint::Fingerprint;
use crate::scratch_folder::ScratchFolder;

const MAIN: (&str, &str) = ("PeelerRunner.java", include_str!("../java/PeelerRunner.java"));
const PLATFORM: (&str, &str) = ("PlatformTests.java", include_str!("../java/PlatformTests.java"));
const JUNIT4: (&str, &str) = ("JUnit4Tests.java", include_str!("../java/JUnit4Tests.java"));
const TESTNG: (&str, &str) = ("TestNGTests.java", include_str!("../java/TestNGTests.java"));

/// The Java class with the `main` method of Peeler's test runner, which runs the tests of a project in a JVM.
pub const MAIN_CLASS: &str = "PeelerRunner";

/// The class file that exists only if Peeler's Java test runner was compiled completely.
const DONE: &str = "PeelerRunner.class";

/// The folder of Peeler's Java test runner, compiled for this class path. Compiles it if it is not in `cache`.
///
/// # Errors
///
/// When no test framework is on the class path, the runner does not compile, or `cache` cannot be written.
pub fn compiled(jdk: &Jdk, classpath: &[PathBuf], cache: &Path, interrupt: &Interrupt) -> Result<PathBuf, JvmError> {
    let mut key = Fingerprint::default();
    for (name, source) in [MAIN, PLATFORM, JUNIT4, TESTNG] {
        key.add(name.as_bytes());
        key.add(source.as_bytes());
    }
    key.add(jdk.javac.as_os_str().as_encoded_bytes());
    for entry in classpath {
        key.add(entry.as_os_str().as_encoded_bytes());
    }
    let folder = cache.join(format!("runner-{key}"));
    if folder.join(DONE).is_file() {
        return Ok(folder);
    }
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| JvmError::Io { path, source }
    };
    make_ignored_folder(cache).map_err(io(cache))?;
    // Compiled in a temporary folder and renamed, so that a killed or concurrent compilation leaves no partial cache.
    let workshop = ScratchFolder::new_in(cache).map_err(io(cache))?;
    let mut sources = vec![MAIN];
    if has_class(classpath, "org/junit/platform/launcher/Launcher.class") {
        sources.push(PLATFORM);
    }
    if has_class(classpath, "org/junit/runner/JUnitCore.class") {
        sources.push(JUNIT4);
    }
    if has_class(classpath, "org/testng/TestNG.class") {
        sources.push(TESTNG);
    }
    if sources.len() == 1 {
        return Err(JvmError::NoFramework);
    }
    let classes = workshop.path().join("classes");
    std::fs::create_dir(&classes).map_err(io(&classes))?;
    let mut command = Command::new(&jdk.javac);
    command.args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-cp"]);
    command.arg(joined(classpath)).arg("-d").arg(&classes);
    for (name, source) in sources {
        let file = workshop.path().join(name);
        std::fs::write(&file, source).map_err(io(&file))?;
        command.arg(file);
    }
    let (status, output) = complete(command, interrupt)?;
    if !status.success() {
        let javac = jdk.javac.clone();
        return Err(JvmError::Compiler { javac, output });
    }
    match std::fs::rename(&classes, &folder) {
        Err(source) if !folder.join(DONE).is_file() => Err(io(&folder)(source)),
        _ => Ok(folder),
    }
}

/// Makes a folder, if it does not exist, with a `.gitignore` that excludes its whole content.
///
/// The content must not be committed, and must not count as changes of the project.
///
/// # Errors
///
/// When the folder cannot be written.
pub fn make_ignored_folder(folder: &Path) -> std::io::Result<()> {
    const EXCLUDED: &str = "*\n";
    std::fs::create_dir_all(folder)?;
    let ignore = folder.join(".gitignore");
    if std::fs::read(&ignore).is_ok_and(|it| it == EXCLUDED.as_bytes()) {
        return Ok(());
    }
    atomic_file::replace(&ignore, &[EXCLUDED.as_bytes()], Durability::Fast).map_err(|error| error.source)
}

/// A class path as one command-line argument, with `:` or `;` between the entries.
#[must_use]
pub fn joined(classpath: &[PathBuf]) -> OsString {
    let mut out = OsString::new();
    for (index, entry) in classpath.iter().enumerate() {
        if index > 0 {
            out.push(if cfg!(windows) { ";" } else { ":" });
        }
        out.push(entry);
    }
    out
}
