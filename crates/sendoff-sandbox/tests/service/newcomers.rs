//! Who signs in: what a new user has, sends and receives, and how long.

use crate::calls::*;
use crate::random::{RENEW, TOKENS};

/// The network, the name and the quantity of each token that a caller has.
fn holdings(service: &mut Service, token: &str) -> Vec<String> {
    let reply = service.ask(&format!("GET /api/v1/portfolio\n{token}"), "", "201");
    let row =
        |row: &Json| ["network_name", "token_name", "quantity"].map(|key| row.text(key)).join(" ");
    reply.at("data.tokens").and_then(Json::as_array).unwrap().iter().map(row).collect()
}

fn nfts(service: &mut Service, token: &str, count: u64) {
    let head = format!("GET /api/oc/v1/portfolio/nft\n{token}");
    service.ask(&head, "", &format!("200 | data.count = {count}"));
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
    let [send, orders] =
        [SEND, "GET /api/v1/orders?order_id=<order>"].map(|head| format!("{head}\n{token}"));
    let body = |network: &str| changed(&changed(&tokens("0.1"), "POLYGON", network), USDC, "");
    for network in ["POLYGON", "BASE", "POLYGON_TESTNET_AMOY"] {
        let moved = "201 | job = SUCCESS | data.jobs.0.network_name = ";
        service.walk(&[
            [&*send, &body(network), "201 | data.orderId > <order>"],
            ["wait 5000", "", ""],
            [&orders, "", &format!("{moved}{network}")],
        ]);
    }
    // It is not enabled.
    service.ask(&send, &body("ETHEREUM"), "400");
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
}

/// Tokens that were received are in the history too.
#[test]
fn the_history_has_what_was_received() {
    let mut service = Service::new("{}");
    let token = service.login("somebody");
    let [wallet, orders, mine, sents] = [
        "wallet",
        "orders",
        "orders?order_id=<mine>&order_state=SUCCESS",
        "orders?order_id=<sent>",
    ]
    .map(|path| format!("GET /api/v1/{path}\n{token}"));
    let both = "201 | data.total = 2 | data.jobs.0.order_type = EXTERNAL_TRANSFER \
        | data.jobs.1.order_type = EXTERNAL_TRANSFER | job = SUCCESS \
        | data.jobs.1.order_id > <mine> | data.jobs.1.transaction_hash > <hash>";
    service.walk(&[
        [&*wallet, "", "201 | data.wallets.0.address > <new>"],
        [SEND, &changed(&tokens("1.5"), RECIPIENT, "<new>"), "201 | data.orderId > <sent>"],
        // Nothing has moved yet.
        [&orders, "", "201 | data.total = 0"],
        ["wait 5000", "", ""],
        [NFT, &changed(&nft("56", ""), RECIPIENT, "<new>"), "201"],
        ["wait 5000", "", ""],
        [&orders, "", both],
        // The order is the sender's, and the transaction that of both.
        [&sents, "", "404"],
        [&mine, "", "201 | data.jobs.0.transaction_hash = <hash>"],
        ["GET /api/v1/orders", "", "201 | data.jobs.1.transaction_hash = <hash>"],
    ]);
}

#[test]
fn a_token_ends_and_is_renewed_once() {
    let mut service = Service::new(r#"{"delays":{"token":60000}}"#);
    let portfolio = "GET /api/v1/portfolio\nauthorization: Bearer <token>";
    service.walk(&[
        ["POST /api/v2/authenticate", r#"{"id_token":"a person"}"#, TOKENS],
        [portfolio, "", "201"],
        ["wait 60000", "", ""],
        [portfolio, "", "401 | code = OAU_501"],
        [&RENEW.replace("<refresh>", "another"), "", "401"],
        [RENEW, "", "200 | data.auth_token > <next>"],
        [&portfolio.replace("<token>", "<next>"), "", "201"],
        // The old ones are of no use.
        [RENEW, "", "401"],
        [portfolio, "", "401 | code = ER-TECH-0007"],
    ]);
}

#[test]
fn a_sandbox_has_no_limit_by_default() {
    let mut service = Service::new("{}");
    for _ in 0..1_600 {
        service.ask("POST /api/v1/readContractData", READ, "200");
    }
}
