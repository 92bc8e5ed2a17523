//! Java that grows in one respect only: many branches, many fields, a long chain of calls.
//!
//! Every shape is a repository of a given size. The time of a scan should grow with the size, not faster.

use std::fmt::Write;

/// The files of a repository: path and text.
pub type Files = Vec<(String, String)>;

/// A way in which Java grows.
pub struct Shape {
    /// The name of the shape.
    pub name: &'static str,
    /// The largest size of the shape that is measured.
    pub most: usize,
    /// What a scan of the largest size may take.
    pub limits: Limits,
    /// The repository of a size.
    pub files: fn(usize) -> Files,
}

/// What a scan of a shape may take at its largest size.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The longest time of the scan.
    pub seconds: f64,
    /// The most memory of the scan.
    pub bytes: u64,
}

/// What a scan of one hostile class may take.
const ONE_CLASS: Limits = Limits {
    seconds: 5.0,
    bytes: 500_000_000,
};

/// What a scan of a repository may take that is larger than almost all.
const LARGE_REPOSITORY: Limits = Limits {
    seconds: 120.0,
    bytes: 4_000_000_000,
};

/// All shapes, with the largest size at which each has to end in seconds.
pub const SHAPES: [Shape; 38] = [
    shape("branches", 10_000, |n| {
        body(n, "int x = 3, y = 4;", |_| {
            "if (x > y) { x = y; } else { y = x + 1; } while (x < y) { x++; }".into()
        })
    }),
    shape("setups and fields", 20_000, |n| {
        class(&repeat(n, |i| {
            format!(
                "int f{i}; @Before public void s{i}() {{ f{i} = {i}; }} @Test public void t{i}() {{ assertEquals({i}, f{i}); }}\n"
            )
        }))
    }),
    shape("circle of helpers", 20_000, |n| {
        class(&repeat(n, |i| {
            let next = (i + 1) % n;
            format!(
                "@Test public void t{i}() {{ assertEquals(1, h{i}(2)); }} int h{i}(int x) {{ return h{next}(x); }}\n"
            )
        }))
    }),
    shape("local variables", 160_000, |n| {
        body(n, "int v = 1;", |i| {
            if i == 0 {
                "int v0 = v;".into()
            } else {
                format!("int v{i} = v{} + 1;", i - 1)
            }
        })
    }),
    shape("assertions", 400_000, |n| {
        body(n, "int x = 3;", |i| format!("assertEquals({i}, x);"))
    }),
    shape("chain of calls", 160_000, |n| {
        let chain = repeat(n, |i| format!(".append({i})"));
        test(&format!("assertEquals(\"\", new StringBuilder(){chain}.toString());"))
    }),
    shape("inherited tests", 4_000, |n| {
        let mut files = vec![file(
            "Base",
            &format!("public abstract class Base {{ int x; {} }}", repeat(20, tests_of_x)),
        )];
        files.extend((0..n / 20).map(|i| {
            file(
                &format!("C{i}Test"),
                &format!("public class C{i}Test extends Base {{ }}"),
            )
        }));
        files
    }),
    shape("nested blocks", 2_000, |n| {
        test(&format!(
            "int x = 1; {} x++; {} assertEquals(1, x);",
            "{".repeat(n),
            "}".repeat(n)
        ))
    }),
    shape("statements", 200_000, |n| {
        body(n, "int x = 0;", |i| format!("x = x + {i};"))
    }),
    shape("overloads", 20_000, |n| {
        let methods = repeat(n, |i| {
            format!("int m(T{i} a) {{ return {i}; }} static class T{i} {{ }}\n")
        });
        class(&format!(
            "{methods} @Test public void t() {{ assertEquals(1, m(new T3())); }}"
        ))
    }),
    shape("inheritance chain", 4_000, |n| {
        let mut files: Files = (1..n)
            .map(|i| file(&format!("C{i}"), &format!("class C{i} extends C{} {{ }}", i - 1)))
            .collect();
        files.push(file("C0", "class C0 { int m() { return 1; } }"));
        files.extend(test(&format!("assertEquals(1, new C{}().m());", n - 1)));
        files
    }),
    shape("brackets", 2_000, |n| {
        test(&format!(
            "int x = {}1{}; assertEquals(1, x);",
            "(".repeat(n),
            ")".repeat(n)
        ))
    }),
    shape("switch arms", 40_000, |n| {
        let arms = repeat(n, |i| format!("case {i}: x = {i}; break; "));
        test(&format!("int x = 1; switch (x) {{ {arms} }} assertEquals(1, x);"))
    }),
    shape("catch clauses", 20_000, |n| {
        let clauses = repeat(n, |i| format!("catch (E{i} e) {{ x = {i}; }} "));
        test(&format!("int x = 1; try {{ x = 2; }} {clauses} assertEquals(1, x);"))
    }),
    shape("lambdas in lambdas", 500, |n| {
        test(&format!(
            "run({} 1 {}); assertEquals(1, 1);",
            "() -> run(".repeat(n),
            ")".repeat(n)
        ))
    }),
    shape("concatenations", 100_000, |n| {
        test(&format!(
            "String s = \"a\"{}; assertEquals(\"\", s);",
            repeat(n, |i| format!(" + {i}"))
        ))
    }),
    shape("array values", 200_000, |n| {
        test(&format!(
            "int[] a = {{ {} }}; assertEquals(1, a[0]);",
            repeat(n, |i| format!("{i}, "))
        ))
    }),
    shape("annotations", 40_000, |n| {
        class(&format!(
            "{} @Test public void t() {{ assertTrue(true); }}",
            repeat(n, |i| format!("@A{i} int f{i};\n"))
        ))
    }),
    shape("generic types", 20_000, |n| {
        class(&repeat(n, |i| {
            format!(
                "<T{i} extends Comparable<T{i}>> Map<T{i}, List<T{i}>> g{i}(T{i} a) {{ return null; }} @Test public void t{i}() {{ assertNull(g{i}({i})); }}\n"
            )
        }))
    }),
    shape("records", 20_000, |n| {
        let records = repeat(n, |i| format!("record R{i}(int a, String b) {{ }}\n"));
        class(&format!(
            "{records} @Test public void t() {{ assertEquals(1, new R0(1, \"\").a()); }}"
        ))
    }),
    shape("nested classes", 300, |n| {
        let open = repeat(n, |i| format!("class N{i} {{ int f{i}; int m{i}() {{ return f{i}; }} "));
        class(&format!(
            "{open} {} @Test public void t() {{ assertTrue(true); }}",
            "}".repeat(n)
        ))
    }),
    shape("implementations", 20_000, |n| {
        let mut files: Files = (0..n)
            .map(|i| {
                file(
                    &format!("I{i}"),
                    &format!("class I{i} implements I {{ public int m() {{ return {i}; }} }}"),
                )
            })
            .collect();
        files.push(file("I", "interface I { int m(); }"));
        files.extend(test("I i = null; assertEquals(1, i.m());"));
        files
    }),
    shape("overriding chain", 4_000, |n| {
        let mut files: Files = (1..n)
            .map(|i| {
                file(
                    &format!("C{i}"),
                    &format!(
                        "class C{i} extends C{} {{ int m() {{ return super.m() + 1; }} }}",
                        i - 1
                    ),
                )
            })
            .collect();
        files.push(file("C0", "class C0 { int m() { return 1; } }"));
        files.extend(test(&format!("C0 c = new C{}(); assertEquals(1, c.m());", n - 1)));
        files
    }),
    shape("fields", 100_000, |n| {
        class(&format!(
            "{} @Test public void t() {{ assertEquals(1, f0); }}",
            repeat(n, |i| format!("int f{i} = {i};\n"))
        ))
    }),
    shape("imports", 100_000, |n| {
        let imports = repeat(n, |i| format!("import a.b.C{i};\n"));
        let (path, text) = class("@Test public void t() { assertTrue(true); }").remove(0);
        vec![(path, text.replacen("import", &format!("{imports}import"), 1))]
    }),
    shape("static imports", 20_000, |n| {
        let imports = repeat(n, |i| format!("import static a.b.C.m{i};\n"));
        let calls = repeat(n, |i| format!("m{i}();\n"));
        let (path, text) = class(&format!("@Test public void t() {{ {calls} assertTrue(true); }}")).remove(0);
        vec![(path, text.replacen("import", &format!("{imports}import"), 1))]
    }),
    shape("files in a package", 20_000, |n| {
        (0..n).map(|i| file(&format!("F{i}Test"), &format!("import org.junit.Test; public class F{i}Test {{ @Test public void t() {{ org.junit.Assert.assertEquals({i}, 2); }} }}"))).collect()
    }),
    shape("tests in a class", 40_000, |n| {
        class(&repeat(n, |i| {
            format!("@Test public void t{i}() {{ assertEquals({i}, {i} + 1); }}\n")
        }))
    }),
    shape("static fields written by tests", 10_000, |n| {
        class(&repeat(n, |i| {
            format!(
                "static int s{i}; @Test public void w{i}() {{ s{i} = 1; assertEquals(1, s{i}); }} @Test public void r{i}() {{ assertEquals(0, s{i}); }}\n"
            )
        }))
    }),
    shape("one static field written by all", 10_000, |n| {
        class(&format!(
            "static java.util.List<String> s = new java.util.ArrayList<>();\n{}",
            repeat(n, |i| {
                format!("@Test public void w{i}() {{ s.add(\"{i}\"); assertEquals({i}, s.size()); }}\n")
            })
        ))
    }),
    shape("puts into a map", 100_000, |n| {
        body(
            n,
            "java.util.Map<String, Integer> m = new java.util.HashMap<>();",
            |i| format!("m.put(\"k{i}\", {i});"),
        )
    }),
    shape("threads", 20_000, |n| {
        body(n, "int[] x = {0};", |i| {
            format!("new Thread(() -> x[0] = {i}).start();")
        })
    }),
    shape("sleeps", 40_000, |n| {
        body(n, "int x = 0;", |i| format!("Thread.sleep({i}); assertEquals({i}, x);"))
    }),
    shape("calls of calls", 2_000, |n| {
        class(&format!(
            "int m(int a) {{ return a; }} @Test public void t() {{ assertEquals(1, {}1{}); }}",
            "m(".repeat(n),
            ")".repeat(n)
        ))
    }),
    shape("helpers that call all later ones", 45_000, |calls| {
        let n = (2 * calls).isqrt();
        let helpers = repeat(n, |i| {
            format!(
                "int h{i}(int x) {{ return {}x; }}\n",
                repeat(n - i - 1, |j| format!("h{}(x) + ", i + j + 1))
            )
        });
        class(&format!(
            "{helpers} @Test public void t() {{ assertEquals(1, h0(2)); }}"
        ))
    }),
    shape("comments", 400_000, |n| {
        class(&format!(
            "{} @Test public void t() {{ assertTrue(true); }}",
            "// a comment\n".repeat(n)
        ))
    }),
    repository("files of a repository", 200_000, |n| {
        (0..n / 2)
            .flat_map(|i| service_and_test(&format!("p{}", i / 500), i, 1))
            .collect()
    }),
    repository("lines in one package", 1_000_000, |n| {
        let lines = LINES_OF_A_METHOD_AND_ITS_TEST * 100;
        (0..n / lines).flat_map(|i| service_and_test("p", i, 100)).collect()
    }),
];

