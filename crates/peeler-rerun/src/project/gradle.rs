//! Gradle: an init script adds a task that compiles the tests of every Gradle project and writes down how they run.
//!
//! Gradle runs without a daemon, so that no process stays alive after the build. The first run is offline, because it is
//! faster and changes nothing. If it fails, a run with the network follows. A wrapper that cannot get its distribution
//! is replaced by `gradle` on the search path, and the project has a note about it.
//!
//! Left out: projects without the task `test` of the plugin `java`, such as those for Android; test tasks with other
//! names; the JDK of a toolchain; filters and tags of tests; options that the build sets while it runs its tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::build_options::{BuildOptions, Network};
use super::class_patterns::ClassPatterns;
use super::command::{command_line, on_search_path, run_build};
use super::error::ProjectError;
use super::gradle_failure::{java_hint, wrapper_failure, wrapper_version};
use super::module::{Module, Project};
use super::surefire::is_coverage_agent;
use crate::jvm::JvmError;
use crate::jvm::process::Interrupt;
use crate::scratch_folder::ScratchFolder;

/// The init script that Peeler gives to Gradle. It adds a task to every project with the plugin `java`.
///
/// The task writes one file for each project. Its records, such as `entry <entry of the class path>`, end with a null
/// character.
const INIT_SCRIPT: &str = include_str!("peeler.gradle");

/// The name of the wrapper that starts the Gradle of a project.
const WRAPPER: &str = "gradlew";

/// The Gradle command that runs Peeler's init script, whose task compiles the tests and writes files into `out`.
pub(super) fn command(
    program: &Path,
    root: &Path,
    [script, out]: [&Path; 2],
    network: Network,
    options: &BuildOptions,
) -> Command {
    let mut command = started(program);
    command.current_dir(root);
    if let Some(home) = &options.java_home {
        command.env("JAVA_HOME", home);
    }
    command.args(["--no-daemon", "--console=plain", "--quiet"]);
    if network == Network::Offline {
        command.arg("--offline");
    }
    command.arg("--init-script").arg(script);
    command.arg(format!("-Dpeeler.out={}", out.display()));
    if !options.modules.is_empty() {
        command.arg(format!("-Dpeeler.modules={}", options.modules.join(",")));
    }
    // The task asks other tasks how they are configured, which the configuration cache does not allow. Versions without
    // such a cache ignore the property, but would refuse an option.
    command.arg("-Dorg.gradle.configuration-cache=false");
    command.arg("peelerTestClasspath").args(&options.arguments);
    command
}

/// The command that starts a program. A wrapper that is not executable, as in many repositories, is given to a shell.
fn started(program: &Path) -> Command {
    #[cfg(unix)]
    if let Ok(file) = program.metadata()
        && std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o111 == 0
    {
        let mut command = Command::new("sh");
        command.arg(program);
        return command;
    }
    Command::new(program)
}

/// Compiles the tests with Gradle, and returns the modules and class paths that Peeler's init script wrote.
pub(super) fn prepare(
    program: &Path,
    root: &Path,
    options: &BuildOptions,
    interrupt: &Interrupt,
) -> Result<Project, ProjectError> {
    let folder = ScratchFolder::new().map_err(|source| JvmError::Io {
        path: std::env::temp_dir(),
        source,
    })?;
    let script = folder.path().join("peeler.gradle");
    let out = folder.path().join("classpaths");
    std::fs::write(&script, INIT_SCRIPT).map_err(io(&script))?;
    std::fs::create_dir(&out).map_err(io(&out))?;
    let command = |program: &Path, network| command(program, root, [&script, &out], network, options);
    let run = |program: &Path, network| run_build(root, command(program, network), interrupt).map(drop);
    let notes = built(program, root, on_search_path("gradle"), run)?;
    let modules = modules(&out)?;
    if !modules.is_empty() {
        return Ok(Project { modules, notes });
    }
    let root = root.to_owned();
    Err(if options.modules.is_empty() {
        let command = command_line(&command(program, Network::Online));
        ProjectError::NoModules { root, command }
    } else {
        let wanted = options.modules.join(", ");
        ProjectError::NoSuchModule { root, wanted }
    })
}

/// Builds with a program, or with the installed Gradle if the program is a wrapper that cannot start its own. Returns
/// notes about that for the user.
fn built(
    program: &Path,
    root: &Path,
    installed: Option<PathBuf>,
    run: impl Fn(&Path, Network) -> Result<(), ProjectError>,
) -> Result<Vec<String>, ProjectError> {
    let is_wrapper = program.file_stem().is_some_and(|it| it == WRAPPER);
    let properties = std::fs::read_to_string(root.join("gradle/wrapper/gradle-wrapper.properties"));
    let version = properties.ok().and_then(|it| wrapper_version(&it));
    let error = match offline_then_online(program, version.as_deref().filter(|_| is_wrapper), &run) {
        Ok(()) => return Ok(Vec::new()),
        Err(error) => error,
    };
    let failure = match &error {
        ProjectError::Build { output, .. } if is_wrapper => wrapper_failure(output),
        _ => None,
    };
    let Some(failure) = failure else { return Err(error) };
    let wanted = version.map_or_else(|| "Gradle".to_owned(), |it| format!("Gradle {it}"));
    let failure = format!("{} does not start {wanted}: {failure}", program.display());
    let Some(installed) = installed else {
        return Err(with_remedy(error, |_| {
            format!(
                "{failure}; run the wrapper once where it can download, or install Gradle as `gradle` on the search \
                 path, or compile the tests yourself and give their class path with --classpath"
            )
        }));
    };
    match offline_then_online(&installed, None, &run) {
        Ok(()) => Ok(vec![format!("{failure}; {} was used instead", installed.display())]),
        Err(error) => Err(with_remedy(error, |remedy| {
            format!(
                "{failure}; {} was used instead, and failed too; {remedy}",
                installed.display()
            )
        })),
    }
}

