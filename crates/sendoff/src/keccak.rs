//! Keccak-256, the hash of Ethereum (the padding before FIPS 202 changed it).

use sha3::{Digest, Keccak256};

/// The digest of the parts, one after the other.
pub(crate) fn keccak256<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hasher = Keccak256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}
