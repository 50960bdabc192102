//! What came in and went out of a user's wallet, by orders and by user operations.

use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tokens::group_id;
use crate::service::asked::{Asked, page, part};
use crate::service::caller::wallet;
use crate::service::fault::Fault;
use crate::service::moves::{Move, moves};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    offset: Option<u64>,
    limit: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Activity {
    total: usize,
    activity: Vec<Row>,
}

#[derive(Serialize, JsonSchema)]
struct Row {
    description: String,
    order_state: &'static str,
    order_type: &'static str,
    token_name: String,
    network_name: String,
    /// In the smallest unit, as the description's example has it.
    quantity: String,
    tx_hash: String,
    timestamp: i64,
}

/// The activity of the token's user, the newest first.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Result<Activity, Fault> {
    let state = &*asked.state;
    let wallet = wallet(state, &asked.user)?;
    let moves = moves(state, &wallet);
    let row = |moved: &Move| {
        let is_out = moved.action.from == wallet;
        let [token_name, _] = moved.names(state);
        Row {
            description: moved.description(is_out),
            order_state: "PUBLISHED",
            order_type: if is_out { "EXTERNAL_WITHDRAWAL" } else { "EXTERNAL_TRANSFER" },
            token_name,
            network_name: state.network_name(&moved.chain).into(),
            quantity: moved.action.amount.to_string(),
            tx_hash: moved.hash.clone(),
            timestamp: moved.time.div_euclid(1_000),
        }
    };
    let activity = part(moves.iter().map(row), query.offset, query.limit, state);
    Ok(Activity { total: moves.len(), activity })
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Paged {
    page: Option<NonZeroU64>,
    size: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct IntentActivity {
    count: usize,
    activity: Vec<IntentRow>,
}

#[derive(Serialize, JsonSchema)]
struct IntentRow {
    symbol: String,
    image: &'static str,
    name: String,
    short_name: String,
    id: String,
    group_id: String,
    description: String,
    quantity: String,
    amount: String,
    order_type: &'static str,
    transfer_type: &'static str,
    status: bool,
    created_at: i64,
    updated_at: i64,
    timestamp: i64,
    tx_hash: String,
    network_id: String,
    network_name: String,
    network_explorer_url: &'static str,
    network_symbol: String,
    caip_id: String,
}

/// The same in version 2.
pub(crate) fn of_intents(asked: &mut Asked<'_>, query: Paged) -> Result<IntentActivity, Fault> {
    let state = &*asked.state;
    let wallet = wallet(state, &asked.user)?;
    let moves = moves(state, &wallet);
    let row = |moved: &Move| {
        let is_out = moved.action.from == wallet;
        let (token, pieces) = (moved.token(state), moved.action.amount.value());
        let amount = token.map_or_else(|| pieces.to_string(), |token| token.in_units(pieces));
        let [name, symbol] = moved.names(state);
        let network_name = String::from(state.network_name(&moved.chain));
        let seconds = moved.time.div_euclid(1_000);
        IntentRow {
            symbol: symbol.clone(),
            image: "",
            name,
            short_name: symbol,
            id: moved.id(state, &wallet),
            group_id: token.map(|token| group_id(state, token)).unwrap_or_default(),
            description: moved.description(is_out),
            quantity: amount.clone(),
            amount,
            order_type: "EXTERNAL_TRANSFER",
            transfer_type: if is_out { "WITHDRAWAL" } else { "DEPOSIT" },
            status: true,
            created_at: seconds,
            updated_at: seconds,
            timestamp: seconds,
            tx_hash: moved.hash.clone(),
            network_id: state.stable_id("network", &moved.chain),
            network_symbol: network_name.clone(),
            network_name,
            network_explorer_url: "https://sandbox.invalid/",
            caip_id: moved.chain.clone(),
        }
    };
    let activity = page(moves.iter().map(row), query.page, query.size, state);
    Ok(IntentActivity { count: moves.len(), activity })
}
