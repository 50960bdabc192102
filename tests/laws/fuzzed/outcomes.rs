//! Receipts, reasons of reverts, and submissions.

use alloy_primitives::{Bytes, U256, hex};
use alloy_sol_types::{SolError, sol};
use sendoff::submission::{self, Submission};
use sendoff::user_op::{RevertReason, UserOpReceipt};

sol! {
    error Error(string reason);
    error Panic(uint256 code);
    error FailedOp(uint256 at, string reason);
    error FailedOpWithRevert(uint256 at, string reason, bytes inner);
    error PostOpReverted(bytes inner);
}

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

/// A reason is read as alloy reads it, if alloy would write the same bytes.
fn reason(bytes: &[u8]) {
    let strict = |again: Vec<u8>| again == bytes;
    let text = |text: &str| text.chars().take(RevertReason::TEXT).map(shown).collect::<String>();
    let inner = |inner: &Bytes| RevertReason::read(&hex::encode_prefixed(inner)).map(Box::new);
    let shallow = bytes.len() < 2_000;
    let read = RevertReason::read(&hex::encode_prefixed(bytes));
    assert_eq!(read.is_none(), bytes.is_empty());
    if let Ok(error) = Error::abi_decode_validate(bytes)
        && strict(error.abi_encode())
    {
        assert_eq!(read, Some(RevertReason::Error(text(&error.reason))));
    } else if let Ok(Panic { code }) = Panic::abi_decode_validate(bytes)
        && strict(Panic { code }.abi_encode())
    {
        let Some(RevertReason::Panic(ours)) = read else { panic!("{read:?}") };
        assert_eq!(U256::from_be_bytes(ours.to_big_endian()), code);
    } else if let Ok(error) = FailedOp::abi_decode_validate(bytes)
        && strict(error.abi_encode())
    {
        assert_eq!(read, Some(RevertReason::EntryPoint { text: text(&error.reason), inner: None }));
    } else if let Ok(error) = FailedOpWithRevert::abi_decode_validate(bytes)
        && strict(error.abi_encode())
        && shallow
    {
        assert_eq!(
            read,
            Some(RevertReason::EntryPoint {
                text: text(&error.reason),
                inner: inner(&error.inner)
            })
        );
    } else if let Ok(error) = PostOpReverted::abi_decode_validate(bytes)
        && strict(error.abi_encode())
        && shallow
    {
        assert_eq!(
            read,
            Some(RevertReason::EntryPoint {
                text: "PostOpReverted".into(),
                inner: inner(&error.inner)
            })
        );
    } else if shallow {
        assert!(matches!(read, None | Some(RevertReason::Unknown(_))), "{read:?}");
    }
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