/// Builds without the network, and with it if that fails. Gradle that does not start at all gets no second run.
fn offline_then_online(
    program: &Path,
    version: Option<&str>,
    run: impl Fn(&Path, Network) -> Result<(), ProjectError>,
) -> Result<(), ProjectError> {
    let hint = |error: &ProjectError| match error {
        ProjectError::Build { output, .. } => java_hint(output, version),
        _ => None,
    };
    let result = match run(program, Network::Offline) {
        Err(error @ ProjectError::Build { .. }) => {
            let is_wrapper_failure =
                matches!(&error, ProjectError::Build { output, .. } if wrapper_failure(output).is_some());
            if is_wrapper_failure || hint(&error).is_some() {
                Err(error)
            } else {
                run(program, Network::Online)
            }
        }
        other => other,
    };
    result.map_err(|error| match hint(&error) {
        Some(hint) => with_remedy(error, |_| hint),
        None => error,
    })
}

/// The error of a failed build with another remedy, made from its own.
fn with_remedy(mut error: ProjectError, other: impl FnOnce(&str) -> String) -> ProjectError {
    if let ProjectError::Build { remedy, .. } = &mut error {
        *remedy = other(remedy);
    }
    error
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> JvmError {
    let path = path.to_owned();
    move |source| JvmError::Io { path, source }
}

/// The modules that the files of Peeler's Gradle init script describe, in the order of their names.
fn modules(out: &Path) -> Result<Vec<Module>, ProjectError> {
    let entries = out.read_dir().map_err(io(out))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|it| it.ok().map(|it| it.path())).collect();
    files.sort();
    let mut modules = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(io(&file))?;
        modules.extend(module(&text));
    }
    Ok(modules)
}

/// The module that a file of Peeler's Gradle init script describes; `None` for a project without compiled tests.
fn module(text: &str) -> Option<Module> {
    let records: Vec<(&str, &str)> = text.split('\0').filter_map(|it| it.split_once(' ')).collect();
    let values = |key: &'static str| records.iter().filter(move |it| it.0 == key).map(|it| it.1.to_owned());
    let tests: Vec<PathBuf> = values("tests").map(PathBuf::from).filter(|it| it.is_dir()).collect();
    if tests.is_empty() {
        return None;
    }
    let environment: BTreeMap<String, String> = values("variable")
        .filter_map(|it| {
            it.split_once('=')
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
        })
        .collect();
    let (mut included, excluded): (Vec<_>, Vec<_>) = (values("include").collect(), values("exclude").collect());
    if included.is_empty() {
        included.push("**".to_owned());
    }
    let mut options: Vec<String> = values("option").filter(|it| is_kept(it)).collect();
    if options.iter().any(|it| it.starts_with("-XX:")) {
        // Options of an older JVM would keep a newer one from starting.
        options.insert(0, "-XX:+IgnoreUnrecognizedVMOptions".to_owned());
    }
    Some(Module {
        root: values("root").next()?.into(),
        folder: values("folder").next()?.into(),
        tests,
        classpath: values("entry").map(PathBuf::from).collect(),
        options,
        environment,
        patterns: ClassPatterns::new(included.into_iter(), excluded.into_iter()),
        has_jvm_for_each_class: values("fork").next().is_some(),
    })
}

