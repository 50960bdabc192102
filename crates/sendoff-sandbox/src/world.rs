//! The first state.

use alloc::{string::String, vec::Vec};

use sendoff::error::{Error, IssueCode};
use sendoff::primitive_types::U256;
use sendoff::rate_limit::Policy;
use sendoff::user_op::EntryPoint;

use crate::Json;
use crate::draw;
use crate::ledger::{Collection, Ledger, Nft, Standard, Token, pair};
use crate::lie::Schedule;
use crate::map::Map;
use crate::misfit::Misfit;
use crate::profile::Switches;
use crate::record::{Record, Write};
use crate::state::{
    Delays, Deployment, FIRST_USER, Limits, MOST_GIVEN, NewUser, PROFILE, Permitted, Session,
    State, User, check_profile,
};
use crate::text::{cut, joined};
use crate::time;
use crate::units;

/// The token of the first user.
const TOKEN: &str = "sandbox-token";

/// The address of the first user's session key: the second key of every local test chain (`0x59c6…690d`), which everybody knows.
const SESSION_KEY: &str = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

/// The chains, tokens and collections. The addresses are those of the live chains, so that an application's own data fits.
const CATALOGUE: &str = r#"{
    "disable": "never",
    "chains": [
        { "caip2Id": "eip155:137", "name": "POLYGON", "net": "main", "enabled": true },
        { "caip2Id": "eip155:8453", "name": "BASE", "net": "main", "enabled": true },
        { "caip2Id": "eip155:80002", "name": "POLYGON_TESTNET_AMOY", "net": "test", "enabled": true },
        { "caip2Id": "eip155:1", "name": "ETHEREUM", "net": "main", "enabled": false }
    ],
    "tokens": [
        { "caip2Id": "eip155:137", "tokenAddress": "", "name": "POL", "whitelisted": true },
        { "caip2Id": "eip155:137", "tokenAddress": "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", "name": "USDC", "whitelisted": true },
        { "caip2Id": "eip155:137", "tokenAddress": "0xc2132d05d31c914a87c6611c10748aeb04b58e8f", "name": "USDT", "whitelisted": false },
        { "caip2Id": "eip155:8453", "tokenAddress": "", "name": "ETH", "whitelisted": true },
        { "caip2Id": "eip155:8453", "tokenAddress": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "name": "USDC", "whitelisted": true },
        { "caip2Id": "eip155:80002", "tokenAddress": "", "name": "POL", "whitelisted": true }
    ],
    "collections": [
        { "caip2Id": "eip155:137", "collectionAddress": "0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5", "whitelisted": true },
        { "caip2Id": "eip155:137", "collectionAddress": "0xfd95a6cdd2a93fd7e4c0ae4a1a5cd9d0b6f1f8aa", "whitelisted": true },
        { "caip2Id": "eip155:137", "collectionAddress": "0x2953399124f0cbb46d2cbacd8a89cf0599974963", "whitelisted": false }
    ]
}"#;

/// The options.
const KEYS: [&str; 11] = [
    "profile",
    "seed",
    "switches",
    "delays",
    "deployment",
    "catalogue",
    "limits",
    "lies",
    "newUser",
    "sessionKey",
    "ledger",
];

/// Where a saved state has what an option sets for its whole life; `None` for an option that is only where a state begins.
fn lasting(option: &str) -> Option<&str> {
    match option {
        "sessionKey" | "ledger" => None,
        "limits" => Some("limits.policy"),
        "lies" => Some("schedule"),
        _ => Some(option),
    }
}

/// The first option by which two states differ.
pub(crate) fn differing_option(one: &State, other: &State) -> Option<&'static str> {
    let [one, other] = [one, other].map(Write::write);
    KEYS.into_iter().find(|key| lasting(key).is_some_and(|path| one.at(path) != other.at(path)))
}

