//! Intents: the transfer of an NFT, the transfer of a token, or raw transactions.
//!
//! Each type is the `details` of an estimate request. This module checks each field by itself; the estimate checks the
//! rules across fields.
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

mod moves;
mod call_argument;
mod contract_function;
mod contract_call;
mod symbol;
mod names;
mod token_amount;
mod sentence;
mod display;
mod parameter;
mod nft_transfer;
mod raw_transaction;
mod token_transfer;

pub use call_argument::CallArgument;
pub use contract_call::{Approved, ContractCall};
pub use contract_function::ContractCallKind;
pub use display::{DisplayField, DisplayFormat, DisplayModel};
pub use moves::{Move, MoveArgument};
pub use names::{ChainName, Decimals, Names, TokenName};
pub use nft_transfer::NftTransfer;
pub use raw_transaction::{RawTransaction, Transaction, Transactions};
pub use symbol::{ChainLabel, TokenSymbol};
pub use token_amount::TokenAmount;
pub use token_transfer::TokenTransfer;

use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use self::parameter::Parameters;
use crate::abi::{Reader, Value};
use crate::document::{Compare, Differ, Node, Object, Read, Write, from_document, schema, write_key};
use crate::error::{IssueCode, Issues, Path};
use crate::value::{Address, Amount, ChainId, Spell, Text, fill, keyword};

