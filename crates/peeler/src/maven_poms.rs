//! The POM of a source archive in a local Maven repository, and the parents of the POM.
//!
//! ```text
//! com/acme/till/1.0/till-1.0-sources.jar   the archive
//! com/acme/till/1.0/till-1.0.pom           its POM, which names com.acme:all:2 as its parent
//! com/acme/all/2/all-2.pom                 that parent
//! ```

use std::path::{Path, PathBuf};

/// The most parents of a POM that are read, so that two that name each other end.
const MOST_PARENTS: usize = 8;

/// The texts of the POM beside an archive and of its parents, as far as they are there.
pub(crate) fn poms_of(archive: &Path) -> Vec<String> {
    let stem = archive.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.strip_suffix("-sources").unwrap_or(&stem);
    let mut next = Some(archive.with_file_name(format!("{stem}.pom")));
    let mut poms = Vec::new();
    while let Some(path) = next.take_if(|_| poms.len() <= MOST_PARENTS) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            break;
        };
        next = parent(&text, archive);
        poms.push(text);
    }
    poms
}

/// The POM that a POM names as its parent, in the local repository that contains `archive`.
fn parent(pom: &str, archive: &Path) -> Option<PathBuf> {
    let parent = element(pom, "parent")?;
    let [group, artifact, version] = ["groupId", "artifactId", "version"].map(|it| element(parent, it));
    let (artifact, version) = (artifact?, version?);
    let place = format!(
        "{}/{artifact}/{version}/{artifact}-{version}.pom",
        group?.replace('.', "/")
    );
    let folders = archive.ancestors().skip(1);
    folders.map(|it| it.join(&place)).find(|it| it.exists())
}

/// The content of the first element with this name.
fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (content, _) = rest.split_once(&format!("</{name}>"))?;
    Some(content.trim())
}
