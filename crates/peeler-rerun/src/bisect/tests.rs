//! Unit tests of bisections, on git repositories in temporary folders and with scripted outcomes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::*;
use crate::evidence::{Event, Outcome, Run, Stage};
use crate::jvm::process::Interrupt;
use crate::perturbation::Perturbation;
use crate::scripted_machine::name;

/// A git repository in a temporary folder. The subject of a commit is its name.
struct History(tempfile::TempDir);

impl History {
    fn new() -> Self {
        let history = Self(tempfile::tempdir().expect("a folder"));
        history.git(&["init", "--quiet", "--initial-branch=main"]);
        history
    }

    /// A repository with a line of commits.
    fn line(subjects: &[&str]) -> Self {
        let history = Self::new();
        for subject in subjects {
            history.commit(subject);
        }
        history
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.path()).args(arguments);
        // A git hook that runs these tests sets variables for its own repository.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(name);
        }
        command
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        for (key, value) in [("NAME", "Ada"), ("EMAIL", "ada@example.org")] {
            command.env(format!("GIT_AUTHOR_{key}"), value);
            command.env(format!("GIT_COMMITTER_{key}"), value);
        }
        let date = "2024-05-31T12:00:00Z";
        command.env("GIT_AUTHOR_DATE", date).env("GIT_COMMITTER_DATE", date);
        let output = command.output().expect("git");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Adds a commit that writes a file of its name, and a tag of this name.
    fn commit(&self, subject: &str) {
        std::fs::create_dir_all(self.path().join("src/shop")).expect("a folder");
        std::fs::write(self.path().join(format!("src/shop/{subject}.java")), subject).expect("a file");
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "-m", subject]);
        self.git(&["tag", &format!("at-{subject}")]);
    }

    fn repository(&self) -> Repository {
        Repository::open(self.path(), &Interrupt::default()).expect("a repository")
    }

    /// Bisects from a good revision to `HEAD`. A letter for each commit says what is seen there: passed, failed, late
    /// (failed in attempt 3), missing, untestable, or out of budget.
    fn bisect(&self, good: &str, script: &str) -> Result<Bisection, BisectError> {
        let letters: BTreeMap<&str, char> = script
            .split_whitespace()
            .map(|it| {
                let (subject, letter) = it.split_once('=').expect("an outcome");
                (subject, letter.chars().next().expect("a letter"))
            })
            .collect();
        let mut observe = |commit: &Commit| match letters[commit.subject.as_str()] {
            'p' => Ok(Observation::Passed { attempts: 5, absent: 0 }),
            'f' => Ok(Observation::Failed { attempt: 1 }),
            'l' => Ok(Observation::Failed { attempt: 3 }),
            'm' => Ok(Observation::Missing),
            'u' => Ok(Observation::Untestable {
                reason: "does not build\nmany lines".to_owned(),
            }),
            _ => Err(ConfirmError::BudgetSpent.into()),
        };
        let repository = self.repository();
        let ends = Ends::of(&repository, good)?;
        let mut told = 0;
        let result = bisect(&repository, &ends, &failure(), 5, &mut observe, &mut |_| told += 1);
        if let Ok(bisection) = &result {
            assert_eq!(told, bisection.steps.len(), "every step is told");
        }
        result
    }
}

fn failure() -> RecordedFailure {
    let run = Event::Run(Run {
        test: name("shop.A#t"),
        stage: Stage::Repeat,
        jvm: 1,
        perturbation: Perturbation::None,
        outcome: Outcome::Failed,
        milliseconds: 1,
        failure: None,
    });
    RecordedFailure::of(&[run], &name("shop.A#t")).expect("a failure")
}

fn suspects(bisection: &Bisection) -> Vec<&str> {
    let suspects = bisection.suspects.iter();
    suspects.map(|it| it.commit.subject.as_str()).collect()
}

fn steps(bisection: &Bisection) -> Vec<String> {
    let steps = bisection.steps.iter();
    steps
        .map(|it| format!("{} {} {}", it.commit.subject, it.mark.word(), it.left))
        .collect()
}

#[test]
fn the_first_bad_commit_of_a_line_is_found_in_a_few_steps() {
    let history = History::line(&["A", "B", "C", "D", "E", "F", "G", "H"]);
    let mut found = history
        .bisect("at-A", "A=p B=p C=p D=p E=p F=f G=f H=f")
        .expect("a result");
    assert_eq!(suspects(&found), ["F"]);
    // Which of two equal halves git takes depends on the ids of commits.
    let steps = steps(&found);
    assert_eq!(steps[..2], ["H bad 6", "A good 6"]);
    assert!((4..=5).contains(&steps.len()), "{steps:?}");
    assert!(found.notes.is_empty() && found.stopped.is_none(), "{found:?}");
    let [suspect] = found.suspects.as_slice() else {
        panic!("one suspect")
    };
    assert_eq!(suspect.files, ["src/shop/F.java"]);
    assert_eq!(
        suspect.commit.line().split_once(' '),
        Some((suspect.commit.short(), "2024-05-31 Ada: F"))
    );
    let parent = found.steps.iter().find(|it| it.commit.subject == "E");
    let line = parent.expect("its parent is checked").line();
    assert!(
        line.contains(" 2024-05-31 Ada: E: good, passed 5 of 5 attempts; "),
        "{line}"
    );

    let loaded = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect();
    found.set_loaded(&loaded(&["shop.F$Inner", "shop.A"]));
    assert_eq!(found.suspects[0].loaded_files, Some(vec!["src/shop/F.java".to_owned()]));
    found.set_loaded(&loaded(&["shop.Other", "workshop.F", "p.F"]));
    assert_eq!(found.suspects[0].loaded_files, Some(Vec::new()));
}

