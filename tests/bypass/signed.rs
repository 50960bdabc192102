//! Signatures by keys that tests make.

use alloy_primitives::{Address, B256, Signature, hex, keccak256, uint};
use k256::ecdsa::SigningKey;
use serde_json::Value;

use crate::Chance;

/// A private key.
pub(crate) struct Key(SigningKey);

impl Key {
    pub(crate) fn new(chance: &mut Chance) -> Self {
        let bytes: B256 = chance.digits(64).parse().unwrap();
        Self(SigningKey::from_slice(keccak256(bytes).as_slice()).unwrap())
    }

    pub(crate) fn address(&self) -> String {
        let point = self.0.verifying_key().to_sec1_point(false);
        Address::from_slice(&keccak256(&point.as_bytes()[1..])[12..]).to_string()
    }

    /// A signature of a digest, 32 bytes in hex: r, s and v, which is 27 or 28.
    pub(crate) fn sign(&self, digest: &Value) -> String {
        let digest: B256 = digest.as_str().unwrap().parse().unwrap();
        let (signature, recovery) = self.0.sign_prehash_recoverable(digest.as_slice());
        hex::encode_prefixed([&signature.to_bytes()[..], &[27 + recovery.to_byte()]].concat())
    }

    /// The same signature with n − s in the place of s, and the other v.
    pub(crate) fn with_high_s(signature: &str) -> String {
        let order = uint!(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141_U256);
        let signature: Signature = signature.parse().unwrap();
        let other = Signature::new(signature.r(), order - signature.s(), !signature.v());
        hex::encode_prefixed(other.as_bytes())
    }
}
