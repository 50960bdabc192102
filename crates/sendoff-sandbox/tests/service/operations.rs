//! All operations: their replies, their refusals, and what they do on the ledger.

use sendoff_sandbox::{Json, State};

use crate::calls::{
    COLLECTION, ENTRY_POINT, NOW, PIECES, RECIPIENT, Service, TREASURY, USDC, USER, WALLET, client,
    code, read, request, text, transfer,
};

fn tokens(quantity: &str) -> String {
    format!(
        r#"{{"network_name":"POLYGON","token_address":"{USDC}","quantity":"{quantity}","recipient_address":"{RECIPIENT}"}}"#
    )
}

fn nft(id: &str, more: &str) -> String {
    format!(
        r#"{{"operation_type":"NFT_TRANSFER","network_name":"POLYGON","collection_address":"{COLLECTION}","collection_name":"super orchestrators",
        "quantity":"1","recipient_address":"{RECIPIENT}","nft_address":"{id}"{more}}}"#
    )
}

fn raw(from: &str, value: &str) -> String {
    format!(
        r#"{{"network_name":"POLYGON","transaction":{{"from":"{from}","to":"{RECIPIENT}","data":"0x","value":"{value}"}}}}"#
    )
}

fn mint(collection: &str) -> String {
    format!(
        r#"{{"operation_type":"NFT_MINT","ercType":"ERC721","network_name":"POLYGON","collection_address":"{collection}","collection_name":"super",
        "quantity":"2","metadata":{{"uri":"ipfs://x","nftName":"Mint a NFT","description":"d"}}}}"#
    )
}

