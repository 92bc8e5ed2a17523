//! A project with compiled tests: its modules, each with a class path and a working folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use peeler_features::TestName;
use serde::{Deserialize, Serialize};

use super::class_patterns::ClassPatterns;

/// A Java project with compiled tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// The parts of the project that have their own class path, such as Maven modules.
    pub modules: Vec<Module>,
    /// What the user should know about the build that compiled the tests, as sentences.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// A part of a project that has its own class path, such as a Maven module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// The folder of the module in the project.
    pub root: PathBuf,
    /// The folder that the JVM is started in when it runs tests of the module.
    pub folder: PathBuf,
    /// The folders with the compiled tests of this module only; empty if they are unknown.
    pub tests: Vec<PathBuf>,
    /// The class path of the module's tests, including the folders of `tests`.
    pub classpath: Vec<PathBuf>,
    /// The options of `java` that the build gives to its test JVMs, such as `-Xmx1g` and system properties.
    pub options: Vec<String>,
    /// The environment variables that the build sets for its test JVMs.
    pub environment: BTreeMap<String, String>,
    /// The test classes that the build runs.
    pub patterns: ClassPatterns,
    /// Whether the build gives each test class a JVM of its own.
    pub has_jvm_for_each_class: bool,
}

impl Default for Module {
    fn default() -> Self {
        Self {
            root: PathBuf::new(),
            folder: PathBuf::new(),
            tests: Vec::new(),
            classpath: Vec::new(),
            options: Vec::new(),
            environment: BTreeMap::new(),
            patterns: ClassPatterns::everything(),
            has_jvm_for_each_class: false,
        }
    }
}

impl Project {
    /// The index in `modules` of the first module whose compiled tests contain the class of a test; `None` if there is
    /// none.
    #[must_use]
    pub fn module_of(&self, test: &TestName) -> Option<usize> {
        let file = format!("{}.class", test.class().replace('.', "/"));
        let has = |module: &Module| module.tests.is_empty() || module.tests.iter().any(|it| it.join(&file).is_file());
        self.modules.iter().position(has)
    }

    /// Those of all tests of the project that its build runs. A module whose build names no class with a test runs
    /// suites, which may contain any test, so all of its tests count.
    #[must_use]
    pub fn tests_of_build<'t>(&self, tests: &'t [TestName]) -> BTreeSet<&'t TestName> {
        let mut by_module = vec![Vec::new(); self.modules.len()];
        for test in tests {
            if let Some(module) = self.module_of(test) {
                by_module[module].push(test);
            }
        }
        for (module, tests) in self.modules.iter().zip(&mut by_module) {
            let is_named = |it: &&TestName| module.patterns.contains(it.class());
            if tests.iter().any(is_named) {
                tests.retain(is_named);
            }
        }
        by_module.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_belongs_to_the_module_that_compiled_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let module = |name: &str, class: &str| {
            let tests = folder.path().join(name);
            std::fs::create_dir_all(tests.join("a")).expect("a folder");
            std::fs::write(tests.join("a").join(class), "").expect("a file");
            Module {
                folder: folder.path().to_owned(),
                tests: vec![tests],
                ..Module::default()
            }
        };
        let project = Project {
            modules: vec![module("one", "B.class"), module("two", "C$D.class")],
            notes: Vec::new(),
        };
        let of = |text: &str| project.module_of(&text.parse().expect("a test"));
        assert_eq!((of("a.B#m"), of("a.C$D#m"), of("a.E#m")), (Some(0), Some(1), None));
    }

    #[test]
    fn a_build_that_names_no_test_class_runs_suites_of_any_of_them() {
        let tests = ["a.OneTest#m", "a.OneIT#m"].map(|it| it.parse().expect("a test"));
        let of_build = |included: &str| {
            let module = Module {
                patterns: ClassPatterns::new(std::iter::once(included.to_owned()), std::iter::empty()),
                ..Module::default()
            };
            let project = Project {
                modules: vec![module],
                notes: Vec::new(),
            };
            project.tests_of_build(&tests).into_iter().cloned().collect::<Vec<_>>()
        };
        assert_eq!(of_build("**/*Test.java"), tests[..1]);
        assert_eq!(of_build("a.AllTests").len(), 2);
    }
}
