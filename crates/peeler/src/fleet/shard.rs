//! A shard: the part of a list that one task of a fleet scans.
//!
//! A repository belongs to shard `I` of `N` if `XXH3_64(name) mod N = I`. `docs/fleets.md` promises this rule to other
//! programs, so it never changes.

use std::str::FromStr;

use peeler_features::content_hash;

/// One of several parts of a list of repositories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    /// The number of the shard, from 0.
    pub(crate) index: u32,
    /// The number of shards.
    pub(crate) count: u32,
}

impl Shard {
    /// The only shard of a list that is not divided.
    pub(crate) const WHOLE: Self = Self { index: 0, count: 1 };

    /// Whether the shard contains the repository with this name.
    pub(crate) fn takes(self, name: &str) -> bool {
        content_hash(name.as_bytes()) % u64::from(self.count) == u64::from(self.index)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if index < count => Ok(Self { index, count }),
            Some((index, count)) => Err(format!(
                "there is no shard {index} of {count}; the first is 0 and the last is one less than their number"
            )),
            None => Err("expected two numbers such as 0/10: the shard, from 0, and the number of shards".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_in_one_shard() {
        for count in [1, 2, 7, 100] {
            for name in ["", "a", "/clones/orders.git", "größe"] {
                let takers = (0..count).filter(|&index| Shard { index, count }.takes(name)).count();
                assert_eq!(takers, 1, "{name} of {count}");
            }
        }
    }

    #[test]
    fn the_rule_is_the_one_that_other_programs_know() {
        // xxhash.xxh3_64_intdigest(name.encode()) % 10
        let of = |name: &str| (0..10).find(|&index| Shard { index, count: 10 }.takes(name)).unwrap();
        let names = ["orders", "billing", "/clones/orders.git", ""];
        assert_eq!(names.map(of), [9, 4, 4, 8]);
    }

    #[test]
    fn a_shard_is_written_as_two_numbers() {
        assert_eq!("3/10".parse(), Ok(Shard { index: 3, count: 10 }));
        for wrong in ["3", "10/10", "-1/2", "1/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
