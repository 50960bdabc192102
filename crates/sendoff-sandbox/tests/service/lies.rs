//! Each lie is told where it can be, and is a lie.

use std::collections::BTreeSet;

use sendoff_sandbox::{Delivery, Lie, On, Request, answer, lies};

use crate::calls::{
    At, ENTRY_POINT, Json, RECIPIENT, Service, USDC, USER, call, client, lying, parse, read,
    request, sent, server, text, tokens, transfer,
};

/// A request for which each kind of lie can be told, in a world that has orders of all states.
fn world() -> (Service, Vec<(On, Request)>) {
    let mut service = Service::new("{}");
    let write = client("POST", "/api/v1/transfer/tokens/execute", &tokens("300"));
    service.send(&write);
    service.send(&write);
    let signed = service.signed(&transfer(7));
    let hash = text(&service.send(&sent(&signed)), "result");
    let reverting = service.signed(&transfer(6).replace("1000000\"", "500000001\""));
    let failed = text(&service.send(&sent(&reverting)), "result");
    service.now += 5_000;
    // One that runs.
    let little = tokens("1");
    service.send(&client("POST", "/api/v1/transfer/tokens/execute", &little));
    let another = service.signed(&transfer(8));
    let requests = vec![
        (On::Estimate, client("POST", "/api/oc/v1/estimate", &transfer(9))),
        (On::Write, client("POST", "/api/v1/transfer/tokens/execute", &little)),
        (On::Orders, client("GET", "/api/v1/orders", "")),
        (On::Orders, client("GET", "/api/oc/v1/orders", "")),
        (On::Orders, client("GET", "/api/v1/portfolio/activity", "")),
        (On::List, client("GET", "/api/v1/orders", "")),
        (On::List, client("GET", "/api/v1/supported/tokens", "")),
        (On::Send, sent(&another)),
        (On::Receipt, call("eth_getUserOperationReceipt", &format!(r#"["{hash}"]"#))),
        (On::Receipt, call("eth_getUserOperationReceipt", &format!(r#"["{failed}"]"#))),
        (On::Any, client("GET", "/api/v1/portfolio", "")),
    ];
    (service, requests)
}

#[test]
fn there_are_more_than_thirty_and_each_has_a_name() {
    let names: BTreeSet<_> = lies().map(|lie| lie.name).collect();
    assert!(names.len() >= 30 && names.len() == lies().count(), "{}", names.len());
}

#[test]
fn each_lie_changes_a_reply_or_what_happens() {
    let (service, requests) = world();
    for lie in lies() {
        let mut differs = false;
        for (_, honest) in requests.iter().filter(|(on, _)| *on == lie.on) {
            let liar = lying(honest, lie.name);
            let (mut one, mut other) = (service.state.clone(), service.state.clone());
            let reply = answer(&mut one, honest, service.now);
            let mut lied = answer(&mut other, &liar, service.now);
            let told = lied.header("x-sandbox-lied") == Some(lie.name);
            lied.headers.retain(|(name, _)| name != "x-sandbox-lied");
            assert_eq!(told, reply != lied || one != other, "{}: it is told or not", lie.name);
            differs |= told;
            assert!(lied.delivery == Delivery::Never || lied.status > 0);
        }
        // Those of an estimate are told to requests of all kinds below.
        assert!(differs || lie.on == On::Estimate, "{}: no reply and no state differs", lie.name);
    }
}

/// The lies about an order that can be told, on its way or at its end.
fn told_of_an_order(fate: &str) -> BTreeSet<&'static str> {
    let mut service = Service::new("{}");
    let write = client("POST", "/api/v1/transfer/tokens/execute", &tokens("1"));
    service.send(&lying(&write, fate));

    let mut told = BTreeSet::new();
    for _ in 0..2 {
        for target in ["/api/v1/orders", "/api/v1/portfolio/activity"] {
            for lie in lies().filter(|lie| lie.on == On::Orders) {
                let reply = service.send(&lying(&client("GET", target, ""), lie.name));
                if reply.header("x-sandbox-lied").is_some() {
                    told.insert(lie.name);
                }
            }
        }
        service.now += 5_000;
    }
    told
}

#[test]
fn lies_about_failures_need_one() {
    let (done, failed) = (told_of_an_order(""), told_of_an_order("fails-later"));
    for lie in lies().filter(|lie| lie.on == On::Orders) {
        assert_eq!(done.contains(lie.name), !lie.needs_failure, "{}", lie.name);
        assert!(failed.contains(lie.name) || !lie.needs_failure, "{}", lie.name);
    }
    let of_orders = |lie: &&Lie| lie.on == On::Orders || lie.on == On::Receipt;
    assert!(lies().filter(|lie| lie.needs_failure).all(|lie| of_orders(&lie)));
}

/// What verification is for: no estimate that lies can be signed. In a part that is not signed a lie changes nothing of what is signed
/// and sent. Each lie is told to one of the requests at least.
#[test]
fn no_estimate_that_lies_is_signable() {
    let place = |sponsors: bool| {
        format!(
            r#"{{"entryPoint":"{ENTRY_POINT}","chainId":1802466136,"version":"0.7","gasFeeOrder":"maxFirst",
            "jobManager":"0x0543aD80b41C5f5956d34503668CDb965deCB617","paymaster":"0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
            "clientSWA":"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA","expect":{{"userSWA":"0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906",
            "policies":{{"gsnEnabled":false,"sponsorshipEnabled":{sponsors}}},"gsn":{{"isRequired":false,"requiredNetworks":[]}},
            "gas":{{"callGasLimit":{{"least":"0x75300"}},"preVerificationGas":{{"most":"0x1d4c0"}},"paymasterVerificationGasLimit":{{"most":"0x3a980"}},"paymasterPostOpGasLimit":{{"least":"0x1"}}}}}}}}"#
        )
    };
    let mut told = BTreeSet::new();
    for (sponsors, body) in estimates() {
        let mut service =
            Service::new(&format!(r#"{{"deployment":{{"sponsorshipEnabled":{sponsors}}}}}"#));
        let honest = client("POST", "/api/oc/v1/estimate", &body);
        let reply = service.send(&honest);
        assert_eq!(reply.status, 200, "{}", reply.body);
        let place = place(sponsors);
        let signable = sendoff::json::signable(&body, &reply.body, &place, None).unwrap();

        for lie in lies().filter(|lie| lie.on == On::Estimate) {
            let liar = lying(&honest, lie.name);
            let lied = answer(&mut service.state, &liar, service.now);
            if lied.header("x-sandbox-lied").is_none() {
                assert_eq!(lied.body, reply.body, "{}", lie.name);
                continue;
            }
            told.insert(lie.name);
            let judged = sendoff::json::signable(&body, &lied.body, &place, None);
            if lie.may_be_ignored {
                assert_eq!(judged.as_ref(), Ok(&signable), "{}", lie.name);
            } else {
                assert!(judged.is_err(), "{}: {}", lie.name, lied.body);
            }
        }
    }
    let all: BTreeSet<_> =
        lies().filter(|lie| lie.on == On::Estimate).map(|lie| lie.name).collect();
    assert_eq!(told, all);
}

/// Requests of all kinds: whether the deployment sponsors, and the request.
fn estimates() -> Vec<(bool, String)> {
    let asked = |job: u64, kind: &str, payer: &str, details: &str| {
        format!(
            r#"{{"type":"{kind}","jobId":"e4fb7f8b-d19d-4785-94af-{job:012x}",{payer}"gasDetails":{{"maxFeePerGas":"0x2255100","maxPriorityFeePerGas":"0x2255100"}},
            "paymasterData":"0x","details":{{"caip2Id":"eip155:137",{details}}}}}"#
        )
    };
    let transaction = |to: &str, value: &str, data: &str| {
        format!(
            r#"{{"from":"0xdca7f8e25091b927db769337d7efdedbf772bb9a","to":"{to}","data":"{data}","value":"{value}"}}"#
        )
    };
    let one = transaction("0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2", "0x1", "0x");
    let other = transaction("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x2", "0x");
    let call = format!("0xa9059cbb{:0>64}{:064x}", &RECIPIENT[2..], 1_000_000);
    let call = transaction(USDC, "0x0", &call);
    let nft = r#""nftId":"56","recipientWalletAddress":"0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
        "collectionAddress":"0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5","amount":"1","nftType":"ERC721""#;
    let batch = |transactions: &str| format!(r#""transactions":[{transactions}]"#);
    let payer = r#""feePayerAddress":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","#;
    vec![
        (false, transfer(9)),
        (false, asked(10, "NFT_TRANSFER", "", nft)),
        (false, asked(11, "RAW_TRANSACTION", "", &batch(&one))),
        (false, asked(12, "RAW_TRANSACTION", "", &batch(&[one.clone(), other].join(",")))),
        (false, asked(14, "RAW_TRANSACTION", "", &batch(&call))),
        (true, asked(13, "NFT_TRANSFER", payer, nft)),
    ]
}

#[test]
fn an_unknown_lie_is_refused_by_name() {
    let (mut service, requests) = world();
    for (_, mut request) in requests {
        request.headers.push(("X-Sandbox-Lie".into(), "timeout-after,white-lie".into()));
        let reply = service.send(&request);
        assert_eq!(
            (reply.status, text(&reply, "error.message")),
            (400, "the pocket service knows no lie `white-lie`".into())
        );
    }
}

#[test]
fn a_schedule_lies_by_its_seed() {
    let run = |seed: &str| {
        let mut service = Service::new(&format!(r#"{{"lies":{{"seed":"{seed}","every":4}}}}"#));
        let told = (0..200).map(|_| {
            let reply =
                answer(&mut service.state, &client("GET", "/api/v1/orders", ""), service.now);
            reply.header("x-sandbox-lied").map(String::from)
        });
        told.collect::<Vec<_>>()
    };
    let (one, again, other) = (run("a"), run("a"), run("b"));
    assert_eq!(one, again);
    assert_ne!(one, other);
    let count = one.iter().flatten().count();
    assert!((25..=80).contains(&count), "{count} of 200");
    assert!(one.iter().flatten().collect::<BTreeSet<_>>().len() > 8);
}

/// The largest number in a document.
fn largest(json: &serde_json::Value) -> u64 {
    match json {
        serde_json::Value::Array(items) => items.iter().map(largest).max().unwrap_or_default(),
        serde_json::Value::Object(fields) => fields.values().map(largest).max().unwrap_or_default(),
        other => other.as_u64().unwrap_or_default(),
    }
}

#[test]
fn an_order_that_is_done_twice_moves_twice() {
    let (mut service, _) = world();
    let before = service.balance(USDC, RECIPIENT);
    let write = client("POST", "/api/v1/transfer/tokens/execute", &tokens("2"));
    for (lie, moved) in [
        ("done-twice", 4_000_000),
        ("never-ends", 0),
        ("lost-order", 0),
        ("timeout-after", 2_000_000),
        ("timeout-before", 0),
    ] {
        let (mut state, now) = (service.state.clone(), service.now + 60_000);
        answer(&mut state, &lying(&write, lie), service.now);
        let saved: serde_json::Value = serde_json::from_str(&state.to_string()).unwrap();
        // JavaScript keeps every number of a saved state.
        assert!(largest(&saved) < 1 << 53, "{lie}");
        let mut later = Service { state, now };
        assert_eq!(later.balance(USDC, RECIPIENT) - before, moved + 1_000_000, "{lie}");
    }
}

#[test]
fn a_lie_without_effect_is_not_told() {
    let mut service = Service::new("{}");
    let operation = service.signed(&transfer(1));
    let reply = service.send(&lying(&sent(&operation), "done-twice"));
    assert_eq!((reply.status, reply.header("x-sandbox-lied")), (200, None));
}

/// What was not accepted is refused with its reason.
#[test]
fn a_lie_about_what_was_accepted_needs_it() {
    let mut service = Service::new("{}");
    let honest = service.send(&sent("{}"));
    for lie in ["already-known", "refused-and-done"] {
        let reply = service.send(&lying(&sent("{}"), lie));
        assert_eq!((reply.header("x-sandbox-lied"), &*reply.body), (None, &*honest.body), "{lie}");
    }
}

#[test]
fn what_is_accepted_and_lost_can_be_sent_again() {
    let mut service = Service::new("{}");
    let operation = service.signed(&transfer(1));
    let lost = service.send(&lying(&sent(&operation), "accepted-and-lost"));
    let params = format!(r#"["{}"]"#, text(&lost, "result"));
    assert_eq!(lost.header("x-sandbox-lied"), Some("accepted-and-lost"));
    service.now += 60_000;
    for method in ["eth_getUserOperationReceipt", "eth_getUserOperationByHash"] {
        assert_eq!(service.rpc(method, &params).at("result"), Some(&Json::Null), "{method}");
    }
    assert_eq!(service.balance(USDC, RECIPIENT), 0);

    // The same service goes on from a saved state. What was lost once is kept.
    service.state = service.state.to_string().parse().unwrap();
    let kept = service.send(&lying(&sent(&operation), "accepted-and-lost"));
    assert_eq!(
        (text(&kept, "result"), kept.header("x-sandbox-lied")),
        (text(&lost, "result"), None)
    );
    let twice = read(&service.send(&sent(&operation)));
    assert_eq!(twice.at("error.message").and_then(Json::as_str), Some("already known"));
    service.now += 60_000;
    assert_eq!(service.balance(USDC, RECIPIENT), 1_000_000);
    assert_ne!(service.rpc("eth_getUserOperationReceipt", &params).at("result"), Some(&Json::Null));
}

/// The replacement of a lost operation waits for nothing, and is one that can be lost too.
#[test]
fn what_was_lost_stands_in_the_way_of_nothing() {
    let mut service = Service::new("{}");
    let lost = service.signed(&transfer(1));
    service.send(&lying(&sent(&lost), "accepted-and-lost"));
    let same_fees = service.signed(&transfer(1).replace("1000000", "999999"));
    let other = service.send(&lying(&sent(&same_fees), "accepted-and-lost"));
    assert_eq!(other.header("x-sandbox-lied"), Some("accepted-and-lost"));
    service.send(&sent(&lost));
    service.now += 60_000;
    assert_eq!(service.balance(USDC, RECIPIENT), 1_000_000);
}

/// Each is said of an operation that waits in the bundler, and is executed.
#[test]
fn what_is_refused_in_any_words_is_executed() {
    let words = lies().filter(|lie| lie.on == On::Send && lie.name.starts_with("refused-"));
    let mut sources = BTreeSet::new();
    for lie in words {
        let mut service = Service::new("{}");
        let operation = service.signed(&transfer(1));
        let reply = service.send(&lying(&sent(&operation), lie.name));
        let error = read(&reply).at("error").unwrap().to_string();
        assert!(sendoff::json::read_refusal(&error).is_ok(), "{}: {error}", lie.name);
        service.now += 60_000;
        assert_eq!(service.balance(USDC, RECIPIENT), 1_000_000, "{}", lie.name);
        sources.extend(lie.source.split_once('@').map(|(repository, _)| repository));
    }
    assert_eq!(sources.len(), 6, "{sources:?}");
}

#[test]
fn random_words_are_other_words_each_time() {
    let mut service = Service::new("{}");
    let said: BTreeSet<_> = (0..50)
        .map(|job| {
            let operation = service.signed(&transfer(job));
            let lie = "refused-in-random-words";
            text(&service.send(&lying(&sent(&operation), lie)), "error.message")
        })
        .collect();
    assert_eq!(said.len(), 50);
}

/// The nonces of both accounts are unused, and both move the wallet's tokens.
#[test]
fn another_account_of_the_key_moves_it_again() {
    let mut service = Service::new("{}");
    let first = service.signed(&transfer(1));
    let refused = service.send(&lying(&sent(&first), "another-account-later"));
    assert!(text(&refused, "error.message").contains("AA26"));
    let again = service.signed(&transfer(1));
    let sender = |operation: &str| {
        parse(operation).unwrap().at("sender").and_then(Json::as_str).map(String::from)
    };
    assert_ne!(sender(&first), sender(&again));
    let of_another_job = service.signed(&transfer(2));
    assert_eq!(sender(&first), sender(&of_another_job));
    let hash = read(&service.send(&sent(&again)));
    assert!(hash.at("result").is_some(), "{hash}");
    service.now += 60_000;
    assert_eq!(service.balance(USDC, RECIPIENT), 2_000_000);
}

#[test]
fn forged_receipts_are_about_the_operation_that_is_asked_about() {
    let (mut service, hash) = (Service::new("{}"), format!("0x{}", "5a".repeat(32)));
    for (lie, outcome) in
        [("receipt-of-a-success", "succeeded"), ("receipt-of-a-failure", "failed")]
    {
        let method = "eth_getUserOperationReceipt";
        let reply = service.send(&lying(&call(method, &format!(r#"["{hash}"]"#)), lie));
        let receipt = read(&reply).at("result").unwrap().clone();
        assert_eq!(receipt.at("userOpHash").and_then(Json::as_str), Some(&*hash));
        assert_eq!(receipt.at("success"), Some(&Json::Bool(outcome == "succeeded")));
    }
    // A refusal of the question stays one.
    let reply =
        service.send(&lying(&call("eth_getUserOperationReceipt", "[]"), "receipt-of-a-success"));
    assert!(read(&reply).at("error").is_some() && reply.header("x-sandbox-lied").is_none());
}

/// Lies of every list, those of both sides of the service: an application must not show what it says there.
#[test]
fn each_list_lies() {
    let (service, _) = world();
    let user = format!("?user_id={USER}");
    let lists = [
        (client("GET", "/api/v1/portfolio", ""), "sentence-in-a-symbol,sentence-in-a-chain-name"),
        (client("GET", "/api/v1/supported/networks", ""), "sentence-in-a-chain-name"),
        (client("GET", "/api/v1/supported/tokens", ""), "hidden-in-a-symbol"),
        (client("GET", "/api/v1/wallet", ""), "sentence-in-a-chain-name"),
        (client("GET", "/api/oc/v1/wallets", ""), "sentence-in-a-chain-name"),
        (server("GET", &format!("/s2s/api/v1/wallet{user}"), ""), "sentence-in-a-chain-name"),
        (server("GET", &format!("/s2s/api/v1/portfolio{user}"), ""), "hidden-in-a-symbol"),
        (server("GET", &format!("/s2s/api/v1/supported/tokens{user}"), ""), "sentence-in-a-symbol"),
    ];
    for (honest, names) in lists {
        for name in names.split(',').chain(["list-null", "list-empty", "list-doubled"]) {
            let mut state = service.state.clone();
            let reply = answer(&mut state, &lying(&honest, name), service.now);
            assert_eq!(reply.header("x-sandbox-lied"), Some(name), "{}", honest.target);
        }
    }
}

#[test]
fn seconds_are_milliseconds_in_the_activity_too() {
    let (mut service, _) = world();
    let at = |service: &mut Service, lie| {
        let activity = client("GET", "/api/v1/portfolio/activity", "");
        let reply = service.send(&lying(&activity, lie));
        read(&reply).at("data.activity.0.timestamp").and_then(Json::as_u64)
    };
    let honest = at(&mut service, "").unwrap();
    assert_eq!(at(&mut service, "seconds-for-milliseconds"), Some(honest * 1_000));
}

/// Lies that are for every request are told on a path that nothing answers; others are not.
#[test]
fn a_path_that_is_not_known_lies_too() {
    let mut service = Service::new("{}");
    for target in ["/api/v1/nothing", "/api/v1/orders/1", "/"] {
        let unknown = request("GET", target, &[], "");
        let reply = service.send(&lying(&unknown, "half-a-body,list-empty,done-twice"));
        assert_eq!((reply.status, reply.delivery), (404, Delivery::Half), "{target}");
        assert_eq!(reply.header("x-sandbox-lied"), Some("half-a-body"));
    }
    let unknown = request("PATCH", "/api/v1/orders", &[], "");
    assert_eq!(service.send(&lying(&unknown, "unavailable")).status, 503);
}

/// A lie without effect gives its turn to the next that has one.
#[test]
fn a_schedule_lies_as_often_as_it_says() {
    // One of them changes an order, the others change orders that failed, and bundlers.
    let lies = r#"{"lies":{"seed":"a","every":1,"names":["success-of-a-failure","already-known","order-of-another","success-too-early"]}}"#;
    let mut service = Service::new("{}");
    service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("1"));
    service.now += 60_000;
    let schedule = Service::new(lies).state.to_string();
    let saved: serde_json::Value = serde_json::from_str(&schedule).unwrap();
    let mut state: serde_json::Value = serde_json::from_str(&service.state.to_string()).unwrap();
    state["lies"] = saved["lies"].clone();
    service.state = state.to_string().parse().unwrap();

    for _ in 0..50 {
        let reply = service.client("GET", "/api/v1/orders", "");
        assert_eq!(reply.header("x-sandbox-lied"), Some("order-of-another"));
    }
}

#[test]
fn a_saved_schedule_is_checked() {
    let lies = r#"{"lies":{"seed":"a","every":3,"names":["slow"]}}"#;
    let saved = Service::new(lies).state.to_string();
    assert!(saved.parse::<sendoff_sandbox::State>().is_ok());
    for (known, other, expected) in [
        (r#""slow""#, r#""white-lie""#, "lies.names: the pocket service knows no lie `white-lie`"),
        (
            r#""every":3"#,
            r#""every":0"#,
            "lies.every: expected a saved state of this version: expected an integer from 1, found integer `0`",
        ),
    ] {
        assert!(saved.contains(known), "{saved}");
        let error =
            saved.replace(known, other).parse::<sendoff_sandbox::State>().unwrap_err().to_string();
        assert_eq!(error, expected);
    }
}
