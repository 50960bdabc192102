//! Draws: what a service makes at random is the hash of the state's seed and a number here.

use sendoff::uuid::{Builder, Uuid};
use sendoff::value::{HexBytes, Word};

/// 32 bytes that depend on a seed, a purpose and a number.
pub(crate) fn draw(seed: &str, purpose: &str, number: u64) -> [u8; 32] {
    let bytes = [seed.as_bytes(), &[0], purpose.as_bytes(), &[0], &number.to_be_bytes()].concat();
    Word::keccak256(&bytes).into()
}

/// A UUID of version 4 from the first 16 bytes.
pub(crate) fn uuid(word: [u8; 32]) -> String {
    Builder::from_random_bytes(first(word)).into_uuid().to_string()
}

/// An address from the last 20 bytes, in lower case.
pub(crate) fn address(word: [u8; 32]) -> String {
    hex(word.get(12..).unwrap_or_default())
}

/// A number from the first 8 bytes.
pub(crate) fn number(word: [u8; 32]) -> u64 {
    u64::from_be_bytes(first(word))
}

/// Items in an order that depends on a number.
pub(crate) fn drawn<T>(mut items: Vec<T>, mut number: u64) -> Vec<T> {
    let mut order = Vec::new();
    let count = |items: &[T]| u64::try_from(items.len()).unwrap_or_default();
    while let Some(at) = number.checked_rem(count(&items)) {
        number = number.checked_div(count(&items)).unwrap_or_default();
        order.push(items.swap_remove(usize::try_from(at).unwrap_or_default()));
    }
    order
}

/// Bytes as lower-case digits.
pub(crate) fn digits(bytes: &[u8]) -> String {
    hex(bytes).trim_start_matches("0x").into()
}

/// Bytes as `0x` and lower-case digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    HexBytes::from(bytes).to_string()
}

/// The UUID in the lower half of a nonce.
pub(crate) fn uuid_of_nonce(nonce: sendoff::primitive_types::U256) -> String {
    Uuid::from_u128(nonce.low_u128()).to_string()
}

fn first<const N: usize>(word: [u8; 32]) -> [u8; N] {
    word.first_chunk().copied().unwrap_or([0; N])
}
