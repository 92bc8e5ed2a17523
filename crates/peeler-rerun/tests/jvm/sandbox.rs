//! Tests that run in a sandbox: they see loopback, their project and private folders, and nothing else.
//!
//! Every tool that makes a sandbox here is tried. Where none does, the tests check that the user is told why.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use peeler_rerun::evidence::Outcome;
use peeler_rerun::jvm::jdk::Jdk;
use peeler_rerun::jvm::pool::{JvmSettings, Pool};
use peeler_rerun::jvm::process::Interrupt;
use peeler_rerun::jvm::sandbox::{Sandbox, SandboxTool};
use peeler_rerun::jvm::session::RunResult;
use peeler_rerun::machine::Machine;
use peeler_rerun::project::{Build, BuildOptions, Project};
use tempfile::TempDir;

use crate::javac::{JUNIT4, compile, jars};
use crate::sample::name;

const SOURCE: &str = r#"
import static org.junit.Assert.*;
import java.io.*;
import java.net.*;
import java.nio.file.*;
import org.junit.Test;

public class InsideTest {
    @Test public void asksAnotherMachine() throws Exception {
        new Socket().connect(new InetSocketAddress("192.0.2.1", 80), 30_000);
    }
    @Test public void asksAServerOutside() throws Exception {
        new Socket().connect(new InetSocketAddress("127.0.0.1", Integer.getInteger("outside.port")), 30_000);
    }
    @Test public void asksItsOwnServer() throws Exception {
        assertTrue(InetAddress.getLocalHost().isLoopbackAddress());
        for (String host : new String[] {"127.0.0.1", "localhost", InetAddress.getLocalHost().getHostName()}) {
            InetAddress address = InetAddress.getByName(host);
            try (ServerSocket server = new ServerSocket(0, 1, address);
                    Socket client = new Socket(address, server.getLocalPort());
                    Socket accepted = server.accept()) {
                client.getOutputStream().write(7);
                assertEquals(7, accepted.getInputStream().read());
            }
        }
    }
    @Test public void writesPrivateFolders() throws Exception {
        String home = System.getProperty("user.home");
        assertEquals(System.getenv("HOME"), home);
        assertNotEquals(System.getProperty("outside.home"), home);
        Files.write(Paths.get(home, "leak"), new byte[1]);
        Path leak = Paths.get("/tmp", System.getProperty("leak"));
        assertFalse("left by an earlier JVM", Files.exists(leak));
        Files.write(leak, new byte[1]);
        assertEquals(Paths.get("/tmp"), File.createTempFile("any", "").toPath().getParent());
        Files.write(Paths.get("made-by-test"), new byte[1]);
    }
    @Test public void writesTheHomeOutside() throws Exception {
        Files.write(Paths.get(System.getProperty("outside.home"), System.getProperty("leak")), new byte[1]);
    }
    @Test public void hasTheChosenHome() {
        assertEquals("/chosen", System.getProperty("user.home"));
    }
    @Test public void startsADaemonAndHangs() throws Exception {
        new ProcessBuilder("setsid", "sleep", System.getProperty("nap")).start();
        new ProcessBuilder("sleep", System.getProperty("nap")).start();
        Thread.sleep(1_000_000);
    }
    @Test public void isKilled() throws Exception {
        String self = java.lang.management.ManagementFactory.getRuntimeMXBean().getName().split("@")[0];
        new ProcessBuilder("kill", "-9", self).start().waitFor();
        Thread.sleep(10_000);
    }
    @Test public void exits() {
        System.exit(3);
    }
}
"#;

/// A project in the folder for temporary files, whose class path is partly there and outside of the project.
struct Place {
    folder: TempDir,
    outside_home: TempDir,
    project: Project,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir_in("/tmp").expect("a folder");
        let root = folder.path().join("project");
        std::fs::create_dir_all(root.join("src")).expect("a folder");
        std::fs::write(root.join("src/InsideTest.java"), SOURCE).expect("a file");
        let copied = jars(&JUNIT4).into_iter().map(|from| {
            let to = folder.path().join(from.file_name().expect("a name"));
            std::fs::copy(from, &to).expect("a copy");
            to
        });
        let mut classpath: Vec<PathBuf> = copied.collect();
        compile(&root, "src", "classes", &classpath);
        classpath.push(root.join("classes"));
        let project = Build::Classpath(classpath).prepare(&root, &BuildOptions::default(), &Interrupt::default());
        Self {
            outside_home: tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder"),
            project: project.expect("a project"),
            folder,
        }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// A name that no other run of this test has.
    fn unique(&self) -> String {
        let name = self.folder.path().file_name().expect("a name");
        format!("peeler-leak{}", name.to_string_lossy())
    }

