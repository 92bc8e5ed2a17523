//! The launcher of the JUnit platform, which projects rarely declare because build tools add their own.
//!
//! The launcher is searched near `junit-platform-engine`, which is on the class path of a project. It is found in a
//! Maven repository, in Gradle's cache, and in a plain folder of archives. Nothing is downloaded.

use std::path::{Path, PathBuf};

/// Adds `junit-platform-launcher` to a class path that has `junit-platform-engine` but no launcher, if the file is
/// found.
pub(super) fn add_missing(classpath: &mut Vec<PathBuf>) {
    let is = |path: &Path, artifact: &str| {
        let name = path.file_name().and_then(|it| it.to_str());
        name.is_some_and(|it| it.starts_with(artifact)) && path.extension().is_some_and(|it| it == "jar")
    };
    if classpath
        .iter()
        .any(|it| is(it, "junit-platform-launcher") || is(it, "junit-platform-console-standalone"))
    {
        return;
    }
    let engine = classpath.iter().find(|it| is(it, "junit-platform-engine"));
    if let Some(launcher) = engine.and_then(|it| beside(it)) {
        classpath.push(launcher);
    }
}

/// The archive `junit-platform-launcher` of the same version as this `junit-platform-engine`, if it exists.
fn beside(engine: &Path) -> Option<PathBuf> {
    let file = engine.file_name()?.to_str()?.replace("engine", "launcher");
    let folder = engine.parent()?;
    let same_folder = folder.join(&file);
    if same_folder.is_file() {
        return Some(same_folder);
    }
    // Maven: org/junit/platform/junit-platform-engine/VERSION/junit-platform-engine-VERSION.jar
    let version = folder.file_name()?;
    let artifacts = folder.parent()?.parent()?;
    let maven = artifacts.join("junit-platform-launcher").join(version).join(&file);
    if maven.is_file() {
        return Some(maven);
    }
    // Gradle: org.junit.platform/junit-platform-engine/VERSION/HASH/junit-platform-engine-VERSION.jar
    let version = folder.parent()?.file_name()?;
    let hashes = artifacts.parent()?.join("junit-platform-launcher").join(version);
    let mut found: Vec<PathBuf> = hashes
        .read_dir()
        .ok()?
        .filter_map(|it| Some(it.ok()?.path().join(&file)))
        .filter(|it| it.is_file())
        .collect();
    found.sort();
    found.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(engine: &str, launcher: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        for file in [engine, launcher] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, "").expect("a file");
        }
        let mut classpath = vec![folder.path().join(engine)];
        add_missing(&mut classpath);
        assert_eq!(classpath.last(), Some(&folder.path().join(launcher)));
        let once = classpath.clone();
        add_missing(&mut classpath);
        assert_eq!(classpath, once, "it is added once");
    }

    #[test]
    fn the_launcher_stands_beside_the_engine_in_every_layout() {
        check(
            "org/junit/platform/junit-platform-engine/1.9.1/junit-platform-engine-1.9.1.jar",
            "org/junit/platform/junit-platform-launcher/1.9.1/junit-platform-launcher-1.9.1.jar",
        );
        check(
            "org.junit.platform/junit-platform-engine/1.9.1/abc/junit-platform-engine-1.9.1.jar",
            "org.junit.platform/junit-platform-launcher/1.9.1/def/junit-platform-launcher-1.9.1.jar",
        );
        check("lib/junit-platform-engine.jar", "lib/junit-platform-launcher.jar");
    }
}
