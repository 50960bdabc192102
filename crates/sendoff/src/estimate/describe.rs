//! Descriptions of call data for people.

use alloc::{string::String, vec::Vec};

use crate::document::document;
use crate::error::Error;
use crate::intent::{IntentType, Move, Names, Wallet, sentence};
use crate::user_op::{Call, GsnRequirement, Policies};
use crate::value::{Address, ChainId, JobId};

document! {
    /// The effects of call data: what moves, from whom, to whom, on which chain, and who pays. Addresses are in the
    /// mixed case of ERC-55, as wallets show them.
    ///
    /// ```
    /// use sendoff::estimate::CallDescription;
    /// use sendoff::intent::{Move, Names};
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
    /// let description = CallDescription::decode(&call.encode(), &Names::default())?;
    /// assert!(matches!(&description.moves[..], [Move::Native { amount, .. }] if amount.to_string() == "10000000000000"));
    /// assert_eq!(description.chain.to_string(), "eip155:84532");
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct CallDescription: "", open Ignored, displayed by nobody {
        /// The type of the intent.
        "type" => pub kind: IntentType,
        /// The chain of the intent.
        "chain" => pub chain: ChainId,
        /// The job.
        "jobId" => pub job_id: JobId,
        /// The user's smart wallet at the service, which the job acts for. In moves of a transfer it is `from`: the service takes the
        /// assets from another wallet. In a raw transaction `from` is the wallet on its chain.
        "from" => pub from: Address,
        /// The moves, in order.
        "moves" => pub moves: Vec<Move>,
        /// A sentence about each move.
        "sentences" => pub sentences: Vec<String>,
        /// The account that pays the fee in the user's place; null if there is none.
        "feePayer" => pub fee_payer: Option<Address> as nullable,
        /// The features that are enabled for the application.
        "policies" => pub policies: Policies,
        /// The job's need for the gas station network.
        "gsn" => pub gsn: GsnRequirement,
        /// The application's smart wallet.
        "client" => pub client: Address,
        /// The contract that starts the job.
        "jobManager" => pub job_manager: Address,
    }
}

impl CallDescription {
    /// Describes the content of call data. The sentences show these names beside the raw values.
    #[must_use]
    pub fn new(call: &Call, names: &Names) -> Self {
        Self::known(call, names, &[])
    }

    /// Decodes call data, and describes it.
    ///
    /// # Errors
    ///
    /// As [`Call::decode`].
    pub fn decode(bytes: &[u8], names: &Names) -> Result<Self, Error> {
        Call::decode(bytes).map(|call| Self::new(&call, names))
    }

    pub(super) fn known(call: &Call, names: &Names, spelled: &[&Address]) -> Self {
        let Call {
            job_manager,
            job_id,
            client_swa,
            user_swa,
            fee_payer_address,
            policies,
            gsn,
            intent,
        } = call;
        // Once for the moves and for itself: a checksum takes a hash.
        let from = user_swa.to_checksummed_as(spelled);
        let (kind, chain) = (intent.kind(), intent.chain());
        let moves = intent.moves(&from);
        let wallet = Wallet::of(kind);

        Self {
            kind,
            chain: chain.clone(),
            job_id: *job_id,
            from,
            sentences: moves.iter().map(|moved| sentence(moved, wallet, chain, names)).collect(),
            moves,
            fee_payer: fee_payer_address.payer().map(Address::to_checksummed),
            policies: policies.clone(),
            gsn: gsn.clone(),
            client: client_swa.to_checksummed_as(spelled),
            job_manager: job_manager.to_checksummed_as(spelled),
        }
    }
}
