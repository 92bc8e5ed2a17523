//! The repository before the first edit, and the words from which edits are made.

/// Paths with the contents of the files of `java/` beside this file.
macro_rules! java {
    ($($path:literal,)*) => { &[$(($path, include_str!(concat!("java/", $path)))),*] };
}

/// The repository before the first edit: two modules, one member per line, generated files in and out of a build folder.
pub(crate) const FILES: &[(&str, &str)] = java![
    "app/src/generated/java/shop/CartTest.java",
    "app/src/main/java/shop/Cart.java",
    "app/src/main/java/shop/Clock.java",
    "app/src/main/java/shop/Countable.java",
    "app/src/main/java/shop/Journal.java",
    "app/src/main/java/shop/Kind.java",
    "app/src/main/java/shop/Ledger.java",
    "app/src/main/java/shop/Order.java",
    "app/src/main/java/shop/PaperJournal.java",
    "app/src/main/java/shop/Pen.java",
    "app/src/main/java/shop/Store.java",
    "app/src/main/java/shop/Text.java",
    "app/src/main/java/shop/Till.java",
    "app/src/main/java/shop/Worker.java",
    "app/src/test/java/shop/BaseTest.java",
    "app/src/test/java/shop/CartTest.java",
    "app/src/test/java/shop/Cleaning.java",
    "app/src/test/java/shop/ClockTest.java",
    "app/src/test/java/shop/Helper.java",
    "app/src/test/java/shop/LedgerTest.java",
    "app/src/test/java/shop/OrderTest.java",
    "app/src/test/java/shop/Pauses.java",
    "app/src/test/java/shop/RegistryTest.java",
    "app/target/generated-sources/shop/Text.java",
    "depot/src/main/java/depot/Registry.java",
    "depot/src/main/java/depot/Shelf.java",
    "depot/src/test/java/depot/PlainTest.java",
    "depot/src/test/java/depot/ShelfTest.java",
];

/// Files that edits add, with declarations that exist nowhere else.
pub(crate) const NEW_FILES: &[(&str, &str)] = &[
    (
        "app/src/test/java/shop/Fast.java",
        "package shop; @org.junit.Test public @interface Fast { }\n",
    ),
    (
        "app/src/test/java/shop/FastTest.java",
        "package shop;\nclass FastTest {\n@Fast void f() { org.junit.Assert.assertTrue(Cart.x()); }\n}\n",
    ),
    (
        "app/src/main/java/shop/Thread.java",
        "package shop; class Thread { static void sleep(long it) { } }\n",
    ),
    (
        "app/src/test/java/shop/Heirs.java",
        "package shop;\nclass Heirs {\nstatic class OneTest extends CartTest { }\nclass Two extends Clock { }\n}\n",
    ),
    (
        "depot/src/main/java/other/Clock.java",
        "package other;\npublic class Clock {\npublic long now() { return 5; }\n}\n",
    ),
    (
        "depot/src/main/java/other/Shelf.java",
        "package other;\npublic class Shelf {\npublic java.util.List<String> list() { return java.util.List.of(); }\n}\n",
    ),
    (
        "app/src/main/java/shop/DigitalJournal.java",
        "package shop;\nclass DigitalJournal extends Journal {\npublic int write(int number) { return (int) \
         System.nanoTime(); }\n}\n",
    ),
    (
        "app/src/main/java/shop/Scales.java",
        "package shop;\nclass Scales implements Countable {\npublic int count() { return new \
         java.util.Random().nextInt(); }\n}\n",
    ),
    (
        "depot/src/test/java/shop/CartTest.java",
        "package shop;\npublic class CartTest {\n@org.junit.Test public void counts() { \
         org.junit.Assert.assertEquals(1, depot.Registry.size); }\n}\n",
    ),
];

