//! The orders of intents, in version 2.

use sendoff::intent::Intent;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::prelude::*;
use crate::json::written;
use crate::operation::UserOperation;
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

record! {
    IntentOrder(state: &State, operation: &UserOperation) {
        downstream_transaction_hash: Vec<String> =
            operation.success.then(|| operation.downstream_hash()).into_iter().collect(),
        /// As observed: an order that failed has one empty hash.
        transaction_hash: [String; 1] =
            [if operation.success { operation.transaction_hash.clone() } else { String::new() }],
        status: IntentStatus = status(operation),
        intent_id: String = operation.job.clone(),
        intent_type: IntentType = match operation.intent() {
            Some(Intent::TokenTransfer(_)) => IntentType::TokenTransfer,
            Some(Intent::NftTransfer(_)) => IntentType::NftTransfer,
            Some(Intent::RawTransaction(_)) => IntentType::RawTransaction,
            None => IntentType::Unknown,
        },
        network_name: &'static str = "SANDBOX",
        caip_id: String = format!("eip155:{}", state.deployment.chain_id.value()),
        /// Empty of call data that is no intent.
        #[schemars(with = "Map<String, Value>")]
        details: Box<RawValue> = details(state, operation.intent()),
        reason: &'static str = match status(operation) {
            IntentStatus::FailedOnChain => "Failed on chain",
            IntentStatus::InProgress | IntentStatus::Successful => "",
        },
        block_timestamp: i64 = timestamp(state, operation),
    }
}

/// The orders of the token's user, the newest first.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Answered<IntentOrders> {
    let state = &*asked.state;
    let is_asked = |order: &IntentOrder| {
        query.intent_id.as_ref().is_none_or(|id| *id == order.intent_id)
            && query.intent_type.is_none_or(|kind| kind == order.intent_type)
            && query.status.is_none_or(|status| status == order.status)
    };
    let operations = state.operations.iter().rev();
    let operations = operations.filter(|known| known.user == asked.user && !known.hidden);
    let items = operations.map(|known| IntentOrder::new(state, known));
    let items: Vec<_> = items.filter(is_asked).collect();
    Ok(IntentOrders { count: items.len(), items: page(items, query.page, query.size, state) })
}

const fn status(operation: &UserOperation) -> IntentStatus {
    match (operation.executed, operation.success) {
        (false, _) => IntentStatus::InProgress,
        (true, true) => IntentStatus::Successful,
        (true, false) => IntentStatus::FailedOnChain,
    }
}

fn timestamp(state: &State, operation: &UserOperation) -> i64 {
    let time = if operation.executed { operation.due } else { operation.received };
    let in_seconds = match state.switches.timestamps {
        Timestamps::Observed => status(operation) == IntentStatus::FailedOnChain,
        Timestamps::Seconds => true,
        Timestamps::Milliseconds => false,
    };
    if in_seconds { time.div_euclid(1_000) } else { time }
}

/// The details of an intent, with the chain by the switch's key.
fn details(state: &State, intent: Option<Intent>) -> Box<RawValue> {
    let mut text = match &intent {
        Some(Intent::TokenTransfer(details)) => details.to_string(),
        Some(Intent::NftTransfer(details)) => details.to_string(),
        Some(Intent::RawTransaction(details)) => details.to_string(),
        None => "{}".into(),
    };
    let chain = intent.map(|intent| intent.chain().to_string());
    let renamed = chain.and_then(|chain| match state.switches.chain_key {
        ChainKey::Caip2Id => None,
        ChainKey::Caip2id => Some(("caip2id", chain)),
        ChainKey::NetworkId => Some(("networkId", state.stable_id("network", &chain))),
    });
    if let Some((key, chain)) = renamed {
        let mut details: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
        details.remove("caip2Id");
        details.insert(key.into(), chain.into());
        text = written(details.into());
    }
    RawValue::from_string(text).unwrap_or_default()
}
