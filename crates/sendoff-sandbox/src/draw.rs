//! Draws: what a service makes at random is the hash of the state's seed and a number here.

use alloc::{string::String, vec::Vec};

use sendoff::uuid::Uuid;
use sendoff::value::{HexBytes, Word};

/// 32 bytes that depend on a seed, a purpose and a number.
pub(crate) fn draw(seed: &str, purpose: &str, number: u64) -> [u8; 32] {
    let mut bytes = Vec::from(seed);
    bytes.push(0);
    bytes.extend(purpose.bytes());
    bytes.push(0);
    bytes.extend(number.to_be_bytes());
    Word::keccak256(&bytes).into()
}

/// A UUID of version 4 from the first 16 bytes.
pub(crate) fn uuid(word: [u8; 32]) -> String {
    let [high, low] = halves(word);
    let number = u128::from(high) << 64 | u128::from(low);
    let number = number & !(0xf << 76 | 0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    spelled(number)
}

/// An address from the last 20 bytes, in lower case.
pub(crate) fn address(word: [u8; 32]) -> String {
    hex(word.get(12..).unwrap_or_default())
}

/// A number from the first 8 bytes.
pub(crate) fn number(word: [u8; 32]) -> u64 {
    let [high, _] = halves(word);
    high
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

/// Bytes as `0x` and lower-case digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    String::from(&HexBytes::from(bytes))
}

fn halves(word: [u8; 32]) -> [u64; 2] {
    let part = |at: usize| {
        let bytes = word.get(at..)?.first_chunk::<8>()?;
        Some(u64::from_be_bytes(*bytes))
    };
    [0, 8].map(|at| part(at).unwrap_or_default())
}

/// The UUID in the lower half of a nonce.
pub(crate) fn uuid_of_nonce(nonce: sendoff::primitive_types::U256) -> String {
    spelled(nonce.low_u128())
}

/// The text of a UUID, without the formatting of the standard library.
fn spelled(number: u128) -> String {
    let mut text = Uuid::encode_buffer();
    String::from(&*Uuid::from_u128(number).hyphenated().encode_lower(&mut text))
}