/// Names that replace each other.
pub(crate) const NAMES: &[&str] = &[
    "Cart", "Store", "Clock", "Text", "Countable", "Till", "Ledger", "Journal", "PaperJournal", "Writer", "Pen", "Worker",
    "Order", "Kind", "Shelf", "Box", "Registry", "Cleaning", "Helper", "Pauses", "CartTest", "BaseTest", "ClockTest",
    "LedgerTest", "PlainTest", "Object", "Thread", "HashMap", "HashSet", "TreeSet", "LinkedHashMap", "add", "count",
    "print", "of", "now", "clear", "check", "size", "counts", "prints", "ticks", "cleared", "toString", "till", "shelf",
    "box", "list", "names", "label", "clock", "cart", "base", "sum", "book", "write", "entries", "press", "hand", "wait",
    "done", "start", "put", "get", "reset", "before", "after", "setUpBase", "fill", "shop", "other", "depot", "static",
    "public", "private", "final", "abstract", "interface", "class", "Test", "Before", "Rule", "nanoTime", "hashCode",
];

/// Lines that edits add to a type.
pub(crate) const MEMBERS: &[&str] = &[
    "@Test public void added() { org.junit.Assert.assertTrue(System.nanoTime() > 0); }",
    "@org.junit.Test public void inherited() { org.junit.Assert.assertEquals(1, new Cart().count()); }",
    "@org.junit.Test public void counts() { org.junit.Assert.assertEquals(\"\", Text.of(new Cart())); }",
    "@org.junit.Test public void left() { Ledger.entries = 5; org.junit.Assert.assertEquals(5, Ledger.entries); }",
    "@org.junit.Before public void before() throws Exception { Thread.sleep(5); }",
    "@org.junit.AfterClass public static void last() { depot.Registry.reset(); }",
    "@org.junit.jupiter.api.BeforeEach void clean() { depot.Registry.reset(); }",
    "public int count() { return 2; }",
    "int count(int more) { return more; }",
    "void add(CharSequence name) { }",
    "String print(int width) { return new java.util.HashSet<>(java.util.Arrays.asList(1, 2)).toString(); }",
    "static String of(String it) { return it; }",
    "static String of(Clock it) { return java.time.Instant.now().toString(); }",
    "long now() { return 0; }",
    "static int now;",
    "Clock shelf;",
    "other.Clock clock;",
    "protected void check(int actual, int expected) { org.junit.Assert.assertSame(expected, actual); }",
    "static void clear() { new java.util.Random().nextInt(); }",
    "static int hand() { new Thread(() -> Worker.done++).start(); return Worker.done; }",
    "static int hand(int fingers) { return Pen.press(fingers); }",
    "public int write(int number) { return java.time.LocalDate.now().getYear(); }",
    "Clock clock = new Clock();",
    "public String toString() { return \"\" + System.identityHashCode(this); }",
    "class Text { String of(Object it) { return \"inner\"; } }",
    "static class Clock { long now() { return 1; } }",
    "enum Kind { ONE { int count() { return 3; } } }",
    "static class Local extends CartTest { }",
    "static class Deep extends Journal {\npublic int write(int number) { return new java.util.Random().nextInt(); }\n}",
    "record Box(String label) { }",
    "// peeler:ignore a reason",
    "// peeler:ignore PLR101, PLR3",
    "@SuppressWarnings(\"peeler\")",
    "@SuppressWarnings(\"peeler:PLR201\")",
    "@org.junit.Ignore",
    "/* a comment\nof two lines */",
    "int = ;",
];

/// Lines that edits add after the package declaration.
pub(crate) const IMPORTS: &[&str] = &[
    "import static shop.Text.*;",
    "import static shop.Text.of;",
    "import static shop.Store.clear;",
    "import static depot.Registry.*;",
    "import static depot.Registry.get;",
    "import shop.*;",
    "import depot.*;",
    "import other.*;",
    "import other.Cart;",
    "import other.Clock;",
    "import other.Shelf;",
    "import java.util.*;",
    "import org.junit.jupiter.api.Test;",
    "import org.testng.annotations.Test;",
];

