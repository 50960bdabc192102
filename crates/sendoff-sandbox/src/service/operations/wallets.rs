//! The wallets of a user on the enabled networks: wallets on other networks exist, and are not
//! visible.

use sendoff::catalogue::KnownChain;

use super::tokens::OfUser;
use super::*;
use crate::service::caller::wallet;
use crate::service::fault::DATA;

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
    let state = &mut *asked.state;
    let wallet = |chain: &KnownChain, address: &str| Wallet {
        network_name: chain.name.to_string(),
        address: address.into(),
        success: true,
    };
    Ok(Wallets { wallets: each(state, &asked.user, wallet)? })
}

/// The same. Wallets are there already; only the status says whether this is the first request.
pub(crate) fn create(asked: &mut Asked<'_>, query: Nothing) -> Result<Wallets<Wallet>, Fault> {
    let state = &mut *asked.state;
    let known = state.users.get_mut(&asked.user).ok_or(&DATA)?;
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
    let state = &mut *asked.state;
    let wallet = |chain: &KnownChain, address: &str| full(state, chain, address, false);
    Ok(Wallets { wallets: each(state, &query.user_id, wallet)? })
}

/// The wallets of the token's user, in version 2.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Result<Vec<NetworkWallet>, Fault> {
    let state = &mut *asked.state;
    each(state, &asked.user, |chain, address| full(state, chain, address, true))
}

fn full(state: &State, chain: &KnownChain, address: &str, has_chain: bool) -> NetworkWallet {
    let caip_id = chain.caip2_id.to_string();
    NetworkWallet {
        network_name: chain.name.to_string(),
        address: address.into(),
        network_id: state.stable_id("network", &caip_id),
        network_symbol: chain.name.to_string(),
        caip_id: has_chain.then_some(caip_id),
    }
}

fn each<T>(
    state: &State,
    user: &str,
    row: impl Fn(&KnownChain, &str) -> T,
) -> Result<Vec<T>, Fault> {
    let wallet = wallet(state, user)?;
    Ok(state.enabled_chains().map(|chain| row(chain, &wallet)).collect())
}
