//! Tests that a scan with cached results reports the same as a scan without, whatever was edited in between.
//!
//! Edits are drawn at random with a fixed seed. Names are replaced by others that exist elsewhere, and files are moved,
//! copied, deleted and restored. Members, supertypes, imports and settings are added and removed. `PROPTEST_CASES=1000`
//! runs more cases than a regular test.

mod support;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::Value;

use support::Project;

/// The number of repositories that are edited, unless the environment sets another. A debug build takes about a minute.
const CASES: u32 = 16;
/// The maximum number of scans of each repository after the first.
const MOST_SCANS: usize = 4;
/// The maximum number of edits between two scans.
const MOST_EDITS: usize = 3;

/// The repository before the first edit, with one member per line.
const FILES: [(&str, &str); 9] = [
    (
        "src/shop/CartTest.java",
        "package shop;\n\
         import org.junit.*;\n\
         import static org.junit.Assert.*;\n\
         public class CartTest extends BaseTest {\n\
         Cart cart = new Cart();\n\
         @Before public void fill() { cart.add(\"pear\"); }\n\
         @Test public void counts() { cart.add(\"fig\"); assertEquals(1, cart.count()); }\n\
         @Test public void prints() { assertEquals(\"[]\", cart.print(7)); }\n\
         @Test public void compares() { check(cart.count(), 1); }\n\
         }\n",
    ),
    (
        "src/shop/ClockTest.java",
        "package shop;\n\
         import org.junit.Test;\n\
         import static shop.Text.*;\n\
         public class ClockTest {\n\
         @Test public void ticks() { org.junit.Assert.assertTrue(new Clock().now() > 0); }\n\
         @Test public void waits() throws Exception { Thread.sleep(10); org.junit.Assert.assertEquals(\"\", of(clock())); }\n\
         Clock clock() { return new Clock(); }\n\
         }\n",
    ),
    (
        "src/shop/BaseTest.java",
        "package shop;\n\
         public abstract class BaseTest {\n\
         @org.junit.Test public void inherited() { check(new Clock().now(), 2L); }\n\
         protected void check(Object actual, Object expected) { org.junit.Assert.assertEquals(expected, actual); }\n\
         @org.junit.After public void after() { Store.clear(); }\n\
         }\n",
    ),
    (
        "src/shop/Cart.java",
        "package shop;\n\
         import java.util.*;\n\
         class Cart extends Store implements Countable {\n\
         private final Map<String, Integer> counts = new HashMap<>();\n\
         void add(String name) { counts.merge(name, 1, Integer::sum); }\n\
         public int count() { return counts.size(); }\n\
         String print(int width) { return Text.of(counts); }\n\
         }\n",
    ),
    (
        "src/shop/Store.java",
        "package shop;\n\
         class Store {\n\
         static long cleared;\n\
         static void clear() { cleared = System.currentTimeMillis(); }\n\
         void add(Object name) { cleared++; }\n\
         String print(long width) { return \"\" + Math.random(); }\n\
         }\n",
    ),
    (
        "src/shop/Countable.java",
        "package shop;\n\
         interface Countable {\n\
         int count();\n\
         default int size() { return count() + new java.util.Random().nextInt(); }\n\
         }\n",
    ),
    (
        "src/shop/Clock.java",
        "package shop;\n\
         class Clock {\n\
         long now() { return System.nanoTime(); }\n\
         public String toString() { return \"\" + now(); }\n\
         }\n",
    ),
    (
        "src/shop/Text.java",
        "package shop;\n\
         class Text {\n\
         static String of(Object it) { return it.toString(); }\n\
         static String of(Clock it) { return Text.of((Object) it); }\n\
         }\n",
    ),
    (
        "src/other/PlainTest.java",
        "package other;\n\
         import shop.*;\n\
         public class PlainTest extends junit.framework.TestCase {\n\
         public void testAdds() { assertEquals(2, 1 + 1); }\n\
         public void testStore() { assertNotNull(new Store().print(1)); }\n\
         }\n",
    ),
];

/// Names that replace each other.
const NAMES: [&str; 26] = [
    "Cart",
    "Store",
    "Clock",
    "Text",
    "Countable",
    "CartTest",
    "BaseTest",
    "ClockTest",
    "PlainTest",
    "Object",
    "Thread",
    "add",
    "count",
    "print",
    "of",
    "now",
    "clear",
    "check",
    "size",
    "counts",
    "prints",
    "ticks",
    "cleared",
    "toString",
    "shop",
    "other",
];

