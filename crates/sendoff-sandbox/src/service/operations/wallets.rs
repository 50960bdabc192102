//! The wallets of a user on the enabled networks: wallets on other networks exist, and are not
//! visible.

use schemars::JsonSchema;
use sendoff::catalogue::KnownChain;
use serde::Serialize;

use super::tokens::OfUser;
use crate::service::asked::{Asked, Nothing};
use crate::service::caller::wallet;
use crate::service::fault::{DATA, Fault};
use crate::state::State;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Wallets<T> {
    wallets: Vec<T>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Wallet {
    network_name: String,
    address: String,
    success: bool,
}

/// The wallets of the token's user.
pub(crate) fn of_user(asked: &mut Asked<'_>, _: Nothing) -> Result<Wallets<Wallet>, Fault> {
    let wallet = |chain: &KnownChain, address: String| Wallet {
        network_name: chain.name.to_string(),
        address,
        success: true,
    };
    Ok(Wallets { wallets: each(asked.state, &asked.user, wallet)? })
}

/// The same. Wallets are there already; only the status says whether this is the first request.
pub(crate) fn create(asked: &mut Asked<'_>, query: Nothing) -> Result<Wallets<Wallet>, Fault> {
    let known = asked.state.users.get_mut(&asked.user).ok_or(&DATA)?;
    if std::mem::replace(&mut known.has_wallets, true) {
        asked.status = 200;
    }
    of_user(asked, query)
}

/// A wallet with its network.
#[derive(Serialize, JsonSchema)]
pub(crate) struct NetworkWallet {
    #[serde(skip_serializing_if = "Option::is_none")]
    caip_id: Option<String>,
    network_name: String,
    address: String,
    network_id: String,
    network_symbol: String,
}

/// The wallets of a user, for a server.
pub(crate) fn of_server(
    asked: &mut Asked<'_>,
    query: OfUser,
) -> Result<Wallets<NetworkWallet>, Fault> {
    Ok(Wallets { wallets: with_networks(asked.state, &query.user_id, false)? })
}

/// The wallets of the token's user, in version 2.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Result<Vec<NetworkWallet>, Fault> {
    with_networks(asked.state, &asked.user, true)
}

fn with_networks(state: &State, user: &str, has_chain: bool) -> Result<Vec<NetworkWallet>, Fault> {
    each(state, user, |chain, address| {
        let (id, name) = (chain.caip2_id.to_string(), chain.name.to_string());
        NetworkWallet {
            address,
            network_id: state.stable_id("network", &id),
            caip_id: has_chain.then_some(id),
            network_symbol: name.clone(),
            network_name: name,
        }
    })
}

fn each<T>(
    state: &State,
    user: &str,
    row: impl Fn(&KnownChain, String) -> T,
) -> Result<Vec<T>, Fault> {
    let wallet = wallet(state, user)?;
    Ok(state.enabled_chains().map(|chain| row(chain, wallet.clone())).collect())
}
