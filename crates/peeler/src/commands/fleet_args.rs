//! The options of `peeler scan` for fleets of repositories.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;

use crate::fleet::shard::Shard;
use crate::fleet::worker_process::Limits;

/// The names of options of `peeler scan` that cannot be combined with `--repos`, which scans a list of repositories.
const PLAIN: [&str; 9] = [
    "paths",
    "baseline",
    "write_baseline",
    "since",
    "stdin_files",
    "proof",
    "history",
    "cache_dir",
    "no_cache",
];

/// The options of `peeler scan` for scanning a list of repositories (a fleet).
#[derive(Debug, Args)]
#[command(next_help_heading = "Fleets")]
pub(crate) struct FleetArgs {
    /// Scan every repository of a list, one per line: a path, then optionally a git revision and a name, separated by
    /// tabs; - reads the list from standard input
    #[arg(long, value_name = "FILE|-", conflicts_with_all = PLAIN)]
    pub(crate) repos: Option<PathBuf>,
    /// Scan only shard I of N of the list: repositories whose hashed name is I modulo N; the first shard is 0
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Keep the records in --output, and scan only the repositories that have none there
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
    /// Print the lines of the list (of the shard) that would be scanned, and scan nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Threads of the scan; with --repos, repositories that are scanned at a time, each on one core [default: the number
    /// of cores]
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    /// Give up on a repository after this time: 90s, 5min
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time_limit: Option<Duration>,
    /// Give up on a repository whose scan needs more memory: 800M, 2G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory_limit: Option<u64>,
    /// Be a worker of another process: scan the repositories that standard input names as JSON
    #[arg(long, hide = true)]
    pub(crate) fleet_worker: bool,
}

impl FleetArgs {
    /// Returns an error if an option for fleets, such as `--shard`, is given without `--repos`.
    pub(crate) fn require_repos(&self) -> anyhow::Result<()> {
        let given = [
            ("--shard", self.shard.is_some()),
            ("--resume", self.resume),
            ("--dry-run", self.dry_run),
            ("--time-limit", self.time_limit.is_some()),
            ("--memory-limit", self.memory_limit.is_some()),
            ("--fleet-worker", self.fleet_worker),
        ];
        match given.iter().find(|(_, is_given)| *is_given && self.repos.is_none()) {
            Some((option, _)) => {
                bail!("{option} is for lists of repositories; name one with --repos, or omit {option}")
            }
            None => Ok(()),
        }
    }

    /// The part of the list of repositories that is scanned: the shard of `--shard`, or the whole list.
    pub(crate) fn shard(&self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }

    /// The number of threads of a plain scan; `None` for one a core.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.jobs.filter(|_| self.repos.is_none())
    }

    /// The number of repositories that are scanned at a time.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// The time and memory that the scan of one repository may use.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: self.time_limit,
            memory: self.memory_limit,
        }
    }
}

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1024) => Ok(number),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

/// Parses a number of bytes with an optional unit `K`, `M` or `G`, which is a power of 1024: `800M`.
fn size(text: &str) -> Result<u64, String> {
    let (number, shift) = match text.chars().last() {
        Some('K' | 'k') => (&text[..text.len() - 1], 10),
        Some('M' | 'm') => (&text[..text.len() - 1], 20),
        Some('G' | 'g') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let bytes = number.parse::<u64>().ok().and_then(|it| it.checked_mul(1 << shift));
    bytes
        .filter(|it| *it > 0)
        .ok_or_else(|| "expected a number of bytes, or one with K, M or G: 800M".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("512"), Ok(512));
        assert_eq!(size("800M"), Ok(800 << 20));
        assert_eq!(size("2g"), Ok(2 << 30));
        for wrong in ["", "M", "0", "-1", "1.5G", "2T", "99999999999G", "é"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
