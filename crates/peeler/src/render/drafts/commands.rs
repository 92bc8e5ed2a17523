//! Shell commands that run one test with Maven or Gradle.
//!
//! ```java
//! // orders/api/src/test/java/dev/shop/OrderTest.java
//! class OrderTest { @Nested class Empty { @Test void totals() { … } } }
//! // mvn -pl orders/api -Dtest='OrderTest$Empty#totals' test
//! // gradle :orders:api:test --tests 'dev.shop.OrderTest$Empty.totals'
//! ```
//!
//! Invariant: every name is one word of the command, quoted where a shell needs it. Left out: projects of Gradle that
//! `settings.gradle` puts elsewhere than their folder, and tests that Failsafe runs. Also left out: JUnit 4's
//! parameterised tests, whose names carry an index.

use peeler_features::TestName;
use peeler_rerun::shell;

use super::command_names::{UnusableName, check_gradle_names, check_test, maven_module};
use crate::build_layout::{BuildKind, BuildTool};
use crate::finding::Finding;

/// A build tool that a draft issue shows commands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builder {
    Maven,
    Gradle,
}

/// One test and one build tool, from which a draft issue makes the shell commands that run the test.
#[derive(Debug)]
pub(super) struct Command<'a> {
    builder: Builder,
    program: String,
    name: &'a TestName,
    /// The folders of the test's module, below the root of the project; empty for the root module.
    module: Vec<&'a str>,
    /// The folder of the test's module as an argument of Maven's `-pl`; `None` for the root module and for Gradle.
    maven_module: Option<String>,
    /// The name of the source set that contains the test: `test` in `src/test/java`.
    source_set: &'a str,
}

impl Builder {
    /// The build tool that a draft issue shows commands for. Where it is unknown, Maven is a guess.
    pub(super) fn of(tool: BuildTool<'_>) -> Self {
        match tool.kind {
            BuildKind::Maven | BuildKind::Unknown => Self::Maven,
            BuildKind::Gradle => Self::Gradle,
        }
    }

    fn program(self, tool: BuildTool<'_>) -> Result<String, UnusableName> {
        let name = match (self, tool.has_wrapper) {
            (Self::Maven, true) => "mvnw",
            (Self::Maven, false) => return with_folder("mvn", "-f", tool.folder),
            (Self::Gradle, true) => "gradlew",
            (Self::Gradle, false) => return with_folder("gradle", "-p", tool.folder),
        };
        let (script, option) = if tool.folder.is_empty() {
            (format!("./{name}"), "")
        } else {
            let option = if self == Self::Maven { "-f" } else { "-p" };
            (folder_word(&format!("{}/{name}", tool.folder))?, option)
        };
        with_folder(&script, option, tool.folder)
    }
}

/// A program with the option that names the folder of the build, unless that is the current one.
fn with_folder(program: &str, option: &str, folder: &str) -> Result<String, UnusableName> {
    if folder.is_empty() {
        return Ok(program.to_owned());
    }
    Ok(format!("{program} {option} {}", folder_word(folder)?))
}

/// A path as a word of a shell command that no program takes for an option.
fn folder_word(path: &str) -> Result<String, UnusableName> {
    shell::path_word(path).ok_or_else(|| UnusableName::folder(path))
}

