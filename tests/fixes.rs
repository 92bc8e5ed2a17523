//! Tests of `peeler corpus build --layout fixes`, `peeler eval --fixes` and `peeler train --fixes` on git histories that
//! are made for one test.

mod support;

use git2::Repository;
use serde_json::Value;
use support::{Project, commit_java};

/// The time of the first commit of a made history, in seconds since 1970.
const START: i64 = 1_500_000_000;

const LABELS: &str = "repository,commit,module,test,category,status,pr,build
one/shop,a,.,shop.CartTest.prints,ID,Accepted,https://example.org/one/shop/pull/7,maven
one/shop,a,.,shop.CartTest.gone,ID,Accepted,https://example.org/one/shop/pull/7,maven
one/shop,a,.,shop.OtherTest.works,ID,Accepted,https://example.org/one/shop/pull/99,maven
One/Shop,a,.,shop.CartTest.opened,ID,Opened,https://example.org/one/shop/pull/7,maven
two/shop,b,.,shop.CartTest.prints,ID,Accepted,https://example.org/two/shop/pull/12,maven
";

fn cart_test(map: &str) -> String {
    format!(
        "package shop;\nimport java.util.*;\nimport org.junit.Test;\npublic class CartTest {{\n    @Test public void \
         prints() {{\n        Map<String, Integer> cart = new {map}<>();\n        cart.put(\"pear\", 2);\n        \
         cart.put(\"fig\", 3);\n        assertEquals(\"{{pear=2, fig=3}}\", cart.toString());\n    }}\n}}\n"
    )
}

/// Two clones, in each of which a pull request fixed a test, and a table of fixes.
fn clones() -> Project {
    let project = Project::empty();
    for (name, subject) in [
        ("one+shop", "Keep the order (#7)"),
        ("two+shop", "Merge pull request #12 from someone/order"),
    ] {
        let folder = format!("clones/{name}");
        project.write(
            &format!("{folder}/src/test/java/shop/CartTest.java"),
            cart_test("HashMap"),
        );
        let repository = Repository::init(project.path(&folder)).expect("a repository");
        commit_java(&repository, "Start", START);
        project.write(
            &format!("{folder}/src/test/java/shop/CartTest.java"),
            cart_test("LinkedHashMap"),
        );
        commit_java(&repository, subject, START + 60);
        project.write(
            &format!("{folder}/src/main/java/shop/Cart.java"),
            "package shop; class Cart {}",
        );
        commit_java(&repository, "More", START + 120);
    }
    project.write("labels.csv", LABELS);
    project
}

fn build(project: &Project, labels: &str) -> support::Ran {
    let arguments = ["corpus", "build", "--layout", "fixes", "--sources", "clones"];
    project.peeler(&[&arguments[..], &["--labels", labels, "-o", "fixes.corpus"]].concat())
}

#[test]
fn a_test_is_taken_from_before_and_after_its_fix() {
    let project = clones();
    let said = build(&project, "labels.csv").ended(0).stderr;
    assert!(said.contains("4 tests (2 flaky) of 2 projects"), "{said}");
    assert!(said.contains("1 lost: no commit names its pull request"), "{said}");
    assert!(said.contains("1 lost: no such test in its class"), "{said}");
    let exported = project.peeler(&["corpus", "export", "fixes.corpus"]).ended(0).stdout;
    let tests: Vec<Value> = exported
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for test in &tests {
        assert_eq!(test["test"], "shop.CartTest#prints", "{test}");
        let has_linked = test["words"].as_array().expect("words").iter().any(|it| it == "linked");
        assert_eq!(test["label"] == "flaky", !has_linked, "{test}");
    }

    let eval = |more: &[&str]| {
        let arguments = ["eval", "--corpus", "fixes.corpus", "--model", "vocabulary"];
        project.peeler(&[&arguments[..], more].concat())
    };
    let table = eval(&["--split", "project", "--fixes", "fixes.corpus"]).ended(0).stdout;
    assert!(
        table.contains("of 2 pairs") && table.contains("mean over 2 projects"),
        "{table}"
    );
    eval(&["--split", "class", "--fixes", "fixes.corpus"]).refused(&["--fixes", "--split project"]);

    // The predictor that is tested on a third project learns from more tests with the fixes of the first two.
    project.write("other/src/test/java/shop/CartTest.java", cart_test("HashMap"));
    project.write("other.csv", "project,test,label\nother,shop.CartTest#prints,flaky\n");
    let build = "corpus build --layout csv --labels other.csv --sources . -o other.corpus";
    project.peeler(&build.split(' ').collect::<Vec<_>>()).ended(0);
    let learning = |more: &[&str]| {
        let arguments =
            "eval --corpus fixes.corpus --corpus other.corpus --fixes fixes.corpus --model peeler --split project";
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let scores = ["--config", "lean.toml", "--scores", "scores.json"];
        project.peeler(&[&arguments[..], &scores, more].concat()).ended(0);
        serde_json::from_str::<Value>(&project.read("scores.json")).expect("JSON")
    };
    project.write(
        "lean.toml",
        "name = \"lean\"\ninputs = [\"words\"]\nepochs = 2\nregression = 1.0\n",
    );
    let (without, with) = (learning(&[]), learning(&["--learn-fixes"]));
    assert_eq!(with["models"][0]["fixes"]["pairs"], 2);
    assert_ne!(
        without["models"][0]["calibration_error"],
        with["models"][0]["calibration_error"]
    );
    eval(&["--split", "project", "--learn-fixes"]).refused(&["--fixes"]);
}

