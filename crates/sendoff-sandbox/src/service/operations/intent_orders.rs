//! The orders of intents, in version 2.

use std::num::NonZeroU64;

use schemars::JsonSchema;
use sendoff::intent::Intent;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::json::written;
use crate::operation::UserOperation;
use crate::service::asked::{Asked, page};
use crate::service::fault::Fault;
use crate::state::State;
use crate::switches::{ChainKey, Timestamps};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    page: Option<NonZeroU64>,
    size: Option<u64>,
    intent_id: Option<String>,
    intent_type: Option<IntentType>,
    status: Option<IntentStatus>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum IntentType {
    TokenTransfer,
    NftTransfer,
    RawTransaction,
    /// Call data that is no intent.
    #[serde(rename = "", skip_deserializing)]
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum IntentStatus {
    InProgress,
    Successful,
    FailedOnChain,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct IntentOrders {
    count: usize,
    items: Vec<IntentOrder>,
}

#[derive(Serialize, JsonSchema)]
struct IntentOrder {
    downstream_transaction_hash: Vec<String>,
    transaction_hash: [String; 1],
    status: IntentStatus,
    intent_id: String,
    intent_type: IntentType,
    network_name: &'static str,
    caip_id: String,
    /// Empty of call data that is no intent.
    #[schemars(with = "Map<String, Value>")]
    details: Box<RawValue>,
    reason: &'static str,
    block_timestamp: i64,
}

/// The orders of the token's user, the newest first.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Result<IntentOrders, Fault> {
    let state = &*asked.state;
    let is_asked = |order: &IntentOrder| {
        query.intent_id.as_ref().is_none_or(|id| *id == order.intent_id)
            && query.intent_type.is_none_or(|kind| kind == order.intent_type)
            && query.status.is_none_or(|status| status == order.status)
    };
    let operations = state.operations.iter().rev();
    let operations = operations.filter(|known| known.user == asked.user && !known.hidden);
    let items: Vec<_> =
        operations.map(|known| intent_order(state, known)).filter(is_asked).collect();
    Ok(IntentOrders { count: items.len(), items: page(items, query.page, query.size, state) })
}

fn intent_order(state: &State, operation: &UserOperation) -> IntentOrder {
    let intent = operation.intent();
    let (status, reason) = match (operation.executed, operation.success) {
        (false, _) => (IntentStatus::InProgress, ""),
        (true, true) => (IntentStatus::Successful, ""),
        (true, false) => (IntentStatus::FailedOnChain, "Failed on chain"),
    };
    let ends = if operation.executed { operation.due } else { operation.received };
    let in_seconds = match state.switches.timestamps {
        Timestamps::Observed => status == IntentStatus::FailedOnChain,
        Timestamps::Seconds => true,
        Timestamps::Milliseconds => false,
    };
    // As observed: an order that failed has one empty hash.
    let (hash, downstream) = match operation.success {
        true => (operation.transaction_hash.clone(), vec![operation.downstream_hash()]),
        false => (String::new(), Vec::new()),
    };
    let details = intent.as_ref().map_or("{}".into(), |intent| details(state, intent));
    IntentOrder {
        downstream_transaction_hash: downstream,
        transaction_hash: [hash],
        status,
        intent_id: operation.job.clone(),
        intent_type: match &intent {
            Some(Intent::TokenTransfer(_)) => IntentType::TokenTransfer,
            Some(Intent::NftTransfer(_)) => IntentType::NftTransfer,
            Some(Intent::RawTransaction(_)) => IntentType::RawTransaction,
            None => IntentType::Unknown,
        },
        network_name: "SANDBOX",
        caip_id: format!("eip155:{}", state.deployment.chain_id.value()),
        details: RawValue::from_string(details).unwrap_or_default(),
        reason,
        block_timestamp: if in_seconds { ends.div_euclid(1_000) } else { ends },
    }
}

/// The details of an intent, with the chain by the switch's key.
fn details(state: &State, intent: &Intent) -> String {
    let text = match intent {
        Intent::TokenTransfer(details) => details.to_string(),
        Intent::NftTransfer(details) => details.to_string(),
        Intent::RawTransaction(details) => details.to_string(),
    };
    let (key, chain) = match state.switches.chain_key {
        ChainKey::Caip2Id => return text,
        ChainKey::Caip2id => ("caip2id", intent.chain().to_string()),
        ChainKey::NetworkId => {
            ("networkId", state.stable_id("network", &intent.chain().to_string()))
        }
    };
    let mut details: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
    details.remove("caip2Id");
    details.insert(key.into(), chain.into());
    written(details.into())
}
