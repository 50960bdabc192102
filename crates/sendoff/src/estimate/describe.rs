//! What call data will do, for a person to read.

use alloc::vec::Vec;

use serde::Serialize;

use crate::error::Error;
use crate::intent::{Intent, IntentType, Transaction};
use crate::user_op::{Call, GsnRequirement};
use crate::value::{Address, Amount, ChainId, HexBytes, JobId, NftId, NftType, Quantity};

/// What call data will do: what moves, from whom, to whom, where, and who pays. Addresses are in the mixed case of
/// ERC-55, as wallets show them.
///
/// ```
/// use sendoff::estimate::{CallDescription, Move};
/// use sendoff::user_op::Call;
/// # let call: Call = r#"{
/// #     "jobManager": "0x0543ad80b41c5f5956d34503668cdb965decb617",
/// #     "jobId": "e4fb7f8b-d19d-4785-94af-4b911469a3b0",
/// #     "clientSWA": "0xe8201e368557508bf183d4e2dce1b1a1e0bd20fa",
/// #     "userSWA": "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906",
/// #     "feePayerAddress": "",
/// #     "policies": { "gsnEnabled": false, "sponsorshipEnabled": false },
/// #     "intent": { "type": "TOKEN_TRANSFER", "details": {
/// #         "caip2Id": "eip155:84532",
/// #         "recipientWalletAddress": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
/// #         "tokenAddress": "",
/// #         "amount": "10000000000000"
/// #     } }
/// # }"#.parse()?;
///
/// let description = CallDescription::of_bytes(&call.encode())?;
/// assert!(matches!(&description.moves[..], [Move::Native { amount, .. }] if amount.as_str() == "10000000000000"));
/// assert_eq!(description.chain.as_str(), "eip155:84532");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallDescription {
    /// The type of the intent.
    #[serde(rename = "type")]
    pub kind: IntentType,
    /// The chain on which it happens.
    pub chain: ChainId,
    /// The job.
    pub job_id: JobId,
    /// The user's smart wallet, in whose name it happens.
    pub from: Address,
    /// What happens, in order.
    pub moves: Vec<Move>,
    /// Who pays the fee in the user's place; null for nobody.
    pub fee_payer: Option<Address>,
    /// What is asked of the gas station network.
    pub gsn: GsnRequirement,
    /// The application's smart wallet.
    pub client: Address,
    /// The contract that starts the job.
    pub job_manager: Address,
}

/// One thing that happens.
///
/// ```
/// use sendoff::estimate::Move;
///
/// fn line(what: &Move) -> String {
///     match what {
///         Move::Nft { nft_id, to, .. } => format!("NFT {nft_id} to {to}"),
///         Move::Token { amount, contract, to, .. } => format!("{amount} of {contract} to {to}"),
///         Move::Native { amount, to, .. } => format!("{amount} wei to {to}"),
///         Move::Call { to, .. } => format!("a call of {to}"),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = Self::name_kind))]
pub enum Move {
    /// An NFT changes hands.
    Nft {
        /// Who gives it.
        from: Address,
        /// Who receives it.
        to: Address,
        /// The contract of its collection.
        collection: Address,
        /// Which NFT.
        nft_id: NftId,
        /// The standard of its contract.
        standard: NftType,
        /// How many pieces.
        amount: Amount,
    },
    /// A token changes hands.
    Token {
        /// Who gives it.
        from: Address,
        /// Who receives it.
        to: Address,
        /// The token's contract.
        contract: Address,
        /// How much, in the token's smallest unit.
        amount: Amount,
    },
    /// The chain's native token changes hands.
    Native {
        /// Who gives it.
        from: Address,
        /// Who receives it.
        to: Address,
        /// How much, in the smallest unit (wei).
        amount: Amount,
    },
    /// An account or contract is called. What that does is not known here.
    Call {
        /// Who calls.
        from: Address,
        /// Who is called.
        to: Address,
        /// The native token sent along, in wei.
        value: Quantity,
        /// What it is called with.
        data: HexBytes,
    },
}

impl CallDescription {
    /// Of the content of call data.
    #[must_use]
    pub fn of(call: &Call) -> Self {
        let from = call.user_swa.to_checksummed();
        let moves = match &call.intent {
            Intent::NftTransfer(details) => alloc::vec![Move::Nft {
                from: from.clone(),
                to: details.recipient_wallet_address.to_checksummed(),
                collection: details.collection_address.to_checksummed(),
                nft_id: details.nft_id.clone(),
                standard: details.nft_type.clone(),
                amount: details.amount.clone(),
            }],
            Intent::TokenTransfer(details) => {
                let (from, amount) = (from.clone(), details.amount.clone());
                let to = details.recipient_wallet_address.to_checksummed();
                alloc::vec![match details.token_address.contract() {
                    Some(contract) => {
                        Move::Token { from, to, contract: Address::from(contract).to_checksummed(), amount }
                    }
                    None => Move::Native { from, to, amount },
                }]
            }
            Intent::RawTransaction(details) => details.transactions.as_slice().iter().map(Move::of).collect(),
        };
        Self {
            kind: call.intent.kind(),
            chain: call.intent.chain().clone(),
            job_id: call.job_id.clone(),
            from,
            moves,
            fee_payer: call.fee_payer_address.payer().map(|payer| Address::from(payer).to_checksummed()),
            gsn: call.gsn.clone(),
            client: call.client_swa.to_checksummed(),
            job_manager: call.job_manager.to_checksummed(),
        }
    }

    /// Of call data.
    ///
    /// # Errors
    ///
    /// As [`Call::decode`].
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Call::decode(bytes).map(|call| Self::of(&call))
    }
}

#[cfg(feature = "schema")]
impl Move {
    fn name_kind(schema: &mut schemars::Schema) {
        crate::document::schema::name_tag(schema, "kind", "What kind of thing happens.");
    }
}

impl Move {
    /// Of a raw transaction: without data it only moves the native token.
    fn of(transaction: &Transaction) -> Self {
        let from = transaction.from.to_checksummed();
        let to = transaction.to.to_checksummed();
        match Amount::new(transaction.value.value()) {
            Some(amount) if transaction.data.is_empty() => Self::Native { from, to, amount },
            _ => Self::Call { from, to, value: transaction.value.clone(), data: transaction.data.clone() },
        }
    }
}
