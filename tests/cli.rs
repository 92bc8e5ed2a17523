//! End-to-end tests of the binary.

mod support;

use std::collections::BTreeSet;
use std::process::Stdio;

use serde_json::Value;

use support::{Project, Ran, peeler, run, samples};

fn extract_samples() -> Vec<Value> {
    let lines = run(&["extract", &samples().to_string_lossy()]).ended(0).stdout;
    let lines = lines.lines();
    lines
        .map(|it| serde_json::from_str(it).expect("one JSON object a line"))
        .collect()
}

#[test]
fn every_labelled_sample_is_found_and_nothing_else() {
    let labels = std::fs::read_to_string(samples().with_file_name("samples-labels.csv")).expect("the labels");
    let labelled: BTreeSet<&str> = labels
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(1))
        .collect();
    let tests = extract_samples();
    let found: BTreeSet<&str> = tests.iter().filter_map(|it| it["test"].as_str()).collect();
    assert_eq!(found, labelled);
}

#[test]
fn every_path_of_the_samples_leads_from_a_start_to_an_assertion() {
    for test in extract_samples() {
        let name = test["test"].as_str().expect("a name");
        let (nodes, edges) = (&test["nodes"], &test["edges"]);
        let paths = test["paths"].as_array().expect("paths");
        assert!(!paths.is_empty(), "{name} has no path");
        for path in paths {
            let at: Vec<usize> = path
                .as_array()
                .expect("a list")
                .iter()
                .map(|it| usize::try_from(it.as_u64().expect("an index")).expect("small"))
                .collect();
            assert_eq!(at.len() % 2, 1, "{name}: node, edge, ..., node");
            assert!(at.len() <= 20, "{name}: {} elements", at.len());
            let is_cut = at.len() == 19;
            assert!(is_cut || nodes[at[0]]["start"] == true, "{name} begins at a START node");
            assert_eq!(nodes[at[at.len() - 1]]["assert"], true, "{name} ends at an ASSERT node");
            for step in at.windows(3).step_by(2) {
                assert_eq!(edges[step[1]]["from"], step[0], "{name}");
                assert_eq!(edges[step[1]]["to"], step[2], "{name}");
            }
            let visited: BTreeSet<usize> = at.iter().copied().step_by(2).collect();
            assert_eq!(visited.len(), at.len().div_ceil(2), "{name}: a path is simple");
        }
    }
}

#[test]
fn two_runs_give_the_same_bytes() {
    let root = samples();
    let extract = || run(&["extract", &root.to_string_lossy()]).stdout;
    assert_eq!(extract(), extract());
}

#[test]
fn the_source_of_a_sample_reaches_its_assertion_through_the_code_under_test() {
    let test = extract_samples()
        .into_iter()
        .find(|it| {
            it["test"]
                .as_str()
                .is_some_and(|name| name.ends_with("ChangeNoticeExtractorTest#firstPathIsTheOneChangedFirst"))
        })
        .expect("the sample is there");
    let edges = test["edges"].as_array().expect("edges");
    let methods = test["cut_methods"].as_array().expect("methods");
    let extract = edges
        .iter()
        .find(|it| it["operation"] == "paths")
        .expect("the extractor is called");
    let declaration = extract["cut"]["resolved"]["declaration"]
        .as_u64()
        .expect("it is resolved");
    let method = &methods[usize::try_from(declaration).expect("small")];
    assert!(
        method["method"]
            .as_str()
            .is_some_and(|it| it.contains("ChangeNoticeExtractor#paths")),
        "{method}"
    );
    assert!(
        method["file"].as_str().is_some_and(|it| it.contains("src/main")),
        "{method}"
    );
}

#[test]
fn stats_are_one_json_object() {
    let stats = run(&["extract", &samples().to_string_lossy(), "--stats"]).json();
    for key in [
        "files",
        "bytes",
        "problems",
        "tests",
        "tests_with_paths",
        "tests_with_explicit_assertion",
        "paths",
        "mean_path_length",
        "cut_edges",
        "cut_edges_resolved",
        "milliseconds",
        "peak_rss_mb",
    ] {
        assert!(stats.get(key).is_some(), "{key} is missing");
    }
    assert_eq!(stats["tests"], 342);
    assert_eq!(stats["tests_with_paths"], 342);
}

