//! Switches: the form of replies where the descriptions of the live service contradict each other.
//! The first word of each is the default.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

/// The switches: a field for each, and its words.
macro_rules! switches {
    ($(
        $(#[$about:meta])*
        $field:ident: $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }
    )+) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
            pub(crate) enum $name { $($(#[$doc])* #[serde(rename = $word)] $variant),+ }
        )+

        /// The switches.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub(crate) struct Switches {
            $(pub(crate) $field: $name,)+
            pub(crate) page_size: NonZeroU64,
        }
    };
}

switches! {
    /// The names of an order's id in replies.
    ids: Ids {
        /// `orderId`, `order_id` or `jobId`, by the operation.
        Published = "published",
        /// `order_id` everywhere.
        OrderId = "order_id",
    }
    /// The word for the failed state of a raw transaction.
    raw_failure: FailedWord { Failure = "FAILURE", Failed = "FAILED" }
    /// The form of a portfolio's tokens.
    portfolio: PortfolioForm {
        List = "list",
        /// The first token alone, as the description types it.
        Object = "object",
        /// `aggregated_data` and `group_tokens`, as the older page has it.
        Aggregated = "aggregated",
    }
    /// The key of the orders of NFTs.
    nft_orders: NftOrdersKey { Details = "details", Nfts = "nfts" }
    /// The key of a transaction's hash in the orders of NFTs.
    nft_hash: HashKey { TransactionHash = "transaction_hash", TxHash = "tx_hash" }
    /// The spelling of an order's times.
    dates: Dates { Go = "go", Rfc3339 = "rfc3339" }
    /// The unit of `block_timestamp`.
    timestamps: Timestamps {
        /// Milliseconds if the order succeeded, seconds if it failed.
        Observed = "observed",
        Seconds = "seconds",
        Milliseconds = "milliseconds",
    }
    /// The `status` of an error.
    error_status: ErrorWord { Error = "error", Failure = "failure" }
    /// The status of a reply that is no error.
    success_status: SuccessStatus {
        /// 201, for reads as well; 200 where the description says so.
        Published = "published",
        Ok = "200",
    }
    /// The networks in the list.
    networks: Listed {
        /// Those that are enabled.
        Whitelisted = "whitelisted",
        /// All, with a flag.
        All = "all",
    }
    /// The key of the chain in orders of intents.
    chain_key: ChainKey { Caip2Id = "caip2Id", Caip2id = "caip2id", NetworkId = "networkId" }
    /// The accepted spellings of a raw transaction's `value`.
    value: ValueForm {
        /// A quantity, a decimal, `0x` and nothing.
        Any = "any",
        Hex = "hex",
        Decimal = "decimal",
    }
    /// The EntryPoint's rule for nonces.
    nonces: Nonces {
        /// Each nonce once: a job's own, as the live service has it.
        Job = "job",
        /// The sequence of each key, as the published contracts have it.
        Sequence = "sequence",
    }
    /// The least value of an order of tokens.
    minimum: Minimum {
        /// None, as in the descriptions' own examples.
        None = "none",
        /// An order of less fails, as a page of questions says.
        Dollar = "1 USD",
    }
}
