//! Tests of `peeler scan --since` on a git history: it checks exactly the tests that a change affects.

mod history;
mod support;

use std::path::Path;

use history::{CLOCK_TEST, FILES, History, NOTHING, changed, git, peeler, scan};

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
    // Code called by the setup is part of it.
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
    // Deleting a class changes the tests that reached it.
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
    // The file did not exist before.
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
    // A tracked and ignored file is not scanned, so it is left out of the base revision too.
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
    let every = ["--since", "HEAD", "--min-probability", "0"];
    let shown = peeler(history.0.path(), &every).ended(1).stdout;
    let expected = " among 1 test changed since HEAD (3 unchanged ones left out) in 6 Java files";
    assert!(shown.contains("\n1 finding: ") && shown.contains(expected), "{shown}");
    history.commit();
    let shown = peeler(history.0.path(), &every).ended(0).stdout;
    let expected = " among 0 tests changed since HEAD (4 unchanged ones left out)";
    assert!(shown.starts_with("no findings ") && shown.contains(expected), "{shown}");
    let scan = scan(history.0.path(), ".", "HEAD");
    assert_eq!(scan["summary"]["since"]["revision"], "HEAD");
    assert_eq!(scan["summary"]["since"]["unchanged"], 4);
}

#[test]
fn what_is_wrong_is_said_with_a_remedy() {
    let said = |folder: &Path, revision: &str| peeler(folder, &["--since", revision]).ended(2).stderr;
    let outside = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(outside.path().join("ClockTest.java"), CLOCK_TEST).expect("a file");
    let message = said(outside.path(), "HEAD");
    assert!(
        message.contains(". is not in a git repository") && message.contains("omit `--since`"),
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
        message.contains("`main..HEAD` is not a revision") && message.contains("pass one commit"),
        "{message}"
    );
    let message = said(history.0.path(), "HEAD:src/main/java/shop/Sums.java");
    assert!(message.contains("is not a commit"), "{message}");

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
