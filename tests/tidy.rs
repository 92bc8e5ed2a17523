//! Tests of the rules of ARCHITECTURE.md: dependencies of crates, contents of files, and imports of modules.

mod dependencies;
mod modules;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dependencies::Packages;
use modules::{Segments, circles, paths};

/// The maximum number of lines of a file.
const MOST_LINES: usize = 450;
/// The maximum number of lines of a file of tests.
const MOST_LINES_OF_TESTS: usize = 700;

/// Dependencies that take long to compile or determine what a crate can do. Each belongs to one manifest.
const HEAVY: [&str; 8] = [
    "burn-core",
    "clap",
    "cudarc",
    "parquet",
    "plotters",
    "tree-sitter",
    "tree-sitter-java",
    "zstd",
];

/// The packages that one package of the workspace may and may not reach, dev-dependencies excluded.
struct Rule {
    package: &'static str,
    /// All packages of the workspace that the package may reach.
    ours: &'static [&'static str],
    /// External packages that the package must not reach, directly or indirectly.
    forbidden: &'static [&'static str],
}

const RULES: [Rule; 10] = [
    Rule {
        package: "peeler-features",
        ours: &[],
        forbidden: &[
            "anyhow",
            "burn-core",
            "clap",
            "git2",
            "ignore",
            "plotters",
            "rayon",
            "serde_json",
            "tree-sitter",
            "zstd",
        ],
    },
    Rule {
        package: "peeler-learning",
        ours: &["peeler-features"],
        forbidden: &[
            "anyhow",
            "burn-core",
            "clap",
            "git2",
            "ignore",
            "plotters",
            "serde_json",
            "tree-sitter",
            "zstd",
        ],
    },
    Rule {
        package: "peeler-analysis",
        ours: &["peeler-features"],
        forbidden: &[
            "anyhow",
            "burn-core",
            "clap",
            "git2",
            "indicatif",
            "plotters",
            "serde_json",
            "zstd",
        ],
    },
    Rule {
        package: "peeler-cuda",
        ours: &[],
        forbidden: &[
            "anyhow",
            "burn-core",
            "clap",
            "git2",
            "rayon",
            "serde_json",
            "tree-sitter",
            "zstd",
        ],
    },
    Rule {
        package: "peeler-model",
        ours: &["peeler-cuda", "peeler-features", "peeler-learning"],
        forbidden: &["clap", "git2", "indicatif", "plotters", "tree-sitter", "zstd"],
    },
    Rule {
        package: "peeler-rerun",
        ours: &["peeler-features", "peeler-learning"],
        forbidden: &[
            "anyhow",
            "burn-core",
            "clap",
            "git2",
            "indicatif",
            "plotters",
            "tree-sitter",
            "zstd",
        ],
    },
    Rule {
        package: "peeler-eval",
        ours: &["peeler-analysis", "peeler-features", "peeler-learning"],
        forbidden: &["anyhow", "burn-core", "clap", "git2", "indicatif", "serde_json"],
    },
    Rule {
        package: "peeler-mine",
        ours: &["peeler-analysis", "peeler-features"],
        forbidden: &[
            "anyhow",
            "burn-core",
            "clap",
            "indicatif",
            "plotters",
            "serde_json",
            "zstd",
        ],
    },
    Rule {
        package: "peeler",
        ours: &[
            "peeler-analysis",
            "peeler-cuda",
            "peeler-eval",
            "peeler-features",
            "peeler-learning",
            "peeler-mine",
            "peeler-model",
            "peeler-rerun",
        ],
        forbidden: &[],
    },
    Rule {
        package: "peeler-benches",
        ours: &[
            "peeler-analysis",
            "peeler-cuda",
            "peeler-eval",
            "peeler-features",
            "peeler-learning",
            "peeler-model",
        ],
        forbidden: &["clap", "git2"],
    },
];

/// The file that starts workers of fleet scans, which are processes of this program.
const WORKERS: &str = "crates/peeler/src/fleet/worker_process.rs";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files below a folder, sorted, with `/` between the components of their paths.
fn rust_files(folder: &str) -> Vec<(String, String)> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|it| it == "rs") {
                found.push(path);
            }
        }
    }
    let mut files = Vec::new();
    collect(&root().join(folder), &mut files);
    files.sort();
    let named = files.into_iter().map(|file| {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let name = file.strip_prefix(root()).expect("a file of the repository");
        (name.to_string_lossy().replace('\\', "/"), text)
    });
    named.collect()
}

/// Names of the folders in `crates/`.
fn crates() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("crates")).expect("the crates");
    let mut names: Vec<String> = entries
        .map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The dependency graph, computed once.
fn packages() -> &'static Packages {
    static PACKAGES: OnceLock<Packages> = OnceLock::new();
    PACKAGES.get_or_init(|| Packages::of(root()))
}

