//! A git repository of a small Java project, and the binary on it.
//!
//! ```text
//! let history = History::new();                             one commit
//! history.edit("Cart.java", "toString", "hashCode");        in the work tree
//! history.since("HEAD")                                     the tests that a scan looks at
//! ```

// Every test file compiles this module separately and uses only a part of it.
#![allow(dead_code)]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{self, Ran};

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

pub(crate) const CLOCK_TEST: &str = r#"package shop;

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

pub(crate) const FILES: [(&str, &str); 6] = [
    ("src/test/java/shop/CartTest.java", CART_TEST),
    ("src/test/java/shop/ShopTest.java", SHOP_TEST),
    ("src/test/java/shop/ClockTest.java", CLOCK_TEST),
    ("src/main/java/shop/Cart.java", CART),
    ("src/main/java/shop/Sums.java", SUMS),
    ("src/main/java/shop/Clock.java", CLOCK),
];

pub(crate) const NOTHING: [&str; 0] = [];

/// A git repository with one commit of the files above.
pub(crate) struct History(pub(crate) tempfile::TempDir);

impl History {
    pub(crate) fn new() -> Self {
        let history = Self(tempfile::tempdir().expect("a temporary folder"));
        history.git(&["init", "--quiet", "--initial-branch", "main"]);
        for (path, text) in FILES {
            history.write(path, text);
        }
        history.commit();
        history
    }

    pub(crate) fn path(&self, path: &str) -> std::path::PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    /// Replaces text in the file with this name.
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let (path, _) = FILES.iter().find(|(path, _)| path.ends_with(name)).expect("a file");
        let text = std::fs::read_to_string(self.path(path)).expect("a file");
        assert!(text.contains(from), "{name} holds {from}");
        self.write(path, &text.replace(from, to));
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        git(self.0.path(), arguments);
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "a change"]);
    }

    /// The methods of the tests that a scan with `--since` checks, whatever their probability.
    pub(crate) fn since(&self, revision: &str) -> Vec<String> {
        changed(self.0.path(), ".", revision)
    }

    /// The tests that an edit affects, checked before and after the edit is committed.
    pub(crate) fn after(name: &str, from: &str, to: &str) -> Vec<String> {
        let history = Self::new();
        history.edit(name, from, to);
        let found = history.since("HEAD");
        history.commit();
        assert_eq!(history.since("HEAD~1"), found);
        assert_eq!(history.since("HEAD"), NOTHING);
        found
    }
}

pub(crate) fn git(folder: &Path, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.args(arguments)
        .current_dir(folder)
        // A git hook that runs these tests sets variables for its own repository.
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
        .env("GIT_COMMITTER_DATE", "2024-01-01T00:00:00Z");
    Ran::of(&mut git).ended(0);
}

/// Runs a scan in a folder.
pub(crate) fn peeler(folder: &Path, arguments: &[&str]) -> Ran {
    Ran::of(support::peeler().arg("scan").args(arguments).current_dir(folder))
}

pub(crate) fn scan(folder: &Path, path: &str, revision: &str) -> Value {
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
    peeler(folder, &arguments).json()
}

pub(crate) fn changed(folder: &Path, path: &str, revision: &str) -> Vec<String> {
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