const READ: &str = r#"{"network_name":"POLYGON","data":{"contractAddress":"0x3c499c542cef5e3811e1192ce70d8cc03d5c3359",
    "abi":{"inputs":[{"internalType":"address","name":"account","type":"address"}],"name":"balanceOf","outputs":[{"internalType":"uint256","name":"","type":"uint256"}],
    "stateMutability":"view","type":"function"},"args":{"account":"0xdca7F8E25091B927DB769337d7eFDedBf772bb9A"}}}"#;

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
    assert_eq!(many.at("data").and_then(Json::as_list).unwrap().len(), 100);
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
fn refusals_are_the_services_own() {
    let mut service = Service::new("{}");
    for (body, expected) in [
        (tokens("0"), "ER-TECH-0015"),
        (tokens("0.0000001"), "ER-TECH-0015"),
        (tokens("-1"), "ER-TECH-0015"),
        (tokens("500.000001"), "ER-TECH-0025"),
        (tokens("1").replace("POLYGON", "GNOSIS"), "ER-TECH-0004"),
        (tokens("1").replace("POLYGON", "ETHEREUM"), "ER-TECH-0005"),
        (tokens("1").replace(USDC, "0xc2132d05d31c914a87c6611c10748aeb04b58e8f"), "ER-TECH-0005"),
        (tokens("1").replace(RECIPIENT, "0x1"), "ER-TECH-0016"),
        (tokens("1").replace("quantity", "amount"), "ER-TECH-0016"),
        ("[]".into(), "ER-TECH-0016"),
        ("{".into(), "ER-TECH-0016"),
    ] {
        let reply = service.client("POST", "/api/v1/transfer/tokens/execute", &body);
        assert_eq!((reply.status, code(&reply)), (400, expected.into()), "{body}");
        assert!(matches!(reply.body.parse(), Ok(sendoff::http::Reply::Error(_))), "{}", reply.body);
    }
    for (target, body, expected) in [
        ("/api/v1/nft/transfer", nft("99", ""), "ER-TECH-0002"),
        ("/api/v1/nft/transfer", nft("57", ""), "ER-TECH-0002"),
        (
            "/api/v1/nft/transfer",
            nft("56", "").replace(COLLECTION, "0x2953399124f0cbb46d2cbacd8a89cf0599974963"),
            "ER-TECH-0005",
        ),
        ("/api/v1/nft/transfer", nft("56", "").replace(COLLECTION, RECIPIENT), "ER-TECH-0002"),
        (
            "/api/v1/nft/transfer",
            nft("56", "").replace(r#""quantity":"1""#, r#""quantity":"0.5""#),
            "ER-TECH-0015",
        ),
        ("/api/v1/readContractData", READ.replace("balanceOf", "nonces"), "ER-TECH-0013"),
    ] {
        assert_eq!(code(&service.client("POST", target, &body)), expected, "{target} {body}");
    }
    let stranger = "/s2s/api/v2/transfer/tokens/execute/20b57c3f-7ea3-4531-8bb8-313c870ebc1a";
    assert_eq!(code(&service.server("POST", stranger, &tokens("1"))), "ER-TECH-0002");
    let of_user = format!("/s2s/api/v2/transfer/tokens/execute/{USER}");
    for (kind, expected) in [
        ("TOKEN_TRANSFER_EXECUTE", 201),
        ("NFT_MINT", 201),
        ("MINT", 201),
        ("NFT_TRANSFER", 400),
        ("", 400),
    ] {
        let body = tokens("1").replacen('{', &format!(r#"{{"operation_type":"{kind}","#), 1);
        assert_eq!(service.server("POST", &of_user, &body).status, expected, "{kind}");
    }
    let list = "/s2s/api/v1/supported/tokens";
    assert_eq!(code(&service.server("GET", list, "")), "ER-TECH-0016");
    let unknown = service.server("GET", &format!("{list}?user_id=x"), "");
    assert_eq!((unknown.status, code(&unknown)), (404, "ER-TECH-0002".into()));
    for (collection, expected) in [
        ("0x1".into(), "ER-TECH-0016"),
        // Its checksum is wrong.
        (COLLECTION.replace("0x68ee", "0x68Ee"), "ER-TECH-0016"),
        (RECIPIENT.into(), "ER-TECH-0002"),
        ("0x2953399124f0cbb46d2cbacd8a89cf0599974963".into(), "ER-TECH-0005"),
    ] {
        let refused = service.server("POST", "/s2s/api/v2/nft/mint", &mint(&collection));
        assert_eq!(code(&refused), expected, "{collection}: {}", refused.body);
    }
    assert_eq!(
        code(&service.client("GET", "/api/v1/rawtransaction/status?order_id=x", "")),
        "ER-TECH-0017"
    );
    assert_eq!(code(&service.client("GET", "/api/v1/orders?order_id=x", "")), "ER-TECH-0017");
    for (headers, target, expected) in [
        (&[][..], "/api/v1/portfolio", 401),
        (&[("authorization", "Bearer other")], "/api/v1/portfolio", 401),
        (&[("x-api-key", "sandbox-client-key")], "/api/v1/supported/tokens", 201),
        (&[("x-api-key", "sandbox-server-key")], "/api/v1/supported/tokens", 401),
        (&[], "/api/v1/nothing", 404),
        (&[], "/api//v1/portfolio", 404),
        (&[], "/api/v1/../v1/portfolio", 400),
    ] {
        assert_eq!(
            service.send(&request("GET", target, headers, "")).status,
            expected,
            "{headers:?} {target}"
        );
    }
    let key = [("x-api-key", "sandbox-client-key")];
    let reply = service.send(&request("POST", "/s2s/api/v1/wallet", &key, "{}"));
    assert_eq!((reply.status, code(&reply)), (401, "OAU_401".into()));
    assert_eq!(service.client("PUT", "/api/v1/orders", "").status, 405);
    assert_eq!(
        service.client("POST", "/api/oc/v1/estimate", r#"{"type":"NFT_TRANSFER"}"#).status,
        400
    );
}

#[test]
fn a_path_with_another_method_names_its_methods() {
    for (method, target, expected) in [
        ("GET", "/rpc", "POST"),
        ("PUT", "/api/v2/authenticate?x=1", "POST"),
        ("POST", "/api/v1/portfolio/activity", "GET"),
        ("HEAD", "/api/oc/v1/gas-values", "GET"),
        ("DELETE", "/api/v1/wallet", "GET, POST"),
        ("POST", "/s2s/api/v2/bulk_order_details/x", "GET"),
        // One is the core's.
        ("PUT", "/s2s/api/v1/wallet", "GET, POST"),
        ("PUT", "/api/v1/orders", "GET"),
    ] {
        let reply = Service::new("{}").send(&request(method, target, &[], ""));
        assert_eq!((reply.status, reply.header("allow")), (405, Some(expected)), "{target}");
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert!(matches!(reply.body.parse(), Ok(sendoff::http::Reply::Error(_))), "{}", reply.body);
        let message = text(&reply, "error.message");
        assert!(message.starts_with("expected ") && message.contains(expected), "{message}");
    }
    for target in ["/s2s/api/v2/bulk_order_details/", "/rpc/x", "/api/v2"] {
        assert_eq!(Service::new("{}").send(&request("POST", target, &[], "")).status, 404);
    }
}

/// The path and message of each problem of a refused request.
fn problems(reply: &sendoff_sandbox::Reply) -> Vec<String> {
    let body = read(reply);
    let issues = body.at("error.details.issues").and_then(Json::as_list);
    let issues = issues.unwrap_or_else(|| panic!("{}", reply.body));
    let text = |issue: &Json, key| String::from(issue.get(key).and_then(Json::as_text).unwrap());
    issues.iter().map(|issue| [text(issue, "path"), text(issue, "message")].join(": ")).collect()
}

const BULK: &str = "/s2s/api/v1/bulk-wallets";

#[test]
fn a_body_is_refused_with_all_of_its_problems() {
    let words = |text: &str, changes: &[(&str, &str)]| {
        let mut text = String::from(text);
        for (from, to) in changes {
            assert!(text.contains(from), "{from} in {text}");
            text = text.replace(from, to);
        }
        text
    };
    let (wrong, of_user) = (RECIPIENT.replace("0xcd", "0xzz"), format!(r#","user_id":"{USER}""#));
    let tokens = words(
        &tokens("1"),
        &[
            ("{", r#"{"operation_type":"SWAP","#),
            (RECIPIENT, &wrong),
            (USDC, "0x1"),
            (r#""1""#, r#""-1""#),
        ],
    );
    let nft = words(
        &nft("56", &of_user),
        &[
            ("NFT_TRANSFER", "SWAP"),
            ("POLYGON", "GNOSIS"),
            (RECIPIENT, &wrong),
            (r#""1""#, r#""0.5""#),
        ],
    );
    let raw = words(&raw(WALLET, "5 wei"), &[(RECIPIENT, &wrong), (r#""0x""#, r#""0x0""#)]);
    let mint = words(
        &mint(COLLECTION),
        &[("NFT_MINT", "NFT_TRANSFER"), ("ERC721", "ERC20"), (r#""2""#, r#""101""#)],
    );
    let read =
        words(READ, &[("POLYGON", "GNOSIS"), (r#""account":"0xdca7F8E"#, r#""account":"0xF8E"#)]);
    let wallets = r#"{"network_name":"x","purpose":"swap","wallet_count":0,"num_request":51}"#;
    for (target, body, expected) in [
        (
            "/s2s/api/v2/transfer/tokens/execute/d6061eab-2da6-4d79-a225-71f995791e45",
            &*tokens,
            &[
                "operation_type: expected `TOKEN_TRANSFER_EXECUTE` or `NFT_MINT` or `MINT`, found `SWAP`",
                "quantity: expected a number above zero, with the decimals of the token at most, found `-1`",
                "recipient_address: ",
                "token_address: ",
            ][..],
        ),
        (
            "/s2s/api/v2/nft/transfer",
            &nft,
            &[
                "operation_type: expected `NFT_TRANSFER` or `NFT_MINT` or `MINT`, found `SWAP`",
                "network_name: expected a network of the catalogue, found `GNOSIS`",
                "quantity: expected an integer above zero, found `0.5`",
                "recipient_address: ",
            ],
        ),
        (
            "/s2s/api/v1/rawtransaction/execute/d6061eab-2da6-4d79-a225-71f995791e45",
            &raw,
            &[
                "transaction.value: expected `0x` and hex digits, or decimal digits, found `5 wei`",
                "transaction.data: ",
                "transaction.to: ",
            ],
        ),
        (
            "/s2s/api/v2/nft/mint",
            &mint,
            &[
                "operation_type: expected `NFT_MINT` or `MINT`, found `NFT_TRANSFER`",
                "erc_type: expected `ERC721`, found `ERC20`",
                "quantity: expected an integer from 1 to 100, found `101`",
            ],
        ),
        (
            "/s2s/api/v1/readContractData",
            &read,
            &[
                "network_name: expected a network of the catalogue, found `GNOSIS`",
                "data.args.account: expected an address, found `0xF8E25091B927DB769337d7eFDedBf772bb9A`",
            ],
        ),
        (
            BULK,
            wallets,
            &[
                "wallet_count: expected an integer from 1 to 1000, found `0`",
                "network_name: expected a network of the catalogue, found `x`",
                "purpose: expected `nft` or `token`, found `swap`",
                "num_request: expected an integer from 2 to 50, found `51`",
            ],
        ),
        // A field that is missing has one problem, and the others are told beside it.
        (
            "/s2s/api/v2/transfer/tokens/execute/d6061eab-2da6-4d79-a225-71f995791e45",
            r#"{"network_name":"GNOSIS","quantity":5,"token_address":"0x1"}"#,
            &[
                "quantity: expected text, found `5`",
                "recipient_address: expected text, found nothing",
                "network_name: expected a network of the catalogue, found `GNOSIS`",
                "token_address: ",
            ],
        ),
    ] {
        let mut service = Service::new("{}");
        let reply = service.server("POST", target, body);
        assert_eq!((reply.status, code(&reply)), (400, "ER-TECH-0016".into()), "{}", reply.body);
        let found = problems(&reply);
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected) && found.contains(", found "), "{found}");
        }
    }
}

#[test]
fn a_single_problem_with_a_code_has_this_code_and_what_was_found() {
    let mut service = Service::new("{}");
    for (body, expected) in [
        (
            tokens("0"),
            "quantity must be a number above zero, for NFTs an integer: expected a number above zero, with the decimals of the token at most, found `0`",
        ),
        (
            tokens("1").replace("POLYGON", "GNOSIS"),
            "network details not found: expected a network of the catalogue, found `GNOSIS`",
        ),
    ] {
        let reply = service.client("POST", "/api/v1/transfer/tokens/execute", &body);
        assert_eq!(text(&reply, "error.message"), expected);
    }
}

#[test]
fn wallets_are_made_all_or_none() {
    let mut service = Service::new(r#"{"limits":null}"#);
    let wallets = |count: u64| {
        format!(r#"{{"network_name":"POLYGON","purpose":"token","wallet_count":{count}}}"#)
    };
    for _ in 0..19 {
        assert_eq!(service.server("POST", BULK, &wallets(1_000)).status, 201);
    }
    // With the first two there are 19,002.
    let before = service.state.clone().to_string().len();
    let refused = service.server("POST", BULK, &wallets(999));
    assert_eq!((refused.status, code(&refused)), (400, "ER-TECH-0016".into()));
    assert_eq!(
        text(&refused, "error.message"),
        "body validation failed: expected at most 20000 users, found `20001`"
    );
    assert_eq!(service.state.to_string().len(), before);
    assert_eq!(service.server("POST", BULK, &wallets(998)).status, 201);
    let one = r#"{"network_name":"POLYGON","purpose":"token"}"#;
    assert_eq!(service.server("POST", "/s2s/api/v1/wallet", one).status, 400);
    // Nor is a new user of a sign-in.
    let key = [("x-api-key", "sandbox-client-key")];
    let sign_in = request("POST", "/api/v2/authenticate", &key, r#"{"id_token":"a new one"}"#);
    let refused = service.send(&sign_in);
    assert_eq!((refused.status, code(&refused)), (400, "ER-TECH-0016".into()));
}

#[test]
fn a_filter_of_an_unknown_word_is_refused() {
    let mut service = Service::new("{}");
    for (target, expected) in [
        (
            "/api/v1/orders?order_state=DONE",
            "order_state: expected `PENDING` or `SUCCESS` or `FAILED`, found `DONE`",
        ),
        (
            "/api/oc/v1/orders?status=FOO",
            "status: expected `IN_PROGRESS` or `SUCCESSFUL` or `FAILED_ON_CHAIN`, found `FOO`",
        ),
        (
            "/api/oc/v1/orders?intent_type=FOO",
            "intent_type: expected `TOKEN_TRANSFER` or `NFT_TRANSFER` or `RAW_TRANSACTION`, found `FOO`",
        ),
        ("/api/oc/v1/orders?page=0", "page: expected an integer from 1, found `0`"),
        ("/api/oc/v1/orders?size=-1", "size: expected an integer from 0, found `-1`"),
        ("/api/v1/supported/tokens?page=0&size=2", "page: expected an integer from 1, found `0`"),
        ("/api/v1/orders?limit=ten", "limit: expected an integer from 0, found `ten`"),
        ("/api/v1/rawtransaction/status", "order_id: expected it in the query, found nothing"),
    ] {
        let reply = service.client("GET", target, "");
        assert_eq!((reply.status, problems(&reply)), (400, vec![expected.into()]), "{target}");
        assert_eq!(code(&reply), "ER-TECH-0016");
    }
    for target in [
        "/api/oc/v1/orders?page=1&size=10&status=IN_PROGRESS&intent_type=RAW_TRANSACTION",
        "/api/oc/v1/orders?intent_id=x",
        "/api/v1/orders?offset=0&limit=0&order_state=PENDING",
    ] {
        assert!(service.client("GET", target, "").status < 300, "{target}");
    }
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
    // The server's key has a window of its own.
    assert_eq!(service.server("POST", "/s2s/api/v1/readContractData", READ).status, 200);
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
    let rows = rows.at("data.activity").and_then(Json::as_list).unwrap();
    let row = |row: &Json| {
        let text = |key| row.get(key).and_then(Json::as_text).unwrap();
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
    let state = Json::parse(&service.state.to_string()).unwrap();
    let orders = state.at("orders").and_then(Json::as_list).unwrap();
    let is_it = |order: &&Json| order.get("id").and_then(Json::as_text) == Some(id);
    let order = orders.iter().find(is_it).unwrap();
    ["status", "reason"].map(|key| order.get(key).and_then(Json::as_text).unwrap().into())
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
    // The whole published shape: the status is 200 by the other switch.
    let expected = ["expected the status [201], found 200"];
    assert_eq!(sendoff_sandbox::check_reply(&details, &nfts), expected);
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

#[test]
fn options_are_refused_by_name() {
    for (options, expected) in [
        (r#"{"profile":"okto-v9"}"#, "expected the profile `okto-v1`, found `okto-v9`"),
        (r#"{"speed":1}"#, "found `speed`"),
        (r#"{"switches":{"ids":"x"}}"#, "switches.ids: expected published or order_id, found `x`"),
        (r#"{"switches":{"id":"x"}}"#, "switches.id: expected no such key, found one"),
        (r#"{"limits":{"limit":0,"windowMs":60000}}"#, "limits.limit: "),
        (
            r#"{"lies":{"seed":"1","every":2,"names":["white"]}}"#,
            "the pocket service knows no lie `white`",
        ),
        (r#"{"profile":9}"#, "profile: expected text, found `9`"),
        (r#"{"seed":1}"#, "seed: expected text, found `1`"),
        (r#"{"seed":{"text":"a"}}"#, r#"seed: expected text, found `{"text":"a"}`"#),
        (r#"{"sessionKey":1}"#, "sessionKey: expected text, found `1`"),
        (r#"{"sessionKey":"0x1"}"#, "sessionKey: expected an address"),
        (r#"{"sessionKey":"0x1"}"#, "found `0x1`"),
        (r#"{"switches":null}"#, "switches: expected an object, found `null`"),
        (r#"{"deployment":"okto"}"#, "deployment: expected an object, found `okto`"),
        (r#"{"delays":[5]}"#, "delays: expected an object, found `[5]`"),
        (r#"{"lies":7}"#, "lies: expected an object, found `7`"),
        (r#"{"ledger":true}"#, "ledger: expected an object, found `true`"),
        (r#"{"deployment":{"version":"0.6"}}"#, "deployment."),
        (r#"{"deployment":{"gasFeeOrder":"q"}}"#, "deployment."),
        (r#"{"deployment":{"entryPoint":"x"}}"#, "deployment."),
        (r#"{"delays":{"end":-5}}"#, "delays.end: expected an integer from 0, found `-5`"),
        (r#"{"switches":{"pageSize":0}}"#, "switches.pageSize: expected an integer from 1"),
        ("[]", "expected the options as an object, found `[]`"),
        ("", "expected the options as JSON"),
    ] {
        let error = State::start(options).unwrap_err().to_string();
        assert!(error.contains(expected), "{options}: {error}");
    }
    let state = State::start("{}").unwrap().to_string();
    let error = state.replace("okto-v1", "okto-v2").parse::<State>().unwrap_err().to_string();
    assert_eq!(error, "profile: expected the profile `okto-v1`, found `okto-v2`");
}

#[test]
fn states_differ_by_the_options_that_last() {
    let first = State::start("{}").unwrap();
    for (option, value) in [
        ("seed", r#""a""#),
        ("switches", r#"{"ids":"order_id"}"#),
        ("delays", r#"{"block":1}"#),
        ("deployment", r#"{"baseFee":"7"}"#),
        ("catalogue", r#"{"chains":[],"tokens":[],"collections":[]}"#),
        ("limits", r#"{"limit":3,"windowMs":1000}"#),
        ("limits", "null"),
        ("lies", r#"{"seed":"","every":2}"#),
    ] {
        let other = State::start(&format!(r#"{{"{option}":{value}}}"#)).unwrap();
        assert_eq!(first.differing_option(&other), Some(option), "{value}");
        assert_eq!(other.differing_option(&first), Some(option), "{value}");
    }

    // What a state is later, or where it began, is no option of it.
    let mut service = Service::new(
        r#"{"sessionKey":"0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B","ledger":{"tokens":[],"collections":[]}}"#,
    );
    service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("1"));
    assert_eq!(first.differing_option(&service.state), None);
}

/// The state after an order of an NFT and one of a token.
fn saved() -> Json {
    let mut service = Service::new("{}");
    service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("1"));
    Json::parse(&service.state.to_string()).unwrap()
}

#[test]
fn a_saved_state_of_another_shape_is_refused_by_the_key_that_differs() {
    let set = |path: &str, key: &str, value: Json| {
        let mut state = saved();
        let place = if path.is_empty() { Some(&mut state) } else { state.at_mut(path) };
        place.unwrap().set(key, value);
        state
    };
    let removed = |path: &str, key: &str| {
        let mut state = saved();
        let place = if path.is_empty() { Some(&mut state) } else { state.at_mut(path) };
        place.unwrap().remove(key);
        state
    };
    for (state, expected) in [
        (
            set("orders.0", "kind", "SWAP".into()),
            "orders.0.kind: expected TOKEN_TRANSFER_EXECUTE or NFT_TRANSFER or MINT or EXECUTE_RAW_TX, found `SWAP`",
        ),
        (
            set("orders.0.actions.0", "amount", 1_u64.into()),
            "orders.0.actions.0.amount: expected a text of decimal digits, found `1`",
        ),
        (
            set("switches", "pageSize", "10".into()),
            "switches.pageSize: expected an integer from 0, found `10`",
        ),
        (
            set("delays", "end", (-5_i64).into()),
            "delays.end: expected an integer from 0, found `-5`",
        ),
        (set("", "orders", "none".into()), "orders: expected a list, found `none`"),
        (set("", "users", true.into()), "users: expected an object, found `true`"),
        (set("delays", "week", 7_u64.into()), "delays.week: expected no such key, found one"),
        (set("", "colour", "red".into()), "colour: expected no such key, found one"),
        (removed("orders.0", "due"), "orders.0.due: expected a value, found nothing"),
        (removed("", "blocks"), "blocks: expected a value, found nothing"),
        (removed("limits.policy", "windowMs"), "limits.policy.windowMs: expected "),
        (removed("catalogue", "chains"), "catalogue.chains: expected "),
    ] {
        let error = state.to_string().parse::<State>().unwrap_err().to_string();
        let rest = error.strip_prefix("expected a saved state of this version; ");
        assert!(rest.is_some_and(|rest| rest.starts_with(expected)), "{expected}\n{error}");
    }
    // What the options refuse.
    for (state, expected) in [
        (set("deployment", "version", "0.6".into()), "deployment."),
        (set("switches", "pageSize", 0_u64.into()), "switches.pageSize: expected an integer"),
    ] {
        let error = state.to_string().parse::<State>().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    // Where the state itself is another one, the profile is the first that differs.
    assert_eq!(
        "{}".parse::<State>().unwrap_err().to_string(),
        "profile: expected the profile `okto-v1`, found ``"
    );
}

#[test]
fn an_address_of_the_deployment_is_refused_by_its_key() {
    // A digit is missing, the prefix, the letter case is of another address.
    for wrong in [
        "0x70997970C51812dc3A010C7d01b50e0d17dc79C",
        "70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "0x70997970c51812dc3A010C7d01b50e0d17dc79C8",
    ] {
        for key in ["grantSigner", "jobManager", "paymaster", "clientSwa"] {
            let options = format!(r#"{{"deployment":{{"{key}":"{wrong}"}}}}"#);
            let error = State::start(&options).unwrap_err().to_string();
            assert!(error.starts_with(&format!("deployment.{key}: ")), "{error}");
            assert!(error.contains(wrong), "{error}");
        }
    }
    assert!(State::start(r#"{"deployment":{"grantSigner":""}}"#).is_ok());
    assert!(State::start(r#"{"deployment":{"paymaster":""}}"#).is_err());
}

/// The option of a ledger with one token, of which one holder has this.
fn one_token(holder: &str, balance: &str) -> String {
    format!(
        r#"{{"ledger":{{"tokens":[{{"caip2Id":"eip155:137","address":"0x3c499c542cef5e3811e1192ce70d8cc03d5c3359","name":"USDC","symbol":"USDC",
        "decimals":6,"price":"83.5","balances":{{"{holder}":"{balance}","{}":"{}"}},"allowances":{{}}}}],"collections":[]}}}}"#,
        RECIPIENT.to_lowercase(),
        sendoff::primitive_types::U256::MAX
    )
}

#[test]
fn a_transfer_of_more_than_a_holder_can_have_fails() {
    let mut service = Service::new(&one_token(WALLET, "5000000"));
    let order = service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("1"));
    let order = text(&order, "data.orderId");
    service.now += 5_000;
    let reply = service.client("GET", &format!("/api/v1/orders?order_id={order}"), "");
    assert_eq!(text(&reply, "data.jobs.0.status"), "FAILED");
    assert_eq!(service.balance(USDC, WALLET), 5_000_000);
}

#[test]
fn decimals_are_those_of_a_contract() {
    for (decimals, is_right) in
        [("0", true), ("255", true), ("256", false), ("9007199254740991", false)]
    {
        let options =
            one_token(WALLET, "1").replace("\"decimals\":6", &format!("\"decimals\":{decimals}"));
        let refusal = State::start(&options).err();
        assert_eq!(refusal.is_none(), is_right, "{refusal:?}");
        let expected =
            format!("ledger.tokens.0.decimals: expected at most 255, found `{decimals}`");
        assert!(refusal.is_none_or(|refusal| refusal.to_string() == expected));
    }
}

/// The option of a ledger with a token and a collection, after changes of their text.
fn ledger_with(changes: &[(&str, &str)]) -> String {
    let mut options = format!(
        r#"{{"ledger":{{"tokens":[{{"caip2Id":"eip155:137","address":"","name":"POL","symbol":"POL","decimals":18,"price":"42.1",
        "balances":{{}},"allowances":{{}}}},{{"caip2Id":"eip155:137","address":"{USDC}","name":"USDC","symbol":"USDC","decimals":6,
        "price":"83.5","balances":{{"{WALLET}":"7"}},"allowances":{{"{WALLET} {RECIPIENT}":"3"}}}}],
        "collections":[{{"caip2Id":"eip155:137","address":"{COLLECTION}","name":"c","symbol":"C","standard":"ERC721","nfts":{{"56":
        {{"name":"n","description":"d","uri":"u","owners":{{"{WALLET}":"1"}},"approved":"{RECIPIENT}"}}}},
        "operators":["{WALLET} {RECIPIENT}"]}}]}}}}"#
    );
    for (this, other) in changes {
        assert!(options.contains(this), "{this}");
        options = options.replace(this, other);
    }
    options
}

/// An address with its checksum.
fn checksummed(address: &str) -> String {
    address.parse::<sendoff::value::Address>().unwrap().to_checksum()
}

#[test]
fn addresses_of_a_ledger_are_read_in_any_letter_case() {
    let plain = State::start(&ledger_with(&[])).unwrap();
    let upper = |address: &str| format!("0x{}", address[2..].to_uppercase());
    for spelled in [checksummed, upper] {
        let all = [USDC, WALLET, RECIPIENT, COLLECTION].map(|address| (address, spelled(address)));
        let changes = all.each_ref().map(|(address, other)| (*address, other.as_str()));
        let state = State::start(&ledger_with(&changes)).unwrap();
        assert!(state == plain, "{state}");
        let mut service = Service { state, now: NOW };
        assert_eq!(service.balance(USDC, WALLET), 7);
    }

    // So are those of a saved state.
    let mut saved = Json::parse(&plain.to_string()).unwrap();
    let user = saved.at_mut(&format!("users.{USER}")).unwrap();
    for key in ["wallet", "swa", "sessionKey"] {
        let address = checksummed(user.at(key).and_then(Json::as_text).unwrap());
        user.set(key, address.as_str().into());
    }
    assert!(saved.to_string().contains("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"));
    assert!(saved.to_string().parse::<State>().unwrap() == plain);
}

#[test]
fn an_address_of_a_ledger_is_refused_by_its_path() {
    let pair = format!("{WALLET} {RECIPIENT}");
    let bad = format!("{USDC}0");
    let wrong_case = WALLET.replace("dca7", "Dca7");
    for (this, other, path, found) in [
        (USDC, "0x1", "tokens.1.address", "0x1"),
        (USDC, &bad, "tokens.1.address", &bad),
        (r#""address":"""#, r#""address":"native""#, "tokens.0.address", "native"),
        (r#"7"}"#, r#"7","bob":"1"}"#, "tokens.1.balances", "bob"),
        (r#"7"}"#, r#"7","":"1"}"#, "tokens.1.balances", ""),
        (WALLET, &wrong_case, "tokens.1.balances", &wrong_case),
        (&format!(r#""{pair}":"3""#), r#""a b":"3""#, "tokens.1.allowances", "a"),
        (&format!(r#""{pair}":"3""#), &format!(r#""{WALLET}":"3""#), "tokens.1.allowances", ""),
        (
            &format!(r#""{pair}":"3""#),
            &format!(r#""{pair} b":"3""#),
            "tokens.1.allowances",
            &format!("{RECIPIENT} b"),
        ),
        (COLLECTION, "0x", "collections.0.address", "0x"),
        (r#"1"}"#, r#"1","x":"1"}"#, "collections.0.nfts.56.owners", "x"),
        (
            &format!(r#""approved":"{RECIPIENT}""#),
            r#""approved":"x""#,
            "collections.0.nfts.56.approved",
            "x",
        ),
        (
            &format!(r#"["{pair}"]"#),
            &format!(r#"["{pair}","{WALLET}-{RECIPIENT}"]"#),
            "collections.0.operators.1",
            &format!("{WALLET}-{RECIPIENT}").as_str()[..64],
        ),
    ] {
        let error = State::start(&ledger_with(&[(this, other)])).unwrap_err().to_string();
        assert!(error.starts_with(&format!("ledger.{path}: expected an address")), "{error}");
        assert!(error.contains(&format!("found `{found}")), "{found}: {error}");
    }
    // An id that no request can name.
    for id in ["01", "x", "", &"9".repeat(80)] {
        let nft = format!(r#""nfts":{{"{id}":"#);
        let error =
            State::start(&ledger_with(&[(r#""nfts":{"56":"#, &nft)])).unwrap_err().to_string();
        assert!(error.starts_with("ledger.collections.0.nfts: expected "), "{id}: {error}");
    }

    // Twice the same holder.
    let twice = format!(r#"7","{}":"1"}}"#, checksummed(WALLET));
    let error = State::start(&ledger_with(&[(r#"7"}"#, &twice)])).unwrap_err().to_string();
    let path = "ledger.tokens.1.balances: expected each key once, found `";
    assert_eq!(error, format!("{path}{WALLET}`"));

    // Nobody may be approved; the native token has no address, a user no key of a session.
    let approved = format!(r#""approved":"{RECIPIENT}""#);
    assert!(State::start(&ledger_with(&[(&approved, r#""approved":"""#)])).is_ok());

    for (key, found) in [("wallet", "0x1"), ("swa", ""), ("sessionKey", "key")] {
        let mut state = saved();
        state.at_mut(&format!("users.{USER}")).unwrap().set(key, found.into());
        let error = state.to_string().parse::<State>().unwrap_err().to_string();
        let path = format!("users.{USER}.{key}: expected an address");
        assert!(error.contains(&path) && error.contains(&format!("found `{found}`")), "{error}");
    }
}

#[test]
fn a_contract_of_a_ledger_is_refused_by_its_path() {
    let pol = r#""address":"","name":"POL""#;
    let usdc = checksummed(USDC);
    let usdc_twice = format!(r#""address":"{usdc}","name":"POL""#);
    let chain = r#""caip2Id":"eip155:137","address":"0x3c"#;
    for (this, other, expected) in [
        (
            chain,
            r#""caip2Id":"eip155:5","address":"0x3c"#,
            "tokens.1.caip2Id: expected a chain of the catalogue, found `eip155:5`",
        ),
        (
            r#""caip2Id":"eip155:137","address":"0x68"#,
            r#""caip2Id":"","address":"0x68"#,
            "collections.0.caip2Id: expected a chain of the catalogue, found ``",
        ),
        (
            pol,
            &usdc_twice,
            &format!("tokens.1.address: expected an address of its own, found `{USDC}`"),
        ),
        (USDC, "", "tokens.1.address: expected an address of its own, found ``"),
        (
            COLLECTION,
            USDC,
            &format!("collections.0.address: expected an address of its own, found `{USDC}`"),
        ),
        (COLLECTION, "", "collections.0.address: expected an address of its own, found ``"),
        (
            "\"decimals\":6",
            "\"decimals\":256",
            "tokens.1.decimals: expected at most 255, found `256`",
        ),
        ("83.5", "", "tokens.1.price: expected a decimal with at most four places, found ``"),
        ("42.1", "-1", "tokens.0.price: expected a decimal with at most four places, found `-1`"),
        ("42.1", "1,5", "tokens.0.price: expected a decimal with at most four places"),
        ("42.1", "42.12345", "tokens.0.price: expected a decimal with at most four places"),
    ] {
        let options = ledger_with(&[(this, other)]);
        let error = State::start(&options).unwrap_err().to_string();
        assert!(error.starts_with(&format!("ledger.{expected}")), "{error}");
    }

    // A chain that is not enabled is known, and other chains may have the same contract.
    for chain in ["eip155:1", "eip155:8453"] {
        let other = format!(r#""caip2Id":"{chain}","address":"","name":"POL""#);
        let this = format!(r#""caip2Id":"eip155:137",{pol}"#);
        assert!(State::start(&ledger_with(&[(&this, &other), (USDC, "")])).is_ok());
    }
    let mut state = saved();
    state.at_mut("ledger.tokens.2").unwrap().set("caip2Id", "eip155:5".into());
    let error = state.to_string().parse::<State>().unwrap_err().to_string();
    assert!(error.starts_with("ledger.tokens.2.caip2Id: expected a chain"), "{error}");
}

#[test]
fn all_problems_of_options_and_of_a_saved_state_are_told() {
    let paths = |error: sendoff::error::Error| -> Vec<String> {
        error.issues().iter().map(|issue| issue.path.clone()).collect()
    };
    let options = r#"{"speed":1,"switches":{"ids":"x","id":1,"pageSize":"9"},"seed":7,"delays":{"end":-1,"week":1},"colour":2}"#;
    assert_eq!(
        paths(State::start(options).unwrap_err()),
        [
            "speed",
            "colour",
            "seed",
            "switches.ids",
            "switches.pageSize",
            "switches.id",
            "delays.end",
            "delays.week"
        ]
    );
    let ledger =
        ledger_with(&[(USDC, "0x1"), (r#"7"}"#, r#"x"}"#), (r#""uri":"u""#, r#""uri":8"#)]);
    assert_eq!(
        paths(State::start(&ledger).unwrap_err()),
        [
            "ledger.tokens.1.address",
            &format!("ledger.tokens.1.balances.{WALLET}"),
            "ledger.collections.0.nfts.56.uri"
        ]
    );
    let state = State::start("{}").unwrap().to_string();
    let saved =
        state.replace(r#""seed":"""#, r#""seed":1"#).replace(r#""drawn":0"#, r#""drawn":"0""#);
    assert_eq!(paths(saved.parse::<State>().unwrap_err()), ["", "seed", "drawn"]);
    // At most a hundred.
    let many: Vec<String> = (0..1_000).map(|key| format!(r#""key{key}":1"#)).collect();
    let error = State::start(&format!("{{{}}}", many.join(","))).unwrap_err();
    assert_eq!(error.issues().len(), 100);
}

#[test]
fn options_that_contradict_themselves_are_refused() {
    for (options, expected) in [
        (
            r#"{"delays":{"start":6,"end":5}}"#,
            "delays.start: expected at most `delays.end`, found `6`",
        ),
        (
            r#"{"delays":{"start":5001}}"#,
            "delays.start: expected at most `delays.end`, found `5001`",
        ),
        (
            r#"{"lies":{"seed":"","every":1,"names":[]}}"#,
            "lies.names: expected the names of lies, found `[]`",
        ),
        (
            r#"{"lies":{"seed":"","every":1,"names":["list-doubled","white"]}}"#,
            "lies.names: the pocket service knows no lie `white`",
        ),
    ] {
        assert_eq!(State::start(options).unwrap_err().to_string(), expected);
    }
    for options in [
        r#"{"delays":{"start":5,"end":5}}"#,
        // Without `start` an order runs at once if it ends at once.
        r#"{"delays":{"end":0}}"#,
        r#"{"lies":{"seed":"","every":1}}"#,
    ] {
        assert!(State::start(options).is_ok(), "{options}");
    }
    let start = |options| Json::parse(&State::start(options).unwrap().to_string()).unwrap();
    let delays = |options| start(options).at("delays").unwrap().to_string();
    assert!(delays(r#"{"delays":{"end":9}}"#).starts_with(r#"{"start":9,"end":9,"#));

    // A saved state says `[]` where all lies are told.
    let all = State::start(r#"{"lies":{"seed":"","every":1}}"#).unwrap().to_string();
    assert!(all.contains(r#""names":[]"#) && all.parse::<State>().is_ok());
    let unknown = all.replace(r#""names":[]"#, r#""names":["white"]"#);
    let error = unknown.parse::<State>().unwrap_err().to_string();
    assert_eq!(error, "schedule.names: the pocket service knows no lie `white`");
    let late = all.replace(r#""start":1000"#, r#""start":5001"#);
    assert!(
        late.parse::<State>()
            .unwrap_err()
            .to_string()
            .starts_with("delays.start: expected at most")
    );
}

#[test]
fn a_credential_that_is_there_twice_is_none() {
    let mut service = Service::new("{}");
    let token = ("authorization", "Bearer sandbox-token");
    let (client, server) =
        (("x-api-key", "sandbox-client-key"), ("X-Api-Key", "sandbox-server-key"));
    for (target, headers, status) in [
        ("/api/v1/portfolio", vec![token], 201),
        ("/api/v1/portfolio", vec![token, ("Authorization", "Bearer other")], 401),
        ("/api/v1/portfolio", vec![token, token], 401),
        ("/api/v1/supported/networks", vec![client], 201),
        ("/api/v1/supported/networks", vec![client, client], 401),
        ("/s2s/api/v1/wallet?user_id=d6061eab-2da6-4d79-a225-71f995791e45", vec![server], 201),
        (
            "/s2s/api/v1/wallet?user_id=d6061eab-2da6-4d79-a225-71f995791e45",
            vec![server, client],
            401,
        ),
    ] {
        assert_eq!(
            service.send(&request("GET", target, &headers, "")).status,
            status,
            "{headers:?}"
        );
    }
}
