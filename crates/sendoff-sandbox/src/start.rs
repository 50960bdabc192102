//! The first state, and a saved one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
    str::FromStr,
};

use sendoff::catalogue::{KnownCollection, KnownToken};
use sendoff::error::{Error, Issue, IssueCode};
use sendoff::value::FeeAmount;
use serde_json::{Map, Value};

use crate::draw::{address, draw};
use crate::json::{self, cut};
use crate::ledger::{Collection, Ledger, Nft, Standard, Token};
use crate::lie;
use crate::number;
use crate::spelled::lowered;
use crate::state::{FIRST_USER, State, User};

/// The only profile.
const PROFILE: &str = "okto-v1";

/// The id of the treasury wallet.
const TREASURY: &str = "4980be95-7c53-4f50-a401-b2f9de36353e";

/// The largest number of NFTs of a collection that a new user gets.
const MOST_GIVEN: u64 = 10;

/// The first state, without a ledger and a treasury wallet. The addresses are those of the live chains
/// and of the sandbox deployment in the live service's public SDK, so that an application's own data
/// fits. The session key is the second key of every local test chain (`0x59c6…690d`), which everybody
/// knows. A sandbox is more lenient than production, and how much is not shown, so it has no limits.
const FIRST: &str = include_str!("first.json");

/// The options. A state has each under its own name, but for `sessionKey`.
const OPTIONS: &str = "profile, seed, switches, delays, deployment, catalogue, limits, lies, \
    newUser, sessionKey, ledger";

/// The options of which single keys may be absent.
const PARTS: [&str; 4] = ["switches", "deployment", "delays", "newUser"];

/// The options that are only where a state begins.
const BEGINNINGS: [&str; 2] = ["sessionKey", "ledger"];

impl State {
    /// Makes the first state: one application, one user with some tokens and NFTs, and a treasury
    /// wallet.
    ///
    /// `options` is JSON, an object of `profile`, `seed`, `switches`, `delays`, `deployment`,
    /// `catalogue`, `limits`, `lies`, `newUser`, `sessionKey` and `ledger`; each may be absent, and so
    /// may each key of `switches`, `delays`, `deployment` and `newUser`.
    ///
    /// # Errors
    ///
    /// Text that is not JSON, an unknown profile, key or lie, and a value of another form: the first
    /// of them, with its path.
    pub fn start(options: &str) -> Result<Self, Error> {
        let given = object(options, "the options")?;
        let has_ledger = given.contains_key("ledger");
        let mut whole = json::parse(FIRST).unwrap_or_default();
        let session_key = format!("/users/{FIRST_USER}/sessionKey");
        for (key, value) in given {
            let known = match &*key {
                "sessionKey" => whole.pointer_mut(&session_key),
                option if OPTIONS.split(", ").any(|known| known == option) => whole.get_mut(option),
                _ => {
                    let key = cut(&key);
                    let said = format!("expected the options {OPTIONS}, found `{key}`");
                    return Err(problem(key, said));
                }
            };
            match (known, value) {
                (Some(Value::Object(known)), Value::Object(value)) if PARTS.contains(&&*key) => {
                    known.extend(value);
                }
                (Some(known), value) => *known = value,
                (None, _) => {}
            }
        }
        check_profile(&whole)?;
        let mut state: Self = json::read(whole).map_err(|mut problem| {
            if problem.path.starts_with("users.") {
                problem.path = "sessionKey".into();
            }
            Error::from(*problem)
        })?;
        let accounts = [0, 1].map(|number| draw(&state.seed, "treasury", number));
        state.users.insert(TREASURY.into(), User::new(TREASURY.into(), accounts, true, 0));
        if !has_ledger {
            state.ledger = first_ledger(&state);
        }
        check(&state)?;
        Ok(state)
    }

    /// Returns the first option by which two states differ: an option of [`State::start`] that is in
    /// force for a state's whole life. `sessionKey` and `ledger` are not compared: they are only where
    /// a state begins.
    ///
    /// ```
    /// use sendoff_sandbox::State;
    ///
    /// let (one, other) = (State::start("{}")?, State::start(r#"{"delays":{"end":0}}"#)?);
    /// assert_eq!(one.differing_option(&other), Some("delays"));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn differing_option(&self, other: &Self) -> Option<&'static str> {
        let [one, other] =
            [self, other].map(|state| serde_json::to_value(state).unwrap_or_default());
        let differs = |option: &&str| {
            !BEGINNINGS.contains(option) && json::at(&one, option) != json::at(&other, option)
        };
        OPTIONS.split(", ").find(differs)
    }
}

impl FromStr for State {
    type Err = Error;

    /// Reads a state that was written by this version.
    fn from_str(text: &str) -> Result<Self, Error> {
        let json = Value::Object(object(text, "a saved state")?);
        check_profile(&json)?;
        let state: Self = json::read(json).map_err(|mut problem| {
            problem.message.insert_str(0, "expected a saved state of this version: ");
            Error::from(*problem)
        })?;
        check(&state)?;
        Ok(state)
    }
}

