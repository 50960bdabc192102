//! What is refused of a request, with all that was expected and found.

use crate::calls::{
    At, COLLECTION, Json, READ, RECIPIENT, Service, USDC, USER, WALLET, code, mint, nft, raw, read,
    request, text, tokens,
};

#[test]
fn a_body_above_the_limit_is_told_the_limit() {
    let mut service = Service::new("{}");
    for (bytes, status) in [(1 << 20, 400), ((1 << 20) + 1, 413)] {
        let body = " ".repeat(bytes);
        let reply = service.client("POST", "/api/v1/transfer/tokens/execute", &body);
        assert_eq!(reply.status, status);
        let said = text(&reply, "error.message");
        assert_eq!(said.contains("1048576 bytes"), status == 413, "{said}");
    }
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
    let issues = body.at("error.details.issues").and_then(Json::as_array);
    let issues = issues.unwrap_or_else(|| panic!("{}", reply.body));
    let text = |issue: &Json, key| String::from(issue.get(key).and_then(Json::as_str).unwrap());
    issues.iter().map(|issue| [text(issue, "path"), text(issue, "message")].join(": ")).collect()
}

const BULK: &str = "/s2s/api/v1/bulk-wallets";

#[test]
fn a_body_is_refused_with_its_first_problem_and_the_path() {
    let (wrong, of_user) = (RECIPIENT.replace("0xcd", "0xzz"), format!(r#","user_id":"{USER}""#));
    let changed = |text: String, from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        text.replacen(from, to, 1)
    };
    let (send, raw_path) = (
        format!("/s2s/api/v2/transfer/tokens/execute/{USER}"),
        format!("/s2s/api/v1/rawtransaction/execute/{USER}"),
    );
    let (nfts, mints) = ("/s2s/api/v2/nft/transfer", "/s2s/api/v2/nft/mint");
    let wallets = |more: &str| format!(r#"{{"network_name":"POLYGON","purpose":"nft",{more}}}"#);
    for (target, body, expected) in [
        (
            &*send,
            changed(tokens("1"), "{", r#"{"operation_type":"SWAP","#),
            "operation_type: expected one of `TOKEN_TRANSFER_EXECUTE`, ",
        ),
        (&send, changed(tokens("1"), RECIPIENT, &wrong), "recipient_address: expected an address"),
        (&send, changed(tokens("1"), USDC, "0x1"), "token_address: expected "),
        (
            &send,
            changed(tokens("1"), r#""1""#, "5"),
            "quantity: expected a string, found integer `5`",
        ),
        (&send, r#"{"network_name":"POLYGON"}"#.into(), "quantity: missing field `quantity`"),
        (nfts, nft("56", ""), "user_id: expected text, found `nothing`"),
        (nfts, changed(nft("56", &of_user), "NFT_TRANSFER", "SWAP"), "operation_type: expected "),
        (
            &raw_path,
            raw(WALLET, "5 wei"),
            "transaction.value: expected `0x` and hex digits, or decimal digits, found `5 wei`",
        ),
        (&raw_path, changed(raw(WALLET, "5"), RECIPIENT, &wrong), "transaction.to: expected an "),
        (&raw_path, changed(raw(WALLET, "5"), r#""0x""#, r#""0x0""#), "transaction.data: "),
        (
            mints,
            changed(mint(COLLECTION), "ERC721", "ERC1155"),
            "erc_type: expected `ERC721`, found `ERC1155`",
        ),
        (mints, changed(mint(COLLECTION), r#""uri":"ipfs://x""#, r#""uri":1"#), "metadata.uri: "),
        (BULK, wallets(r#""wallet_count":0"#), "wallet_count: expected an integer from 1 to 1000"),
        (
            BULK,
            wallets(r#""wallet_count":1,"num_request":51"#),
            "num_request: expected an integer from 2 to 50, found `51`",
        ),
        (
            "/s2s/api/v1/readContractData",
            changed(READ.into(), r#""account":"0xdca7F8E"#, r#""account":"0xF8E"#),
            "data.args.account: expected an address, found `0xF8E25091B927DB769337d7eFDedBf772bb9A`",
        ),
    ] {
        let mut service = Service::new("{}");
        let reply = service.server("POST", target, &body);
        assert_eq!((reply.status, code(&reply)), (400, "ER-TECH-0016".into()), "{}", reply.body);
        let found = problems(&reply);
        assert!(found.len() == 1 && found[0].starts_with(expected), "{found:?}");
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
            "order_state: expected one of `PENDING`, `SUCCESS`, `FAILED`, found `DONE`",
        ),
        (
            "/api/oc/v1/orders?status=FOO",
            "status: expected one of `IN_PROGRESS`, `SUCCESSFUL`, `FAILED_ON_CHAIN`, found `FOO`",
        ),
        (
            "/api/oc/v1/orders?intent_type=FOO",
            "intent_type: expected one of `TOKEN_TRANSFER`, `NFT_TRANSFER`, `RAW_TRANSACTION`, found `FOO`",
        ),
        ("/api/oc/v1/orders?page=0", "page: expected an integer from 1, found integer `0`"),
        ("/api/oc/v1/orders?size=-1", "size: expected an integer from 0, found `-1`"),
        (
            "/api/v1/supported/tokens?page=0&size=2",
            "page: expected an integer from 1, found integer `0`",
        ),
        ("/api/v1/orders?limit=ten", "limit: expected an integer from 0, found `ten`"),
        ("/api/v1/rawtransaction/status", "order_id: missing field `order_id`"),
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
