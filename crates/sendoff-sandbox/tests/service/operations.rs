//! All operations: their replies, and what they do on the ledger.

use std::collections::BTreeSet;

use crate::calls::*;
use crate::laws::{route, routes};
use crate::random::{exchanges, numbered};

#[test]
fn every_operation_answers_as_its_description_says() {
    let mut service = Service::new("{}");
    let rows: Vec<_> = exchanges().into_iter().enumerate().collect();
    let rows: Vec<_> =
        rows.into_iter().map(|(at, row)| row.map(|text| numbered(&text, at))).collect();
    let second = ["wait 1000", "", ""].map(String::from);
    service.walk(&rows.iter().flat_map(|row| [row.clone(), second.clone()]).collect::<Vec<_>>());
    let answered: BTreeSet<_> =
        rows.iter().map(|[head, body, _]| route(&request(head, body))).collect();
    assert_eq!(answered, routes());
}

#[test]
fn the_limit_is_that_of_the_core() {
    let mut service = Service::new(r#"{"limits":{"limit":2,"windowMs":60000}}"#);
    let [read, server_read] =
        ["", "/s2s"].map(|side| format!("POST {side}/api/v1/readContractData"));
    let (portfolio, wait) = (["GET /api/v1/portfolio", "", "201"], ["wait 1000", "", ""]);
    service.walk(&[
        portfolio,
        wait,
        [&read, READ, "200"],
        // The application has one window: the calls of its server count too.
        [&server_read, READ, "200"],
        [&read, READ, "429 | code = ER-TECH-0100 | header retry-after = 59"],
        wait,
        [&server_read, READ, "429 | header retry-after = 58"],
        portfolio,
        ["wait 58000", "", ""],
        [&read, READ, "200"],
    ]);
}

#[test]
fn orders_end_with_their_reasons() {
    let call = |to: &str, selector: &str, words: &[&str]| {
        let words: String = words.iter().map(|word| format!("{word:0>64}")).collect();
        let body = changed(&raw(WALLET, "0x0"), "\"0x\"", &format!("\"0x{selector}{words}\""));
        changed(&body, RECIPIENT, to)
    };
    let (me, you, usdc) = (&WALLET[2..], &RECIPIENT[2..], &USDC[2..]);
    let give = |id: &str| call(COLLECTION, "42842e0e", &[me, you, id]);
    let pieces = |of: &str, from: &str| call(of, "f242432a", &[from, you, "38", "ff", "a0", "0"]);
    let none = format!(
        "REJECTED the pocket service has no contract {COLLECTION} with the function \
         safeTransferFrom(address,address,uint256,uint256,bytes)"
    );
    let decreased = "FAILED ERC20: decreased allowance below zero";
    let exceeds = "FAILED ERC20: transfer amount exceeds balance";
    let creation = changed(&raw(WALLET, "0x0"), &format!(r#""to":"{RECIPIENT}","#), "");
    let to_zero = |body: &str| changed(body, RECIPIENT, &format!("0x{}", "0".repeat(40)));
    let minimum = r#"{"switches":{"minimum":"1 USD"}}"#;
    // The recipient can have no more.
    let full = format!(
        r#"{{"ledger":{{"tokens":[{{"caip2Id":"eip155:137","address":"{USDC}","name":"USDC",
        "symbol":"USDC","decimals":6,"price":"83.5","allowances":{{}},
        "balances":{{"{WALLET}":"5000000","{RECIPIENT}":"{}"}}}}],
        "collections":[]}}}}"#,
        sendoff::primitive_types::U256::MAX
    );
    for (options, head, body, ended) in [
        ("{}", RAW, raw(RECIPIENT, "0x1"), "REJECTED the sender is not the user's wallet"),
        // The chain fails a transfer of the native token without a reason.
        ("{}", RAW, raw(WALLET, "0xffffffffffffffffffff"), "FAILED"),
        ("{}", RAW, creation, "REJECTED the pocket service creates no contracts"),
        ("{}", RAW, call(USDC, "a9059cbb", &[you, "ffffffffff"]), exceeds),
        ("{}", RAW, call(USDC, "a457c2d7", &[you, "1"]), decreased),
        ("{}", RAW, pieces(PIECES, me), "FAILED ERC1155: insufficient balance for transfer"),
        ("{}", RAW, pieces(PIECES, usdc), "FAILED ERC1155: caller is not token owner or approved"),
        ("{}", RAW, give("39"), "FAILED ERC721: caller is not token owner or approved"),
        ("{}", RAW, give("ff"), "FAILED ERC721: invalid token ID"),
        // A function of the other standard.
        ("{}", RAW, pieces(COLLECTION, me), &none),
        ("{}", RAW, give("38"), "SUCCESS"),
        // The zero address gets the native token alone.
        ("{}", SEND, changed(&to_zero(&tokens("1")), USDC, ""), "SUCCESS"),
        ("{}", SEND, to_zero(&tokens("1")), "FAILED ERC20: transfer to the zero address"),
        ("{}", NFT, to_zero(&nft("56", "")), "FAILED ERC721: transfer to the zero address"),
        ("{}", SEND, tokens("0.999999"), "SUCCESS"),
        (minimum, SEND, tokens("0.999999"), "FAILED the order's value is below 1 USD"),
        (minimum, SEND, tokens("1"), "SUCCESS"),
        (&full, SEND, tokens("1"), "FAILED"),
    ] {
        let (status, reason) = ended.split_once(' ').unwrap_or((ended, ""));
        let mut service = Service::new(options);
        let hash = if status == "REJECTED" { "= " } else { "~ 0x" };
        let order = "201 | data.jobs.0.order_id > <order> | data.jobs.0.transaction_hash";
        let failed = u8::from(status != "SUCCESS");
        service.walk(&[
            [head, &body, "201"],
            ["wait 5000", "", ""],
            ["GET /api/v1/orders", "", &format!("{order} {hash} | job = {status}")],
            [
                "GET /api/v1/orders?order_id=<order>&order_state=FAILED",
                "",
                &format!("201 | data.total = {failed}"),
            ],
        ]);
        if head == RAW {
            let word = if failed == 1 { "FAILURE" } else { status };
            let path = "GET /api/v1/rawtransaction/status?order_id=";
            let order = service.saved().text("orders.0.id");
            service.ask(&format!("{path}{order}"), "", &format!("201 | job = {word}"));
        }
        assert_eq!(service.saved().text("orders.0.reason"), reason, "{body}");
    }
}

