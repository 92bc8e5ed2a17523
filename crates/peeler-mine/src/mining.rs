//! Reads a history on several threads and collects its events.
//!
//! Invariant: the result depends on the history and the request alone, not on the number of threads.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use git2::{Oid, Repository};
use rustc_hash::FxHashMap;

use crate::commit_events::{EventReader, ReadCommit};
use crate::date::day_of;
use crate::error::MineError;
use crate::event::{Event, FileActivity, Mined, RunLabel};
use crate::follow::{FileChange, FileHistory, Follower};
use crate::history::{self, History};
use crate::objects::Objects;
use crate::renames::renames;
use crate::rules::Rules;
use crate::runs;
use crate::tree_changes::tree_changes;

/// The number of successive commits that a thread reads at a time. Successive commits share most of their trees, so
/// caches help.
const COMMITS_AT_A_TIME: usize = 512;
/// The number of events whose tests a thread looks up at the mined revision before it takes more.
const EVENTS_AT_A_TIME: usize = 64;

/// Options of mining a git history for flaky tests.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The branch, tag or commit whose ancestors are read; `None` for `HEAD`.
    pub revision: Option<String>,
    /// The time before which commits give no events, in seconds since 1970; `None` for no limit.
    pub since: Option<i64>,
    /// The time from which on commits give no events, in seconds since 1970; `None` for no limit.
    pub until: Option<i64>,
    /// The name of the repository in the result; `None` to take it from the remote or the folder.
    pub repository: Option<String>,
    /// Tests that runs showed to be flaky. They are added to the events that commits give.
    pub runs: Vec<RunLabel>,
    /// The number of threads; 0 for as many as there are processors.
    pub threads: usize,
}

/// Finds flaky tests in the history of the git repository that contains a folder.
///
/// `progress` is called with the number of commits that were read so far and the number of all commits.
///
/// # Errors
///
/// When there is no repository, no commit or no such revision. Broken git objects are no error; their commits are
/// counted.
pub fn mine(path: &Path, request: &Request, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Mined, MineError> {
    let repository = history::open(path)?;
    let tip = history::tip(&repository, path, request.revision.as_deref())?;
    let history = history::read(&repository, tip);
    if history.commits.is_empty() {
        return Err(MineError::Empty(path.to_owned()));
    }
    let rules = Rules::built_in();
    let mining = Mining {
        folder: repository.path(),
        tip,
        history: &history,
        rules,
        request,
        threads: match request.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        },
    };
    let (mut events, changes, unreadable) = mining.read(progress);
    mining.follow(&mut events, &changes);
    let mut events: Vec<Event> = events.into_iter().map(|(_, event)| event).collect();
    events.extend(runs::events(&repository, rules, tip, &request.runs));
    events.sort_by(|a, b| {
        (&a.date, &a.fix, &a.path, &a.class, &a.test).cmp(&(&b.date, &b.fix, &b.path, &b.class, &b.test))
    });
    let times = || history.commits.iter().map(|it| it.seconds);
    let day = |seconds: Option<i64>| seconds.map(day_of).unwrap_or_default();
    Ok(Mined {
        repository: request.repository.clone().unwrap_or_else(|| history::name(&repository)),
        revision: tip.to_string(),
        commits: history.commits.len(),
        merges: history.commits.iter().filter(|it| it.parents > 1).count(),
        is_shallow: repository.is_shallow(),
        unreadable_commits: unreadable + history.missing,
        first_day: day(times().min()),
        last_day: day(times().max()),
        events,
        activity: activity(&history, &changes),
    })
}

/// The times of the commits that added or changed each test file, sorted by path.
fn activity(history: &History, changes: &[FileChange]) -> Vec<FileActivity> {
    let mut times: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for change in changes.iter().filter(|it| it.new.is_some()) {
        let seconds = history.commits[change.position].seconds;
        times.entry(&change.path).or_default().push(seconds);
    }
    let file = |(path, mut seconds): (&str, Vec<i64>)| {
        seconds.sort_unstable();
        FileActivity {
            path: path.to_owned(),
            seconds,
        }
    };
    times.into_iter().map(file).collect()
}

/// What all threads share while they read a history: the commits, the rules and the options.
struct Mining<'m> {
    folder: &'m Path,
    tip: Oid,
    history: &'m History,
    rules: &'m Rules,
    request: &'m Request,
    threads: usize,
}

/// What one thread found in a range of successive commits.
#[derive(Default)]
struct Part {
    /// Events, each with the index of its commit among all commits of the history.
    events: Vec<(usize, Event)>,
    changes: Vec<FileChange>,
    unreadable: usize,
}

/// Work of one thread: it gets a repository handle of its own and a function that hands out numbers of tasks. It
/// returns a result for each number, and ends when there are no more.
type Work<'w, T> = &'w (dyn Fn(&Repository, &dyn Fn() -> Option<usize>) -> Vec<(usize, T)> + Sync);

