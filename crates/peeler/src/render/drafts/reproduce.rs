//! Instructions of a draft issue to reproduce a failure, by kind of root cause and build tool.
//!
//! Invariant: the text says that passing runs prove nothing. Nothing is run here.

use std::fmt::Write as _;

use peeler_analysis::CauseKind;

use super::commands::{Builder, Command};
use super::markdown::{block, span};
use crate::build_layout::{BuildKind, BuildTool};
use crate::finding::Finding;

/// The version of the `NonDex` plugins for Maven and Gradle in draft issues: the newest one that Peeler knows.
const NONDEX: &str = "2.2.5";

/// A way to provoke a failure of a flaky test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// Run the test with `NonDex`, which returns collections and reflected members in other orders.
    Shuffle,
    /// Run the test in another time zone and language.
    Elsewhere,
    /// Run the tests of the flaky test's class, and then of its module, in other orders.
    Reorder,
    /// Run the test many times, with a hint about what makes a failure likelier.
    Rerun(&'static str),
}

/// The section of a draft issue that tells how to reproduce the failure of a test.
pub(super) fn reproduce(finding: &Finding, tool: BuildTool<'_>) -> String {
    let method = method(finding.root_cause.as_ref().map(|it| it.kind));
    let builder = Builder::of(tool);
    let mut out = String::new();
    if tool.kind == BuildKind::Unknown {
        let _ = writeln!(
            out,
            "No build file was found beside the test; the commands are a guess.\n"
        );
    }
    match Command::new(tool, finding) {
        Err(cause) => {
            let _ = writeln!(out, "No command of {} is shown here: {cause}.\n", name(builder));
        }
        Ok(command) => {
            let _ = writeln!(out, "To run the test once, from the root of the repository:\n");
            out.push_str(&commands(&[command.test()]));
            out.push('\n');
            out.push_str(&steps(method, builder, &command));
            out.push('\n');
            if let Some(install) = command.install() {
                let _ = writeln!(
                    out,
                    "If the module needs others that are not installed yet, run {} first.\n",
                    span(&install)
                );
            }
        }
    }
    out.push_str("If everything passes, that does not show that the test is stable.\n");
    out
}

fn method(kind: Option<CauseKind>) -> Method {
    let Some(kind) = kind else {
        return Method::Rerun("");
    };
    match kind {
        CauseKind::UnorderedCollection | CauseKind::ReflectionOrder => Method::Shuffle,
        CauseKind::TimeZoneLocale => Method::Elsewhere,
        CauseKind::StaticState => Method::Reorder,
        CauseKind::Clock => Method::Rerun(
            "A failure is likelier on a slow machine, and where two readings of the clock fall into different \
             seconds, days or months.",
        ),
        CauseKind::SleepTimeout | CauseKind::Concurrency => Method::Rerun(
            "A failure is likelier on a busy machine; another build that runs at the same time is often enough.",
        ),
        CauseKind::Network => {
            Method::Rerun("Please try it once without a network, and once with the ports it uses taken.")
        }
        CauseKind::Files => Method::Rerun(
            "A failure may need another file system, or files that an earlier run left in the temporary directory.",
        ),
        CauseKind::Environment => {
            Method::Rerun("A failure may need another machine, operating system or version of Java.")
        }
        CauseKind::Randomness => Method::Rerun(""),
    }
}

fn steps(method: Method, builder: Builder, command: &Command<'_>) -> String {
    match (method, builder) {
        (Method::Shuffle, Builder::Maven) => format!(
            "With [NonDex](https://github.com/TestingResearchIllinois/NonDex), which returns collections and members \
             in other orders that their specification allows:\n\n{}\n{}\n",
            commands(&[command.nondex(NONDEX)]),
            version_note(),
        ),
        (Method::Shuffle, Builder::Gradle) => format!(
            "With [NonDex](https://github.com/TestingResearchIllinois/NonDex), which returns collections and members \
             in other orders that their specification allows. It is a plugin: add \
             `id(\"edu.illinois.nondex\") version \"{NONDEX}\"` to the plugins of the module (not to be committed), \
             then run:\n\n{}\n{}\n",
            commands(&[command.nondex(NONDEX)]),
            version_note(),
        ),
        (Method::Elsewhere, _) => format!(
            "In another time zone and language:\n\n{}\nWhere the build sets {} for its tests itself, the values have \
             to be changed there.\n",
            commands(&[command.elsewhere()]),
            match builder {
                Builder::Maven => "`argLine`",
                Builder::Gradle => "time zone or locale",
            },
        ),
        (Method::Reorder, _) => {
            let mut out = format!(
                "Alone it may pass; it matters which tests run before or after it. The class in a random order \
                 (JUnit 5.7 or newer):\n\n{}",
                commands(&[command.class_in_random_order()])
            );
            if let Some(backwards) = command.module_backwards() {
                let _ = write!(
                    out,
                    "\nAll classes of the module, backwards:\n\n{}",
                    commands(&[backwards])
                );
            }
            out
        }
        (Method::Rerun(hint), _) => {
            let gap = if hint.is_empty() { "" } else { "\n" };
            let end = if hint.is_empty() { "" } else { "\n" };
            format!(
                "To run it up to 100 times, until it fails:\n\n{}{gap}{hint}{end}",
                commands(&[command.rerun()])
            )
        }
    }
}

