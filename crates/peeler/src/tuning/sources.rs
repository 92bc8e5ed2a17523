//! The sources of a repository at a commit, without markers, and with older versions of single files.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::Context;
use peeler_analysis::Repository;
use peeler_mine::stripped;

use super::labels::Label;
use crate::fleet::list::Entry;
use crate::fleet::sources::Sources;

/// The maximum number of versions of one file that are laid over a snapshot, one after the other.
const MOST_LAYERS: usize = 4;

/// The Java files of a repository at one commit, without markers.
pub(crate) struct StrippedSources {
    /// The files by path.
    files: BTreeMap<String, Vec<u8>>,
}

impl StrippedSources {
    /// Reads the files of a commit in the clone at `path`.
    pub(crate) fn at(path: &Path, commit: &str) -> anyhow::Result<Self> {
        let entry = Entry {
            name: path.display().to_string(),
            path: path.display().to_string(),
            revision: Some(commit.to_owned()),
        };
        let read = Sources::open(&entry)?;
        let repository = read.repository.with_context(|| {
            format!(
                "{} has no Java files at {commit}; give a Java repository",
                path.display()
            )
        })?;
        Ok(Self::of(&repository))
    }

    /// The files of a repository that was read before, without markers.
    pub(crate) fn of(repository: &Repository) -> Self {
        let file = |it: &peeler_analysis::SourceFile| (it.path().to_owned(), stripped(it.text()).into_bytes());
        Self {
            files: repository.files().iter().map(file).collect(),
        }
    }

    /// The files as a repository to analyse.
    pub(crate) fn repository(&self) -> Repository {
        Repository::from_sources(self.files.clone().into_iter().collect())
    }

    /// Repositories in which files of labelled tests are as they were when the tests were flaky, with the indices of
    /// the labels that each shows. Labels whose file cannot be read are in none of them.
    pub(crate) fn layers(&self, path: &Path, labels: &[Label]) -> anyhow::Result<Vec<(Repository, Vec<usize>)>> {
        let git = git2::Repository::discover(path)
            .with_context(|| format!("cannot open the git repository {}", path.display()))?;
        let mut versions: BTreeMap<&str, Vec<(&str, Vec<usize>)>> = BTreeMap::new();
        for (at, label) in labels.iter().enumerate().filter(|(_, it)| !it.date.is_empty()) {
            let known = versions.entry(&label.path).or_default();
            match known.iter_mut().find(|(commit, _)| *commit == label.commit) {
                Some((_, shown)) => shown.push(at),
                None => known.push((&label.commit, vec![at])),
            }
        }
        let mut layers = Vec::new();
        for layer in 0..MOST_LAYERS {
            let mut changed: HashMap<&str, Vec<u8>> = HashMap::new();
            let mut shown = Vec::new();
            for (path, versions) in &versions {
                let Some((commit, labels)) = versions.get(layer) else {
                    continue;
                };
                let blob = git.revparse_single(&format!("{commit}:{path}"));
                let Some(blob) = blob.ok().and_then(|it| it.into_blob().ok()) else {
                    continue;
                };
                let text = String::from_utf8_lossy(blob.content());
                changed.insert(path, stripped(&text).into_bytes());
                shown.extend(labels);
            }
            if changed.is_empty() {
                break;
            }
            let mut files = self.files.clone();
            files.extend(changed.into_iter().map(|(path, text)| (path.to_owned(), text)));
            layers.push((Repository::from_sources(files.into_iter().collect()), shown));
        }
        Ok(layers)
    }
}