pub(crate) fn start(options: &str) -> Result<State, Misfit> {
    let options = Json::parse(options).ok_or_else(|| {
        Misfit::said(
            IssueCode::Syntax,
            &["expected the options as JSON, found text that is not JSON with each key once"],
        )
    })?;
    let Json::Object(fields) = &options else {
        return Err(Misfit::new("the options as an object", &options));
    };
    let mut whole = Ok(());
    for (key, _) in fields.iter().filter(|(key, _)| !KEYS.contains(&key.as_str())) {
        let found = cut(key);
        let said = ["expected the options ", &joined(&KEYS, ", "), ", found `", found, "`"];
        Misfit::join(&mut whole, Err(Misfit::said(IssueCode::Unknown, &said).within(found)));
    }

    let catalogue = match options.get("catalogue") {
        Some(given) => given.to_json(),
        None => CATALOGUE.into(),
    };
    let catalogue = catalogue.parse().map_err(|error| of_option("catalogue", error))?;
    let limits = match options.get("limits") {
        // A sandbox is more lenient than production, and how much is not shown.
        None | Some(Json::Null) => Limits(None),
        Some(policy) => {
            let policy: Policy =
                policy.to_json().parse().map_err(|error| of_option("limits", error))?;
            Limits(Some((policy, Map::default())))
        }
    };
    let schedule =
        options.get("lies").filter(|lies| **lies != Json::Null).map(Schedule::of).transpose()?;

    let mut state = State {
        profile: PROFILE.into(),
        seed: String::new(),
        drawn: 0,
        requests: 0,
        client_key: "sandbox-client-key".into(),
        server_key: "sandbox-server-key".into(),
        switches: Switches::default(),
        deployment: deployment(),
        delays: Delays { start: 1_000, end: 5_000, block: 2_000, token: 86_400_000 },
        catalogue: Permitted(catalogue),
        limits,
        schedule,
        new_user: Some(NewUser { tokens: 10, nfts: 1 }),
        users: Map::default(),
        sessions: Map::default(),
        ledger: Ledger { tokens: Vec::new(), collections: Vec::new() },
        orders: Vec::new(),
        open: Vec::new(),
        jobs: Map::default(),
        operations: Vec::new(),
        nonces: Map::default(),
        blocks: 0,
    };
    let mut key = String::from(SESSION_KEY);
    let parts: [(&str, &mut dyn Record); 7] = [
        ("profile", &mut state.profile),
        ("seed", &mut state.seed),
        ("switches", &mut state.switches),
        ("deployment", &mut state.deployment),
        ("delays", &mut state.delays),
        ("newUser", &mut state.new_user),
        ("sessionKey", &mut key),
    ];
    for (name, part) in parts {
        Misfit::join(&mut whole, merge(part, &options, name));
    }
    whole?;
    check_profile(&state.profile)?;
    if options.at("delays.start").is_none() {
        state.delays.start = state.delays.start.min(state.delays.end);
    }
    let key = key.parse().map_err(|error| of_option("sessionKey", error))?;
    people(&mut state, crate::contract::lower(&key));
    state.ledger = ledger(&state);
    if let Some(given) = options.get("ledger") {
        state.ledger.read(given).map_err(|misfit| misfit.within("ledger"))?;
    }
    check(&state)?;
    Ok(state)
}

/// Refuses a state that nothing can follow.
pub(crate) fn check(state: &State) -> Result<(), Misfit> {
    let entry_point = state.entry_point().to_json().parse::<EntryPoint>();
    entry_point.map_err(|error| of_option("deployment", error))?;
    let mut known = Vec::new();
    for (at, token) in state.ledger.tokens.iter().enumerate() {
        check_contract(state, &mut known, "ledger.tokens", at, &token.caip2_id, &token.address)?;
    }
    for (at, other) in state.ledger.collections.iter().enumerate() {
        // No collection is a native token.
        known.push(pair(&other.caip2_id, ""));
        let [chain, address] = [&other.caip2_id, &other.address];
        check_contract(state, &mut known, "ledger.collections", at, chain, address)?;
    }
    let (size, delays) = (state.switches.page_size, &state.delays);
    let given = state.new_user.as_ref().map_or(0, |gift| gift.nfts);
    let (path, expected, found) = if size == 0 {
        ("switches.pageSize", "an integer from 1", size)
    } else if given > MOST_GIVEN {
        ("newUser.nfts", "an integer from 0 to 10", given)
    } else if delays.start > delays.end {
        ("delays.start", "at most `delays.end`", delays.start)
    } else {
        return Ok(());
    };
    Err(Misfit::new(expected, &found.into()).within(path))
}

/// Refuses a contract of an unknown chain, and one that is there twice.
fn check_contract(
    state: &State,
    known: &mut Vec<String>,
    list: &str,
    at: usize,
    chain: &str,
    address: &str,
) -> Result<(), Misfit> {
    let contract = pair(chain, address);
    let (key, expected, found) = if !state
        .catalogue
        .0
        .known_chains()
        .iter()
        .any(|known| String::from(&known.caip2_id) == chain)
    {
        ("caip2Id", "a chain of the catalogue", chain)
    } else if known.contains(&contract) {
        ("address", "an address of its own", address)
    } else {
        known.push(contract);
        return Ok(());
    };
    let misfit = Misfit::new(expected, &found.into()).within(key);
    Err(misfit.within(&Json::from(at).to_json()).within(list))
}

/// The problems of a document in the options.
fn of_option(name: &str, error: Error) -> Misfit {
    Misfit::from(error).within(name)
}

/// Gives a default what the options have: the value, or its keys.
fn merge(value: &mut dyn Record, options: &Json, name: &str) -> Result<(), Misfit> {
    let Some(given) = options.get(name) else { return Ok(()) };
    let mut json = value.write();
    match (&mut json, given) {
        (Json::Object(_), Json::Object(fields)) => {
            fields.iter().for_each(|(key, given)| json.set(key, given.clone()));
        }
        _ => json = given.clone(),
    }
    value.read(&json).map_err(|misfit| misfit.within(name))
}

