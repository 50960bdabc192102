//! The transfer of a token.

use alloc::{vec, vec::Vec};

use super::{Details, Move, amount};
use crate::abi::{self, Reader};
use crate::document::document;
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

impl TokenTransfer {
    /// Decodes the parameters; nothing after a flaw.
    pub(super) fn decode(tuple: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            caip2_id: tuple.text()?,
            recipient_wallet_address: tuple.text()?,
            token_address: tuple.text()?,
            amount: amount(tuple)?,
        })
    }
}

impl Details for TokenTransfer {
    fn encode(&self) -> Vec<abi::Item<'_>> {
        // Taken apart without `..`: a field that is no parameter does not compile.
        let Self { caip2_id, recipient_wallet_address, token_address, amount } = self;
        vec![
            abi::Item::Text(caip2_id),
            abi::Item::Text(recipient_wallet_address),
            abi::Item::Text(token_address),
            abi::Item::Uint(amount.value()),
        ]
    }

    fn moves(&self, user: &Address) -> Vec<Move> {
        let (from, to) = (user.to_checksummed(), self.recipient_wallet_address.to_checksummed());
        let amount = self.amount;
        vec![match self.token_address.contract() {
            Some(contract) => Move::Token { from, to, contract: contract.to_checksummed(), amount },
            None => Move::Native { from, to, amount },
        }]
    }
}
