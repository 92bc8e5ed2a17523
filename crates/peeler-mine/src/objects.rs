//! Objects of a git repository: trees and blobs, with caches.
//!
//! Invariant: a cache changes no answer. It is emptied when it is full.

use std::rc::Rc;

use git2::{ObjectType, Odb, Oid, Repository};
use rustc_hash::FxHashMap;

/// The number of entries in cached git trees above which the cache is emptied.
const MOST_ENTRIES: usize = 1_000_000;
/// The maximum number of bytes of a file that is read. Longer files are taken for generated ones.
const MOST_BYTES: usize = 4_000_000;

/// The mode bits of a folder in git's trees.
const FOLDER: u32 = 0o040_000;
/// The mode bits of a regular file in git's trees.
const FILE: u32 = 0o100_000;
/// The bits of a mode in git's trees that tell folders, files and other entries apart.
const KIND: u32 = 0o170_000;

/// An entry of a git tree: a file, a folder or a link, with its name and object id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: Box<[u8]>,
    pub(crate) id: Oid,
    pub(crate) kind: EntryKind,
}

/// Whether an entry of a git tree is a folder, a file or something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// A folder, which is a git tree of its own.
    Folder,
    /// A regular file, executable or not.
    File,
    /// A symbolic link or a submodule.
    Other,
}

/// A reader of the trees and file contents of one git repository, with a cache of trees.
pub(crate) struct Objects<'g> {
    odb: Odb<'g>,
    trees: FxHashMap<Oid, Rc<[Entry]>>,
    cached_entries: usize,
}

impl<'g> Objects<'g> {
    /// Opens a reader of the trees and file contents of a git repository.
    pub(crate) fn open(repository: &'g Repository) -> Result<Self, git2::Error> {
        Ok(Self {
            odb: repository.odb()?,
            trees: FxHashMap::default(),
            cached_entries: 0,
        })
    }

    /// The entries of the git tree with this id, in the order in which git stores them.
    pub(crate) fn tree(&mut self, id: Oid) -> Result<Rc<[Entry]>, git2::Error> {
        if let Some(known) = self.trees.get(&id) {
            return Ok(Rc::clone(known));
        }
        let object = self.odb.read(id)?;
        if object.kind() != ObjectType::Tree {
            return Err(git2::Error::from_str("an object is no tree"));
        }
        let entries: Rc<[Entry]> = parsed(object.data())?.into();
        if self.cached_entries > MOST_ENTRIES {
            self.trees.clear();
            self.cached_entries = 0;
        }
        self.cached_entries += entries.len();
        self.trees.insert(id, Rc::clone(&entries));
        Ok(entries)
    }

    /// Calls `read` with the bytes of the git blob with this id. A blob of more than 4 MB is read as an empty one.
    pub(crate) fn with_blob<T>(&self, id: Oid, read: impl FnOnce(&[u8]) -> T) -> Result<T, git2::Error> {
        let object = self.odb.read(id)?;
        let bytes = object.data();
        Ok(read(if bytes.len() > MOST_BYTES { &[] } else { bytes }))
    }

    /// The text of the git blob with this id. Bytes that are not UTF-8 are replaced by `\u{FFFD}`.
    pub(crate) fn text(&self, id: Oid) -> Result<String, git2::Error> {
        self.with_blob(id, |bytes| String::from_utf8_lossy(bytes).into_owned())
    }
}

/// Parses a git tree object. Each entry is its mode, a space, its name, a zero byte and 20 bytes of the id.
fn parsed(mut bytes: &[u8]) -> Result<Vec<Entry>, git2::Error> {
    let broken = || git2::Error::from_str("a tree is broken");
    let mut entries = Vec::new();
    while !bytes.is_empty() {
        let space = bytes.iter().position(|it| *it == b' ').ok_or_else(broken)?;
        let zero = bytes
            .iter()
            .position(|it| *it == 0)
            .filter(|it| *it > space)
            .ok_or_else(broken)?;
        let id = bytes.get(zero + 1..zero + 21).ok_or_else(broken)?;
        let mode = std::str::from_utf8(&bytes[..space]).ok();
        let mode = mode.and_then(|it| u32::from_str_radix(it, 8).ok()).ok_or_else(broken)?;
        entries.push(Entry {
            name: bytes[space + 1..zero].into(),
            id: Oid::from_bytes(id)?,
            kind: match mode & KIND {
                FOLDER => EntryKind::Folder,
                FILE => EntryKind::File,
                _ => EntryKind::Other,
            },
        });
        bytes = &bytes[zero + 21..];
    }
    Ok(entries)
}
