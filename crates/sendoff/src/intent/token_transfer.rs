//! The transfer of a token.

use alloc::vec;

use super::Move;
use super::details::Details;
use crate::document::{Value, document};
use crate::value::{Address, Amount, ChainId, TokenAddress};

document! {
    /// The transfer of a token or of a chain's native token: the `details` of `TOKEN_TRANSFER`.
    ///
    /// ```
    /// use sendoff::intent::TokenTransfer;
    ///
    /// let details: TokenTransfer = r#"{
    ///     "caip2Id": "eip155:84532", "recipientWalletAddress": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
    ///     "tokenAddress": "", "amount": "10000000000000"
    /// }"#.parse()?;
    /// assert!(details.token_address.contract().is_none());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct TokenTransfer: "the details of a token transfer, an object", details of "TOKEN_TRANSFER" {
        /// The chain of the token.
        "caip2Id" => pub caip2_id: ChainId,
        /// The recipient.
        "recipientWalletAddress" => pub recipient_wallet_address: Address,
        /// The token's contract; empty for the native token.
        "tokenAddress" => pub token_address: TokenAddress,
        /// The amount, in the token's smallest unit.
        "amount" => pub amount: Amount,
    }
}

pub(super) static DETAILS: Details = Details {
    table: TokenTransfer::TABLE,
    parameters: &[
        ("caip2Id", "string"),
        ("recipientWalletAddress", "string"),
        ("tokenAddress", "string"),
        ("amount", "uint256"),
    ],
    moves: |details, user| {
        let Value::TokenAddress(token) = details.field("tokenAddress") else { return vec![] };
        let contract = token.contract();
        let mut made = Move::made(if contract.is_some() { "token" } else { "native" });
        made.checksummed(user);
        made.checksummed(details.field("recipientWalletAddress"));
        if let Some(contract) = contract {
            made.add(Value::Address(contract.to_checksummed()));
        }
        made.copy(details.field("amount"));
        vec![made.finish()]
    },
};
