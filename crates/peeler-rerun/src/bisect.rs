//! Bisection: finds the commit that made a test flaky, by runs of a recorded failure at commits between two ends.
//!
//! ```text
//! good --- good --- ? --- skipped --- bad --- bad        good: passed   bad: failed as recorded
//! ```
//!
//! The search is that of `git bisect`: git chooses the commit that splits the rest into the most equal halves, also
//! among merged branches. A commit that does not tell is skipped.
//!
//! Invariant: a commit is named as the first bad one only if the test failed there, and the commits before it are good.
//! If skipped commits hide the first bad one, all commits that it may be are named.

mod error;
mod observation;
mod repository;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use peeler_features::TestName;
use serde::Serialize;

pub use error::BisectError;
pub use observation::{Observation, RecordedFailure};
pub use repository::{Commit, GitError, Repository, WorkingCopy};

use crate::confirmation::ConfirmError;
use crate::replay::Recipe;

/// What a commit counts as in a bisection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// The test passed in every attempt, or does not exist yet.
    Good,
    /// The test failed as it was recorded to fail.
    Bad,
    /// The commit does not tell.
    Skipped,
}

impl Mark {
    /// The mark as a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Skipped => "skipped",
        }
    }
}

/// One commit that a bisection has checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The commit that was checked.
    pub commit: Commit,
    /// What the commit counts as.
    pub mark: Mark,
    /// What was seen at the commit, in words.
    pub seen: String,
    /// The number of commits that may still have to be checked after this step.
    pub left: usize,
}

impl Step {
    /// The step in one line: `1a2b3c4d5e 2024-05-31 Ada: Cache prices: bad, failed in attempt 1; 3 commits left ...`.
    #[must_use]
    pub fn line(&self) -> String {
        let left = match self.left {
            0 => "no commit left".to_owned(),
            1 => "1 commit left, 1 step".to_owned(),
            left => format!("{left} commits left, about {} steps", steps_of(left)),
        };
        let (commit, mark, seen) = (self.commit.line(), self.mark.word(), &self.seen);
        format!("{commit}: {mark}, {seen}; {left}")
    }
}

/// The number of steps that a bisection of so many unknown commits takes at most, if none is skipped.
#[must_use]
pub fn steps_of(commits: usize) -> u32 {
    usize::BITS - commits.leading_zeros()
}

/// A commit that may have made the test flaky, with the files that it changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suspect {
    /// The commit.
    #[serde(flatten)]
    pub commit: Commit,
    /// The paths of all files that the commit changed; for a merge, compared with its first parent.
    pub files: Vec<String>,
    /// Those of `files` that declare a class which the test loads at `HEAD`; `None` if those classes are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loaded_files: Option<Vec<String>>,
}

/// The result of a bisection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bisection {
    /// The flaky test.
    pub test: TestName,
    /// The recorded failure that was run at each commit.
    pub failing: Recipe,
    /// The most attempts at each commit.
    pub attempts: u32,
    /// The commits that were checked, in this order. The first one is `HEAD`, the second one the good end.
    pub steps: Vec<Step>,
    /// The commits that may have made the test flaky, ancestors first; one commit if nothing hides it.
    pub suspects: Vec<Suspect>,
    /// The reason why the search ended early, such as a spent budget; `None` if it did not.
    pub stopped: Option<String>,
    /// Facts that limit what the result means, as sentences without a full stop.
    pub notes: Vec<String>,
}

/// The two ends of a bisection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    /// The commit at which the test is not flaky, or does not exist.
    pub good: Commit,
    /// The commit at which the test is flaky.
    pub bad: Commit,
}

impl Ends {
    /// The ends of a bisection from a good revision to `HEAD`.
    ///
    /// # Errors
    ///
    /// When there is no such revision, or it is not an ancestor of `HEAD`.
    pub fn of(repository: &Repository, good: &str) -> Result<Self, BisectError> {
        let ends = Self {
            bad: repository.commit("HEAD")?,
            good: repository.commit(good)?,
        };
        let good = good.to_owned();
        if ends.good == ends.bad {
            return Err(BisectError::SameCommit { good });
        }
        let base = repository.merge_base(&ends.good, &ends.bad)?;
        if base.as_ref() == Some(&ends.good) {
            return Ok(ends);
        }
        let base = base.map(|it| it.line());
        Err(BisectError::NotAnAncestor { good, base })
    }
}

