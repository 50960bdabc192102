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

/// The parity of a column.
#[inline(always)]
const fn parity([a, b, c, d, e]: [Lane; 5]) -> Lane {
    xor(xor(xor(xor(a, b), c), d), e)
}

/// A lane that takes in the two behind it.
#[inline(always)]
const fn taken([a, b]: Lane, [c, d]: Lane, [e, f]: Lane) -> Lane {
    [a ^ !c & e, b ^ !d & f]
}

/// A row, of which each lane takes in the two behind it.
#[inline(always)]
const fn row([a, b, c, d, e]: [Lane; 5]) -> [Lane; 5] {
    [taken(a, b, c), taken(b, c, d), taken(c, d, e), taken(d, e, a), taken(e, a, b)]
}

/// One round, step by step as in `lanes.rs`.
#[inline(always)]
fn round(a: &[Lane; 25], constant: Lane) -> [Lane; 25] {
    let [
        a0,
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
    ] = *a;

    // θ: each column takes in the parity of two others.
    let c0 = parity([a0, a5, a10, a15, a20]);
    let c1 = parity([a1, a6, a11, a16, a21]);
    let c2 = parity([a2, a7, a12, a17, a22]);
    let c3 = parity([a3, a8, a13, a18, a23]);
    let c4 = parity([a4, a9, a14, a19, a24]);
    let d0 = xor(c4, turned(c1, 1));
    let d1 = xor(c0, turned(c2, 1));
    let d2 = xor(c1, turned(c3, 1));
    let d3 = xor(c2, turned(c4, 1));
    let d4 = xor(c3, turned(c0, 1));

    // ρ and π: lanes turn, and go to another place; χ: each takes in the two behind it in its row.
    let [b0, b1, b2, b3, b4] = row([
        turned(xor(a0, d0), 0),
        turned(xor(a6, d1), 44),
        turned(xor(a12, d2), 43),
        turned(xor(a18, d3), 21),
        turned(xor(a24, d4), 14),
    ]);
    let [b5, b6, b7, b8, b9] = row([
        turned(xor(a3, d3), 28),
        turned(xor(a9, d4), 20),
        turned(xor(a10, d0), 3),
        turned(xor(a16, d1), 45),
        turned(xor(a22, d2), 61),
    ]);
    let [b10, b11, b12, b13, b14] = row([
        turned(xor(a1, d1), 1),
        turned(xor(a7, d2), 6),
        turned(xor(a13, d3), 25),
        turned(xor(a19, d4), 8),
        turned(xor(a20, d0), 18),
    ]);
    let [b15, b16, b17, b18, b19] = row([
        turned(xor(a4, d4), 27),
        turned(xor(a5, d0), 36),
        turned(xor(a11, d1), 10),
        turned(xor(a17, d2), 15),
        turned(xor(a23, d3), 56),
    ]);
    let [b20, b21, b22, b23, b24] = row([
        turned(xor(a2, d2), 62),
        turned(xor(a8, d3), 55),
        turned(xor(a14, d4), 39),
        turned(xor(a15, d0), 41),
        turned(xor(a21, d1), 2),
    ]);

    // ι: the constant of the round.
    let b0 = xor(b0, constant);
    [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19, b20, b21, b22, b23, b24]
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
