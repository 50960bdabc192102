//! All operations: their replies, and what they do on the ledger.

use crate::calls::{
    At, COLLECTION, Json, PIECES, READ, RECIPIENT, Service, TREASURY, USDC, USER, WALLET, changed,
    client, mint, nft, raw, request, tokens, transfer,
};

const TOKENS: &str = "POST /api/v1/transfer/tokens/execute";
const NFT: &str = "POST /api/v1/nft/transfer";
const RAW: &str = "POST /api/v1/rawtransaction/execute";

#[test]
fn every_operation_answers_as_its_description_says() {
    let mut service = Service::new("{}");
    let order = service.ask(TOKENS, &tokens("0.1"), "201").text("data.orderId");
    let moved = service.ask(NFT, &nft("56", ""), "201").text("data.order_id");
    let job = service.ask(RAW, &raw(WALLET, "0x100000"), "201").text("data.jobId");
    service.ask("POST /api/v1/readContractData", READ, "200 | data.0 = 500000000");
    service.ask("POST /api/oc/v1/estimate", &transfer(1), "200");

    let one = r#"{"network_name":"POLYGON","purpose":"token"}"#;
    service.ask("POST /s2s/api/v1/wallet", one, "201 | data.purpose = TOKEN");
    let many = r#"{"network_name":"POLYGON","purpose":"nft","wallet_count":100,"num_request":20}"#;
    let many = service.ask("POST /s2s/api/v1/bulk-wallets", many, "201");
    assert_eq!(many.at("data").and_then(Json::as_array).unwrap().len(), 100);
    let minted = service.ask("POST /s2s/api/v2/nft/mint", &mint(COLLECTION), "201");
    let given = nft("58", &format!(r#","user_id":"{USER}""#));
    service.ask("POST /s2s/api/v2/nft/transfer", &given, "201 | data.bulk_order_id ~ -");
    let path = format!("POST /s2s/api/v2/transfer/tokens/execute/{USER}");
    service.ask(&path, &tokens("1"), "201 | data.bulk_order_id ~ -");
    service.ask("POST /s2s/api/v1/readContractData", READ, "200");
    let path = format!("POST /s2s/api/v1/rawtransaction/execute/{USER}");
    let raw_order = service.ask(&path, &raw(WALLET, "0"), "201").text("data.order_id");

    service.now += 1_500;
    let history = format!("GET /api/v1/orders?order_id={order}");
    service.ask(&history, "", "201 | data.jobs.0.status = RUNNING");
    service.now += 3_500;
    let minted = minted.text("data.bulk_order_id");
    let ids = [("<order>", order), ("<moved>", moved), ("<job>", job), ("<minted>", minted)];
    let ids = ids.into_iter().chain([("<raw>", raw_order), ("<user>", USER.into())]);
    let ids: Vec<_> = ids.collect();
    let filled = |target: &str| {
        ids.iter().fold(target.to_owned(), |target, (name, id)| target.replace(name, id))
    };
    let wallet = format!("wallets.0.address = {WALLET}");
    let minting = format!("/s2s/api/v2/bulk_order_details/{TREASURY}?bulk_order_id=<minted>");
    for (target, expected) in [
        ("/api/v1/orders?order_id=<order>&order_state=SUCCESS", "jobs.0.status = SUCCESS"),
        ("/api/v1/nft/order_details?order_id=<moved>&page=1&size=10", "details.0.status = SUCCESS"),
        ("/api/v1/rawtransaction/status?order_id=<job>", "jobs.0.status = SUCCESS"),
        ("/api/v1/portfolio", "tokens.0.token_name = POL"),
        ("/api/v1/portfolio/activity", "activity.0.description = Withdraw"),
        ("/api/v1/supported/networks", "network.0.chain_id = 137"),
        ("/api/v1/supported/tokens?page=2&size=1", "tokens.0.token_name = USDC"),
        ("/api/v1/wallet", &wallet),
        ("/api/v1/widget/wallet", &wallet),
        (&minting, "executed.1.status = SUCCESS"),
        ("/s2s/api/v1/rawtransaction/status/<user>?order_id=<raw>", "jobs.0.status = SUCCESS"),
        ("/s2s/api/v1/portfolio?user_id=<user>", "group_tokens.1.balance = 498.9"),
        ("/s2s/api/v1/wallet?user_id=<user>", &wallet),
        ("/s2s/api/v1/supported/tokens?user_id=<user>", "tokens.0.symbol = POL"),
    ] {
        service.ask(&format!("GET {}", filled(target)), "", &format!("201 | data.{expected}"));
    }
    service.ask("GET /api/v1/user_from_token", "", &format!("200 | data.user_id = {USER}"));
    service.ask("GET /api/oc/v1/wallets", "", "200 | data.0.caip_id = eip155:137");
    service.ask("POST /api/v1/wallet", "", "200");
    service.ask("GET /api/oc/v1/gas-values", "", "200");
    assert_eq!(service.balance(USDC, RECIPIENT), 1_100_000);
}

#[test]
fn the_limit_is_that_of_the_core() {
    let mut service = Service::new(r#"{"limits":{"limit":2,"windowMs":60000}}"#);
    let read = "POST /api/v1/readContractData";
    service.ask("GET /api/v1/portfolio", "", "201");
    service.now += 1_000;
    service.ask(read, READ, "200");
    // The application has one window: the calls of its server count too.
    service.ask("POST /s2s/api/v1/readContractData", READ, "200");
    service.ask(read, READ, "429 | code = ER-TECH-0100");
    let refused = service.send(&client("POST", "/api/v1/readContractData", READ));
    assert_eq!(refused.header("retry-after"), Some("59"));
    service.ask("GET /api/v1/portfolio", "", "201");
    service.ask("POST /s2s/api/v1/readContractData", READ, "429");
    service.now += 59_000;
    service.ask(read, READ, "200");
}

#[test]
fn a_job_id_makes_one_order() {
    let mut service = Service::new("{}");
    let path = format!("/s2s/api/v1/rawtransaction/execute/{USER}");
    let send = |service: &mut Service, job: &str, expected: &str| {
        let headers = [("x-api-key", "sandbox-server-key"), ("job-id", job)];
        let request = request("POST", &path, &headers, &raw(WALLET, "0x64"));
        service.hear(&request, expected).text("data.order_id")
    };
    let job = "5eced0d9-45ea-4954-b1d9-086a07ef9984";
    let first = send(&mut service, job, "201");
    service.now += 60_000;
    assert_eq!(send(&mut service, &job.to_uppercase(), "201"), first);
    assert_ne!(send(&mut service, "6eced0d9-45ea-4954-b1d9-086a07ef9984", "201"), first);
    // The description says a UUID of version 4: these are of version 1, and of another variant.
    let others = ["5eced0d9-45ea-1954-b1d9-086a07ef9984", "5eced0d9-45ea-4954-1a6c-086a07ef9984"];
    for job in ["not a job"].into_iter().chain(others) {
        send(&mut service, job, "400");
    }
}

#[test]
fn orders_fail_and_are_rejected() {
    let mut service = Service::new("{}");
    let all = service.ask(TOKENS, &tokens("500"), "201").text("data.orderId");
    let more = service.ask(TOKENS, &tokens("1"), "201").text("data.orderId");
    let foreign = service.ask(RAW, &raw(RECIPIENT, "0x1"), "201").text("data.jobId");
    service.now += 5_000;
    for (order, status, hash) in
        [(&all, "SUCCESS", "~ 0x"), (&more, "FAILED", "~ 0x"), (&foreign, "REJECTED", "= ")]
    {
        let expected =
            format!("201 | data.jobs.0.status = {status} | data.jobs.0.transaction_hash {hash}");
        service.ask(&format!("GET /api/v1/orders?order_id={order}"), "", &expected);
    }
    let status = format!("GET /api/v1/rawtransaction/status?order_id={foreign}");
    service.ask(&status, "", "201 | data.jobs.0.status = FAILURE");
    service.ask("GET /api/v1/orders?order_state=FAILED", "", "201 | data.total = 2");
}

/// The fields of each row of a user's activity, with the page of a query.
fn activity(service: &mut Service, query: &str) -> Vec<String> {
    let reply = service.ask(&format!("GET /api/v1/portfolio/activity{query}"), "", "201");
    let keys = ["description", "order_type", "token_name", "network_name", "quantity"];
    let row = |row: &Json| keys.map(|key| row.text(key)).join(" ");
    reply.at("data.activity").and_then(Json::as_array).unwrap().iter().map(row).collect()
}

#[test]
fn the_activity_shows_all_that_was_moved() {
    let mut service = Service::new("{}");
    service.ask(TOKENS, &tokens("1.5"), "201");
    service.now += 1_000;
    let operation = service.signed(&transfer(1));
    service.sent(&operation);
    service.now += 1_000;
    service.ask(NFT, &nft("56", ""), "201");
    service.now += 1_000;
    // A raw transaction that sends along and calls, one that does neither, and one that fails.
    let call = format!("\"0xa9059cbb{:0>64}{:064x}\"", &RECIPIENT[2..], 7);
    let calling = changed(&changed(&raw(WALLET, "0x5"), "\"0x\"", &call), RECIPIENT, USDC);
    for transaction in [calling, raw(WALLET, "0x0"), raw(RECIPIENT, "0x1")] {
        service.ask(RAW, &transaction, "201");
    }
    service.now += 1_000;
    let given = nft("57", &format!(r#","user_id":"{TREASURY}""#));
    service.ask("POST /s2s/api/v2/nft/transfer", &changed(&given, RECIPIENT, WALLET), "201");
    let path = format!("POST /s2s/api/v2/transfer/tokens/execute/{TREASURY}");
    service.ask(&path, &changed(&tokens("2"), RECIPIENT, WALLET), "201");
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
    let rows = service.ask("GET /api/v1/portfolio/activity", "", "201");
    let orders = service.ask("GET /api/oc/v1/orders", "", "200");
    let hash = orders.text("data.items.0.downstream_transaction_hash.0");
    assert_eq!(rows.text("data.activity.7.tx_hash"), hash);
}

#[test]
fn a_raw_transaction_ends_with_its_reason() {
    let mut service = Service::new("{}");
    let call = |to: &str, selector: &str, words: &[&str]| {
        let words: String = words.iter().map(|word| format!("{word:0>64}")).collect();
        let body = changed(&raw(WALLET, "0x0"), "\"0x\"", &format!("\"0x{selector}{words}\""));
        changed(&body, RECIPIENT, to)
    };
    let (me, you, usdc) = (&WALLET[2..], &RECIPIENT[2..], &USDC[2..]);
    let give = |id: &str| call(COLLECTION, "42842e0e", &[me, you, id]);
    let pieces = |of: &str, from: &str| call(of, "f242432a", &[from, you, "38", "ff", "a0", "0"]);
    let none = format!(
        "the pocket service has no contract {COLLECTION} with the function \
         safeTransferFrom(address,address,uint256,uint256,bytes)"
    );
    let exceeds = "ERC20: transfer amount exceeds balance";
    let creation = changed(&raw(WALLET, "0x0"), &format!(r#""to":"{RECIPIENT}","#), "");
    for (body, status, reason) in [
        (raw(RECIPIENT, "0x1"), "REJECTED", "the sender is not the user's wallet"),
        // The chain fails a transfer of the native token without a reason.
        (raw(WALLET, "0xffffffffffffffffffff"), "FAILED", ""),
        (creation, "REJECTED", "the pocket service creates no contracts"),
        (call(USDC, "a9059cbb", &[you, "ffffffffff"]), "FAILED", exceeds),
        (call(USDC, "a457c2d7", &[you, "1"]), "FAILED", "ERC20: decreased allowance below zero"),
        (pieces(PIECES, me), "FAILED", "ERC1155: insufficient balance for transfer"),
        (pieces(PIECES, usdc), "FAILED", "ERC1155: caller is not token owner or approved"),
        (give("39"), "FAILED", "ERC721: caller is not token owner or approved"),
        (give("ff"), "FAILED", "ERC721: invalid token ID"),
        // A function of the other standard.
        (pieces(COLLECTION, me), "REJECTED", &none),
        (give("38"), "SUCCESS", ""),
    ] {
        let id = service.ask(RAW, &body, "201").text("data.jobId");
        service.now += 5_000;
        service.ask("GET /api/v1/orders", "", "201");
        let orders = service.saved().at("orders").and_then(Json::as_array).cloned().unwrap();
        let order = orders.iter().find(|order| order.text("id") == id).unwrap();
        assert_eq!([order.text("status"), order.text("reason")], [status, reason], "{body}");
    }
}

#[test]
fn switches_change_what_descriptions_contradict() {
    let options = r#"{"switches":{"ids":"order_id","rawFailure":"FAILED","portfolio":"aggregated","nftOrders":"nfts",
        "dates":"rfc3339","errorStatus":"failure","successStatus":"200","networks":"all","value":"decimal","pageSize":1}}"#;
    let mut service = Service::new(options);
    service.ask(TOKENS, &tokens("1"), "200 | data.order_id ~ -");
    let moved = service.ask(NFT, &nft("56", ""), "200").text("data.order_id");
    service.ask(RAW, &raw(WALLET, "0x1"), "400");
    let foreign = service.ask(RAW, &raw(RECIPIENT, "1"), "200").text("data.order_id");
    service.now += 9_000;
    let nfts = format!("nft/order_details?order_id={moved}");
    for (target, expected) in [
        (&*nfts, &*format!("nfts.0.id = {moved} | data.nfts.0.nft_token_id = 56")),
        (&nfts, "nfts.0.nft_name = Orchestrator 56 | data.nfts.0.type = ERC721"),
        (&nfts, "nfts.0.token_uri = ipfs://sandbox/56"),
        (&nfts, "nfts.0.collection_name = super orchestrators"),
        ("orders", "jobs.0.created_at ~ T | data.jobs.1 = nothing"),
        (&format!("rawtransaction/status?order_id={foreign}"), "jobs.0.status = FAILED"),
        ("portfolio", "aggregated_data.holdings_count = 5"),
        ("supported/networks", "network.3.whitelisted = false"),
    ] {
        service.ask(&format!("GET /api/v1/{target}"), "", &format!("200 | data.{expected}"));
    }
    service.ask("GET /api/v1/orders?order_state=x", "", "400 | status = failure");
}

#[test]
fn the_hash_of_an_nft_order_has_two_names() {
    for (options, key) in
        [("{}", "transaction_hash"), (r#"{"switches":{"nftHash":"tx_hash"}}"#, "tx_hash")]
    {
        let mut service = Service::new(options);
        let moved = service.ask(NFT, &nft("56", ""), "201").text("data.order_id");
        service.now += 5_000;
        let target = format!("GET /api/v1/nft/order_details?order_id={moved}");
        service.ask(&target, "", &format!("201 | data.details.0.{key} ~ 0x"));
    }
}

#[test]
fn orders_and_intents_below_a_dollar_fail_if_there_is_a_minimum() {
    let minimum = r#"{"switches":{"minimum":"1 USD"}}"#;
    for (options, quantity, amount, fails) in [
        ("{}", "0.999999", "999999", false),
        (minimum, "0.999999", "999999", true),
        (minimum, "1", "1000000", false),
    ] {
        let mut service = Service::new(options);
        service.ask(TOKENS, &tokens(quantity), "201");
        service.now += 5_000;
        let status = if fails { "FAILED" } else { "SUCCESS" };
        let expected = format!("201 | data.jobs.0.status = {status}");
        service.ask("GET /api/v1/orders", "", &expected);
        assert_eq!(service.balance(USDC, RECIPIENT) == 0, fails);

        let status = if fails { "FAILED_ON_CHAIN" } else { "SUCCESSFUL" };
        for is_rpc in [true, false] {
            let mut service = Service::new(options);
            let operation = service.signed(&changed(&transfer(1), "1000000", amount));
            if is_rpc {
                service.sent(&operation);
            } else {
                service.ask("POST /api/oc/v1/execute", &operation, "200");
            }
            service.now += 2_000;
            let expected = format!("200 | data.items.0.status = {status}");
            service.ask("GET /api/oc/v1/orders", "", &expected);
            assert_eq!(service.balance(USDC, RECIPIENT) == 0, fails);
        }
    }
}