/// Finds the commit between two ends that made a test fail as recorded.
///
/// `observe` checks a commit out and says what is seen of the test there. `tell` is called after each step.
///
/// # Errors
///
/// When an end is not what it has to be, or a commit cannot be observed. A budget that is spent after both ends were
/// checked is no error: the result then contains all commits that are left.
pub fn bisect(
    repository: &Repository,
    ends: &Ends,
    failure: &RecordedFailure,
    attempts: u32,
    observe: &mut dyn FnMut(&Commit) -> Result<Observation, BisectError>,
    tell: &mut dyn FnMut(&Step),
) -> Result<Bisection, BisectError> {
    let mut search = Search {
        repository,
        bad: ends.bad.id.clone(),
        goods: vec![ends.good.id.clone()],
        skipped: BTreeSet::new(),
        missing_is_good: false,
        steps: Vec::new(),
        missing: BTreeSet::new(),
        late: None,
    };
    search.check_bad_end(&ends.bad, observe(&ends.bad)?, tell)?;
    search.check_good_end(&ends.good, observe(&ends.good)?, tell)?;
    let mut stopped = None;
    while let Some(next) = search.next()? {
        let commit = repository.commit(&next)?;
        match observe(&commit) {
            Ok(seen) => search.add(&commit, &seen, tell)?,
            Err(BisectError::Confirm(ConfirmError::BudgetSpent)) => {
                stopped = Some("the budget is spent".to_owned());
                break;
            }
            Err(other) => return Err(other),
        }
    }
    let left = repository.between_in_order(&search.goods, &search.bad)?;
    let suspects: Result<Vec<Suspect>, GitError> = left.iter().map(|id| search.suspect(id)).collect();
    let suspects = suspects?;
    Ok(Bisection {
        test: failure.test.clone(),
        failing: failure.recipe.clone(),
        attempts,
        notes: search.notes(&suspects),
        suspects,
        stopped,
        steps: search.steps,
    })
}

/// The state of a bisection: what is known about commits so far.
struct Search<'a> {
    repository: &'a Repository,
    /// The id of the oldest commit that is known to be bad.
    bad: String,
    goods: Vec<String>,
    skipped: BTreeSet<String>,
    /// Whether a commit without the test is good, because the good end does not contain the test either.
    missing_is_good: bool,
    steps: Vec<Step>,
    /// The ids of the commits without the test.
    missing: BTreeSet<String>,
    /// A commit at which the test passed before it failed, and the number of the failed attempt.
    late: Option<(Commit, u32)>,
}

