//! What a Maven build says about the JVMs of its tests: the configuration of Surefire in the effective POM.
//!
//! Maven resolves parents, profiles and most properties, so the effective POM has almost everything as text. What only
//! exists while Maven runs, such as the agent of a coverage tool in `@{argLine}`, is left out.
//!
//! Left out: groups and categories of tests, and the module path. Everything is on the class path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions};

use super::class_patterns::ClassPatterns;

/// What the effective POM of a module says about its tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TestSettings {
    /// The folder of the module's compiled classes.
    pub(super) classes: PathBuf,
    /// The folder of the module's compiled tests.
    pub(super) tests: PathBuf,
    /// The options of `java` for test JVMs.
    pub(super) options: Vec<String>,
    /// The environment variables of test JVMs.
    pub(super) environment: BTreeMap<String, String>,
    /// The folder in which test JVMs start; `None` for the folder of the module.
    pub(super) folder: Option<PathBuf>,
    /// Further entries of the class path.
    pub(super) classpath: Vec<PathBuf>,
    /// The artifacts that Surefire takes from the class path, as `group:artifact`.
    pub(super) excluded_artifacts: Vec<String>,
    /// The test classes that the build runs.
    pub(super) patterns: ClassPatterns,
    /// Whether each test class gets a JVM of its own.
    pub(super) has_jvm_for_each_class: bool,
    /// Whether the build does not run the tests of this module at all.
    pub(super) is_skipped: bool,
}

/// The settings of all modules in an effective POM; none if the text is not one.
pub(super) fn settings(effective_pom: &str) -> Vec<TestSettings> {
    let options = ParsingOptions {
        allow_dtd: false,
        ..ParsingOptions::default()
    };
    let Ok(document) = Document::parse_with_options(effective_pom, options) else {
        return Vec::new();
    };
    let root = document.root_element();
    if root.has_tag_name_of("project") {
        return settings_of(root).into_iter().collect();
    }
    root.elements("project").filter_map(settings_of).collect()
}

fn settings_of(project: Node<'_, '_>) -> Option<TestSettings> {
    let build = project.element("build")?;
    let properties: BTreeMap<&str, &str> = project
        .element("properties")
        .map(|it| named_values(it).collect())
        .unwrap_or_default();
    let mut found = TestSettings {
        classes: build.text_of("outputDirectory")?.into(),
        tests: build.text_of("testOutputDirectory")?.into(),
        ..TestSettings::default()
    };
    let configuration = build.element("plugins").and_then(surefire);
    let setting = |name: &str| configuration.and_then(|it| it.text_of(name));
    let resolved = |text: &str| resolved(text, &properties);
    let is_true = |name: &str, property: &str| {
        let text = setting(name).map(resolved).filter(|it| !it.is_empty());
        let text = text.or_else(|| properties.get(property).map(|it| (*it).to_owned()));
        text.map(|it| it.trim() == "true")
    };
    found.is_skipped = is_true("skip", "maven.test.skip") == Some(true)
        || is_true("skipTests", "skipTests") == Some(true)
        || is_true("skipExec", "maven.test.skip.exec") == Some(true);
    if is_true("enableAssertions", "enableAssertions") != Some(false) {
        found.options.push("-ea".to_owned());
    }
    let line = setting("argLine").or_else(|| properties.get("argLine").copied());
    let line = line.map(|it| words(&resolved(it))).unwrap_or_default();
    found
        .options
        .extend(line.into_iter().filter(|it| !is_coverage_agent(it)));
    if let Some(configuration) = configuration {
        for (name, value) in system_properties(configuration) {
            found.options.push(format!("-D{name}={}", resolved(&value)));
        }
        let variables = configuration.element("environmentVariables");
        let variables = variables.into_iter().flat_map(named_values);
        found.environment = variables
            .map(|(name, value)| (name.to_owned(), resolved(value)))
            .collect();
        found.folder = setting("workingDirectory").map(|it| resolved(it).into());
        found.classpath = texts(configuration, "additionalClasspathElements")
            .map(|it| resolved(it).into())
            .collect();
        found.excluded_artifacts = texts(configuration, "classpathDependencyExcludes")
            .map(resolved)
            .collect();
        found.patterns = ClassPatterns::new(
            texts(configuration, "includes").map(resolved),
            texts(configuration, "excludes").map(resolved),
        );
        let forks = setting("forkMode").unwrap_or("");
        found.has_jvm_for_each_class =
            is_true("reuseForks", "reuseForks") == Some(false) || ["always", "pertest"].contains(&forks);
    }
    Some(found)
}

