//! All operations: their replies, and what they do on the ledger.

use sendoff_sandbox::State;

use crate::calls::{
    At, COLLECTION, ENTRY_POINT, Json, NOW, PIECES, READ, RECIPIENT, Service, TREASURY, USDC, USER,
    WALLET, client, code, mint, nft, parse, raw, read, request, text, tokens, transfer,
};

#[test]
fn every_operation_answers_as_its_description_says() {
    let mut service = Service::new("{}");
    let order = text(
        &service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("0.1")),
        "data.orderId",
    );
    let moved =
        text(&service.client("POST", "/api/v1/nft/transfer", &nft("56", "")), "data.order_id");
    let job = text(
        &service.client("POST", "/api/v1/rawtransaction/execute", &raw(WALLET, "0x100000")),
        "data.jobId",
    );
    let read_data = service.client("POST", "/api/v1/readContractData", READ);
    assert_eq!((read_data.status, text(&read_data, "data.0")), (200, "500000000".into()));
    assert_eq!(service.client("POST", "/api/oc/v1/estimate", &transfer(1)).status, 200);

    let made = service.server(
        "POST",
        "/s2s/api/v1/wallet",
        r#"{"network_name":"POLYGON","purpose":"token"}"#,
    );
    assert_eq!(text(&made, "data.purpose"), "TOKEN");
    let bulk = r#"{"network_name":"POLYGON","purpose":"nft","wallet_count":100,"num_request":20}"#;
    let many = read(&service.server("POST", "/s2s/api/v1/bulk-wallets", bulk));
    assert_eq!(many.at("data").and_then(Json::as_array).unwrap().len(), 100);
    let mint = mint(COLLECTION);
    let minted = text(&service.server("POST", "/s2s/api/v2/nft/mint", &mint), "data.bulk_order_id");
    let given = nft("58", &format!(r#","user_id":"{USER}""#));
    text(&service.server("POST", "/s2s/api/v2/nft/transfer", &given), "data.bulk_order_id");
    let path = format!("/s2s/api/v2/transfer/tokens/execute/{USER}");
    text(&service.server("POST", &path, &tokens("1")), "data.bulk_order_id");
    let status = service.server("POST", "/s2s/api/v1/readContractData", READ).status;
    assert_eq!(status, 200);
    let path = format!("/s2s/api/v1/rawtransaction/execute/{USER}");
    let raw_order = text(&service.server("POST", &path, &raw(WALLET, "0")), "data.order_id");

    service.now += 1_500;
    let history = service.client("GET", &format!("/api/v1/orders?order_id={order}"), "");
    assert_eq!((history.status, text(&history, "data.jobs.0.status")), (201, "RUNNING".into()));
    service.now += 3_500;
    for (target, path, expected) in [
        (
            format!("/api/v1/orders?order_id={order}&order_state=SUCCESS"),
            "data.jobs.0.status",
            "SUCCESS",
        ),
        (
            format!("/api/v1/nft/order_details?order_id={moved}&page=1&size=10"),
            "data.details.0.status",
            "SUCCESS",
        ),
        (format!("/api/v1/rawtransaction/status?order_id={job}"), "data.jobs.0.status", "SUCCESS"),
        ("/api/v1/portfolio".into(), "data.tokens.0.token_name", "POL"),
        ("/api/v1/portfolio/activity".into(), "data.activity.0.description", "Withdraw"),
        ("/api/v1/supported/networks".into(), "data.network.0.chain_id", "137"),
        ("/api/v1/supported/tokens?page=2&size=1".into(), "data.tokens.0.token_name", "USDC"),
        ("/api/v1/wallet".into(), "data.wallets.0.address", WALLET),
        ("/api/oc/v1/wallets".into(), "data.0.caip_id", "eip155:137"),
        ("/api/v1/user_from_token".into(), "data.user_id", USER),
    ] {
        assert_eq!(text(&service.client("GET", &target, ""), path), expected, "{target}");
    }
    for (target, path, expected) in [
        (
            format!("/s2s/api/v2/bulk_order_details/{TREASURY}?bulk_order_id={minted}"),
            "data.executed.1.status",
            "SUCCESS",
        ),
        (
            format!("/s2s/api/v1/rawtransaction/status/{USER}?order_id={raw_order}"),
            "data.jobs.0.status",
            "SUCCESS",
        ),
        (format!("/s2s/api/v1/portfolio?user_id={USER}"), "data.group_tokens.1.balance", "498.9"),
        (format!("/s2s/api/v1/wallet?user_id={USER}"), "data.wallets.0.address", WALLET),
        (format!("/s2s/api/v1/supported/tokens?user_id={USER}"), "data.tokens.0.symbol", "POL"),
    ] {
        assert_eq!(text(&service.server("GET", &target, ""), path), expected, "{target}");
    }
    assert_eq!(service.client("POST", "/api/v1/wallet", "").status, 200);
    assert_eq!(service.client("GET", "/api/oc/v1/gas-values", "").status, 200);
    assert_eq!(service.balance(USDC, RECIPIENT), 1_100_000);
}

#[test]
fn the_limit_is_that_of_the_core() {
    let mut service = Service::new(r#"{"limits":{"limit":2,"windowMs":60000}}"#);
    service.client("GET", "/api/v1/portfolio", "");
    service.now += 1_000;
    for _ in 0..2 {
        assert_eq!(service.client("POST", "/api/v1/readContractData", READ).status, 200);
    }
    let refused = service.client("POST", "/api/v1/readContractData", READ);
    assert_eq!(
        (refused.status, refused.header("retry-after"), code(&refused)),
        (429, Some("59"), "ER-TECH-0100".into())
    );
    assert_eq!(service.client("GET", "/api/v1/portfolio", "").status, 201);
    // The application has one window: the calls of its server count too.
    assert_eq!(service.server("POST", "/s2s/api/v1/readContractData", READ).status, 429);
    service.now += 59_000;
    assert_eq!(service.client("POST", "/api/v1/readContractData", READ).status, 200);
}

#[test]
fn a_job_id_makes_one_order() {
    let mut service = Service::new("{}");
    let path = format!("/s2s/api/v1/rawtransaction/execute/{USER}");
    let send = |service: &mut Service, job: &str, value: &str| {
        let headers = [("x-api-key", "sandbox-server-key"), ("job-id", job)];
        service.send(&request("POST", &path, &headers, &raw(WALLET, value)))
    };
    let job = "5eced0d9-45ea-4954-b1d9-086a07ef9984";
    let first = text(&send(&mut service, job, "0x64"), "data.order_id");
    service.now += 60_000;
    assert_eq!(text(&send(&mut service, &job.to_uppercase(), "0x64"), "data.order_id"), first);
    assert_ne!(
        text(&send(&mut service, "6eced0d9-45ea-4954-b1d9-086a07ef9984", "0x64"), "data.order_id"),
        first
    );
    // The description says a UUID of version 4: these are of version 1, and of another variant.
    let others = ["5eced0d9-45ea-1954-b1d9-086a07ef9984", "5eced0d9-45ea-4954-1a6c-086a07ef9984"];
    for job in ["not a job"].into_iter().chain(others) {
        assert_eq!(send(&mut service, job, "0x64").status, 400, "{job}");
    }
}

#[test]
fn orders_fail_and_are_rejected() {
    let mut service = Service::new("{}");
    let all = text(
        &service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("500")),
        "data.orderId",
    );
    let more = text(
        &service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("1")),
        "data.orderId",
    );
    let foreign = text(
        &service.client("POST", "/api/v1/rawtransaction/execute", &raw(RECIPIENT, "0x1")),
        "data.jobId",
    );
    service.now += 5_000;
    for (order, expected) in [(all, "SUCCESS"), (more, "FAILED"), (foreign.clone(), "REJECTED")] {
        let reply = service.client("GET", &format!("/api/v1/orders?order_id={order}"), "");
        assert_eq!(text(&reply, "data.jobs.0.status"), expected);
        assert_eq!(text(&reply, "data.jobs.0.transaction_hash").is_empty(), expected == "REJECTED");
    }
    let status =
        service.client("GET", &format!("/api/v1/rawtransaction/status?order_id={foreign}"), "");
    assert_eq!(text(&status, "data.jobs.0.status"), "FAILURE");
    let failed = read(&service.client("GET", "/api/v1/orders?order_state=FAILED", ""));
    assert_eq!(failed.at("data.total").and_then(Json::as_u64), Some(2));
}

