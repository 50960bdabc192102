//! Kinds of texts and their meanings.

use alloc::{string::String, vec::Vec};

use crate::document::{Write, traits, write_key};
use crate::error::{Issues, Path};
use crate::value::{
    self, Address, Amount, ChainId, HexBytes, JobId, NftId, Quantity, Word, WriteText, decimal,
    keyword,
};

keyword! {
    /// A kind of text.
    pub(crate) enum TextKind: "a kind of text: `quantity`, `hexBytes`, `word`, `address`, `chainId`, `jobId`, `nftId` or `amount`" {
        "quantity" => Quantity,
        "hexBytes" => HexBytes,
        "word" => Word,
        "address" => Address,
        "chainId" => ChainId,
        "jobId" => JobId,
        "nftId" => NftId,
        "amount" => Amount,
    }
}

impl TextKind {
    /// Returns the meaning of a text of this kind.
    pub(super) fn meaning(self, text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<Meaning> {
        match self {
            Self::Quantity => value::read::<Quantity>(text, at, issues).map(|quantity| {
                let value = quantity.value();
                Meaning::Texts([
                    Some(("hex", Quantity::from(value).to_text())),
                    Some(("decimal", decimal(value))),
                ])
            }),
            Self::HexBytes => value::read::<HexBytes>(text, at, issues)
                .map(|bytes| Meaning::Length(u64::try_from(bytes.len()).unwrap_or(u64::MAX))),
            Self::Word => value::read::<Word>(text, at, issues).map(|_| Meaning::Length(32)),
            Self::Address => value::read::<Address>(text, at, issues).map(|address| {
                Meaning::Texts([Some(("checksummed", address.to_checksum())), None])
            }),
            Self::ChainId => value::read::<ChainId>(text, at, issues).map(|chain| {
                let (namespace, reference) = (chain.namespace().into(), chain.reference());
                Meaning::Texts([Some(("namespace", namespace)), Some(("reference", reference))])
            }),
            Self::JobId => value::read::<JobId>(text, at, issues).map(|job| {
                let (uuid, nonce) = (JobId::from(job.to_uuid()), job.nonce());
                Meaning::Texts([Some(("uuid", uuid.to_text())), Some(("nonce", nonce.to_text()))])
            }),
            Self::NftId => value::read::<NftId>(text, at, issues).map(|nft| {
                let kind = if nft.uuid().is_some() { "uuid" } else { "tokenId" };
                Meaning::Texts([Some(("kind", kind.into())), None])
            }),
            Self::Amount => value::read::<Amount>(text, at, issues).map(|amount| {
                Meaning::Texts([Some(("hex", Quantity::from(amount.value()).to_text())), None])
            }),
        }
    }
}

/// The meaning of a text: an object of one or two strings, or of a length in bytes.
pub(super) enum Meaning {
    Texts([Option<(&'static str, String)>; 2]),
    Length(u64),
}

impl Write for Meaning {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        match self {
            Self::Texts(texts) => {
                for (key, text) in texts.iter().flatten() {
                    write_key(key, out);
                    text.write(out);
                }
            }
            Self::Length(bytes) => {
                write_key("length", out);
                bytes.write(out);
            }
        }
        out.push(b'}');
    }
}

/// The answer of [`read_text`](super::read_text).
#[cfg(feature = "schema")]
pub(crate) struct TextMeanings;

traits!(TextMeanings: schema(|generator| {
    let decimal = schemars::json_schema!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)$" });
    let number = crate::document::schema::Fields::new(generator)
        .required::<Quantity>("hex", "The value in lower-case hex.")
        .shaped("decimal", "In decimal.", decimal)
        .open("A number.");
    let length = schemars::json_schema!({ "type": "integer", "minimum": 0 });
    let bytes = crate::document::schema::Fields::new(generator)
        .shaped("length", "The number of bytes.", length)
        .open("Bytes.");
    let word = crate::document::schema::Fields::new(generator)
        .constant("length", "The number of bytes.", 32)
        .open("Bytes.");
    let address = crate::document::schema::Fields::new(generator)
        .required::<Address>("checksummed", "The address in the mixed case of ERC-55.")
        .open("An address.");
    let chain = crate::document::schema::Fields::new(generator)
        .required::<String>("namespace", "The part before the colon.")
        .required::<String>("reference", "The part after the colon.")
        .open("A chain.");
    let job = crate::document::schema::Fields::new(generator)
        .required::<JobId>("uuid", "The job in lower case.")
        .required::<Word>("nonce", "The nonce of its user operation.")
        .open("A job.");
    let kinds = schemars::json_schema!({ "enum": ["uuid", "tokenId"] });
    let nft = crate::document::schema::Fields::new(generator)
        .shaped("kind", "The kind of its identifier.", kinds)
        .open("An NFT.");
    let amount = crate::document::schema::Fields::new(generator)
        .required::<Quantity>("hex", "The value in lower-case hex.")
        .open("An amount.");
    let meanings = [
        (TextKind::Quantity, number),
        (TextKind::HexBytes, bytes),
        (TextKind::Word, word),
        (TextKind::Address, address),
        (TextKind::ChainId, chain),
        (TextKind::JobId, job),
        (TextKind::NftId, nft),
        (TextKind::Amount, amount),
    ];
    meanings
        .into_iter()
        .fold(crate::document::schema::Fields::new(generator), |fields, (kind, meaning)| {
            fields.shaped(kind.as_str(), "", meaning)
        })
        .open("The answer of `readText`, by the kind of the text.")
}));
