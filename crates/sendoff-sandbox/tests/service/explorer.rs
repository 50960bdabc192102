//! What a client of version 2 reads, by the paths of its public SDK. The suite of the SDKs themselves
//! (`tests/sdks`) calls the same paths, until its transfers end.

use crate::calls::{At, RECIPIENT, Service, changed, nft, request, tokens};

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
