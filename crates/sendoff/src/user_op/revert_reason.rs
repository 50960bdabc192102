//! The reason why a call reverted.

use alloc::{boxed::Box, string::String};

use primitive_types::U256;

use crate::abi::{DecodeError, Reader};
use crate::document::{
    Fields, Is, Presence, Record, Recorded, Row, Said, Shown, Table, Texts, traits,
};
use crate::error::{Wanted, shown};
use crate::keccak::selector;
use crate::text::fill;
use crate::value::{Quantity, WriteText};

const ERROR: [u8; 4] = selector("Error(string)");
const PANIC: [u8; 4] = selector("Panic(uint256)");
const FAILED_OP: [u8; 4] = selector("FailedOp(uint256,string)");
const FAILED_OP_WITH_REVERT: [u8; 4] = selector("FailedOpWithRevert(uint256,string,bytes)");
const POST_OP_REVERTED: [u8; 4] = selector("PostOpReverted(bytes)");

/// The reason why a call reverted: `{kind, text, inner?}` in JSON, of kind `Error`, `Panic`, `EntryPoint` or `unknown`.
///
/// The texts come from a contract or a bundler: show them as text, never as markup. Control characters and others that are
/// invisible or change the direction of text are escaped (`\u{202e}`), after the text is cut.
///
/// ```
/// use sendoff::user_op::RevertReason;
///
/// let reason = RevertReason::read(concat!(
///     "0x220266b6",
///     "0000000000000000000000000000000000000000000000000000000000000000",
///     "0000000000000000000000000000000000000000000000000000000000000040",
///     "000000000000000000000000000000000000000000000000000000000000001a",
///     "4141323520696e76616c6964206163636f756e74206e6f6e6365000000000000",
/// ));
/// let text = "AA25 invalid account nonce".into();
/// assert_eq!(reason, Some(RevertReason::EntryPoint { text, inner: None }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RevertReason {
    /// `Error(string)`, the `require` of Solidity: its text, at most [`RevertReason::TEXT`] characters.
    Error(String),
    /// `Panic(uint256)`, the `assert` of Solidity: its code, such as `0x11` for an overflow.
    Panic(U256),
    /// An error of the EntryPoint.
    EntryPoint {
        /// The text of `FailedOp` or `FailedOpWithRevert`, which begins with the EntryPoint's code (`AA25 invalid
        /// account nonce`), at most [`RevertReason::TEXT`] characters; `PostOpReverted` for that error.
        text: String,
        /// The reason of the account or the paymaster: the bytes of `FailedOpWithRevert` and `PostOpReverted`.
        inner: Option<Box<RevertReason>>,
    },
    /// Anything else: the beginning of the hex (66 characters), as it came, or of the text (64 characters).
    Unknown(String),
}

impl RevertReason {
    /// The longest text that is kept of an error, in characters.
    pub const TEXT: usize = 256;

    /// The deepest nesting of reasons that is decoded. An answer with such a reason is nested 64 deep, like the deepest
    /// document. A contract can nest them deeper.
    const DEPTH: usize = 63;

    /// Reads a `reason`, hex bytes or text; `None` if it is empty. The ABI is read strictly, text as UTF-8.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        match text.strip_prefix("0x").map(|digits| (digits, const_hex::decode(text))) {
            _ if text.is_empty() => None,
            Some((digits, Ok(bytes))) => of_bytes(digits, &bytes, Self::DEPTH),
            _ => Some(Self::Unknown(cut(text, 64))),
        }
    }
}

/// A reason. One may be inside another.
static REASON: Table = Table {
    rows: &[
        Row::plain("kind", Is::Keyword(&KINDS), "The error's kind."),
        Row::of::<String>(
            "text",
            "The text of an `Error` or of the EntryPoint, the code of a `Panic`, else the beginning of the reason as it came.",
        ),
        Row {
            key: "inner",
            is: Is::Record(&REASON),
            presence: Presence::Optional,
            said: Said::of::<RevertReason>("The reason of the account or the paymaster."),
        },
    ],
    ..Table::answer("The reason why a call reverted.")
};

static KINDS: Texts = Texts {
    wanted: Wanted { words: "the kind of a reason", kind: "" },
    list: &["Error", "Panic", "EntryPoint", "unknown"],
};

