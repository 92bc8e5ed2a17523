//! `peeler scan --since`, on a git history made for it: exactly the tests that a change concerns.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const CART_TEST: &str = r#"package shop;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import org.junit.Before;
import org.junit.Test;

public class CartTest extends ShopTest {
    private final Cart cart = new Cart();

    @Before
    public void fill() {
        cart.put("pear", 2);
    }

    @Test
    public void sums() {
        assertEquals(2, cart.total());
    }

    @Test
    public void prints() {
        check(cart.print());
    }

    @Test
    public void compares() {
        assertEquals(new HashMap<>(), closed());
    }

    private void check(String printed) {
        assertEquals("{pear=2}", printed);
    }
}
"#;

const SHOP_TEST: &str = r#"package shop;

import java.util.Map;

public abstract class ShopTest {
    protected Map<String, Integer> closed() {
        return Map.of();
    }
}
"#;

const CLOCK_TEST: &str = r#"package shop;

import org.junit.Assert;
import org.junit.Test;

public class ClockTest {
    @Test
    public void ticks() {
        Assert.assertTrue(new Clock().now() > 0);
    }
}
"#;

const CART: &str = r#"package shop;

import java.util.HashMap;
import java.util.Map;

public class Cart {
    private final Map<String, Integer> counts = new HashMap<>();

    public void put(String name, int count) {
        counts.put(name, count);
    }

    public int total() {
        return Sums.of(counts.values());
    }

    public String print() {
        return counts.toString();
    }
}
"#;

const SUMS: &str = r#"package shop;

import java.util.Collection;

class Sums {
    static int of(Collection<Integer> counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }
}
"#;

const CLOCK: &str = r#"package shop;

public class Clock {
    public long now() {
        return System.nanoTime();
    }
}
"#;

const FILES: [(&str, &str); 6] = [
    ("src/test/java/shop/CartTest.java", CART_TEST),
    ("src/test/java/shop/ShopTest.java", SHOP_TEST),
    ("src/test/java/shop/ClockTest.java", CLOCK_TEST),
    ("src/main/java/shop/Cart.java", CART),
    ("src/main/java/shop/Sums.java", SUMS),
    ("src/main/java/shop/Clock.java", CLOCK),
];

const NOTHING: [&str; 0] = [];

/// A git repository with one commit of the files above.
struct History(tempfile::TempDir);

impl History {
    fn new() -> Self {
        let history = Self(tempfile::tempdir().expect("a temporary folder"));
        history.git(&["init", "--quiet", "--initial-branch", "main"]);
        for (path, text) in FILES {
            history.write(path, text);
        }
        history.commit();
        history
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    /// Replaces text of the one file whose name is given.
    fn edit(&self, name: &str, from: &str, to: &str) {
        let (path, _) = FILES.iter().find(|(path, _)| path.ends_with(name)).expect("a file");
        let text = std::fs::read_to_string(self.path(path)).expect("a file");
        assert!(text.contains(from), "{name} holds {from}");
        self.write(path, &text.replace(from, to));
    }

    fn git(&self, arguments: &[&str]) {
        git(self.0.path(), arguments);
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "a change"]);
    }

    /// The methods of the tests that a scan looks at, whatever their probability.
    fn since(&self, revision: &str) -> Vec<String> {
        changed(self.0.path(), ".", revision)
    }

    /// The tests that an edit concerns, before and after it is committed.
    fn after(name: &str, from: &str, to: &str) -> Vec<String> {
        let history = Self::new();
        history.edit(name, from, to);
        let found = history.since("HEAD");
        history.commit();
        assert_eq!(history.since("HEAD~1"), found);
        assert_eq!(history.since("HEAD"), NOTHING);
        found
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        // A hook that runs these tests speaks of its own repository.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "A. Tester")
        .env("GIT_AUTHOR_EMAIL", "tester@example.org")
        .env("GIT_AUTHOR_DATE", "2024-01-01T00:00:00Z")
        .env("GIT_COMMITTER_NAME", "A. Tester")
        .env("GIT_COMMITTER_EMAIL", "tester@example.org")
        .env("GIT_COMMITTER_DATE", "2024-01-01T00:00:00Z")
        .output()
        .expect("git starts");
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
}

