//! One commit's answer to the question whether a test shows its recorded failure there.
//!
//! ```text
//! fails as it was recorded to fail           -> failed
//! passes in all attempts                     -> passed
//! is not found                               -> missing
//! does not build, is skipped, fails otherwise -> untestable
//! ```
//!
//! Invariant: a failure of another kind than the recorded ones says nothing about the recorded flakiness.

use std::collections::BTreeSet;

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::{Event, Outcome, Run, Stage, runs};
use crate::jvm::JvmError;
use crate::machine::Machine;
use crate::project::ProjectError;
use crate::replay::{Recipe, failing_recipe};

/// What was seen of a test at one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observation {
    /// The test failed as it was recorded to fail.
    Failed {
        /// The number of the attempt in which the test failed.
        attempt: u32,
    },
    /// The test passed in every attempt.
    Passed {
        /// The number of attempts, all of which passed.
        attempts: u32,
        /// The number of tests of the recipe that do not exist at the commit.
        absent: usize,
    },
    /// The test does not exist at the commit.
    Missing,
    /// The commit does not tell: it does not build, for example.
    Untestable {
        /// The reason why the commit does not tell. Its first line is short; more lines may follow.
        reason: String,
    },
}

impl Observation {
    /// What was seen of a test, as a phrase: `failed in attempt 2`.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Failed { attempt } => format!("failed in attempt {attempt}"),
            Self::Passed { attempts, absent: 0 } => format!("passed {attempts} of {attempts} attempts"),
            Self::Passed { attempts, absent } => format!(
                "passed {attempts} of {attempts} attempts, without {absent} of the tests before it, which do not exist"
            ),
            Self::Missing => "the test does not exist".to_owned(),
            Self::Untestable { reason } => reason.lines().next().unwrap_or_default().to_owned(),
        }
    }

    /// What was seen of a test whose project does not build.
    ///
    /// # Errors
    ///
    /// The errors that do not depend on the commit, such as an interruption.
    pub fn of_build(error: ProjectError) -> Result<Self, JvmError> {
        match error {
            ProjectError::NoModules { .. } | ProjectError::NoSuchModule { .. } => Ok(Self::Missing),
            ProjectError::Build { how, output, .. } => Ok(Self::Untestable {
                reason: format!("does not build ({how})\n{output}"),
            }),
            ProjectError::NoBuild { .. } => Ok(Self::Untestable {
                reason: "has no build of Maven or Gradle".to_owned(),
            }),
            ProjectError::NoTool { program, .. } => Ok(Self::Untestable {
                reason: format!("has no wrapper of its build tool, and {program} is not on the search path"),
            }),
            ProjectError::Jvm(error) => Err(error),
        }
    }
}

/// The recorded failure of a flaky test: how to set it up again, and how to recognise it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedFailure {
    /// The flaky test.
    pub test: TestName,
    /// The tests before it in its JVM, and the perturbation.
    pub recipe: Recipe,
    kinds: Vec<FailureKind>,
}

impl RecordedFailure {
    /// The recorded failure of a test with the shortest recipe. `None` if no failure can be set up again.
    #[must_use]
    pub fn of(record: &[Event], test: &TestName) -> Option<Self> {
        let failures = runs(record).filter(|run| run.test == *test && run.counts() && run.outcome.is_failure());
        Some(Self {
            test: test.clone(),
            recipe: failing_recipe(record, test)?,
            kinds: failures.map(FailureKind::of).collect(),
        })
    }

    /// Runs the recipe in up to `attempts` new JVMs, until the test fails as it was recorded to fail.
    ///
    /// Tests of the recipe that do not exist are left out: a commit that adds a polluter makes its victim flaky.
    ///
    /// # Errors
    ///
    /// When a run cannot be recorded, the budget is spent, or the user interrupts.
    pub fn observe<M: Machine>(
        &self,
        confirmation: &mut Confirmation<'_, M>,
        attempts: u32,
    ) -> Result<Observation, ConfirmError> {
        match self.attempts(confirmation, attempts) {
            Err(ConfirmError::Jvm(
                error @ (JvmError::NoFramework | JvmError::Compiler { .. } | JvmError::DoesNotStart { .. }),
            )) => Ok(Observation::Untestable {
                reason: format!("its tests cannot be run\n{error}"),
            }),
            other => other,
        }
    }

    fn attempts<M: Machine>(
        &self,
        confirmation: &mut Confirmation<'_, M>,
        attempts: u32,
    ) -> Result<Observation, ConfirmError> {
        let mut absent = BTreeSet::new();
        let mut other_failure = None;
        for attempt in 1..=attempts {
            confirmation.renew(&self.recipe.perturbation);
            for lead in &self.recipe.lead {
                if confirmation.run(lead, Stage::Lead)? == Outcome::Missing {
                    absent.insert(lead);
                }
            }
            let outcome = confirmation.run(&self.test, Stage::Replay)?;
            let run = runs(confirmation.events()).next_back();
            match outcome {
                Outcome::Passed => {}
                Outcome::Missing => return Ok(Observation::Missing),
                Outcome::Skipped => {
                    return Ok(Observation::Untestable {
                        reason: "the test was skipped".to_owned(),
                    });
                }
                Outcome::Failed | Outcome::Crashed | Outcome::TimedOut => {
                    let kind = run.map(FailureKind::of);
                    if kind.is_some_and(|kind| self.kinds.iter().any(|it| it.matches(&kind))) {
                        return Ok(Observation::Failed { attempt });
                    }
                    other_failure = run.and_then(|run| run.failure.clone()).or(other_failure);
                    other_failure.get_or_insert_with(|| outcome.words().to_owned());
                }
            }
        }
        Ok(match other_failure {
            None => Observation::Passed {
                attempts,
                absent: absent.len(),
            },
            Some(failure) => Observation::Untestable {
                reason: format!("the test fails, but not as recorded\n{failure}"),
            },
        })
    }

