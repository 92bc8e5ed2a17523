//! A temporary copy of a project's git repository, in which other commits are checked out and built.
//!
//! The copy is a clone that shares the objects of the project's repository. A linked worktree would need an entry in
//! the project's `.git`, and build plugins that use `JGit` fail in one.
//!
//! Invariant: no file of the project changes, neither in its work tree nor in its `.git`. The copy is deleted when its
//! [`WorkingCopy`] is dropped.
//!
//! Left out: submodules, the repository's own git configuration, and objects that a partial clone does not have.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Serialize;

use crate::jvm::JvmError;
use crate::jvm::process::{Interrupt, complete_with_output, ending};
use crate::scratch_folder::ScratchFolder;

/// Environment variables that make git use another repository than the one that it is told to use.
const ELSEWHERE: [&str; 9] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// The remedy for a commit that a shallow clone does not have.
const SHALLOW: &str = "; it is a shallow clone: get its older commits with `git fetch --unshallow`";

/// The reason why git does not do what it is asked to do.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// A git command failed.
    #[error("git {verb} failed in {folder}: {reason}")]
    Failed {
        /// The git command without its arguments, such as `clone`.
        verb: String,
        /// The folder that git worked in.
        folder: PathBuf,
        /// The error message of git.
        reason: String,
    },
    /// The repository has no commit of this name.
    #[error("{folder} has no commit {revision}{}", if *is_shallow { SHALLOW } else { "" })]
    NoCommit {
        /// The revision that names no commit.
        revision: String,
        /// The folder of the repository.
        folder: PathBuf,
        /// Whether the repository lacks older commits.
        is_shallow: bool,
    },
    /// Git cannot be started, a temporary file cannot be written, or the user interrupted.
    #[error(transparent)]
    Jvm(#[from] JvmError),
}

/// A commit of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Commit {
    /// The full id of the commit.
    pub id: String,
    /// The date on which the commit was written, such as `2024-05-31`.
    pub date: String,
    /// The name of the commit's author.
    pub author: String,
    /// The first line of the commit's message.
    pub subject: String,
    /// The ids of the commit's parents.
    #[serde(skip)]
    pub parents: Vec<String>,
}

impl Commit {
    /// The commit in one line: `1a2b3c4d5e 2024-05-31 Ada: Cache the prices`.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{} {} {}: {}", self.short(), self.date, self.author, self.subject)
    }

    /// The first ten digits of the commit's id.
    #[must_use]
    pub fn short(&self) -> &str {
        self.id.get(..10).unwrap_or(&self.id)
    }
}

/// The git repository of the user's project. It is only read.
#[derive(Debug)]
pub struct Repository {
    /// The folder of the repository's work tree.
    top: PathBuf,
    /// The folder of the project, relative to `top`.
    project: PathBuf,
    interrupt: Interrupt,
}

impl Repository {
    /// The git repository that a project's folder belongs to.
    ///
    /// # Errors
    ///
    /// When the folder does not belong to the work tree of a git repository.
    pub fn open(root: &Path, interrupt: &Interrupt) -> Result<Self, GitError> {
        let io = |source| JvmError::Io {
            path: root.to_owned(),
            source,
        };
        let root = root.canonicalize().map_err(io)?;
        // The path to the top consists of `../` only, so it is text whatever the names of the folders are.
        let up = git(&root, &["rev-parse", "--show-cdup"], interrupt)?;
        let top = root.join(up.trim_end()).canonicalize().map_err(io)?;
        let project = root.strip_prefix(&top).unwrap_or(Path::new("")).to_owned();
        Ok(Self {
            top,
            project,
            interrupt: interrupt.clone(),
        })
    }

    /// The commit that a revision names, such as a tag or `HEAD~20`.
    ///
    /// # Errors
    ///
    /// When the repository has no such commit.
    pub fn commit(&self, revision: &str) -> Result<Commit, GitError> {
        let peeled = format!("{revision}^{{commit}}");
        // This form prevents git from reading a revision such as `--help` as an option.
        match self.git(&["rev-parse", "--verify", "--end-of-options", &peeled]) {
            Ok(id) => commit(&self.top, id.trim(), &self.interrupt),
            Err(GitError::Failed { .. }) => Err(GitError::NoCommit {
                revision: revision.to_owned(),
                folder: self.top.clone(),
                is_shallow: self.git(&["rev-parse", "--is-shallow-repository"])?.trim() == "true",
            }),
            Err(other) => Err(other),
        }
    }

    /// Whether the work tree differs from `HEAD` in files that git tracks.
    ///
    /// # Errors
    ///
    /// When git fails.
    pub fn has_changes(&self) -> Result<bool, GitError> {
        let status = self.git(&["status", "--porcelain", "--untracked-files=no"])?;
        Ok(!status.is_empty())
    }