fn peeler(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_peeler"))
        .arg("scan")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is UTF-8")
}

fn scan(folder: &Path, path: &str, revision: &str) -> Value {
    let arguments = [
        "--all",
        "--min-probability",
        "0",
        "--format",
        "json",
        path,
        "--since",
        revision,
    ];
    let output = peeler(folder, &arguments);
    assert!(output.status.code() < Some(2), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn changed(folder: &Path, path: &str, revision: &str) -> Vec<String> {
    let scan = scan(folder, path, revision);
    let names = |key: &str| {
        let listed = scan[key].as_array().expect("a list").iter();
        let name = |it: &Value| {
            it["test"]
                .as_str()
                .and_then(|it| it.rsplit('#').next())
                .map(str::to_owned)
        };
        let mut names: Vec<String> = listed.map(|it| name(it).expect("a name")).collect();
        names.sort();
        names
    };
    assert_eq!(names("findings"), names("tests"));
    assert_eq!(scan["summary"]["tests"], names("tests").len());
    names("tests")
}

#[test]
fn the_body_of_a_test_concerns_the_test() {
    assert_eq!(
        History::after("CartTest.java", "assertEquals(2,", "assertEquals(3,"),
        ["sums"]
    );
}

#[test]
fn a_helper_concerns_the_tests_that_call_it() {
    assert_eq!(History::after("CartTest.java", "{pear=2}", "{pear=3}"), ["prints"]);
}

#[test]
fn code_under_test_concerns_the_tests_that_reach_it() {
    assert_eq!(
        History::after("Cart.java", "counts.toString()", "counts.keySet().toString()"),
        ["prints"]
    );
    assert_eq!(History::after("Sums.java", "sum += count", "sum -= count"), ["sums"]);
    assert_eq!(History::after("Clock.java", "nanoTime", "currentTimeMillis"), ["ticks"]);
}

#[test]
fn setup_concerns_all_tests_of_the_class() {
    let all = ["compares", "prints", "sums"];
    assert_eq!(
        History::after("CartTest.java", "put(\"pear\", 2)", "put(\"pear\", 4)"),
        all
    );
    assert_eq!(History::after("CartTest.java", "final Cart cart", "Cart cart"), all);
    // What setup calls belongs to it.
    assert_eq!(
        History::after(
            "Cart.java",
            "counts.put(name, count)",
            "counts.merge(name, count, Math::addExact)"
        ),
        all
    );
}

#[test]
fn a_superclass_concerns_those_that_use_what_changed() {
    assert_eq!(History::after("ShopTest.java", "Map.of()", "null"), ["compares"]);
    let all = ["compares", "prints", "sums"];
    let field = "class ShopTest {\n    protected final Clock clock = new Clock();\n";
    assert_eq!(History::after("ShopTest.java", "class ShopTest {\n", field), all);
    assert_eq!(
        History::after(
            "CartTest.java",
            " extends ShopTest {",
            " extends ShopTest implements AutoCloseable {"
        ),
        all
    );
}

#[test]
fn an_import_concerns_the_tests_that_mention_what_it_names() {
    let used = "import java.util.HashMap;";
    assert_eq!(
        History::after("CartTest.java", used, "import org.other.HashMap;"),
        ["compares"]
    );
    assert_eq!(
        History::after(
            "CartTest.java",
            used,
            "import java.util.HashMap;\nimport java.util.List;"
        ),
        NOTHING
    );
    let assertion = "import org.junit.Assert;";
    assert_eq!(
        History::after("ClockTest.java", assertion, "import org.other.Assert;"),
        ["ticks"]
    );
}

#[test]
fn a_renamed_test_is_new_and_a_renamed_method_concerns_its_callers() {
    assert_eq!(
        History::after("CartTest.java", "void sums()", "void addsUp()"),
        ["addsUp"]
    );
    let history = History::new();
    history.edit("Sums.java", "int of(", "int all(");
    history.edit("Cart.java", "Sums.of(", "Sums.all(");
    assert_eq!(history.since("HEAD"), ["sums"]);
    // A file of another name with the same classes in the same package is the same code.
    let history = History::new();
    history.git(&["mv", "src/main/java/shop/Sums.java", "src/main/java/shop/Adding.java"]);
    assert_eq!(history.since("HEAD"), NOTHING);
    history.git(&[
        "mv",
        "src/test/java/shop/ClockTest.java",
        "src/test/java/shop/WatchTest.java",
    ]);
    let (from, to) = ("public class ClockTest", "public class WatchTest");
    history.write("src/test/java/shop/WatchTest.java", &CLOCK_TEST.replace(from, to));
    assert_eq!(history.since("HEAD"), ["ticks"]);
}

#[test]
fn a_deleted_test_concerns_no_other() {
    let gone = "    @Test\n    public void prints() {\n        check(cart.print());\n    }\n";
    assert_eq!(History::after("CartTest.java", gone, ""), NOTHING);
    let history = History::new();
    history.git(&[
        "rm",
        "--quiet",
        "src/test/java/shop/ClockTest.java",
        "src/main/java/shop/Clock.java",
    ]);
    assert_eq!(history.since("HEAD"), NOTHING);
    // A class that is gone is missing to those that reached it.
    let history = History::new();
    history.git(&["rm", "--quiet", "src/main/java/shop/Sums.java"]);
    assert_eq!(history.since("HEAD"), ["sums"]);
}

#[test]
fn white_space_concerns_nobody() {
    let history = History::new();
    for (path, text) in FILES {
        history.write(
            path,
            &text
                .replace("    ", "\t")
                .replace(" {\n", "\n{\n")
                .replace('\n', "\r\n\r\n"),
        );
    }
    assert_eq!(history.since("HEAD"), NOTHING);
}

#[test]
fn comments_concern_nobody() {
    let history = History::new();
    for (path, text) in FILES {
        let noted = text.replace("{\n", "{ // opens { \"\n /* @Test void no() {} */\n");
        history.write(path, &format!("/** Moves every line. */\n{noted}"));
    }
    assert_eq!(history.since("HEAD"), NOTHING);
}

#[test]
fn a_new_test_is_listed_also_where_nobody_added_it_to_git() {
    let history = History::new();
    history.write(
        "src/test/java/shop/NewTest.java",
        &CLOCK_TEST.replace("ClockTest", "NewTest").replace("ticks", "tocks"),
    );
    assert_eq!(history.since("HEAD"), ["tocks"]);
}

#[test]
fn a_folder_or_a_file_is_compared_with_itself() {
    let history = History::new();
    history.edit("CartTest.java", "assertEquals(2,", "assertEquals(3,");
    history.edit("Clock.java", "nanoTime", "currentTimeMillis");
    let folder = history.path("src/test/java");
    assert_eq!(changed(&folder, ".", "HEAD"), ["sums"]);
    assert_eq!(changed(&folder, "shop/CartTest.java", "HEAD"), ["sums"]);
    assert_eq!(changed(&folder, "shop/ClockTest.java", "HEAD"), NOTHING);
    // Nothing was there before.
    history.write(
        "src/more/java/shop/MoreTest.java",
        &CLOCK_TEST.replace("ClockTest", "MoreTest"),
    );
    assert_eq!(changed(&history.path("src/more"), ".", "HEAD"), ["ticks"]);
}

#[test]
fn what_a_scan_skips_is_skipped_in_the_past_too() {
    let history = History::new();
    let aside = |from: &str, to: &str| {
        std::fs::create_dir_all(history.path(to).parent().expect("a folder")).expect("folders");
        history.git(&["mv", from, to]);
    };
    aside("src/main/java/shop/Clock.java", "aside/shop/Clock.java");
    aside("src/main/java/shop/Sums.java", ".hidden/shop/Sums.java");
    history.commit();
    // Tracked and ignored: the scan of today does not see it, so the past must not either.
    history.write(".gitignore", "aside\n");
    history.edit("Cart.java", "class Cart", "/* other bytes */ class Cart");
    assert_eq!(history.since("HEAD"), NOTHING);
    history.edit("CartTest.java", "assertEquals(2,", "assertEquals(3,");
    assert_eq!(history.since("HEAD"), ["sums"]);
}

#[cfg(unix)]
#[test]
fn a_link_stands_for_the_file_it_leads_to() {
    let history = History::new();
    std::fs::create_dir_all(history.path("src/more/shop")).expect("folders");
    let link = history.path("src/more/shop/ClockTest.java");
    std::os::unix::fs::symlink("../../test/java/shop/ClockTest.java", link).expect("a link");
    history.commit();
    history.edit("CartTest.java", "assertEquals(2,", "assertEquals(3,");
    assert_eq!(history.since("HEAD"), ["sums"]);
}

#[test]
fn a_revision_may_be_a_branch_a_tag_or_a_number() {
    let history = History::new();
    history.git(&["tag", "--annotate", "--message", "first", "v1"]);
    history.edit("Clock.java", "nanoTime", "currentTimeMillis");
    history.commit();
    history.git(&["branch", "second"]);
    history.edit("CartTest.java", "assertEquals(2,", "assertEquals(3,");
    history.commit();
    assert_eq!(history.since("v1"), ["sums", "ticks"]);
    assert_eq!(history.since("second"), ["sums"]);
    assert_eq!(history.since("main^"), ["sums"]);
    assert_eq!(history.since("main"), NOTHING);
}

#[test]
fn the_line_that_sums_up_says_what_was_left_out() {
    let history = History::new();
    history.edit("CartTest.java", "assertEquals(2,", "assertEquals(3,");
    let output = peeler(history.0.path(), &["--since", "HEAD", "--min-probability", "0"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    let expected =
        "1 finding at 0% or more among 1 tests changed since HEAD (3 unchanged ones left out) in 6 Java files";
    assert!(shown.contains(expected), "{shown}");
    history.commit();
    let output = peeler(history.0.path(), &["--since", "HEAD", "--min-probability", "0"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = "no findings at 0% or more among 0 tests changed since HEAD (4 unchanged ones left out)";
    assert!(text(&output.stdout).contains(expected), "{}", text(&output.stdout));
    let scan = scan(history.0.path(), ".", "HEAD");
    assert_eq!(scan["summary"]["since"]["revision"], "HEAD");
    assert_eq!(scan["summary"]["since"]["unchanged"], 4);
}

#[test]
fn what_is_wrong_is_said_with_a_remedy() {
    let said = |folder: &Path, revision: &str| {
        let output = peeler(folder, &["--since", revision]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        text(&output.stderr)
    };
    let outside = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(outside.path().join("ClockTest.java"), CLOCK_TEST).expect("a file");
    let message = said(outside.path(), "HEAD");
    assert!(
        message.contains(". is not in a git repository") && message.contains("leave `--since` out"),
        "{message}"
    );

    let history = History::new();
    let place = history.0.path().canonicalize().expect("a folder").display().to_string();
    let message = said(history.0.path(), "nobranch");
    assert!(
        message.contains("no revision `nobranch`") && message.contains(&place),
        "{message}"
    );
    assert!(message.contains("git fetch"), "{message}");
    let message = said(history.0.path(), "main..HEAD");
    assert!(
        message.contains("`main..HEAD` names no revision") && message.contains("give one commit"),
        "{message}"
    );
    let message = said(history.0.path(), "HEAD:src/main/java/shop/Sums.java");
    assert!(message.contains("is no commit"), "{message}");

    history.commit();
    let url = format!("file://{place}");
    let clones = tempfile::tempdir().expect("a temporary folder");
    git(clones.path(), &["clone", "--quiet", "--depth", "1", &url, "shallow"]);
    let message = said(&clones.path().join("shallow"), "HEAD~1");
    assert!(
        message.contains("shallow clone") && message.contains("git fetch --unshallow"),
        "{message}"
    );
}
