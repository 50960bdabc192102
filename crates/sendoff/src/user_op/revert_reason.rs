//! The reason why a call reverted.

use alloc::{boxed::Box, string::String};

use primitive_types::U256;

use crate::abi::{DecodeError, Reader};
use crate::document::{Fields, Is, Presence, Record, Said, Typed, Valued, document};
use crate::error::shown;
use crate::keccak::selector;
use crate::text::fill;
use crate::value::{Quantity, WriteText, keyword};

const ERROR: [u8; 4] = selector("Error(string)");
const PANIC: [u8; 4] = selector("Panic(uint256)");
const FAILED_OP: [u8; 4] = selector("FailedOp(uint256,string)");
const FAILED_OP_WITH_REVERT: [u8; 4] = selector("FailedOpWithRevert(uint256,string,bytes)");
const POST_OP_REVERTED: [u8; 4] = selector("PostOpReverted(bytes)");

document! {
    /// The reason why a call reverted: `{kind, text, inner?}` in JSON, of kind `Error`, `Panic`, `EntryPoint` or `unknown`.
    ///
    /// The texts come from a contract or a bundler: show them as text, never as markup. Control characters and others that are
    /// invisible or change the direction of text are escaped (`\u{202e}`), after the text is cut.
    ///
    /// ```
    /// use sendoff::user_op::{RevertKind, RevertReason};
    ///
    /// let reason = RevertReason::read(concat!(
    ///     "0x220266b6",
    ///     "0000000000000000000000000000000000000000000000000000000000000000",
    ///     "0000000000000000000000000000000000000000000000000000000000000040",
    ///     "000000000000000000000000000000000000000000000000000000000000001a",
    ///     "4141323520696e76616c6964206163636f756e74206e6f6e6365000000000000",
    /// ));
    /// let text = reason.map(|reason| (reason.kind, reason.text));
    /// assert_eq!(text, Some((RevertKind::EntryPoint, "AA25 invalid account nonce".into())));
    /// ```
    pub struct RevertReason: "a reason, an object of `kind` and `text`", open Ignored {
        /// The error's kind.
        "kind" => pub kind: RevertKind,
        /// The text of an `Error` or of the EntryPoint, the code of a `Panic`, else the beginning of the reason as it came.
        ///
        /// A text has at most [`RevertReason::TEXT`] characters, and that of `FailedOp` or `FailedOpWithRevert` begins with the
        /// EntryPoint's code (`AA25 invalid account nonce`). Of what is unknown there are 66 characters of hex or 64 of text.
        "text" => pub text: String,
        /// The reason of the account or the paymaster: the bytes of `FailedOpWithRevert` and `PostOpReverted`.
        "inner" => pub inner: Option<Box<RevertReason>> => Row {
            presence: Presence::Optional,
            said: Said::of::<RevertReason>(""),
            ..Row::plain("", Is::Record(&TABLE), "")
        },
    }
}

impl Valued for Box<RevertReason> {
    // Its row says what it is, because the constant of a table is not for the table itself.
    const IS: Is = Is::Json;

    fn record(&self) -> Record {
        Record::alone(&**self)
    }
}

impl Typed for Box<RevertReason> {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        fields.next().map(Self::new)
    }
}

keyword! {
    /// The kind of an error.
    pub enum RevertKind: "`Error`, `Panic`, `EntryPoint` or `unknown`" {
        /// `Error(string)`, the `require` of Solidity.
        "Error" => Error,
        /// `Panic(uint256)`, the `assert` of Solidity, with a code such as `0x11` for an overflow.
        "Panic" => Panic,
        /// An error of the EntryPoint: `FailedOp`, `FailedOpWithRevert` or `PostOpReverted`.
        "EntryPoint" => EntryPoint,
        /// Anything else.
        "unknown" => Unknown,
    }
}

impl RevertReason {
    /// The longest text that is kept of an error, in characters.
    pub const TEXT: usize = 256;

    /// The deepest nesting of reasons that is decoded. An answer with such a reason is nested 64 deep, like the deepest
    /// document. A contract can nest them deeper.
    const DEPTH: usize = 63;

    const fn new(kind: RevertKind, text: String) -> Self {
        Self { kind, text, inner: None }
    }

    /// Reads a `reason`, hex bytes or text; `None` if it is empty. The ABI is read strictly, text as UTF-8.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        match text.strip_prefix("0x").map(|digits| (digits, const_hex::decode(text))) {
            _ if text.is_empty() => None,
            Some((digits, Ok(bytes))) => of_bytes(digits, &bytes, Self::DEPTH),
            _ => Some(Self::new(RevertKind::Unknown, cut(text, 64))),
        }
    }
}

