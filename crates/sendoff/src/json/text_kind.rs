//! Kinds of texts and their meanings.

use alloc::string::String;

use crate::document::{
    Integer, Is, Kind, Row, Table, Texts, Valued, Value, read_plain, traits, widen,
};
use crate::error::{Issues, Path, Wanted};
use crate::value::{
    Address, Amount, ChainId, HexBytes, JobId, NftId, Quantity, Word, decimal, keyword,
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
    const fn is(self) -> Is {
        match self {
            Self::Quantity => Quantity::IS,
            Self::HexBytes => HexBytes::IS,
            Self::Word => Word::IS,
            Self::Address => Address::IS,
            Self::ChainId => ChainId::IS,
            Self::JobId => JobId::IS,
            Self::NftId => NftId::IS,
            Self::Amount => Amount::IS,
        }
    }

    /// Returns the meaning of a text of this kind.
    pub(super) fn meaning(self, text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<Value> {
        let hex = |number| Quantity::from(number).into_value();
        let values = match read_plain(text, &self.is(), at, issues) {
            Value::Quantity(quantity) => {
                alloc::vec![hex(quantity.value()), Value::text(decimal(quantity.value()))]
            }
            Value::HexBytes(bytes) => {
                alloc::vec![widen(bytes.len())]
            }
            Value::Word(_) => alloc::vec![Value::Integer(32)],
            Value::Address(address) => alloc::vec![Value::Address(address.to_checksummed())],
            Value::ChainId(chain) => {
                alloc::vec![Value::Text(chain.namespace().into()), Value::text(chain.reference()),]
            }
            Value::JobId(job) => {
                alloc::vec![JobId::from(job.to_uuid()).into_value(), job.nonce().into_value()]
            }
            Value::NftId(nft) => {
                let [uuid, token_id] = NFT_IDS;
                alloc::vec![Value::Keyword(if nft.uuid().is_some() { uuid } else { token_id })]
            }
            Value::Amount(amount) => alloc::vec![hex(amount.value())],
            _ => return None,
        };

        let table = MEANINGS.rows.iter().find(|row| row.key == self.as_str())?;
        if let Is::Record(table) = table.is { Some(Value::Record(values, table)) } else { None }
    }
}

/// The number of bytes in a text of at most 1 MiB.
type Length = Integer<0, 524_287>;

/// The forms of an NFT's identifier.
const NFT_IDS: [&str; 2] = ["uuid", "tokenId"];

const HEX: Row = Row::of::<Quantity>("hex", "The value in lower-case hex.");

/// The meaning of a text, by its kind.
static MEANINGS: Table = Table {
    rows: &[
        meaning(
            "quantity",
            &Table {
                rows: &[
                    HEX,
                    Row::plain(
                        "decimal",
                        Is::Text(&Kind::written("^(0|[1-9][0-9]*)$")),
                        "In decimal.",
                    ),
                ],
                ..Table::answer("A number.")
            },
        ),
        meaning(
            "hexBytes",
            &Table {
                rows: &[Row::of::<Length>("length", "The number of bytes.")],
                ..Table::answer("Bytes.")
            },
        ),
        meaning(
            "word",
            &Table {
                rows: &[Row::plain("length", <Integer<32, 32>>::IS, "The number of bytes.")],
                ..Table::answer("Bytes.")
            },
        ),
        meaning(
            "address",
            &Table {
                rows: &[Row::of::<Address>(
                    "checksummed",
                    "The address in the mixed case of ERC-55.",
                )],
                ..Table::answer("An address.")
            },
        ),
        meaning(
            "chainId",
            &Table {
                rows: &[
                    Row::of::<String>("namespace", "The part before the colon."),
                    Row::of::<String>("reference", "The part after the colon."),
                ],
                ..Table::answer("A chain.")
            },
        ),
        meaning(
            "jobId",
            &Table {
                rows: &[
                    Row::of::<JobId>("uuid", "The job in lower case."),
                    Row::of::<Word>("nonce", "The nonce of its user operation."),
                ],
                ..Table::answer("A job.")
            },
        ),
        meaning(
            "nftId",
            &Table {
                rows: &[Row::plain(
                    "kind",
                    Is::Keyword(&Texts { wanted: Wanted { words: "", kind: "" }, list: &NFT_IDS }),
                    "The kind of its identifier.",
                )],
                ..Table::answer("An NFT.")
            },
        ),
        meaning("amount", &Table { rows: &[HEX], ..Table::answer("An amount.") }),
    ],
    ..Table::answer("The answer of `readText`, by the kind of the text.")
};

const fn meaning(kind: &'static str, table: &'static Table) -> Row {
    Row::plain(kind, Is::Record(table), "")
}

/// The answer of [`read_text`](super::read_text).
#[cfg(feature = "schema")]
pub(crate) struct TextMeanings;

traits!(TextMeanings: schema(|generator| MEANINGS.schema(generator)));
