//! Tests of `peeler mine` on git histories that are made for one test.

mod support;

use git2::{Oid, Repository, Signature, Time};
use serde_json::Value;
use support::{Project, own};

const CART: &str = "broker/src/test/java/shop/CartTest.java";

fn cart(body: &str) -> String {
    format!("package shop;\nimport org.junit.Test;\nclass CartTest {{\n    @Test public void sums() {{ {body} }}\n}}\n")
}

/// Writes a file of a project and commits it.
fn commit(project: &Project, repository: &Repository, message: &str, path: &str, text: &str) -> Oid {
    project.write(path, text);
    let mut index = repository.index().expect("an index");
    index.add_path(std::path::Path::new(path)).expect("a file");
    let tree = index.write_tree().expect("a tree");
    index.write().expect("an index");
    let parent = repository.head().ok().and_then(|it| it.peel_to_commit().ok());
    let seconds = parent
        .as_ref()
        .map_or(1_600_000_000, |it| it.time().seconds() + 200 * 86_400);
    let author = Signature::new("a", "a@b", &Time::new(seconds, 0)).expect("a name");
    let tree = repository.find_tree(tree).expect("a tree");
    let parents: Vec<_> = parent.iter().collect();
    let id = repository.commit(Some("HEAD"), &author, &author, message, &tree, &parents);
    id.expect("a commit")
}

/// A project whose history marks and fixes a test, with texts that could break formats.
fn project() -> Project {
    let project = Project::empty();
    let repository = Repository::init(project.path("")).expect("a repository");
    commit(&project, &repository, "start", CART, &cart("a();"));
    let marked = cart("a();").replace("@Test", "@Ignore(\"flaky\") @Test");
    commit(&project, &repository, "Ignore a test", CART, &marked);
    let message = "Fix <b>flaky</b>, \"CartTest\" & more\u{1b}[31m";
    commit(&project, &repository, message, CART, &cart("await().until(done);"));
    project
}

#[test]
fn a_summary_counts_tests_by_year_folder_and_cause() {
    let ran = project().peeler(&["mine", "--repository", "shop/cart"]).ended(0);
    for expected in [
        "shop/cart: 1 flaky test in 1 year",
        "3 commits from 2020-09-13 to 2021-10-18 were read; 1 of the tests still exist, 1 were flaky more than once",
        "    2021      1  ",
        "broker/",
        "waits for asynchronous work",
        "B2       the subject says so; few tests changed",
        "CartTest#sums",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}\n{}", ran.stdout);
    }
    assert!(
        !ran.stdout.contains('\u{1b}'),
        "no text of a repository controls a terminal"
    );
}

#[test]
fn csv_has_a_row_for_each_event() {
    let project = project();
    let ran = project
        .peeler(&["mine", "--format", "csv", "--repository", "shop/cart"])
        .ended(0);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let columns =
        "repository,commit,path,test,fix,date,evidence,cause,certainty,class,today_path,today_class,today_test";
    assert_eq!(lines[0], columns);
    assert_eq!(lines.len(), 3);
    for line in &lines[1..] {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), 13, "{line}");
        assert_eq!(
            (cells[0], cells[2], cells[3], cells[9]),
            ("shop/cart", CART, "sums", "shop.CartTest")
        );
        assert_eq!((cells[1].len(), cells[4].len()), (40, 40));
    }
    assert!(
        lines[1].contains(",A1,marker-only,") && lines[2].contains(",B2,async_wait"),
        "{lines:?}"
    );
}

#[test]
fn json_follows_its_schema() {
    let document = project().peeler(&["mine", "--format", "json"]).ended(0).json();
    let schema = std::fs::read_to_string(own("docs/mined.schema.json")).expect("a schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let errors: Vec<String> = validator.iter_errors(&document).map(|it| it.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(document["events"].as_array().map(Vec::len), Some(2));
    assert_eq!(document["summary"]["tests"], 1);
    assert_eq!(document["events"][0]["today"]["class"], "shop.CartTest");
}

#[test]
fn the_page_is_well_formed_and_self_contained() {
    let project = project();
    project
        .peeler(&["mine", "--format", "html", "-o", "past.html"])
        .ended(0);
    let page = project.read("past.html");
    // Elements without an end, which XML does not know, are in the head alone.
    let body = page.split_once("<main>").expect("a body").1;
    let body = format!(
        "<main>{}",
        body.replace("<br>", "<br/>").replace("<details open>", "<details>")
    );
    let body = body
        .trim_end()
        .trim_end_matches("</html>")
        .trim_end()
        .trim_end_matches("</body>");
    roxmltree::Document::parse(body.trim_end()).expect("well-formed elements");
    assert!(page.contains("Fix &lt;b&gt;flaky&lt;/b&gt;"), "texts are escaped");
    assert!(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"));
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("<svg"));
}

#[test]
fn two_runs_give_the_same_bytes() {
    let project = project();
    for format in ["text", "json", "csv", "html"] {
        let run = || project.peeler(&["mine", "--format", format]).ended(0).stdout;
        assert_eq!(run(), run(), "{format}");
    }
}

#[test]
fn what_is_no_history_is_refused() {
    let project = Project::java("class A {}");
    project
        .peeler(&["mine"])
        .refused(&["is not in a git repository", "give a clone"]);
    project
        .peeler(&["mine", "missing"])
        .refused(&["no such folder: missing"]);
    Repository::init(project.path("")).expect("a repository");
    project.peeler(&["mine"]).refused(&["has no commit yet"]);
    let project = self::project();
    project
        .peeler(&["mine", "--revision", "nowhere"])
        .refused(&["no revision `nowhere`", "git branch"]);
    project
        .peeler(&["mine", "--since", "yesterday"])
        .refused(&["write a day as 2024-01-31"]);
    let days = ["mine", "--since", "2022-01-01", "--until", "2021-01-01"];
    project.peeler(&days).refused(&["--since is not before --until"]);
}

#[test]
fn a_shallow_clone_is_mined_with_a_note() {
    let project = project();
    let repository = Repository::open(project.path("")).expect("a repository");
    let head = repository.head().and_then(|it| it.peel_to_commit()).expect("a commit");
    let cut = head.parent_id(0).expect("a parent");
    project.write(".git/shallow", format!("{cut}\n"));
    let ran = project.peeler(&["mine", "--format", "csv"]).ended(0);
    assert!(
        ran.stderr.contains("the clone is shallow") && ran.stderr.contains("--unshallow"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
}

#[test]
fn days_choose_events() {
    let project = project();
    let rows = |arguments: &[&str]| {
        let ran = project.peeler(&[&["mine", "--format", "csv"], arguments].concat());
        ran.ended(0).stdout.lines().count() - 1
    };
    assert_eq!(rows(&["--since", "2021-06-01"]), 1);
    assert_eq!(rows(&["--until", "2021-06-01"]), 1);
    assert_eq!(rows(&["--revision", "HEAD~1"]), 1);
}

#[test]
fn reports_of_earlier_builds_are_labels_too() {
    let project = project();
    let report = r#"<testsuite><testcase name="sums" classname="shop.CartTest"><flakyFailure>f</flakyFailure></testcase>
        <testcase name="firm" classname="shop.CartTest"/></testsuite>"#;
    project.write("reports/TEST-a.xml", report);
    let ran = project
        .peeler(&["mine", "--format", "csv", "--history", "reports"])
        .ended(0);
    let row = ran.stdout.lines().find(|it| it.contains(",history,")).expect("a row");
    assert!(row.contains(CART) && row.contains("shop.CartTest"), "{row}");
    assert!(!ran.stdout.contains("firm"));
}
