//! Fuzz target of git histories, as `--since` reads them: objects, references, packed references and configuration.
//!
//! The input is the text of several files. A line `//// tree a` starts an object, `//// git packed-refs` a file of the
//! `.git` folder, `//// work shop/Cart.java` a file of the work tree, `//// revision` the revision. The text before the
//! first such line is a blob. `@a` in a tree, commit or file stands for the identifier of the object `a` before it.
#![no_main]

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use git2::{ObjectType, Oid, Repository, RepositoryInitOptions};
use libfuzzer_sys::fuzz_target;
use peeler_fuzz::bundle;
use peeler_fuzz::slowest::watched;
use tempfile::TempDir;

/// The most bytes of a name of a file that the input chooses.
const LONGEST_NAME: usize = 60;

thread_local! {
    /// The folder of the process, in memory where there is `/dev/shm`.
    static FOLDER: RefCell<TempDir> = RefCell::new(new_folder());
}

fn new_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() {
        TempDir::new_in(memory)
    } else {
        TempDir::new()
    };
    folder.expect("a folder for repositories")
}

/// A revision of a written repository, and the files of its work tree.
struct History {
    revision: String,
    work_tree: Vec<(String, Vec<u8>)>,
}

/// Writes the repository that an input describes; `None` if git refuses a part of it.
fn write(root: &Path, input: &[u8]) -> Option<History> {
    let mut options = RepositoryInitOptions::new();
    options.external_template(false).no_reinit(true);
    let git = Repository::init_opts(root, &options).ok()?;
    let mut revision = "HEAD".to_owned();
    let mut work_tree = Vec::new();
    let mut known: Vec<(String, Oid)> = Vec::new();
    for (name, mut bytes) in bundle::files(input, "blob first") {
        let (kind, name) = name.split_once(' ').unwrap_or((&name, ""));
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        let object = match kind {
            "blob" => Some((ObjectType::Blob, bytes.clone())),
            "tree" => Some((ObjectType::Tree, tree(&bytes, &known))),
            "commit" => Some((ObjectType::Commit, with_identifiers(&bytes, &known))),
            "tag" => Some((ObjectType::Tag, with_identifiers(&bytes, &known))),
            _ => None,
        };
        if let Some((kind, content)) = object {
            let id = git.odb().ok()?.write(kind, &content).ok()?;
            known.push((name.to_owned(), id));
        }
        let is_plain = !name.is_empty()
            && name.len() <= LONGEST_NAME
            && name
                .split('/')
                .all(|it| !it.is_empty() && !it.starts_with('.') && !it.contains('\0'));
        match kind {
            "git" if is_plain => {
                let path = root.join(".git").join(name);
                fs::create_dir_all(path.parent()?).ok()?;
                fs::write(path, with_identifiers(&bytes, &known)).ok()?;
            }
            "work" if is_plain => work_tree.push((name.to_owned(), bytes)),
            "revision" => revision = String::from_utf8_lossy(&bytes).into_owned(),
            _ => {}
        }
    }
    Some(History { revision, work_tree })
}

/// The content of a tree: lines `100644 Cart.java @a` become entries, other lines stay as they are.
fn tree(text: &[u8], known: &[(String, Oid)]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        let at = line.iter().rposition(|&byte| byte == b'@');
        let named = at.and_then(|at| Some((at, find(&String::from_utf8_lossy(&line[at + 1..]), known)?)));
        match named {
            Some((at, id)) => {
                out.extend(line[..at].strip_suffix(b" ").unwrap_or(&line[..at]));
                out.push(0);
                out.extend(id.as_bytes());
            }
            None => out.extend(line),
        }
    }
    out
}

/// Text in which `@a` is replaced by the hexadecimal identifier of the object `a`.
fn with_identifiers(text: &[u8], known: &[(String, Oid)]) -> Vec<u8> {
    let mut parts = text.split(|&byte| byte == b'@');
    let mut out = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        let length = part.iter().take_while(|it| it.is_ascii_alphanumeric()).count();
        match find(&String::from_utf8_lossy(&part[..length]), known) {
            Some(id) => out.extend(id.to_string().bytes()),
            None => out.extend([b"@", &part[..length]].concat()),
        }
        out.extend(&part[length..]);
    }
    out
}

fn find(name: &str, known: &[(String, Oid)]) -> Option<Oid> {
    known.iter().rev().find(|(it, _)| it == name).map(|(_, id)| *id)
}

/// The folder of the next repository, empty.
fn next_root(folder: &Path) -> PathBuf {
    let root = folder.join("repository");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).expect("a folder for a repository");
    root
}

fuzz_target!(|input: &[u8]| {
    watched(input.len(), || check(input));
});

fn check(input: &[u8]) {
    FOLDER.with_borrow(|folder| {
        let root = next_root(folder.path());
        if let Some(History { revision, work_tree }) = write(&root, input) {
            let _ = peeler::fuzzing::changed_tests(&root, &revision, work_tree);
        }
    });
}