/// The fields of each row of a user's activity, with the page of a query.
fn activity(service: &mut Service, query: &str) -> Vec<String> {
    let target = format!("/api/v1/portfolio/activity{query}");
    let rows = read(&service.client("GET", &target, ""));
    let rows = rows.at("data.activity").and_then(Json::as_array).unwrap();
    let row = |row: &Json| {
        let text = |key| row.get(key).and_then(Json::as_str).unwrap();
        ["description", "order_type", "token_name", "network_name", "quantity"].map(text).join(" ")
    };
    rows.iter().map(row).collect()
}

#[test]
fn the_activity_shows_all_that_was_moved() {
    let mut service = Service::new("{}");
    service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("1.5"));
    service.now += 1_000;
    let operation = service.signed(&transfer(1));
    service.rpc("eth_sendUserOperation", &format!(r#"[{operation},"{ENTRY_POINT}"]"#));
    service.now += 1_000;
    service.client("POST", "/api/v1/nft/transfer", &nft("56", ""));
    service.now += 1_000;
    // A raw transaction that sends along and calls, and one that does neither.
    let call = format!("0xa9059cbb{:0>64}{:064x}", &RECIPIENT[2..], 7);
    let transfer = raw(WALLET, "0x5").replace("\"0x\"", &format!("\"{call}\""));
    let transfer = transfer.replacen(RECIPIENT, USDC, 1);
    service.client("POST", "/api/v1/rawtransaction/execute", &transfer);
    service.client("POST", "/api/v1/rawtransaction/execute", &raw(WALLET, "0x0"));
    // It fails, and moves nothing.
    service.client("POST", "/api/v1/rawtransaction/execute", &raw(RECIPIENT, "0x1"));
    service.now += 1_000;
    let given = nft("57", &format!(r#","user_id":"{TREASURY}""#)).replace(RECIPIENT, WALLET);
    service.server("POST", "/s2s/api/v2/nft/transfer", &given);
    let path = format!("/s2s/api/v2/transfer/tokens/execute/{TREASURY}");
    service.server("POST", &path, &tokens("2").replace(RECIPIENT, WALLET));
    service.now += 5_000;

    let expected = [
        "Deposit EXTERNAL_TRANSFER USDC POLYGON 2000000",
        "NFT Deposit EXTERNAL_TRANSFER super orchestrators POLYGON 1",
        "Withdraw EXTERNAL_WITHDRAWAL POL POLYGON 0",
        "Withdraw EXTERNAL_WITHDRAWAL POL POLYGON 5",
        "Withdraw EXTERNAL_WITHDRAWAL USDC POLYGON 7",
        "NFT Withdraw EXTERNAL_WITHDRAWAL super orchestrators POLYGON 1",
        "Withdraw EXTERNAL_WITHDRAWAL USDC POLYGON 1500000",
        "Withdraw EXTERNAL_WITHDRAWAL USDC POLYGON 1000000",
    ];
    assert_eq!(activity(&mut service, ""), expected);
    assert_eq!(activity(&mut service, "?offset=6&limit=1"), expected[6..7]);
    let rows = service.client("GET", "/api/v1/portfolio/activity", "");
    let orders = service.client("GET", "/api/oc/v1/orders", "");
    assert_eq!(
        text(&rows, "data.activity.7.tx_hash"),
        text(&orders, "data.items.0.downstream_transaction_hash.0")
    );
}

/// The state and the reason of an order, in a saved state.
fn ended(service: &Service, id: &str) -> [String; 2] {
    let state = parse(&service.state.to_string()).unwrap();
    let orders = state.at("orders").and_then(Json::as_array).unwrap();
    let is_it = |order: &&Json| order.get("id").and_then(Json::as_str) == Some(id);
    let order = orders.iter().find(is_it).unwrap();
    ["status", "reason"].map(|key| order.get(key).and_then(Json::as_str).unwrap().into())
}

#[test]
fn a_raw_transaction_ends_with_its_reason() {
    let mut service = Service::new("{}");
    let call = |data: &str, to: &str| {
        raw(WALLET, "0x0").replace("\"0x\"", &format!("\"{data}\"")).replace(RECIPIENT, to)
    };
    let words =
        |words: &[&str]| words.iter().map(|word| format!("{word:0>64}")).collect::<String>();
    let (me, you) = (&WALLET[2..], &RECIPIENT[2..]);
    let moved = words(&[me, you, "38"]);
    let pieces = words(&[me, you, "38", "ff", "a0", "0"]);
    let creation = raw(WALLET, "0x0").replace(&format!(r#""to":"{RECIPIENT}","#), "");
    for (body, status, reason) in [
        (raw(RECIPIENT, "0x1"), "REJECTED", "the sender is not the user's wallet"),
        // The chain fails a transfer of the native token without a reason.
        (raw(WALLET, "0xffffffffffffffffffff"), "FAILED", ""),
        (creation, "REJECTED", "the pocket service creates no contracts"),
        (
            call(&format!("0xa9059cbb{}", words(&[you, "ffffffffff"])), USDC),
            "FAILED",
            "ERC20: transfer amount exceeds balance",
        ),
        (
            call(&format!("0xa457c2d7{}", words(&[you, "1"])), USDC),
            "FAILED",
            "ERC20: decreased allowance below zero",
        ),
        (
            call(&format!("0xf242432a{pieces}"), PIECES),
            "FAILED",
            "ERC1155: insufficient balance for transfer",
        ),
        (
            call(&format!("0xf242432a{}", pieces.replace(me, &USDC[2..])), PIECES),
            "FAILED",
            "ERC1155: caller is not token owner or approved",
        ),
        (
            call(&format!("0x42842e0e{}", moved.replace("38", "39")), COLLECTION),
            "FAILED",
            "ERC721: caller is not token owner or approved",
        ),
        (
            call(&format!("0x42842e0e{}", moved.replace("38", "ff")), COLLECTION),
            "FAILED",
            "ERC721: invalid token ID",
        ),
        // A function of the other standard.
        (
            call(&format!("0xf242432a{pieces}"), COLLECTION),
            "REJECTED",
            "the pocket service has no contract 0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5 with the function safeTransferFrom(address,address,uint256,uint256,bytes)",
        ),
        (call(&format!("0x42842e0e{moved}"), COLLECTION), "SUCCESS", ""),
    ] {
        let reply = service.client("POST", "/api/v1/rawtransaction/execute", &body);
        let id = text(&reply, "data.jobId");
        service.now += 5_000;
        service.client("GET", "/api/v1/orders", "");
        assert_eq!(ended(&service, &id), [status, reason], "{body}");
    }
}

#[test]
fn switches_change_what_descriptions_contradict() {
    let options = r#"{"switches":{"ids":"order_id","rawFailure":"FAILED","portfolio":"aggregated","nftOrders":"nfts","nftHash":"tx_hash",
        "dates":"rfc3339","errorStatus":"failure","successStatus":"200","networks":"all","value":"decimal","pageSize":1}}"#;
    let mut state = State::start(options).unwrap();
    let mut send = |method: &str, target: &str, body: &str, now: i64| {
        sendoff_sandbox::answer(&mut state, &client(method, target, body), NOW + now)
    };
    let order = send("POST", "/api/v1/transfer/tokens/execute", &tokens("1"), 0);
    assert_eq!(order.status, 200);
    text(&order, "data.order_id");
    let moved = text(&send("POST", "/api/v1/nft/transfer", &nft("56", ""), 0), "data.order_id");
    assert_eq!(send("POST", "/api/v1/rawtransaction/execute", &raw(WALLET, "0x1"), 0).status, 400);
    let foreign = text(
        &send("POST", "/api/v1/rawtransaction/execute", &raw(RECIPIENT, "1"), 0),
        "data.order_id",
    );
    let details = client("GET", &format!("/api/v1/nft/order_details?order_id={moved}"), "");
    let nfts = send("GET", &details.target, "", 9_000);
    for (key, expected) in [
        ("id", &*moved),
        ("nft_token_id", "56"),
        ("nft_name", "Orchestrator 56"),
        ("token_uri", "ipfs://sandbox/56"),
        ("type", "ERC721"),
        ("collection_name", "super orchestrators"),
    ] {
        assert_eq!(text(&nfts, &format!("data.nfts.0.{key}")), expected, "{key}");
    }
    assert_eq!(nfts.status, 200);
    let orders = send("GET", "/api/v1/orders", "", 9_000);
    assert!(text(&orders, "data.jobs.0.created_at").contains('T'));
    assert!(read(&orders).at("data.jobs.1").is_none());
    let status =
        send("GET", &format!("/api/v1/rawtransaction/status?order_id={foreign}"), "", 9_000);
    assert_eq!(text(&status, "data.jobs.0.status"), "FAILED");
    text(&send("GET", "/api/v1/portfolio", "", 0), "data.aggregated_data.holdings_count");
    assert_eq!(
        read(&send("GET", "/api/v1/supported/networks", "", 0)).at("data.network.3.whitelisted"),
        Some(&Json::Bool(false))
    );
    assert_eq!(text(&send("GET", "/api/v1/orders?order_state=x", "", 0), "status"), "failure");
}

#[test]
fn the_hash_of_an_nft_order_has_two_names() {
    for (options, key) in
        [("{}", "transaction_hash"), (r#"{"switches":{"nftHash":"tx_hash"}}"#, "tx_hash")]
    {
        let mut service = Service::new(options);
        let moved =
            text(&service.client("POST", "/api/v1/nft/transfer", &nft("56", "")), "data.order_id");
        service.now += 5_000;
        let target = format!("/api/v1/nft/order_details?order_id={moved}");
        text(&service.client("GET", &target, ""), &format!("data.details.0.{key}"));
    }
}

#[test]
fn orders_below_a_dollar_fail_if_there_is_a_minimum() {
    for (options, quantity, expected) in [
        ("{}", "0.999999", "SUCCESS"),
        (r#"{"switches":{"minimum":"1 USD"}}"#, "0.999999", "FAILED"),
        (r#"{"switches":{"minimum":"1 USD"}}"#, "1", "SUCCESS"),
    ] {
        let mut service = Service::new(options);
        let order = text(
            &service.client("POST", "/api/v1/transfer/tokens/execute", &tokens(quantity)),
            "data.orderId",
        );
        service.now += 5_000;
        let reply = service.client("GET", &format!("/api/v1/orders?order_id={order}"), "");
        assert_eq!(text(&reply, "data.jobs.0.status"), expected, "{options} {quantity}");
        assert_eq!(service.balance(USDC, RECIPIENT) == 0, expected == "FAILED");
    }
}

#[test]
fn an_intent_below_a_dollar_fails_as_an_order_does() {
    for (options, amount, expected) in [
        ("{}", "999999", "SUCCESSFUL"),
        (r#"{"switches":{"minimum":"1 USD"}}"#, "999999", "FAILED_ON_CHAIN"),
        (r#"{"switches":{"minimum":"1 USD"}}"#, "1000000", "SUCCESSFUL"),
    ] {
        for path in ["/rpc", "/api/oc/v1/execute"] {
            let mut service = Service::new(options);
            let operation = service.signed(&transfer(1).replace("1000000", amount));
            if path == "/rpc" {
                service.rpc("eth_sendUserOperation", &format!(r#"[{operation},"{ENTRY_POINT}"]"#));
            } else {
                assert_eq!(service.client("POST", path, &operation).status, 200);
            }
            service.now += 2_000;
            let reply = service.client("GET", "/api/oc/v1/orders", "");
            assert_eq!(text(&reply, "data.items.0.status"), expected, "{options} {amount} {path}");
            assert_eq!(service.balance(USDC, RECIPIENT) == 0, expected == "FAILED_ON_CHAIN");
        }
    }
}
