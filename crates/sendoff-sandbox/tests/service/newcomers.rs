//! Who signs in: a new user has something, and one identity is the first user.

use sendoff_sandbox::State;

use crate::calls::{At, Json, Service, USDC, USER, WALLET, parse, read, request, text};

const KEY: [(&str, &str); 1] = [("x-api-key", "sandbox-client-key")];

/// The token of a login.
fn login(service: &mut Service, identity: &str) -> String {
    let body = format!(r#"{{"id_token":"{identity}"}}"#);
    let reply = service.send(&request("POST", "/api/v2/authenticate", &KEY, &body));
    format!("Bearer {}", text(&reply, "data.auth_token"))
}

fn holdings(service: &mut Service, bearer: &str) -> Vec<(String, String)> {
    let reply =
        service.send(&request("GET", "/api/v1/portfolio", &[("authorization", bearer)], ""));
    let rows = read(&reply);
    let rows = rows.at("data.tokens").and_then(Json::as_array).unwrap();
    let text = |row: &Json, key: &str| row.get(key).and_then(Json::as_str).unwrap().to_owned();
    rows.iter().map(|row| (text(row, "token_name"), text(row, "quantity"))).collect()
}

/// The network and the name of each token that the caller has.
fn tokens_of_networks(service: &mut Service, bearer: &str) -> Vec<String> {
    let reply =
        service.send(&request("GET", "/api/v1/portfolio", &[("authorization", bearer)], ""));
    let rows = read(&reply);
    let rows = rows.at("data.tokens").and_then(Json::as_array).unwrap();
    let text = |row: &Json, key: &str| row.get(key).and_then(Json::as_str).unwrap().to_owned();
    rows.iter()
        .map(|row| format!("{} {}", text(row, "network_name"), text(row, "token_name")))
        .collect()
}

fn nfts(service: &mut Service, bearer: &str) -> u64 {
    let reply =
        service.send(&request("GET", "/api/oc/v1/portfolio/nft", &[("authorization", bearer)], ""));
    read(&reply).at("data.count").and_then(Json::as_u64).unwrap()
}

#[test]
fn a_new_user_has_tokens_and_an_nft_of_each_collection() {
    let mut service = Service::new("{}");
    let bearer = login(&mut service, "somebody");
    let owned = holdings(&mut service, &bearer);
    assert_eq!(owned.len(), 5);
    assert!(owned.iter().all(|(_, quantity)| quantity == "10"), "{owned:?}");
    assert_eq!(nfts(&mut service, &bearer), 3);
    // Once.
    let bearer = login(&mut service, "somebody");
    assert_eq!(holdings(&mut service, &bearer), owned);
    assert_eq!(nfts(&mut service, &bearer), 3);
}

#[test]
fn the_portfolio_has_the_tokens_of_all_enabled_networks() {
    let mut service = Service::new("{}");
    let bearer = login(&mut service, "somebody");
    let all = ["POLYGON POL", "POLYGON USDC", "BASE ETH", "BASE USDC", "POLYGON_TESTNET_AMOY POL"];
    assert_eq!(tokens_of_networks(&mut service, &bearer), all);

    // The same wallet after BASE was disabled.
    let mut saved = parse(&service.state.to_string()).unwrap();
    saved.at_mut("catalogue.chains.1").unwrap().set("enabled", false.into());
    service.state = saved.to_string().parse().unwrap();
    let left = ["POLYGON POL", "POLYGON USDC", "POLYGON_TESTNET_AMOY POL"];
    assert_eq!(tokens_of_networks(&mut service, &bearer), left);
}

#[test]
fn one_request_moves_tokens_on_every_enabled_network() {
    let mut service = Service::new("{}");
    let bearer = login(&mut service, "somebody");
    let token = [("authorization", &*bearer)];
    for network in ["POLYGON", "BASE", "POLYGON_TESTNET_AMOY", "ETHEREUM"] {
        let body = crate::calls::tokens("0.1").replace("POLYGON", network).replace(USDC, "");
        let path = "/api/v1/transfer/tokens/execute";
        let reply = service.send(&request("POST", path, &token, &body));
        if network == "ETHEREUM" {
            assert_eq!(reply.status, 400, "it is not enabled: {}", reply.body);
            continue;
        }
        let order = text(&reply, "data.orderId");
        service.now += 5_000;
        let target = format!("/api/v1/orders?order_id={order}");
        let history = service.send(&request("GET", &target, &token, ""));
        let row = |key: &str| text(&history, &format!("data.jobs.0.{key}"));
        assert_eq!((row("status"), row("network_name")), ("SUCCESS".into(), network.into()));
    }
    let coins: Vec<_> = holdings(&mut service, &bearer);
    let coins = coins.iter().filter(|(name, _)| name != "USDC");
    assert_eq!(coins.map(|(_, left)| &**left).collect::<Vec<_>>(), ["9.9", "9.9", "9.9"]);
}

#[test]
fn what_a_new_user_has_is_an_option() {
    for (option, quantity, count) in [
        ("null", None, 0),
        (r#"{"tokens":0,"nfts":0}"#, None, 0),
        (r#"{"tokens":3}"#, Some("3"), 3),
        (r#"{"nfts":2}"#, Some("10"), 6),
    ] {
        let mut service = Service::new(&format!(r#"{{"newUser":{option}}}"#));
        let bearer = login(&mut service, "somebody");
        let owned = holdings(&mut service, &bearer);
        assert_eq!(owned.first().map(|(_, quantity)| &**quantity), quantity, "{option}");
        assert_eq!(nfts(&mut service, &bearer), count, "{option}");
    }
    for (option, path) in [
        ("7", "newUser: "),
        (r#"{"tokens":"1"}"#, "newUser.tokens: "),
        (r#"{"nfts":11}"#, "newUser.nfts: expected an integer from 0 to 10, found `11`"),
        (r#"{"coins":1}"#, "newUser.coins: "),
    ] {
        let error = State::start(&format!(r#"{{"newUser":{option}}}"#)).unwrap_err().to_string();
        assert!(error.contains(path), "{option}: {error}");
    }
}

#[test]
fn the_identity_first_is_the_first_user() {
    let mut service = Service::new("{}");
    let bearer = login(&mut service, "first");
    let user =
        service.send(&request("GET", "/api/v1/user_from_token", &[("authorization", &bearer)], ""));
    assert_eq!((user.status, text(&user, "data.user_id")), (200, USER.into()));

    let body = r#"{"user_id":"first","auth_token":"t"}"#;
    let reply = service.send(&request("POST", "/api/v1/jwt-authenticate", &KEY, body));
    let bearer = format!("Bearer {}", text(&reply, "data.auth_token"));
    let wallets =
        service.send(&request("GET", "/api/v1/wallet", &[("authorization", &bearer)], ""));
    assert_eq!(text(&wallets, "data.wallets.0.address"), WALLET);

    let key = format!("0x04{}", "7f".repeat(64));
    let body = format!(
        r#"{{"authData":{{"idToken":"first","provider":"google"}},"sessionData":{{"sessionPk":"{key}"}}}}"#
    );
    let reply = service.send(&request("POST", "/api/oc/v1/authenticate", &[], &body));
    assert_eq!(text(&reply, "data.userSWA"), "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906");
}

#[test]
fn calls_of_clients_and_servers_count_together() {
    let mut service = Service::new(r#"{"limits":{"limit":2,"windowMs":60000}}"#);
    let wallet = r#"{"network_name":"POLYGON","purpose":"token"}"#;
    let transfer = crate::calls::tokens("0.1");
    assert_eq!(service.server("POST", "/s2s/api/v1/wallet", wallet).status, 201);
    assert_eq!(service.client("POST", "/api/v1/transfer/tokens/execute", &transfer).status, 201);
    assert_eq!(service.client("POST", "/api/v1/transfer/tokens/execute", &transfer).status, 429);
    assert_eq!(service.server("POST", "/s2s/api/v1/wallet", wallet).status, 429);
}

#[test]
fn a_sandbox_has_no_limit_by_default() {
    let mut service = Service::new("{}");
    for _ in 0..1_600 {
        let reply = service.client("POST", "/api/v1/readContractData", crate::calls::READ);
        assert_eq!(reply.status, 200);
    }
}
