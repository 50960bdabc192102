//! Nonces: which can be used, and which were.

use sendoff::primitive_types::U256;

use crate::state::State;
use crate::switches::Nonces;

/// `true` if a nonce can be used.
pub(super) fn is_next(state: &State, sender: &str, nonce: U256) -> bool {
    match state.switches.nonces {
        Nonces::Job => !state.nonces.contains_key(&place(sender, nonce)),
        Nonces::Sequence => sequence(state, sender, key_of(nonce)) == nonce.low_u64(),
    }
}

/// The next sequence of a key.
pub(super) fn sequence(state: &State, sender: &str, key: U256) -> u64 {
    match state.switches.nonces {
        Nonces::Sequence => state.nonces.get(&place(sender, key)).copied().unwrap_or_default(),
        Nonces::Job => {
            let used = state.operations.iter().filter(|op| op.executed && op.sender == sender);
            let used = used.map(|op| op.nonce.value()).filter(|nonce| key_of(*nonce) == key);
            used.map(|nonce| nonce.low_u64()).max().map_or(0, |last| last.saturating_add(1))
        }
    }
}

/// Notes that a nonce is used.
pub(super) fn use_nonce(state: &mut State, sender: &str, nonce: U256) {
    let (key, next) = match state.switches.nonces {
        Nonces::Job => (nonce, 1),
        Nonces::Sequence => (key_of(nonce), nonce.low_u64().saturating_add(1)),
    };
    state.nonces.insert(place(sender, key), next);
}

/// The key of a sender's nonces in the state.
fn place(sender: &str, nonce: U256) -> String {
    format!("{sender} {nonce}")
}

/// The key of a nonce: its upper 192 bits.
const fn key_of(nonce: U256) -> U256 {
    let U256([_, low, middle, high]) = nonce;
    U256([low, middle, high, 0])
}