const fn shape(name: &'static str, most: usize, files: fn(usize) -> Files) -> Shape {
    Shape {
        name,
        most,
        limits: ONE_CLASS,
        files,
    }
}

const fn repository(name: &'static str, most: usize, files: fn(usize) -> Files) -> Shape {
    Shape {
        name,
        most,
        limits: LARGE_REPOSITORY,
        files,
    }
}

/// The number of lines that a method of [`service_and_test`] and its test have together.
const LINES_OF_A_METHOD_AND_ITS_TEST: usize = 15;

/// A class with methods that call the class with the number before, and the tests of these methods.
fn service_and_test(package: &str, number: usize, methods: usize) -> Files {
    let before = number.saturating_sub(1);
    let service = repeat(methods, |i| {
        format!(
            "    Map<String, Integer> read{i}(String key) {{\n        Map<String, Integer> all = new HashMap<>();\n        \
             if (key.length() > {i}) {{\n            all.put(key, {i});\n        }}\n        \
             all.putAll(new Service{before}().read{i}(key + {i}));\n        return all;\n    }}\n"
        )
    });
    let tests = repeat(methods, |i| {
        format!(
            "    @Test\n    public void reads{i}() {{\n        service.start();\n        \
             Map<String, Integer> all = service.read{i}(\"key{i}\");\n        \
             assertEquals({i}, all.get(\"key{i}\").intValue());\n        assertEquals(\"{{key{i}={i}}}\", all.toString());\n    }}\n"
        )
    });
    let imports = "import static org.junit.Assert.*;\nimport java.util.*;\nimport org.junit.*;\n";
    vec![
        (
            format!("src/main/java/{package}/Service{number}.java"),
            format!(
                "package {package};\nimport java.util.*;\nclass Service{number} {{\n    void start() {{ }}\n{service}}}\n"
            ),
        ),
        (
            format!("src/test/java/{package}/Service{number}Test.java"),
            format!(
                "package {package};\n{imports}public class Service{number}Test {{\n    \
                 private final Service{number} service = new Service{number}();\n{tests}}}\n"
            ),
        ),
    ]
}

fn repeat(n: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for i in 0..n {
        let _ = write!(text, "{}", part(i));
    }
    text
}

fn tests_of_x(i: usize) -> String {
    format!("@Test public void t{i}() {{ assertEquals({i}, x); }}\n")
}

fn file(name: &str, text: &str) -> (String, String) {
    let imports = "import static org.junit.Assert.*;\nimport java.util.*;\nimport org.junit.*;\n";
    (
        format!("src/test/java/a/{name}.java"),
        format!("package a;\n{imports}{text}\n"),
    )
}

/// A test class with given members.
fn class(members: &str) -> Files {
    vec![file("ShapeTest", &format!("public class ShapeTest {{\n{members}\n}}"))]
}

/// A test class with one test.
fn test(statements: &str) -> Files {
    class(&format!("@Test public void t() throws Exception {{ {statements} }}"))
}

/// A test with many statements and an assertion at its end.
fn body(n: usize, before: &str, statement: impl Fn(usize) -> String) -> Files {
    let statements = repeat(n, |i| format!("{}\n", statement(i)));
    test(&format!("{before}\n{statements} assertTrue(true);"))
}
