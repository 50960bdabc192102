//! What a text means, by its kind.

use alloc::{format, string::String};

use serde::ser::{Serialize, Serializer};

use crate::document::{schema, to_json};
use crate::error::{Issues, Path};
use crate::value::{self, Address, Amount, ChainId, HexBytes, JobId, NftId, Quantity, Word, keyword};

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
    /// The meaning of a text of this kind, as JSON text.
    pub(super) fn meaning(self, text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<String> {
        let object = |fields: &[(&str, &str)]| to_json(&Fields(fields));
        match self {
            Self::Quantity => value::read::<Quantity>(text, at, issues).map(|quantity| {
                let value = quantity.value();
                object(&[("hex", &format!("{value:#x}")), ("decimal", &format!("{value}"))])
            }),
            Self::HexBytes => {
                value::read::<HexBytes>(text, at, issues).map(|bytes| format!(r#"{{"length":{}}}"#, bytes.len()))
            }
            Self::Word => value::read::<Word>(text, at, issues).map(|_| r#"{"length":32}"#.into()),
            Self::Address => value::read::<Address>(text, at, issues)
                .map(|address| object(&[("checksummed", &address.to_checksum())])),
            Self::ChainId => value::read::<ChainId>(text, at, issues)
                .map(|chain| object(&[("namespace", chain.namespace()), ("reference", chain.reference())])),
            Self::JobId => value::read::<JobId>(text, at, issues).map(|job| {
                object(&[("uuid", JobId::from(job.to_uuid()).as_str()), ("nonce", Word::from(job.nonce()).as_str())])
            }),
            Self::NftId => value::read::<NftId>(text, at, issues)
                .map(|nft| object(&[("kind", if nft.uuid().is_some() { "uuid" } else { "tokenId" })])),
            Self::Amount => value::read::<Amount>(text, at, issues)
                .map(|amount| object(&[("hex", &format!("{:#x}", amount.value()))])),
        }
    }
}

/// An object of texts.
struct Fields<'a>(&'a [(&'a str, &'a str)]);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// What [`read_text`](super::read_text) answers.
#[cfg(feature = "schema")]
pub(crate) struct TextMeanings;

schema::of!(TextMeanings, |generator| {
    let address = generator.subschema_for::<Address>();
    let quantity = generator.subschema_for::<Quantity>();
    let (uuid, word) = (generator.subschema_for::<JobId>(), generator.subschema_for::<Word>());
    let text = schemars::json_schema!({ "type": "string" });
    let decimal = schemars::json_schema!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)$" });
    let length = schemars::json_schema!({ "type": "integer", "minimum": 0 });
    let word_length = schemars::json_schema!({ "const": 32 });
    let kinds = schemars::json_schema!({ "enum": ["uuid", "tokenId"] });
    let meanings = [
        (
            TextKind::Quantity,
            "A number.",
            &[("hex", "In lower-case hex.", &quantity), ("decimal", "In decimal.", &decimal)][..],
        ),
        (TextKind::HexBytes, "Bytes.", &[("length", "How many they are.", &length)]),
        (TextKind::Word, "Bytes.", &[("length", "How many they are.", &word_length)]),
        (TextKind::Address, "An address.", &[("checksummed", "In the mixed case of ERC-55.", &address)]),
        (
            TextKind::ChainId,
            "A chain.",
            &[("namespace", "What stands before the colon.", &text), ("reference", "What stands behind it.", &text)],
        ),
        (TextKind::JobId, "A job.", &[("uuid", "In lower case.", &uuid), ("nonce", "Of its user operation.", &word)]),
        (TextKind::NftId, "An NFT.", &[("kind", "What identifies it.", &kinds)]),
        (TextKind::Amount, "An amount.", &[("hex", "In lower-case hex.", &quantity)]),
    ];
    let objects = meanings.map(|(kind, sentence, fields)| {
        let described = |schema: &schemars::Schema, sentence: &str| {
            let mut schema = schema.clone();
            schema.insert("description".into(), sentence.into());
            schema.to_value()
        };
        let required: alloc::vec::Vec<_> = fields.iter().map(|(key, ..)| *key).collect();
        let fields = fields.iter().map(|(key, sentence, schema)| ((*key).into(), described(schema, sentence)));
        let fields: serde_json::Map<String, serde_json::Value> = fields.collect();
        let object = serde_json::json!({
            "type": "object", "description": sentence, "properties": fields, "required": required,
        });
        (kind.as_str().into(), object)
    });
    let objects: serde_json::Map<String, serde_json::Value> = objects.into_iter().collect();
    schemars::json_schema!({
        "type": "object",
        "description": "What `readText` answers, by the kind of the text.",
        "properties": objects,
        "required": TextKind::ALL,
    })
});