impl<'a> Command<'a> {
    /// The commands for the test of a finding. Returns an error if a name cannot be an argument of the build tool.
    pub(super) fn new(tool: BuildTool<'a>, finding: &'a Finding) -> Result<Self, UnusableName> {
        let builder = Builder::of(tool);
        let folders: Vec<&str> = finding.file.split('/').filter(|it| !it.is_empty()).collect();
        let is_layout = |at: &usize| folders[*at] == "src" && folders.get(at + 2).is_some_and(|it| *it == "java");
        let source = (0..folders.len()).find(is_layout);
        let end = source
            .or_else(|| folders.iter().position(|it| *it == "src"))
            .unwrap_or(0);
        let source_set = source.map_or("test", |at| folders[at + 1]);
        let parts = |path: &'a str| path.split('/').filter(|it| !it.is_empty());
        let build = parts(tool.folder).count();
        let by_layout = || folders[build.min(end)..end].to_vec();
        let module: Vec<&str> = tool.module.map_or_else(by_layout, |it| parts(it).collect());
        check_test(&finding.test)?;
        let maven_module = match builder {
            Builder::Maven if module.is_empty() => None,
            Builder::Maven => Some(maven_module(&module)?),
            Builder::Gradle => {
                check_gradle_names(&module, source_set)?;
                None
            }
        };
        Ok(Self {
            builder,
            program: builder.program(tool)?,
            name: &finding.test,
            source_set,
            module,
            maven_module,
        })
    }

    /// Whether the test is in a module below the root of the project.
    pub(super) fn is_in_module(&self) -> bool {
        !self.module.is_empty()
    }

    /// The command that runs the test once.
    pub(super) fn test(&self) -> String {
        self.run("", &[])
    }

    /// The command that runs the test up to a hundred times, until it fails.
    pub(super) fn rerun(&self) -> String {
        let run = match self.builder {
            Builder::Maven => self.run("", &["-q".to_owned()]),
            Builder::Gradle => self.run("", &self.fresh()),
        };
        format!("for i in $(seq 100); do {run} || break; done")
    }

    /// The command that runs the test under `NonDex`, which shuffles collections and members as their specification
    /// allows.
    pub(super) fn nondex(&self, version: &str) -> String {
        match self.builder {
            Builder::Maven => {
                let goal = format!("edu.illinois:nondex-maven-plugin:{version}:nondex");
                self.maven(&[goal, self.maven_filter(self.name.method())])
            }
            Builder::Gradle => format!(
                "{} {} {}",
                self.program,
                self.task("nondexTest"),
                self.gradle_filter(self.name.method())
            ),
        }
    }

    /// The command that runs the test in another time zone and locale.
    pub(super) fn elsewhere(&self) -> String {
        let locale = "-Duser.language=tr -Duser.country=TR";
        match self.builder {
            Builder::Maven => {
                let options = format!("-DargLine='-Duser.timezone=Pacific/Auckland {locale}'");
                self.run("", &[options])
            }
            // Gradle passes its own locale and environment on to the tests.
            Builder::Gradle => {
                let mut arguments = vec![locale.to_owned()];
                arguments.extend(self.fresh());
                self.run("JAVA_TOOL_OPTIONS=-Duser.timezone=Pacific/Auckland ", &arguments)
            }
        }
    }

    /// The command that runs the methods of the test's class in a random order.
    pub(super) fn class_in_random_order(&self) -> String {
        let order = "-Djunit.jupiter.testmethod.order.default=org.junit.jupiter.api.MethodOrderer$Random";
        match self.builder {
            Builder::Maven => self.maven(&[format!("'-DargLine={order}'"), self.maven_filter(""), "test".to_owned()]),
            Builder::Gradle => {
                let fresh = self.fresh().join(" ");
                let task = self.task(self.source_task());
                let filter = self.gradle_filter("");
                format!("JAVA_TOOL_OPTIONS='{order}' {} {fresh} {task} {filter}", self.program)
            }
        }
    }

    /// The command that runs all classes of the module in reverse order; `None` for Gradle, which has no such option.
    pub(super) fn module_backwards(&self) -> Option<String> {
        let arguments = ["-Dsurefire.runOrder=reversealphabetical", "test"].map(str::to_owned);
        (self.builder == Builder::Maven).then(|| self.maven(&arguments))
    }

    /// The command that installs the modules that the test's module depends on, because `-pl` alone does not build
    /// them. `None` for Gradle and for the root module.
    pub(super) fn install(&self) -> Option<String> {
        let arguments = ["-am", "-DskipTests", "install"].map(str::to_owned);
        (self.builder == Builder::Maven && self.is_in_module()).then(|| self.maven(&arguments))
    }