    /// The best common ancestor of two commits; `None` if they have none.
    ///
    /// # Errors
    ///
    /// When git is interrupted.
    pub fn merge_base(&self, one: &Commit, other: &Commit) -> Result<Option<Commit>, GitError> {
        match self.git(&["merge-base", &one.id, &other.id]) {
            Ok(id) => commit(&self.top, id.trim(), &self.interrupt).map(Some),
            Err(GitError::Failed { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// The ids of the commits that `bad` contains and none of `goods`, with `bad` itself.
    ///
    /// They are sorted as `git bisect` sorts them: the first one splits them into the most equal halves.
    ///
    /// # Errors
    ///
    /// When git fails.
    pub fn between(&self, goods: &[String], bad: &str) -> Result<Vec<String>, GitError> {
        self.listed("--bisect-all", goods, bad)
    }

    /// The ids of the same commits as [`Self::between`] lists, ancestors first.
    ///
    /// # Errors
    ///
    /// When git fails.
    pub fn between_in_order(&self, goods: &[String], bad: &str) -> Result<Vec<String>, GitError> {
        let mut ids = self.listed("--topo-order", goods, bad)?;
        ids.reverse();
        Ok(ids)
    }

    fn listed(&self, order: &str, goods: &[String], bad: &str) -> Result<Vec<String>, GitError> {
        let mut arguments = vec!["rev-list", order, bad, "--not"];
        arguments.extend(goods.iter().map(String::as_str));
        let text = self.git(&arguments)?;
        let first_words = text.lines().filter_map(|line| line.split_whitespace().next());
        Ok(first_words.map(str::to_owned).collect())
    }

    /// The paths of the files that a commit changed; for a merge, the changes to its first parent.
    ///
    /// # Errors
    ///
    /// When git fails.
    pub fn changed_files(&self, commit: &Commit) -> Result<Vec<String>, GitError> {
        let how = ["log", "-1", "-m", "--first-parent", "--format=", "--name-only"];
        let text = self.git(&[&how[..], &["--no-renames", "-z", &commit.id, "--"]].concat())?;
        let files: BTreeSet<&str> = text.split(['\0', '\n']).filter(|it| !it.is_empty()).collect();
        Ok(files.into_iter().map(printable).collect())
    }

    /// A temporary copy of the repository, in which no commit is checked out yet.
    ///
    /// # Errors
    ///
    /// When the copy cannot be made.
    pub fn copy(&self) -> Result<WorkingCopy, GitError> {
        let scratch = ScratchFolder::new().map_err(|source| JvmError::Io {
            path: std::env::temp_dir(),
            source,
        })?;
        // Gradle names a project after its folder.
        let name = self.top.file_name().unwrap_or(OsStr::new("project"));
        let top = scratch.path().join("copy").join(name);
        let mut command = command(&self.top);
        command.args(["clone", "--quiet", "--shared", "--no-checkout", "--template=", "--"]);
        command.arg(&self.top).arg(&top);
        output(command, "clone", &self.top, &self.interrupt)?;
        // Build tools name files by paths without links.
        let top = top.canonicalize().unwrap_or(top);
        Ok(WorkingCopy {
            root: top.join(&self.project),
            top,
            scratch,
            interrupt: self.interrupt.clone(),
        })
    }

    fn git(&self, arguments: &[&str]) -> Result<String, GitError> {
        git(&self.top, arguments, &self.interrupt)
    }
}

/// A temporary copy of a project's repository, deleted when this value is dropped.
#[derive(Debug)]
pub struct WorkingCopy {
    top: PathBuf,
    root: PathBuf,
    scratch: ScratchFolder,
    interrupt: Interrupt,
}

impl WorkingCopy {
    /// The folder of the project in the copy. It need not exist at every commit.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A folder outside the work tree of the copy, deleted together with the copy.
    #[must_use]
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Replaces all files of the copy by those of a commit. What builds and tests left behind is deleted.
    ///
    /// # Errors
    ///
    /// When git fails.
    pub fn check_out(&self, commit: &Commit) -> Result<(), GitError> {
        self.git(&["clean", "-ffdxq"])?;
        self.git(&["checkout", "--quiet", "--force", "--detach", &commit.id])
    }

    fn git(&self, arguments: &[&str]) -> Result<(), GitError> {
        let mut command = command(&self.top);
        // Named folders, so that no command can ever clean the user's work tree.
        command.arg("--git-dir").arg(self.top.join(".git"));
        command.arg("--work-tree").arg(&self.top).args(arguments);
        output(command, arguments[0], &self.top, &self.interrupt).map(drop)
    }
}

fn commit(top: &Path, id: &str, interrupt: &Interrupt) -> Result<Commit, GitError> {
    let format = "--format=%H%x00%P%x00%as%x00%an%x00%s";
    let text = git(
        top,
        &["log", "-1", "--no-show-signature", "--no-color", format, id, "--"],
        interrupt,
    )?;
    let mut fields = text.trim_end_matches('\n').splitn(5, '\0');
    let mut field = || fields.next().unwrap_or_default();
    Ok(Commit {
        id: field().to_owned(),
        parents: field().split_whitespace().map(str::to_owned).collect(),
        date: field().to_owned(),
        author: printable(field()),
        subject: printable(field()),
    })
}

/// A text with control characters replaced by U+FFFD, because it is shown on terminals.
fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

/// Runs a git command in a folder and returns its standard output.
fn git(folder: &Path, arguments: &[&str], interrupt: &Interrupt) -> Result<String, GitError> {
    let mut command = command(folder);
    command.args(arguments);
    output(command, arguments[0], folder, interrupt)
}

/// A git command without a verb. It takes no locks of the repository and runs no hooks.
fn command(folder: &Path) -> Command {
    let mut command = Command::new("git");
    for name in ELSEWHERE {
        command.env_remove(name);
    }
    command.env("GIT_TERMINAL_PROMPT", "0");
    command.arg("-C").arg(folder).arg("--no-optional-locks");
    // Hooks are files in a folder, and a device has none.
    command.args(["-c", "core.hooksPath=/dev/null"]);
    command
}

fn output(command: Command, verb: &str, folder: &Path, interrupt: &Interrupt) -> Result<String, GitError> {
    let ended = complete_with_output(command, interrupt)?;
    if ended.status.success() {
        return Ok(String::from_utf8_lossy(&ended.stdout).into_owned());
    }
    let reason = if ended.stderr.is_empty() {
        ending(ended.status)
    } else {
        ended.stderr
    };
    Err(GitError::Failed {
        verb: verb.to_owned(),
        folder: folder.to_owned(),
        reason,
    })
}
