//! Parts of JUnit 5 that projects rarely declare because build tools add their own: the launcher of the platform, and
//! the engine of Jupiter.
//!
//! They have the versions of the parts that are on the class path of a project. They are searched near these: in a
//! Maven repository, in Gradle's cache, and in a plain folder of archives. Nothing is downloaded here.

use std::path::{Path, PathBuf};

/// A part of JUnit 5 that a class path lacks.
struct Part<'a> {
    group: &'static str,
    artifact: &'static str,
    /// The archive of another part with the same version, which is on the class path.
    relative: &'a Path,
    /// The name of that other part.
    relative_artifact: &'static str,
}

/// Adds the parts of JUnit 5 that a class path lacks, as far as their files are found.
pub(super) fn add_missing(classpath: &mut Vec<PathBuf>) {
    let found: Vec<PathBuf> = needed(classpath).iter().filter_map(Part::file).collect();
    classpath.extend(found);
}

/// The parts of JUnit 5 that some class paths lack and whose files are not found, as `group:artifact:version`, each
/// once.
pub(super) fn missing<'a>(classpaths: impl Iterator<Item = &'a [PathBuf]>) -> Vec<String> {
    let absent = classpaths.flat_map(|classpath| {
        let absent = needed(classpath).into_iter().filter(|it| it.file().is_none());
        absent.filter_map(|it| it.coordinates()).collect::<Vec<_>>()
    });
    let mut absent: Vec<String> = absent.collect();
    absent.sort();
    absent.dedup();
    absent
}

fn needed(classpath: &[PathBuf]) -> Vec<Part<'_>> {
    let archive = |artifact: &str| {
        classpath.iter().map(PathBuf::as_path).find(|path| {
            let name = path.file_name().and_then(|it| it.to_str()).unwrap_or("");
            let rest = name.strip_prefix(artifact).and_then(|it| it.strip_suffix(".jar"));
            rest.is_some_and(|it| it.is_empty() || it.starts_with('-'))
        })
    };
    let mut parts = Vec::new();
    if archive("junit-platform-console-standalone").is_some() {
        return parts;
    }
    let api = archive("junit-jupiter-api");
    if let (Some(api), None) = (api, archive("junit-jupiter-engine")) {
        parts.push(Part {
            group: "org.junit.jupiter",
            artifact: "junit-jupiter-engine",
            relative: api,
            relative_artifact: "junit-jupiter-api",
        });
    }
    let engine = archive("junit-platform-engine");
    if engine.is_none() && api.is_none() {
        return parts;
    }
    let commons = archive("junit-platform-commons").map(|it| (it, "junit-platform-commons"));
    let Some((relative, relative_artifact)) = engine.map(|it| (it, "junit-platform-engine")).or(commons) else {
        return parts;
    };
    for artifact in ["junit-platform-engine", "junit-platform-launcher"] {
        if archive(artifact).is_none() {
            parts.push(Part {
                group: "org.junit.platform",
                artifact,
                relative,
                relative_artifact,
            });
        }
    }
    parts
}

impl Part<'_> {
    /// The archive of this part, if it is found near its relative.
    fn file(&self) -> Option<PathBuf> {
        let file = self.relative.file_name()?.to_str()?;
        let file = file.replace(self.relative_artifact, self.artifact);
        let folder = self.relative.parent()?;
        let same_folder = folder.join(&file);
        if same_folder.is_file() {
            return Some(same_folder);
        }
        // Maven: org/junit/platform/junit-platform-engine/VERSION/junit-platform-engine-VERSION.jar
        let version = folder.file_name()?;
        let artifacts = folder.parent()?.parent()?;
        let maven = artifacts.join(self.artifact).join(version).join(&file);
        if maven.is_file() {
            return Some(maven);
        }
        // Gradle: org.junit.platform/junit-platform-engine/VERSION/HASH/junit-platform-engine-VERSION.jar
        let version = folder.parent()?.file_name()?;
        let hashes = artifacts.parent()?.join(self.artifact).join(version);
        let mut found: Vec<PathBuf> = hashes
            .read_dir()
            .ok()?
            .filter_map(|it| Some(it.ok()?.path().join(&file)))
            .filter(|it| it.is_file())
            .collect();
        found.sort();
        found.into_iter().next()
    }

    /// The part as Maven names it; `None` if the name of its relative has no version.
    fn coordinates(&self) -> Option<String> {
        let file = self.relative.file_stem()?.to_str()?;
        let version = file.strip_prefix(self.relative_artifact)?.strip_prefix('-')?;
        Some(format!("{}:{}:{version}", self.group, self.artifact))
    }
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

    #[test]
    fn what_a_build_tool_would_add_is_named_with_its_version() {
        let classpath = [
            "/m2/org/junit/jupiter/junit-jupiter-api/5.9.1/junit-jupiter-api-5.9.1.jar",
            "/m2/org/junit/platform/junit-platform-commons/1.9.1/junit-platform-commons-1.9.1.jar",
        ]
        .map(PathBuf::from);
        let expected = [
            "org.junit.jupiter:junit-jupiter-engine:5.9.1",
            "org.junit.platform:junit-platform-engine:1.9.1",
            "org.junit.platform:junit-platform-launcher:1.9.1",
        ];
        assert_eq!(missing([&classpath[..], &classpath[..]].into_iter()), expected);
        let plain = [PathBuf::from("/m2/junit/junit/4.13/junit-4.13.jar")];
        assert!(missing([&plain[..]].into_iter()).is_empty());
    }
}