    fn run(&self, environment: &str, arguments: &[String]) -> String {
        match self.builder {
            Builder::Maven => {
                let filter = self.maven_filter(self.name.method());
                let arguments: Vec<String> = arguments.iter().cloned().chain([filter, "test".to_owned()]).collect();
                format!("{environment}{}", self.maven(&arguments))
            }
            Builder::Gradle => {
                let mut words = vec![self.program.clone()];
                words.extend_from_slice(arguments);
                words.push(self.task(self.source_task()));
                words.push(self.gradle_filter(self.name.method()));
                format!("{environment}{}", words.join(" "))
            }
        }
    }

    fn maven(&self, arguments: &[String]) -> String {
        let mut words = vec![self.program.clone()];
        if let Some(module) = &self.maven_module {
            words.push(format!("-pl {module}"));
        }
        words.extend_from_slice(arguments);
        words.join(" ")
    }

    fn maven_filter(&self, method: &str) -> String {
        let hash = if method.is_empty() { "" } else { "#" };
        format!(
            "-Dtest={}",
            quoted(&format!("{}{hash}{method}", self.name.simple_class()))
        )
    }

    fn gradle_filter(&self, method: &str) -> String {
        let dot = if method.is_empty() { "" } else { "." };
        format!("--tests {}", quoted(&format!("{}{dot}{method}", self.name.class())))
    }

    /// The Gradle arguments that run a test again although it passed before: `--no-build-cache :cleanTest`.
    fn fresh(&self) -> [String; 2] {
        let mut task = self.source_task().chars();
        let first = task.next().map(|it| it.to_ascii_uppercase());
        let clean: String = "clean".chars().chain(first).chain(task).collect();
        ["--no-build-cache".to_owned(), self.task(&clean)]
    }

    /// The Gradle task that runs the tests of the source set: `test` for `src/test/java`.
    fn source_task(&self) -> &'a str {
        if self.source_set == "main" {
            "test"
        } else {
            self.source_set
        }
    }

    fn task(&self, task: &str) -> String {
        let names: Vec<&str> = [""]
            .into_iter()
            .chain(self.module.iter().copied())
            .chain([task])
            .collect();
        quoted(&names.join(":"))
    }
}

