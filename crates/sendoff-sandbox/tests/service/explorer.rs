//! What a client of version 2 reads, by the paths of its public SDK.

use crate::calls::{
    At, Json, RECIPIENT, Service, USDC, USER, code, nft, read, request, text, tokens,
};

#[test]
fn every_read_of_the_public_sdk_is_answered() {
    let mut service = Service::new("{}");
    for (path, at, expected) in [
        ("user-keys", "data.userSWA", "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906"),
        ("user-keys", "data.userId", USER),
        ("verify-session", "data.user_swa", "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906"),
        ("supported/networks", "data.network.0.caip_id", "eip155:137"),
        ("supported/tokens", "data.tokens.1.address", USDC),
        ("supported/tokens", "data.tokens.1.decimals", "6"),
        ("aggregated-portfolio", "data.group_tokens.1.balance", "500"),
        ("aggregated-portfolio", "data.group_tokens.1.tokens.0.token_address", USDC),
        ("aggregated-portfolio", "data.aggregated_data.holdings_count", "5"),
        ("portfolio/nft", "data.details.0.nft_id", "56"),
        ("portfolio/nft", "data.details.0.quantity", "1.000000000000000000"),
    ] {
        let reply = service.client("GET", &format!("/api/oc/v1/{path}"), "");
        assert_eq!((reply.status, &*text(&reply, at)), (200, expected), "{path} {at}");
    }
    // Networks that are not enabled are in the list, as recorded.
    let networks = read(&service.client("GET", "/api/oc/v1/supported/networks", ""));
    assert_eq!(networks.at("data.network.3.whitelisted"), Some(&Json::Bool(false)));
}

#[test]
fn a_contract_is_read_by_the_name_of_its_chain() {
    let mut service = Service::new("{}");
    let body = |key: &str, chain: &str| {
        format!(
            r#"{{"{key}":"{chain}","data":{{"contractAddress":"{USDC}","abi":{{"inputs":[],"name":"decimals"}},"args":{{}}}}}}"#
        )
    };
    for key in ["caip2Id", "caip2id"] {
        let reply = service.client("POST", "/api/oc/v1/readContractData", &body(key, "eip155:137"));
        assert_eq!((reply.status, text(&reply, "data.0")), (200, "6".into()), "{key}");
    }
    let reply = service.client("POST", "/api/oc/v1/readContractData", &body("caip2Id", "x:1"));
    assert_eq!((reply.status, code(&reply)), (400, "ER-TECH-0004".into()));
    assert_eq!(service.client("POST", "/api/oc/v1/readContractData", "{}").status, 400);
}

#[test]
fn the_wallets_of_the_widget_are_those_of_the_user() {
    let mut service = Service::new("{}");
    let [widget, own] =
        ["/api/v1/widget/wallet", "/api/v1/wallet"].map(|path| service.client("GET", path, ""));
    assert_eq!((widget.status, widget.body), (201, own.body));
}

#[test]
fn activity_is_what_moved() {
    let mut service = Service::new("{}");
    service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("1.5"));
    service.client("POST", "/api/v1/nft/transfer", &nft("56", ""));
    service.now += 5_000;
    let reply = service.client("GET", "/api/oc/v1/portfolio/activity?page=1&size=10", "");
    let row = |at: usize, key: &str| text(&reply, &format!("data.activity.{at}.{key}"));
    assert_eq!(row(0, "description"), "NFT Withdraw");
    assert_eq!((row(1, "description"), row(1, "amount")), ("Withdraw".into(), "1.5".into()));
    assert_eq!(row(1, "transfer_type"), "WITHDRAWAL");
}

#[test]
fn the_history_has_what_was_received() {
    let mut service = Service::new("{}");
    let login = r#"{"id_token":"somebody"}"#;
    let key = [("x-api-key", "sandbox-client-key")];
    let login = service.send(&request("POST", "/api/v2/authenticate", &key, login));
    let bearer = format!("Bearer {}", text(&login, "data.auth_token"));
    let token = [("authorization", &*bearer)];
    let ask = |service: &mut Service, path: &str| service.send(&request("GET", path, &token, ""));
    let wallet = text(&ask(&mut service, "/api/v1/wallet"), "data.wallets.0.address");

    let send = tokens("1.5").replace(RECIPIENT, &wallet);
    let sent =
        text(&service.client("POST", "/api/v1/transfer/tokens/execute", &send), "data.orderId");
    // Nothing has moved yet.
    assert_eq!(
        read(&ask(&mut service, "/api/v1/orders")).at("data.total").and_then(Json::as_u64),
        Some(0)
    );
    service.now += 5_000;
    let send = nft("56", "").replace(RECIPIENT, &wallet);
    service.client("POST", "/api/v1/nft/transfer", &send);
    service.now += 5_000;

    let reply = ask(&mut service, "/api/v1/orders");
    let row = |at: usize, key: &str| text(&reply, &format!("data.jobs.{at}.{key}"));
    assert_eq!(read(&reply).at("data.total").and_then(Json::as_u64), Some(2), "{}", reply.body);
    for at in 0..2 {
        assert_eq!(
            (row(at, "order_type"), row(at, "status")),
            ("EXTERNAL_TRANSFER".into(), "SUCCESS".into())
        );
        assert_ne!(row(at, "order_id"), sent);
    }
    assert!(row(0, "created_at") > row(1, "created_at"));
    // By its id, and by its state.
    let id = row(1, "order_id");
    let one = ask(&mut service, &format!("/api/v1/orders?order_id={id}&order_state=SUCCESS"));
    assert_eq!(text(&one, "data.jobs.0.transaction_hash"), row(1, "transaction_hash"));
    let sender = service.client("GET", "/api/v1/orders", "");
    assert_eq!(text(&sender, "data.jobs.1.transaction_hash"), row(1, "transaction_hash"));
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
        let reply = service.client("POST", path, "{}");
        assert_eq!(reply.status, 501, "{path}");
        assert!(text(&reply, "error.message").contains(why), "{}", reply.body);
    }
    assert_eq!(service.client("POST", "/api/oc/v1/authenticates", "{}").status, 404);
}