/// Lines that edits add to a class.
const MEMBERS: [&str; 20] = [
    "@Test public void added() { org.junit.Assert.assertTrue(System.nanoTime() > 0); }",
    "@org.junit.Test public void inherited() { org.junit.Assert.assertEquals(1, new Cart().count()); }",
    "@org.junit.Before public void before() throws Exception { Thread.sleep(5); }",
    "public int count() { return 2; }",
    "int count(int more) { return more; }",
    "void add(CharSequence name) { }",
    "String print(int width) { return new java.util.HashSet<>(java.util.Arrays.asList(1, 2)).toString(); }",
    "static String of(String it) { return it; }",
    "static String of(Clock it) { return java.time.Instant.now().toString(); }",
    "long now() { return 0; }",
    "static int now;",
    "protected void check(int actual, int expected) { org.junit.Assert.assertSame(expected, actual); }",
    "static void clear() { new java.util.Random().nextInt(); }",
    "Clock clock = new Clock();",
    "public String toString() { return \"\" + System.identityHashCode(this); }",
    "class Text { String of(Object it) { return \"inner\"; } }",
    "static class Clock { long now() { return 1; } }",
    "enum Kind { ONE { int count() { return 3; } } }",
    "// peeler:ignore a reason",
    "int = ;",
];

/// Lines that edits add after the package declaration.
const IMPORTS: [&str; 8] = [
    "import static shop.Text.*;",
    "import static shop.Text.of;",
    "import static shop.Store.clear;",
    "import shop.*;",
    "import other.Cart;",
    "import other.Clock;",
    "import java.util.*;",
    "import org.junit.jupiter.api.Test;",
];

/// Texts that edits put after the name of a class.
const SUPERTYPES: [&str; 9] = [
    "",
    "extends BaseTest",
    "extends Store",
    "extends Cart",
    "implements Countable",
    "extends Store implements Countable",
    "extends CartTest",
    "extends junit.framework.TestCase",
    "<T extends Clock> extends Text",
];

/// Contents of `peeler.toml`; `None` for no file.
const SETTINGS: [Option<&str>; 7] = [
    None,
    Some(""),
    Some("exclude = [\"*ClockTest.java\"]\n"),
    Some("include = [\"/src/shop/\"]\n"),
    Some("min-probability = 0.02\n"),
    Some("[[assertions]]\nowner = \"BaseTest\"\nmethod = \"check\"\nrole = \"call\"\nexpected = \"last\"\n"),
    Some("[[causes]]\nkind = \"network\"\nowner = \"shop.Cart\"\nmethod = \"count\"\nwhat = \"asks the till\"\n"),
];

/// Contents of `.ignore`; `None` for no file.
const IGNORED: [Option<&str>; 3] = [None, Some("Text.java\n"), Some("other/\n")];

/// Paths to which files are moved, in addition to the original paths.
const PLACES: [&str; 6] = [
    "src/other/CartTest.java",
    "src/other/Cart.java",
    "src/other/Clock.java",
    "generated/shop/CartTest.java",
    "generated/shop/Text.java",
    "src/AaaTest.java",
];

/// Files that edits add, with declarations that exist nowhere else.
const NEW_FILES: [(&str, &str); 5] = [
    (
        "src/shop/Fast.java",
        "package shop; @org.junit.Test public @interface Fast { }\n",
    ),
    (
        "src/shop/FastTest.java",
        "package shop; class FastTest { @Fast void f() { org.junit.Assert.assertTrue(Cart.x()); } }\n",
    ),
    (
        "src/shop/Thread.java",
        "package shop; class Thread { static void sleep(long it) { } }\n",
    ),
    (
        "src/shop/Heirs.java",
        "package shop;\nclass Heirs {\nstatic class OneTest extends CartTest { }\nclass Two extends Clock { }\n}\n",
    ),
    (
        "src/other/Clock.java",
        "package other;\npublic class Clock {\npublic long now() { return 5; }\n}\n",
    ),
];

/// One change of the repository. An index chooses among the files, names or lines that exist when the edit is made.
#[derive(Clone, Debug)]
enum Edit {
    /// A name is replaced by another, in one file or in all of them.
    Rename {
        file: Option<Index>,
        from: Index,
        to: Index,
    },
    /// A file is moved to another path.
    Move {
        file: Index,
        to: Index,
    },
    /// A file is copied to another path.
    Copy {
        file: Index,
        to: Index,
    },
    Delete {
        file: Index,
    },
    /// A file of the initial repository, or one of the new files, is written with its original text.
    Restore {
        file: Index,
    },
    /// A line of a list is added to the class of a file.
    AddMember {
        file: Index,
        member: Index,
    },
    AddImport {
        file: Index,
        import: Index,
    },
    /// A line is removed.
    RemoveLine {
        file: Index,
        line: Index,
    },
    Supertypes {
        file: Index,
        supertypes: Index,
    },
    Settings(Index),
    Ignored(Index),
}

