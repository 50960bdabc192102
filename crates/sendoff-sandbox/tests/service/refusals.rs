//! What is refused of a request, with what was expected and found.

use sendoff_sandbox::Request;

use crate::calls::*;
use crate::random::exchanges;

const BULK: &str = "POST /s2s/api/v1/bulk-wallets";
const HIDDEN: &str = "0x2953399124f0cbb46d2cbacd8a89cf0599974963";

#[test]
fn refusals_are_the_services_own() {
    let mut service = Service::new("{}");
    let sent = tokens("1");
    let of_user = format!("POST /s2s/api/v2/transfer/tokens/execute/{USER}");
    let stranger = changed(&of_user, USER, "20b57c3f-7ea3-4531-8bb8-313c870ebc1a");
    let [reads, intent_read] =
        ["POST /api/v1/readContractData", "POST /api/oc/v1/readContractData"];
    let with_job = |job: &str| {
        let key = "x-api-key: sandbox-server-key";
        format!("POST /s2s/api/v1/rawtransaction/execute/{USER}\n{key}\njob-id: {job}")
    };
    let kind = |kind: &str| changed(&sent, "{", &format!(r#"{{"operation_type":"{kind}","#));
    let (mints, given) = ("POST /s2s/api/v2/nft/mint", nft("56", ""));
    let other = changed(&sent, USDC, "0xc2132d05d31c914a87c6611c10748aeb04b58e8f");
    let half = changed(&given, r#""quantity":"1""#, r#""quantity":"0.5""#);
    let by_id = |pair: &str| changed(READ, r#""network_name":"POLYGON""#, pair);
    let no_amount = "400 | code = ER-TECH-0015 | said = quantity must be a number above zero, for \
        NFTs an integer: expected a number above zero, with the decimals of the token at most, \
        found `0`";
    let no_network = "400 | code = ER-TECH-0004 | said = network details not found: expected a \
        network of the catalogue, found `GNOSIS`";
    for (call, body, expected) in [
        (SEND, tokens("0"), no_amount),
        (SEND, tokens("0.0000001"), "400 | code = ER-TECH-0015"),
        (SEND, tokens("500.000001"), "400 | code = ER-TECH-0025"),
        (SEND, changed(&sent, "POLYGON", "GNOSIS"), no_network),
        (SEND, changed(&sent, "POLYGON", "ETHEREUM"), "400 | code = ER-TECH-0005"),
        (SEND, other, "400 | code = ER-TECH-0005"),
        (SEND, "[]".into(), "400 | code = ER-TECH-0016"),
        (SEND, "{".into(), "400 | code = ER-TECH-0016"),
        (NFT, nft("99", ""), "404 | code = ER-TECH-0002"),
        (NFT, nft("57", ""), "404 | code = ER-TECH-0002"),
        (NFT, changed(&given, COLLECTION, HIDDEN), "400 | code = ER-TECH-0005"),
        (NFT, changed(&given, COLLECTION, RECIPIENT), "404 | code = ER-TECH-0002"),
        (NFT, half, "400 | code = ER-TECH-0015"),
        (reads, changed(READ, "balanceOf", "nonces"), "422 | code = ER-TECH-0013"),
        (intent_read, by_id(r#""caip2Id":"eip155:137""#), "200 | data.0 = 500000000"),
        (intent_read, by_id(r#""caip2id":"eip155:137""#), "200 | data.0 = 500000000"),
        (intent_read, by_id(r#""caip2Id":"x:1""#), "400 | code = ER-TECH-0004"),
        (&stranger, sent.clone(), "404 | code = ER-TECH-0002"),
        (&of_user, kind("TOKEN_TRANSFER_EXECUTE"), "201"),
        (&of_user, kind("NFT_MINT"), "201"),
        (&of_user, kind("MINT"), "201"),
        (&of_user, kind("NFT_TRANSFER"), "400"),
        (&of_user, kind(""), "400"),
        ("GET /s2s/api/v1/supported/tokens", "".into(), "400 | code = ER-TECH-0016"),
        ("GET /s2s/api/v1/supported/tokens?user_id=x", "".into(), "404 | code = ER-TECH-0002"),
        // Its checksum is wrong.
        (mints, mint(&changed(COLLECTION, "0x68ee", "0x68Ee")), "400 | code = ER-TECH-0016"),
        (mints, mint(RECIPIENT), "404 | code = ER-TECH-0002"),
        (mints, mint(HIDDEN), "400 | code = ER-TECH-0005"),
        ("GET /api/v1/rawtransaction/status?order_id=x", "".into(), "404 | code = ER-TECH-0017"),
        ("GET /api/v1/orders?order_id=x", "".into(), "404 | code = ER-TECH-0017"),
        ("POST /api/oc/v1/estimate", r#"{"type":"NFT_TRANSFER"}"#.into(), "400"),
        (&with_job("not a job"), raw(WALLET, "0x64"), "400"),
        // The description says a UUID of version 4: these are of version 1, and of another variant.
        (&with_job("5eced0d9-45ea-1954-b1d9-086a07ef9984"), raw(WALLET, "0x64"), "400"),
        (&with_job("5eced0d9-45ea-4954-1a6c-086a07ef9984"), raw(WALLET, "0x64"), "400"),
        (SEND, " ".repeat(1 << 20), "400"),
        (SEND, " ".repeat((1 << 20) + 1), "413 | said ~ 1048576 bytes"),
    ] {
        service.ask(call, &body, expected);
    }
}

/// No operation is carried out without its credentials, nor with one of them there twice.
#[test]
fn a_credential_that_is_there_twice_is_none() {
    let mut service = Service::new("{}");
    let is_open = |target: &str| ["/rpc", "/api/oc/v1/authenticate"].contains(&target);
    let rows = exchanges().into_iter().map(|[head, body, _]| request(&head, &body));
    let closed: Vec<_> = rows.filter(|honest| !is_open(&honest.target)).collect();
    assert!(closed.len() > 40);
    for honest in closed {
        let other = |(name, _): &(String, String)| (name.to_uppercase(), "other".into());
        let others = honest.headers.iter().map(other).collect::<Vec<_>>();
        let with = |more: &[_]| [&honest.headers, more].concat();
        for headers in [vec![], with(&others), with(&honest.headers), others] {
            service.hear(&Request { headers, ..honest.clone() }, "401");
        }
    }
}

#[test]
fn a_path_is_found_with_its_method_and_credentials_alone() {
    let mut service = Service::new("{}");
    for (head, expected) in [
        ("GET /api/v1/supported/tokens\nx-api-key: sandbox-client-key", "201"),
        ("GET /api/v1/supported/tokens\nx-api-key: sandbox-server-key", "401"),
        ("GET /s2s/api/v1/wallet\nx-api-key: sandbox-client-key", "401 | code = OAU_401"),
        ("GET /api/v1/nothing", "404"),
        ("GET /api//v1/portfolio", "404"),
        ("GET /api/v1/../v1/portfolio", "400"),
        ("POST /s2s/api/v2/bulk_order_details/", "404"),
        ("POST /rpc/x", "404"),
        ("POST /api/v2", "404"),
        ("GET /rpc", "405 | header allow = POST"),
        ("PUT /api/v2/authenticate?x=1", "405 | header allow = POST"),
        ("POST /api/v1/portfolio/activity", "405 | header allow = GET"),
        ("HEAD /api/oc/v1/gas-values", "405 | header allow = GET"),
        ("DELETE /api/v1/wallet", "405 | header allow = GET, POST"),
        ("POST /s2s/api/v2/bulk_order_details/x", "405 | header allow = GET"),
        // One is the core's.
        ("PUT /s2s/api/v1/wallet", "405 | header allow = GET, POST"),
        ("PUT /api/v1/orders", "405 | header allow = GET | header content-type = application/json"),
        // What the live service has, and this one does not.
        ("POST /api/oc/v1/signMessage", "501 | said ~ signs no messages"),
        ("POST /api/oc/v1/authenticate/email", "501 | said ~ sign in by an id token"),
        ("POST /api/oc/v1/authenticate/whatsapp/verify", "501 | said ~ sign in by an id token"),
        ("POST /api/v1/authenticate/email", "501 | said ~ sign in by an id token"),
        ("POST /api/oc/v1/estimate-userop", "501 | said ~ eth_estimateUserOperationGas"),
        ("POST /api/oc/v1/authenticates", "404"),
    ] {
        service.ask(head, "", expected);
        // The envelope is the one that the core reads.
        let reply = service.send(&request(head, ""));
        let is_error = matches!(reply.body.parse(), Ok(sendoff::http::Reply::Error(_)));
        assert_eq!(is_error, expected != "201", "{}", reply.body);
    }
}

#[test]
fn a_body_is_refused_with_its_first_problem_and_the_path() {
    let (wrong, of_user) = (RECIPIENT.replace("0xcd", "0xzz"), format!(r#","user_id":"{USER}""#));
    let send = format!("/s2s/api/v2/transfer/tokens/execute/{USER}");
    let (raws, sent) = (format!("/s2s/api/v1/rawtransaction/execute/{USER}"), tokens("1"));
    let (nfts, mints, bulk) =
        ("/s2s/api/v2/nft/transfer", "/s2s/api/v2/nft/mint", "/s2s/api/v1/bulk-wallets");
    let wallets = |more: &str| format!(r#"{{"network_name":"POLYGON","purpose":"nft",{more}}}"#);
    let swap = changed(&sent, "{", r#"{"operation_type":"SWAP","#);
    let hex = "transaction.value: expected `0x` and hex digits, or decimal digits, found `5 wei`";
    let few = wallets(r#""wallet_count":1,"num_request":51"#);
    let short = changed(READ, r#""account":"0xdca7F8E"#, r#""account":"0xF8E"#);
    let found =
        "data.args.account: expected an address, found `0xF8E25091B927DB769337d7eFDedBf772bb9A`";
    let other = changed(&mint(COLLECTION), "ERC721", "ERC1155");
    let mut service = Service::new("{}");
    for (target, body, expected) in [
        (&*send, swap, "operation_type: expected one of `TOKEN_TRANSFER_EXECUTE`, "),
        (&send, changed(&sent, RECIPIENT, &wrong), "recipient_address: expected an address"),
        (&send, changed(&sent, USDC, "0x1"), "token_address: expected "),
        (&send, changed(&sent, r#""1""#, "5"), "quantity: expected a string, found integer `5`"),
        (&send, r#"{"network_name":"POLYGON"}"#.into(), "quantity: missing field `quantity`"),
        (nfts, nft("56", ""), "user_id: expected text, found `nothing`"),
        (nfts, changed(&nft("56", &of_user), "NFT_TRANSFER", "SWAP"), "operation_type: expected "),
        (&raws, raw(WALLET, "5 wei"), hex),
        (&raws, changed(&raw(WALLET, "5"), RECIPIENT, &wrong), "transaction.to: expected an "),
        (&raws, changed(&raw(WALLET, "5"), r#""0x""#, r#""0x0""#), "transaction.data: "),
        (mints, other, "erc_type: expected `ERC721`, found `ERC1155`"),
        (mints, changed(&mint(COLLECTION), r#""uri":"ipfs://x""#, r#""uri":1"#), "metadata.uri: "),
        (bulk, wallets(r#""wallet_count":0"#), "wallet_count: expected an integer from 1 to 1000"),
        (bulk, few, "num_request: expected an integer from 2 to 50, found `51`"),
        ("/s2s/api/v1/readContractData", short, found),
    ] {
        let expected = format!("400 | code = ER-TECH-0016 | issue ~ {expected}");
        service.hear(&request(&format!("POST {target}"), &body), &expected);
    }
}

#[test]
fn wallets_are_made_all_or_none() {
    let mut service = Service::new(r#"{"limits":null}"#);
    let wallets = |count: u64| {
        format!(r#"{{"network_name":"POLYGON","purpose":"token","wallet_count":{count}}}"#)
    };
    for _ in 0..19 {
        service.ask(BULK, &wallets(1_000), "201");
    }
    // With the first two there are 19,002.
    let before = service.state.to_string().len();
    let full = "400 | code = ER-TECH-0016 | said = body validation failed: expected at most 20000 \
        users, found `20001`";
    service.ask(BULK, &wallets(999), full);
    assert_eq!(service.state.to_string().len(), before);
    service.ask(BULK, &wallets(998), "201");
    service.ask("POST /s2s/api/v1/wallet", r#"{"network_name":"POLYGON","purpose":"token"}"#, full);
    // Nor is a new user of a sign-in.
    service.ask("POST /api/v2/authenticate", r#"{"id_token":"a new one"}"#, full);
}

#[test]
fn a_filter_of_an_unknown_word_is_refused() {
    let mut service = Service::new("{}");
    let (v1, oc, lists) = ("/api/v1/orders", "/api/oc/v1/orders", "/api/v1/supported/tokens");
    let states = "`PENDING`, `SUCCESS`, `FAILED`";
    let statuses = "`IN_PROGRESS`, `SUCCESSFUL`, `FAILED_ON_CHAIN`";
    let types = "`TOKEN_TRANSFER`, `NFT_TRANSFER`, `RAW_TRANSACTION`";
    // The last field of a query is the wrong one.
    for (path, query, words) in [
        (v1, "order_state=DONE", &*format!("expected one of {states}, found `DONE`")),
        (oc, "status=FOO", &format!("expected one of {statuses}, found `FOO`")),
        (oc, "intent_type=FOO", &format!("expected one of {types}, found `FOO`")),
        (oc, "page=0", "expected an integer from 1, found integer `0`"),
        (oc, "size=-1", "expected an integer from 0, found `-1`"),
        (lists, "size=2&page=0", "expected an integer from 1, found integer `0`"),
        (v1, "limit=ten", "expected an integer from 0, found `ten`"),
        (v1, "limit=9007199254740992", "expected an integer from 0, found `9007199254740992`"),
        (v1, "limit=1&limit=2", "duplicate field `limit`"),
        ("/api/v1/rawtransaction/status", "order_id", "missing field `order_id`"),
    ] {
        let field = query.rsplit('&').next().and_then(|field| field.split('=').next()).unwrap();
        let place = if words.starts_with("duplicate") { "" } else { field };
        let query = if words.starts_with("missing") { "" } else { query };
        let expected = format!("400 | code = ER-TECH-0016 | issue = {place}: {words}");
        service.ask(&format!("GET {path}?{query}"), "", &expected);
    }
    for (target, status) in [
        ("/api/oc/v1/orders?page=1&size=10&status=IN_PROGRESS&intent_type=RAW_TRANSACTION", "200"),
        ("/api/oc/v1/orders?intent_id=7&x=1&x=2", "200"),
        ("/api/v1/orders?offset=0&limit=0&order_state=PENDING", "201"),
    ] {
        service.ask(&format!("GET {target}"), "", status);
    }
}

/// The token of another user does not execute an operation, and neither is one of another form.
#[test]
fn an_operation_is_executed_for_its_user_alone() {
    let mut service = Service::new("{}");
    let (operation, token) = (service.signed(&transfer(1)), service.login("another"));
    let not_own = "400 | code = ER-TECH-0016 | said ~ not the smart wallet of the token's user";
    service.ask(&format!("POST /api/oc/v1/execute\n{token}"), &operation, not_own);
    let gas = changed(&operation, r#""callGasLimit":"0x"#, r#""callGasLimit":"0x0"#);
    let job = "200 | data.jobId = e4fb7f8b-d19d-4785-94af-000000000001";
    for (body, expected) in [
        (&changed(&operation, r#""nonce""#, r#""nonce2""#), "400 | issue ~ nonce2: expected "),
        (&gas, "400 | said ~ callGasLimit"),
        (&operation, job),
    ] {
        service.ask("POST /api/oc/v1/execute", body, expected);
    }
}
