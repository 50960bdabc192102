//! The state: 25 lanes of 64 bits.

use super::{RATE, ROUNDS};

/// 25 lanes. For engines without WebAssembly the npm package has its two functions that are not `const` in JavaScript, which has no
/// integers of 64 bits (`bindings/sendoff-js/keccak.mjs`). So they are never a part of others, and only they read it.
pub(super) struct State([u64; 25]);

impl State {
    pub(super) const fn new() -> Self {
        Self([0; 25])
    }

    /// Absorbs a block: Keccak-f\[1600\].
    #[inline(never)]
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

    /// Writes the first 32 bytes.
    #[inline(never)]
    pub(super) fn digest(&self, digest: &mut [u8; 32]) {
        for (bytes, lane) in digest.as_chunks_mut::<8>().0.iter_mut().zip(self.0) {
            *bytes = lane.to_le_bytes();
        }
    }
}

/// Keccak-f\[1600\] when a program compiles.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "iterators are not for constants"
)]
pub(super) const fn permuted(mut lanes: [u64; 25]) -> [u64; 25] {
    let mut at = 0;
    while at < ROUNDS.len() {
        lanes = round(&lanes, ROUNDS[at]);
        at += 1;
    }
    lanes
}

/// The parity of a column.
#[inline(always)]
const fn parity([a, b, c, d, e]: [u64; 5]) -> u64 {
    a ^ b ^ c ^ d ^ e
}

/// A row, of which each lane takes in the two behind it.
#[inline(always)]
const fn row([a, b, c, d, e]: [u64; 5]) -> [u64; 5] {
    [a ^ !b & c, b ^ !c & d, c ^ !d & e, d ^ !e & a, e ^ !a & b]
}

/// One round. Every place is a constant, so that the state stays in registers.
#[inline(always)]
const fn round(a: &[u64; 25], constant: u64) -> [u64; 25] {
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
    let d0 = c4 ^ c1.rotate_left(1);
    let d1 = c0 ^ c2.rotate_left(1);
    let d2 = c1 ^ c3.rotate_left(1);
    let d3 = c2 ^ c4.rotate_left(1);
    let d4 = c3 ^ c0.rotate_left(1);

    // ρ and π: lanes turn, and go to another place; χ: each takes in the two behind it in its row.
    let [b0, b1, b2, b3, b4] = row([
        a0 ^ d0,
        (a6 ^ d1).rotate_left(44),
        (a12 ^ d2).rotate_left(43),
        (a18 ^ d3).rotate_left(21),
        (a24 ^ d4).rotate_left(14),
    ]);
    let [b5, b6, b7, b8, b9] = row([
        (a3 ^ d3).rotate_left(28),
        (a9 ^ d4).rotate_left(20),
        (a10 ^ d0).rotate_left(3),
        (a16 ^ d1).rotate_left(45),
        (a22 ^ d2).rotate_left(61),
    ]);
    let [b10, b11, b12, b13, b14] = row([
        (a1 ^ d1).rotate_left(1),
        (a7 ^ d2).rotate_left(6),
        (a13 ^ d3).rotate_left(25),
        (a19 ^ d4).rotate_left(8),
        (a20 ^ d0).rotate_left(18),
    ]);
    let [b15, b16, b17, b18, b19] = row([
        (a4 ^ d4).rotate_left(27),
        (a5 ^ d0).rotate_left(36),
        (a11 ^ d1).rotate_left(10),
        (a17 ^ d2).rotate_left(15),
        (a23 ^ d3).rotate_left(56),
    ]);
    let [b20, b21, b22, b23, b24] = row([
        (a2 ^ d2).rotate_left(62),
        (a8 ^ d3).rotate_left(55),
        (a14 ^ d4).rotate_left(39),
        (a15 ^ d0).rotate_left(41),
        (a21 ^ d1).rotate_left(2),
    ]);

    // ι: the constant of the round.
    [
        b0 ^ constant,
        b1,
        b2,
        b3,
        b4,
        b5,
        b6,
        b7,
        b8,
        b9,
        b10,
        b11,
        b12,
        b13,
        b14,
        b15,
        b16,
        b17,
        b18,
        b19,
        b20,
        b21,
        b22,
        b23,
        b24,
    ]
}
