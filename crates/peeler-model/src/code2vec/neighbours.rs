//! Nearest neighbours of sub-tokens: those whose vectors have the smallest angle.

use peeler_features::texts::Texts;

/// The words whose nearest neighbours a card shows, because they matter for flaky tests.
pub(super) const SHOWN: [&str; 20] = [
    "sleep",
    "await",
    "random",
    "hash",
    "thread",
    "time",
    "socket",
    "port",
    "file",
    "retry",
    "timeout",
    "lock",
    "concurrent",
    "unordered",
    "now",
    "millis",
    "zone",
    "locale",
    "static",
    "shutdown",
];

/// The sub-tokens of a table with vectors of one width, nearest to the sub-token of `row` first, with their cosines.
pub(super) fn neighbours<'w>(
    words: &'w Texts,
    table: &[f32],
    width: usize,
    row: usize,
    count: usize,
) -> Vec<(&'w str, f32)> {
    let vector = |row: usize| &table[row * width..][..width];
    let length = |row: usize| vector(row).iter().map(|it| it * it).sum::<f32>().sqrt();
    let cosine = |other: usize| {
        let product: f32 = vector(row).iter().zip(vector(other)).map(|(a, b)| a * b).sum();
        product / (length(row) * length(other)).max(f32::MIN_POSITIVE)
    };
    // Names of rows in angle brackets are no words.
    let others = (0..words.len()).filter(|it| *it != row && !words.get(*it).starts_with('<'));
    let mut found: Vec<(usize, f32)> = others.map(|it| (it, cosine(it))).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(count);
    found
        .into_iter()
        .map(|(row, cosine)| (words.get(row), cosine))
        .collect()
}
