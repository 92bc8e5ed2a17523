//! The file system of a sandboxed JVM: what is writable, private or hidden, as a list of mounts.
//!
//! | path | inside |
//! |---|---|
//! | project's root, working folder, scratch folder | writable |
//! | `/tmp` | private, in the scratch folder |
//! | `/run` | empty, because servers of the system listen on sockets there, such as those of DNS and Docker |
//! | files of `/tmp` and `/run` that the command of the JVM names, such as its class path | read-only |
//! | `/etc/hosts` | a changed copy, in which the name of the machine is an address of loopback |
//! | everything else | read-only |
//!
//! Invariant: a mount comes after the mounts of the folders that contain its path.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder for temporary files that all processes of a system share.
pub(super) const TMP: &str = "/tmp";

/// The folder in which servers of the system have their sockets.
const RUN: &str = "/run";

/// The folders whose content a sandboxed JVM does not see.
const HIDDEN: [&str; 2] = [TMP, RUN];

/// The paths in hidden folders that stay visible: programs of `NixOS`, and the sockets of displays.
const VISIBLE: [&str; 4] = [
    "/run/current-system",
    "/run/wrappers",
    "/run/opengl-driver",
    "/tmp/.X11-unix",
];

/// The file that gives names to addresses.
const HOSTS: &str = "/etc/hosts";

/// The content of a path in the file system of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    /// This file or folder, which cannot be written.
    ReadOnly(PathBuf),
    /// This file or folder.
    Writable(PathBuf),
    /// An empty folder in memory.
    Empty,
}

/// The paths of a sandbox whose content is not the read-only one of the system, each before the paths in it.
pub(super) type Mounts = BTreeMap<PathBuf, Content>;

/// The private home folder of a sandboxed JVM.
pub(super) fn home(scratch: &Path) -> PathBuf {
    scratch.join("home")
}

/// The mounts for a JVM that is started with `command` and also reads the file `key`. Makes the private folders in
/// `scratch`.
///
/// # Errors
///
/// When the private folders cannot be made, or the working folder does not exist.
pub(super) fn mounts(command: &Command, key: Option<&Path>, root: &Path, scratch: &Path) -> io::Result<Mounts> {
    let scratch = scratch.canonicalize()?;
    let private = scratch.join("tmp");
    for folder in [home(&scratch), private.clone()] {
        fs::create_dir_all(folder)?;
    }
    let writable = [Some(root), command.get_current_dir()].into_iter().flatten();
    let writable: Vec<PathBuf> = writable.map(fs::canonicalize).collect::<io::Result<_>>()?;
    let is_writable = |path: &Path| path.starts_with(&scratch) || writable.iter().any(|it| path.starts_with(it));
    let mut hidden: Vec<(&Path, PathBuf)> = HIDDEN.iter().map(Path::new).filter_map(with_target).collect();
    // A folder for temporary files that the build or the user chose is private too, unless it is in the project.
    let chosen = chosen_tmp(command).and_then(with_target);
    hidden.extend(chosen.filter(|(_, real)| !is_writable(real) && real.parent().is_some()));
    let mut mounts = Mounts::new();
    for path in named_paths(command).into_iter().chain(key.map(Path::to_owned)) {
        let Ok(target) = path.canonicalize() else { continue };
        for place in places(&path, &target, &hidden) {
            if is_writable(&place) {
                continue;
            }
            // A link may lead from a hidden folder into the project.
            let content = if is_writable(&target) {
                Content::Writable
            } else {
                Content::ReadOnly
            };
            mounts.insert(place, content(target.clone()));
        }
    }
    // What is in a visible folder is visible. Nothing can be mounted there if it is a link.
    let visible: BTreeSet<PathBuf> = mounts.keys().cloned().collect();
    mounts.retain(|path, _| !path.ancestors().skip(1).any(|it| visible.contains(it)));
    for (name, real) in &hidden {
        let content = if *name == Path::new(RUN) {
            Content::Empty
        } else {
            Content::Writable(private.clone())
        };
        mounts.insert(real.clone(), content);
    }
    if let Some(hosts) = private_hosts(&scratch)? {
        mounts.insert(PathBuf::from(HOSTS), Content::ReadOnly(hosts));
    }
    for path in writable {
        mounts.insert(path.clone(), Content::Writable(path));
    }
    mounts.insert(scratch.clone(), Content::Writable(scratch));
    Ok(mounts)
}

/// The absolute paths in the arguments and variables of a command, such as each entry of a class path, the file of
/// `-javaagent:FILE=OPTIONS`, and the folder of the JDK.
fn named_paths(command: &Command) -> Vec<PathBuf> {
    let program = Path::new(command.get_program());
    // The program is `bin/java` in the folder of its JDK.
    let jdk = program.canonicalize().ok();
    let jdk = jdk.as_deref().and_then(Path::parent).and_then(Path::parent);
    let variables = command.get_envs().filter_map(|(_, value)| value);
    let values = command.get_args().chain(variables).filter_map(OsStr::to_str);
    // Paths may contain separators themselves, so that all ways of splitting are tried. What is no path does not exist.
    let parts = values.flat_map(|value| {
        let options = value.split([':', '=', ',', ';', ' ', '@']);
        let after_equals = value.split_once('=').map(|(_, it)| it);
        value.split(':').chain(after_equals).chain(options)
    });
    let own = [program].into_iter().chain(jdk).chain(VISIBLE.map(Path::new));
    own.chain(parts.map(Path::new))
        .filter(|it| it.is_absolute())
        .map(Path::to_owned)
        .collect()
}

