//! The folders of a project that may be modules of its build.

use std::path::{Path, PathBuf};

/// The folder `root` and those below it that may be modules of a build, sorted by path.
///
/// Hidden folders and folders such as `src` and `target` are left out.
pub(super) fn folders(root: &Path) -> Vec<PathBuf> {
    const DEEPEST: usize = 8;
    let mut found = vec![root.to_owned()];
    let mut level = found.clone();
    for _ in 0..DEEPEST {
        let mut next = Vec::new();
        for folder in level {
            let Ok(entries) = folder.read_dir() else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
                if is_folder && !name.starts_with('.') && !matches!(&*name, "src" | "target" | "build" | "node_modules")
                {
                    next.push(entry.path());
                }
            }
        }
        found.extend(next.iter().cloned());
        level = next;
    }
    found.sort();
    found
}
