//! Maven: compiles the tests, and writes class paths and the effective POM, in one run, so that modules find each
//! other's classes.
//!
//! Maven writes the class path of every module into the folder `target` of the module. The first run is offline,
//! because it is faster and changes nothing. If it fails, a run with the network follows.
//!
//! The unit tests run a script instead of Maven, which checks the arguments and writes the files of the plugins.
//! `integrations/try-packages` confirms a test with the real Maven.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::build_options::{BuildOptions, Network};
use super::command::{command_line, run_build};
use super::error::ProjectError;
use super::folders::folders;
use super::launcher;
use super::module::{Module, Project};
use super::surefire::{self, TestSettings};
use crate::jvm::JvmError;
use crate::jvm::process::Interrupt;

/// The file into which Maven writes the class path of a module, relative to the folder of the module.
const CLASSPATH: &str = "target/peeler-classpath.txt";

/// The file into which Maven writes the effective POM of all modules, relative to the root of the project.
const EFFECTIVE_POM: &str = "target/peeler-pom.xml";

/// The Maven plugin that writes class paths and gets artifacts. Versions are fixed, so that they do not depend on the
/// project.
const DEPENDENCIES: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";

/// The goal that writes the effective POM.
const WRITE_POM: &str = "org.apache.maven.plugins:maven-help-plugin:3.2.0:effective-pom";

/// Switches off plugins that check or format sources, or measure coverage. Tests do not need them, and formatters change
/// the sources.
const SKIPPED: [&str; 10] = [
    "-Dcheckstyle.skip",
    "-Drat.skip",
    "-Dspotbugs.skip",
    "-Dpmd.skip",
    "-Dformatter.skip",
    "-Dimpsort.skip",
    "-Dspotless.apply.skip",
    "-Dspotless.check.skip",
    "-Dlicense.skip",
    "-Djacoco.skip",
];

/// The Maven command that compiles the tests of a project and writes the class paths and POMs of its modules.
pub(super) fn command(program: &Path, root: &Path, network: Network, options: &BuildOptions) -> Command {
    let mut command = maven(program, root, options);
    if network == Network::Offline {
        command.arg("--offline");
    }
    if !options.modules.is_empty() {
        command.args(["--projects", &options.modules.join(","), "--also-make"]);
    }
    command.arg("test-compile");
    command.args([&format!("{DEPENDENCIES}:build-classpath"), WRITE_POM]);
    command.arg("-Dmdep.includeScope=test");
    command.arg(format!("-Dmdep.outputFile={CLASSPATH}"));
    command.arg(format!("-Doutput={}", root.join(EFFECTIVE_POM).display()));
    command.args(SKIPPED).args(&options.arguments);
    command
}

fn maven(program: &Path, root: &Path, options: &BuildOptions) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root).args(["--batch-mode", "--quiet"]);
    if let Some(home) = &options.java_home {
        command.env("JAVA_HOME", home);
    }
    command
}

/// Compiles the tests with Maven, and returns the modules of the project with their class paths.
pub(super) fn prepare(
    program: &Path,
    root: &Path,
    options: &BuildOptions,
    interrupt: &Interrupt,
) -> Result<Project, ProjectError> {
    // Files of earlier builds may belong to modules that no longer exist.
    for folder in folders(root) {
        let _ = std::fs::remove_file(folder.join(CLASSPATH));
    }
    let _ = std::fs::remove_file(root.join(EFFECTIVE_POM));
    match run_build(root, command(program, root, Network::Offline, options), interrupt) {
        Err(ProjectError::Build { .. }) => {
            run_build(root, command(program, root, Network::Online, options), interrupt)?;
        }
        other => {
            other?;
        }
    }
    let pom = std::fs::read_to_string(root.join(EFFECTIVE_POM)).unwrap_or_default();
    let modules = modules(root, &surefire::settings(&pom))?;
    if modules.is_empty() {
        return Err(ProjectError::NoModules {
            root: root.to_owned(),
            command: command_line(&command(program, root, Network::Online, options)),
        });
    }
    for artifact in launcher::missing(modules.iter().map(|it| &it.classpath[..])) {
        // Surefire adds these parts of JUnit itself, so a project need not have them.
        let mut command = maven(program, root, options);
        command.arg(format!("{DEPENDENCIES}:get")).arg("-Dtransitive=false");
        command.arg(format!("-Dartifact={artifact}"));
        run_build(root, command, interrupt)?;
    }
    Ok(Project {
        modules,
        notes: Vec::new(),
    })
}

/// The modules with compiled tests, each with its class path and what its POM says about test JVMs.
fn modules(root: &Path, settings: &[TestSettings]) -> Result<Vec<Module>, ProjectError> {
    let mut found = Vec::new();
    let folders: Vec<PathBuf> = folders(root)
        .into_iter()
        .filter(|it| it.join(CLASSPATH).is_file())
        .collect();
    for folder in &folders {
        // A module may lie in the folder of another one, so the deepest folder is the module's own.
        let is_own =
            |it: &&TestSettings| folders.iter().filter(|other| it.tests.starts_with(other)).max() == Some(folder);
        let settings = settings.iter().find(is_own).cloned().unwrap_or_else(|| TestSettings {
            classes: folder.join("target/classes"),
            tests: folder.join("target/test-classes"),
            ..TestSettings::default()
        });
        if !settings.tests.is_dir() || settings.is_skipped {
            continue;
        }
        let file = folder.join(CLASSPATH);
        let text = std::fs::read_to_string(&file).map_err(|source| JvmError::Io { path: file, source })?;
        found.push(module(folder, settings, text.trim()));
    }
    Ok(found)
}

