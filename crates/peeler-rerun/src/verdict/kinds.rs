//! Kinds of flakiness, as the runs of a test show them.
//!
//! A kind is named only if the runs tell it from others. If a test changes its outcome under the same conditions, no
//! other condition is blamed unless the test always fails under it. A test can have several kinds.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::evidence::{Run, Stage};
use crate::perturbation::Perturbation;

/// A kind of flakiness: what the outcome of a test depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlakyKind {
    /// The outcome depends on the tests that ran before.
    Order,
    /// The outcome depends on behaviour of Java that is not specified, such as the order of a `HashMap`.
    Unspecified,
    /// The outcome depends on the speed of the machine or of threads.
    Timing,
    /// The outcome depends on the time zone, locale or charset.
    Environment,
    /// The outcome changes under the same conditions.
    Random,
}

impl FlakyKind {
    /// All kinds of flakiness.
    pub const ALL: [Self; 5] = [
        Self::Order,
        Self::Unspecified,
        Self::Timing,
        Self::Environment,
        Self::Random,
    ];

    /// The kind as one word, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Unspecified => "unspecified",
            Self::Timing => "timing",
            Self::Environment => "environment",
            Self::Random => "random",
        }
    }

    /// The kind as a phrase for reports, such as `order of tests`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Order => "order of tests",
            Self::Unspecified => "unspecified behaviour",
            Self::Timing => "timing",
            Self::Environment => "environment",
            Self::Random => "random",
        }
    }

    /// The kind that a change of the environment can show; `None` for unchanged environments and orders.
    #[must_use]
    pub fn of(perturbation: &Perturbation) -> Option<Self> {
        match perturbation {
            Perturbation::None | Perturbation::Order { .. } => None,
            Perturbation::NonDex { .. } => Some(Self::Unspecified),
            Perturbation::Zone { .. } | Perturbation::Locale { .. } | Perturbation::Charset { .. } => {
                Some(Self::Environment)
            }
            Perturbation::Stress { .. }
            | Perturbation::Delay { .. }
            | Perturbation::Processors { .. }
            | Perturbation::Interpreted => Some(Self::Timing),
        }
    }
}

/// The kinds of a flaky test whose runs changed their outcome, by its runs and by whether they show that it depends on
/// the tests before it.
pub(super) fn kinds(counted: &[&Run], is_order: bool) -> Vec<FlakyKind> {
    let mut found = BTreeSet::new();
    if is_order {
        found.insert(FlakyKind::Order);
    }
    let plain = Outcomes::of(counted.iter().filter(|run| is_plain(run)));
    if plain.is_mixed() && !is_order {
        found.insert(FlakyKind::Random);
    }
    let mut by_kind: BTreeMap<FlakyKind, Vec<&Run>> = BTreeMap::new();
    for run in counted {
        if let Some(kind) = FlakyKind::of(&run.perturbation) {
            by_kind.entry(kind).or_default().push(run);
        }
    }
    for (kind, runs) in by_kind {
        match blame(kind, &runs, plain) {
            Blame::Kind => found.insert(kind),
            Blame::Chance if !is_order => found.insert(FlakyKind::Random),
            _ => false,
        };
    }
    if found.is_empty() {
        found.insert(FlakyKind::Random);
    }
    found.into_iter().collect()
}

/// Whether the kind of a changed environment is shown by the runs in it.
enum Blame {
    /// The changed environment changes the outcome.
    Kind,
    /// The outcome changed in the environment, but not each time under the same conditions.
    Chance,
    /// The outcome is the same as in the unchanged environment.
    Nothing,
}

fn blame(kind: FlakyKind, runs: &[&Run], plain: Outcomes) -> Blame {
    let all = Outcomes::of(runs.iter());
    let Some(usual) = plain.constant() else {
        // The test fails now and then anyway: it has to fail always here.
        let is_always = all.passes == 0 && all.failures >= 2 && plain.passes >= plain.failures;
        return if is_always && plain.is_mixed() {
            Blame::Kind
        } else {
            Blame::Nothing
        };
    };
    let is_changed = |run: &&&Run| run.outcome.is_failure() != usual;
    if !runs.iter().any(|run| is_changed(&run)) {
        return Blame::Nothing;
    }
    let mut conditions: BTreeMap<&Perturbation, Outcomes> = BTreeMap::new();
    for run in runs {
        conditions.entry(&run.perturbation).or_default().add(run);
    }
    let changed = conditions.values().filter(|it| it.constant() == Some(!usual)).count();
    let is_shown = match kind {
        FlakyKind::Timing => true,
        FlakyKind::Unspecified => {
            // One seed may meet chance. Two seeds, or a second failure alone, are no chance.
            let seeds: BTreeSet<&Perturbation> = runs
                .iter()
                .filter(|run| is_changed(run))
                .map(|run| &run.perturbation)
                .collect();
            let again = runs.iter().filter(|run| run.stage == Stage::Again);
            let is_again = again.clone().any(|run| is_changed(&run));
            seeds.len() >= 2 || is_again || (changed == 1 && again.count() == 0)
        }
        _ => changed > 0,
    };
    if is_shown { Blame::Kind } else { Blame::Chance }
}

/// Whether a run was in the unchanged environment, and neither in another order nor to study one.
fn is_plain(run: &Run) -> bool {
    use Stage::{First, Fork, History, Postpone, Repeat, Rerun};
    run.perturbation.is_none() && matches!(run.stage, First | Rerun | Postpone | Fork | Repeat | History)
}

/// The number of passes and failures among some runs.
#[derive(Debug, Clone, Copy, Default)]
struct Outcomes {
    passes: usize,
    failures: usize,
}

impl Outcomes {
    fn of<'a>(runs: impl Iterator<Item = &'a &'a Run>) -> Self {
        let mut found = Self::default();
        for run in runs {
            found.add(run);
        }
        found
    }

    fn add(&mut self, run: &Run) {
        if run.outcome.is_failure() {
            self.failures += 1;
        } else {
            self.passes += 1;
        }
    }

    fn is_mixed(self) -> bool {
        self.passes > 0 && self.failures > 0
    }

    /// Whether all runs failed (`true`) or all passed (`false`); `None` if there are both, or none.
    fn constant(self) -> Option<bool> {
        (self.passes + self.failures > 0 && !self.is_mixed()).then_some(self.failures > 0)
    }
}
