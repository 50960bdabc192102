//! The state as lanes of 64 bits.

#[cfg(any(test, not(feature = "halves")))]
use super::RATE;
use super::ROUNDS;

/// 25 lanes.
#[cfg(any(test, not(feature = "halves")))]
pub(super) struct State([u64; 25]);

#[cfg(any(test, not(feature = "halves")))]
impl State {
    pub(super) const fn new() -> Self {
        Self([0; 25])
    }

    /// Absorbs a block: Keccak-f\[1600\].
    pub(super) fn absorb(&mut self, block: &[u8; RATE]) {
        for (lane, bytes) in self.0.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane ^= u64::from_le_bytes(*bytes);
        }

        let mut a = self.0;
        for constant in &ROUNDS {
            a = round(&a, *constant);
        }
        self.0 = a;
    }

    /// The first 32 bytes.
    #[inline(always)]
    pub(super) fn digest(&self) -> [u8; 32] {
        let mut digest = [0; 32];
        for (bytes, lane) in digest.as_chunks_mut::<8>().0.iter_mut().zip(self.0) {
            *bytes = lane.to_le_bytes();
        }
        digest
    }
}

/// Keccak-f\[1600\] when a program compiles.
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "iterators are not for constants")]
pub(super) const fn permuted(mut lanes: [u64; 25]) -> [u64; 25] {
    let mut at = 0;
    while at < ROUNDS.len() {
        lanes = round(&lanes, ROUNDS[at]);
        at += 1;
    }
    lanes
}

/// One round. Every place is a constant, so that the state stays in registers.
#[inline(always)]
const fn round(a: &[u64; 25], constant: u64) -> [u64; 25] {
    macro_rules! parity {
        ($($at:literal)*) => { 0 $(^ a[$at])* };
    }
    // θ: each column takes in the parity of two others.
    let c = [
        parity!(0 5 10 15 20),
        parity!(1 6 11 16 21),
        parity!(2 7 12 17 22),
        parity!(3 8 13 18 23),
        parity!(4 9 14 19 24),
    ];
    let d = [
        c[4] ^ c[1].rotate_left(1),
        c[0] ^ c[2].rotate_left(1),
        c[1] ^ c[3].rotate_left(1),
        c[2] ^ c[4].rotate_left(1),
        c[3] ^ c[0].rotate_left(1),
    ];
    // ρ and π: lanes turn, and go to another place; χ: each takes in the two behind it in its row.
    macro_rules! row {
        ($($at:literal <<< $by:literal),*) => {{
            let [b0, b1, b2, b3, b4] = [$((a[$at] ^ d[$at % 5]).rotate_left($by)),*];
            [b0 ^ !b1 & b2, b1 ^ !b2 & b3, b2 ^ !b3 & b4, b3 ^ !b4 & b0, b4 ^ !b0 & b1]
        }};
    }
    let [a0, a1, a2, a3, a4] = row!(0 <<< 0, 6 <<< 44, 12 <<< 43, 18 <<< 21, 24 <<< 14);
    let [a5, a6, a7, a8, a9] = row!(3 <<< 28, 9 <<< 20, 10 <<< 3, 16 <<< 45, 22 <<< 61);
    let [a10, a11, a12, a13, a14] = row!(1 <<< 1, 7 <<< 6, 13 <<< 25, 19 <<< 8, 20 <<< 18);
    let [a15, a16, a17, a18, a19] = row!(4 <<< 27, 5 <<< 36, 11 <<< 10, 17 <<< 15, 23 <<< 56);
    let [a20, a21, a22, a23, a24] = row!(2 <<< 62, 8 <<< 55, 14 <<< 39, 15 <<< 41, 21 <<< 2);
    // ι: the constant of the round.
    [
        a0 ^ constant,
        a1,
        a2,
        a3,
        a4,
        a5,
        a6,
        a7,
        a8,
        a9,
        a10,
        a11,
        a12,
        a13,
        a14,
        a15,
        a16,
        a17,
        a18,
        a19,
        a20,
        a21,
        a22,
        a23,
        a24,
    ]
}