/// The paths at which a file must be mounted so that both its name and its real path lead to it. None if both do anyway.
fn places(path: &Path, target: &Path, hidden: &[(&Path, PathBuf)]) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for (name, real) in hidden {
        for prefix in [name, real.as_path()] {
            for inside in [path, target].iter().filter_map(|it| it.strip_prefix(prefix).ok()) {
                if inside != Path::new("") {
                    places.push(real.join(inside));
                }
            }
        }
    }
    places
}

/// An existing path with what it leads to.
fn with_target(path: &Path) -> Option<(&Path, PathBuf)> {
    Some((path, path.canonicalize().ok()?))
}

/// The folder for temporary files that the options of a JVM name. The last option wins. A relative path is in the
/// working folder, and so needs no mount.
fn chosen_tmp(command: &Command) -> Option<&Path> {
    let options = command.get_args().filter_map(OsStr::to_str);
    let last = options.filter_map(|it| it.strip_prefix("-Djava.io.tmpdir=")).last()?;
    Some(Path::new(last)).filter(|it| it.is_absolute())
}

/// Writes the `/etc/hosts` of a sandbox. `None` if the system has none.
fn private_hosts(scratch: &Path) -> io::Result<Option<PathBuf>> {
    let Ok(system) = fs::read_to_string(HOSTS) else {
        return Ok(None);
    };
    let machine = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let path = scratch.join("hosts");
    fs::write(&path, hosts(&system, machine.trim()))?;
    Ok(Some(path))
}

/// The content of `/etc/hosts` with an address of loopback for the name of the machine. Many tests look that name up,
/// and no other address of the machine exists inside.
fn hosts(system: &str, machine: &str) -> String {
    let mut out = String::new();
    let mut is_named = machine.is_empty();
    for line in system.lines() {
        let entry = line.split('#').next().unwrap_or_default();
        let mut words = entry.split_whitespace().skip(1);
        if !machine.is_empty() && words.any(|it| it == machine) {
            is_named = true;
            let names: Vec<&str> = entry.split_whitespace().skip(1).collect();
            let _ = writeln!(out, "127.0.0.1 {}", names.join(" "));
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    if !is_named {
        let _ = writeln!(out, "127.0.0.1 {machine}");
    }
    out
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_machine_is_an_address_of_loopback() {
        assert_eq!(
            hosts(
                "127.0.0.1 localhost\n172.17.0.2 box.example box # us\n10.0.0.1 db",
                "box"
            ),
            "127.0.0.1 localhost\n127.0.0.1 box.example box\n10.0.0.1 db\n"
        );
        assert_eq!(
            hosts("127.0.0.1 localhost\n", "box"),
            "127.0.0.1 localhost\n127.0.0.1 box\n"
        );
        assert_eq!(hosts("127.0.0.1 localhost\n", ""), "127.0.0.1 localhost\n");
    }

    #[test]
    fn what_the_command_names_in_a_hidden_folder_stays_visible() {
        let folder = tempfile::tempdir_in(TMP).expect("a folder");
        let real = folder.path().canonicalize().expect("a path");
        let (root, scratch) = (real.join("project"), real.join("scratch"));
        for path in ["project", "scratch", "chosen", "folder"] {
            fs::create_dir(real.join(path)).expect("a folder");
        }
        for file in ["a.jar", "agent.jar", "project/b.jar", "unnamed"] {
            fs::write(real.join(file), "").expect("a file");
        }
        for link in ["link", "folder/link"] {
            std::os::unix::fs::symlink(&root, real.join(link)).expect("a link");
        }
        let path = |name: &str| real.join(name).display().to_string();
        let mut command = Command::new("/usr/bin/env");
        command.arg(format!("-javaagent:{}=all", path("agent.jar")));
        command.arg(format!("-Djava.io.tmpdir={}", path("chosen")));
        command
            .arg("-cp")
            .arg(format!("{}:{}:/usr", path("a.jar"), path("project/b.jar")))
            .args(["link", "folder", "folder/link"].map(path));
        command.current_dir(&root);
        let mounts = mounts(&command, None, &root, &scratch).expect("mounts");
        let content = |name: &str| mounts.get(&real.join(name));
        for name in ["a.jar", "agent.jar", "folder"] {
            assert_eq!(content(name), Some(&Content::ReadOnly(real.join(name))));
        }
        for name in ["project", "scratch"] {
            assert_eq!(content(name), Some(&Content::Writable(real.join(name))));
        }
        assert_eq!(content("chosen"), Some(&Content::Writable(scratch.join("tmp"))));
        assert_eq!(content("link"), Some(&Content::Writable(root.clone())));
        for name in ["project/b.jar", "unnamed", "folder/link"] {
            assert_eq!(content(name), None);
        }
        assert_eq!(mounts.get(Path::new("/usr")), None, "it is visible anyway");
        let order: Vec<&PathBuf> = mounts.keys().collect();
        let position = |path: &Path| order.iter().position(|it| *it == path);
        let tmp = fs::canonicalize(TMP).expect("a path");
        assert!(position(&tmp) < position(&real.join("a.jar")), "{order:?}");
    }

    #[test]
    fn a_project_that_is_the_folder_for_temporary_files_stays_visible() {
        let scratch = tempfile::tempdir().expect("a folder");
        let tmp = fs::canonicalize(TMP).expect("a path");
        let mut command = Command::new("/usr/bin/env");
        command.current_dir(TMP);
        let mounts = mounts(&command, None, &tmp, scratch.path()).expect("mounts");
        assert_eq!(mounts.get(&tmp), Some(&Content::Writable(tmp.clone())));
    }
}