    /// The classes that the JVM of the test has loaded after one more run of the recipe without its perturbation.
    ///
    /// # Errors
    ///
    /// When a test cannot be run or recorded, or the budget is spent.
    pub fn loaded_classes<M: Machine>(
        &self,
        confirmation: &mut Confirmation<'_, M>,
    ) -> Result<BTreeSet<String>, ConfirmError> {
        confirmation.renew_with_class_log()?;
        for lead in &self.recipe.lead {
            confirmation.run(lead, Stage::Lead)?;
        }
        confirmation.run(&self.test, Stage::Replay)?;
        Ok(confirmation.loaded_classes(&self.test))
    }
}

/// A kind of failure: an assertion, another exception by its class, a crash or a timeout.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FailureKind {
    outcome: Outcome,
    /// The class of the exception that failed the test; `None` if its text does not name one.
    exception: Option<String>,
}

impl FailureKind {
    fn of(run: &Run) -> Self {
        let text = run.failure.as_deref().filter(|_| run.outcome == Outcome::Failed);
        Self {
            outcome: run.outcome,
            exception: text.and_then(exception),
        }
    }

    /// Whether two failures are of the same kind, as far as their texts tell.
    fn matches(&self, other: &Self) -> bool {
        let is_same = match (&self.exception, &other.exception) {
            (Some(one), Some(other)) => one == other || is_assertion(one) && is_assertion(other),
            _ => true,
        };
        self.outcome == other.outcome && is_same
    }
}

/// The class of the exception in a failure text such as `total(shop.TillTest): java.lang.AssertionError: off by one`.
fn exception(text: &str) -> Option<String> {
    let is_class = |word: &str| {
        let simple = word.rsplit('.').next().unwrap_or(word);
        word.contains('.')
            && simple.starts_with(char::is_uppercase)
            && word
                .chars()
                .all(|it| it.is_alphanumeric() || matches!(it, '.' | '_' | '$'))
    };
    let mut parts = text.lines().next()?.split(": ");
    parts.find(|it| is_class(it)).map(str::to_owned)
}

/// Whether the exception of this class is a failed assertion. Assertions of all frameworks are of one kind.
fn is_assertion(class: &str) -> bool {
    ["Assertion", "ComparisonFailure", "MultipleFailures"]
        .iter()
        .any(|it| class.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perturbation::Perturbation;
    use crate::scripted_machine::{ScriptedMachine, check, name};

    fn failed(text: &str) -> Event {
        Event::Run(Run {
            test: name("a.A#victim"),
            stage: Stage::Pair,
            jvm: 1,
            perturbation: Perturbation::None,
            outcome: Outcome::Failed,
            milliseconds: 1,
            failure: Some(text.to_owned()),
        })
    }

    fn behind_polluter() -> RecordedFailure {
        RecordedFailure {
            test: name("a.A#victim"),
            recipe: Recipe {
                lead: vec![name("b.C#polluter")],
                perturbation: Perturbation::None,
            },
            kinds: vec![FailureKind {
                outcome: Outcome::Failed,
                exception: None,
            }],
        }
    }

    fn seen(victim: &str, polluter: &str) -> Observation {
        let script = ScriptedMachine::new(&[("a.A#victim", victim), ("b.C#polluter", polluter)]);
        check(script, |it| behind_polluter().observe(it, 3)).1
    }

    #[test]
    fn the_attempts_of_a_recipe_decide() {
        assert_eq!(seen("ppf", "p"), Observation::Failed { attempt: 3 });
        assert_eq!(seen("p", "p"), Observation::Passed { attempts: 3, absent: 0 });
        assert_eq!(seen("p", "m"), Observation::Passed { attempts: 3, absent: 1 });
        assert_eq!(seen("m", "p"), Observation::Missing);
        assert_eq!(seen("s", "p").words(), "the test was skipped");
        assert_eq!(seen("pt", "p").words(), "the test fails, but not as recorded");
        assert_eq!(seen("tf", "p"), Observation::Failed { attempt: 2 });
    }

    #[test]
    fn failures_are_of_one_kind_if_their_exceptions_are() {
        let junit4 = "reads(a.A): org.junit.ComparisonFailure: expected:<[a]> but was:<[b]>\n\tat a.A";
        let recorded = RecordedFailure::of(&[failed(junit4)], &name("a.A#victim")).expect("a failure");
        assert_eq!(exception(junit4).as_deref(), Some("org.junit.ComparisonFailure"));
        for (text, is_same) in [
            ("reads(): org.opentest4j.AssertionFailedError: expected: <a>", true),
            ("reads(): java.lang.NullPointerException\n\tat java.base", false),
            ("a display name: of its own", true),
        ] {
            let Event::Run(run) = failed(text) else {
                unreachable!("it is a run")
            };
            assert_eq!(recorded.kinds[0].matches(&FailureKind::of(&run)), is_same, "{text}");
        }
    }
}
