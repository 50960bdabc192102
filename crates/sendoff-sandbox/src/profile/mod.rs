//! Profiles: the payloads of a live service's operations, as data.
//!
//! The specification shows the payloads of the estimate only. A profile has the fields of all other
//! operations as the service's public descriptions have them, and a switch for each contradiction
//! of those descriptions that a client feels.

mod okto_v1;

use alloc::{string::String, vec::Vec};

use sendoff::error::{Issue, IssueCode};

use crate::Json;
use crate::fault::sentence;
use crate::record::{record, words};
use crate::text::{digits, of_signed};

pub(crate) use okto_v1::{ALIASES, PAYLOADS};

/// The kind of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Integer,
    Boolean,
    List,
    Object,
    /// An object or a list: descriptions contradict each other.
    Tree,
}

/// A field of a payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// The keys from the root, with dots; `[]` after the key of a list means each of its items.
    pub(crate) path: &'static str,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
}

/// The payloads of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payload {
    /// The id of the operation.
    pub(crate) name: &'static str,
    pub(crate) request: &'static [Field],
    /// The statuses of a reply that is no error.
    pub(crate) statuses: &'static [u16],
    pub(crate) reply: &'static [Field],
}

impl Kind {
    /// Its name in the description of payloads.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::List => "array",
            Self::Object => "object",
            Self::Tree => "tree",
        }
    }

    const fn expected(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Integer => "an integer",
            Self::Boolean => "`true` or `false`",
            Self::List => "an array",
            Self::Object => "an object",
            Self::Tree => "an object or an array",
        }
    }

    fn is_of(self, value: &Json) -> bool {
        match (self, value) {
            (Self::Text, Json::Text(_))
            | (Self::Boolean, Json::Bool(_))
            | (Self::List, Json::List(_))
            | (Self::Object, Json::Object(_))
            | (Self::Tree, Json::Object(_) | Json::List(_)) => true,
            (Self::Integer, Json::Number(digits)) => of_signed(digits).is_some(),
            _ => false,
        }
    }
}

/// The requests alone: who compares no replies has no tables of them in the program.
#[expect(
    clippy::indexing_slicing,
    reason = "a place that is not there does not compile in a constant"
)]
static REQUESTS: [(&str, &[Field]); PAYLOADS.len()] = {
    let mut all: [(&str, &[Field]); PAYLOADS.len()] = [("", &[]); PAYLOADS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = (PAYLOADS[at].name, PAYLOADS[at].request);
        at += 1;
    }
    all
};

/// The fields of an operation's request, by its id.
pub(crate) fn request(name: &str) -> &'static [Field] {
    REQUESTS.iter().find(|(known, _)| *known == name).map_or(&[], |(_, fields)| fields)
}

/// A parameter of a query: its name, its kind (`integer`, `string`, or words with spaces between them), and whether it must be there.
pub(crate) type Parameter = (&'static str, &'static str, bool);

/// The parameters of an operation's query.
pub(crate) fn query(name: &str) -> &'static [Parameter] {
    const PAGE: [Parameter; 2] = [("page", "positive", false), ("size", "integer", false)];
    match name {
        "orders" => &[
            ("offset", "integer", false),
            ("limit", "integer", false),
            ("order_id", "string", false),
            ("order_state", "PENDING SUCCESS FAILED", false),
        ],
        "activity" => &[("offset", "integer", false), ("limit", "integer", false)],
        "supportedTokens" | "intentActivity" => &PAGE,
        "intentOrders" => &[
            PAGE[0],
            PAGE[1],
            ("intent_id", "string", false),
            ("intent_type", "TOKEN_TRANSFER NFT_TRANSFER RAW_TRANSACTION", false),
            ("status", "IN_PROGRESS SUCCESSFUL FAILED_ON_CHAIN", false),
        ],
        "rawTransactionStatus" | "serverRawTransactionStatus" => &[("order_id", "string", true)],
        "nftOrderDetails" => &[PAGE[0], PAGE[1], ("order_id", "string", true)],
        "bulkOrderDetails" => &[PAGE[0], PAGE[1], ("bulk_order_id", "string", true)],
        "serverPortfolio" | "serverSupportedTokens" | "serverWallets" => {
            &[("user_id", "string", true)]
        }
        _ => &[],
    }
}

/// The payloads of an operation, by its id.
pub(crate) fn payload(name: &str) -> Option<&'static Payload> {
    PAYLOADS.iter().find(|payload| payload.name == name)
}

/// Compares a payload with the table of its fields.
pub(crate) fn check(fields: &[Field], payload: &Json) -> Vec<Issue> {
    let mut problems = Vec::new();
    for field in fields {
        check_field(field, field.path, "", payload, &mut problems);
    }
    problems
}

fn check_field(field: &Field, rest: &str, at: &str, value: &Json, problems: &mut Vec<Issue>) {
    let (key, rest) = rest.split_once('.').map_or((rest, None), |(key, rest)| (key, Some(rest)));
    let (name, is_list) = key.strip_suffix("[]").map_or((key, false), |name| (name, true));
    let place = |name: &str| if at.is_empty() { name.into() } else { [at, ".", name].concat() };

    let found = if name.is_empty() { Some(value) } else { value.get(name) };
    // What is missing above is told once, by the field above.
    let Some(found) = found.filter(|found| **found != Json::Null) else {
        if rest.is_none() && !is_list && field.required && matches!(value, Json::Object(_)) {
            let message = sentence(field.kind.expected(), None);
            problems.push(Issue::new(place(name), IssueCode::Missing, message));
        }
        return;
    };
    if is_list {
        for (index, item) in found.as_list().unwrap_or_default().iter().enumerate() {
            let at =
                place(&[name, ".", &digits(u64::try_from(index).unwrap_or(u64::MAX))].concat());
            match rest {
                Some(rest) => check_field(field, rest, &at, item, problems),
                None => check_kind(field, at, item, problems),
            }
        }
        return;
    }
    match rest {
        Some(rest) => check_field(field, rest, &place(name), found, problems),
        None => check_kind(field, place(name), found, problems),
    }
}

