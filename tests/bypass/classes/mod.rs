//! The classes, by what they attack.

mod bytes;
mod calls;
mod deployment;
mod details;
mod echoes;
mod names;
mod replay;
mod requests;
mod second;
mod source;
mod text;

pub use source::Source;

use serde_json::Value;

use crate::draft::{remove, with};
use crate::{Case, Chance, Draft, Judgement, NFT, RAW, TOKEN};

/// One way around the comparison of a reply with its request.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// A stable name.
    pub name: &'static str,
    /// The attack, in one sentence.
    pub about: &'static str,
    /// Where it was seen.
    pub seen: &'static [Source],
    pub cases: Cases,
}

/// The cases of a class.
#[derive(Clone, Copy, Debug)]
pub struct Cases {
    /// The types of request that the class applies to.
    pub kinds: &'static [&'static str],
    make: fn(Draft, &mut Chance) -> Case,
}

const fn of(kinds: &'static [&'static str], make: fn(Draft, &mut Chance) -> Case) -> Cases {
    Cases { kinds, make }
}

impl Class {
    /// The type of the request of a number.
    #[must_use]
    pub fn kind(&self, seed: u64) -> &'static str {
        self.cases.kinds[(seed % self.cases.kinds.len() as u64) as usize]
    }

    /// The case of a number, made of the original request of that number.
    #[must_use]
    pub fn case(&self, original: &Draft, seed: u64) -> Case {
        (self.cases.make)(original.clone(), &mut Chance::new(seed, self.name))
    }
}

/// All types, and those with a recipient.
const ALL: &[&str] = &[NFT, TOKEN, RAW];
const MOVES: &[&str] = &[NFT, TOKEN];

/// A group of classes.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its title on the page.
    pub title: &'static str,
    pub classes: &'static [Class],
}

/// All groups, in the order of the page.
pub const GROUPS: &[Group] = &[
    Group { title: "Another transfer than the requested one", classes: details::CLASSES },
    Group { title: "The rest of the reply", classes: echoes::CLASSES },
    Group { title: "What the request leaves open", classes: deployment::CLASSES },
    Group { title: "Something else is sent, or somewhere else", classes: replay::CLASSES },
    Group { title: "Text", classes: text::CLASSES },
    Group { title: "Encoded bytes", classes: bytes::CLASSES },
    Group {
        title: "The request itself is the attack: calls of contracts",
        classes: calls::CLASSES,
    },
    Group {
        title: "The request itself is the attack: recipients and other fields",
        classes: requests::CLASSES,
    },
    Group { title: "Lists of tokens and chains", classes: names::CLASSES },
    Group { title: "What a second device compares", classes: second::CLASSES },
];

/// All classes.
pub fn all() -> impl Iterator<Item = &'static Class> {
    GROUPS.iter().flat_map(|group| group.classes)
}

const TO: &str = "recipientWalletAddress";

/// The gas limits of an operation.
const LIMITS: &[&str] = &[
    "callGasLimit",
    "verificationGasLimit",
    "preVerificationGas",
    "paymasterVerificationGasLimit",
    "paymasterPostOpGasLimit",
];

/// The two places of a reply that describe the intent.
const CALL_DATA: &str = "data.userOps.callData";
const PAYLOAD: &str = "data.callData.payload";

/// The honest reply with another value at a path, where it is refused.
fn replaced(draft: Draft, path: &str, value: impl Into<Value>) -> Case {
    let altered = with(draft.reply(), path, value);
    draft.replied(altered, Judgement::refused(path))
}

/// The honest reply without the value at a path, where it is refused.
fn left_out(draft: Draft, path: &str) -> Case {
    let mut altered = draft.reply();
    remove(&mut altered, path);
    draft.replied(altered, Judgement::refused(path))
}

/// The honest reply with a value more, of which nothing is read.
fn unread(draft: Draft, path: &str, value: impl Into<Value>) -> Case {
    let altered = with(draft.reply(), path, value);
    draft.replied(altered, Judgement::Unchanged)
}

/// An address with letters of both cases: all of one case has no checksum.
fn mixed(address: String) -> String {
    let has = |is: fn(&u8) -> bool| address.as_bytes()[2..].iter().any(is);
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    if is_mixed { address } else { format!("0xaB{}", "0".repeat(38)) }
}

/// The full-width form of a digit.
fn wide(digit: char) -> char {
    char::from_u32(0xff10 + digit as u32 - '0' as u32).unwrap()
}