/// Whether an option of `java` starts the agent of a coverage tool. It slows tests down, and changes their classes.
pub(super) fn is_coverage_agent(option: &str) -> bool {
    let tools = ["jacoco", "cobertura", "clover", "pitest"];
    option.starts_with("-javaagent:") && tools.iter().any(|it| option.contains(it))
}

/// The configuration of Surefire for the tests of a module: that of its execution `default-test`, which has inherited
/// that of the plugin.
fn surefire<'a, 'i>(plugins: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    let plugin = plugins
        .elements("plugin")
        .find(|it| it.text_of("artifactId") == Some("maven-surefire-plugin"))?;
    let executions = plugin.element("executions");
    let execution = executions.and_then(|it| {
        it.elements("execution")
            .find(|it| it.text_of("id") == Some("default-test"))
    });
    execution
        .and_then(|it| it.element("configuration"))
        .or_else(|| plugin.element("configuration"))
}

/// The system properties of test JVMs, in the three places where Surefire takes them from.
fn system_properties(configuration: Node<'_, '_>) -> Vec<(String, String)> {
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let mut found: Vec<(String, String)> = Vec::new();
    if let Some(old) = configuration.element("systemProperties") {
        found.extend(named_values(old).filter(|it| it.0 != "property").map(owned));
        for property in old.elements("property") {
            if let (Some(name), value) = (property.text_of("name"), property.text_of("value")) {
                found.push((name.to_owned(), value.unwrap_or("").to_owned()));
            }
        }
    }
    if let Some(new) = configuration.element("systemPropertyVariables") {
        found.extend(named_values(new).map(owned));
    }
    // The JUnit platform also reads its parameters from system properties.
    let parameters = configuration.element("properties");
    if let Some(text) = parameters.and_then(|it| it.text_of("configurationParameters")) {
        let lines = text.lines().filter_map(|line| line.split_once('='));
        found.extend(lines.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())));
    }
    found
}

/// A text in which `${name}` and `@{name}` are replaced by properties of the project. Unknown names disappear, but for
/// the number of the JVM, which is 1.
fn resolved(text: &str, properties: &BTreeMap<&str, &str>) -> String {
    const DEEPEST: usize = 8;
    let mut text = text.trim().to_owned();
    for _ in 0..DEEPEST {
        let Some(start) = text.find("${").or_else(|| text.find("@{")) else {
            break;
        };
        let Some(length) = text[start..].find('}') else { break };
        let name = &text[start + 2..start + length];
        let value = match name {
            "surefire.forkNumber" | "surefire.threadNumber" => "1",
            // A property that names itself is set while Maven runs.
            _ => properties
                .get(name)
                .filter(|it| !it.contains(name))
                .copied()
                .unwrap_or(""),
        };
        text = format!("{}{value}{}", &text[..start], &text[start + length + 1..]);
    }
    text.trim().to_owned()
}

/// The words of a command line. A line with unbalanced quotes is split at white space.
fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_else(|| line.split_whitespace().map(str::to_owned).collect())
}

/// The texts of the elements of a list, such as `<includes><include>...`.
fn texts<'a>(configuration: Node<'a, '_>, list: &str) -> impl Iterator<Item = &'a str> {
    let list = configuration.element(list);
    list.into_iter()
        .flat_map(|it| it.children().filter(Node::is_element))
        .filter_map(|it| it.text())
        .map(str::trim)
        .filter(|it| !it.is_empty())
}

/// The names and texts of the elements in a node.
fn named_values<'a>(node: Node<'a, '_>) -> impl Iterator<Item = (&'a str, &'a str)> {
    let elements = node.children().filter(Node::is_element);
    elements.map(|it| (it.tag_name().name(), it.text().unwrap_or("").trim()))
}

/// Lookups by tag name alone. Some POMs have a namespace and some have none.
trait Elements<'a, 'i: 'a> {
    fn has_tag_name_of(&self, name: &str) -> bool;
    fn elements(&self, name: &str) -> impl Iterator<Item = Node<'a, 'i>>;
    fn element(&self, name: &str) -> Option<Node<'a, 'i>>;
    fn text_of(&self, name: &str) -> Option<&'a str>;
}