/// Reads bytes, and the same bytes as hex digits, which keep their case.
fn of_bytes(digits: &str, bytes: &[u8], depth: usize) -> Option<RevertReason> {
    if bytes.is_empty() {
        return None;
    }
    let decoded = depth.checked_sub(1).and_then(|depth| decode(digits, bytes, depth));
    let unknown = || {
        let text = fill("0x{}", &[&cut(digits, 64)]);
        RevertReason::new(RevertKind::Unknown, text)
    };
    Some(decoded.unwrap_or_else(unknown))
}

fn decode(digits: &str, bytes: &[u8], depth: usize) -> Option<RevertReason> {
    let (selector, arguments) = bytes.split_first_chunk()?;
    let heads = match *selector {
        ERROR | PANIC | POST_OP_REVERTED => 1,
        FAILED_OP => 2,
        FAILED_OP_WITH_REVERT => 3,
        _ => return None,
    };
    let flaw = &DecodeError::default();
    let mut reader = Reader::new(arguments, selector.len(), heads, flaw);
    if heads > 1 {
        // The index of the operation in its bundle.
        reader.uint();
    }

    let (kind, text) = match *selector {
        PANIC => (RevertKind::Panic, code_of(reader.uint())),
        ERROR => (RevertKind::Error, text(&mut reader)?),
        POST_OP_REVERTED => (RevertKind::EntryPoint, "PostOpReverted".into()),
        _ => (RevertKind::EntryPoint, text(&mut reader)?),
    };
    let mut reason = RevertReason::new(kind, text);
    if matches!(*selector, FAILED_OP_WITH_REVERT | POST_OP_REVERTED) {
        let (revert, start) = reader.bytes();
        let digits = digits.get(start.saturating_mul(2)..);
        let digits = digits.and_then(|rest| rest.get(..revert.len().saturating_mul(2)));
        reason.inner = of_bytes(digits.unwrap_or_default(), revert, depth).map(Box::new);
    }
    reader.end();
    flaw.is_none().then_some(reason)
}

/// The code of a `Panic`. The codes of the compiler have two digits.
fn code_of(number: U256) -> String {
    let text = Quantity::from(number).to_text();
    match text.strip_prefix("0x") {
        Some(digit) if digit.len() == 1 => fill("0x0{}", &[&digit]),
        _ => text,
    }
}

fn text(reader: &mut Reader<'_>) -> Option<String> {
    let (bytes, _) = reader.bytes();
    core::str::from_utf8(bytes).ok().map(|text| cut(text, RevertReason::TEXT))
}

/// Returns the beginning of a text, with hidden characters escaped.
fn cut(text: &str, chars: usize) -> String {
    let end = text.char_indices().nth(chars).map_or(text.len(), |(end, _)| end);
    shown(text.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{Item, encode};
    use crate::document::to_json;
    use crate::value::HexBytes;
    use alloc::{string::ToString, vec::Vec};

    fn read(selector: [u8; 4], values: &[Item<'_>]) -> RevertReason {
        RevertReason::read(&HexBytes::from(bytes_of(selector, values)).to_string()).unwrap()
    }

    fn bytes_of(selector: [u8; 4], values: &[Item<'_>]) -> Vec<u8> {
        [&selector[..], &encode(values)].concat()
    }

    #[test]
    fn texts_are_cut_before_they_are_escaped() {
        for length in [255, 256, 257, 5000] {
            let text = "\u{200b}".repeat(length);
            let reason = read(FAILED_OP, &[Item::Uint(0.into()), Item::Bytes(text.as_bytes())]);
            assert_eq!(reason.text, r"\u{200b}".repeat(length.min(256)));
        }
    }

    #[test]
    fn a_reason_is_nested_no_deeper_than_a_document() {
        let mut bytes = bytes_of(PANIC, &[Item::Uint(1.into())]);
        for _ in 0..if cfg!(miri) { 100 } else { 4000 } {
            bytes = bytes_of(POST_OP_REVERTED, &[Item::Bytes(&bytes)]);
        }
        let answer = to_json(&read(POST_OP_REVERTED, &[Item::Bytes(&bytes)]));
        assert_eq!(answer.matches('{').count(), 64);
        assert!(answer.contains(r#"{"kind":"unknown","text":"0xad7954bc0000"#), "{answer}");
    }
}
