//! How often and since when commits changed the files of tests, as a snapshot of the history knew it.

use std::collections::BTreeMap;

use peeler_features::content_hash;
use peeler_mine::FileActivity;
use serde::{Deserialize, Serialize};

/// The number of seconds in a year.
const YEAR: i64 = 365 * 86_400;
/// The number of years in which changes count. A file without a change in them counts as that old.
const YEARS: i64 = 3;

/// The recent changes of one test file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Changes {
    /// The number of commits that changed the file in the last three years.
    pub(crate) count: u32,
    /// The years since the first of these commits, at most three.
    pub(crate) years: f32,
}

impl Changes {
    /// A file that was added just now.
    const NEW: Self = Self { count: 1, years: 0.0 };

    /// A file that no commit changed in the last three years.
    #[expect(clippy::cast_precision_loss, reason = "a handful of years")]
    const NONE: Self = Self {
        count: 0,
        years: YEARS as f32,
    };
}

/// The recent changes of test files, by the hash of their path.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Activity(BTreeMap<u64, Changes>);

impl Activity {
    /// The changes of test files in the three years before a time, which is given in seconds since 1970. `present` are
    /// the paths of files at that time.
    pub(crate) fn before<'p>(files: &[FileActivity], now: i64, present: impl Iterator<Item = &'p str>) -> Self {
        let unchanged = present.map(|it| (content_hash(it.as_bytes()), Changes::NONE));
        let recent = |file: &FileActivity| {
            let known = file.seconds.iter().filter(|it| (now - YEARS * YEAR..now).contains(it));
            let first = known.clone().min()?;
            #[expect(clippy::cast_precision_loss, reason = "a few years in seconds")]
            let years = (now - first) as f32 / YEAR as f32;
            let changes = Changes {
                count: u32::try_from(known.count()).unwrap_or(u32::MAX),
                years,
            };
            Some((content_hash(file.path.as_bytes()), changes))
        };
        Self(unchanged.chain(files.iter().filter_map(recent)).collect())
    }

    /// The recent changes of the file with this path. A file that was not there is new.
    pub(crate) fn of(&self, path: &str) -> Changes {
        let known = self.0.get(&content_hash(path.as_bytes()));
        known.copied().unwrap_or(Changes::NEW)
    }
}

#[cfg(test)]
mod tests {
    use peeler_mine::FileActivity;

    use super::{Activity, Changes, YEAR};

    #[test]
    fn only_changes_of_the_three_years_before_count() {
        let file = FileActivity {
            path: "CartTest.java".to_owned(),
            seconds: vec![YEAR, 8 * YEAR, 9 * YEAR, 10 * YEAR, 11 * YEAR],
        };
        let activity = Activity::before(&[file], 10 * YEAR, ["CartTest.java", "OldTest.java"].into_iter());
        assert_eq!(activity.of("CartTest.java"), Changes { count: 2, years: 2.0 });
        assert_eq!(activity.of("OldTest.java"), Changes::NONE);
        assert_eq!(activity.of("NewTest.java"), Changes::NEW);
    }
}
