//! The methods of the literature in a build without training, which has none of them.

use std::path::Path;

use anyhow::bail;

use crate::scorer::Scorer;

/// The name of the file of a trained method in a model's folder.
pub(crate) const FILE: &str = "rival.peeler";
/// The names of the methods that a build with training has.
const NAMES: [&str; 2] = ["flast", "vocabulary"];

/// Returns an error if `wanted` is a method of the literature, and `None` otherwise.
pub(crate) fn load(wanted: &Path) -> anyhow::Result<Option<Box<dyn Scorer>>> {
    if NAMES.iter().any(|it| Path::new(it) == wanted) || wanted.join(FILE).is_file() {
        bail!(
            "{} is a method of the literature, and this program was built without them; build it with default features",
            wanted.display()
        );
    }
    Ok(None)
}

/// The file of the built-in method of this name: there is none.
pub(crate) fn shipped(_: &Path) -> Option<&'static [u8]> {
    None
}
