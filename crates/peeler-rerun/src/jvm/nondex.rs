//! NonDex: classes of the JDK that behave differently where the documentation of Java allows it.
//!
//! NonDex (edu.illinois:nondex, on Maven Central) shuffles what has no specified order, such as the entries of a
//! `HashMap` or the methods of a class. A program of NonDex writes the changed classes for one JDK. They are made once
//! and kept in the cache of the project.
//!
//! Left out: Java 8, whose JVMs take changed classes another way.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::JvmError;
use super::jdk::Jdk;
use super::process::{Interrupt, complete};
use super::runner::{joined, make_ignored_folder};
use crate::fingerprint::Fingerprint;
use crate::scratch_folder::ScratchFolder;

/// The version of NonDex that is used.
const VERSION: &str = "2.2.1";

/// The Maven plugin that gets archives by name.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

/// The changed classes of a JDK, and the part of NonDex that they call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NonDex {
    classes: PathBuf,
    common: PathBuf,
}

impl NonDex {
    /// The changed classes of this JDK. Gets NonDex with Maven and makes them, if they are not in `cache`.
    ///
    /// # Errors
    ///
    /// When Maven is not there or cannot get NonDex, or NonDex cannot change the classes of this JDK.
    pub fn prepare(jdk: &Jdk, maven: &Path, cache: &Path, interrupt: &Interrupt) -> Result<Self, JvmError> {
        let mut command = Command::new(&jdk.java);
        command.arg("-version");
        let (_, version) = complete(command, interrupt)?;
        let mut key = Fingerprint::default();
        key.add(VERSION.as_bytes());
        key.add(version.as_bytes());
        key.add(jdk.java.as_os_str().as_encoded_bytes());
        let folder = cache.join(format!("nondex-{key}"));
        let made = Self::in_folder(&folder);
        if made.classes.is_file() && made.common.is_file() {
            return Ok(made);
        }
        if version.contains("version \"1.") {
            return Err(JvmError::NonDex {
                reason: "it needs Java 9 or newer here; name a JDK with --java-home".to_owned(),
            });
        }
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| JvmError::Io { path, source }
        };
        make_ignored_folder(cache).map_err(io(cache))?;
        let workshop = ScratchFolder::new_in(cache).map_err(io(cache))?;
        let parts = workshop.path().join("parts");
        std::fs::create_dir(&parts).map_err(io(&parts))?;
        for artifact in ["nondex-common", "nondex-instrumentation"] {
            get(maven, artifact, &parts, interrupt)?;
        }
        let new = Self::in_folder(&parts);
        let mut command = Command::new(&jdk.java);
        command.arg("-jar").arg(parts.join(archive("nondex-instrumentation")));
        command.arg(&new.classes).current_dir(&parts);
        let (status, output) = complete(command, interrupt)?;
        if !status.success() || !new.classes.is_file() {
            return Err(JvmError::NonDex {
                reason: format!("it cannot change the classes of this JDK:\n{output}"),
            });
        }
        match std::fs::rename(&parts, &folder) {
            Err(source) if !made.classes.is_file() => Err(io(&folder)(source)),
            _ => Ok(made),
        }
    }

    fn in_folder(folder: &Path) -> Self {
        Self {
            classes: folder.join("jdk.jar"),
            common: folder.join(archive("nondex-common")),
        }
    }

    /// The options of `java` with which a JVM uses the changed classes. NonDex writes its files into `folder`.
    #[must_use]
    pub fn options(&self, folder: &Path) -> Vec<String> {
        let patch = joined(&[self.classes.clone(), self.common.clone()]);
        vec![
            format!("--patch-module=java.base={}", patch.to_string_lossy()),
            "--add-exports=java.base/edu.illinois.nondex.common=ALL-UNNAMED".to_owned(),
            "--add-exports=java.base/edu.illinois.nondex.shuffling=ALL-UNNAMED".to_owned(),
            format!("-DnondexDir={}", folder.display()),
            format!("-DnondexExecid={EXECUTION}"),
        ]
    }
}

/// The name of the folder in which NonDex writes its files.
const EXECUTION: &str = "peeler";

/// The stack of the single shuffle that NonDex made, from the file that it wrote into `folder`.
///
/// The first frame is the call of the Java library whose result was shuffled. `None` if NonDex wrote nothing.
#[must_use]
pub fn shuffled_call(folder: &Path) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(folder.join(EXECUTION).join("debug")).ok()?;
    let frames = text.lines().map(|it| it.trim().trim_start_matches("java.base/"));
    let frames = frames.filter(|it| it.contains('(') && !it.starts_with("TEST:"));
    let own = |it: &&str| it.starts_with("edu.illinois.nondex") || it.starts_with("java.lang.Thread.getStackTrace");
    let frames: Vec<String> = frames.skip_while(own).map(str::to_owned).collect();
    (!frames.is_empty()).then_some(frames)
}

fn archive(artifact: &str) -> String {
    format!("{artifact}-{VERSION}.jar")
}

/// Copies an archive of NonDex into a folder, from Maven's local repository or else from Maven Central.
fn get(maven: &Path, artifact: &str, folder: &Path, interrupt: &Interrupt) -> Result<(), JvmError> {
    let mut last = String::new();
    for network in [Some("--offline"), None] {
        let mut command = Command::new(maven);
        command.args(["--batch-mode", "--quiet"]).args(network).arg(COPY);
        command.arg(format!("-Dartifact=edu.illinois:{artifact}:{VERSION}"));
        // Not in the project, whose own build would be read.
        command
            .arg(format!("-DoutputDirectory={}", folder.display()))
            .current_dir(folder);
        let (status, output) = complete(command, interrupt)?;
        if status.success() && folder.join(archive(artifact)).is_file() {
            return Ok(());
        }
        last = output;
    }
    Err(JvmError::NonDex {
        reason: format!("Maven cannot get edu.illinois:{artifact}:{VERSION}:\n{last}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shuffled_call_is_the_first_frame_outside_nondex() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(shuffled_call(folder.path()), None);
        std::fs::create_dir(folder.path().join(EXECUTION)).expect("a folder");
        let text = "TEST: null\njava.base/java.lang.Thread.getStackTrace(Thread.java:1610)\n\
            java.base/edu.illinois.nondex.common.NonDex.shouldExplore(NonDex.java:180)\n\
            java.base/java.util.HashMap$HashIterator.<init>(HashMap.java)\nshop.Basket.text(Basket.java:7)\n";
        std::fs::write(folder.path().join(EXECUTION).join("debug"), text).expect("a file");
        let expected = [
            "java.util.HashMap$HashIterator.<init>(HashMap.java)",
            "shop.Basket.text(Basket.java:7)",
        ];
        assert_eq!(
            shuffled_call(folder.path()).as_deref(),
            Some(&expected.map(str::to_owned)[..])
        );
    }

    #[test]
    fn a_maven_that_cannot_get_nondex_is_quoted() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = get(
            Path::new("false"),
            "nondex-common",
            folder.path(),
            &Interrupt::default(),
        );
        assert!(error.expect_err("it fails").to_string().contains("nondex-common:2.2.1"));
    }
}