fn version_note() -> String {
    format!("{NONDEX} is for Java 8 to 21. It is the newest version that peeler knows of; there may be a newer one.")
}

fn name(builder: Builder) -> &'static str {
    match builder {
        Builder::Maven => "Maven",
        Builder::Gradle => "Gradle",
    }
}

fn commands(lines: &[String]) -> String {
    block("sh", lines)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{cause_in_the_test, of_kind};
    use super::{BuildKind, BuildTool, CauseKind, reproduce};

    fn text(build: BuildKind, kind: CauseKind) -> String {
        let tool = BuildTool {
            kind: build,
            has_wrapper: false,
            folder: "",
            module: None,
        };
        reproduce(&of_kind(cause_in_the_test(), kind), tool)
    }

    #[track_caller]
    fn check(build: BuildKind, kind: CauseKind, command: &str) {
        let text = text(build, kind);
        assert!(text.lines().any(|it| it == command), "{command}\nis missing in\n{text}");
    }

    #[test]
    fn orders_of_collections_and_members_are_shuffled_by_nondex() {
        for kind in [CauseKind::UnorderedCollection, CauseKind::ReflectionOrder] {
            check(
                BuildKind::Maven,
                kind,
                "mvn -pl orders edu.illinois:nondex-maven-plugin:2.2.5:nondex -Dtest='OrderTest#totals'",
            );
            check(
                BuildKind::Gradle,
                kind,
                "gradle :orders:nondexTest --tests dev.shop.OrderTest.totals",
            );
        }
        assert!(text(BuildKind::Maven, CauseKind::ReflectionOrder).contains("there may be a newer one"));
    }

    #[test]
    fn zones_and_locales_are_changed_for_the_jvm_of_the_tests() {
        check(
            BuildKind::Maven,
            CauseKind::TimeZoneLocale,
            "mvn -pl orders -DargLine='-Duser.timezone=Pacific/Auckland -Duser.language=tr -Duser.country=TR' \
             -Dtest='OrderTest#totals' test",
        );
        check(
            BuildKind::Gradle,
            CauseKind::TimeZoneLocale,
            "JAVA_TOOL_OPTIONS=-Duser.timezone=Pacific/Auckland gradle -Duser.language=tr -Duser.country=TR \
             --no-build-cache :orders:cleanTest :orders:test --tests dev.shop.OrderTest.totals",
        );
    }

    #[test]
    fn shared_state_asks_for_other_orders_of_tests() {
        check(
            BuildKind::Maven,
            CauseKind::StaticState,
            "mvn -pl orders -Dsurefire.runOrder=reversealphabetical test",
        );
        check(
            BuildKind::Maven,
            CauseKind::StaticState,
            "mvn -pl orders '-DargLine=-Djunit.jupiter.testmethod.order.default=\
             org.junit.jupiter.api.MethodOrderer$Random' -Dtest=OrderTest test",
        );
        check(
            BuildKind::Gradle,
            CauseKind::StaticState,
            "JAVA_TOOL_OPTIONS='-Djunit.jupiter.testmethod.order.default=\
             org.junit.jupiter.api.MethodOrderer$Random' gradle --no-build-cache :orders:cleanTest :orders:test \
             --tests dev.shop.OrderTest",
        );
    }

    #[test]
    fn everything_else_is_run_again_and_again() {
        for kind in [
            CauseKind::Clock,
            CauseKind::Randomness,
            CauseKind::SleepTimeout,
            CauseKind::Network,
        ] {
            check(
                BuildKind::Maven,
                kind,
                "for i in $(seq 100); do mvn -pl orders -q -Dtest='OrderTest#totals' test || break; done",
            );
        }
    }

    #[test]
    fn only_gradle_projects_get_commands_of_gradle() {
        let unknown = text(BuildKind::Unknown, CauseKind::Clock);
        assert!(unknown.contains("No build file was found"), "{unknown}");
        assert!(!unknown.contains("gradle"), "{unknown}");
        assert!(text(BuildKind::Gradle, CauseKind::Clock).contains("gradle :orders:test"));
    }

    #[test]
    fn a_module_tells_how_to_install_what_it_needs() {
        assert!(text(BuildKind::Maven, CauseKind::Clock).contains("`mvn -pl orders -am -DskipTests install`"));
        assert!(!text(BuildKind::Gradle, CauseKind::Clock).contains("install"));
    }
}