/// The sandbox deployment of the live service's public SDK.
fn deployment() -> Deployment {
    Deployment {
        entry_point: "0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da".into(),
        chain_id: 1_802_466_136,
        version: "0.7".into(),
        gas_fee_order: "maxFirst".into(),
        job_manager: "0x0543aD80b41C5f5956d34503668CDb965deCB617".into(),
        paymaster: "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3".into(),
        client_swa: "0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA".into(),
        gsn_enabled: false,
        sponsorship_enabled: false,
        grant_signer: String::new(),
        deposit: U256::from(100_000_000_000_000_000_000_u128),
        base_fee: 1_000_000.into(),
    }
}

/// The first user, who has a session, and the treasury wallet.
fn people(state: &mut State, session_key: String) {
    let user = User {
        id: FIRST_USER.into(),
        wallet: "0xdca7f8e25091b927db769337d7efdedbf772bb9a".into(),
        swa: "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906".into(),
        session_key,
        has_wallets: true,
        is_treasury: false,
        created: 0,
    };
    let treasury = User {
        id: "4980be95-7c53-4f50-a401-b2f9de36353e".into(),
        wallet: draw::address(draw::draw(&state.seed, "treasury", 0)),
        swa: draw::address(draw::draw(&state.seed, "treasury", 1)),
        session_key: String::new(),
        has_wallets: true,
        is_treasury: true,
        created: 0,
    };
    let session = Session {
        user: user.id.clone(),
        refresh: "sandbox-refresh-token".into(),
        device: "sandbox-device-token".into(),
        expires: time::NEVER,
    };
    state.sessions.insert(TOKEN.into(), session);
    for user in [user, treasury] {
        state.users.insert(user.id.clone(), user);
    }
}

/// What the two have, and a stranger, so that a total supply is more than that.
fn ledger(state: &State) -> Ledger {
    let holders: Vec<&str> = state.users.values().map(|user| user.wallet.as_str()).collect();
    let stranger = draw::address(draw::draw(&state.seed, "stranger", 0));
    let token = |known: &sendoff::catalogue::KnownToken| {
        let address =
            known.token_address.contract().map(crate::contract::lower).unwrap_or_default();
        let name = String::from(&known.name);
        let (decimals, amount, price) = match name.as_str() {
            "USDC" | "USDT" => (6, "500", "83.5"),
            "ETH" => (18, "0.5", "290000"),
            _ => (18, "100", "42.1"),
        };
        let amount = units::read(amount, decimals).unwrap_or_default();
        let mut balances = Map::default();
        for holder in &holders {
            balances.insert(String::from(*holder), amount);
        }
        balances.insert(stranger.clone(), amount.saturating_mul(1_000.into()));
        Token {
            caip2_id: String::from(&known.caip2_id),
            address,
            symbol: name.clone(),
            name,
            decimals,
            price: price.into(),
            balances,
            allowances: Map::default(),
        }
    };
    let collection = |(at, known): (usize, &sendoff::catalogue::KnownCollection)| {
        let standard = if at == 1 { Standard::Erc1155 } else { Standard::Erc721 };
        let pieces = if standard == Standard::Erc1155 { U256::from(25) } else { U256::one() };
        let first = 56_usize;
        // The first user has 56 and 58, the treasury 57.
        let owners = holders.iter().rev().chain(holders.iter().rev().take(1));
        let mut nfts = Map::default();
        for (index, owner) in owners.enumerate() {
            let id = Json::from(first.saturating_add(index)).to_json();
            let mut nft = Nft {
                name: ["Orchestrator ", &id].concat().into(),
                description: "An NFT of the pocket service".into(),
                uri: ["ipfs://sandbox/", &id].concat().into(),
                ..Nft::default()
            };
            nft.owners.insert(String::from(*owner), pieces);
            nfts.insert(id, nft);
        }
        Collection {
            caip2_id: String::from(&known.caip2_id),
            address: crate::contract::lower(&known.collection_address),
            name: if at == 1 { "super avengers" } else { "super orchestrators" }.into(),
            symbol: "SUPER".into(),
            standard,
            nfts,
            operators: Vec::new(),
        }
    };
    let catalogue = &state.catalogue.0;
    Ledger {
        tokens: catalogue.known_tokens().iter().map(token).collect(),
        collections: catalogue.known_collections().iter().enumerate().map(collection).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_has_every_option_that_lasts() {
        let options = r#"{"limits":{"limit":1,"windowMs":1000}}"#;
        let state = start(options).map(|state| state.write()).unwrap_or_default();
        for key in KEYS {
            let path = lasting(key);
            assert!(path.is_none_or(|path| state.at(path).is_some()), "{key}: {path:?}");
        }
    }
}
