//! Similarity of two texts by their lines.

use rustc_hash::FxHashMap;

/// The share of lines that two texts have in common, between 0 and 1. White space around lines, empty lines and lines
/// with only `}` do not count.
pub(crate) fn similarity(a: &str, b: &str) -> f64 {
    let mut counts: FxHashMap<&str, i64> = FxHashMap::default();
    let mut all = 0_u32;
    for line in lines(a) {
        *counts.entry(line).or_default() += 1;
        all += 1;
    }
    let mut common = 0_u32;
    for line in lines(b) {
        all += 1;
        if let Some(count) = counts.get_mut(line).filter(|it| **it > 0) {
            *count -= 1;
            common += 1;
        }
    }
    if all == 0 {
        0.0
    } else {
        2.0 * f64::from(common) / f64::from(all)
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|it| !it.is_empty() && *it != "}")
}

#[cfg(test)]
mod tests {
    use super::similarity;

    #[test]
    fn equal_texts_are_alike_and_others_are_not() {
        assert!((similarity("a\n b\n}", "a\nb\n\n") - 1.0).abs() < 1e-9);
        assert!((similarity("a\nb", "a\nc") - 0.5).abs() < 1e-9);
        assert!(similarity("", "").abs() < 1e-9);
    }
}
