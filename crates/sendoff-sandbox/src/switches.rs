//! Switches: the form of replies where the descriptions of the live service contradict each other.
//! The first word of each is the default.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

/// An enum of words.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? })+) => { $(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub(crate) enum $name { $($(#[$doc])* #[serde(rename = $word)] $variant),+ }
    )+ };
}

words! {
    /// The names of an order's id in replies.
    Ids {
        /// `orderId`, `order_id` or `jobId`, by the operation.
        Published = "published",
        /// `order_id` everywhere.
        OrderId = "order_id",
    }
    /// The word for the failed state of a raw transaction.
    FailedWord { Failure = "FAILURE", Failed = "FAILED" }
    /// The form of a portfolio's tokens.
    PortfolioForm {
        List = "list",
        /// The first token alone, as the description types it.
        Object = "object",
        /// `aggregated_data` and `group_tokens`, as the older page has it.
        Aggregated = "aggregated",
    }
    /// The key of the orders of NFTs.
    NftOrdersKey { Details = "details", Nfts = "nfts" }
    /// The key of a transaction's hash in the orders of NFTs.
    HashKey { TransactionHash = "transaction_hash", TxHash = "tx_hash" }
    /// The spelling of an order's times.
    Dates { Go = "go", Rfc3339 = "rfc3339" }
    /// The unit of `block_timestamp`.
    Timestamps {
        /// Milliseconds if the order succeeded, seconds if it failed.
        Observed = "observed",
        Seconds = "seconds",
        Milliseconds = "milliseconds",
    }
    /// The `status` of an error.
    ErrorWord { Error = "error", Failure = "failure" }
    /// The status of a reply that is no error.
    SuccessStatus {
        /// 201, for reads as well; 200 where the description says so.
        Published = "published",
        Ok = "200",
    }
    /// The networks in the list.
    Listed {
        /// Those that are enabled.
        Whitelisted = "whitelisted",
        /// All, with a flag.
        All = "all",
    }
    /// The key of the chain in orders of intents.
    ChainKey { Caip2Id = "caip2Id", Caip2id = "caip2id", NetworkId = "networkId" }
    /// The accepted spellings of a raw transaction's `value`.
    ValueForm {
        /// A quantity, a decimal, `0x` and nothing.
        Any = "any",
        Hex = "hex",
        Decimal = "decimal",
    }
    /// The EntryPoint's rule for nonces.
    Nonces {
        /// Each nonce once: a job's own, as the live service has it.
        Job = "job",
        /// The sequence of each key, as the published contracts have it.
        Sequence = "sequence",
    }
    /// The least value of an order of tokens.
    Minimum {
        /// None, as in the descriptions' own examples.
        None = "none",
        /// An order of less fails, as a page of questions says.
        Dollar = "1 USD",
    }
}

/// The switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Switches {
    pub(crate) ids: Ids,
    pub(crate) raw_failure: FailedWord,
    pub(crate) portfolio: PortfolioForm,
    pub(crate) nft_orders: NftOrdersKey,
    pub(crate) nft_hash: HashKey,
    pub(crate) dates: Dates,
    pub(crate) timestamps: Timestamps,
    pub(crate) error_status: ErrorWord,
    pub(crate) success_status: SuccessStatus,
    pub(crate) networks: Listed,
    pub(crate) chain_key: ChainKey,
    pub(crate) value: ValueForm,
    pub(crate) nonces: Nonces,
    pub(crate) minimum: Minimum,
    pub(crate) page_size: NonZeroU64,
}
