//! Each lie is told where it can be, and is a lie.

use std::collections::{BTreeMap, BTreeSet};

use sendoff_sandbox::{Delivery, Lie, On, Request, answer, lies};

use crate::calls::*;
use crate::laws::route;
use crate::random::{exchanges, numbered};

fn write(quantity: &str) -> Request {
    request(SEND, &tokens(quantity))
}

fn orders() -> Request {
    request("GET /api/v1/orders", "")
}

fn of(on: On) -> impl Iterator<Item = &'static Lie> {
    lies().filter(move |lie| lie.on == on)
}

fn told(reply: &sendoff_sandbox::Reply) -> Option<&str> {
    reply.header("x-sandbox-lied")
}

/// The routes on which each lie was told, in a world of every operation, which may have failures. A lie is told if it changes a reply
/// or what happens, and only then.
fn told_on(fails: bool) -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut service = Service::new("{}");
    let mut failed = Vec::new();
    if fails {
        service.send(&lying(&write("1"), "fails-later"));
        let reverting = service.signed(&changed(&transfer(60), "1000000\"", "500000001\""));
        let hash = service.sent(&reverting);
        let receipt = ["RPC eth_getUserOperationReceipt", &format!("\"{hash}\""), ""];
        failed.push(receipt.map(String::from));
        service.now += 5_000;
    }

    let (mut all, mut known) = (BTreeMap::<_, BTreeSet<_>>::new(), Vec::new());
    for (at, row) in exchanges().into_iter().chain(failed).enumerate() {
        let [head, body, expected] = row.map(|text| filled(&numbered(&text, at), &known));
        // A request of the operation, and one that is refused.
        for honest in [request(&head, &body), request(&head, "{}")] {
            let mut one = service.state.clone();
            let reply = answer(&mut one, &honest, service.now);
            for lie in lies() {
                let mut other = service.state.clone();
                let mut lied = answer(&mut other, &lying(&honest, lie.name), service.now);
                let is_told = told(&lied) == Some(lie.name);
                lied.headers.retain(|(name, _)| name != "x-sandbox-lied");
                let is_lie = reply != lied || one != other;
                assert_eq!(is_told, is_lie, "{}: it is told or not: {head}", lie.name);
                assert!(lied.delivery == Delivery::Never || lied.status > 0);
                if is_told {
                    all.entry(lie.name).or_default().insert(route(&honest));
                }
            }
            let unknown = lying(&honest, "timeout-after,white-lie");
            let refused = "400 | said = the pocket service knows no lie `white-lie`";
            service.hear(&unknown, refused);
        }
        let reply = service.send(&request(&head, &body));
        known.extend(kept(&expected, &parse(&reply.body).unwrap_or_default()));
        service.now += 1_000;
    }
    all
}

#[test]
fn each_lie_is_told_where_it_can_be() {
    let (done, failed) = (told_on(false), told_on(true));
    let names: BTreeSet<_> = lies().map(|lie| lie.name).collect();
    assert!(names.len() >= 130 && names.len() == lies().count(), "{} names", names.len());
    for lie in lies() {
        // Those of an estimate are told to requests of all kinds below.
        assert!(failed.contains_key(lie.name) || lie.on == On::Estimate, "{}", lie.name);
        let is_of_orders = matches!(lie.on, On::Orders | On::Receipt);
        assert!(is_of_orders || !lie.needs_failure, "{}", lie.name);
        if lie.on == On::Orders {
            assert_eq!(done.contains_key(lie.name), !lie.needs_failure, "{}", lie.name);
        }
    }

    // An operation is not done twice.
    assert!(!done["done-twice"].contains("eth_sendUserOperation"));
    // Lies of every list, those of both sides of the service: an application must not show what it says there.
    for (list, names) in [
        ("/api/v1/portfolio", "sentence-in-a-symbol sentence-in-a-chain-name"),
        ("/api/v1/supported/networks", "sentence-in-a-chain-name"),
        ("/api/v1/supported/tokens", "hidden-in-a-symbol"),
        ("/api/v1/wallet", "sentence-in-a-chain-name"),
        ("/api/oc/v1/wallets", "sentence-in-a-chain-name"),
        ("/s2s/api/v1/wallet", "sentence-in-a-chain-name"),
        ("/s2s/api/v1/portfolio", "hidden-in-a-symbol"),
        ("/s2s/api/v1/supported/tokens", "sentence-in-a-symbol"),
    ] {
        for name in names.split(' ').chain(["list-null", "list-empty", "list-doubled"]) {
            assert!(done[name].contains(&format!("GET {list}")), "{name}: {list}");
        }
    }
}

