//! The sandbox of the JVMs that run tests: no network but loopback, and a home and a temporary folder of their own.
//!
//! A test that asks another machine, or reads what an earlier run left in `/tmp`, depends on more than its code. Inside
//! a sandbox it fails at once, and always in the same way. The sandbox consists of namespaces of Linux, which `bwrap` of
//! bubblewrap or else `unshare` of util-linux makes. `mounts` says which files are visible.
//!
//! Invariants: a [`Sandbox`] worked when it was tried. All processes inside are visible and can be killed from outside,
//! so a [`ProcessTree`] ends them as it ends others.
//!
//! Left out: a namespace for process ids. It would give every JVM the same id, and containers often forbid to mount
//! `/proc` again. Also left out are systems other than Linux. The sandbox is no protection against malicious code.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io};

use super::mounts::{Content, Mounts, TMP, home, mounts};
use super::process::{ProcessTree, ending, settled_output};
use crate::scratch_folder::ScratchFolder;

/// The script that `unshare` runs. It mounts the files of the sandbox.
const MOUNT_SCRIPT: &str = include_str!("sandbox.sh");

/// The script that checks a sandbox from inside.
const PROBE_SCRIPT: &str = include_str!("sandbox_probe.sh");

/// The time limit for the check of a sandbox.
const PROBE_LIMIT: Duration = Duration::from_secs(20);

/// The variables that lead to folders of the user. Without them, programs look in the home and temporary folder.
const FOLDER_VARIABLES: [&str; 7] = [
    "TEMP",
    "TMP",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
];

/// The program that makes the namespaces of a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxTool {
    /// The tool is `bwrap` of bubblewrap.
    Bubblewrap,
    /// The tool is `unshare` of util-linux.
    Unshare,
}

impl SandboxTool {
    /// All tools, the preferred one first.
    pub const ALL: [Self; 2] = [Self::Bubblewrap, Self::Unshare];

    fn program(self) -> &'static str {
        match self {
            Self::Bubblewrap => "bwrap",
            Self::Unshare => "unshare",
        }
    }
}

/// The reason why test JVMs cannot have a sandbox.
#[derive(Debug, thiserror::Error)]
pub enum NoSandbox {
    /// The operating system is not Linux.
    #[error("sandboxes need Linux; use a container or a virtual machine")]
    OtherSystem,
    /// None of the programs that make a sandbox is on the search path.
    #[error("neither bwrap nor unshare is installed; install bubblewrap")]
    NoTool,
    /// The programs that make a sandbox are there, but do not make one.
    #[error("{}; {remedy}", attempts.join("; "))]
    Refused {
        /// The programs that were tried, each with what it said.
        attempts: Vec<String>,
        /// What the user can do, as a phrase.
        remedy: &'static str,
    },
}

/// A way to run JVMs without a network except loopback, and with a home and a temporary folder of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    tool: SandboxTool,
    program: PathBuf,
    privilege: Privilege,
    root: PathBuf,
}

/// The right by which namespaces are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Privilege {
    /// Peeler is root. The tests have the rights of root inside too, as they have outside.
    Root,
    /// Peeler is the owner of a new user namespace.
    UserNamespace,
}

impl Sandbox {
    /// A sandbox that works on this system, in which `root` is the writable folder of the project.
    ///
    /// # Errors
    ///
    /// When the system has no program that makes a sandbox, or does not let it.
    pub fn find(root: &Path) -> Result<Self, NoSandbox> {
        Self::find_with(&SandboxTool::ALL, root, std::env::var_os("PATH").as_deref())
    }

