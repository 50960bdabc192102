//! What came in and went out of a user's wallet, by orders and by user operations.

use super::prelude::*;
use super::tokens::{self, group_id};
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

record! {
    Row(state: &State, moved: &Move) {
        description: String = moved.description(),
        order_state: &'static str = "PUBLISHED",
        order_type: &'static str = moved.either("EXTERNAL_WITHDRAWAL", "EXTERNAL_TRANSFER"),
        token_name: String = moved.names(state)[0].clone(),
        network_name: String = state.network_name(&moved.chain).into(),
        /// In the smallest unit, as the description's example has it.
        quantity: String = moved.action.amount.to_string(),
        tx_hash: String = moved.hash.clone(),
        timestamp: i64 = moved.seconds(),
    }

    IntentRow(state: &State, moved: &Move) {
        symbol: String = moved.names(state)[1].clone(),
        image: &'static str = "",
        name: String = moved.names(state)[0].clone(),
        short_name: String = moved.names(state)[1].clone(),
        id: String = moved.id(state),
        group_id: String = moved.token(state).map(|it| group_id(state, it)).unwrap_or_default(),
        description: String = moved.description(),
        quantity: String = moved.in_units(state),
        amount: String = moved.in_units(state),
        order_type: &'static str = "EXTERNAL_TRANSFER",
        transfer_type: &'static str = moved.either("WITHDRAWAL", "DEPOSIT"),
        status: bool = true,
        created_at: i64 = moved.seconds(),
        updated_at: i64 = moved.seconds(),
        timestamp: i64 = moved.seconds(),
        tx_hash: String = moved.hash.clone(),
        network_id: String = state.stable_id("network", &moved.chain),
        network_name: String = state.network_name(&moved.chain).into(),
        network_explorer_url: &'static str = "https://sandbox.invalid/",
        network_symbol: String = state.network_name(&moved.chain).into(),
        caip_id: String = moved.chain.clone(),
    }
}

/// The activity of the token's user, the newest first.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Answered<Activity> {
    let state = &*asked.state;
    let moves = moves(state, &wallet(state, &asked.user)?);
    let rows = moves.iter().map(|moved| Row::new(state, moved));
    Ok(Activity { total: moves.len(), activity: part(rows, query.offset, query.limit, state) })
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct IntentActivity {
    count: usize,
    activity: Vec<IntentRow>,
}

/// The same in version 2.
pub(crate) fn of_intents(asked: &mut Asked<'_>, query: tokens::Query) -> Answered<IntentActivity> {
    let state = &*asked.state;
    let moves = moves(state, &wallet(state, &asked.user)?);
    let rows = moves.iter().map(|moved| IntentRow::new(state, moved));
    Ok(IntentActivity { count: moves.len(), activity: page(rows, query.page, query.size, state) })
}
