//! Random numbers that a seed reproduces.

/// A generator of random numbers (splitmix64). The same seed returns the same numbers.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// A generator with a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A random number.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A random number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.any() % bound
    }

    /// A random index below an end.
    pub fn at(&mut self, end: usize) -> usize {
        usize::try_from(self.below(end as u64)).expect("an index")
    }

    /// A random number in a range, with both ends.
    pub fn within(&mut self, least: i64, most: i64) -> i64 {
        least + i64::try_from(self.below(most.abs_diff(least) + 1)).expect("a small range")
    }

    /// Returns `true` once in `many` times on average.
    pub fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// A random item.
    pub fn of<T: Copy>(&mut self, these: &[T]) -> T {
        these[self.at(these.len())]
    }

    /// One of the words of a text.
    pub fn word<'a>(&mut self, of: &'a str) -> &'a str {
        self.of(&of.split(' ').collect::<Vec<_>>())
    }
}