/// The object of a text that should be one.
fn object(text: &str, what: &str) -> Result<Map<String, Value>, Error> {
    match json::parse(text) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(other) => Err(problem("", format!("expected {what} as an object, found `{other}`"))),
        Err(error) => Err(problem("", format!("expected {what} as JSON: {error}"))),
    }
}

fn problem(path: &str, said: impl Into<String>) -> Error {
    Issue::new(path.into(), IssueCode::Format, said.into()).into()
}

/// Refuses an unknown profile.
fn check_profile(state: &Value) -> Result<(), Error> {
    let profile = json::at(state, "profile");
    if profile == PROFILE {
        return Ok(());
    }
    let found = profile.as_str().map_or_else(|| profile.to_string(), Into::into);
    Err(problem("profile", format!("expected the profile `{PROFILE}`, found `{}`", cut(&found))))
}

/// Refuses a state that nothing can follow.
fn check(state: &State) -> Result<(), Error> {
    let refused = |path: &str, expected: &str, found: &dyn Display| {
        Err(problem(path, format!("expected {expected}, found `{found}`")))
    };
    let names = state.lies.iter().filter_map(|lies| lies.names.as_ref());
    for names in names {
        if names.is_empty() {
            return Err(problem("lies.names", "expected the names of lies, found `[]`"));
        }
        if let Some(unknown) = names.iter().find_map(|name| lie::find(name).err()) {
            return Err(problem("lies.names", unknown));
        }
    }
    let Ledger { tokens, collections } = &state.ledger;
    let tokens = tokens.iter().map(|it| ("tokens", &it.caip2_id, &it.address));
    let collections = collections.iter().map(|it| ("collections", &it.caip2_id, &it.address));
    let mut known = BTreeSet::new();
    for (at, (list, chain, address)) in tokens.enumerate().chain(collections.enumerate()) {
        let path = |key: &str| format!("ledger.{list}.{at}.{key}");
        if state.chain(chain).is_none() {
            return refused(&path("caip2Id"), "a chain of the catalogue", chain);
        }
        // No collection is a native token.
        let is_native = list == "collections" && address.is_empty();
        if is_native || !known.insert((chain, address)) {
            return refused(&path("address"), "an address of its own", address);
        }
    }
    let given = state.new_user.as_ref().map_or(0, |gift| gift.nfts);
    if given > MOST_GIVEN {
        return refused("newUser.nfts", &format!("an integer from 0 to {MOST_GIVEN}"), &given);
    }
    match state.delays.start {
        Some(start) if start > state.delays.end => {
            refused("delays.start", "at most `delays.end`", &start)
        }
        _ => Ok(()),
    }
}

/// What the two have, and a stranger, so that a total supply is more than that.
fn first_ledger(state: &State) -> Ledger {
    let holders: Vec<_> = state.users.values().map(|user| user.wallet.clone()).collect();
    let stranger = address(draw(&state.seed, "stranger", 0));
    let tokens = state.catalogue.known_tokens().iter();
    let collections = state.catalogue.known_collections().iter().enumerate();
    Ledger {
        tokens: tokens.map(|known| token(known, &holders, &stranger)).collect(),
        collections: collections.map(|(at, known)| collection(known, at, &holders)).collect(),
    }
}

fn token(known: &KnownToken, holders: &[String], stranger: &str) -> Token {
    let name = known.name.to_string();
    let (decimals, amount, price) = match name.as_str() {
        "USDC" | "USDT" => (6, "500", "83.5"),
        "ETH" => (18, "0.5", "290000"),
        _ => (18, "100", "42.1"),
    };
    let amount = number::of_units(amount, decimals).unwrap_or_default();
    let mut balances: BTreeMap<_, _> =
        holders.iter().map(|holder| (holder.clone(), amount.into())).collect();
    balances.insert(stranger.into(), amount.saturating_mul(1_000.into()).into());
    Token {
        caip2_id: known.caip2_id.to_string(),
        address: known.token_address.contract().map(lowered).unwrap_or_default(),
        symbol: name.clone(),
        name,
        decimals,
        price: price.into(),
        balances,
        ..Token::default()
    }
}

/// A collection of the catalogue; the second is of ERC-1155. The first user has 56 and 58 of each,
/// the treasury 57.
fn collection(known: &KnownCollection, at: usize, holders: &[String]) -> Collection {
    let (standard, pieces, name) = match at {
        1 => (Standard::Erc1155, 25_u64, "super avengers"),
        _ => (Standard::Erc721, 1, "super orchestrators"),
    };
    let owners = holders.iter().rev().chain(holders.iter().rev().take(1));
    let nft = |(id, owner): (u64, &String)| {
        let nft = Nft {
            name: format!("Orchestrator {id}"),
            description: "An NFT of the pocket service".into(),
            uri: format!("ipfs://sandbox/{id}"),
            owners: BTreeMap::from([(owner.clone(), FeeAmount::from(pieces))]),
            ..Nft::default()
        };
        (id.to_string(), nft)
    };
    Collection {
        caip2_id: known.caip2_id.to_string(),
        address: lowered(&known.collection_address),
        name: name.into(),
        symbol: "SUPER".into(),
        standard,
        nfts: (56..).zip(owners).map(nft).collect(),
        ..Collection::default()
    }
}
