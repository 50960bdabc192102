//! Kinds of texts and their meanings.

use alloc::string::String;

use crate::document::{Integer, Is, Kind, Record, Row, Table, Texts, Valued as _, Write, traits};
use crate::error::{Issues, Path};
use crate::value::{
    Address, Amount, ChainId, HexBytes, JobId, NftId, Quantity, Word, decimal, keyword, read,
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
    pub(super) fn meaning(
        self,
        text: &str,
        at: &Path<'_>,
        issues: &mut Issues,
    ) -> Option<impl Write + use<>> {
        let row = MEANINGS.rows.iter().find(|row| row.key == self.as_str())?;
        let Is::Record(table) = row.is else { return None };
        let (meaning, hex) = (Record::of(table), Quantity::from);

        let record = match self {
            Self::Quantity => {
                let number = read::<Quantity>(text, at, issues)?.value();
                meaning.with(&hex(number)).with(&decimal(number))
            }
            Self::HexBytes => meaning.with_number(read::<HexBytes>(text, at, issues)?.len()),
            Self::Word => read::<Word>(text, at, issues).map(|_| meaning)?,
            Self::Address => meaning.with(&read::<Address>(text, at, issues)?.to_checksummed()),
            Self::ChainId => {
                let chain = read::<ChainId>(text, at, issues)?;
                meaning.with(&String::from(chain.namespace())).with(&chain.reference())
            }
            Self::JobId => {
                let job = read::<JobId>(text, at, issues)?;
                meaning.with(&JobId::from(job.to_uuid())).with(&job.nonce())
            }
            Self::NftId => {
                let [uuid, token_id] = NFT_IDS;
                let is_uuid = read::<NftId>(text, at, issues)?.uuid().is_some();
                meaning.with_text(if is_uuid { uuid } else { token_id })
            }
            Self::Amount => meaning.with(&hex(read::<Amount>(text, at, issues)?.value())),
        };
        Some(record.finish())
    }
}

/// The number of bytes in a text of at most 1 MiB.
type Length = Integer<0, 524_287>;

/// The forms of an NFT's identifier.
const NFT_IDS: [&str; 2] = ["uuid", "tokenId"];

const HEX: Row = Row::of::<Quantity>("hex", "The value in lower-case hex.");
const DECIMAL: Row =
    Row::plain("decimal", Is::Text(&Kind::written("^(0|[1-9][0-9]*)$")), "In decimal.");
const LENGTH: Row = Row::of::<Length>("length", "The number of bytes.");
const WORD_LENGTH: Row = Row::plain("length", <Integer<32, 32>>::IS, "The number of bytes.");
const CHECKSUMMED: Row =
    Row::of::<Address>("checksummed", "The address in the mixed case of ERC-55.");
const NAMESPACE: Row = Row::of::<String>("namespace", "The part before the colon.");
const REFERENCE: Row = Row::of::<String>("reference", "The part after the colon.");
const UUID: Row = Row::of::<JobId>("uuid", "The job in lower case.");
const NONCE: Row = Row::of::<Word>("nonce", "The nonce of its user operation.");
const NFT_KIND: Row =
    Row::plain("kind", Is::Keyword(&Texts::new("", "", &NFT_IDS)), "The kind of its identifier.");

/// What is told about a text, by its kind.
static MEANINGS: Table = Table::answer(
    "The answer of `readText`, by the kind of the text.",
    &[
        meaning("quantity", &Table::answer("A number.", &[HEX, DECIMAL])),
        meaning("hexBytes", &Table::answer("Bytes.", &[LENGTH])),
        meaning("word", &Table::answer("Bytes.", &[WORD_LENGTH])),
        meaning("address", &Table::answer("An address.", &[CHECKSUMMED])),
        meaning("chainId", &Table::answer("A chain.", &[NAMESPACE, REFERENCE])),
        meaning("jobId", &Table::answer("A job.", &[UUID, NONCE])),
        meaning("nftId", &Table::answer("An NFT.", &[NFT_KIND])),
        meaning("amount", &Table::answer("An amount.", &[HEX])),
    ],
);

const fn meaning(kind: &'static str, table: &'static Table) -> Row {
    Row::plain(kind, Is::Record(table), "")
}

/// The answer of [`read_text`](super::read_text).
#[cfg(feature = "schema")]
pub(crate) struct TextMeanings;

traits!(TextMeanings: schema(|generator| MEANINGS.schema(generator)));
