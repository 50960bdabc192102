//! The moves of an intent.

use alloc::{string::String, vec::Vec};

use super::{CallArgument, ContractCall, is_attribution};
use crate::document::{choice, document, traits};
use crate::value::{Address, Amount, HexBytes, NftId, NftType, Quantity};

document! {
    /// An argument of a function.
    pub struct MoveArgument: "an argument, an object of `name` and `value`", open Ignored {
        /// Its name.
        "name" => pub name: String,
        /// Its value: an address in the mixed case of ERC-55, a number as a decimal, bytes in hex, `true` or `false`.
        "value" => pub value: String,
    }
}

choice! {
    /// One effect of an intent.
    ///
    /// ```
    /// use sendoff::intent::Move;
    ///
    /// fn line(what: &Move) -> String {
    ///     match what {
    ///         Move::Nft { nft_id, to, .. } => format!("NFT {nft_id} to {to}"),
    ///         Move::Token { amount, contract, to, .. } => format!("{amount} of {contract} to {to}"),
    ///         Move::Native { amount, to, .. } => format!("{amount} wei to {to}"),
    ///         Move::Call { to, .. } => format!("a call of {to}"),
    ///         _ => "something else".into(),
    ///     }
    /// }
    /// ```
    pub enum Move: "a move, an object with a `kind`",
        "kind" of "" "the kind of a move": "What kind of thing happens.", open Ignored; non_exhaustive
    {
        /// The transfer of an NFT.
        "nft" => Nft {
            /// The current owner.
            "from" => from: Address,
            /// The recipient.
            "to" => to: Address,
            /// The contract of its collection.
            "collection" => collection: Address,
            /// The id of the NFT.
            "nftId" => nft_id: NftId,
            /// The standard of its contract.
            "standard" => standard: NftType,
            /// The number of pieces.
            "amount" => amount: Amount,
        },
        /// The transfer of a token.
        "token" => Token {
            /// The current owner.
            "from" => from: Address,
            /// The recipient.
            "to" => to: Address,
            /// The token's contract.
            "contract" => contract: Address,
            /// The amount, in the token's smallest unit.
            "amount" => amount: Amount,
        },
        /// The transfer of the chain's native token.
        "native" => Native {
            /// The current owner.
            "from" => from: Address,
            /// The recipient.
            "to" => to: Address,
            /// The amount, in the smallest unit (wei).
            "amount" => amount: Amount,
        },
        /// The call of a known function of a contract.
        "function" => Function {
            /// The caller.
            "from" => from: Address,
            /// The contract.
            "to" => to: Address,
            /// The native token that is sent along, in wei.
            "value" => value: Quantity,
            /// The function, such as `transfer(address,uint256)`.
            "function" => function: String,
            /// The arguments, in order.
            "arguments" => arguments: Vec<MoveArgument>,
        },
        /// A call of an account or contract with an effect that is not known here.
        "call" => Call {
            /// The caller.
            "from" => from: Address,
            /// The account or contract that is called.
            "to" => to: Address,
            /// The native token that is sent along, in wei.
            "value" => value: Quantity,
            /// The data of the call.
            "data" => data: HexBytes,
        },
    }
}

traits!(Move: read, serialize, schema);

impl Move {
    /// The known function that a move of kind `call` calls with a suffix behind it, as a move of kind `function`, and the length of
    /// the suffix.
    pub(super) fn with_suffix(&self) -> Option<(Self, usize)> {
        let Self::Call { from, to, value, data } = self else { return None };
        let (call, behind) = ContractCall::recognize(data.as_slice())?;
        is_attribution(behind).then(|| (function(*from, *to, *value, &call), behind.len()))
    }
}

/// The move of a transaction that is this call.
pub(super) fn function(from: Address, to: Address, value: Quantity, call: &ContractCall) -> Move {
    let (function, arguments) = (call.signature().into(), arguments(call));
    Move::Function { from, to, value, function, arguments }
}

/// The arguments of a call, for people.
pub(super) fn arguments(call: &ContractCall) -> Vec<MoveArgument> {
    let argument = |(name, value): (&str, &CallArgument)| MoveArgument {
        name: name.into(),
        value: value.to_text(),
    };
    call.arguments().map(argument).collect()
}
