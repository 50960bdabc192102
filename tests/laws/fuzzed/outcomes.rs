//! Reasons of reverts.

use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{hex, keccak256};
use sendoff::user_op::{RevertKind, RevertReason};

use crate::contract_calls::{encoded, types};

/// The errors of contracts that are read.
const ERRORS: &str = "Error(string) Panic(uint256) FailedOp(uint256,string) \
    FailedOpWithRevert(uint256,string,bytes) PostOpReverted(bytes)";

/// The arguments of an error, if alloy would write the same bytes.
fn arguments(signature: &str, bytes: &[u8]) -> Option<Vec<DynSolValue>> {
    let values = bytes.strip_prefix(&keccak256(signature)[..4])?;
    match DynSolType::Tuple(types(signature)).abi_decode_params(values).ok()? {
        DynSolValue::Tuple(values) if encoded(signature, values.clone()) == bytes => Some(values),
        _ => None,
    }
}

/// A reason is read as alloy reads it. The first byte is not read: it chose between kinds of inputs when the saved ones were found.
pub(super) fn check(bytes: &[u8]) {
    let Some((_, bytes)) = bytes.split_first() else { return };
    let read = RevertReason::read(&hex::encode_prefixed(bytes));
    assert_eq!(read.is_none(), bytes.is_empty());
    let known = ERRORS.split(' ').find_map(|known| Some((known, arguments(known, bytes)?)));
    let (signature, values) = known.unwrap_or_default();

    let text = values.iter().find_map(DynSolValue::as_str);
    let text =
        text.unwrap_or("PostOpReverted").chars().take(RevertReason::TEXT).map(shown).collect();
    let inner = values.last().and_then(DynSolValue::as_bytes).map(hex::encode_prefixed);
    let (kind, text, inner) = match signature {
        "Error(string)" => (RevertKind::Error, text, None),
        "Panic(uint256)" => {
            let (code, _) = values[0].as_uint().unwrap();
            (RevertKind::Panic, format!("0x{code:02x}"), None)
        }
        "FailedOp(uint256,string)" => (RevertKind::EntryPoint, text, None),
        // Deeper ones are cut.
        _ if bytes.len() >= 2_000 => return,
        "" => {
            let kind = read.as_ref().map(|reason| reason.kind);
            return assert!(matches!(kind, None | Some(RevertKind::Unknown)), "{read:?}");
        }
        _ => {
            let inner = inner.and_then(|inner| RevertReason::read(&inner)).map(Box::new);
            (RevertKind::EntryPoint, text, inner)
        }
    };
    assert_eq!(read, Some(RevertReason { kind, text, inner }));
}

/// A character as it is shown: one that is invisible or changes the direction of text is escaped.
fn shown(c: char) -> String {
    let is_hidden = c.is_control()
        || [0xad, 0x61c, 0x180e, 0xfeff].contains(&u32::from(c))
        || [0x200b..=0x200f, 0x2028..=0x202e, 0x2060..=0x206f, 0xfff9..=0xfffb, 0xe0000..=0xe0fff]
            .iter()
            .any(|range| range.contains(&u32::from(c)));
    if is_hidden { format!("\\u{{{:x}}}", u32::from(c)) } else { c.into() }
}
