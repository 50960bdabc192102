//! Wallets of the application.

use super::prelude::*;
use crate::service::fault::sentence;
use crate::state::MOST_USERS;

/// The largest number of wallets that one request makes.
const MOST_WALLETS: usize = 1_000;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct One {
    network_name: String,
    purpose: Purpose,
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all(deserialize = "lowercase", serialize = "UPPERCASE"))]
enum Purpose {
    Nft,
    Token,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Wallet {
    #[serde(flatten)]
    created: Created,
    network_name: String,
    purpose: Purpose,
    status: &'static str,
}

/// Makes a wallet.
pub(crate) fn one(asked: &mut Asked<'_>, body: One) -> Answered<Wallet> {
    let network = Network::named(asked.state, &body.network_name)?;
    let created = make(asked, &network, 1)?.pop().ok_or(&INTERNAL)?;
    let One { purpose, .. } = body;
    Ok(Wallet { created, network_name: network.chain.name.to_string(), purpose, status: "ACTIVE" })
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
pub(crate) fn many(asked: &mut Asked<'_>, body: Many) -> Answered<Vec<Created>> {
    let (count, chunk) = (body.wallet_count, body.num_request.unwrap_or(2));
    let expected = format!("an integer from 1 to {MOST_WALLETS}");
    let wrong = Fault::field("wallet_count", &expected, &count.to_string());
    check((1..=MOST_WALLETS).contains(&count), wrong)?;
    let network = Network::named(asked.state, &body.network_name)?;
    let wrong = Fault::field("num_request", "an integer from 2 to 50", &chunk.to_string());
    check((2..=50).contains(&chunk), wrong)?;
    make(asked, &network, count)
}

fn make(asked: &mut Asked<'_>, network: &Network, count: usize) -> Answered<Vec<Created>> {
    let state = &mut *asked.state;
    network.enabled()?;
    check_room(state, count)?;
    let make = |_| {
        let user_id = state.new_id("user");
        state.add_user(user_id.clone(), true, asked.now);
        Ok(Created { address: wallet(state, &user_id)?, user_id })
    };
    (0..count).map(make).collect()
}

/// Refuses more users than are kept.
pub(crate) fn check_room(state: &State, more: usize) -> Answered<()> {
    let users = state.users.len().saturating_add(more);
    let said = sentence(&format!("at most {MOST_USERS} users"), &users.to_string());
    check(users <= MOST_USERS, Fault::Said(&BODY, said))
}