impl<'a, 'i: 'a> Elements<'a, 'i> for Node<'a, 'i> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.tag_name().name() == name
    }

    fn elements(&self, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
        self.children()
            .filter(move |it| it.is_element() && it.has_tag_name_of(name))
    }

    fn element(&self, name: &str) -> Option<Node<'a, 'i>> {
        self.elements(name).next()
    }

    fn text_of(&self, name: &str) -> Option<&'a str> {
        self.element(name)?.text().map(str::trim)
    }
}

/// Whether an entry of a class path is the artifact `group:artifact` in a Maven repository.
pub(super) fn is_artifact(entry: &Path, artifact: &str) -> bool {
    let Some((group, name)) = artifact.split_once(':') else {
        return false;
    };
    let name = name.split(':').next().unwrap_or(name);
    let folder = format!("/{}/{name}/", group.replace('.', "/"));
    entry.to_string_lossy().contains(&folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POM: &str = r#"<?xml version="1.0"?><projects><project xmlns="http://maven.apache.org/POM/4.0.0">
      <properties><heap>1g</heap><argLine>-Dunused</argLine><self>${self}</self></properties>
      <build><outputDirectory>/p/target/classes</outputDirectory>
        <testOutputDirectory>/p/target/test-classes</testOutputDirectory>
        <plugins><plugin><artifactId>maven-surefire-plugin</artifactId>
          <configuration><argLine>-Dplugin</argLine></configuration>
          <executions><execution><id>default-test</id><configuration>
            <argLine>@{argLine} -Xmx${heap} "-Dtwo words" ${self} -javaagent:/m2/org.jacoco.agent.jar=destfile=x
              --add-opens java.base/java.lang=ALL-UNNAMED</argLine>
            <systemPropertyVariables><port>${unknown.port}</port><fork>f${surefire.forkNumber}</fork>
            </systemPropertyVariables>
            <systemProperties><property><name>old</name><value>way</value></property></systemProperties>
            <environmentVariables><LANG>C</LANG></environmentVariables>
            <workingDirectory>/p/target</workingDirectory>
            <additionalClasspathElements><e>/p/conf</e></additionalClasspathElements>
            <classpathDependencyExcludes><e>log4j:log4j</e></classpathDependencyExcludes>
            <includes><include>**/*Spec.java</include></includes>
            <properties><configurationParameters>
              junit.jupiter.testinstance.lifecycle.default = per_class
            </configurationParameters></properties>
            <reuseForks>false</reuseForks>
          </configuration></execution></executions>
        </plugin></plugins></build></project>
      <project><build><outputDirectory>/q/c</outputDirectory><testOutputDirectory>/q/t</testOutputDirectory></build>
      </project></projects>"#;

    #[test]
    fn what_the_pom_says_about_test_jvms_is_taken_over() {
        let all = settings(POM);
        assert_eq!(all.len(), 2, "{all:?}");
        let expected = [
            "-ea",
            "-Dunused",
            "-Xmx1g",
            "-Dtwo words",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "-Dold=way",
            "-Dport=",
            "-Dfork=f1",
            "-Djunit.jupiter.testinstance.lifecycle.default=per_class",
        ];
        assert_eq!(all[0].options, expected);
        assert_eq!(all[0].environment["LANG"], "C");
        assert_eq!(all[0].folder.as_deref(), Some(Path::new("/p/target")));
        assert_eq!(all[0].classpath, [Path::new("/p/conf")]);
        assert!(all[0].has_jvm_for_each_class);
        assert!(all[0].patterns.contains("a.OneSpec") && !all[0].patterns.contains("a.OneTest"));
        assert_eq!(
            (all[1].tests.as_path(), &all[1].options[..]),
            (Path::new("/q/t"), &["-ea".to_owned()][..])
        );
        assert!(all[1].patterns.contains("a.OneTest") && !all[1].is_skipped);
    }

    #[test]
    fn a_module_whose_tests_are_skipped_is_known() {
        let skipping = POM.replace("<reuseForks>false</reuseForks>", "<skipTests>true</skipTests>");
        assert!(settings(&skipping)[0].is_skipped);
        assert_eq!(settings("not a POM"), []);
    }

    #[test]
    fn an_artifact_is_known_by_its_place_in_the_repository() {
        let entry = Path::new("/m2/log4j/log4j/1.2/log4j-1.2.jar");
        assert!(is_artifact(entry, "log4j:log4j"));
        assert!(!is_artifact(entry, "log4j:log"));
        assert!(is_artifact(Path::new("/m2/org/a/b/1/b-1.jar"), "org.a:b"));
    }
}
