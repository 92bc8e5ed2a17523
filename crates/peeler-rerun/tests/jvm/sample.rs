//! The compiled sample project, and a bench that runs its tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use peeler_features::TestName;
use peeler_rerun::confirmation::{ConfirmError, Confirmation};
use peeler_rerun::evidence::{Event, Outcome, Run, runs};
use peeler_rerun::fingerprint::Fingerprint;
use peeler_rerun::jvm::jdk::Jdk;
use peeler_rerun::jvm::pool::{JvmSettings, Pool};
use peeler_rerun::jvm::process::Interrupt;
use peeler_rerun::jvm::sandbox::Sandbox;
use peeler_rerun::log::Log;
use peeler_rerun::project::{Build, BuildOptions, Project};
use peeler_rerun::verdict::{Verdict, verdicts};
use tempfile::TempDir;

use crate::javac::{JUNIT4, PLATFORM, compile, copy, jars};

pub(crate) fn name(text: &str) -> TestName {
    text.parse().expect("a test")
}

pub(crate) fn names(texts: &[&str]) -> Vec<TestName> {
    texts.iter().map(|it| name(it)).collect()
}

/// A copy of the sample under version control, with a change, compiled.
pub(crate) struct Sample {
    root: PathBuf,
}

impl Sample {
    /// The copy that all tests share.
    pub(crate) fn shared() -> &'static Self {
        static SAMPLE: OnceLock<Sample> = OnceLock::new();
        SAMPLE.get_or_init(Self::make)
    }

    fn make() -> Self {
        // A static value is never dropped, so its folder has a fixed name and is emptied by the next run.
        let root = &Path::new(env!("CARGO_TARGET_TMPDIR")).join("rerun-sample");
        let _ = std::fs::remove_dir_all(root);
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/project"), root);
        git(root, &["init", "--quiet"]);
        git(root, &["add", "."]);
        let identity = ["-c", "user.name=Sample", "-c", "user.email=sample@example.org"];
        git(
            root,
            &[&identity[..], &["commit", "--quiet", "-m", "all is well"]].concat(),
        );
        git(root, &["tag", "before"]);
        // The change introduces a bug: tax is no longer rounded up.
        let tax = root.join("src/main/java/shop/Tax.java");
        let source = std::fs::read_to_string(&tax).expect("a source");
        assert!(source.contains(" + 99"));
        std::fs::write(&tax, source.replace(" + 99", "")).expect("a change");
        compile(root, "src/main/java", "classes", &[]);
        let classpath = [&jars(&PLATFORM)[..], &jars(&JUNIT4), &[root.join("classes")]].concat();
        compile(root, "src/test/java", "test-classes", &classpath);
        Self { root: root.clone() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The class path of the tests together with these archives.
    pub(crate) fn classpath(&self, archives: &[&str]) -> Vec<PathBuf> {
        let own = [self.root().join("test-classes"), self.root().join("classes")];
        [&own[..], &jars(archives)].concat()
    }

    fn project(&self, archives: &[&str]) -> Project {
        Build::Classpath(self.classpath(archives))
            .prepare(self.root(), &BuildOptions::default(), &Interrupt::default())
            .expect("a project")
    }
}

fn git(root: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .output()
        .expect("git");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// An environment to run tests in: a log and a folder for `Chance`.
pub(crate) struct Bench {
    folder: TempDir,
    archives: Vec<&'static str>,
    pub(crate) limit: Duration,
    pub(crate) budget: Option<Duration>,
    pub(crate) interrupt: Interrupt,
    pub(crate) sandbox: Option<Sandbox>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(&[&PLATFORM[..], &JUNIT4].concat())
    }

    /// A bench with only some archives on the class path.
    pub(crate) fn with(archives: &[&'static str]) -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            archives: archives.to_vec(),
            limit: Duration::from_secs(60),
            budget: None,
            interrupt: Interrupt::default(),
            sandbox: None,
        }
    }

    pub(crate) fn log_path(&self) -> PathBuf {
        self.folder.path().join("log.jsonl")
    }

    /// Runs an action with real JVMs and the log. Appends to the log of earlier actions.
    pub(crate) fn act<T>(
        &self,
        act: impl FnOnce(&mut Confirmation<'_, Pool<'_>>) -> Result<T, ConfirmError>,
    ) -> (Vec<Event>, Result<T, ConfirmError>) {
        let sample = Sample::shared();
        let project = sample.project(&self.archives);
        let code = Fingerprint::of_classpath(&project.modules[0].classpath).to_string();
        let mut log = Log::resume(&self.log_path(), &code, None).expect("a log");
        let last_jvm = runs(log.events()).map(|run| run.jvm).max().unwrap_or(0);
        let settings = JvmSettings {
            options: vec![
                format!("-Dsample.dir={}", self.folder.path().display()),
                "-Xmx96m".to_owned(),
                "-Xshare:auto".to_owned(),
                "-XX:TieredStopAtLevel=1".to_owned(),
                "-Duser.timezone=UTC".to_owned(),
                "-Duser.language=en".to_owned(),
            ],
            limit: self.limit,
            cache: sample.root().join("cache"),
            maven: None,
            sandbox: self.sandbox.clone(),
        };
        let jdk = Jdk::find(None).expect("a JDK");
        let mut pool = Pool::new(&project, jdk, settings, self.interrupt.clone(), last_jvm);
        let mut watch = |_: &Run| {};
        let mut confirmation = Confirmation::new(&mut pool, &mut log, self.budget, &mut watch);
        let result = act(&mut confirmation);
        drop(pool);
        (log.events().to_vec(), result)
    }
}

/// The outcomes of a test in the order of its runs.
pub(crate) fn outcomes(events: &[Event], test: &str) -> Vec<Outcome> {
    let test = name(test);
    runs(events)
        .filter(|run| run.test == test)
        .map(|run| run.outcome)
        .collect()
}

pub(crate) fn verdict(events: &[Event], test: &str) -> Verdict {
    let test = name(test);
    let all = verdicts(events, std::slice::from_ref(&test));
    all.into_iter().find(|it| it.test == test).expect("a verdict")
}