fn edits() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        4 => (prop::option::of(at()), at(), at()).prop_map(|(file, from, to)| Edit::Rename { file, from, to }),
        1 => (at(), at()).prop_map(|(file, to)| Edit::Move { file, to }),
        2 => (at(), at()).prop_map(|(file, to)| Edit::Copy { file, to }),
        1 => at().prop_map(|file| Edit::Delete { file }),
        2 => at().prop_map(|file| Edit::Restore { file }),
        4 => (at(), at()).prop_map(|(file, member)| Edit::AddMember { file, member }),
        2 => (at(), at()).prop_map(|(file, import)| Edit::AddImport { file, import }),
        2 => (at(), at()).prop_map(|(file, line)| Edit::RemoveLine { file, line }),
        2 => (at(), at()).prop_map(|(file, supertypes)| Edit::Supertypes { file, supertypes }),
        1 => at().prop_map(Edit::Settings),
        1 => at().prop_map(Edit::Ignored),
    ]
}

/// Files of a repository by path.
#[derive(Clone)]
struct Sources(BTreeMap<String, String>);

impl Sources {
    fn new() -> Self {
        Self(
            FILES
                .iter()
                .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
                .collect(),
        )
    }

    /// The Java file that an index chooses. There is always one.
    fn java(&mut self, file: Index) -> (&String, &mut String) {
        let files = self.0.iter_mut().filter(|(path, _)| is_java(path));
        let mut files: Vec<_> = files.collect();
        let at = file.index(files.len());
        files.swap_remove(at)
    }

    fn edit(&mut self, edit: &Edit) {
        match edit {
            Edit::Rename {
                file: Some(file),
                from,
                to,
            } => {
                let (_, text) = self.java(*file);
                *text = renamed(text, name(*from), name(*to));
            }
            Edit::Rename { file: None, from, to } => {
                for text in self.0.values_mut() {
                    *text = renamed(text, name(*from), name(*to));
                }
            }
            Edit::Move { file, to } => {
                let path = self.java(*file).0.clone();
                let text = self.0.remove(&path).expect("a file");
                self.0.insert((*to.get(&PLACES)).to_owned(), text);
            }
            Edit::Copy { file, to } => {
                let text = self.java(*file).1.clone();
                self.0.insert((*to.get(&PLACES)).to_owned(), text);
            }
            Edit::Delete { file } => {
                let path = self.java(*file).0.clone();
                // A repository without Java is refused.
                if self.0.keys().filter(|it| is_java(it)).count() > 2 {
                    self.0.remove(&path);
                }
            }
            Edit::Restore { file } => {
                let (path, text) = *file.get(&[&FILES[..], &NEW_FILES].concat());
                self.0.insert(path.to_owned(), text.to_owned());
            }
            Edit::AddMember { file, member } => {
                let (_, text) = self.java(*file);
                if let Some(at) = text.find("{\n") {
                    text.insert_str(at + 2, &format!("{}\n", member.get(&MEMBERS)));
                }
            }
            Edit::AddImport { file, import } => {
                let (_, text) = self.java(*file);
                let at = text.find(";\n").map_or(0, |it| it + 2);
                text.insert_str(at, &format!("{}\n", import.get(&IMPORTS)));
            }
            Edit::RemoveLine { file, line } => {
                let (_, text) = self.java(*file);
                let mut lines: Vec<&str> = text.lines().collect();
                if !lines.is_empty() {
                    lines.remove(line.index(lines.len()));
                    *text = lines.join("\n") + "\n";
                }
            }
            Edit::Supertypes { file, supertypes } => {
                let (_, text) = self.java(*file);
                let start = text.find("class ").map(|it| it + "class ".len());
                if let Some(start) = start
                    && let Some(end) = text[start..].find('{')
                {
                    let name = text[start..]
                        .split([' ', '<', '{'])
                        .next()
                        .unwrap_or_default()
                        .to_owned();
                    text.replace_range(start..start + end, &format!("{name} {} ", supertypes.get(&SUPERTYPES)));
                }
            }
            Edit::Settings(text) => self.set("peeler.toml", *text.get(&SETTINGS)),
            Edit::Ignored(text) => self.set(".ignore", *text.get(&IGNORED)),
        }
    }

