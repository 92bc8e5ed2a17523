//! Failed builds whose cause is the version of Java: which one the project needs, in words.

/// What the output of a failed build says about the version of Java that it needs; `None` if it says nothing.
pub(super) fn jdk_hint(output: &str) -> Option<String> {
    let older = "name an older JDK with --java-home";
    if let Some(level) = number_after(output, "Source option ").or_else(|| number_after(output, "Target option ")) {
        let oldest = number_after(output, "Use ").unwrap_or(8);
        return Some(format!(
            "the project asks the compiler for Java {level}, which this JDK no longer knows; {older}, or try \
             --build-arg=-Dmaven.compiler.source={oldest} --build-arg=-Dmaven.compiler.target={oldest}"
        ));
    }
    let newer = [
        "invalid target release: ",
        "invalid source release: ",
        "release version ",
    ];
    if let Some(level) = newer.iter().find_map(|it| number_after(output, it)) {
        return Some(format!(
            "the project needs JDK {level} or newer; name one with --java-home"
        ));
    }
    if let Some(major) = number_after(output, "class file version ").filter(|it| *it > 44)
        && output.contains("more recent version of the Java Runtime")
    {
        return Some(format!(
            "a plugin or library of the project needs Java {} or newer; name a newer JDK with --java-home",
            major - 44
        ));
    }
    if let Some(major) = number_after(output, "Unsupported class file major version ").filter(|it| *it > 44) {
        return Some(format!(
            "a plugin of the project does not know Java {}; {older}",
            major - 44
        ));
    }
    if let Some((_, rest)) = output.split_once("Detected JDK ") {
        let line = rest.lines().next().unwrap_or("").trim_end_matches('.');
        return Some(format!(
            "the project accepts only some JDKs (detected {line}); name one with --java-home"
        ));
    }
    let closed = [
        "does not export com.sun.tools.javac",
        "com.sun.tools.javac.tree.JCTree",
        "com.sun.tools.javac.processing.JavacProcessingEnvironment",
        "Can't initialize javac processor",
    ];
    if closed.iter().any(|it| output.contains(it)) {
        return Some(format!(
            "an annotation processor of the project, such as an old Lombok, does not know this JDK; {older}"
        ));
    }
    None
}

/// The number that follows the first occurrence of a text, such as 17 after `release: `. `1.8` is 8.
pub(super) fn number_after(output: &str, text: &str) -> Option<u32> {
    output.match_indices(text).find_map(|(at, _)| {
        let rest = &output[at + text.len()..];
        let rest = rest.strip_prefix("1.").unwrap_or(rest);
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_jdk_is_told_with_the_version_that_is_needed() {
        for (output, words) in [
            (
                "[ERROR] Source option 5 is no longer supported. Use 7 or later.",
                "Java 5",
            ),
            (
                "[ERROR] Source option 1.6 is no longer supported. Use 7 or later.",
                "maven.compiler.source=7",
            ),
            (
                "Fatal error compiling: error: invalid target release: 21 -> [Help 1]",
                "JDK 21 or newer",
            ),
            (
                "Fatal error compiling: error: release version 25 not supported",
                "JDK 25 or newer",
            ),
            (
                "has been compiled by a more recent version of the Java Runtime (class file version 65.0)",
                "Java 21 or newer",
            ),
            ("Unsupported class file major version 61", "does not know Java 17"),
            (
                "Detected JDK Version: 17.0.1 is not in the allowed range 1.8.",
                "allowed range 1.8",
            ),
            (
                "(in unnamed module) module jdk.compiler does not export com.sun.tools.javac.code",
                "Lombok",
            ),
        ] {
            let hint = jdk_hint(output).expect(output);
            assert!(hint.contains(words) && hint.contains("--java-home"), "{hint}");
        }
        assert_eq!(jdk_hint("cannot find symbol: class Foo"), None);
    }
}
