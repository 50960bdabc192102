//! Wallets of the application.

use super::*;
use crate::service::caller::wallet;
use crate::service::fault::{BODY, INTERNAL, sentence};
use crate::service::network::Network;
use crate::state::{MOST_USERS, State};

/// The largest number of wallets that one request makes.
const MOST_WALLETS: usize = 1_000;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct One {
    network_name: String,
    purpose: Purpose,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Purpose {
    Nft,
    Token,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Wallet {
    user_id: String,
    network_name: String,
    address: String,
    purpose: &'static str,
    status: &'static str,
}

/// Makes a wallet.
pub(crate) fn one(asked: &mut Asked<'_>, body: One) -> Result<Wallet, Fault> {
    let state = &mut *asked.state;
    let network = Network::named(state, &body.network_name)?;
    let made = make(state, &network, 1, asked.now)?;
    let Created { address, user_id } = made.into_iter().next().ok_or(&INTERNAL)?;
    let purpose = match body.purpose {
        Purpose::Nft => "NFT",
        Purpose::Token => "TOKEN",
    };
    Ok(Wallet { user_id, network_name: network.name, address, purpose, status: "ACTIVE" })
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Many {
    network_name: String,
    #[serde(rename = "purpose")]
    _purpose: Purpose,
    #[schemars(range(min = 1, max = 1000))]
    wallet_count: usize,
    #[schemars(range(min = 2, max = 50))]
    num_request: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Created {
    address: String,
    user_id: String,
}

/// Makes several wallets, all or none.
pub(crate) fn many(asked: &mut Asked<'_>, body: Many) -> Result<Vec<Created>, Fault> {
    let state = &mut *asked.state;
    let count = body.wallet_count;
    if !(1..=MOST_WALLETS).contains(&count) {
        let expected = format!("an integer from 1 to {MOST_WALLETS}");
        return Err(Fault::field("wallet_count", &expected, &count.to_string()));
    }
    let network = Network::named(state, &body.network_name)?;
    if let Some(other) = body.num_request.filter(|count| !(2..=50).contains(count)) {
        return Err(Fault::field("num_request", "an integer from 2 to 50", &other.to_string()));
    }
    make(state, &network, count, asked.now)
}

fn make(
    state: &mut State,
    network: &Network,
    count: usize,
    now: i64,
) -> Result<Vec<Created>, Fault> {
    network.enabled()?;
    check_room(state, count)?;
    let mut made = Vec::new();
    for _ in 0..count {
        let user_id = state.new_id("user");
        state.add_user(user_id.clone(), true, now);
        made.push(Created { address: wallet(state, &user_id)?, user_id });
    }
    Ok(made)
}

/// Refuses more users than are kept.
pub(crate) fn check_room(state: &State, more: usize) -> Result<(), Fault> {
    let users = state.users.len().saturating_add(more);
    if users <= MOST_USERS {
        return Ok(());
    }
    let expected = format!("at most {MOST_USERS} users");
    Err(Fault::Said(&BODY, sentence(&expected, &users.to_string())))
}