#[test]
fn a_commit_of_a_merged_branch_is_found() {
    let history = History::line(&["A", "B"]);
    history.git(&["checkout", "--quiet", "-b", "side", "at-A"]);
    for subject in ["S1", "S2", "S3"] {
        history.commit(subject);
    }
    history.git(&["checkout", "--quiet", "main"]);
    history.commit("C");
    history.git(&["merge", "--quiet", "--no-ff", "-m", "M", "side"]);
    history.commit("D");
    let side = history
        .bisect("at-A", "A=p B=p C=p S1=p S2=f S3=f M=f D=f")
        .expect("a result");
    assert_eq!(suspects(&side), ["S2"]);
    // Both branches are good, and only their merge is bad.
    let merge = history
        .bisect("at-A", "A=p B=p C=p S1=p S2=p S3=p M=f D=f")
        .expect("a result");
    assert_eq!(suspects(&merge), ["M"]);
    let expected: Vec<String> = (1..=3).map(|it| format!("src/shop/S{it}.java")).collect();
    assert_eq!(merge.suspects[0].files, expected);
}

#[test]
fn skipped_commits_hide_the_first_bad_one_only_beside_it() {
    let history = History::line(&["A", "B", "C", "D", "E", "F", "G", "H"]);
    let hidden = history
        .bisect("at-A", "A=p B=p C=p D=u E=u F=f G=f H=f")
        .expect("a result");
    assert_eq!(suspects(&hidden), ["D", "E", "F"]);
    let seen = hidden.steps.iter().find(|it| it.mark == Mark::Skipped);
    assert_eq!(seen.map(|it| it.seen.as_str()), Some("does not build"));
    let found = history
        .bisect("at-A", "A=p B=f C=f D=u E=u F=u G=f H=f")
        .expect("a result");
    assert_eq!(suspects(&found), ["B"]);
    let all = history
        .bisect("at-A", "A=p B=u C=u D=u E=u F=u G=u H=f")
        .expect("a result");
    assert_eq!(suspects(&all), ["B", "C", "D", "E", "F", "G", "H"]);
}

#[test]
fn a_test_that_does_not_exist_yet_is_good_and_one_that_is_gone_is_skipped() {
    let history = History::line(&["A", "B", "C", "D", "E"]);
    let born = history.bisect("at-A", "A=m B=m C=f D=f E=f").expect("a result");
    assert_eq!(suspects(&born), ["C"]);
    assert_eq!(
        born.notes,
        [
            "the test does not exist at the good commit, so commits without it count as good",
            "the commit added or renamed the test"
        ]
    );
    let grown = history.bisect("at-A", "A=m B=p C=p D=f E=f").expect("a result");
    assert_eq!(suspects(&grown), ["D"]);
    assert_eq!(grown.notes.len(), 1);
    let gone = history.bisect("at-A", "A=p B=p C=m D=f E=f").expect("a result");
    assert_eq!(suspects(&gone), ["C", "D"]);
}

#[test]
fn an_end_that_is_not_what_it_has_to_be_stops_the_search() {
    let history = History::line(&["A", "B", "C"]);
    let message = |good: &str, script: &str| history.bisect(good, script).expect_err("an error").to_string();
    let text = message("at-A", "A=p B=p C=p");
    assert!(
        text.contains("does not occur at HEAD") && text.contains("--runs"),
        "{text}"
    );
    let text = message("at-A", "A=f B=f C=f");
    assert!(
        text.contains("fails at the good commit too") && text.contains("Ada: A"),
        "{text}"
    );
    let text = message("at-A", "A=u B=f C=f");
    assert!(
        text.contains("does not tell") && text.contains("does not build\nmany lines"),
        "{text}"
    );
    assert!(message("at-A", "A=p B=p C=m").contains("is the test committed?"));
    assert!(message("HEAD", "").contains("is the commit that is checked out"));
    assert!(message("no-such-tag", "").ends_with(" has no commit no-such-tag"));
    assert!(message("--help", "").ends_with(" has no commit --help"));

    history.git(&["checkout", "--quiet", "-b", "side", "at-B"]);
    history.commit("S");
    let text = message("at-C", "");
    assert!(
        text.contains("not an ancestor of HEAD") && text.contains("Ada: B"),
        "{text}"
    );
}