    /// A sandbox that one of these tools makes, which are looked up on the search path `path`.
    ///
    /// # Errors
    ///
    /// When none of the tools is there, or none makes a sandbox.
    pub fn find_with(tools: &[SandboxTool], root: &Path, path: Option<&OsStr>) -> Result<Self, NoSandbox> {
        if !cfg!(target_os = "linux") {
            return Err(NoSandbox::OtherSystem);
        }
        let mut attempts = Vec::new();
        let mut has_bubblewrap = false;
        for &tool in tools {
            let mut folders = path.map(std::env::split_paths).into_iter().flatten();
            let Some(program) = folders.find_map(|it| Some(it.join(tool.program())).filter(|it| it.is_file())) else {
                continue;
            };
            has_bubblewrap |= tool == SandboxTool::Bubblewrap;
            let mut reason = String::new();
            for &privilege in privileges() {
                let (program, root) = (program.clone(), root.to_owned());
                let sandbox = Self {
                    tool,
                    program,
                    privilege,
                    root,
                };
                match sandbox.probe() {
                    Ok(()) => return Ok(sandbox),
                    Err(why) => reason = why,
                }
            }
            attempts.push(format!("{} makes no sandbox: {reason}", tool.program()));
        }
        if attempts.is_empty() {
            return Err(NoSandbox::NoTool);
        }
        let remedy = if has_bubblewrap {
            "allow user namespaces on this system, or in this container"
        } else {
            "install bubblewrap, or allow user namespaces on this system, or in this container"
        };
        Err(NoSandbox::Refused { attempts, remedy })
    }

    /// The options of `java` that name the private folders. They come before the options of the build and the user, so
    /// that those win.
    ///
    /// `environment` are the variables that the build sets. A property that a variable such as `JAVA_TOOL_OPTIONS` sets
    /// is left out, because such variables count less than options.
    #[must_use]
    pub fn java_options(scratch: &Path, environment: &BTreeMap<String, String>) -> Vec<String> {
        let variable = |name: &str| environment.get(name).cloned().or_else(|| std::env::var(name).ok());
        let given: Vec<String> = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"]
            .into_iter()
            .filter_map(variable)
            .collect();
        let home = home(scratch);
        [("user.home", home.as_path()), ("java.io.tmpdir", Path::new(TMP))]
            .into_iter()
            .map(|(property, folder)| (format!("-D{property}="), folder))
            .filter(|(option, _)| !given.iter().any(|it| it.contains(option)))
            .map(|(option, folder)| format!("{option}{}", folder.display()))
            .collect()
    }

