//! Why Gradle itself did not run, from its output: a wrapper without its distribution, or a JDK that it does not know.

use super::jdk_hint::number_after;

/// The first versions of Gradle that run on newer versions of Java, as Gradle's manual lists them.
const NEWEST_JAVA: [((u32, u32), u32); 18] = [
    ((4, 3), 9),
    ((4, 7), 10),
    ((5, 0), 11),
    ((5, 4), 12),
    ((6, 0), 13),
    ((6, 3), 14),
    ((6, 7), 15),
    ((7, 0), 16),
    ((7, 3), 17),
    ((7, 5), 18),
    ((7, 6), 19),
    ((8, 3), 20),
    ((8, 5), 21),
    ((8, 8), 22),
    ((8, 10), 23),
    ((8, 14), 24),
    ((9, 1), 25),
    ((9, 4), 26),
];

/// Why a Gradle wrapper could not start Gradle, from its output; `None` if it started Gradle.
///
/// A distribution with a wrong checksum is `None` too, because another Gradle must not hide it.
pub(super) fn wrapper_failure(output: &str) -> Option<String> {
    if output.contains("Verification of Gradle distribution failed") {
        return None;
    }
    if output.contains("main class org.gradle.wrapper.GradleWrapperMain") || output.contains("Unable to access jarfile")
    {
        return Some("gradle/wrapper/gradle-wrapper.jar is missing".to_owned());
    }
    let frames = ["at org.gradle.wrapper.Install", "at org.gradle.wrapper.Download"];
    if !frames.iter().any(|it| output.contains(it)) {
        return None;
    }
    let thrown = |line: &str| {
        let rest = line.strip_prefix("Exception in thread \"main\" ");
        rest.or_else(|| line.strip_prefix("Caused by: ")).map(str::to_owned)
    };
    // The last cause is the one that the others follow from.
    let cause = output.lines().filter_map(|it| thrown(it.trim())).next_back();
    Some(format!(
        "its distribution cannot be downloaded and unpacked ({})",
        cause.as_deref().unwrap_or("no reason is given")
    ))
}

/// Which Java this Gradle or its project needs, from the output of a failed build; `None` if Java is not the cause.
pub(super) fn java_hint(output: &str, version: Option<&str>) -> Option<String> {
    let name = version.map_or_else(|| "this Gradle".to_owned(), |it| format!("Gradle {it}"));
    let needed = ["requires Java ", "requires JVM "];
    if let Some(oldest) = needed.iter().find_map(|it| number_after(output, it)) {
        return Some(format!(
            "{name} needs Java {oldest} or newer to run; name such a JDK with --java-home"
        ));
    }
    let levels = ["Source option ", "Target option "];
    if let Some(level) = levels.iter().find_map(|it| number_after(output, it)) {
        return Some(format!(
            "the project asks the compiler for Java {level}, which this JDK no longer knows; name an older JDK with \
             --java-home"
        ));
    }
    let java = number_after(output, "Could not determine java version from '")
        .or_else(|| number_after(output, "Unsupported class file major version ").and_then(|it| it.checked_sub(44)))
        .or_else(|| version_as_message(output))?;
    match version.and_then(java_range) {
        // The Java is not too new for Gradle itself, so a plugin does not know it.
        Some((_, newest)) if java <= newest => None,
        Some((oldest, newest)) => Some(format!(
            "{name} runs on Java {oldest} to {newest}, not on Java {java}; name such a JDK with --java-home"
        )),
        None => Some(format!(
            "{name} or one of its plugins does not know Java {java}; name an older JDK with --java-home"
        )),
    }
}

/// The version of Gradle that a wrapper starts, from the text of `gradle-wrapper.properties`: `8.5`.
pub(super) fn wrapper_version(properties: &str) -> Option<String> {
    let url = properties
        .lines()
        .find_map(|it| it.trim().strip_prefix("distributionUrl"))?;
    let file = url.rsplit('/').next()?.strip_prefix("gradle-")?;
    let is_version = |it: char| it.is_ascii_digit() || it == '.';
    let version: String = file.chars().take_while(|it| is_version(*it)).collect();
    (!version.is_empty()).then_some(version)
}