/// A name as a word of a shell command. Panics for a name that no shell word can hold, so names are checked before.
fn quoted(name: &str) -> String {
    shell::word(name).expect("names are checked before they are used")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{cause_in_the_test, in_file};
    use super::{BuildKind, BuildTool, Command};

    const MAVEN: BuildTool<'_> = BuildTool {
        kind: BuildKind::Maven,
        has_wrapper: false,
        folder: "",
        module: None,
    };
    const GRADLE: BuildTool<'_> = BuildTool {
        kind: BuildKind::Gradle,
        has_wrapper: true,
        folder: "",
        module: None,
    };

    fn commands(tool: BuildTool<'_>, test: &str, file: &str) -> [String; 1] {
        let finding = in_file(cause_in_the_test(), test, file);
        [Command::new(tool, &finding).unwrap().test()]
    }

    #[test]
    fn a_test_of_the_root_needs_no_module() {
        let (test, file) = ("dev.shop.OrderTest#totals", "src/test/java/dev/shop/OrderTest.java");
        assert_eq!(commands(MAVEN, test, file), ["mvn -Dtest='OrderTest#totals' test"]);
        assert_eq!(
            commands(GRADLE, test, file),
            ["./gradlew :test --tests dev.shop.OrderTest.totals"]
        );
    }

    #[test]
    fn a_test_of_a_nested_module_names_it() {
        let (test, file) = ("a.OrderTest#totals", "shop/api/src/test/java/a/OrderTest.java");
        assert_eq!(
            commands(MAVEN, test, file),
            ["mvn -pl shop/api -Dtest='OrderTest#totals' test"]
        );
        assert_eq!(
            commands(GRADLE, test, file),
            ["./gradlew :shop:api:test --tests a.OrderTest.totals"]
        );
    }

    #[test]
    fn a_folder_called_src_within_the_sources_or_above_the_module_is_no_module_border() {
        let maven = |file| commands(MAVEN, "ATest#b", file)[0].clone();
        assert_eq!(
            maven("m/src/test/java/dev/src/ATest.java"),
            "mvn -pl m -Dtest='ATest#b' test"
        );
        assert_eq!(
            maven("src/m/src/test/java/ATest.java"),
            "mvn -pl src/m -Dtest='ATest#b' test"
        );
        assert_eq!(maven("m/src/dev/ATest.java"), "mvn -pl m -Dtest='ATest#b' test");
        assert_eq!(maven("tests/ATest.java"), "mvn -Dtest='ATest#b' test");
    }

    #[test]
    fn nested_classes_keep_their_dollar_behind_quotes() {
        let (test, file) = ("a.Outer$Inner$Core#b", "src/test/java/a/Outer.java");
        assert_eq!(commands(MAVEN, test, file), ["mvn -Dtest='Outer$Inner$Core#b' test"]);
        assert_eq!(
            commands(GRADLE, test, file),
            ["./gradlew :test --tests 'a.Outer$Inner$Core.b'"]
        );
    }

    #[test]
    fn a_source_set_of_its_own_has_a_task_of_its_own() {
        let finding = in_file(
            cause_in_the_test(),
            "a.FlowTest#b",
            "m/src/integrationTest/java/a/FlowTest.java",
        );
        assert_eq!(
            Command::new(GRADLE, &finding).unwrap().rerun(),
            "for i in $(seq 100); do ./gradlew --no-build-cache :m:cleanIntegrationTest :m:integrationTest \
             --tests a.FlowTest.b || break; done"
        );
    }

    #[test]
    fn an_unknown_build_shows_maven_alone() {
        let unknown = BuildTool {
            kind: BuildKind::Unknown,
            ..MAVEN
        };
        assert_eq!(
            commands(unknown, "a.BTest#c", "src/test/java/a/BTest.java"),
            ["mvn -Dtest='BTest#c' test"]
        );
    }

    #[test]
    fn a_build_below_the_root_names_its_folder_and_a_module_is_what_build_files_say() {
        let (test, file) = ("a.BTest#c", "back end/m/test/a/BTest.java");
        let maven = BuildTool {
            folder: "back end",
            module: Some("m"),
            ..MAVEN
        };
        assert_eq!(
            commands(maven, test, file),
            ["mvn -f 'back end' -pl m -Dtest='BTest#c' test"]
        );
        let gradle = BuildTool {
            folder: "back end",
            module: Some("m"),
            ..GRADLE
        };
        assert_eq!(
            commands(gradle, test, file),
            ["'back end/gradlew' -p 'back end' :m:test --tests a.BTest.c"]
        );
    }

    #[test]
    fn a_wrapper_is_preferred() {
        let wrapped = BuildTool {
            has_wrapper: true,
            ..MAVEN
        };
        assert_eq!(
            commands(wrapped, "BTest#c", "src/test/java/BTest.java"),
            ["./mvnw -Dtest='BTest#c' test"]
        );
    }

    #[test]
    fn names_cannot_leave_their_argument() {
        let file = "-f e'vil; rm `id` $HOME/src/test/java/a/BTest.java";
        let [maven] = commands(MAVEN, "a.BTest#c", file);
        let words = shlex::split(&maven).unwrap();
        assert_eq!(
            words,
            ["mvn", "-pl", "./-f e'vil; rm `id` $HOME", "-Dtest=BTest#c", "test"]
        );
        let finding = in_file(cause_in_the_test(), "a.BTest#c", "a,b/src/test/java/a/BTest.java");
        assert!(Command::new(MAVEN, &finding).is_err());
        assert!(Command::new(GRADLE, &finding).is_ok());
    }
}
