//! The lists of tokens.

use sendoff::catalogue::{KnownToken, ListedToken};

use super::networks::logo;
use super::prelude::*;
use crate::ledger::Token;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    pub(super) page: Option<NonZeroU64>,
    pub(super) size: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Tokens {
    tokens: Vec<Listing>,
}

record! {
    Listing(token: &ListedToken) {
        token_name: String = token.token_name.to_string(),
        token_address: String = token.token_address.to_string(),
        network_name: String = token.network_name.to_string(),
    }

    /// A token by its names.
    #[derive(Clone)]
    pub(crate) Named(state: &State, token: &Token) {
        symbol: String = token.symbol.clone(),
        name: String = token.name.clone(),
        short_name: String = token.symbol.clone(),
        id: String = state.stable_id("token", &format!("{} {}", token.caip2_id, token.address)),
        is_primary: bool = token.address.is_empty(),
        network_id: String = state.stable_id("network", &token.caip2_id),
    }

    pub(crate) ServerToken(state: &State, token: &Token) {
        #[serde(flatten)]
        named: Named = Named::new(state, token),
        image: &'static str = "https://sandbox.invalid/token.png",
        group_id: &'static str = "",
    }

    /// A token of version 2.
    pub(crate) IntentToken(state: &State, token: &Token, network: String) {
        #[serde(flatten)]
        named: Named = Named::new(state, token),
        image: String = logo(&token.symbol),
        group_id: String = group_id(state, token),
        address: String = token.address.clone(),
        caip_id: String = token.caip2_id.clone(),
        network_name: String = network,
        onramp_enabled: bool = false,
        whitelisted: bool = true,
        decimals: String = token.decimals.to_string(),
        precision: String = precision(token),
    }
}

/// The tokens that an application may use, as the core lists them.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Answered<Tokens> {
    let tokens = asked.state.catalogue.tokens();
    let tokens = tokens.iter().map(Listing::new);
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
    fn of(state: &State, row: fn(&State, &Token, String) -> T) -> Self {
        let row = |(token, network): (&Token, String)| row(state, token, network);
        let tokens: Vec<_> = listed(state).into_iter().map(row).collect();
        Self { count: tokens.len(), tokens }
    }
}

/// The tokens as the server's list has them.
pub(crate) fn of_server(asked: &mut Asked<'_>, query: OfUser) -> Answered<Counted<ServerToken>> {
    user(asked.state, &query.user_id)?;
    Ok(Counted::of(asked.state, |state, token, _| ServerToken::new(state, token)))
}

/// The tokens that an application may use, in version 2.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Answered<Counted<IntentToken>> {
    Ok(Counted::of(asked.state, IntentToken::new))
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