#[test]
fn every_package_reaches_what_its_rule_lets_it_reach() {
    let packages = packages();
    let ruled: BTreeSet<&str> = RULES.iter().map(|it| it.package).collect();
    assert_eq!(ruled, packages.ours(), "every package of the workspace has a rule");
    let mut broken = Vec::new();
    for rule in &RULES {
        for (name, chain) in packages.reached(rule.package) {
            let is_ours = packages.ours().contains(name);
            if rule.forbidden.contains(&name) || is_ours && !rule.ours.contains(&name) {
                broken.push(chain);
            }
        }
    }
    assert!(broken.is_empty(), "forbidden dependencies:\n{}", broken.join("\n"));
}

#[test]
fn tree_sitter_is_reached_through_the_analysis_alone() {
    let packages = packages();
    let readers: Vec<&str> = RULES
        .iter()
        .map(|it| it.package)
        .filter(|it| packages.reached(it).contains_key("tree-sitter"))
        .collect();
    let expected = [
        "peeler-analysis",
        "peeler-eval",
        "peeler-mine",
        "peeler",
        "peeler-benches",
    ];
    assert_eq!(readers, expected);
}

#[test]
fn every_heavy_dependency_stands_in_one_manifest() {
    let packages = packages();
    for dependency in HEAVY {
        let ours = packages.ours().into_iter().filter(|it| *it != "peeler-benches");
        let manifests: Vec<&str> = ours.filter(|it| packages.declared(it).contains(dependency)).collect();
        assert_eq!(manifests.len(), 1, "{dependency} stands in {manifests:?}");
    }
    let readers = packages
        .ours()
        .into_iter()
        .filter(|it| packages.declared(it).contains("git2"));
    assert_eq!(readers.collect::<Vec<_>>(), ["peeler", "peeler-mine"]);
    let binary = packages.declared("peeler");
    for forbidden in ["burn-core", "ignore", "rayon", "tree-sitter"] {
        assert!(!binary.contains(forbidden), "peeler itself depends on {forbidden}");
    }
}

/// Whether a path contains all of the words consecutively.
fn names(path: &[String], words: &[&str]) -> bool {
    path.windows(words.len()).any(|it| it == words)
}

/// The files of a folder, outside of tests, that contain a path for which `check` is true.
fn files_with(folder: &str, check: impl Fn(&[String]) -> bool) -> Vec<String> {
    let files = rust_files(folder).into_iter().filter(|(name, _)| !is_test(name));
    let found = files.filter(|(_, text)| paths(&[], text).iter().any(|it| check(&it.segments)));
    found.map(|(name, _)| name).collect()
}

#[test]
fn only_the_syntax_of_the_analysis_knows_tree_sitter() {
    let files = files_with("crates", |path| path[0].starts_with("tree_sitter"));
    assert!(!files.is_empty(), "the rule sees imports");
    for file in files {
        assert!(
            file.starts_with("crates/peeler-analysis/src/syntax/"),
            "{file} knows tree-sitter"
        );
    }
}

#[test]
fn below_the_commands_one_module_reads_files_and_one_replaces_them() {
    let reads = |path: &[String]| names(path, &["std", "fs"]) || names(path, &["fs", "File"]) || path[0] == "File";
    let files: Vec<String> = ["peeler-analysis", "peeler-features", "peeler-learning"]
        .iter()
        .flat_map(|it| files_with(&format!("crates/{it}/src"), reads))
        .collect();
    let expected = [
        "crates/peeler-analysis/src/repository.rs",
        "crates/peeler-learning/src/atomic_file.rs",
    ];
    assert_eq!(files, expected);
}

#[test]
fn only_reruns_and_fleets_start_processes() {
    let files = files_with("crates", |path| names(path, &["process", "Command"]));
    assert!(!files.is_empty(), "the rule sees imports");
    for file in files {
        let is_allowed = file.starts_with("crates/peeler-rerun/src/") || file == WORKERS;
        assert!(is_allowed, "{file} starts processes");
    }
    for file in files_with("crates/peeler/src", |path| names(path, &["peeler_rerun", "jvm"])) {
        assert!(file.contains("/commands/confirm"), "{file} starts JVMs");
    }
}

/// Whether a file contains only tests.
fn is_test(file: &str) -> bool {
    file.ends_with("/tests.rs") || file.split('/').any(|it| it == "tests")
}

