//! Who signs in: a new user has something, and one identity is the first user.

use crate::calls::{At, Json, KEY, READ, Service, USDC, changed, request, tokens};
use crate::options::refused;

/// The network, the name and the quantity of each token that a caller has.
fn holdings(service: &mut Service, token: &str) -> Vec<String> {
    let portfolio = request("GET", "/api/v1/portfolio", &[("authorization", token)], "");
    let reply = service.hear(&portfolio, "201");
    let row =
        |row: &Json| ["network_name", "token_name", "quantity"].map(|key| row.text(key)).join(" ");
    reply.at("data.tokens").and_then(Json::as_array).unwrap().iter().map(row).collect()
}

fn nfts(service: &mut Service, token: &str, count: u64) {
    let nfts = request("GET", "/api/oc/v1/portfolio/nft", &[("authorization", token)], "");
    service.hear(&nfts, &format!("200 | data.count = {count}"));
}

const ALL: [&str; 5] = [
    "POLYGON POL 10",
    "POLYGON USDC 10",
    "BASE ETH 10",
    "BASE USDC 10",
    "POLYGON_TESTNET_AMOY POL 10",
];

#[test]
fn the_portfolio_has_the_tokens_of_all_enabled_networks() {
    let mut service = Service::new("{}");
    service.login("somebody");
    // What it has is given once.
    let token = service.login("somebody");
    assert_eq!(holdings(&mut service, &token), ALL);
    nfts(&mut service, &token, 3);

    // The same wallet after BASE was disabled.
    let mut saved = service.saved();
    saved.set("catalogue.chains.1.enabled", false.into());
    service.state = saved.to_string().parse().unwrap();
    assert_eq!(holdings(&mut service, &token), [ALL[0], ALL[1], ALL[4]]);
}

#[test]
fn one_request_moves_tokens_on_every_enabled_network() {
    let mut service = Service::new("{}");
    let token = service.login("somebody");
    let mut call = |method: &str, target: &str, body: &str, expected: &str| {
        service.now += 5_000;
        service.hear(&request(method, target, &[("authorization", &token)], body), expected)
    };
    for network in ["POLYGON", "BASE", "POLYGON_TESTNET_AMOY"] {
        let body = changed(&changed(&tokens("0.1"), "POLYGON", network), USDC, "");
        let order = call("POST", "/api/v1/transfer/tokens/execute", &body, "201");
        let target = format!("/api/v1/orders?order_id={}", order.text("data.orderId"));
        let expected =
            format!("201 | data.jobs.0.status = SUCCESS | data.jobs.0.network_name = {network}");
        call("GET", &target, "", &expected);
    }
    // It is not enabled.
    let other = changed(&tokens("0.1"), "POLYGON", "ETHEREUM");
    call("POST", "/api/v1/transfer/tokens/execute", &other, "400");
    let coins = holdings(&mut service, &token);
    let coins: Vec<_> = coins.iter().filter(|row| !row.contains("USDC")).collect();
    assert_eq!(coins, ["POLYGON POL 9.9", "BASE ETH 9.9", "POLYGON_TESTNET_AMOY POL 9.9"]);
}

#[test]
fn what_a_new_user_has_is_an_option() {
    for (option, first, count) in [
        ("null", None, 0),
        (r#"{"tokens":0,"nfts":0}"#, None, 0),
        (r#"{"tokens":3}"#, Some("POLYGON POL 3"), 3),
        (r#"{"nfts":2}"#, Some("POLYGON POL 10"), 6),
    ] {
        let mut service = Service::new(&format!(r#"{{"newUser":{option}}}"#));
        let token = service.login("somebody");
        assert_eq!(holdings(&mut service, &token).first().map(|row| &**row), first, "{option}");
        nfts(&mut service, &token, count);
    }
    for (option, expected) in [
        ("7", "newUser: "),
        (r#"{"tokens":"1"}"#, "newUser.tokens: "),
        (r#"{"nfts":11}"#, "newUser.nfts: expected an integer from 0 to 10, found `11`"),
        (r#"{"coins":1}"#, "newUser.coins: "),
    ] {
        refused(&format!(r#"{{"newUser":{option}}}"#), expected);
    }
}

#[test]
fn a_token_ends_and_is_renewed_once() {
    let mut service = Service::new(r#"{"delays":{"token":60000}}"#);
    let body = r#"{"id_token":"a person"}"#;
    let login = service.hear(&request("POST", "/api/v2/authenticate", &[KEY], body), "200");
    let token = |key: &str| format!("Bearer {}", login.text(&format!("data.{key}")));
    let (old, refresh) = (token("auth_token"), token("refresh_auth_token"));
    let device = login.text("data.device_token");
    let portfolio =
        |token: &str| request("GET", "/api/v1/portfolio", &[("authorization", token)], "");
    service.hear(&portfolio(&old), "201");
    service.now += 60_000;
    service.hear(&portfolio(&old), "401 | code = OAU_501");

    let renew = |refresh: &str| {
        let headers = [
            ("authorization", &*old),
            ("x-refresh-authorization", refresh),
            ("x-device-token", &device),
        ];
        request("POST", "/api/v1/refresh_token", &headers, "{}")
    };
    service.hear(&renew("Bearer another"), "401");
    let renewed = service.hear(&renew(&refresh), "200");
    service.hear(&portfolio(&format!("Bearer {}", renewed.text("data.auth_token"))), "201");
    // The old ones are of no use.
    service.hear(&renew(&refresh), "401");
    service.hear(&portfolio(&old), "401 | code = ER-TECH-0007");
}

#[test]
fn a_sandbox_has_no_limit_by_default() {
    let mut service = Service::new("{}");
    for _ in 0..1_600 {
        service.ask("POST /api/v1/readContractData", READ, "200");
    }
}
