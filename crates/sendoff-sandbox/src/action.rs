//! Effects on the ledger.

use sendoff::intent::Intent;
use sendoff::primitive_types::U256;
use sendoff::value::{FeeAmount, HexBytes};
use serde::{Deserialize, Serialize};

use crate::ledger::Nft;
use crate::spelled::{self, lowered};

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ActionKind {
    Token,
    Nft,
    Mint,
    Call,
    /// A call of another account than the user's, for which nobody can sign.
    Foreign,
}

/// One effect on the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Action {
    pub(crate) kind: ActionKind,
    /// The token or collection; empty for the native token, and for a call.
    #[serde(deserialize_with = "spelled::lower_or_none")]
    pub(crate) asset: String,
    pub(crate) id: String,
    #[serde(deserialize_with = "spelled::lower_or_none")]
    pub(crate) from: String,
    #[serde(deserialize_with = "spelled::lower_or_none")]
    pub(crate) to: String,
    pub(crate) amount: FeeAmount,
    pub(crate) data: String,
    pub(crate) nft: Option<Nft>,
}

impl Action {
    /// A transfer of tokens, from a holder to another.
    pub(crate) fn tokens(asset: String, [from, to]: [String; 2], amount: U256) -> Self {
        let (kind, amount) = (ActionKind::Token, amount.into());
        let (id, data, nft) = (String::new(), String::new(), None);
        Self { kind, asset, id, from, to, amount, data, nft }
    }

    /// A transfer of an NFT of a collection, from a holder to another.
    pub(crate) fn nft(collection: String, id: String, holders: [String; 2], pieces: U256) -> Self {
        Self { kind: ActionKind::Nft, id, ..Self::tokens(collection, holders, pieces) }
    }

    /// A mint of an NFT.
    pub(crate) fn mint(collection: String, nft: Nft, to: String, pieces: U256) -> Self {
        let minted = Self::tokens(collection, [String::new(), to], pieces);
        Self { kind: ActionKind::Mint, nft: Some(nft), ..minted }
    }

    /// A transaction, from an account to another.
    pub(crate) fn call(accounts: [String; 2], value: U256, data: &HexBytes) -> Self {
        let sent = Self::tokens(String::new(), accounts, value);
        Self { kind: ActionKind::Call, data: data.to_string(), ..sent }
    }

    /// The actions of an intent of a wallet.
    pub(crate) fn of(intent: &Intent, wallet: &str) -> Vec<Self> {
        match intent {
            Intent::TokenTransfer(transfer) => {
                let token = transfer.token_address.contract().map(lowered).unwrap_or_default();
                let to = lowered(&transfer.recipient_wallet_address);
                vec![Self::tokens(token, [wallet.into(), to], transfer.amount.value())]
            }
            Intent::NftTransfer(transfer) => {
                // The ledger has ids of contracts; the service's own ids are UUIDs.
                let id = transfer.nft_id.token_id().map(|id| id.to_string());
                let id = id.unwrap_or_else(|| transfer.nft_id.to_string());
                let holders = [wallet.into(), lowered(&transfer.recipient_wallet_address)];
                let collection = lowered(&transfer.collection_address);
                vec![Self::nft(collection, id, holders, transfer.amount.value())]
            }
            Intent::RawTransaction(raw) => {
                let transactions = raw.transactions.as_slice().iter().map(|transaction| {
                    let accounts = [&transaction.from, &transaction.to].map(lowered);
                    Self::call(accounts, transaction.value.value(), &transaction.data)
                });
                transactions.collect()
            }
        }
    }

    /// The bytes of its call.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.data.parse::<HexBytes>().unwrap_or_default().to_vec()
    }
}
