//! What a person wants moved: an NFT, a token, or transactions as they are.
//!
//! Each type is the `details` of an estimate request. Their fields are judged one by one here; what they must be
//! together is the estimate's to say.
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

mod contract_call;
mod nft_transfer;
mod raw_transaction;
mod token_transfer;

pub use contract_call::{Approved, ContractCall};
pub use nft_transfer::NftTransfer;
pub use raw_transaction::{RawTransaction, Transaction, Transactions};
pub use token_transfer::TokenTransfer;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::document::{Node, Object, Read, schema};
use crate::error::{Issues, Path};
use crate::value::{ChainId, keyword};

keyword! {
    /// The type of an intent, as the `type` of a request and as text in the call data.
    ///
    /// ```
    /// use sendoff::intent::IntentType;
    ///
    /// assert_eq!("NFT_TRANSFER".parse(), Ok(IntentType::NftTransfer));
    /// ```
    pub enum IntentType: "`NFT_TRANSFER`, `TOKEN_TRANSFER` or `RAW_TRANSACTION`" {
        /// [`NftTransfer`].
        "NFT_TRANSFER" => NftTransfer,
        /// [`TokenTransfer`].
        "TOKEN_TRANSFER" => TokenTransfer,
        /// [`RawTransaction`].
        "RAW_TRANSACTION" => RawTransaction,
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
/// assert_eq!((intent.kind(), intent.chain().as_str()), (IntentType::TokenTransfer, "eip155:84532"));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// An NFT changes hands.
    NftTransfer(NftTransfer),
    /// A token, or a chain's native token, changes hands.
    TokenTransfer(TokenTransfer),
    /// Transactions that the caller made.
    RawTransaction(RawTransaction),
}

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

    /// The chain on which it happens.
    #[must_use]
    pub const fn chain(&self) -> &ChainId {
        match self {
            Self::NftTransfer(details) => &details.caip2_id,
            Self::TokenTransfer(details) => &details.caip2_id,
            Self::RawTransaction(details) => &details.caip2_id,
        }
    }

    /// Takes `type` and `details` from an object; where the type cannot be read, the details need only be an object.
    pub(crate) fn take(object: &mut Object<'_, '_>) -> Option<Self> {
        match object.required("type") {
            Some(IntentType::NftTransfer) => object.required("details").map(Self::NftTransfer),
            Some(IntentType::TokenTransfer) => object.required("details").map(Self::TokenTransfer),
            Some(IntentType::RawTransaction) => object.required("details").map(Self::RawTransaction),
            None => object.required::<AnyObject>("details").and(None),
        }
    }

    /// The details of an intent of a known type.
    pub(crate) fn read_details(kind: IntentType, node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        match kind {
            IntentType::NftTransfer => Read::read(node, at, issues).map(Self::NftTransfer),
            IntentType::TokenTransfer => Read::read(node, at, issues).map(Self::TokenTransfer),
            IntentType::RawTransaction => Read::read(node, at, issues).map(Self::RawTransaction),
        }
    }
}

impl Serialize for Intent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut intent = serializer.serialize_struct("Intent", 2)?;
        intent.serialize_field("type", &self.kind())?;
        intent.serialize_field("details", &Details(self))?;
        intent.end()
    }
}

/// The details of an intent without its type.
pub(crate) struct Details<'a>(pub(crate) &'a Intent);

impl Serialize for Details<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Intent::NftTransfer(details) => details.serialize(serializer),
            Intent::TokenTransfer(details) => details.serialize(serializer),
            Intent::RawTransaction(details) => details.serialize(serializer),
        }
    }
}

impl Read for Intent {
    const EXPECTED: &'static str = "an intent, an object of `type` and `details`";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open::<Self>(node, at, issues)?;
        let intent = Self::take(&mut object);
        object.close();
        intent
    }
}

crate::document::from_document!(Intent);

schema::of!(Intent, |generator| {
    let one_of = one_of(generator, "type", "details", |_, _| ());
    schemars::json_schema!({
        "type": "object",
        "description": "What is to be done.",
        "oneOf": one_of,
        "unevaluatedProperties": false,
    })
});

/// The type and the details of an intent, by these names, in each of their forms; `narrow` may ask more of the details.
#[cfg(feature = "schema")]
pub(crate) fn one_of(
    generator: &mut schemars::SchemaGenerator,
    type_key: &str,
    details_key: &str,
    narrow: impl Fn(IntentType, &mut schemars::Schema),
) -> [schemars::Schema; 3] {
    let details = [
        (IntentType::NftTransfer, generator.subschema_for::<NftTransfer>()),
        (IntentType::TokenTransfer, generator.subschema_for::<TokenTransfer>()),
        (IntentType::RawTransaction, generator.subschema_for::<RawTransaction>()),
    ];
    details.map(|(kind, mut details)| {
        narrow(kind, &mut details);
        details.insert("description".into(), "The details of the intent.".into());
        schemars::json_schema!({
            "properties": {
                type_key: { "const": kind, "description": "The type of the intent." },
                details_key: details,
            },
            "required": [type_key, details_key],
        })
    })
}

/// An object whose fields are not looked at.
struct AnyObject;

impl Read for AnyObject {
    const EXPECTED: &'static str = "the intent's details, an object";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        match node {
            Node::Object(_) => Some(Self),
            other => Self::mistyped(other, at, issues),
        }
    }
}