#[test]
fn one_idea_a_file() {
    let mut long = Vec::new();
    for (name, text) in ["crates", "benches", "tests"].into_iter().flat_map(rust_files) {
        let lines = text.lines().count();
        let most = if is_test(&name) {
            MOST_LINES_OF_TESTS
        } else {
            MOST_LINES
        };
        if lines > most {
            long.push(format!("{name} has {lines} lines"));
        }
    }
    assert!(long.is_empty(), "above {MOST_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn every_source_file_has_a_row_in_the_architecture() {
    let architecture = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let mut missing = Vec::new();
    for name in crates() {
        let folder = format!("crates/{name}/src/");
        let (_, table) = architecture
            .split_once(&format!("| file in `{folder}` |"))
            .unwrap_or_else(|| panic!("a table of {folder}"));
        let table = table.split("\n\n").next().unwrap_or_default();
        let files = rust_files(&folder).into_iter().filter(|(file, _)| !is_test(file));
        missing.extend(files.map(|(file, _)| file).filter(|file| {
            let file = file.rsplit_once("/src/").expect("a file in src").1;
            !table.contains(&format!("\n| `{file}` |"))
        }));
    }
    assert!(
        missing.is_empty(),
        "without a row in ARCHITECTURE.md:\n{}",
        missing.join("\n")
    );
}

/// The name of the module in a file of a crate: `symbols/index.rs` is `symbols::index`, `lib.rs` has none.
fn module(file: &str) -> String {
    let mut name: Segments = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if ["lib", "main", "mod"].contains(&name[name.len() - 1].as_str()) {
        name.pop();
    }
    name.join("::")
}

#[test]
fn no_modules_of_a_crate_import_each_other_in_a_circle() {
    let mut found = Vec::new();
    for name in crates() {
        let folder = format!("crates/{name}/src");
        let files = rust_files(&folder);
        let sources: Vec<(String, &str)> = files
            .iter()
            .filter(|(file, _)| !is_test(file))
            .map(|(file, text)| (module(&file[folder.len() + 1..]), text.as_str()))
            .collect();
        assert!(!sources.is_empty(), "{name} has modules");
        let sources: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        found.extend(
            circles(&sources)
                .into_iter()
                .map(|it| format!("{name}: {}", it.join(", "))),
        );
    }
    assert!(found.is_empty(), "circles of imports:\n{}", found.join("\n"));
}

#[test]
fn a_made_circle_is_found() {
    let circle = |sources: &[(&str, &str)]| -> Vec<String> { circles(sources).iter().map(|it| it.join(" ")).collect() };
    let none: [&str; 0] = [];
    let by_imports = [
        ("cart", "use crate::order::{Order, Line as Other};"),
        ("order", "use std::fmt; use super::{price, price::Price};"),
        ("price", "pub(crate) struct Price(crate::cart::Cart);"),
        ("tax", "use crate::cart::Cart;"),
    ];
    assert_eq!(circle(&by_imports), ["cart order price"]);
    assert_eq!(circle(&by_imports[..2]), none);

    let parent_and_child = [
        ("shop", "mod cart; pub(crate) struct Shop; fn open() { cart::fill() }"),
        ("shop::cart", "use super::Shop;"),
    ];
    assert_eq!(circle(&parent_and_child), ["shop shop::cart"]);
    let declared_alone = [("shop", "mod cart; struct Shop;"), parent_and_child[1]];
    assert_eq!(circle(&declared_alone), none);

    let through_the_root = [
        ("", "mod cart; mod order; pub use order::Order as Purchase;"),
        ("cart", "fn of(order: crate::Purchase) {}"),
        ("order", "use crate::cart::of;"),
    ];
    assert_eq!(circle(&through_the_root), ["cart order"]);
}

#[test]
fn tests_comments_and_texts_import_nothing() {
    let sources = [
        ("cart", "use crate::order::Order;"),
        (
            "order",
            "//! `crate::cart`\n fn text() -> &'static str { \"crate::cart::Cart\" }\n\
             #[cfg(test)] use crate::cart::{Cart, fill};\n #[cfg(test)] mod tests { use crate::cart::Cart; }\n\
             #[cfg(all(test, unix))] fn made() { crate::cart::fill() }",
        ),
    ];
    assert_eq!(circles(&sources), Vec::<Vec<String>>::new());
}

#[test]
fn unsafe_code_is_beside_the_card_alone() {
    let crates = crates();
    let lax = crates.iter().filter(|name| {
        let manifest = root().join("crates").join(name).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).unwrap_or_default();
        // The manifest of the binary is the one at the root.
        !manifest.is_empty() && !manifest.contains("[lints]\nworkspace = true")
    });
    assert_eq!(lax.collect::<Vec<_>>(), ["peeler-cuda"]);
    let allowing: Vec<String> = rust_files("crates")
        .into_iter()
        .filter(|(_, text)| text.contains("(unsafe_code"))
        .map(|(name, _)| name)
        .collect();
    let expected = ["driver", "queue"].map(|it| format!("crates/peeler-cuda/src/{it}.rs"));
    assert_eq!(allowing, expected);
}
