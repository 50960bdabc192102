//! What an intent moves.

use alloc::{string::String, vec::Vec};

use crate::document::{answer, tagged_answer};
use crate::value::{Address, Amount, HexBytes, NftId, NftType, Quantity};

answer! {
    /// An argument of a function.
    pub struct MoveArgument {
        /// Its name.
        "name" => pub name: String,
        /// Its value: an address in the mixed case of ERC-55, a number as a decimal, bytes in hex, `true` or `false`.
        "value" => pub value: String,
    }
}

tagged_answer! {
    /// One thing that happens.
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
    pub enum Move, "kind": "What kind of thing happens." {
        /// An NFT changes hands.
        "nft" => Nft {
            /// Who gives it.
            "from" => from: Address,
            /// Who receives it.
            "to" => to: Address,
            /// The contract of its collection.
            "collection" => collection: Address,
            /// Which NFT.
            "nftId" => nft_id: NftId,
            /// The standard of its contract.
            "standard" => standard: NftType,
            /// How many pieces.
            "amount" => amount: Amount,
        },
        /// A token changes hands.
        "token" => Token {
            /// Who gives it.
            "from" => from: Address,
            /// Who receives it.
            "to" => to: Address,
            /// The token's contract.
            "contract" => contract: Address,
            /// How much, in the token's smallest unit.
            "amount" => amount: Amount,
        },
        /// The chain's native token changes hands.
        "native" => Native {
            /// Who gives it.
            "from" => from: Address,
            /// Who receives it.
            "to" => to: Address,
            /// How much, in the smallest unit (wei).
            "amount" => amount: Amount,
        },
        /// A contract's function is called that is known here.
        "function" => Function {
            /// Who calls.
            "from" => from: Address,
            /// The contract.
            "to" => to: Address,
            /// The native token sent along, in wei.
            "value" => value: Quantity,
            /// The function, such as `transfer(address,uint256)`.
            "function" => function: String,
            /// What it is called with, in order.
            "arguments" => arguments: Vec<MoveArgument>,
        },
        /// An account or contract is called. What that does is not known here.
        "call" => Call {
            /// Who calls.
            "from" => from: Address,
            /// Who is called.
            "to" => to: Address,
            /// The native token sent along, in wei.
            "value" => value: Quantity,
            /// What it is called with.
            "data" => data: HexBytes,
        },
    }
}
