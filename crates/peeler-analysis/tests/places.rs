//! Positions of nodes and tests in lines and columns.

use std::sync::Mutex;

use peeler_analysis::{Analysis, Limits, Repository};

/// The text of each node of the only test, with the source at its position, and the lines of the test.
fn places(source: &str) -> (Vec<(String, String)>, u32, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("MadeTest.java"), source).expect("a file");
    let repository = Repository::open(folder.path()).expect("a repository");
    let analysis = Analysis::new(&repository);
    let found = Mutex::new(None);
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| {
            let extraction = analysis.extraction(&traced);
            let lines: Vec<Vec<char>> = source.lines().map(|it| it.chars().collect()).collect();
            let nodes = (0..extraction.nodes.len()).map(|at| {
                let place = analysis.node_place(&extraction, at);
                assert_eq!(place.line, place.end_line, "one line each");
                let line = &lines[place.line as usize - 1];
                let there = &line[place.column as usize - 1..place.end_column as usize - 1];
                (extraction.nodes[at].text.to_string(), there.iter().collect())
            });
            let nodes = nodes.collect();
            let own = analysis.test_source(&traced);
            let lines = own.lines.iter().map(|it| (*it).to_owned()).collect();
            *found.lock().expect("one test") = Some((nodes, own.first_line, lines));
        },
        |()| (),
    );
    found.into_inner().expect("one test").expect("a test")
}

#[test]
fn a_node_stands_where_its_text_is_also_behind_a_receiver_and_wide_characters() {
    let (nodes, ..) = places(
        "import org.junit.*;\npublic class MadeTest {\n  @Test public void works() {\n\
         String größe = \"höhe\"; Assert.assertEquals(größe.trim(), System.getenv(\"X\")); } }",
    );
    assert!(nodes.len() >= 3, "{nodes:?}");
    for (text, there) in &nodes {
        assert_eq!(text, there);
    }
}

#[test]
fn the_source_of_a_test_begins_with_its_annotations() {
    let source = "import org.junit.*;\npublic class MadeTest {\n  int x;\n  @Test\n  @Ignore\n  public void works() {\n\
                  Assert.assertTrue(true);\n  }\n\n  void other() {}\n}\n";
    let (_, first, lines) = places(source);
    assert_eq!(first, 4);
    assert_eq!(lines.len(), 5);
    assert_eq!((lines[0].trim(), lines[4].trim()), ("@Test", "}"));
}

#[test]
fn tests_on_the_lines_before_are_not_taken_for_annotations() {
    let source = "import org.junit.*;\npublic class MadeTest {\n@Deprecated int x;\n@Before public void fill() { }\n\
                  @Test public void works() { Assert.assertTrue(true); }\n}\n";
    let (_, first, lines) = places(source);
    assert_eq!((first, lines.len()), (5, 1));
}

#[test]
fn lines_have_no_line_ends_whichever_the_file_has() {
    let source = "import org.junit.*;\r\npublic class MadeTest {\r\n@Test\r\npublic void works() {\r\n}\r\n}\r\n";
    let (_, first, lines) = places(source);
    assert_eq!(
        (first, lines),
        (3, ["@Test", "public void works() {", "}"].map(str::to_owned).to_vec())
    );
    let (_, first, lines) = places("import org.junit.*; public class MadeTest { @Test public void works() {} }");
    assert_eq!((first, lines.len()), (1, 1));
}
