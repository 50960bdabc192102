//! Intents: the transfer of an NFT, the transfer of a token, or raw transactions.
//!
//! Each type is the `details` of an estimate request. This module checks each field by itself; the
//! estimate checks the rules across fields.
//!
//! ```
//! use sendoff::intent::NftTransfer;
//!
//! let details: NftTransfer = r#"{
//!     "caip2Id": "eip155:137",
//!     "nftId": "56",
//!     "recipientWalletAddress": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
//!     "collectionAddress": "0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5",
//!     "amount": "1",
//!     "nftType": "ERC721"
//! }"#.parse()?;
//! assert_eq!(details.nft_id.token_id(), Some(56.into()));
//! # Ok::<(), sendoff::error::Error>(())
//! ```

mod attribution;
mod call_argument;
mod contract_function;
mod contract_call;
mod moves;
mod nft_transfer;
mod token_transfer;
mod raw_transaction;
mod symbol;
mod names;
mod token_amount;
mod sentence;
mod display;

pub(crate) use attribution::is_attribution;
pub use call_argument::CallArgument;
pub use contract_call::{Approved, ContractCall};
pub use contract_function::ContractCallKind;
pub use display::{DisplayField, DisplayFormat, DisplayModel};
pub use moves::{Move, MoveArgument};
pub use names::{ChainName, CollectionName, Decimals, Names, TokenName};
pub(crate) use names::{ShownNames, counted};
pub use nft_transfer::NftTransfer;
pub use raw_transaction::{RawTransaction, Transaction, Transactions};
pub(crate) use sentence::{Wallet, attribution, contents, effect, sentence};
pub use symbol::{Label, TokenSymbol};
pub use token_amount::TokenAmount;
pub use token_transfer::TokenTransfer;

use alloc::vec::Vec;

use crate::abi::{self, Reader};
use crate::document::{Fields, Is, Row, Table, Typed, Union, Value, Valued, Write, equal, traits};
use crate::value::{Address, Amount, ChainId, Text as _, keyword};

keyword! {
    /// The type of an intent: `type` of a request, and text in the call data.
    ///
    /// ```
    /// use sendoff::intent::IntentType;
    ///
    /// assert_eq!("NFT_TRANSFER".parse(), Ok(IntentType::NftTransfer));
    /// ```
    pub enum IntentType: "`NFT_TRANSFER`, `TOKEN_TRANSFER` or `RAW_TRANSACTION`" {
        /// The transfer of an NFT.
        "NFT_TRANSFER" => NftTransfer,
        /// The transfer of a token or of a chain's native token.
        "TOKEN_TRANSFER" => TokenTransfer,
        /// Transactions that the caller made.
        "RAW_TRANSACTION" => RawTransaction,
    }
}

impl IntentType {
    const fn table(self) -> &'static Table {
        match self {
            Self::NftTransfer => NftTransfer::TABLE,
            Self::TokenTransfer => TokenTransfer::TABLE,
            Self::RawTransaction => RawTransaction::TABLE,
        }
    }

    /// Decodes the details of this intent; nothing after a flaw.
    pub(crate) fn decode(self, whole: &mut Reader<'_>) -> Option<Intent> {
        // Each field of the details is a parameter.
        let mut tuple = whole.tuple(self.table().rows.len());
        let intent = match self {
            Self::NftTransfer => Intent::NftTransfer(NftTransfer::decode(&mut tuple)?),
            Self::TokenTransfer => Intent::TokenTransfer(TokenTransfer::decode(&mut tuple)?),
            Self::RawTransaction => Intent::RawTransaction(RawTransaction::decode(&mut tuple)?),
        };
        whole.resume(&tuple);
        Some(intent)
    }
}

/// An intent: `{type, details}` in JSON.
///
/// ```
/// use sendoff::intent::{Intent, IntentType};
///
/// let intent: Intent = r#"{"type":"TOKEN_TRANSFER","details":{
///     "caip2Id": "eip155:84532", "recipientWalletAddress": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
///     "tokenAddress": "", "amount": "10000000000000"
/// }}"#.parse()?;
/// assert_eq!((intent.kind(), &*intent.chain().to_string()), (IntentType::TokenTransfer, "eip155:84532"));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Intent {
    /// The transfer of an NFT.
    NftTransfer(NftTransfer),
    /// The transfer of a token or of a chain's native token.
    TokenTransfer(TokenTransfer),
    /// Transactions that the caller made.
    RawTransaction(RawTransaction),
}