    /// The command that runs `command` in this sandbox. Its private folders are in `scratch`.
    ///
    /// # Errors
    ///
    /// When the private folders cannot be made.
    pub fn enclose(&self, command: &Command, scratch: &Path) -> io::Result<Command> {
        let scratch = scratch.canonicalize()?;
        let key = display_key();
        let mounts = mounts(command, key.as_deref(), &self.root, &scratch)?;
        let folder = match command.get_current_dir() {
            Some(folder) => folder.canonicalize()?,
            None => std::env::current_dir()?,
        };
        let mut enclosed = Command::new(&self.program);
        match self.tool {
            SandboxTool::Bubblewrap => enclosed.args(self.bubblewrap_arguments(&mounts, &folder)),
            SandboxTool::Unshare => enclosed.args(self.unshare_arguments(mounts, &folder, &scratch)?),
        };
        enclosed.arg("--").arg(command.get_program()).args(command.get_args());
        enclosed.current_dir("/");
        for variable in FOLDER_VARIABLES {
            enclosed.env_remove(variable);
        }
        enclosed.env("HOME", home(&scratch)).env("TMPDIR", TMP);
        if let Some(key) = key {
            enclosed.env("XAUTHORITY", key);
        }
        // The variables of the build come last, so that they win.
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => enclosed.env(name, value),
                None => enclosed.env_remove(name),
            };
        }
        Ok(enclosed)
    }

    /// How a sandboxed process ended, as a phrase: `exit status 1` or `killed by signal 9`.
    ///
    /// `bwrap` reports a signal as an exit status above 128. A JVM itself exits so after the signals HUP, INT and TERM.
    #[must_use]
    pub fn ending(&self, status: ExitStatus) -> String {
        match (self.tool, status.code()) {
            (SandboxTool::Bubblewrap, Some(code @ 131..=192)) if code != 143 => {
                format!("killed by signal {}", code - 128)
            }
            _ => ending(status),
        }
    }

    fn bubblewrap_arguments(&self, mounts: &Mounts, folder: &Path) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["--unshare-net".into()];
        if self.privilege == Privilege::UserNamespace {
            arguments.push("--unshare-user".into());
        }
        arguments.extend(["--ro-bind", "/", "/", "--dev", "/dev"].map(OsString::from));
        for (path, content) in mounts {
            match content {
                Content::ReadOnly(from) => arguments.extend(["--ro-bind".into(), from.into(), path.into()]),
                Content::Writable(from) => arguments.extend(["--bind".into(), from.into(), path.into()]),
                Content::Empty => arguments.extend(["--tmpfs".into(), path.into()]),
            }
        }
        arguments.extend(["--chdir".into(), folder.into()]);
        arguments
    }

    fn unshare_arguments(&self, mut mounts: Mounts, folder: &Path, scratch: &Path) -> io::Result<Vec<OsString>> {
        let stage = scratch.join("stage");
        for name in ["old", "new"] {
            fs::create_dir_all(stage.join(name))?;
        }
        let mut arguments: Vec<OsString> = ["--mount", "--net"].map(OsString::from).into();
        let (user, group) = match self.privilege {
            Privilege::Root => (String::new(), String::new()),
            Privilege::UserNamespace => {
                arguments.extend(["--user", "--map-root-user"].map(OsString::from));
                ids()
            }
        };
        arguments.extend(["--", "/bin/sh", "-c", MOUNT_SCRIPT, "peeler-sandbox", &user, &group].map(OsString::from));
        arguments.extend([stage.into(), folder.into()]);
        if Path::new("/dev/shm").is_dir() {
            mounts.insert("/dev/shm".into(), Content::Empty);
        }
        for (path, content) in mounts {
            let (kind, from) = match content {
                Content::ReadOnly(from) => ("ro", from),
                Content::Writable(from) => ("rw", from),
                Content::Empty => ("empty", PathBuf::new()),
            };
            arguments.extend([kind.into(), from.into(), path.into()]);
        }
        Ok(arguments)
    }

    /// Tries the sandbox. The error says what is wrong with it.
    fn probe(&self) -> Result<(), String> {
        let text = |error: io::Error| error.to_string();
        let scratch = ScratchFolder::new().map_err(text)?;
        let outside = ScratchFolder::new().map_err(text)?;
        let result = scratch.path().join("result");
        let mut command = Command::new("/bin/sh");
        command.args(["-c", PROBE_SCRIPT, "peeler-probe"]);
        command.arg(&result).arg(outside.path());
        command.arg(fs::read_link("/proc/self/ns/net").map_err(text)?);
        command.current_dir(&self.root);
        let enclosed = self.enclose(&command, scratch.path()).map_err(text)?;
        let mut family = ProcessTree::start(enclosed, Stdio::piped()).map_err(|it| it.to_string())?;
        let until = Instant::now() + PROBE_LIMIT;
        while Instant::now() < until {
            let status = family.ended();
            let line = fs::read_to_string(&result).unwrap_or_default();
            if let Some(process) = line.strip_suffix('\n').and_then(|it| it.parse().ok()) {
                let is_visible = family.finds(process);
                return is_visible
                    .then_some(())
                    .ok_or_else(|| "its processes cannot be found from outside".to_owned());
            }
            if let Some(status) = status {
                let output = settled_output(&family);
                return Err(output.lines().last().map_or_else(|| ending(status), str::to_owned));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Err(format!("it does not start within {} s", PROBE_LIMIT.as_secs()))
    }
}

/// The file with the key of the display that tests may use. `None` if there is no display.
fn display_key() -> Option<PathBuf> {
    std::env::var_os("DISPLAY").filter(|it| !it.is_empty())?;
    let in_home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".Xauthority"));
    let key = std::env::var_os("XAUTHORITY").map(PathBuf::from).or_else(in_home)?;
    key.is_file().then_some(key)
}

/// The rights by which Peeler may make namespaces, the preferred one first.
///
/// In a user namespace even root cannot write files of other users, so root makes no user namespace if it need not.
fn privileges() -> &'static [Privilege] {
    if ids().0 == "0" {
        &[Privilege::Root, Privilege::UserNamespace]
    } else {
        &[Privilege::UserNamespace]
    }
}

/// The ids of the user and the group that Peeler runs as.
#[cfg(unix)]
fn ids() -> (String, String) {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    (user.as_raw().to_string(), group.as_raw().to_string())
}

#[cfg(not(unix))]
fn ids() -> (String, String) {
    (String::new(), String::new())
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
