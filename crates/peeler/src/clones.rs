//! Git clones in folders, for commands that read many histories.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// A git clone with the name of its repository.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Clone {
    /// The folder of the clone, bare or not.
    pub(crate) path: PathBuf,
    /// The name of the repository by its folder: `owner/name` for `owner+name`.
    pub(crate) name: String,
}

/// The clones that the given folders are or contain, sorted by path. Repositories that the file `keep_out` names are
/// left out, by their folder or by the address of their remote. A note on standard error says so.
pub(crate) fn clones(folders: &[PathBuf], keep_out: Option<&Path>) -> anyhow::Result<Vec<Clone>> {
    let kept_out = match keep_out {
        Some(path) => names(path)?,
        None => HashSet::new(),
    };
    let mut found = Vec::new();
    for folder in folders {
        if let Some(path) = clone_in(folder) {
            found.push(path);
            continue;
        }
        let entries =
            std::fs::read_dir(folder).with_context(|| format!("cannot read {}; does it exist?", folder.display()))?;
        for entry in entries {
            found.extend(clone_in(&entry?.path()));
        }
    }
    found.sort();
    let named = found.into_iter().map(|path| Clone {
        name: name_of(&path),
        path,
    });
    let is_kept_out = |it: &Clone| {
        let names = [Some(it.name.clone()), remote_name(&it.path)];
        names.iter().flatten().any(|it| kept_out.contains(&it.to_lowercase()))
    };
    let (left_out, kept): (Vec<_>, Vec<_>) = named.partition(is_kept_out);
    for clone in left_out {
        eprintln!("note: {} is left out, because {} names it", clone.name, shown(keep_out));
    }
    Ok(kept)
}

fn shown(path: Option<&Path>) -> String {
    path.map(|it| it.display().to_string()).unwrap_or_default()
}

/// The clone that a folder is, or that it contains under the name `repo`.
fn clone_in(folder: &Path) -> Option<PathBuf> {
    let is_clone = |it: &PathBuf| it.join("HEAD").is_file() || it.join(".git").exists();
    [folder.to_owned(), folder.join("repo")].into_iter().find(is_clone)
}

/// The names of repositories in a file, one a line, in lower case.
pub(crate) fn names(path: &Path) -> anyhow::Result<HashSet<String>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}; does it exist?", path.display()))?;
    let names = text.lines().map(|it| it.trim().to_lowercase());
    Ok(names.filter(|it| !it.is_empty()).collect())
}

/// The name of a repository by the address of its remote; `None` if it has none.
pub(crate) fn remote_name(clone: &Path) -> Option<String> {
    let repository = git2::Repository::open(clone).ok()?;
    let remote = repository.find_remote("origin").ok()?;
    let address = remote
        .url()
        .ok()?
        .trim_end_matches('/')
        .trim_end_matches(".git")
        .to_owned();
    let mut parts = address.rsplit(['/', ':']);
    let (name, owner) = (parts.next()?, parts.next()?);
    Some(format!("{owner}/{name}"))
}

/// The name of a repository by its folder: `owner/name` for `owner+name`.
fn name_of(clone: &Path) -> String {
    let clone = clone.canonicalize().unwrap_or_else(|_| clone.to_owned());
    let named = clone
        .ancestors()
        .filter_map(Path::file_name)
        .map(|it| it.to_string_lossy());
    let mut named = named.filter(|it| it != "repo" && it != ".git");
    let name = named.next().unwrap_or_default();
    name.trim_end_matches(".git").replacen('+', "/", 1)
}

#[cfg(test)]
mod tests {
    use super::clones;

    #[test]
    fn clones_are_found_in_folders_and_kept_out_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["shop+cart/repo", "shop+order", "shop+secret/repo"] {
            git2::Repository::init_bare(folder.path().join(name)).expect("a repository");
        }
        let other = git2::Repository::init_bare(folder.path().join("other-name")).expect("a repository");
        other
            .remote("origin", "https://host/shop/secret.git")
            .expect("a remote");
        std::fs::create_dir(folder.path().join("notes")).expect("a folder");
        let keep_out = folder.path().join("keep-out.txt");
        std::fs::write(&keep_out, "Shop/Secret\n").expect("a file");
        let found = clones(&[folder.path().to_owned()], Some(&keep_out)).expect("it is read");
        let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["shop/cart", "shop/order"]);
    }
}
