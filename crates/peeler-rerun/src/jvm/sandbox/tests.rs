//! Tests of sandboxes with shells inside; `tests/jvm/sandbox.rs` has those with JVMs.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;

use super::super::process::{Interrupt, complete};
use super::*;

/// The sandboxes of all tools and rights that work here. If there is none, checks that the user is told so.
fn sandboxes(root: &Path) -> Vec<Sandbox> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = Vec::new();
    for tool in SandboxTool::ALL {
        for &privilege in privileges() {
            let program = std::env::split_paths(&path).map(|it| it.join(tool.program()));
            for program in program.filter(|it| it.is_file()).take(1) {
                let root = root.to_owned();
                let sandbox = Sandbox {
                    tool,
                    program,
                    privilege,
                    root,
                };
                found.extend(sandbox.probe().is_ok().then_some(sandbox));
            }
        }
    }
    if found.is_empty() {
        let error = Sandbox::find(root).expect_err("no tool works").to_string();
        assert!(
            error.contains("install bubblewrap") || error.contains("allow user namespaces"),
            "{error}"
        );
    }
    found
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]);
    command
}

/// A fake `bwrap` that is a shell script.
fn fake(script: &str) -> Result<Sandbox, NoSandbox> {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("bwrap");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a mode");
    Sandbox::find_with(&SandboxTool::ALL, folder.path(), Some(folder.path().as_os_str()))
}

#[test]
fn a_missing_or_useless_tool_is_named_with_the_remedy() {
    let nowhere = Sandbox::find_with(&SandboxTool::ALL, Path::new("/"), None).expect_err("no tool");
    assert_eq!(
        nowhere.to_string(),
        "neither bwrap nor unshare is installed; install bubblewrap"
    );
    let refused = fake("echo bwrap: No permissions to create new namespace >&2; exit 1").expect_err("it refuses");
    assert_eq!(
        refused.to_string(),
        "bwrap makes no sandbox: bwrap: No permissions to create new namespace; allow user namespaces on this \
         system, or in this container"
    );
    let open = fake("while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"").expect_err("it does nothing");
    assert!(open.to_string().contains("the network is that of the system"), "{open}");
}

#[test]
fn only_the_project_and_private_folders_are_writable() {
    let project = tempfile::tempdir().expect("a folder");
    let other = tempfile::tempdir_in("/var/tmp").expect("a folder");
    let hidden = tempfile::NamedTempFile::new_in(TMP).expect("a file");
    let hidden_name = hidden.path().file_name().expect("a name");
    for sandbox in sandboxes(project.path()) {
        let scratch = ScratchFolder::new().expect("a folder");
        let script = format!(
            "set -e; echo $GIVEN > given; pwd > folder; touch /tmp/new $HOME/new {scratch}/answer\n\
             ls /tmp > tmp; ls -A /run > run; id -u > user; ! touch {other}/new; ! touch /etc/new; ! cat {hidden}",
            scratch = scratch.path().display(),
            other = other.path().display(),
            // The file must not be named: what the command names stays visible.
            hidden = format_args!("/tm''p/{}", hidden_name.display()),
        );
        let mut command = shell(&script);
        command.current_dir(project.path()).env("GIVEN", "a value");
        let enclosed = sandbox.enclose(&command, scratch.path()).expect("a command");
        let (status, output) = complete(enclosed, &Interrupt::default()).expect("it runs");
        assert!(status.success(), "{sandbox:?}: {output}");
        let read = |name: &str| {
            fs::read_to_string(project.path().join(name))
                .expect("a file")
                .trim()
                .to_owned()
        };
        assert_eq!(read("given"), "a value");
        assert_eq!(Path::new(&read("folder")), project.path());
        assert_eq!(read("user"), ids().0);
        assert_eq!(read("run"), "");
        assert!(read("tmp").contains("new"));
        assert!(scratch.path().join("home/new").exists() && scratch.path().join("answer").exists());
        assert!(!Path::new("/tmp/new").exists() && !other.path().join("new").exists());
    }
}

#[test]
fn processes_inside_are_found_and_killed() {
    let project = tempfile::tempdir().expect("a folder");
    for sandbox in sandboxes(project.path()) {
        let scratch = ScratchFolder::new().expect("a folder");
        let mut command = shell("sleep 1000 & setsid sleep 1000 & echo $$ $! > ids; wait");
        command.current_dir(project.path());
        let enclosed = sandbox.enclose(&command, scratch.path()).expect("a command");
        let mut family = ProcessTree::start(enclosed, Stdio::piped()).expect("it starts");
        let ids = project.path().join("ids");
        let until = Instant::now() + Duration::from_secs(10);
        while !fs::read_to_string(&ids).is_ok_and(|it| it.ends_with('\n')) {
            assert!(Instant::now() < until, "{}", family.output());
            std::thread::sleep(Duration::from_millis(5));
        }
        let text = fs::read_to_string(&ids).expect("a file");
        let processes: Vec<i32> = text.split_whitespace().map(|it| it.parse().expect("an id")).collect();
        assert!(processes.iter().all(|&it| family.finds(it)), "{sandbox:?}");
        family.kill();
        assert!(!processes.iter().any(|&it| family.finds(it)), "{sandbox:?}");
        fs::remove_file(ids).expect("a file");
    }
}

#[test]
fn a_signal_is_told_from_an_exit_status() {
    let sandbox = |tool| Sandbox {
        tool,
        program: PathBuf::new(),
        privilege: Privilege::Root,
        root: PathBuf::new(),
    };
    let bubblewrap = sandbox(SandboxTool::Bubblewrap);
    let exit = |code: i32| ExitStatus::from_raw(code << 8);
    assert_eq!(bubblewrap.ending(exit(3)), "exit status 3");
    assert_eq!(bubblewrap.ending(exit(137)), "killed by signal 9");
    // A JVM that gets TERM ends in order, with this status.
    assert_eq!(bubblewrap.ending(exit(143)), "exit status 143");
    let unshare = sandbox(SandboxTool::Unshare);
    assert_eq!(unshare.ending(exit(137)), "exit status 137");
    assert_eq!(unshare.ending(ExitStatus::from_raw(9)), "killed by signal 9");
}

#[test]
fn properties_that_a_variable_sets_are_left_alone() {
    let options = |environment: &[(&str, &str)]| {
        let owned = environment
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Sandbox::java_options(Path::new("/scratch"), &owned.collect())
    };
    assert_eq!(options(&[]), ["-Duser.home=/scratch/home", "-Djava.io.tmpdir=/tmp"]);
    let given = [("JAVA_TOOL_OPTIONS", "-Xmx1g -Duser.home=/home/other")];
    assert_eq!(options(&given), ["-Djava.io.tmpdir=/tmp"]);
}
