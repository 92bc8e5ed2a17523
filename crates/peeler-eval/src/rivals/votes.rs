//! The vote of the nearest known tests on whether a test is flaky.

use std::cmp::Ordering;

/// The weighted share of flaky tests among neighbours, phi / (phi + psi) in the FLAST paper; 0 without neighbours.
///
/// A neighbour is given as its distance and whether it is flaky. Its weight is the inverse of its distance. If
/// neighbours have distance 0, only these count, with equal weights.
pub(super) fn flaky_share(neighbours: impl Iterator<Item = (f64, bool)> + Clone) -> f64 {
    let is_twin = |&(distance, _): &(f64, bool)| distance.total_cmp(&0.0) != Ordering::Greater;
    let share = |votes: &mut dyn Iterator<Item = (f64, bool)>| {
        let (mut phi, mut psi) = (0.0, 0.0);
        for (weight, flaky) in votes {
            *(if flaky { &mut phi } else { &mut psi }) += weight;
        }
        if phi > 0.0 { phi / (phi + psi) } else { 0.0 }
    };
    if neighbours.clone().any(|neighbour| is_twin(&neighbour)) {
        share(&mut neighbours.filter(is_twin).map(|(_, flaky)| (1.0, flaky)))
    } else {
        share(&mut neighbours.map(|(distance, flaky)| (1.0 / distance, flaky)))
    }
}

/// The FLAST score for a share of flaky votes: shares above `sigma` give 0.5 to 1, all others less than 0.5.
#[expect(clippy::cast_possible_truncation, reason = "scores are single precision")]
pub(super) fn score(share: f64, sigma: f64) -> f32 {
    if share > sigma {
        (0.5 + 0.5 * (share - sigma) / (1.0 - sigma)) as f32
    } else if share > 0.0 {
        ((0.5 * share / sigma) as f32).min(0.5_f32.next_down())
    } else {
        0.0
    }
}