/// All intents, one row each: the name of its type, the document of its details, and its sentence. A file per intent
/// has the rest: its fields, their order in the call data, the recipient, the chain, and what moves.
macro_rules! intents {
    ($expected:literal: $($(#[doc = $doc:literal])* $text:literal => $name:ident,)*) => {
        keyword! {
            /// The type of an intent: `type` of a request, and text in the call data.
            ///
            /// ```
            /// use sendoff::intent::IntentType;
            ///
            /// assert_eq!("NFT_TRANSFER".parse(), Ok(IntentType::NftTransfer));
            /// ```
            pub enum IntentType: $expected {
                $($(#[doc = $doc])* $text => $name,)*
            }
        }

        impl IntentType {
            /// Returns the parameters in the call data, in order: each field of the details with its type in Solidity.
            ///
            /// ```
            /// use sendoff::intent::IntentType;
            ///
            /// let parameters = IntentType::RawTransaction.parameters();
            /// assert_eq!(parameters, [("caip2Id", "string"), ("transactions", "bytes[]")]);
            /// assert_eq!(IntentType::NftTransfer.parameters()[5], ("amount", "uint256"));
            /// ```
            #[must_use]
            pub fn parameters(self) -> Vec<(&'static str, &'static str)> {
                match self {
                    $(Self::$name => $name::types(),)*
                }
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
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Intent {
            $($(#[doc = $doc])* $name($name),)*
        }

        /// The parts of an intent that could be read.
        #[derive(Default)]
        pub(crate) enum IntentParts {
            /// The type could not be read, so the details have no meaning.
            #[default]
            Unknown,
            $($name(<$name as Read>::Partial),)*
        }

        impl IntentParts {
            /// The chain of the intent.
            pub(crate) fn chain(&self) -> Option<&ChainId> {
                match self {
                    Self::Unknown => None,
                    $(Self::$name(details) => $name::chain_of(details),)*
                }
            }

            /// The recipient, if the intent has one.
            pub(crate) fn recipient(&self) -> Option<&Address> {
                match self {
                    Self::Unknown => None,
                    $(Self::$name(details) => $name::recipient_of(details),)*
                }
            }
        }

        impl Intent {
            /// Its type.
            #[must_use]
            pub const fn kind(&self) -> IntentType {
                match self {
                    $(Self::$name(_) => IntentType::$name,)*
                }
            }

            /// The chain of the intent.
            #[must_use]
            pub const fn chain(&self) -> &ChainId {
                match self {
                    $(Self::$name(details) => &details.caip2_id,)*
                }
            }

            /// The recipient; a raw transaction has none.
            #[must_use]
            pub fn recipient(&self) -> Option<&Address> {
                match self {
                    $(Self::$name(details) => details.recipient(),)*
                }
            }

            /// The amount that the reply's estimation echoes, if there is one.
            pub(crate) fn estimated(&self) -> Option<Amount> {
                match self {
                    $(Self::$name(details) => details.estimated(),)*
                }
            }

            /// The moves, in order, for the account `user`.
            #[must_use]
            pub fn moves(&self, user: &Address) -> Vec<Move> {
                match self {
                    $(Self::$name(details) => details.moves(user),)*
                }
            }

            /// Reads the details of an intent of a known type.
            fn read_details(
                kind: IntentType,
                node: &Node<'_>,
                at: &Path<'_>,
                issues: &mut Issues,
                parts: &mut IntentParts,
            ) {
                match kind {
                    $(IntentType::$name => {
                        let mut details = Default::default();
                        $name::read_partial(node, at, issues, &mut details);
                        *parts = IntentParts::$name(details);
                    })*
                }
            }

            /// Writes the details without the type.
            pub(crate) fn write_details(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$name(details) => details.write(out),)*
                }
            }

            /// The parameters in the order of their tuple.
            pub(crate) fn parameters(&self) -> Vec<Value<'_>> {
                match self {
                    $(Self::$name(details) => details.encode(),)*
                }
            }

            /// Decodes an intent from its parameters.
            pub(crate) fn decode(kind: IntentType, whole: &mut Reader<'_>) -> Option<Self> {
                match kind {
                    $(IntentType::$name => $name::decode(whole).map(Self::$name),)*
                }
            }

            /// Compares the types, and the details if the types are equal; `keys` are the keys of type and details.
            pub(crate) fn compare_details(
                expected: &IntentParts,
                found: &Self,
                keys: (&str, &str),
                at: &Path<'_>,
                differ: Differ<'_>,
            ) {
                let kind = match (expected, found) {
                    (IntentParts::Unknown, _) => return,
                    $((IntentParts::$name(expected), Self::$name(found)) => {
                        return $name::compare(expected, found, &Path::Field(at, keys.1), differ);
                    })*
                    $((IntentParts::$name(_), _) => IntentType::$name,)*
                };
                differ(&Path::Field(at, keys.0), kind.to_text(), found.kind().to_text());
            }
        }

        impl Read for Intent {
            const EXPECTED: &'static str = "an intent, an object of `type` and `details`";

            type Partial = IntentParts;

            fn read_partial(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues, parts: &mut IntentParts) {
                let Some(mut object) = Object::open(node, Self::WANTED, at, issues) else { return };
                Self::take(&mut object, "type", "details", parts);
                object.close();
            }

            fn whole(parts: IntentParts) -> Option<Self> {
                match parts {
                    IntentParts::Unknown => None,
                    $(IntentParts::$name(details) => $name::whole(details).map(Self::$name),)*
                }
            }

            fn into_partial(self) -> IntentParts {
                match self {
                    $(Self::$name(details) => IntentParts::$name(details.into_partial()),)*
                }
            }

            fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
                let mut parts = IntentParts::Unknown;
                Self::read_partial(node, at, issues, &mut parts);
                Self::whole(parts)
            }
        }

        impl Serialize for Details<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self.0 {
                    $(Intent::$name(details) => details.serialize(serializer),)*
                }
            }
        }

        /// Returns the schemas of type and details at these keys, one per intent.
        #[cfg(feature = "schema")]
        pub(crate) fn one_of(
            generator: &mut schemars::SchemaGenerator,
            type_key: &str,
            details_key: &str,
        ) -> Vec<schemars::Schema> {
            let details = [$((IntentType::$name, generator.subschema_for::<$name>())),*];
            details
                .into_iter()
                .map(|(kind, mut details)| {
                    details.insert("description".into(), "The details of the intent.".into());
                    schemars::json_schema!({
                        "properties": {
                            type_key: { "const": kind, "description": "The type of the intent." },
                            details_key: details,
                        },
                        "required": [type_key, details_key],
                    })
                })
                .collect()
        }
    };
}

intents! {
    "`NFT_TRANSFER`, `TOKEN_TRANSFER` or `RAW_TRANSACTION`":
    /// The transfer of an NFT.
    "NFT_TRANSFER" => NftTransfer,
    /// The transfer of a token or of a chain's native token.
    "TOKEN_TRANSFER" => TokenTransfer,
    /// Transactions that the caller made.
    "RAW_TRANSACTION" => RawTransaction,
}

impl Intent {
    /// The display models of its moves, in order, for the account `user` ([`Move::display`]).
    #[must_use]
    pub fn display(&self, user: &Address, names: &Names) -> Vec<DisplayModel> {
        let moves = self.moves(user);
        moves.iter().enumerate().map(|(at, one)| one.display(self.chain(), names, at)).collect()
    }

    /// Takes type and details from an object. If the type cannot be read, the details need only be an object.
    pub(crate) fn take(
        object: &mut Object<'_, '_>,
        type_key: &'static str,
        details_key: &'static str,
        parts: &mut IntentParts,
    ) {
        let asked = object.reply_to().and_then(|asked| IntentType::accept(asked).ok());
        let kind = match (asked, object.required(type_key)) {
            (Some(asked), Some(found)) if asked != found => {
                object.push(
                    type_key,
                    IssueCode::Format,
                    fill("expected `{}` (request), found `{}`", &[&asked, &found]),
                );
                Some(asked)
            }
            (asked, found) => asked.or(found),
        };
        let Some(kind) = kind else {
            object.required::<AnyObject>(details_key);
            return;
        };
        object.take_with(details_key, AnyObject::WANTED, &mut |node, at, issues| {
            // The reply echoes the request, so its details are read as strictly.
            let reply_to = issues.reply_to.take();
            Self::read_details(kind, node, at, issues, parts);
            issues.reply_to = reply_to;
        });
    }
}

impl Write for Intent {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        write_key("type", out);
        self.kind().write(out);
        write_key("details", out);
        self.write_details(out);
        out.push(b'}');
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

impl Compare for Intent {
    fn compare(expected: &IntentParts, found: &Self, at: &Path<'_>, differ: Differ<'_>) {
        Self::compare_details(expected, found, ("type", "details"), at, differ);
    }
}

from_document!(Intent);

schema::of!(Intent, |generator| schema::Fields::new(generator).intent("type", "details").close("An intent."));

/// The details of an intent without its type.
pub(crate) struct Details<'a>(pub(crate) &'a Intent);

/// An object with any fields.
struct AnyObject;

impl Read for AnyObject {
    const EXPECTED: &'static str = "the intent's details, an object";

    crate::document::undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        match node {
            Node::Object(_) => Some(Self),
            other => Self::mistyped(other, at, issues),
        }
    }
}
