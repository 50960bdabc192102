//! The transfer of a token.

use crate::document::document;
use crate::value::{Address, Amount, ChainId, TokenAddress};

document! {
    /// A token, or a chain's native token, changes hands: the `details` of `TOKEN_TRANSFER`.
    pub struct TokenTransfer: "the details of a token transfer, an object" {
        /// The chain on which the token lives.
        "caip2Id" => caip2_id: ChainId,
        /// Who receives it.
        "recipientWalletAddress" => recipient_wallet_address: Address,
        /// The token's contract; empty for the native token.
        "tokenAddress" => token_address: TokenAddress,
        /// How much, in the token's smallest unit.
        "amount" => amount: Amount,
    }
}
