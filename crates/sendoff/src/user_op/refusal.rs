//! The refusal of an operation by a bundler: the part at fault, and what to do next.
//!
//! Source: ERC-7769 (the codes), the EntryPoint contracts 0.6 to 0.9 (the `AA` reasons), and the
//! messages of public bundlers and of Ethereum clients.

use alloc::{string::String, vec::Vec};

use crate::document::{Integer, Is, MAX_SAFE, Node, Presence, Row, document};
use crate::error::{Issues, Path};
use crate::text::{contains, number};
use crate::value::{Opaque, keyword};

document! {
    /// The JSON-RPC error of a bundler. Other fields are ignored.
    ///
    /// An example is the answer to `eth_sendUserOperation`: `{code, message}` in JSON.
    ///
    /// ```
    /// use sendoff::user_op::{BundlerError, RefusalNext, RefusedPart};
    ///
    /// let error: BundlerError = r#"{"code": -32500, "message": "AA21 didn't pay prefund", "data": {}}"#.parse()?;
    /// let refusal = error.refusal();
    /// assert_eq!((refusal.at, refusal.next), (RefusedPart::Account, RefusalNext::Change));
    /// assert_eq!(refusal.reason.as_deref(), Some("AA21"));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct BundlerError: "a JSON-RPC error, an object of `code` and `message`", open Ignored {
        /// The code.
        "code" => pub code: i64 => Row::of::<Code>("", ""),
        /// The message.
        "message" => pub message: String,
        /// More about the error: text, or an object with a `message` or a `reason`. Anything else is ignored.
        "data" => pub data: Option<Opaque> => DATA,
    }
}

/// Without a type of its own in schemas.
const DATA: Row = Row::plain("", Is::Json, "").present(Presence::Optional);

/// From −(2^53−1) to 2^53−1.
type Code = Integer<{ -MAX_SAFE }, MAX_SAFE>;

document! {
    /// The meaning of a bundler's refusal: `{at, next, reason?}` in JSON.
    pub struct BundlerRefusal: "", open Ignored, displayed by nobody {
        /// The part at fault.
        "at" => pub at: RefusedPart,
        /// What to do next.
        "next" => pub next: RefusalNext,
        /// The EntryPoint's reason in the error's texts, such as `AA21`.
        "reason" => pub reason: Option<String>,
    }
}

keyword! {
    /// The part because of which a bundler refuses an operation.
    ///
    /// ```
    /// use sendoff::user_op::RefusedPart;
    ///
    /// assert_eq!(RefusedPart::Paymaster.as_str(), "paymaster");
    /// ```
    pub enum RefusedPart: "the part that is refused, such as `gas`", non_exhaustive {
        /// The nonce is used, or the bundler has an operation with it.
        "nonce" => Nonce,
        /// The fees are too low to replace a pending operation.
        "fees" => Fees,
        /// The factory that deploys the account.
        "factory" => Factory,
        /// A gas limit, or the sum of them.
        "gas" => Gas,
        /// The account, or its deposit.
        "account" => Account,
        /// The paymaster, or its deposit.
        "paymaster" => Paymaster,
        /// The bundler itself.
        "bundler" => Bundler,
        /// The time at which the operation is valid.
        "time" => Time,
        /// The reputation or the stake of account, factory or paymaster at this bundler.
        "reputation" => Reputation,
        /// The signature of the account or of the paymaster.
        "signature" => Signature,
        /// The account's call.
        "call" => Call,
        /// The form of the operation.
        "operation" => Operation,
        /// Unknown.
        "unknown" => Unknown,
    }
}

keyword! {
    /// What to do after a bundler's refusal.
    ///
    /// ```
    /// use sendoff::user_op::RefusalNext;
    ///
    /// assert_eq!(RefusalNext::Ask.as_str(), "ask");
    /// ```
    pub enum RefusalNext: "`change`, `later`, `replace` or `ask`" {
        /// Make another operation of the same job: this one will be refused again.
        "change" => Change,
        /// Send the same operation again later.
        "later" => Later,
        /// Replace the pending operation, with higher fees ([`super::replacement_fees`]).
        "replace" => Replace,
        /// Ask for the receipt and the nonce before anything else: the operation may have been executed.
        "ask" => Ask,
    }
}