/// The details of an intent: in call data a tuple of their parameters, which are all of their fields.
pub(crate) trait Details: Write {
    /// Returns the parameters in the order of the ABI.
    fn encode(&self) -> Vec<abi::Item<'_>>;

    /// Returns the moves, in order, for the account `user`.
    fn moves(&self, user: &Address) -> Vec<Move>;
}

/// Reads an amount.
fn amount(tuple: &mut Reader<'_>) -> Option<Amount> {
    let amount = Amount::try_from(tuple.uint()).ok();
    if amount.is_none() {
        tuple.before("an amount above zero");
    }
    amount
}

/// All intents.
static INTENTS: Union =
    Union { tag: IntentType::IS, tables: &TABLES, expected: "the intent's details, an object" };

/// The tables of all intents.
static TABLES: [&Table; IntentType::ALL.len()] = {
    let mut tables = [NftTransfer::TABLE; IntentType::ALL.len()];
    let (mut places, mut kinds) = (tables.as_mut_slice(), IntentType::ALL);
    while let ([place, rest @ ..], [kind, others @ ..]) = (places, kinds) {
        let table = kind.table();
        assert!(equal(table.tag, kind.as_str()), "expected the details of the intent");
        *place = table;
        (places, kinds) = (rest, others);
    }
    tables
};

/// An intent by itself.
static INTENT: Table = Table {
    expected: "an intent, an object of `type` and `details`",
    ..Table::said(
        "An intent.",
        &[Row::plain("type", Is::Tag, ""), Row::plain("details", Is::Details(&INTENTS), "")],
    )
};

impl Intent {
    /// Its type.
    #[must_use]
    pub const fn kind(&self) -> IntentType {
        match self {
            Self::NftTransfer(_) => IntentType::NftTransfer,
            Self::TokenTransfer(_) => IntentType::TokenTransfer,
            Self::RawTransaction(_) => IntentType::RawTransaction,
        }
    }

    /// The chain of the intent.
    #[must_use]
    pub const fn chain(&self) -> &ChainId {
        match self {
            Self::NftTransfer(details) => &details.caip2_id,
            Self::TokenTransfer(details) => &details.caip2_id,
            Self::RawTransaction(details) => &details.caip2_id,
        }
    }

    /// The recipient; a raw transaction has none.
    #[must_use]
    pub const fn recipient(&self) -> Option<&Address> {
        match self {
            Self::NftTransfer(details) => Some(&details.recipient_wallet_address),
            Self::TokenTransfer(details) => Some(&details.recipient_wallet_address),
            Self::RawTransaction(_) => None,
        }
    }

    /// The moves, in order, for the account `user`.
    #[must_use]
    pub fn moves(&self, user: &Address) -> Vec<Move> {
        self.details().moves(user)
    }

    /// Returns the value of its details.
    pub(crate) fn to_details(&self) -> Value {
        match self {
            Self::NftTransfer(details) => details.to_value(),
            Self::TokenTransfer(details) => details.to_value(),
            Self::RawTransaction(details) => details.to_value(),
        }
    }

    /// Its details.
    pub(crate) const fn details(&self) -> &dyn Details {
        match self {
            Self::NftTransfer(details) => details,
            Self::TokenTransfer(details) => details,
            Self::RawTransaction(details) => details,
        }
    }
}

impl Valued for Intent {
    const IS: Is = Is::Record(&INTENT);
    const TABLES: &'static [&'static Table] = INTENTS.tables;

    fn to_value(&self) -> Value {
        Value::Record(alloc::vec![self.kind().into_value(), self.to_details()], &INTENT)
    }

    fn write_fields(&self, out: &mut Vec<u8>) {
        self.details().write(out);
    }
}

/// An intent is made of its details as well, which are a field of their own in other documents.
impl Typed for Intent {
    fn of_value(value: &Value) -> Option<Self> {
        let details = match value {
            Value::Record(_, table) if *table == &INTENT => Fields::of(value).take(),
            details => details,
        };
        match IntentType::parse(details.tag_of_details()?).ok()? {
            IntentType::NftTransfer => Typed::of_value(details).map(Self::NftTransfer),
            IntentType::TokenTransfer => Typed::of_value(details).map(Self::TokenTransfer),
            IntentType::RawTransaction => Typed::of_value(details).map(Self::RawTransaction),
        }
    }
}

traits!(Intent: read, serialize, schema);