/// Packages that files are moved to.
pub(crate) const PACKAGES: &[&str] = &["package shop;", "package depot;", "package other;", ""];

/// Texts that edits put after the name of a type.
pub(crate) const SUPERTYPES: &[&str] = &[
    "",
    "extends BaseTest",
    "extends Store",
    "extends Cart",
    "extends Journal",
    "implements Countable",
    "implements Writer",
    "extends Store implements Countable",
    "extends CartTest",
    "extends Clock",
    "extends depot.Shelf",
    "extends junit.framework.TestCase",
    "<T extends Clock> extends Text",
];

/// Contents of `peeler.toml`; `None` for no file.
pub(crate) const SETTINGS: &[Option<&str>] = &[
    None,
    Some(""),
    Some("exclude = [\"*ClockTest.java\"]\n"),
    Some("include = [\"/app/\"]\n"),
    Some("min-probability = 0.02\n"),
    Some("[rules]\nselect = [\"ALL\"]\n"),
    Some("[rules.per-file-ignores]\n\"app/\" = [\"PLR1\"]\n"),
    Some("[[assertions]]\nowner = \"BaseTest\"\nmethod = \"check\"\nrole = \"call\"\nexpected = \"last\"\n"),
    Some("[[causes]]\nkind = \"network\"\nowner = \"shop.Cart\"\nmethod = \"count\"\nwhat = \"asks the till\"\n"),
];

/// Files that decide which files are read, with contents; `None` for no file.
pub(crate) const SELECTIONS: &[(&str, Option<&str>)] = &[
    (".ignore", None),
    (".ignore", Some("Text.java\n")),
    (".gitignore", None),
    (".gitignore", Some("generated/\n")),
    (".gitignore", Some("*Base*\n!BaseTest.java\n")),
    ("app/.gitignore", None),
    ("app/.gitignore", Some("Ledger*.java\n")),
    (".git/info/exclude", None),
    (".git/info/exclude", Some("depot/src/test/\n")),
    ("app/pom.xml", None),
    ("app/pom.xml", Some("<project/>\n")),
    ("depot/pom.xml", None),
    ("depot/pom.xml", Some("<project/>\n")),
];

/// Paths to which files are moved and copied, in addition to the original paths.
pub(crate) const PLACES: &[&str] = &[
    "app/src/main/java/other/CartTest.java",
    "app/src/main/java/other/Cart.java",
    "app/src/main/java/other/Clock.java",
    "app/src/generated/java/shop/CartTest.java",
    "app/src/generated/java/shop/Text.java",
    "app/target/generated-sources/shop/CartTest.java",
    "depot/src/test/java/shop/CartTest.java",
    "depot/src/main/java/shop/Ledger.java",
    "AaaTest.java",
    "zzz/Zzz.java",
];

/// Options of the scans that are compared. `{known}` stands for the path of a baseline.
pub(crate) const SCANS: &[&[&str]] = &[
    &["--format", "json", "--all", "--min-probability", "0"],
    &["--format", "json", "--all"],
    &["--format", "json", "--all", "--select", "ALL"],
    &["--format", "json", "--select", "PLR1,TIMING,test-order", "--ignore", "PLR501"],
    &["--format", "json", "--top", "3", "--min-probability", "0.02"],
    &["--format", "json", "--baseline", "known.json", "--min-probability", "0.01"],
    &["--format", "json", "--all", "--min-probability", "0", "app", "depot"],
    &["--format", "text", "--min-probability", "0.02"],
    &["--format", "sarif", "--min-probability", "0"],
    &["--format", "jsonl", "--all", "--select", "VALUE"],
    &["--format", "junit", "--all"],
    &["--format", "github", "--select", "ALL"],
    &["--format", "gitlab", "--min-probability", "0.01"],
    &["--format", "markdown"],
    &["--format", "html", "--min-probability", "0.01", "--all"],
];