fn module(folder: &Path, settings: TestSettings, libraries: &str) -> Module {
    let is_excluded = |entry: &PathBuf| {
        settings
            .excluded_artifacts
            .iter()
            .any(|it| surefire::is_artifact(entry, it))
    };
    let mut classpath = vec![settings.tests.clone(), settings.classes];
    let libraries = std::env::split_paths(libraries).filter(|it| *it != PathBuf::new() && !is_excluded(it));
    classpath.extend(libraries);
    classpath.extend(settings.classpath);
    // Surefire sets this property, and tests find their files by it.
    let mut options = vec![format!("-Dbasedir={}", folder.display())];
    if settings.options.iter().any(|it| it.starts_with("-XX:")) {
        // Options of an older JVM would keep a newer one from starting.
        options.push("-XX:+IgnoreUnrecognizedVMOptions".to_owned());
    }
    options.extend(settings.options);
    let start = settings.folder.map(|it| folder.join(it)).filter(|it| it.is_dir());
    Module {
        root: folder.to_owned(),
        folder: start.unwrap_or_else(|| folder.to_owned()),
        tests: vec![settings.tests],
        classpath,
        options,
        environment: settings.environment,
        patterns: settings.patterns,
        has_jvm_for_each_class: settings.has_jvm_for_each_class,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_compiles_and_asks_for_the_class_path_in_one_run() {
        let options = BuildOptions {
            modules: vec!["core".to_owned(), "web".to_owned()],
            arguments: vec!["-Pfast".to_owned()],
            ..BuildOptions::default()
        };
        let line = |network: Network| command_line(&command(Path::new("./mvnw"), Path::new("."), network, &options));
        let offline = line(Network::Offline);
        let start = "./mvnw --batch-mode --quiet --offline --projects core,web --also-make test-compile \
             org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath \
             org.apache.maven.plugins:maven-help-plugin:3.2.0:effective-pom -Dmdep.includeScope=test \
             -Dmdep.outputFile=target/peeler-classpath.txt -Doutput=./target/peeler-pom.xml";
        assert!(offline.starts_with(start), "{offline}");
        assert!(offline.ends_with(" -Pfast"), "{offline}");
        assert_eq!(line(Network::Online), offline.replace(" --offline", ""));
    }

    #[test]
    fn every_module_with_compiled_tests_has_its_own_class_path() {
        let root = tempfile::tempdir().expect("a folder");
        for (module, libraries) in [
            ("core", "/lib/a.jar:/lib/b.jar\n"),
            ("web/api", ""),
            ("no-tests", "/lib/a.jar"),
        ] {
            let target = root.path().join(module).join("target");
            std::fs::create_dir_all(&target).expect("a folder");
            std::fs::write(target.join("peeler-classpath.txt"), libraries).expect("a file");
            if module != "no-tests" {
                std::fs::create_dir(target.join("test-classes")).expect("a folder");
            }
        }
        let found = modules(root.path(), &[]).expect("modules");
        let core = root.path().join("core");
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].folder, core);
        let expected = [
            core.join("target/test-classes"),
            core.join("target/classes"),
            "/lib/a.jar".into(),
            "/lib/b.jar".into(),
        ];
        assert_eq!(found[0].classpath, expected);
        assert_eq!(found[1].classpath.len(), 2, "{found:?}");
    }

    #[test]
    fn a_module_has_what_its_own_pom_says() {
        let root = tempfile::tempdir().expect("a folder");
        let settings = |folder: &str, option: &str| {
            let target = root.path().join(folder).join("out");
            std::fs::create_dir_all(target.join("tests")).expect("a folder");
            let file = root.path().join(folder).join(CLASSPATH);
            std::fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            std::fs::write(file, "/m2/log4j/log4j/1/l.jar:/lib/a.jar").expect("a file");
            TestSettings {
                classes: target.join("classes"),
                tests: target.join("tests"),
                options: vec![option.to_owned()],
                excluded_artifacts: vec!["log4j:log4j".to_owned()],
                folder: Some("out".into()),
                ..TestSettings::default()
            }
        };
        let known = [settings(".", "-Douter"), settings("core", "-Dinner")];
        let found = modules(root.path(), &known).expect("modules");
        let inner = &found[1];
        assert_eq!(inner.folder, root.path().join("core/out"));
        assert!(inner.options.contains(&"-Dinner".to_owned()), "{inner:?}");
        assert_eq!(inner.classpath.last(), Some(&PathBuf::from("/lib/a.jar")));
        assert_eq!(inner.classpath.len(), 3, "{inner:?}");
        assert!(found[0].options.contains(&"-Douter".to_owned()), "{found:?}");
    }
}