impl BundlerError {
    /// Returns the part at fault and what to do next. The first rule that applies decides: the EntryPoint's reason or the
    /// words of a text, then the code.
    ///
    /// The texts are `message`, and `data` or else its `message` and its `reason`. The reason is the first `AA` with two
    /// digits in them that has no ASCII letter or digit beside it. The case of ASCII letters is ignored in all other words.
    #[must_use]
    pub fn refusal(&self) -> BundlerRefusal {
        let data = self.data.as_ref().map_or("null", Opaque::as_str);
        let data = Node::parse(data, &Path::Root, &mut Issues::default()).unwrap_or(Node::Null);
        let of_data = ["message", "reason"].map(|key| data.get(key));
        let nodes = core::iter::once(Some(&data)).chain(of_data);
        let texts = nodes.filter_map(|node| node?.as_text());
        let texts: Vec<_> = core::iter::once(&*self.message).chain(texts).collect();

        let reason = texts.iter().find_map(|text| reason_of(text));
        let words = texts.iter().map(|text| text.to_ascii_lowercase()).collect::<Vec<_>>();
        let (at, next) =
            by_words(reason.and_then(number_of), &words).unwrap_or_else(|| by_code(self.code));
        BundlerRefusal { at, next, reason: reason.map(Into::into) }
    }
}

/// The rules about the EntryPoint's reason and the words of the texts, in their order.
fn by_words(reason: Option<u8>, texts: &[String]) -> Option<(RefusedPart, RefusalNext)> {
    let has = |part: &&str| texts.iter().any(|text| contains(text, part));

    if reason == Some(25) || ["already known", "known transaction", "nonce too low"].iter().any(has)
    {
        return Some((RefusedPart::Nonce, RefusalNext::Ask));
    }
    // Bundlers say "replacement", "replace" or "replaced" of an operation whose nonce is pending.
    if has(&"replac") {
        return Some((RefusedPart::Fees, RefusalNext::Replace));
    }
    Some(match reason? {
        10..=19 => (RefusedPart::Factory, RefusalNext::Change),
        26 | 36 | 40..=59 | 94 | 95 => (RefusedPart::Gas, RefusalNext::Change),
        20..=29 => (RefusedPart::Account, RefusalNext::Change),
        31 => (RefusedPart::Paymaster, RefusalNext::Later),
        30..=39 => (RefusedPart::Paymaster, RefusalNext::Change),
        90..=99 => (RefusedPart::Bundler, RefusalNext::Later),
        _ => return None,
    })
}

/// The rules about the code.
const fn by_code(code: i64) -> (RefusedPart, RefusalNext) {
    match code {
        -32500 | -32502 => (RefusedPart::Account, RefusalNext::Change),
        -32501 => (RefusedPart::Paymaster, RefusalNext::Change),
        -32503 => (RefusedPart::Time, RefusalNext::Change),
        -32504 | -32505 | -32508 => (RefusedPart::Reputation, RefusalNext::Later),
        -32506 | -32507 => (RefusedPart::Signature, RefusalNext::Change),
        -32521 => (RefusedPart::Call, RefusalNext::Change),
        // Four of six bundlers say this of an operation whose nonce is pending.
        -32602 => (RefusedPart::Operation, RefusalNext::Ask),
        _ => (RefusedPart::Unknown, RefusalNext::Ask),
    }
}

/// Finds the EntryPoint's reason in a message: the first word of `AA` and two digits.
fn reason_of(message: &str) -> Option<&str> {
    let words = message.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
    words.filter_map(|word| core::str::from_utf8(word).ok()).find(|word| number_of(word).is_some())
}

/// The number of a reason: 21 of `AA21`.
fn number_of(reason: &str) -> Option<u8> {
    let digits = reason.strip_prefix("AA").filter(|digits| digits.len() == 2)?;
    u8::try_from(number(digits)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors have the others.
    #[test]
    fn a_reason_is_a_word_of_its_own() {
        for (message, reason) in
            [("AA21", Some("AA21")), ("AA251 0xAA31 AAA24 AA2 aa22 AA-3", None)]
        {
            assert_eq!(reason_of(message), reason, "{message}");
        }
    }
}
