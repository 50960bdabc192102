//! The first state, and a saved one.

use std::{collections::BTreeMap, str::FromStr};

use sendoff::catalogue::{KnownCollection, KnownToken};
use sendoff::error::{Error, Issue, IssueCode};
use sendoff::primitive_types::U256;
use serde_json::{Value, json};

use crate::draw::{address, draw};
use crate::json::{self, cut};
use crate::ledger::{Collection, Ledger, Nft, Standard, Token};
use crate::lie;
use crate::number;
use crate::spelled::{lowered, pair};
use crate::state::{State, User};

/// The only profile.
const PROFILE: &str = "okto-v1";

/// The largest number of NFTs of a collection that a new user gets.
const MOST_GIVEN: u64 = 10;

/// The first state, without a ledger and a treasury wallet. The addresses are those of the live chains
/// and of the sandbox deployment in the live service's public SDK, so that an application's own data
/// fits. The session key is the second key of every local test chain (`0x59c6…690d`), which everybody
/// knows. A sandbox is more lenient than production, and how much is not shown, so it has no limits.
const FIRST: &str = include_str!("first.json");

/// The options, and where a state has each.
const OPTIONS: [(&str, &str); 11] = [
    ("profile", "profile"),
    ("seed", "seed"),
    ("switches", "switches"),
    ("delays", "delays"),
    ("deployment", "deployment"),
    ("catalogue", "catalogue"),
    ("limits", "limits/policy"),
    ("lies", "schedule"),
    ("newUser", "newUser"),
    ("sessionKey", "users/d6061eab-2da6-4d79-a225-71f995791e45/sessionKey"),
    ("ledger", "ledger"),
];

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
        let given = json::parse(options)
            .map_err(|error| problem("", format!("expected the options as JSON: {error}")))?;
        let Value::Object(given) = given else {
            let said = format!("expected the options as an object, found `{given}`");
            return Err(problem("", said));
        };
        if given
            .get("lies")
            .is_some_and(|lies| json::at(lies, "names").as_array().is_some_and(Vec::is_empty))
        {
            return Err(problem("lies.names", "expected the names of lies, found `[]`"));
        }
        let has_start =
            given.get("delays").is_some_and(|delays| !json::at(delays, "start").is_null());
        let has_ledger = given.contains_key("ledger");

        let mut whole = json::parse(FIRST).unwrap_or_default();
        for (key, value) in given {
            if key == "limits"
                && !value.is_null()
                && let Some(fields) = whole.as_object_mut()
            {
                fields.insert(key.clone(), json!({ "policy": null, "windows": {} }));
            }
            let place = OPTIONS.iter().find(|(option, _)| *option == key);
            let (_, place) = place.ok_or_else(|| unknown_option(&key))?;
            match (value, whole.pointer_mut(&format!("/{place}"))) {
                (Value::Object(value), Some(Value::Object(known)))
                    if PARTS.contains(&key.as_str()) =>
                {
                    known.extend(value);
                }
                (value, Some(known)) => *known = value,
                (_, None) => {}
            }
        }
        check_profile(json::at(&whole, "profile"))?;
        let mut state: Self = json::read(whole).map_err(of_option)?;
        if !has_start {
            state.delays.start = state.delays.start.min(state.delays.end);
        }
        let treasury = User {
            id: "4980be95-7c53-4f50-a401-b2f9de36353e".into(),
            wallet: address(draw(&state.seed, "treasury", 0)),
            swa: address(draw(&state.seed, "treasury", 1)),
            session_key: String::new(),
            has_wallets: true,
            is_treasury: true,
            created: 0,
        };
        state.users.insert(treasury.id.clone(), treasury);
        if !has_ledger {
            state.ledger = first_ledger(&state);
        }
        check(&state).map_err(of_option)?;
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
        let differs = |(option, place): &&(&str, &str)| {
            let [one, other] = [&one, &other].map(|state| state.pointer(&format!("/{place}")));
            !BEGINNINGS.contains(option) && one != other
        };
        OPTIONS.iter().find(differs).map(|(option, _)| *option)
    }
}

impl FromStr for State {
    type Err = Error;

    /// Reads a state that was written by this version.
    fn from_str(text: &str) -> Result<Self, Error> {
        let json = json::parse(text)
            .map_err(|error| problem("", format!("expected a saved state as JSON: {error}")))?;
        check_profile(json::at(&json, "profile"))?;
        let state: Self = json::read(json).map_err(|error| {
            changed(error, |issue| {
                issue.message =
                    format!("expected a saved state of this version: {}", issue.message);
            })
        })?;
        check(&state)?;
        // An order that is open is in its place.
        let is_open =
            |place: &usize| state.orders.get(*place).is_some_and(|order| !order.status.is_last());
        if !state.open.iter().all(is_open) {
            let said = "expected a whole state, found an open order elsewhere";
            return Err(problem("open", said));
        }
        Ok(state)
    }
}

