//! The wallets of a user on the enabled networks: wallets on other networks exist, and are not
//! visible.

use sendoff::catalogue::KnownChain;

use super::prelude::*;
use super::tokens::OfUser;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Wallets<T> {
    wallets: Vec<T>,
}

record! {
    pub(crate) Wallet(chain: &KnownChain, wallet: &str) {
        network_name: String = chain.name.to_string(),
        address: String = wallet.into(),
        success: bool = true,
    }

    /// A wallet with its network.
    pub(crate) NetworkWallet(state: &State, chain: &KnownChain, wallet: &str, has_chain: bool) {
        #[serde(skip_serializing_if = "Option::is_none")]
        caip_id: Option<String> = has_chain.then(|| chain.caip2_id.to_string()),
        network_name: String = chain.name.to_string(),
        address: String = wallet.into(),
        network_id: String = state.stable_id("network", &chain.caip2_id.to_string()),
        network_symbol: String = chain.name.to_string(),
    }
}

/// The wallets of the token's user.
pub(crate) fn of_user(asked: &mut Asked<'_>, _: Nothing) -> Answered<Wallets<Wallet>> {
    let wallet = wallet(asked.state, &asked.user)?;
    let wallets = asked.state.enabled_chains().map(|chain| Wallet::new(chain, &wallet)).collect();
    Ok(Wallets { wallets })
}

/// The same. Wallets are there already; only the status says whether this is the first request.
pub(crate) fn create(asked: &mut Asked<'_>, query: Nothing) -> Answered<Wallets<Wallet>> {
    let known = asked.state.users.get_mut(&asked.user).ok_or(&DATA)?;
    if std::mem::replace(&mut known.has_wallets, true) {
        asked.status = 200;
    }
    of_user(asked, query)
}

/// The wallets of a user, for a server.
pub(crate) fn of_server(asked: &mut Asked<'_>, query: OfUser) -> Answered<Wallets<NetworkWallet>> {
    Ok(Wallets { wallets: with_networks(asked.state, &query.user_id, false)? })
}

/// The wallets of the token's user, in version 2.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Answered<Vec<NetworkWallet>> {
    with_networks(asked.state, &asked.user, true)
}

fn with_networks(state: &State, user: &str, has_chain: bool) -> Answered<Vec<NetworkWallet>> {
    let wallet = wallet(state, user)?;
    let chains = state.enabled_chains();
    Ok(chains.map(|chain| NetworkWallet::new(state, chain, &wallet, has_chain)).collect())
}
