//! Keccak-256, the hash of Ethereum. Its padding is the one from before FIPS 202.
//!
//! Why not `sha3`, which is well kept: its round is written as loops over tables. In a WebAssembly module compiled for size
//! these take three times as long as the straight lines below; natively they are a tenth faster. A test compares the two, and
//! `tests/laws` compares user operation hashes with alloy's.

/// The number of bytes of a block: 1,600 bits less twice the digest's.
const RATE: usize = 136;

/// The constants of the rounds, which break the symmetry between them.
static ROUNDS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// Returns the digest of the concatenated parts.
pub(crate) fn keccak256<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut sponge = Sponge { state: [0; 25], block: [0; RATE], filled: 0 };
    parts.into_iter().for_each(|part| sponge.absorb(part));
    sponge.squeeze()
}

/// The state, and the block that is being filled.
struct Sponge {
    state: [u64; 25],
    block: [u8; RATE],
    filled: usize,
}

impl Sponge {
    #[inline(never)]
    fn absorb(&mut self, mut part: &[u8]) {
        while let Some(room) = self.block.get_mut(self.filled..)
            && let Some((now, later)) = part.split_at_checked(room.len())
        {
            room.copy_from_slice(now);
            self.permute();
            (self.filled, part) = (0, later);
        }
        if let Some(room) = self.block.get_mut(self.filled..).and_then(|room| room.get_mut(..part.len())) {
            room.copy_from_slice(part);
            self.filled = self.filled.saturating_add(part.len());
        }
    }

    #[inline(never)]
    fn squeeze(mut self) -> [u8; 32] {
        if let Some([first, rest @ ..]) = self.block.get_mut(self.filled..) {
            *first = 0x01;
            rest.fill(0);
        }
        self.block[RATE - 1] |= 0x80;
        self.permute();
        let mut digest = [0; 32];
        for (bytes, lane) in digest.as_chunks_mut::<8>().0.iter_mut().zip(self.state) {
            *bytes = lane.to_le_bytes();
        }
        digest
    }

    /// Absorbs the block into the state: Keccak-f\[1600\].
    fn permute(&mut self) {
        for (lane, bytes) in self.state.iter_mut().zip(self.block.as_chunks::<8>().0) {
            *lane ^= u64::from_le_bytes(*bytes);
        }
        let mut a = self.state;
        for constant in &ROUNDS {
            a = round(&a, *constant);
        }
        self.state = a;
    }
}

/// One round. Every place is a constant, so that the state stays in registers.
#[inline(always)]
fn round(a: &[u64; 25], constant: u64) -> [u64; 25] {
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

#[cfg(test)]
mod tests {
    use super::*;
    use sha3::Digest as _;

    #[test]
    fn digests_are_those_of_sha3() {
        let bytes: alloc::vec::Vec<u8> = (0..=255).cycle().take(600).collect();
        for length in 0..bytes.len() {
            let text = &bytes[..length];
            let expected: [u8; 32] = sha3::Keccak256::digest(text).into();
            assert_eq!(keccak256([text]), expected, "{length}");
            let (left, right) = text.split_at(length / 3);
            assert_eq!(keccak256([left, right, &[]]), expected, "{length}, in parts");
        }
    }
}