fn problem(path: &str, said: impl Into<String>) -> Error {
    Issue::new(path.into(), IssueCode::Format, said.into()).into()
}

/// A problem of a state, at the option that it comes from.
fn of_option(error: Error) -> Error {
    changed(error, |issue| {
        let rest = |place: &str| issue.path.strip_prefix(&place.replace('/', "."));
        let mut options = OPTIONS.iter();
        let known = options.find_map(|(option, place)| Some([*option, rest(place)?].concat()));
        if let Some(known) = known {
            issue.path = known;
        }
    })
}

fn changed(error: Error, change: impl FnOnce(&mut Issue)) -> Error {
    let first = error.into_issues().into_iter().next();
    first.map_or_else(
        || problem("", ""),
        |mut issue| {
            change(&mut issue);
            issue.into()
        },
    )
}

fn unknown_option(key: &str) -> Error {
    let (known, key) = (OPTIONS.map(|(option, _)| option).join(", "), cut(key));
    problem(key, format!("expected the options {known}, found `{key}`"))
}

/// Refuses an unknown profile.
fn check_profile(profile: &Value) -> Result<(), Error> {
    if profile == PROFILE {
        return Ok(());
    }
    let found = profile.as_str().map_or_else(|| profile.to_string(), Into::into);
    let found = cut(&found);
    Err(problem("profile", format!("expected the profile `{PROFILE}`, found `{found}`")))
}

/// Refuses a state that nothing can follow.
fn check(state: &State) -> Result<(), Error> {
    if let Some(lies) = &state.schedule {
        if lies.every == 0 {
            return Err(problem("schedule.every", "expected an integer from 1, found `0`"));
        }
        if let Some(unknown) = lies.names.iter().find_map(|name| lie::find(name).err()) {
            return Err(problem("schedule.names", unknown));
        }
    }
    let mut known = Vec::new();
    for (at, token) in state.ledger.tokens.iter().enumerate() {
        let path = format!("ledger.tokens.{at}");
        check_contract(state, &mut known, &path, &token.caip2_id, &token.address)?;
    }
    for (at, other) in state.ledger.collections.iter().enumerate() {
        // No collection is a native token.
        known.push(pair(&other.caip2_id, ""));
        let path = format!("ledger.collections.{at}");
        check_contract(state, &mut known, &path, &other.caip2_id, &other.address)?;
    }
    let delays = &state.delays;
    let given = state.new_user.as_ref().map_or(0, |gift| gift.nfts);
    if given > MOST_GIVEN {
        let said = format!("expected an integer from 0 to {MOST_GIVEN}, found `{given}`");
        return Err(problem("newUser.nfts", said));
    }
    if delays.start > delays.end {
        let said = format!("expected at most `delays.end`, found `{}`", delays.start);
        return Err(problem("delays.start", said));
    }
    Ok(())
}

/// Refuses a contract of an unknown chain, and one that is there twice.
fn check_contract(
    state: &State,
    known: &mut Vec<String>,
    path: &str,
    chain: &str,
    address: &str,
) -> Result<(), Error> {
    let mut chains = state.catalogue.known_chains().iter();
    if !chains.any(|known| known.caip2_id.to_string() == chain) {
        let said = format!("expected a chain of the catalogue, found `{chain}`");
        return Err(problem(&format!("{path}.caip2Id"), said));
    }
    let contract = pair(chain, address);
    if known.contains(&contract) {
        let said = format!("expected an address of its own, found `{address}`");
        return Err(problem(&format!("{path}.address"), said));
    }
    known.push(contract);
    Ok(())
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
        holders.iter().map(|holder| (holder.clone(), amount)).collect();
    balances.insert(stranger.into(), amount.saturating_mul(1_000.into()));
    Token {
        caip2_id: known.caip2_id.to_string(),
        address: known.token_address.contract().map(lowered).unwrap_or_default(),
        symbol: name.clone(),
        name,
        decimals,
        price: price.into(),
        balances,
        allowances: BTreeMap::new(),
    }
}

/// A collection of the catalogue; the second is of ERC-1155. The first user has 56 and 58 of each,
/// the treasury 57.
fn collection(known: &KnownCollection, at: usize, holders: &[String]) -> Collection {
    let (standard, pieces, name) = match at {
        1 => (Standard::Erc1155, 25, "super avengers"),
        _ => (Standard::Erc721, 1, "super orchestrators"),
    };
    let owners = holders.iter().rev().chain(holders.iter().rev().take(1));
    let nft = |(id, owner): (u64, &String)| {
        let nft = Nft {
            name: format!("Orchestrator {id}"),
            description: "An NFT of the pocket service".into(),
            uri: format!("ipfs://sandbox/{id}"),
            owners: BTreeMap::from([(owner.clone(), U256::from(pieces))]),
            approved: String::new(),
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
        operators: Vec::new(),
    }
}
