//! Renamed files of a commit: a deleted and an added file with the same content, the same name or similar lines.

use git2::Oid;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::objects::Objects;
use crate::similarity::similarity;
use crate::tree_changes::ChangedFile;

/// The maximum number of unmatched deleted files, and of unmatched added files, whose lines are compared to find
/// renames. With more, none are compared.
const MOST_COMPARED: usize = 20;
/// The minimum share of equal lines at which a deleted and an added file count as one renamed file.
const LEAST_SIMILARITY: f64 = 0.5;

/// A file that a commit renames: its paths and content ids before and after the commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rename {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) old: Oid,
    pub(crate) new: Oid,
}

/// The renamed files among the changed files of a commit, sorted by old path.
pub(crate) fn renames(objects: &Objects<'_>, files: &[ChangedFile]) -> Result<Vec<Rename>, git2::Error> {
    let mut deleted: Vec<(&str, Oid)> = files
        .iter()
        .filter(|it| it.new.is_none())
        .filter_map(|it| Some((it.path.as_str(), it.old?)))
        .collect();
    let mut added: Vec<(&str, Oid)> = files
        .iter()
        .filter(|it| it.old.is_none())
        .filter_map(|it| Some((it.path.as_str(), it.new?)))
        .collect();
    let mut found = Vec::new();
    if deleted.is_empty() || added.is_empty() {
        return Ok(found);
    }
    pair_by(&mut deleted, &mut added, &mut found, |(_, id)| id.as_bytes().to_vec());
    pair_by(&mut deleted, &mut added, &mut found, |(path, _)| {
        file_name(path).as_bytes().to_vec()
    });
    if deleted.len() <= MOST_COMPARED && added.len() <= MOST_COMPARED {
        let texts = |files: &[(&str, Oid)]| -> Result<Vec<String>, git2::Error> {
            files.iter().map(|(_, id)| objects.text(*id)).collect()
        };
        let (old_texts, new_texts) = (texts(&deleted)?, texts(&added)?);
        let mut is_taken = vec![false; added.len()];
        for (old, (from, old_id)) in old_texts.iter().zip(&deleted) {
            let mut best: Option<(f64, usize)> = None;
            for (at, new) in new_texts.iter().enumerate().filter(|(at, _)| !is_taken[*at]) {
                let likeness = similarity(old, new);
                if likeness >= LEAST_SIMILARITY && best.is_none_or(|(most, _)| likeness > most) {
                    best = Some((likeness, at));
                }
            }
            if let Some((_, at)) = best {
                is_taken[at] = true;
                found.push(rename((from, *old_id), added[at]));
            }
        }
    }
    found.sort_unstable_by(|a, b| a.from.cmp(&b.from));
    Ok(found)
}

fn rename((from, old): (&str, Oid), (to, new): (&str, Oid)) -> Rename {
    Rename {
        from: from.to_owned(),
        to: to.to_owned(),
        old,
        new,
    }
}

/// Finds renames: a deleted and an added file with the same `key`, which no other deleted or added file has. They move
/// from the two lists to `found`.
fn pair_by<'p>(
    deleted: &mut Vec<(&'p str, Oid)>,
    added: &mut Vec<(&'p str, Oid)>,
    found: &mut Vec<Rename>,
    key: impl Fn(&(&'p str, Oid)) -> Vec<u8>,
) {
    let mut by_key: FxHashMap<Vec<u8>, Vec<(&'p str, Oid)>> = FxHashMap::default();
    for file in added.iter() {
        by_key.entry(key(file)).or_default().push(*file);
    }
    let mut counts: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
    for file in deleted.iter() {
        *counts.entry(key(file)).or_default() += 1;
    }
    let mut taken: FxHashSet<&'p str> = FxHashSet::default();
    deleted.retain(|file| {
        let name = key(file);
        match by_key.get(&name) {
            Some(targets) if targets.len() == 1 && counts[&name] == 1 => {
                found.push(rename(*file, targets[0]));
                taken.insert(targets[0].0);
                false
            }
            _ => true,
        }
    });
    added.retain(|it| !taken.contains(it.0));
}

/// The last component of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