/// What verification is for: no estimate that lies can be signed. In a part that is not signed a lie changes nothing of what is signed
/// and sent. Each lie is told to one of the requests at least.
#[test]
fn no_estimate_that_lies_is_signable() {
    let mut all = BTreeSet::new();
    for (sponsors, body) in estimates() {
        let place = format!(
            r#"{{"entryPoint":"{ENTRY_POINT}","chainId":1802466136,"version":"0.7","gasFeeOrder":"maxFirst",
            "jobManager":"0x0543aD80b41C5f5956d34503668CDb965deCB617","paymaster":"0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
            "clientSWA":"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA","expect":{{"userSWA":"0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906",
            "policies":{{"gsnEnabled":false,"sponsorshipEnabled":{sponsors}}},"gsn":{{"isRequired":false,"requiredNetworks":[]}},
            "gas":{{"callGasLimit":{{"least":"0x75300"}},"preVerificationGas":{{"most":"0x1d4c0"}},"paymasterVerificationGasLimit":{{"most":"0x3a980"}},"paymasterPostOpGasLimit":{{"least":"0x1"}}}}}}}}"#
        );
        let mut service =
            Service::new(&format!(r#"{{"deployment":{{"sponsorshipEnabled":{sponsors}}}}}"#));
        let honest = request("POST /api/oc/v1/estimate", &body);
        let reply = service.send(&honest);
        assert_eq!(reply.status, 200, "{}", reply.body);
        let signable = sendoff::json::signable(&body, &reply.body, &place, None).unwrap();

        for lie in of(On::Estimate) {
            let lied = service.send(&lying(&honest, lie.name));
            if told(&lied).is_none() {
                assert_eq!(lied.body, reply.body, "{}", lie.name);
                continue;
            }
            all.insert(lie.name);
            let judged = sendoff::json::signable(&body, &lied.body, &place, None);
            if lie.may_be_ignored {
                assert_eq!(judged.as_ref(), Ok(&signable), "{}", lie.name);
            } else {
                assert!(judged.is_err(), "{}: {}", lie.name, lied.body);
            }
        }
    }
    assert_eq!(all, of(On::Estimate).map(|lie| lie.name).collect());
}

