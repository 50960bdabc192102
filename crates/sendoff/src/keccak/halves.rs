//! The state as halves of 32 bits, for engines without integers of 64 bits: JavaScript, to which the module is translated where
//! there is no WebAssembly.
//!
//! A lane is two halves: its even bits and its odd bits. So a turn of a lane is a turn of each half, and no bit moves between the
//! halves (bit interleaving, of the Keccak team's "Keccak implementation overview", 2.1).

use super::{RATE, ROUNDS};

/// The even and the odd bits of a lane.
type Lane = [u32; 2];

/// 25 lanes.
pub(super) struct State([Lane; 25]);

/// The constants of the rounds, as lanes.
#[expect(clippy::indexing_slicing, reason = "it is computed when this compiles")]
static CONSTANTS: [Lane; 24] = {
    let (mut constants, mut at) = ([[0; 2]; 24], 0);
    while at < ROUNDS.len() {
        constants[at] = lane(ROUNDS[at].to_le_bytes());
        at += 1;
    }
    constants
};

impl State {
    pub(super) const fn new() -> Self {
        Self([[0; 2]; 25])
    }

    /// Absorbs a block: Keccak-f\[1600\].
    pub(super) fn absorb(&mut self, block: &[u8; RATE]) {
        for (mine, bytes) in self.0.iter_mut().zip(block.as_chunks::<8>().0) {
            *mine = xor(*mine, lane(*bytes));
        }

        let mut a = self.0;
        for constant in &CONSTANTS {
            a = round(&a, *constant);
        }
        self.0 = a;
    }

    /// The first 32 bytes.
    #[inline(always)]
    pub(super) fn digest(&self) -> [u8; 32] {
        let mut digest = [0; 32];
        for (bytes, lane) in digest.as_chunks_mut::<8>().0.iter_mut().zip(self.0) {
            *bytes = bytes_of(lane);
        }
        digest
    }
}

const fn lane(bytes: [u8; 8]) -> Lane {
    let [a, b, c, d, e, f, g, h] = bytes;
    let low = unzipped(u32::from_le_bytes([a, b, c, d]));
    let high = unzipped(u32::from_le_bytes([e, f, g, h]));
    [low & 0xffff | high << 16, low >> 16 | high & 0xffff_0000]
}

fn bytes_of([even, odd]: Lane) -> [u8; 8] {
    let low = zipped(even & 0xffff | odd << 16);
    let high = zipped(even >> 16 | odd & 0xffff_0000);
    let ([a, b, c, d], [e, f, g, h]) = (low.to_le_bytes(), high.to_le_bytes());
    [a, b, c, d, e, f, g, h]
}

/// Moves the even bits to the lower half, and the odd bits to the upper.
const fn unzipped(bits: u32) -> u32 {
    swapped(swapped(swapped(swapped(bits, 0x2222_2222, 1), 0x0c0c_0c0c, 2), 0x00f0_00f0, 4), 0x0000_ff00, 8)
}

/// Undoes [`unzipped`].
const fn zipped(bits: u32) -> u32 {
    swapped(swapped(swapped(swapped(bits, 0x0000_ff00, 8), 0x00f0_00f0, 4), 0x0c0c_0c0c, 2), 0x2222_2222, 1)
}

/// Swaps the bits of a mask with those that are so many places above.
const fn swapped(bits: u32, mask: u32, places: u32) -> u32 {
    let differing = (bits ^ bits >> places) & mask;
    bits ^ differing ^ differing << places
}

#[inline(always)]
const fn xor(a: Lane, b: Lane) -> Lane {
    [a[0] ^ b[0], a[1] ^ b[1]]
}

/// A turn of the lane to the left. By an odd number of places its even bits become odd.
#[inline(always)]
const fn turned([even, odd]: Lane, by: u32) -> Lane {
    let (less, more) = (by / 2, by.div_ceil(2));
    if less == more {
        [even.rotate_left(less), odd.rotate_left(less)]
    } else {
        [odd.rotate_left(more), even.rotate_left(less)]
    }
}

/// One round, step by step as in `lanes.rs`.
#[inline(always)]
fn round(a: &[Lane; 25], constant: Lane) -> [Lane; 25] {
    macro_rules! parity {
        ($($at:literal)*) => { [0 $(^ a[$at][0])*, 0 $(^ a[$at][1])*] };
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
        xor(c[4], turned(c[1], 1)),
        xor(c[0], turned(c[2], 1)),
        xor(c[1], turned(c[3], 1)),
        xor(c[2], turned(c[4], 1)),
        xor(c[3], turned(c[0], 1)),
    ];
    // ρ and π: lanes turn, and go to another place; χ: each takes in the two behind it in its row.
    let taken = |a: Lane, b: Lane, c: Lane| [a[0] ^ !b[0] & c[0], a[1] ^ !b[1] & c[1]];
    macro_rules! row {
        ($($at:literal <<< $by:literal),*) => {{
            let [b0, b1, b2, b3, b4] = [$(turned(xor(a[$at], d[$at % 5]), $by)),*];
            [taken(b0, b1, b2), taken(b1, b2, b3), taken(b2, b3, b4), taken(b3, b4, b0), taken(b4, b0, b1)]
        }};
    }
    let [a0, a1, a2, a3, a4] = row!(0 <<< 0, 6 <<< 44, 12 <<< 43, 18 <<< 21, 24 <<< 14);
    let [a5, a6, a7, a8, a9] = row!(3 <<< 28, 9 <<< 20, 10 <<< 3, 16 <<< 45, 22 <<< 61);
    let [a10, a11, a12, a13, a14] = row!(1 <<< 1, 7 <<< 6, 13 <<< 25, 19 <<< 8, 20 <<< 18);
    let [a15, a16, a17, a18, a19] = row!(4 <<< 27, 5 <<< 36, 11 <<< 10, 17 <<< 15, 23 <<< 56);
    let [a20, a21, a22, a23, a24] = row!(2 <<< 62, 8 <<< 55, 14 <<< 39, 15 <<< 41, 21 <<< 2);
    // ι: the constant of the round.
    let a0 = xor(a0, constant);
    [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keccak::lanes;

    #[test]
    fn halves_are_the_bits_of_lanes() {
        let number = 0x0123_4567_89ab_cdef_u64;
        let [even, odd] = lane(number.to_le_bytes());
        for bit in 0..32 {
            assert_eq!(u64::from(even >> bit & 1), number >> (2 * bit) & 1);
            assert_eq!(u64::from(odd >> bit & 1), number >> (2 * bit + 1) & 1);
        }
        assert_eq!(bytes_of([even, odd]), number.to_le_bytes());
    }

    #[test]
    fn both_forms_of_the_state_absorb_alike() {
        let (mut one, mut other) = (State::new(), lanes::State::new());
        for round in 0..=255_u8 {
            let block = core::array::from_fn(|at| round.wrapping_mul(31) ^ u8::try_from(at).unwrap().wrapping_mul(73));
            one.absorb(&block);
            other.absorb(&block);
            assert_eq!(one.digest(), other.digest(), "{round}");
        }
    }
}