fn check_kind(field: &Field, path: String, found: &Json, problems: &mut Vec<Issue>) {
    if !field.kind.is_of(found) {
        let message = sentence(field.kind.expected(), Some(&found.to_json()));
        problems.push(Issue::new(path, IssueCode::Type, message));
    }
}

/// Replaces the known misspellings of a request's keys.
pub(crate) fn canonical(json: &mut Json) {
    match json {
        Json::Object(fields) => {
            for (name, value) in fields {
                if let Some((_, right)) = ALIASES.iter().find(|(wrong, _)| wrong == name) {
                    *name = (*right).into();
                }
                canonical(value);
            }
        }
        Json::List(items) => items.iter_mut().for_each(canonical),
        _ => {}
    }
}

words! {
    /// The names of an order's id in replies.
    pub(crate) enum Ids {
        /// `orderId`, `order_id` or `jobId`, by the operation.
        Published = "published",
        /// `order_id` everywhere.
        OrderId = "order_id",
    }
}

words! {
    /// The word for the failed state of a raw transaction.
    pub(crate) enum FailedWord {
        Failure = "FAILURE",
        Failed = "FAILED",
    }
}

words! {
    /// The form of a portfolio's tokens.
    pub(crate) enum PortfolioForm {
        List = "list",
        /// The first token alone, as the description types it.
        Object = "object",
        /// `aggregated_data` and `group_tokens`, as the older page has it.
        Aggregated = "aggregated",
    }
}

words! {
    /// The key of the orders of NFTs.
    pub(crate) enum NftOrdersKey {
        Details = "details",
        Nfts = "nfts",
    }
}

words! {
    /// The key of a transaction's hash in the orders of NFTs.
    pub(crate) enum HashKey {
        TransactionHash = "transaction_hash",
        TxHash = "tx_hash",
    }
}

words! {
    /// The spelling of an order's times.
    pub(crate) enum Dates {
        Go = "go",
        Rfc3339 = "rfc3339",
    }
}

words! {
    /// The unit of `block_timestamp`.
    pub(crate) enum Timestamps {
        /// Milliseconds if the order succeeded, seconds if it failed.
        Observed = "observed",
        Seconds = "seconds",
        Milliseconds = "milliseconds",
    }
}

words! {
    /// The `status` of an error.
    pub(crate) enum ErrorWord {
        Error = "error",
        Failure = "failure",
    }
}

words! {
    /// The status of a reply that is no error.
    pub(crate) enum SuccessStatus {
        /// 201, for reads as well; 200 where the description says so.
        Published = "published",
        Ok = "200",
    }
}

words! {
    /// The networks in the list.
    pub(crate) enum Listed {
        /// Those that are enabled.
        Whitelisted = "whitelisted",
        /// All, with a flag.
        All = "all",
    }
}

words! {
    /// The key of the chain in orders of intents.
    pub(crate) enum ChainKey {
        Caip2Id = "caip2Id",
        Caip2id = "caip2id",
        NetworkId = "networkId",
    }
}

words! {
    /// The accepted spellings of a raw transaction's `value`.
    pub(crate) enum ValueForm {
        /// A quantity, a decimal, `0x` and nothing.
        Any = "any",
        Hex = "hex",
        Decimal = "decimal",
    }
}

words! {
    /// The EntryPoint's rule for nonces.
    pub(crate) enum Nonces {
        /// Each nonce once: a job's own, as the live service has it.
        Job = "job",
        /// The sequence of each key, as the published contracts have it.
        Sequence = "sequence",
    }
}

words! {
    /// The least value of an order of tokens.
    pub(crate) enum Minimum {
        /// None, as in the descriptions' own examples.
        None = "none",
        /// An order of less fails, as a page of questions says.
        Dollar = "1 USD",
    }
}

record! {
    /// The switches: the form of replies where the descriptions contradict each other.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct Switches {
        ids: Ids,
        raw_failure: FailedWord,
        portfolio: PortfolioForm,
        nft_orders: NftOrdersKey,
        nft_hash: HashKey,
        dates: Dates,
        timestamps: Timestamps,
        error_status: ErrorWord,
        success_status: SuccessStatus,
        networks: Listed,
        chain_key: ChainKey,
        value: ValueForm,
        nonces: Nonces,
        minimum: Minimum,
        page_size: u64,
    }
}

impl Switches {
    /// The status of a success that is not described with 200.
    pub(crate) fn created(&self) -> u16 {
        match self.success_status {
            SuccessStatus::Published => 201,
            SuccessStatus::Ok => 200,
        }
    }
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            ids: Ids::Published,
            raw_failure: FailedWord::Failure,
            portfolio: PortfolioForm::List,
            nft_orders: NftOrdersKey::Details,
            nft_hash: HashKey::TransactionHash,
            dates: Dates::Go,
            timestamps: Timestamps::Observed,
            error_status: ErrorWord::Error,
            success_status: SuccessStatus::Published,
            networks: Listed::Whitelisted,
            chain_key: ChainKey::Caip2Id,
            value: ValueForm::Any,
            nonces: Nonces::Job,
            minimum: Minimum::None,
            page_size: 10,
        }
    }
}
