//! Finds the known names that are nearest to a mistyped one, for error messages.

/// The maximum number of known names that an error message suggests for a mistyped one.
const MOST: usize = 3;

/// The known names with the fewest differences from a mistyped one, nearest first. Left out are names whose differences
/// exceed a third of its length.
pub(crate) fn nearest<'n>(mistyped: &str, known: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let typed = mistyped.to_lowercase();
    let far = typed.chars().count() / 3;
    let mut near: Vec<(usize, &str)> = known
        .map(|name| (differences(&typed, &name.to_lowercase()), name))
        .filter(|(count, _)| *count <= far)
        .collect();
    near.sort_unstable();
    near.truncate(MOST);
    near.into_iter().map(|(_, name)| name).collect()
}

/// The number of letters to insert, delete or replace to turn one text into the other (Levenshtein).
fn differences(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.chars().enumerate() {
        let mut line = vec![row + 1];
        for (at, same) in other.iter().enumerate() {
            let replaced = above[at] + usize::from(letter != *same);
            line.push(replaced.min(above[at + 1] + 1).min(line[at] + 1));
        }
        above = line;
    }
    above[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_first_and_far_ones_not_at_all() {
        let known = ["fixed-port", "fixed-path", "real-network"];
        assert_eq!(nearest("fixed-prt", known.into_iter()), ["fixed-port", "fixed-path"]);
        assert_eq!(nearest("Real-Netwrk", known.into_iter()), ["real-network"]);
        assert_eq!(nearest("weather", known.into_iter()), Vec::<&str>::new());
    }

    #[test]
    fn differences_are_insertions_deletions_and_replacements() {
        for (one, other, count) in [
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("kitten", "sitting", 3),
            ("ab", "b", 1),
        ] {
            assert_eq!(differences(one, other), count, "{one} {other}");
        }
    }
}
