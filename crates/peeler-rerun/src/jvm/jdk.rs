//! The lookup of the programs `java` and `javac` of a JDK.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::JvmError;

/// The paths of the programs `java` and `javac` of a JDK.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    /// The path of the program `java`.
    pub java: PathBuf,
    /// The path of the program `javac`.
    pub javac: PathBuf,
}

impl Jdk {
    /// The JDK in the folder `java_home`, else in the folder of the variable `JAVA_HOME`, else on the search path.
    ///
    /// # Errors
    ///
    /// When one of the programs is missing. The error names the searched folder.
    pub fn find(java_home: Option<&Path>) -> Result<Self, JvmError> {
        let from_environment = std::env::var_os("JAVA_HOME").filter(|it| !it.is_empty());
        let home = java_home.map(Path::to_owned).or(from_environment.map(PathBuf::from));
        Self::find_in(home.as_deref(), std::env::var_os("PATH").as_deref())
    }

    fn find_in(home: Option<&Path>, path: Option<&OsStr>) -> Result<Self, JvmError> {
        Ok(Self {
            java: program("java", home, path)?,
            javac: program("javac", home, path)?,
        })
    }
}

fn program(name: &'static str, home: Option<&Path>, path: Option<&OsStr>) -> Result<PathBuf, JvmError> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    // A wrong folder is an error. No other JDK replaces it silently.
    let (folders, looked) = match home {
        Some(home) => (vec![home.join("bin")], format!("in {}", home.join("bin").display())),
        None => (
            path.map(|it| std::env::split_paths(it).collect()).unwrap_or_default(),
            "on the search path".to_owned(),
        ),
    };
    let found = folders.into_iter().map(|it| it.join(&file)).find(|it| it.is_file());
    found.ok_or(JvmError::NoJdk { program: name, looked })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_jdk_names_the_place_and_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = Jdk::find_in(Some(folder.path()), None).expect_err("there is none");
        let message = error.to_string();
        assert!(
            message.contains(&folder.path().join("bin").display().to_string()),
            "{message}"
        );
        assert!(message.contains("--java-home"), "{message}");
        let nowhere = Jdk::find_in(None, Some(folder.path().as_os_str())).expect_err("there is none");
        assert!(nowhere.to_string().contains("on the search path"));
    }

    #[test]
    fn a_runtime_without_a_compiler_is_no_jdk() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(format!("java{}", std::env::consts::EXE_SUFFIX)), "").expect("a file");
        let error = Jdk::find_in(None, Some(folder.path().as_os_str())).expect_err("no javac");
        assert!(error.to_string().starts_with("no javac found"), "{error}");
    }
}