#[test]
fn one_test_can_be_asked_for_in_words_and_into_a_file() {
    let project = Project::of(&[(
        "CartTest.java",
        "package shop; import org.junit.*; public class CartTest {\n\
         @Test public void adds() { Assert.assertEquals(3, Cart.add(1, 2)); }\n\
         @Test public void other() { } }\n\
         class Cart { static int add(int a, int b) { return a + b; } }",
    )]);
    let one = ["--test", "shop.CartTest#adds", "--format", "text", "-o", "out.txt"];
    project.peeler(&[&["extract", "."][..], &one].concat()).ended(0);
    insta::assert_snapshot!(project.read("out.txt"), @"
    shop.CartTest#adds
      CartTest.java:2
      asserts (junit) line 2: Assert.assertEquals(3, Cart.add(1, 2))
      1 @2 START -[Cart.add CUT Cart#add]-> Cart.add(1, 2) @2 ASSERT -[Assert.assertEquals]-> 3 @2 ASSERT
      2 @2 START -[Cart.add CUT Cart#add]-> Cart.add(1, 2) @2 ASSERT -[Assert.assertEquals]-> 3 @2 ASSERT
    ");
}

#[test]
fn limits_bound_the_paths() {
    let root = samples();
    let bounded = run(&[
        "extract",
        &root.to_string_lossy(),
        "--max-paths",
        "2",
        "--max-elements",
        "5",
    ]);
    for line in bounded.ended(0).stdout.lines() {
        let test: Value = serde_json::from_str(line).expect("JSON");
        let paths = test["paths"].as_array().expect("paths");
        assert!(paths.len() <= 2);
        assert!(paths.iter().all(|it| it.as_array().is_some_and(|it| it.len() <= 5)));
    }
    run(&["extract", &root.to_string_lossy(), "--max-paths", "0"]).ended(2);
}

#[test]
fn referenced_methods_are_written_once() {
    let project = Project::empty();
    let files = ["-o", "tests.jsonl", "--cut-methods", "methods.jsonl"];
    project
        .peeler(&[&["extract", &samples().to_string_lossy()][..], &files].concat())
        .ended(0);
    let text = project.read("methods.jsonl");
    let methods: Vec<Value> = text.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    let names: BTreeSet<String> = methods
        .iter()
        .map(|it| format!("{} {}:{}", it["method"], it["file"], it["line"]))
        .collect();
    assert_eq!(names.len(), methods.len(), "each once");
    assert!(
        methods
            .iter()
            .any(|it| it["tokens"].as_array().is_some_and(|it| !it.is_empty()))
    );
    assert!(
        methods
            .iter()
            .any(|it| it["path_contexts"].as_array().is_some_and(|it| !it.is_empty()))
    );
}

#[test]
fn graphs_are_drawn_in_every_format() {
    let project = Project::of(&[(
        "CartTest.java",
        "package shop; import org.junit.*; public class CartTest {\n\
         @Test public void adds() { Assert.assertEquals(\"<3 & \\\"more\\\">\", Cart.add(1)); } }\n\
         class Cart { static String add(int a) { return \"\"; } }",
    )]);
    let draw = |format: &str| {
        project
            .peeler(&["graph", ".", "--test", "shop.CartTest#adds", "--format", format])
            .ended(0)
            .stdout
    };
    insta::assert_snapshot!(draw("text"), @r#"
    shop.CartTest#adds
      CartTest.java:2
      asserts (junit) line 2: Assert.assertEquals("<3 & \"more\">", Cart.add(1))
    nodes
      0: 1 @2 START
      1: Cart.add(1) @2 ASSERT
      2: "<3 & \"more\">" @2 ASSERT
    edges
      0 -> 1: 1 @2 START -[Cart.add CUT Cart#add]-> Cart.add(1) @2 ASSERT
      1 -> 2: Cart.add(1) @2 ASSERT -[Assert.assertEquals]-> "<3 & \"more\">" @2 ASSERT
    "#);
    insta::assert_snapshot!(draw("dot"), @r##"
    digraph test {
      rankdir=TB;
      node [shape=box, fontname="monospace"];
      label="shop.CartTest#adds";
      n0 [label="1 @2 START", style=filled, fillcolor="#d5e8d4"];
      n1 [label="Cart.add(1) @2 ASSERT", style=filled, fillcolor="#f9d0c4"];
      n2 [label="\"<3 & \\\"more\\\">\" @2 ASSERT", style=filled, fillcolor="#f9d0c4"];
      n0 -> n1 [label="Cart.add CUT Cart#add", style=bold, color="#1f4e9e"];
      n1 -> n2 [label="Assert.assertEquals"];
    }
    "##);
    insta::assert_snapshot!(draw("mermaid"), @r##"
    flowchart TD
      n0(["1 @2 START"])
      n1{{"Cart.add(1) @2 ASSERT"}}
      n2{{"#34;#60;3 #38; \#34;more\#34;#62;#34; @2 ASSERT"}}
      n0 ==>|"Cart.add CUT Cart#35;add"| n1
      n1 -->|"Assert.assertEquals"| n2
    "##);
    let svg = draw("svg");
    assert!(svg.contains("<svg") && svg.contains("CUT Cart#add"), "{svg}");
    assert!(!svg.contains("<3 &"), "texts are escaped");
}

#[test]
fn what_cannot_be_analysed_is_refused_with_a_remedy() {
    let refuses = |arguments: &[&str], words: &[&str]| run(arguments).refused(words);
    refuses(
        &["extract", "no/such/folder"],
        &["no such file or folder", "no/such/folder", "give the root"],
    );
    let empty = Project::empty();
    let path = empty.path(".").to_string_lossy().into_owned();
    refuses(&["extract", &path], &["no Java files", &path, "give the root"]);
    let plain = Project::of(&[("A.java", "class A { void f() {} }")]);
    let path = plain.path(".").to_string_lossy().into_owned();
    refuses(
        &["extract", &path],
        &["no tests found", &path, "root of the repository"],
    );
    refuses(&["graph", &path, "--test", "A#f"], &["no tests found", &path]);
    let root = samples().to_string_lossy().into_owned();
    refuses(
        &["graph", &root, "--test", "OtherTest#firstPathIsTheOneChangedFirst"],
        &[
            "no test OtherTest#firstPathIsTheOneChangedFirst",
            "did you mean",
            "ChangeNoticeExtractorTest",
        ],
    );
    refuses(
        &["extract", &root, "--test", "x.Y#z"],
        &["no test x.Y#z", "list all tests"],
    );
    refuses(
        &["extract", &root, "-o", "no/such/folder/out"],
        &["cannot write no/such/folder/out", "does the folder exist?"],
    );
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_a_problem_beside_the_results() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::of(&[(
        "ATest.java",
        "package t; import org.junit.*; public class ATest { @Test public void a() { Assert.assertTrue(x); } }",
    )]);
    let secret = project.path("Secret.java");
    project.write("Secret.java", "class Secret {}");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).expect("permissions");
    // Root can read every file; then there is nothing to report.
    let is_readable = std::fs::read(&secret).is_ok();
    let stats = project.peeler(&["extract", ".", "--stats"]).json();
    assert_eq!(stats["tests"], 1);
    let problems = stats["problems"].to_string();
    assert!(is_readable || problems.contains("Secret.java"), "{problems}");
}

#[test]
fn a_broken_file_is_reported_and_the_rest_is_analysed() {
    let project = Project::of(&[(
        "ATest.java",
        "package t; import org.junit.*; public class ATest { @Test public void a() { Assert.assertTrue(x); } int = ; }",
    )]);
    let stats = project.peeler(&["extract", ".", "--stats"]).json();
    assert_eq!(stats["tests"], 1);
    assert_eq!(stats["problems"][0]["file"], "ATest.java");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = peeler()
        .args(["extract", &samples().to_string_lossy()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    Ran::from(child.wait_with_output().expect("it ends")).ended(0);
}

#[test]
fn a_closed_pipe_ends_the_analysis_at_once() {
    use std::fmt::Write as _;
    use std::io::Read as _;
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().expect("a temporary folder");
    for class in 0..400 {
        let mut body = String::new();
        for line in 0..20 {
            let _ = writeln!(
                body,
                "int x{line} = a.get({line}) + b; Assert.assertEquals(x{line}, a.get({line}));"
            );
        }
        let text = format!(
            "import org.junit.*; public class T{class}Test {{ java.util.List<Integer> a; int b = {class};\n\
             @Test public void holds() {{\n{body}}} }}"
        );
        std::fs::write(folder.path().join(format!("T{class}Test.java")), text).expect("a file");
    }
    let run = |reads_all: bool| -> Duration {
        let started = Instant::now();
        let mut child = peeler()
            .args(["extract", &folder.path().to_string_lossy()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut out = child.stdout.take().expect("standard output");
        if reads_all {
            std::io::copy(&mut out, &mut std::io::sink()).expect("output");
        } else {
            out.read_exact(&mut [0; 100]).expect("a first line");
        }
        drop(out);
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
        started.elapsed()
    };
    let whole = run(true);
    // Other programs may delay one of the runs.
    let closed = (0..2).map(|_| run(false)).min().expect("two runs");
    assert!(closed < whole / 2, "{closed:?} instead of {whole:?} for all tests");
}
