//! Chance that is the same for the same number.

/// Random numbers (splitmix64): the sequence of a number and a name.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    #[must_use]
    pub fn new(seed: u64, name: &str) -> Self {
        let fold = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(name.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, fold))
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    pub fn is_head(&mut self) -> bool {
        self.below(2) == 0
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// One of the words of a text.
    pub fn word<'a>(&mut self, of: &'a str) -> &'a str {
        self.pick(&of.split(' ').collect::<Vec<_>>())
    }

    /// One of the characters of a text.
    pub fn char(&mut self, of: &str) -> char {
        self.pick(&of.chars().collect::<Vec<_>>())
    }

    /// This number of hex digits, in lower case.
    pub fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| char::from_digit(self.below(16) as u32, 16).unwrap()).collect()
    }

    /// This number of hex digits, with `0x`.
    pub fn hex(&mut self, count: usize) -> String {
        format!("0x{}", self.digits(count))
    }

    /// A chain that no original has.
    pub fn chain(&mut self) -> String {
        format!("eip155:1{}", self.number() >> 32)
    }

    /// An address, in lower case or with its checksum.
    pub fn address(&mut self) -> String {
        let address = self.hex(40);
        if self.is_head() { crate::checksummed(&address) } else { address }
    }

    /// A quantity from 1, below 2^60.
    pub fn quantity(&mut self) -> String {
        format!("{:#x}", 1 + (self.number() >> 4))
    }

    /// An amount in decimal from 2, below 2^60.
    pub fn amount(&mut self) -> String {
        (2 + (self.number() >> 5)).to_string()
    }

    pub fn uuid(&mut self) -> String {
        let parts = [8, 4, 4, 4, 12].map(|length| self.digits(length));
        parts.join("-")
    }
}