impl Mining<'_> {
    /// Reads all commits. Returns the events with the index of their commit, the changes of test files, and the number
    /// of unreadable commits.
    fn read(&self, progress: &(dyn Fn(usize, usize) + Sync)) -> (Vec<(usize, Event)>, Vec<FileChange>, usize) {
        let commits = &self.history.commits;
        let parts = commits.len().div_ceil(COMMITS_AT_A_TIME);
        let done = AtomicUsize::new(0);
        let results = self.in_parallel(parts, &|repository, next| {
            let mut parts = Vec::new();
            let Ok(mut objects) = Objects::open(repository) else {
                return parts;
            };
            let mut reader = EventReader::new(self.rules);
            while let Some(number) = next() {
                let start = number * COMMITS_AT_A_TIME;
                let end = (start + COMMITS_AT_A_TIME).min(commits.len());
                let mut part = Part::default();
                for position in start..end {
                    let read = self.read_commit(repository, &mut objects, &mut reader, position, &mut part);
                    part.unreadable += usize::from(read.is_err());
                }
                parts.push((number, part));
                let read = done.fetch_add(end - start, Ordering::Relaxed) + (end - start);
                progress(read, commits.len());
            }
            parts
        });
        let (mut events, mut changes, mut unreadable) = (Vec::new(), Vec::new(), 0);
        for (_, part) in results {
            events.extend(part.events);
            changes.extend(part.changes);
            unreadable += part.unreadable;
        }
        (events, changes, unreadable)
    }

    fn read_commit(
        &self,
        repository: &Repository,
        objects: &mut Objects<'_>,
        reader: &mut EventReader<'_>,
        position: usize,
        part: &mut Part,
    ) -> Result<(), git2::Error> {
        let commit = &self.history.commits[position];
        // A merge repeats what its parents say, and a first commit fixes nothing.
        let (1, Some(parent)) = (commit.parents, commit.parent) else {
            return Ok(());
        };
        if self.request.since.is_some_and(|it| commit.seconds < it) {
            return Ok(());
        }
        let found = repository.find_commit(commit.id)?;
        let old = repository.find_commit(parent)?.tree_id();
        let Some(changes) = tree_changes(objects, &self.rules.paths, Some(old), found.tree_id())? else {
            return Ok(());
        };
        if changes.tests.is_empty() {
            return Ok(());
        }
        let renames = renames(objects, &changes.tests)?;
        let message = String::from_utf8_lossy(found.message_bytes());
        let read = ReadCommit {
            commit,
            parent,
            message: &message,
            changes: &changes,
            renames: &renames,
        };
        if self.request.until.is_none_or(|it| commit.seconds < it) {
            let events = reader.events(objects, &read)?;
            part.events.extend(events.into_iter().map(|it| (position, it)));
        }
        let mut targets: FxHashMap<&str, (String, Oid)> = renames
            .iter()
            .map(|it| (it.from.as_str(), (it.to.clone(), it.new)))
            .collect();
        part.changes.extend(changes.tests.iter().map(|it| FileChange {
            position,
            path: it.path.clone(),
            old: it.old,
            new: it.new,
            renamed_to: targets.remove(it.path.as_str()),
        }));
        Ok(())
    }

    /// Sets in every event where its test is at the mined revision, if it still is there.
    fn follow(&self, events: &mut [(usize, Event)], changes: &[FileChange]) {
        // Events of one file read the same blobs.
        events
            .sort_by(|(_, a), (_, b)| (&a.path, &a.fix, &a.class, &a.test).cmp(&(&b.path, &b.fix, &b.class, &b.test)));
        let files = FileHistory::new(changes);
        let known = &*events;
        let parts = known.len().div_ceil(EVENTS_AT_A_TIME);
        let found = self.in_parallel(parts, &|repository, next| {
            let mut parts = Vec::new();
            let Ok(follower) = Follower::open(repository, self.tip, &files) else {
                return parts;
            };
            while let Some(number) = next() {
                let start = number * EVENTS_AT_A_TIME;
                let events = &known[start..(start + EVENTS_AT_A_TIME).min(known.len())];
                let today: Vec<_> = events.iter().map(|(at, it)| follower.today(it, *at)).collect();
                parts.push((number, today));
            }
            parts
        });
        let found = found.into_iter().flat_map(|(_, today)| today);
        for ((_, event), today) in events.iter_mut().zip(found) {
            event.today = today;
        }
    }

    /// Runs `count` tasks on all threads and returns their results, sorted by the number of the task. A free thread
    /// takes the next number.
    fn in_parallel<T: Send>(&self, count: usize, work: Work<'_, T>) -> Vec<(usize, T)> {
        let taken = AtomicUsize::new(0);
        let next = || Some(taken.fetch_add(1, Ordering::Relaxed)).filter(|it| *it < count);
        let run = || Repository::open(self.folder).map_or_else(|_| Vec::new(), |it| work(&it, &next));
        let mut results: Vec<(usize, T)> = thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.min(count)).map(|_| scope.spawn(run)).collect();
            let ended = threads
                .into_iter()
                .map(|it| it.join().expect("a thread does not panic"));
            ended.flatten().collect()
        });
        results.sort_unstable_by_key(|(number, _)| *number);
        results
    }
}
