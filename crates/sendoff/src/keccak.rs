//! Keccak-256, the hash of Ethereum. Its padding is the one from before FIPS 202.

use sha3::{Digest, Keccak256};

/// Returns the digest of the concatenated parts.
pub(crate) fn keccak256<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hasher = Keccak256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}
