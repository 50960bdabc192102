//! The lists of tokens.

use std::num::NonZeroU64;

use schemars::JsonSchema;
use sendoff::catalogue::{KnownToken, ListedToken};
use serde::{Deserialize, Serialize};

use super::networks::logo;
use crate::ledger::Token;
use crate::service::asked::{Asked, Nothing, page};
use crate::service::caller::user;
use crate::service::fault::Fault;
use crate::spelled::lowered;
use crate::state::State;

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
    let token = |token: ListedToken| Listing {
        token_name: token.token_name.to_string(),
        token_address: token.token_address.to_string(),
        network_name: token.network_name.to_string(),
    };
    let tokens = asked.state.catalogue.tokens().into_iter().map(token);
    Ok(Tokens { tokens: page(tokens, query.page, query.size, asked.state) })
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

impl<T> Counted<T> {
    /// The whitelisted tokens of the enabled networks, with the names of their networks.
    fn of(state: &State, row: impl Fn(&Token, String) -> T) -> Self {
        let listed = listed(state).into_iter();
        let tokens: Vec<_> = listed.map(|(token, network)| row(token, network)).collect();
        Self { count: tokens.len(), tokens }
    }
}

/// A token by its names.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Named {
    symbol: String,
    name: String,
    short_name: String,
    id: String,
    is_primary: bool,
    network_id: String,
}

impl Named {
    pub(crate) fn of(state: &State, token: &Token) -> Self {
        let place = format!("{} {}", token.caip2_id, token.address);
        Self {
            symbol: token.symbol.clone(),
            name: token.name.clone(),
            short_name: token.symbol.clone(),
            id: state.stable_id("token", &place),
            is_primary: token.address.is_empty(),
            network_id: state.stable_id("network", &token.caip2_id),
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ServerToken {
    #[serde(flatten)]
    named: Named,
    image: &'static str,
    group_id: &'static str,
}

/// The tokens as the server's list has them.
pub(crate) fn of_server(
    asked: &mut Asked<'_>,
    query: OfUser,
) -> Result<Counted<ServerToken>, Fault> {
    user(asked.state, &query.user_id)?;
    let image = "https://sandbox.invalid/token.png";
    Ok(Counted::of(asked.state, |token, _| ServerToken {
        named: Named::of(asked.state, token),
        image,
        group_id: "",
    }))
}

/// A token of version 2.
#[derive(Serialize, JsonSchema)]
pub(crate) struct IntentToken {
    #[serde(flatten)]
    named: Named,
    image: String,
    group_id: String,
    address: String,
    caip_id: String,
    network_name: String,
    onramp_enabled: bool,
    whitelisted: bool,
    decimals: String,
    precision: String,
}

/// The tokens that an application may use, in version 2.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Result<Counted<IntentToken>, Fault> {
    let state = &*asked.state;
    Ok(Counted::of(state, |token, network_name| IntentToken {
        named: Named::of(state, token),
        image: logo(&token.symbol),
        group_id: group_id(state, token),
        address: token.address.clone(),
        caip_id: token.caip2_id.clone(),
        network_name,
        onramp_enabled: false,
        whitelisted: true,
        decimals: token.decimals.to_string(),
        precision: precision(token),
    }))
}

/// The whitelisted tokens of the enabled networks, as the ledger has them, with their networks.
pub(crate) fn listed(state: &State) -> Vec<(&Token, String)> {
    let known = state.catalogue.known_tokens().iter().filter(|token| token.whitelisted);
    let of_ledger = |token: &KnownToken| {
        let chain = state.enabled_chains().find(|chain| chain.caip2_id == token.caip2_id)?;
        let address = token.token_address.contract().map(lowered).unwrap_or_default();
        let token = state.ledger.token(&chain.caip2_id.to_string(), &address)?;
        Some((token, chain.name.to_string()))
    };
    known.filter_map(of_ledger).collect()
}

pub(crate) fn group_id(state: &State, token: &Token) -> String {
    state.stable_id("group", &token.symbol)
}

/// The digits behind the point that are shown.
pub(crate) fn precision(token: &Token) -> String {
    token.decimals.min(6).to_string()
}
