//! Finds the build tool and the module of a test by the build files around it.
//!
//! ```text
//! pom.xml, orders/pom.xml, orders/src/test/java/OrderTest.java    Maven, module orders
//! settings.gradle, api/build.gradle, api/src/test/java/...        Gradle, project :api
//! ```
//!
//! Invariant: nothing is run, and no build file is read. Only their names count.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::finding::Finding;

/// The build tool that a project uses, if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuildKind {
    Maven,
    Gradle,
    /// Neither Maven nor Gradle was found.
    Unknown,
}

/// The build tool of a test, with the folders of the build and of the test's module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BuildTool<'b> {
    pub(crate) kind: BuildKind,
    /// Whether the folder of the build contains the wrapper script `mvnw` or `gradlew`.
    pub(crate) has_wrapper: bool,
    /// The folder of the whole build, relative to the folder that files of the report are relative to.
    pub(crate) folder: &'b str,
    /// The folder of the module relative to that of the build; `None` if only the folder `src` of the file tells.
    pub(crate) module: Option<&'b str>,
}

/// The build tools of all tests of a report, by the files of the tests.
#[derive(Debug, Default)]
pub(crate) struct BuildLayout {
    builds: HashMap<String, Build>,
    /// The build tool of all other files, if it is known.
    other: Option<Build>,
}

#[derive(Debug)]
struct Build {
    kind: BuildKind,
    has_wrapper: bool,
    folder: String,
    module: Option<String>,
}

impl BuildLayout {
    /// Looks for build files around the tests of findings. Their files are relative to `base`.
    pub(crate) fn around(findings: &[Finding], base: &Path) -> Self {
        let mut builds = HashMap::new();
        for finding in findings {
            if !builds.contains_key(&finding.file) {
                builds.extend(Build::around(base, &finding.file).map(|it| (finding.file.clone(), it)));
            }
        }
        Self { builds, other: None }
    }

    /// A layout for tests and fuzz targets: every test has the same build tool with a wrapper, and the module that its
    /// file tells.
    pub(crate) fn same(kind: BuildKind) -> Self {
        let other = Some(Build {
            kind,
            has_wrapper: true,
            folder: String::new(),
            module: None,
        });
        Self {
            builds: HashMap::new(),
            other,
        }
    }

    /// The build tool of a finding's test.
    pub(crate) fn of(&self, finding: &Finding) -> BuildTool<'_> {
        match self.builds.get(&finding.file).or(self.other.as_ref()) {
            Some(build) => BuildTool {
                kind: build.kind,
                has_wrapper: build.has_wrapper,
                folder: &build.folder,
                module: build.module.as_deref(),
            },
            None => BuildTool {
                kind: BuildKind::Unknown,
                has_wrapper: false,
                folder: "",
                module: None,
            },
        }
    }
}

impl Build {
    /// The build around a file: the nearest build file decides the tool and the module, the outermost one the folder.
    fn around(base: &Path, file: &str) -> Option<Self> {
        if file.starts_with('/') || file.split('/').any(|it| it == "..") {
            return None;
        }
        let folders: Vec<PathBuf> = Path::new(file).ancestors().skip(1).map(Path::to_owned).collect();
        let kind_of = |folder: &Path| kind(&base.join(folder));
        let nearest = folders.iter().position(|it| kind_of(it).is_some())?;
        let kind = kind_of(&folders[nearest])?;
        // A folder between modules may have no build file of its own, as in Gradle.
        let outermost = folders
            .iter()
            .rposition(|it| kind_of(it) == Some(kind))
            .unwrap_or(nearest);
        let folder = &folders[outermost];
        let module = folders[nearest].strip_prefix(folder).ok()?;
        let wrapper = if kind == BuildKind::Maven { "mvnw" } else { "gradlew" };
        Some(Self {
            kind,
            has_wrapper: base.join(folder).join(wrapper).is_file(),
            folder: written(folder),
            // A project of Gradle may have no build file of its own, but then `src` is in its folder.
            module: Some(written(module)).filter(|it| kind == BuildKind::Maven || !it.is_empty()),
        })
    }
}

fn kind(folder: &Path) -> Option<BuildKind> {
    const GRADLE: [&str; 4] = [
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
    ];
    if folder.join("pom.xml").is_file() {
        Some(BuildKind::Maven)
    } else if GRADLE.iter().any(|it| folder.join(it).is_file()) {
        Some(BuildKind::Gradle)
    } else {
        None
    }
}

fn written(path: &Path) -> String {
    path.iter().map(|it| it.to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_build_file_is_the_module_and_the_outermost_the_build() {
        let folder = tempfile::tempdir().unwrap();
        for file in [
            "pom.xml",
            "orders/pom.xml",
            "orders/mvnw",
            "app/settings.gradle",
            "app/gradlew",
            "app/core/build.gradle.kts",
        ] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let around = |file: &str| {
            let build = Build::around(folder.path(), file).unwrap();
            (build.kind, build.has_wrapper, build.folder, build.module)
        };
        let maven = |module: &str| (BuildKind::Maven, false, String::new(), Some(module.to_owned()));
        let gradle = |module: Option<&str>| (BuildKind::Gradle, true, "app".to_owned(), module.map(str::to_owned));
        assert_eq!(around("orders/src/test/java/ATest.java"), maven("orders"));
        assert_eq!(around("src/test/java/ATest.java"), maven(""));
        assert_eq!(around("app/core/src/test/java/ATest.java"), gradle(Some("core")));
        assert_eq!(around("app/web/src/test/java/ATest.java"), gradle(None));
        assert!(Build::around(folder.path(), "../ATest.java").is_none());
    }
}