    fn set(&mut self, path: &str, text: Option<&str>) {
        match text {
            Some(text) => {
                self.0.insert(path.to_owned(), text.to_owned());
            }
            None => {
                self.0.remove(path);
            }
        }
    }

    /// Writes these files to the project and deletes others.
    fn write(&self, project: &Project, before: &Self) {
        for path in before.0.keys().filter(|it| !self.0.contains_key(*it)) {
            std::fs::remove_file(project.path(path)).expect("a file goes");
        }
        for (path, text) in &self.0 {
            if before.0.get(path) != Some(text) {
                project.write(path, text);
            }
        }
    }
}

impl fmt::Display for Sources {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, text) in &self.0 {
            writeln!(formatter, "//// {path}\n{text}")?;
        }
        Ok(())
    }
}

fn is_java(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|it| it == "java")
}

/// The name that an index chooses.
fn name(at: Index) -> &'static str {
    NAMES[at.index(NAMES.len())]
}

/// A text with a name replaced by another, as a whole word.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_part = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let end = at + from.len();
        let is_word = !is_part(rest[..at].chars().next_back().or(out.chars().next_back()))
            && !is_part(rest[end..].chars().next());
        out.push_str(&rest[..at]);
        out.push_str(if is_word { to } else { from });
        rest = &rest[end..];
    }
    out + rest
}

/// The JSON of a scan, without its time and the number of reused tests.
fn scan(project: &Project, cache: &[&str]) -> Value {
    let all = [
        "scan",
        "--format",
        "json",
        "--all",
        "--min-probability",
        "0",
        "--exit-zero",
    ];
    let mut scan = project.peeler(&[&all, cache].concat()).ended(0).json();
    scan["summary"]["milliseconds"] = Value::Null;
    scan["summary"]["reused"] = Value::Null;
    scan
}

/// The first difference of two scans, as a JSON pointer with both values.
fn difference(warm: &Value, cold: &Value, at: &str) -> Option<String> {
    let none = &Value::Null;
    let inside: Vec<(String, &Value, &Value)> = match (warm, cold) {
        (Value::Object(warm), Value::Object(cold)) => warm
            .keys()
            .chain(cold.keys())
            .map(|key| {
                (
                    key.clone(),
                    warm.get(key).unwrap_or(none),
                    cold.get(key).unwrap_or(none),
                )
            })
            .collect(),
        (Value::Array(warm), Value::Array(cold)) => (0..warm.len().max(cold.len()))
            .map(|at| {
                (
                    at.to_string(),
                    warm.get(at).unwrap_or(none),
                    cold.get(at).unwrap_or(none),
                )
            })
            .collect(),
        _ => return (warm != cold).then(|| format!("{at}: warm {warm}, cold {cold}")),
    };
    inside
        .iter()
        .find_map(|(key, warm, cold)| difference(warm, cold, &format!("{at}/{key}")))
}

/// Applies the edits of one case, and compares a warm with a cold scan after each group of edits.
fn check(groups: &[Vec<Edit>]) -> Result<(), TestCaseError> {
    let warm = ["--cache-dir", "cache"];
    let mut sources = Sources::new();
    let project = Project::empty();
    sources.write(&project, &Sources(BTreeMap::new()));
    scan(&project, &warm);
    for group in groups {
        let before = sources.clone();
        for edit in group {
            sources.edit(edit);
        }
        sources.write(&project, &before);
        let (warm, cold) = (scan(&project, &warm), scan(&project, &["--no-cache"]));
        if let Some(difference) = difference(&warm, &cold, "") {
            return Err(TestCaseError::fail(format!(
                "{difference}\n\nbefore\n{before}\nafter\n{sources}"
            )));
        }
    }
    Ok(())
}

#[test]
fn a_warm_scan_equals_a_cold_one_after_any_edits() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok());
    let config = Config {
        cases: cases.unwrap_or(CASES),
        failure_persistence: None,
        max_shrink_iters: 60,
        ..Config::default()
    };
    // The seed is fixed, so that the edits are the same in every run.
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let groups = prop::collection::vec(prop::collection::vec(edits(), 1..=MOST_EDITS), 1..=MOST_SCANS);
    if let Err(error) = runner.run(&groups, |groups| check(&groups)) {
        panic!("{error}");
    }
}