/// Trains a model with the tests of fixes. They are learned from, and held out with their projects.
#[test]
fn a_model_learns_from_tests_before_and_after_their_fix() {
    let project = clones();
    build(&project, "labels.csv").ended(0);
    // Ten projects, of which two are those of the fixes.
    let names: Vec<String> = (0..8).map(|at| format!("p{at}+shop")).collect();
    let names = names.iter().map(String::as_str).chain(["one+shop", "two+shop"]);
    let mut labels = "project,test,label\n".to_owned();
    for name in names {
        let test = |class: &str, map: &str| cart_test(map).replace("CartTest", class);
        let folder = format!("sources/{name}/src/test/java/shop");
        project.write(&format!("{folder}/CartTest.java"), test("CartTest", "HashMap"));
        project.write(&format!("{folder}/BagTest.java"), test("BagTest", "TreeMap"));
        let rows = [("CartTest", "flaky"), ("BagTest", "stable")];
        labels.extend(rows.map(|(class, label)| format!("{name},shop.{class}#prints,{label}\n")));
    }
    project.write("judged.csv", labels);
    let judged = "corpus build --layout csv --labels judged.csv --sources sources -o judged.corpus";
    project.peeler(&judged.split(' ').collect::<Vec<_>>()).ended(0);
    let train = |contrast: &str, out: &str, more: &[&str]| {
        let config = format!("inputs = [\"words\"]\nepochs = 1\nbatch = 8\nmin_tests = 1\ncontrast = {contrast}\n");
        project.write("lean.toml", config);
        let arguments = ["train", "--config", "lean.toml", "--backend", "cpu", "--out", out];
        project.peeler(&[&arguments[..], more].concat())
    };
    let with_fixes = ["--corpus", "judged.corpus", "--scouts", "5", "--fixes", "fixes.corpus"];
    let said = train("0.0", "plain", &with_fixes).ended(0).stderr;
    let held_out = "4 tests are of 2 fixes; scouts hold out 4 of them with their projects";
    assert!(said.contains(held_out), "{said}");
    train("1.0", "contrast", &with_fixes).ended(0);
    let weights = |out: &str| std::fs::read(project.path(out).join("weights.safetensors")).expect("weights");
    assert!(weights("plain") != weights("contrast"), "pairs count");

    let few = ["--corpus", "fixes.corpus", "--fixes", "fixes.corpus"];
    train("1.0", "few", &few).refused(&["--fixes needs at least 8 projects"]);
    let no_pairs = ["--corpus", "judged.corpus", "--fixes", "judged.corpus"];
    train("1.0", "none", &no_pairs).refused(&["judged.corpus has no test before and after", "--layout fixes"]);
    train("-1.0", "negative", &with_fixes).refused(&["`contrast` is -1"]);
}

#[test]
fn fixes_that_no_clone_has_are_refused_with_the_remedy() {
    let project = clones();
    project.write("others.csv", LABELS.replace("/shop,", "/bakery,"));
    build(&project, "others.csv").refused(&["no clone below clones", "others.csv", "owner+name"]);
    project.write("opened.csv", LABELS.replace("Accepted", "Opened"));
    build(&project, "opened.csv").refused(&["opened.csv", "no labels in the file"]);
}