/// Requests of all kinds: whether the deployment sponsors, and the request.
fn estimates() -> Vec<(bool, String)> {
    let transaction = |to: &str, value: &str, data: &str| {
        format!(r#"{{"from":"{WALLET}","to":"{to}","data":"{data}","value":"{value}"}}"#)
    };
    let one = transaction("0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2", "0x1", "0x");
    let other = transaction("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x2", "0x");
    let call = format!("0xa9059cbb{:0>64}{:064x}", &RECIPIENT[2..], 1_000_000);
    let call = transaction(USDC, "0x0", &call);
    let nft = r#""nftId":"56","recipientWalletAddress":"0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
        "collectionAddress":"0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5","amount":"1","nftType":"ERC721""#;
    let batch = |job, transactions: &str| {
        let transactions = format!(r#""transactions":[{transactions}]"#);
        (false, estimate(job, "RAW_TRANSACTION", "", &transactions))
    };
    let payer = r#""feePayerAddress":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","#;
    vec![
        (false, transfer(9)),
        (false, estimate(10, "NFT_TRANSFER", "", nft)),
        batch(11, &one),
        batch(12, &format!("{one},{other}")),
        batch(14, &call),
        (true, estimate(13, "NFT_TRANSFER", payer, nft)),
    ]
}

#[test]
fn a_schedule_lies_by_its_seed() {
    let run = |seed: &str| {
        let mut service = Service::new(&format!(r#"{{"lies":{{"seed":"{seed}","every":4}}}}"#));
        let told = (0..200).map(|_| told(&service.send(&orders())).map(String::from));
        told.collect::<Vec<_>>()
    };
    let (one, again, other) = (run("a"), run("a"), run("b"));
    assert_eq!(one, again);
    assert_ne!(one, other);
    let count = one.iter().flatten().count();
    assert!((25..=80).contains(&count), "{count} of 200");
    assert!(one.iter().flatten().collect::<BTreeSet<_>>().len() > 8);
}

/// A lie without effect gives its turn to the next that has one.
#[test]
fn a_schedule_lies_as_often_as_it_says() {
    // One of them changes an order, the others change orders that failed, and bundlers.
    let lies = r#"{"seed":"a","every":1,"names":["success-of-a-failure","already-known","order-of-another","success-too-early"]}"#;
    let mut service = Service::new("{}");
    service.send(&write("1"));
    service.now += 60_000;
    let mut state = service.saved();
    state.set("lies", parse(lies).unwrap());
    service.state = state.to_string().parse().unwrap();
    for _ in 0..50 {
        assert_eq!(told(&service.send(&orders())), Some("order-of-another"));
    }
}

/// The largest number in a document.
fn largest(json: &Json) -> u64 {
    match json {
        Json::Array(items) => items.iter().map(largest).max().unwrap_or_default(),
        Json::Object(fields) => fields.values().map(largest).max().unwrap_or_default(),
        other => other.as_u64().unwrap_or_default(),
    }
}

#[test]
fn an_order_that_is_done_twice_moves_twice() {
    let service = Service::new("{}");
    for (lie, moved) in [
        ("done-twice", 4_000_000),
        ("never-ends", 0),
        ("lost-order", 0),
        ("timeout-after", 2_000_000),
        ("timeout-before", 0),
    ] {
        let mut later = Service { state: service.state.clone(), now: service.now };
        later.send(&lying(&write("2"), lie));
        // JavaScript keeps every number of a saved state.
        assert!(largest(&later.saved()) < 1 << 53, "{lie}");
        later.now += 60_000;
        assert_eq!(later.balance(USDC, RECIPIENT), moved, "{lie}");
    }
}

#[test]
fn what_is_accepted_and_lost_can_be_sent_again() {
    let mut service = Service::new("{}");
    let operation = service.signed(&transfer(1));
    let lose = lying(&sent(&operation), "accepted-and-lost");
    let lost = service.send(&lose);
    // A replacement of a lost operation waits for nothing, and is one that can be lost too.
    let same_fees = service.signed(&changed(&transfer(1), "1000000", "999999"));
    let replacement = service.send(&lying(&sent(&same_fees), "accepted-and-lost"));
    assert_eq!([&lost, &replacement].map(told), [Some("accepted-and-lost"); 2]);
    let hash = parse(&lost.body).unwrap().text("result");
    let (quoted, receipt) = (format!("\"{hash}\""), "RPC eth_getUserOperationReceipt");
    service.now += 60_000;
    for head in [receipt, "RPC eth_getUserOperationByHash"] {
        service.ask(head, &quoted, "200 | result = null");
    }
    assert_eq!(service.balance(USDC, RECIPIENT), 0);

    // The same service goes on from a saved state. What was lost once is kept.
    service.state = service.state.to_string().parse().unwrap();
    let kept = service.send(&lose);
    assert_eq!((kept.body, told(&service.send(&orders()))), (lost.body.clone(), None));
    service.hear(&sent(&operation), "200 | said = already known");
    service.now += 60_000;
    assert_eq!(service.balance(USDC, RECIPIENT), 1_000_000);
    service.ask(receipt, &quoted, &format!("200 | result.userOpHash = {hash}"));
}

/// Each is said of an operation that waits in the bundler, and is executed; random words are other words each time.
#[test]
fn what_is_refused_in_any_words_is_executed() {
    let (mut sources, mut said) = (BTreeSet::new(), BTreeSet::new());
    for lie in of(On::Send).filter(|lie| lie.name.starts_with("refused-")) {
        let mut service = Service::new("{}");
        let jobs = if lie.name == "refused-in-random-words" { 50 } else { 1 };
        for job in 1..=jobs {
            let operation = service.signed(&transfer(job));
            let reply = service.hear(&lying(&sent(&operation), lie.name), "200 | result = nothing");
            let error = reply.text("error");
            assert!(sendoff::json::read_refusal(&error).is_ok(), "{}: {error}", lie.name);
            said.insert(reply.text("error.message"));
        }
        service.now += 60_000;
        assert_eq!(service.balance(USDC, RECIPIENT), u128::from(jobs) * 1_000_000, "{}", lie.name);
        sources.extend(lie.source.split_once('@').map(|(repository, _)| repository));
    }
    assert_eq!(sources.len(), 6, "{sources:?}");
    assert!(said.len() > 50, "{said:?}");
}

/// The nonces of both accounts are unused, and both move the wallet's tokens.
#[test]
fn another_account_of_the_key_moves_it_again() {
    let mut service = Service::new("{}");
    let first = service.signed(&transfer(1));
    service.hear(&lying(&sent(&first), "another-account-later"), "200 | said ~ AA26");
    let again = service.signed(&transfer(1));
    let of_another_job = service.signed(&transfer(2));
    let sender = |operation: &str| parse(operation).unwrap().text("sender");
    assert_ne!(sender(&first), sender(&again));
    assert_eq!(sender(&first), sender(&of_another_job));
    service.sent(&again);
    service.now += 60_000;
    assert_eq!(service.balance(USDC, RECIPIENT), 2_000_000);
}

#[test]
fn forged_receipts_are_about_the_operation_that_is_asked_about() {
    let (mut service, hash) = (Service::new("{}"), format!("0x{}", "5a".repeat(32)));
    for (lie, success) in [("receipt-of-a-success", true), ("receipt-of-a-failure", false)] {
        let asked = request("RPC eth_getUserOperationReceipt", &format!("\"{hash}\""));
        let expected = format!("200 | result.userOpHash = {hash} | result.success = {success}");
        service.hear(&lying(&asked, lie), &expected);
    }
}

#[test]
fn seconds_are_milliseconds_in_the_activity_too() {
    let mut service = Service::new("{}");
    service.send(&write("1"));
    service.now += 5_000;
    let activity = request("GET /api/v1/portfolio/activity", "");
    let honest = service.hear(&activity, "201").text("data.activity.0.timestamp");
    let lied = lying(&activity, "seconds-for-milliseconds");
    service.hear(&lied, &format!("201 | data.activity.0.timestamp = {honest}000"));
}

/// Lies that are for every request are told on a path that nothing answers; others are not.
#[test]
fn a_path_that_is_not_known_lies_too() {
    let mut service = Service::new("{}");
    for target in ["/api/v1/nothing", "/api/v1/orders/1", "/"] {
        let unknown = request(&format!("GET {target}"), "");
        let reply = service.send(&lying(&unknown, "half-a-body,list-empty,done-twice"));
        assert_eq!((reply.status, reply.delivery), (404, Delivery::Half), "{target}");
        assert_eq!(told(&reply), Some("half-a-body"));
    }
    let unknown = request("PATCH /api/v1/orders", "");
    assert_eq!(service.send(&lying(&unknown, "unavailable")).status, 503);
}