#[test]
fn the_activity_shows_all_that_was_moved() {
    let mut service = Service::new("{}");
    let operation = service.signed(&transfer(1));
    let second = ["wait 1000", "", ""];
    // A raw transaction that sends along and calls, one that does neither, and one that fails.
    let call = format!("\"0xa9059cbb{:0>64}{:064x}\"", &RECIPIENT[2..], 7);
    let calling = changed(&changed(&raw(WALLET, "0x5"), "\"0x\"", &call), RECIPIENT, USDC);
    let given = nft("57", &format!(r#","user_id":"{TREASURY}""#));
    let path = format!("POST /s2s/api/v2/transfer/tokens/execute/{TREASURY}");
    service.walk(&[
        [SEND, &tokens("1.5"), "201"],
        second,
        ["POST /api/oc/v1/execute", &operation, "200"],
        second,
        [NFT, &nft("56", ""), "201"],
        second,
        [RAW, &calling, "201"],
        [RAW, &raw(WALLET, "0x0"), "201"],
        [RAW, &raw(RECIPIENT, "0x1"), "201"],
        second,
        ["POST /s2s/api/v2/nft/transfer", &changed(&given, RECIPIENT, WALLET), "201"],
        [&path, &changed(&tokens("2"), RECIPIENT, WALLET), "201"],
        ["wait 5000", "", ""],
    ]);

    let mut activity = |query: &str| {
        let reply = service.ask(&format!("GET /api/v1/portfolio/activity{query}"), "", "201");
        let keys = ["description", "order_type", "token_name", "network_name", "quantity"];
        let row = |row: &Json| keys.map(|key| row.text(key)).join(" ");
        let rows = reply.at("data.activity").and_then(Json::as_array).unwrap();
        rows.iter().map(row).collect::<Vec<_>>()
    };
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
    assert_eq!(activity(""), expected);
    assert_eq!(activity("?offset=6&limit=1"), expected[6..7]);
    let hash = "data.items.0.downstream_transaction_hash.0 > <hash>";
    service.walk(&[
        ["GET /api/oc/v1/orders", "", &format!("200 | {hash}")],
        ["GET /api/v1/portfolio/activity", "", "201 | data.activity.7.tx_hash = <hash>"],
    ]);
}

#[test]
fn switches_change_what_descriptions_contradict() {
    let options = r#"{"switches":{"ids":"order_id","rawFailure":"FAILED","portfolio":"aggregated",
        "nftOrders":"nfts","dates":"rfc3339","errorStatus":"failure","successStatus":"200",
        "networks":"all","value":"decimal","pageSize":1}}"#;
    let nfts = "200 | data.nfts.0.id = <moved> | data.nfts.0.nft_token_id = 56 \
        | data.nfts.0.nft_name = Orchestrator 56 | data.nfts.0.type = ERC721 \
        | data.nfts.0.token_uri = ipfs://sandbox/56 \
        | data.nfts.0.collection_name = super orchestrators";
    let nft_orders = "GET /api/v1/nft/order_details?order_id=<moved>";
    let raw_status = "GET /api/v1/rawtransaction/status?order_id=<foreign>";
    Service::new(options).walk(&[
        [SEND, &tokens("1"), "200 | data.order_id ~ -"],
        [NFT, &nft("56", ""), "200 | data.order_id > <moved>"],
        [RAW, &raw(WALLET, "0x1"), "400"],
        [RAW, &raw(RECIPIENT, "1"), "200 | data.order_id > <foreign>"],
        ["wait 9000", "", ""],
        [nft_orders, "", nfts],
        ["GET /api/v1/orders", "", "200 | data.jobs.0.created_at ~ T | data.jobs.1 = nothing"],
        [raw_status, "", "200 | job = FAILED"],
        ["GET /api/v1/portfolio", "", "200 | data.aggregated_data.holdings_count = 5"],
        ["GET /api/v1/supported/networks", "", "200 | data.network.3.whitelisted = false"],
        ["GET /api/v1/orders?order_state=x", "", "400 | status = failure"],
    ]);
    for (options, key) in
        [("{}", "transaction_hash"), (r#"{"switches":{"nftHash":"tx_hash"}}"#, "tx_hash")]
    {
        Service::new(options).walk(&[
            [NFT, &nft("56", ""), "201 | data.order_id > <moved>"],
            ["wait 5000", "", ""],
            [nft_orders, "", &format!("201 | data.details.0.{key} ~ 0x")],
        ]);
    }
}

#[test]
fn an_order_has_its_chain_and_its_time_by_the_switches() {
    let too_much = changed(&transfer(1), "1000000\"", "500000001\"");
    for (switches, job, key, unit) in [
        ("", transfer(1), "caip2Id", 1),
        ("", too_much.clone(), "caip2Id", 1_000),
        (r#""timestamps":"seconds""#, transfer(1), "caip2Id", 1_000),
        (r#""timestamps":"milliseconds""#, too_much, "caip2Id", 1),
        (r#""chainKey":"caip2id""#, transfer(1), "caip2id", 1),
        (r#""chainKey":"networkId""#, transfer(1), "networkId", 1),
    ] {
        let mut service = Service::new(&format!(r#"{{"switches":{{{switches}}}}}"#));
        let operation = service.signed(&job);
        // While it is open, nothing failed.
        let open = if switches.contains("\"seconds") { 1_000 } else { 1 };
        let time = |time: i64| format!("200 | data.items.0.block_timestamp = {time}");
        let name = if key == "networkId" { "network_id" } else { "caip_id" };
        let ended =
            format!("{} | data.items.0.details.{key} = <chain>", time((NOW + 2_000) / unit));
        service.walk(&[
            ["POST /api/oc/v1/execute", &operation, "200"],
            ["GET /api/oc/v1/orders", "", &time(NOW / open)],
            ["wait 2000", "", ""],
            ["GET /api/oc/v1/wallets", "", &format!("200 | data.0.{name} > <chain>")],
            ["GET /api/oc/v1/orders", "", &ended],
        ]);
    }
}