impl Search<'_> {
    fn check_bad_end(
        &mut self,
        commit: &Commit,
        seen: Observation,
        tell: &mut dyn FnMut(&Step),
    ) -> Result<(), BisectError> {
        let remedy = match &seen {
            Observation::Failed { .. } => return self.add(commit, &seen, tell),
            Observation::Passed { .. } => "try more attempts with --runs, or record the failure again",
            Observation::Missing => "is the test committed?",
            Observation::Untestable { .. } => "does a fresh clone of the project need other files or settings?",
        };
        Err(BisectError::NotReproduced {
            commit: commit.line(),
            seen: whole(seen),
            remedy,
        })
    }

    fn check_good_end(
        &mut self,
        commit: &Commit,
        seen: Observation,
        tell: &mut dyn FnMut(&Step),
    ) -> Result<(), BisectError> {
        self.missing_is_good = seen == Observation::Missing;
        match seen {
            Observation::Passed { .. } | Observation::Missing => self.add(commit, &seen, tell),
            Observation::Failed { .. } => Err(BisectError::GoodFails {
                commit: commit.line(),
                seen: whole(seen),
            }),
            Observation::Untestable { .. } => Err(BisectError::GoodUntestable {
                commit: commit.line(),
                seen: whole(seen),
            }),
        }
    }

    /// Adds what was seen at a commit.
    fn add(&mut self, commit: &Commit, seen: &Observation, tell: &mut dyn FnMut(&Step)) -> Result<(), BisectError> {
        let id = commit.id.clone();
        let mark = match seen {
            Observation::Failed { attempt } => {
                if *attempt > 1 {
                    self.late = Some((commit.clone(), *attempt));
                }
                self.bad = id;
                Mark::Bad
            }
            Observation::Missing if !self.missing_is_good => {
                self.skipped.insert(id);
                Mark::Skipped
            }
            Observation::Passed { .. } | Observation::Missing => {
                if *seen == Observation::Missing {
                    self.missing.insert(id.clone());
                }
                self.goods.push(id);
                Mark::Good
            }
            Observation::Untestable { .. } => {
                self.skipped.insert(id);
                Mark::Skipped
            }
        };
        let step = Step {
            commit: commit.clone(),
            mark,
            seen: seen.words(),
            left: self.open(&self.between()?).len(),
        };
        tell(&step);
        self.steps.push(step);
        Ok(())
    }

    /// The ids of the commits that may be the first bad one, the best one to check first.
    fn between(&self) -> Result<Vec<String>, GitError> {
        self.repository.between(&self.goods, &self.bad)
    }

    /// Those of `between` about which nothing is known.
    fn open<'b>(&self, between: &'b [String]) -> Vec<&'b String> {
        let is_open = |it: &&String| **it != self.bad && !self.skipped.contains(*it);
        between.iter().filter(is_open).collect()
    }

    /// The id of the commit to check next; `None` if nothing is left to check.
    fn next(&self) -> Result<Option<String>, GitError> {
        let between = self.between()?;
        let open = self.open(&between);
        let is_best_skipped = between.first().is_some_and(|it| self.skipped.contains(it));
        let place = if is_best_skipped {
            away(self.skipped.len(), open.len())
        } else {
            0
        };
        Ok(open.get(place).copied().cloned())
    }

    fn suspect(&self, id: &str) -> Result<Suspect, GitError> {
        let commit = self.repository.commit(id)?;
        Ok(Suspect {
            files: self.repository.changed_files(&commit)?,
            loaded_files: None,
            commit,
        })
    }

    fn notes(&self, suspects: &[Suspect]) -> Vec<String> {
        let mut notes = Vec::new();
        if self.missing_is_good {
            notes.push("the test does not exist at the good commit, so commits without it count as good".to_owned());
        }
        if let [Suspect { commit, .. }] = suspects
            && commit.parents.iter().any(|it| self.missing.contains(it))
        {
            notes.push("the commit added or renamed the test".to_owned());
        }
        if let Some((commit, attempt)) = &self.late {
            notes.push(format!(
                "the test passed before it failed in attempt {attempt} at {}, so a commit that counts as good may be \
                 bad; a larger --runs makes that less likely",
                commit.short()
            ));
        }
        notes
    }
}

/// All that was seen, also the further lines of a reason.
fn whole(seen: Observation) -> String {
    match seen {
        Observation::Untestable { reason } => reason,
        other => other.words(),
    }
}

/// A place in a list of commits, away from its start, where skipped commits are.
///
/// Neighbours of a commit that does not build rarely build. As in `git bisect`, places near the start are preferred.
fn away(skipped: usize, count: usize) -> usize {
    // Multiples of the golden ratio, in 1024ths, spread evenly.
    let share = skipped.wrapping_mul(633) % 1024;
    count * share / 1024 * share / 1024
}

impl Bisection {
    /// Sets which of the files that the suspects changed declare a class of `loaded`.
    ///
    /// A file is recognised by its path: `core/src/main/java/shop/Till.java` declares `shop.Till`.
    pub fn set_loaded(&mut self, loaded: &BTreeSet<String>) {
        let outer: BTreeSet<&str> = loaded.iter().filter_map(|it| it.split('$').next()).collect();
        let is_loaded = |file: &String| {
            let class = file.rsplit_once('.').map_or("", |(stem, _)| stem).replace('/', ".");
            let mut ends = class.match_indices('.').map(|(dot, _)| &class[dot + 1..]);
            outer.contains(class.as_str()) || ends.any(|it| outer.contains(it))
        };
        for suspect in &mut self.suspects {
            suspect.loaded_files = Some(suspect.files.iter().filter(|it| is_loaded(it)).cloned().collect());
        }
    }
}