/// Whether an option of the build's test JVMs is used: not for coverage tools, nor to wait for a debugger.
fn is_kept(option: &str) -> bool {
    let waits = ["-agentlib:jdwp", "-Xrunjdwp", "-Xdebug"];
    !is_coverage_agent(option) && !waits.iter().any(|it| option.starts_with(it))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    const DOWNLOAD: &str = "Exception in thread \"main\" java.net.UnknownHostException: example.org\n\tat \
                            org.gradle.wrapper.Download.download(Download.java:44)";

    #[test]
    fn the_command_leaves_no_daemon() {
        let options = BuildOptions {
            modules: vec!["core".to_owned(), ":web".to_owned()],
            arguments: vec!["-Pfast".to_owned()],
            ..BuildOptions::default()
        };
        let files = [Path::new("i.gradle"), Path::new("out")];
        let command = command(
            Path::new("./gradlew"),
            Path::new("."),
            files,
            Network::Offline,
            &options,
        );
        assert_eq!(
            command_line(&command),
            "./gradlew --no-daemon --console=plain --quiet --offline --init-script i.gradle -Dpeeler.out=out \
             -Dpeeler.modules=core,:web -Dorg.gradle.configuration-cache=false peelerTestClasspath -Pfast"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_wrapper_that_is_not_executable_is_started_by_a_shell() {
        let folder = tempfile::tempdir().expect("a folder");
        let wrapper = folder.path().join("gradlew");
        std::fs::write(&wrapper, "").expect("a file");
        assert_eq!(started(&wrapper).get_program(), "sh");
    }

    #[test]
    fn a_module_has_what_the_build_says_about_its_tests() {
        let tests = tempfile::tempdir().expect("a folder");
        let records = [
            "root /p",
            "folder /p/run",
            &format!("tests {}", tests.path().display()),
            "entry /a b.jar",
            "entry /c.jar",
            "option -Xmx1g",
            "option -Dtext=two\nlines",
            "option -javaagent:/x/jacocoagent.jar=destfile=y",
            "option -agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=5005",
            "variable HOME_OF=a=b",
            "exclude **/slow/**",
            "fork every class",
        ];
        let text = records.map(|it| format!("{it}\0")).concat();
        let found = module(&text).expect("a module");
        assert_eq!((&*found.root, &*found.folder), (Path::new("/p"), Path::new("/p/run")));
        assert_eq!(found.classpath, [Path::new("/a b.jar"), Path::new("/c.jar")]);
        assert_eq!(found.options, ["-Xmx1g", "-Dtext=two\nlines"]);
        assert_eq!(found.environment["HOME_OF"], "a=b");
        assert!(found.patterns.contains("a.Any") && !found.patterns.contains("a.slow.Any"));
        assert!(found.has_jvm_for_each_class);
        assert_eq!(
            module("root /p\0folder /p\0tests /nowhere/at/all\0entry /a.jar\0"),
            None
        );
    }

    /// Builds with a wrapper and perhaps an installed Gradle. The outputs are those of the failing runs, by program.
    fn run(installed: Option<&str>, outputs: &[(&str, &str)]) -> (Result<Vec<String>, String>, Vec<String>) {
        let runs = RefCell::new(Vec::new());
        let run = |program: &Path, network: Network| {
            runs.borrow_mut().push(format!("{} {network:?}", program.display()));
            match outputs.iter().find(|it| Path::new(it.0) == program) {
                None => Ok(()),
                Some((_, output)) => Err(ProjectError::Build {
                    root: "/p".into(),
                    how: "exit status 1".to_owned(),
                    command: "gradle".to_owned(),
                    output: (*output).to_owned(),
                    remedy: "own remedy".to_owned(),
                }),
            }
        };
        let installed = installed.map(PathBuf::from);
        let result = built(Path::new("/p/gradlew"), Path::new("/p"), installed, run);
        (result.map_err(|it| it.to_string()), runs.into_inner())
    }

    #[test]
    fn a_failed_build_is_tried_again_with_the_network() {
        let (result, runs) = run(Some("/bin/gradle"), &[("/p/gradlew", "Compilation failed")]);
        assert!(result.expect_err("it fails").ends_with("own remedy"));
        assert_eq!(runs, ["/p/gradlew Offline", "/p/gradlew Online"]);
        assert_eq!(run(None, &[]).1, ["/p/gradlew Offline"]);
    }

    #[test]
    fn a_wrapper_without_its_distribution_is_replaced_by_the_installed_gradle() {
        let (result, runs) = run(Some("/bin/gradle"), &[("/p/gradlew", DOWNLOAD)]);
        let notes = result.expect("it builds");
        assert!(
            notes[0].contains("UnknownHostException") && notes[0].contains("/bin/gradle was used"),
            "{notes:?}"
        );
        assert_eq!(runs, ["/p/gradlew Offline", "/bin/gradle Offline"]);
        let (result, _) = run(
            Some("/bin/gradle"),
            &[("/p/gradlew", DOWNLOAD), ("/bin/gradle", "no plugin")],
        );
        let message = result.expect_err("it fails");
        assert!(
            message.contains("no plugin") && message.contains("failed too; own remedy"),
            "{message}"
        );
    }

    #[test]
    fn a_wrapper_that_nothing_replaces_names_cause_and_remedy() {
        let (result, runs) = run(None, &[("/p/gradlew", DOWNLOAD)]);
        let message = result.expect_err("it fails");
        for words in ["UnknownHostException", "where it can download", "--classpath"] {
            assert!(message.contains(words), "{message}");
        }
        assert_eq!(runs, ["/p/gradlew Offline"]);
    }

    #[test]
    fn a_gradle_that_does_not_know_the_jdk_is_not_started_again() {
        let output = "Could not determine java version from '17.0.15'.";
        let (result, runs) = run(Some("/bin/gradle"), &[("/p/gradlew", output)]);
        assert!(result.expect_err("it fails").contains("--java-home"));
        assert_eq!(runs, ["/p/gradlew Offline"]);
    }
}