#[test]
fn luck_and_a_spent_budget_are_told() {
    let history = History::line(&["A", "B", "C", "D", "E", "F", "G"]);
    let lucky = history.bisect("at-A", "A=p B=p C=p D=l E=f F=f G=f").expect("a result");
    assert_eq!(suspects(&lucky), ["D"]);
    assert!(
        lucky.notes[0].contains("may be bad") && lucky.notes[0].contains("attempt 3"),
        "{lucky:?}"
    );
    let spent = history.bisect("at-A", "A=p B=! C=! D=f E=f F=f G=f").expect("a result");
    assert_eq!(suspects(&spent), ["B", "C", "D"]);
    assert_eq!(spent.stopped.as_deref(), Some("the budget is spent"));
    let error = history.bisect("at-A", "A=! B=f C=f D=f E=f F=f G=f");
    assert!(matches!(error, Err(BisectError::Confirm(ConfirmError::BudgetSpent))));
}

#[test]
fn a_copy_has_the_files_of_a_commit_and_leaves_the_project_alone() {
    let history = History::line(&["A", "B"]);
    // Hooks of the project must not run, and changes that are not committed must stay.
    let hook = history.path().join(".git/hooks/post-checkout");
    std::fs::create_dir_all(hook.parent().expect("a parent")).expect("a folder");
    std::fs::write(&hook, "#!/bin/sh\ntouch \"$PWD/hook-ran\"\n").expect("a file");
    #[cfg(unix)]
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode");
    assert!(!history.repository().has_changes().expect("a status"));
    std::fs::write(history.path().join("src/shop/B.java"), "changed").expect("a file");
    std::fs::write(history.path().join("untracked"), "").expect("a file");
    let state = || {
        let index = std::fs::read(history.path().join(".git/index")).expect("an index");
        (
            index,
            history.git(&["--no-optional-locks", "status", "--porcelain"]),
            history.git(&["for-each-ref"]),
        )
    };
    let before = state();

    let inner = Repository::open(&history.path().join("src"), &Interrupt::default()).expect("a repository");
    assert!(inner.has_changes().expect("a status"));
    let copy = inner.copy().expect("a copy");
    let (root, scratch) = (copy.root().to_owned(), copy.scratch().to_owned());
    assert!(root.ends_with(Path::new(history.path().file_name().expect("a name")).join("src")));
    copy.check_out(&inner.commit("at-B").expect("a commit"))
        .expect("a checkout");
    let read = |file: &str| std::fs::read_to_string(root.join("shop").join(file)).ok();
    assert_eq!((read("A.java"), read("B.java")), (Some("A".into()), Some("B".into())));
    // What a build leaves behind is deleted before the next commit.
    std::fs::create_dir_all(root.join("target")).expect("a folder");
    std::fs::write(root.join("shop/A.java"), "changed").expect("a file");
    copy.check_out(&inner.commit("at-A").expect("a commit"))
        .expect("a checkout");
    assert_eq!((read("A.java"), read("B.java")), (Some("A".into()), None));
    assert!(!root.join("target").exists() && !root.join("../hook-ran").exists());
    drop(copy);
    assert!(!scratch.exists());
    assert!(state() == before, "the project is as it was");
}

#[test]
fn a_shallow_clone_says_how_to_get_older_commits() {
    let history = History::line(&["A", "B", "C"]);
    let clones = tempfile::tempdir().expect("a folder");
    let path = clones.path().join("shallow");
    let url = format!("file://{}", history.path().display());
    history.git(&[
        "clone",
        "--quiet",
        "--depth=2",
        "--no-tags",
        &url,
        path.to_str().expect("a path"),
    ]);
    let shallow = Repository::open(&path, &Interrupt::default()).expect("a repository");
    let error = Ends::of(&shallow, "at-A").expect_err("an error").to_string();
    assert!(error.contains("git fetch --unshallow"), "{error}");
    // What it has can be bisected.
    Ends::of(&shallow, "HEAD~1").expect("both ends");
    let copy = shallow.copy().expect("a copy");
    copy.check_out(&shallow.commit("HEAD~1").expect("a commit"))
        .expect("a checkout");
    assert!(copy.root().join("src/shop/B.java").is_file());
}

#[test]
fn a_linked_worktree_can_be_copied() {
    let history = History::line(&["A", "B"]);
    let folder = tempfile::tempdir().expect("a folder");
    let linked = folder.path().join("linked");
    history.git(&[
        "worktree",
        "add",
        "--quiet",
        "--detach",
        linked.to_str().expect("a path"),
    ]);
    let repository = Repository::open(&linked, &Interrupt::default()).expect("a repository");
    let copy = repository.copy().expect("a copy");
    copy.check_out(&repository.commit("at-A").expect("a commit"))
        .expect("a checkout");
    assert!(copy.root().join("src/shop/A.java").is_file());
}

#[test]
fn an_interrupt_ends_git() {
    let history = History::line(&["A"]);
    let interrupt = Interrupt::default();
    let repository = Repository::open(history.path(), &interrupt).expect("a repository");
    interrupt.request();
    let error = BisectError::from(repository.copy().expect_err("it is interrupted"));
    assert!(error.is_interrupt(), "{error}");
}
