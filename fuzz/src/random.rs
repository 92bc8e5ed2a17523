//! Small random numbers from the seed of the fuzzer.

/// A linear generator: fast, and the same for the same seed.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self(u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        let high = usize::try_from(self.0 >> 33).unwrap_or(0);
        if end == 0 { 0 } else { high % end }
    }

    /// One of the choices.
    ///
    /// # Panics
    ///
    /// When there is no choice.
    pub fn choose<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.below(choices.len())]
    }
}
