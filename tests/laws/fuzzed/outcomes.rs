//! Receipts, reasons of reverts, and submissions.

use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{hex, keccak256};
use sendoff::submission::{self, Submission};
use sendoff::user_op::{RevertKind, RevertReason, UserOpReceipt};

use crate::contract_calls::{encoded, types};

/// The errors of contracts that are read.
const ERRORS: [&str; 5] = [
    "Error(string)",
    "Panic(uint256)",
    "FailedOp(uint256,string)",
    "FailedOpWithRevert(uint256,string,bytes)",
    "PostOpReverted(bytes)",
];

/// The first byte chooses: a reason in bytes, a reason in text, a receipt, or steps of a submission line by line.
pub(super) fn check(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    match first % 4 {
        0 => reason(rest),
        1 => super::text(rest, |text| {
            assert_eq!(RevertReason::read(text).is_none(), matches!(text, "" | "0x"))
        }),
        2 => super::text(rest, receipt),
        _ => super::text(rest, steps),
    }
}

/// The arguments of an error, if alloy would write the same bytes.
fn arguments(signature: &str, bytes: &[u8]) -> Option<Vec<DynSolValue>> {
    let values = bytes.strip_prefix(&keccak256(signature)[..4])?;
    match DynSolType::Tuple(types(signature)).abi_decode_params(values).ok()? {
        DynSolValue::Tuple(values) if encoded(signature, values.clone()) == bytes => Some(values),
        _ => None,
    }
}

/// A reason is read as alloy reads it.
fn reason(bytes: &[u8]) {
    let read = RevertReason::read(&hex::encode_prefixed(bytes));
    assert_eq!(read.is_none(), bytes.is_empty());
    let known = ERRORS.iter().find_map(|known| Some((*known, arguments(known, bytes)?)));
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

/// A receipt has an outcome for any hash, and its own hash among them.
fn receipt(text: &str) {
    if let Ok(receipt) = text.parse::<UserOpReceipt>() {
        let outcome = receipt.outcome([7; 32].into());
        assert!(serde_json::to_value(&outcome).unwrap()["outcome"].is_string());
    }
}

/// Each line is a step; a state is read back as it was written.
fn steps(text: &str) {
    let mut state: Option<Submission> = None;
    for line in text.lines().take(40) {
        let Ok(step) = line.parse() else { continue };
        if let Ok(progress) = submission::advance(state.clone(), &step) {
            let written = serde_json::to_string(&progress.state).unwrap();
            assert_eq!(written.parse(), Ok(progress.state.clone()), "{written}");
            state = Some(progress.state);
        }
    }
}
