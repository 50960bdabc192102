//! What a client of version 2 reads, by the paths of its public SDK. The suite of the SDKs themselves
//! (`tests/sdks`) calls the same paths, until its transfers end.

use crate::calls::{At, RECIPIENT, Service, USDC, USER, changed, nft, request, tokens};

#[rustfmt::skip]
#[test]
fn every_read_of_the_public_sdk_is_answered() {
    let mut service = Service::new("{}");
    let swa = "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906";
    for (path, expected) in [
        ("user-keys", format!("userSWA = {swa} | data.userId = {USER}")),
        ("verify-session", format!("user_swa = {swa}")),
        // Networks that are not enabled are in the list, as recorded.
        ("supported/networks", "network.0.caip_id = eip155:137 | data.network.3.whitelisted = false".into()),
        ("supported/tokens", format!("tokens.1.address = {USDC} | data.tokens.1.decimals = 6")),
        ("aggregated-portfolio", format!("group_tokens.1.balance = 500 | data.group_tokens.1.tokens.0.token_address = {USDC}" )),
        ("aggregated-portfolio", "aggregated_data.holdings_count = 5".into()),
        ("portfolio/nft", "details.0.nft_id = 56 | data.details.0.quantity = 1.000000000000000000".into()),
    ] {
        service.ask(&format!("GET /api/oc/v1/{path}"), "", &format!("200 | data.{expected}"));
    }
}

#[test]
fn the_history_has_what_was_received() {
    let mut service = Service::new("{}");
    let token = service.login("somebody");
    let ask = |service: &mut Service, path: &str, expected: &str| {
        service.hear(&request("GET", path, &[("authorization", &token)], ""), expected)
    };
    let wallet = ask(&mut service, "/api/v1/wallet", "201").text("data.wallets.0.address");

    let send = changed(&tokens("1.5"), RECIPIENT, &wallet);
    let sent = service.ask("POST /api/v1/transfer/tokens/execute", &send, "201");
    // Nothing has moved yet.
    ask(&mut service, "/api/v1/orders", "201 | data.total = 0");
    service.now += 5_000;
    let send = changed(&nft("56", ""), RECIPIENT, &wallet);
    service.ask("POST /api/v1/nft/transfer", &send, "201");
    service.now += 5_000;

    let reply = ask(&mut service, "/api/v1/orders", "201 | data.total = 2");
    let row = |at: usize, key: &str| reply.text(&format!("data.jobs.{at}.{key}"));
    for at in 0..2 {
        assert_eq!([row(at, "order_type"), row(at, "status")], ["EXTERNAL_TRANSFER", "SUCCESS"]);
        assert_ne!(row(at, "order_id"), sent.text("data.orderId"));
    }
    assert!(row(0, "created_at") > row(1, "created_at"));
    // By its id and its state, with the transaction of the sender's order.
    let expected = format!("201 | data.jobs.0.transaction_hash = {}", row(1, "transaction_hash"));
    let target = format!("/api/v1/orders?order_id={}&order_state=SUCCESS", row(1, "order_id"));
    ask(&mut service, &target, &expected);
    service.ask("GET /api/v1/orders", "", &expected.replace("jobs.0", "jobs.1"));
}

#[test]
fn what_it_does_not_have_is_refused_by_name() {
    let mut service = Service::new("{}");
    for (path, why) in [
        ("/api/oc/v1/signMessage", "signs no messages"),
        ("/api/oc/v1/authenticate/email", "sign in by an id token"),
        ("/api/oc/v1/authenticate/whatsapp/verify", "sign in by an id token"),
        ("/api/v1/authenticate/email", "sign in by an id token"),
        ("/api/oc/v1/estimate-userop", "eth_estimateUserOperationGas"),
    ] {
        service.ask(&format!("POST {path}"), "{}", &format!("501 | said ~ {why}"));
    }
    service.ask("POST /api/oc/v1/authenticates", "{}", "404");
}
