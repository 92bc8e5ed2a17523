//! A project with compiled tests: its modules, each with a class path and a working folder.

use std::path::PathBuf;

use peeler_features::TestName;

/// A Java project with compiled tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The parts of the project that have their own class path, such as Maven modules.
    pub modules: Vec<Module>,
}

/// A part of a project that has its own class path, such as a Maven module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The folder that the JVM is started in when it runs tests of the module.
    pub folder: PathBuf,
    /// The folders with the compiled tests of this module only; empty if they are unknown.
    pub tests: Vec<PathBuf>,
    /// The class path of the module's tests, including the folders of `tests`.
    pub classpath: Vec<PathBuf>,
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
                classpath: vec![],
            }
        };
        let project = Project {
            modules: vec![module("one", "B.class"), module("two", "C$D.class")],
        };
        let of = |text: &str| project.module_of(&text.parse().expect("a test"));
        assert_eq!((of("a.B#m"), of("a.C$D#m"), of("a.E#m")), (Some(0), Some(1), None));
    }
}