    /// The sandboxes of all tools that work here. If there is none, checks that the user is told so.
    fn sandboxes(&self) -> Vec<Sandbox> {
        let path = std::env::var_os("PATH");
        let find = |tools: &[SandboxTool]| Sandbox::find_with(tools, &self.root(), path.as_deref());
        let found: Vec<Sandbox> = SandboxTool::ALL.iter().filter_map(|it| find(&[*it]).ok()).collect();
        if found.is_empty() {
            let why = Sandbox::find(&self.root()).expect_err("no tool works").to_string();
            assert!(
                ["install bubblewrap", "allow user namespaces", "sandboxes need Linux"]
                    .iter()
                    .any(|it| why.contains(it)),
                "{why}"
            );
        }
        found
    }

    /// Runs tests one after the other in a sandbox, with more options for the JVM.
    fn run(&self, sandbox: &Sandbox, limit: u64, options: &[String], tests: &[&str]) -> Vec<RunResult> {
        let own = [
            "-Xmx64m".to_owned(),
            format!("-Doutside.home={}", self.outside_home.path().display()),
            format!("-Dleak={}", self.unique()),
        ];
        let settings = JvmSettings {
            maven: None,
            options: [&own, options].concat(),
            limit: Duration::from_secs(limit),
            cache: self.folder.path().join("cache"),
            sandbox: Some(sandbox.clone()),
        };
        let jdk = Jdk::find(None).expect("a JDK");
        let mut pool = Pool::new(&self.project, jdk, settings, Interrupt::default(), 0);
        let mut run = |test: &&str| pool.run(&name(&format!("InsideTest#{test}"))).expect("it runs").result;
        tests.iter().map(&mut run).collect()
    }
}

#[track_caller]
fn check(result: &RunResult, outcome: Outcome, text: &str) {
    assert_eq!(result.outcome, outcome, "{result:?}");
    assert!(
        result.failure.as_deref().unwrap_or_default().contains(text),
        "{result:?}"
    );
}

#[test]
fn the_network_is_loopback() {
    let place = Place::new();
    let outside = TcpListener::bind("127.0.0.1:0").expect("a server");
    let port = outside.local_addr().expect("an address").port();
    let option = [format!("-Doutside.port={port}")];
    for sandbox in place.sandboxes() {
        let tests = ["asksAnotherMachine", "asksAServerOutside", "asksItsOwnServer"];
        let results = place.run(&sandbox, 60, &option, &tests);
        check(&results[0], Outcome::Failed, "unreachable");
        assert!(results[0].milliseconds < 10_000, "it fails at once");
        check(&results[1], Outcome::Failed, "refused");
        check(&results[2], Outcome::Passed, "");
    }
}

#[test]
fn files_are_written_to_private_folders_and_the_project() {
    let place = Place::new();
    for sandbox in place.sandboxes() {
        // The second JVM does not see what the first one wrote.
        for _ in 0..2 {
            let tests = ["writesPrivateFolders", "writesTheHomeOutside"];
            let results = place.run(&sandbox, 60, &[], &tests);
            check(&results[0], Outcome::Passed, "");
            check(&results[1], Outcome::Failed, "FileSystemException");
        }
        let leak = place.unique();
        assert!(!Path::new("/tmp").join(&leak).exists());
        assert!(!place.outside_home.path().join(&leak).exists());
        std::fs::remove_file(place.root().join("made-by-test")).expect("the project is writable");
        let chosen = ["-Duser.home=/chosen".to_owned()];
        let results = place.run(&sandbox, 60, &chosen, &["hasTheChosenHome"]);
        check(&results[0], Outcome::Passed, "");
    }
}

#[test]
fn a_jvm_that_ends_says_how_and_leaves_no_process() {
    let place = Place::new();
    for (number, sandbox) in place.sandboxes().iter().enumerate() {
        // No other test of this process sleeps so long.
        let nap = format!(
            "{}",
            100_000 + 2 * std::process::id() + u32::try_from(number).expect("few tools")
        );
        let option = [format!("-Dnap={nap}")];
        let tests = ["startsADaemonAndHangs", "isKilled", "exits", "asksItsOwnServer"];
        let results = place.run(sandbox, 6, &option, &tests);
        check(&results[0], Outcome::TimedOut, "InsideTest.startsADaemonAndHangs");
        check(&results[1], Outcome::Crashed, "killed by signal 9");
        check(&results[2], Outcome::Crashed, "exit status 3");
        check(&results[3], Outcome::Passed, "");
        let line = format!("sleep\0{nap}\0");
        let processes = std::fs::read_dir("/proc").expect("processes").flatten();
        let left =
            processes.filter(|it| std::fs::read(it.path().join("cmdline")).is_ok_and(|it| it == line.as_bytes()));
        assert_eq!(left.count(), 0, "{sandbox:?}");
    }
}
