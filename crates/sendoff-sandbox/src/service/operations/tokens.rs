//! The lists of tokens.

use std::num::NonZeroU64;

use sendoff::catalogue::ListedToken;

use super::networks::logo;
use super::*;
use crate::ledger::Token;
use crate::service::asked::page;
use crate::spelled::lowered;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    page: Option<NonZeroU64>,
    size: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Tokens {
    tokens: Vec<Listing>,
}

#[derive(Serialize, JsonSchema)]
struct Listing {
    token_name: String,
    token_address: String,
    network_name: String,
}

/// The tokens that an application may use, as the core lists them.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Result<Tokens, Fault> {
    let state = &mut *asked.state;
    let token = |token: ListedToken| Listing {
        token_name: token.token_name.to_string(),
        token_address: token.token_address.to_string(),
        network_name: token.network_name.to_string(),
    };
    let tokens = state.catalogue.tokens().into_iter().map(token);
    Ok(Tokens { tokens: page(tokens, query.page, query.size, state) })
}

/// A query about a user.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct OfUser {
    pub(crate) user_id: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Counted<T> {
    count: usize,
    tokens: Vec<T>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ServerToken {
    symbol: String,
    image: &'static str,
    name: String,
    short_name: String,
    id: String,
    group_id: &'static str,
    is_primary: bool,
    network_id: String,
}

/// The tokens as the server's list has them.
pub(crate) fn of_server(
    asked: &mut Asked<'_>,
    query: OfUser,
) -> Result<Counted<ServerToken>, Fault> {
    let state = &mut *asked.state;
    caller::user(state, &query.user_id)?;
    let token = |(token, _): (&Token, String)| ServerToken {
        symbol: token.symbol.clone(),
        image: "https://sandbox.invalid/token.png",
        name: token.name.clone(),
        short_name: token.symbol.clone(),
        id: id(state, token),
        group_id: "",
        is_primary: token.address.is_empty(),
        network_id: state.stable_id("network", &token.caip2_id),
    };
    let tokens: Vec<_> = listed(state).into_iter().map(token).collect();
    Ok(Counted { count: tokens.len(), tokens })
}

/// A token of version 2.
#[derive(Serialize, JsonSchema)]
pub(crate) struct IntentToken {
    address: String,
    caip_id: String,
    symbol: String,
    image: String,
    name: String,
    short_name: String,
    id: String,
    group_id: String,
    is_primary: bool,
    network_id: String,
    network_name: String,
    onramp_enabled: bool,
    whitelisted: bool,
    decimals: String,
    precision: String,
}

/// The tokens that an application may use, in version 2.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Result<Counted<IntentToken>, Fault> {
    let state = &mut *asked.state;
    let token = |(token, network_name): (&Token, String)| IntentToken {
        address: token.address.clone(),
        caip_id: token.caip2_id.clone(),
        symbol: token.symbol.clone(),
        image: logo(&token.symbol),
        name: token.name.clone(),
        short_name: token.symbol.clone(),
        id: id(state, token),
        group_id: group_id(state, token),
        is_primary: token.address.is_empty(),
        network_id: state.stable_id("network", &token.caip2_id),
        network_name,
        onramp_enabled: false,
        whitelisted: true,
        decimals: token.decimals.to_string(),
        precision: precision(token),
    };
    let tokens: Vec<_> = listed(state).into_iter().map(token).collect();
    Ok(Counted { count: tokens.len(), tokens })
}

/// The whitelisted tokens of the enabled networks, as the ledger has them, with their networks.
pub(crate) fn listed(state: &State) -> Vec<(&Token, String)> {
    let known = state.catalogue.known_tokens().iter().filter(|token| token.whitelisted);
    let of_ledger = |token: &sendoff::catalogue::KnownToken| {
        let chain = state.enabled_chains().find(|chain| chain.caip2_id == token.caip2_id)?;
        let address = token.token_address.contract().map(lowered).unwrap_or_default();
        let token = state.ledger.token(&chain.caip2_id.to_string(), &address)?;
        Some((token, chain.name.to_string()))
    };
    known.filter_map(of_ledger).collect()
}

pub(crate) fn id(state: &State, token: &Token) -> String {
    state.stable_id("token", &format!("{} {}", token.caip2_id, token.address))
}

pub(crate) fn group_id(state: &State, token: &Token) -> String {
    state.stable_id("group", &token.symbol)
}

/// The digits behind the point that are shown.
pub(crate) fn precision(token: &Token) -> String {
    token.decimals.min(6).to_string()
}
