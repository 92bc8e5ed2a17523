//! Reads the catalogues that are built into Peeler, the TOML files in `catalogue/`.

use serde::de::DeserializeOwned;

/// The catalogue that a text in TOML describes.
///
/// The text is parsed into plain values first. To read the many types of the catalogues from the text itself would
/// compile the parser once for each of them.
///
/// # Panics
///
/// If the text is not well-formed. It is part of the program, so tests would see that.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> T {
    let values: toml::Table = text.parse().expect("the catalogue is TOML");
    values.try_into().expect("the catalogue is well-formed")
}