/// Reads bytes, and the same bytes as hex digits, which keep their case.
fn of_bytes(digits: &str, bytes: &[u8], depth: usize) -> Option<RevertReason> {
    if bytes.is_empty() {
        return None;
    }
    let decoded = depth.checked_sub(1).and_then(|depth| decode(digits, bytes, depth));
    let unknown = || RevertReason::Unknown(fill("0x{}", &[&cut(digits, 64)]));
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

    let reason = match *selector {
        PANIC => RevertReason::Panic(reader.uint()),
        ERROR => RevertReason::Error(text(&mut reader)?),
        FAILED_OP => RevertReason::EntryPoint { text: text(&mut reader)?, inner: None },
        _ => {
            let text = match *selector {
                POST_OP_REVERTED => "PostOpReverted".into(),
                _ => text(&mut reader)?,
            };
            let (revert, start) = reader.bytes();
            let digits = digits.get(start.saturating_mul(2)..);
            let digits = digits.and_then(|rest| rest.get(..revert.len().saturating_mul(2)));
            let inner = of_bytes(digits.unwrap_or_default(), revert, depth).map(Box::new);
            RevertReason::EntryPoint { text, inner }
        }
    };
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

impl Shown for RevertReason {
    const SHAPE: Is = Is::Record(&REASON);

    fn record(&self) -> Record {
        let (kind, text, inner) = match self {
            Self::Error(text) => ("Error", text, &None),
            Self::Panic(number) => ("Panic", &code_of(*number), &None),
            Self::EntryPoint { text, inner } => ("EntryPoint", text, inner),
            Self::Unknown(text) => ("unknown", text, &None),
        };
        let record = Record::of(&REASON).with_text(kind).with(text);
        match inner {
            Some(inner) => record.with(&**inner),
            None => record.without(),
        }
    }
}

impl Recorded for RevertReason {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        let (kind, text): (String, String) = (fields.next()?, fields.next()?);
        Some(match &*kind {
            "Error" => Self::Error(text),
            "Panic" => {
                let code = text.strip_prefix("0x").map(|code| U256::from_str_radix(code, 16));
                if let Some(Ok(code)) = code { Self::Panic(code) } else { Self::Unknown(text) }
            }
            "EntryPoint" => {
                let inner: Option<Self> = fields.next()?;
                Self::EntryPoint { text, inner: inner.map(Box::new) }
            }
            _ => Self::Unknown(text),
        })
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

traits!(RevertReason: write, serialize, schema);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{Item, encode};
    use crate::document::to_json;
    use crate::value::HexBytes;
    use alloc::{string::ToString, vec::Vec};

    fn to_hex(bytes: &[u8]) -> String {
        HexBytes::from(bytes).to_string()
    }

    fn hex_of(selector: [u8; 4], values: &[Item<'_>]) -> String {
        to_hex(&bytes_of(selector, values))
    }

    fn bytes_of(selector: [u8; 4], values: &[Item<'_>]) -> Vec<u8> {
        [&selector[..], &encode(values)].concat()
    }

    fn json(reason: &str) -> String {
        to_json(&RevertReason::read(reason))
    }

    #[test]
    fn undecodable_reasons_are_shown_as_they_came() {
        let error = bytes_of(ERROR, &[Item::Bytes(b"no")]);
        let mut mutants = Vec::new();

        // Another offset, non-zero padding, extra bytes, text that is not UTF-8, and each way to be
        // too short.
        for (at, byte) in [(35, 0x40), (70, 1), (68, 0xff)] {
            let mut mutant = error.clone();
            mutant[at] = byte;
            mutants.push(mutant);
        }

        mutants.push([&error[..], &[0]].concat());
        mutants.extend((1..error.len()).map(|length| error[..length].to_vec()));

        for mutant in mutants {
            let hex = to_hex(&mutant);
            let shown = hex.get(..66).unwrap_or(&hex).into();
            assert_eq!(RevertReason::read(&hex), Some(RevertReason::Unknown(shown)), "{hex}");
        }

        for (text, shown) in
            [("0xabc", "0xabc"), ("0Xab", "0Xab"), (" ", " "), (&"é".repeat(65), &"é".repeat(64))]
        {
            assert_eq!(
                RevertReason::read(text),
                Some(RevertReason::Unknown(shown.to_string())),
                "{text}"
            );
        }
        for none in ["", "0x"] {
            assert_eq!(RevertReason::read(none), None);
        }
    }

    #[test]
    fn texts_are_cut() {
        for length in [255, 256, 257, 5000] {
            let text = "✓".repeat(length);
            let reason = RevertReason::read(&hex_of(ERROR, &[Item::Bytes(text.as_bytes())]));
            let Some(RevertReason::Error(text)) = reason else { panic!("expected an Error") };
            assert_eq!(text.chars().count(), length.min(256));
        }
    }

    #[test]
    fn a_reason_is_nested_no_deeper_than_a_document() {
        let mut bytes = bytes_of(PANIC, &[Item::Uint(1.into())]);
        for _ in 0..if cfg!(miri) { 100 } else { 4000 } {
            bytes = bytes_of(POST_OP_REVERTED, &[Item::Bytes(&bytes)]);
        }
        let answer = json(&to_hex(&bytes));
        assert_eq!(answer.matches('{').count(), 64);
        assert!(answer.contains(r#"{"kind":"unknown","text":"0xad7954bc0000"#), "{answer}");
    }

    #[test]
    fn hidden_characters_of_texts_are_escaped() {
        let text = "a\u{1b}[2J\u{202e}b\0`\n";
        let shown = r"a\u{1b}[2J\u{202e}b\u{0}`\u{a}";
        let of = |hex: &str| match RevertReason::read(hex) {
            Some(
                RevertReason::Error(text)
                | RevertReason::Unknown(text)
                | RevertReason::EntryPoint { text, .. },
            ) => text,
            other => panic!("expected a text, found {other:?}"),
        };

        assert_eq!(of(text), shown);
        assert_eq!(of(&hex_of(ERROR, &[Item::Bytes(text.as_bytes())])), shown);
        assert_eq!(
            of(&hex_of(FAILED_OP, &[Item::Uint(0.into()), Item::Bytes(text.as_bytes())])),
            shown
        );
        assert_eq!(of(&"\u{200b}".repeat(65)), r"\u{200b}".repeat(64));
    }
}