/// The oldest and newest Java that a version of Gradle runs on; `None` for versions that are not known.
fn java_range(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(|it| it.parse::<u32>().ok());
    let version = (numbers.next()??, numbers.next().flatten().unwrap_or(0));
    let (last, _) = NEWEST_JAVA[NEWEST_JAVA.len() - 1];
    if version > last {
        return None;
    }
    let oldest = match version.0 {
        0..=4 => 7,
        5..=8 => 8,
        _ => 17,
    };
    let newest = NEWEST_JAVA.iter().rfind(|it| it.0 <= version).map_or(8, |it| it.1);
    Some((oldest, newest))
}

/// The version of Java that Gradle 7 and 8 print as the whole message when they do not know it: `25.0.3`.
fn version_as_message(output: &str) -> Option<u32> {
    let (_, rest) = output.split_once("* What went wrong:\n")?;
    let line = rest.lines().next()?.trim();
    let is_version = line.starts_with(|it: char| it.is_ascii_digit())
        && line.chars().all(|it| it.is_ascii_digit() || ".+-_".contains(it));
    is_version.then(|| line.split(['.', '+', '-', '_']).next()?.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_without_its_distribution_names_the_cause() {
        let output = "Downloading https://example.org/gradle-8.5-bin.zip\n\nException in thread \"main\" \
                      java.net.UnknownHostException: example.org\n\tat java.net.Socket.connect(Socket.java:589)\n\tat \
                      org.gradle.wrapper.Download.download(Download.java:44)\n\tat \
                      org.gradle.wrapper.GradleWrapperMain.main(GradleWrapperMain.java:61)";
        assert_eq!(
            wrapper_failure(output).as_deref(),
            Some("its distribution cannot be downloaded and unpacked (java.net.UnknownHostException: example.org)")
        );
        let missing = "Error: Could not find or load main class org.gradle.wrapper.GradleWrapperMain";
        assert!(
            wrapper_failure(missing)
                .expect("a cause")
                .contains("gradle-wrapper.jar")
        );
    }

    #[test]
    fn a_failed_build_or_a_wrong_checksum_is_no_failure_of_the_wrapper() {
        let build = "FAILURE: Build failed with an exception.\n* What went wrong:\nCompilation failed";
        assert_eq!(wrapper_failure(build), None);
        let checksum = "Verification of Gradle distribution failed!\n\tat org.gradle.wrapper.Install.verify(I.java:1)";
        assert_eq!(wrapper_failure(checksum), None);
    }

    #[test]
    fn a_gradle_that_does_not_know_the_jdk_says_which_it_needs() {
        for (output, version, words) in [
            (
                "Could not determine java version from '17.0.15'.",
                Some("4.4.1"),
                "Java 7 to 9, not on Java 17",
            ),
            (
                "Could not determine java version from '17.0.15'.",
                None,
                "does not know Java 17",
            ),
            (
                "Unsupported class file major version 61",
                Some("6.8.3"),
                "Java 8 to 15, not on Java 17",
            ),
            (
                "* What went wrong:\n25.0.3\n\n* Try:",
                Some("8.5"),
                "Java 8 to 21, not on Java 25",
            ),
            (
                "Gradle 9.0.0 requires JVM 17 or later to run.",
                Some("9.0.0"),
                "needs Java 17 or newer",
            ),
            (
                "error: Source option 6 is no longer supported. Use 7 or later.",
                Some("8.5"),
                "Java 6, which this JDK no longer knows",
            ),
            (
                "Gradle 5.0 requires Java 8 or later to run.",
                Some("5.0"),
                "needs Java 8 or newer",
            ),
        ] {
            let hint = java_hint(output, version).expect(output);
            assert!(hint.contains(words) && hint.contains("--java-home"), "{hint}");
        }
        // Gradle 8.5 knows Java 17, so a plugin is the cause.
        assert_eq!(java_hint("Unsupported class file major version 61", Some("8.5")), None);
        assert_eq!(java_hint("* What went wrong:\nCompilation failed", Some("8.5")), None);
    }

    #[test]
    fn the_version_of_a_wrapper_is_in_its_properties() {
        let properties = "distributionBase=GRADLE_USER_HOME\n\
                          distributionUrl=https\\://example.org/distributions/gradle-8.14.2-bin.zip\n";
        assert_eq!(wrapper_version(properties).as_deref(), Some("8.14.2"));
        assert_eq!(wrapper_version("distributionUrl=https\\://example.org/own.zip"), None);
    }
}
