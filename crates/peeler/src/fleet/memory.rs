//! The memory that processes occupy, as Linux tells it in `/proc`. On other operating systems it is not known.

use std::fs;

/// The size in bytes of a memory page. `/proc/<process>/statm` states memory as a number of pages.
const PAGE_BYTES: u64 = 4096;

/// Whether this operating system tells how much memory a process occupies; only Linux does.
pub(crate) const IS_KNOWN: bool = cfg!(target_os = "linux");

/// Starts a new measurement of this process's peak of memory.
pub(crate) fn reset_peak() {
    // Without the right to do so the peak is that of the whole process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory in bytes that this process occupied since its start or the last [`reset_peak`]. `None` if the
/// operating system does not tell it.
pub(crate) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The memory in bytes that a process occupies now, without shared memory and mapped files. `None` if the process has
/// ended or the operating system is not Linux.
pub(crate) fn occupied(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let mut pages = text.split(' ').skip(1).map(str::parse::<u64>);
    let (resident, shared) = (pages.next()?.ok()?, pages.next()?.ok()?);
    Some(resident.saturating_sub(shared) * PAGE_BYTES)
}

/// Asks the operating system to end this process before others if the machine runs out of memory.
pub(crate) fn volunteer_as_victim() {
    // Without the right to do so, the operating system chooses.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_occupies_what_it_writes_to() {
        let before = occupied(std::process::id()).unwrap();
        let block = vec![1_u8; 64 << 20];
        let after = occupied(std::process::id()).unwrap();
        assert!(after >= before + (48 << 20), "{before} {after}");
        assert!(peak().unwrap() >= block.len() as u64);
        assert_eq!(occupied(u32::MAX), None);
    }
}
