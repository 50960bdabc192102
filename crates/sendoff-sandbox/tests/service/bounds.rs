//! What the service keeps, and what it forgets.

use std::collections::BTreeSet;

use crate::calls::*;

const MINT: &str = "POST /s2s/api/v2/nft/mint";
const AT_ONCE: &str = r#"{"limits":null,"delays":{"start":0,"end":0}}"#;

#[test]
fn a_job_id_makes_one_order_among_the_newest_5000() {
    let mut service = Service::new(AT_ONCE);
    let mut send = |job: String| {
        service.now += 1;
        let head = format!(
            "POST /s2s/api/v1/rawtransaction/execute/{USER}\nx-api-key: sandbox-server-key\n\
             job-id: {job}"
        );
        service.ask(&head, &raw(WALLET, "0x0"), "201").text("data.order_id")
    };
    let job = |number: usize| format!("5eced0d9-45ea-4954-b1d9-{number:012x}");
    let orders: Vec<_> = (0..10_001).map(job).map(&mut send).collect();
    for number in [10_000, 7_000, 5_001, 5_000] {
        assert_eq!(send(job(number)), orders[number], "{number}");
        assert_eq!(send(job(number).to_uppercase()), orders[number], "{number}");
    }
    assert_ne!(send(job(4_999)), orders[4_999]);
    assert_eq!(orders.iter().collect::<BTreeSet<_>>().len(), orders.len());
}

#[test]
fn the_session_that_expires_first_is_dropped_first() {
    let mut service = Service::new("{}");
    // The first user's own token is one of 10,000.
    let mut login = |_| {
        service.now += 1;
        service.login("somebody")
    };
    let tokens: Vec<_> = (0..10_005).map(&mut login).collect();
    let mut is_known = |token: &str| {
        let user = request(&format!("GET /api/v1/user_from_token\n{token}"), "");
        service.send(&user).status == 200
    };
    let known: Vec<bool> = tokens.iter().map(|token| is_known(token)).collect();
    assert_eq!(known.iter().position(|known| *known), Some(6));
    assert!(
        known[6..].iter().all(|known| *known) && is_known("authorization: Bearer sandbox-token")
    );
}

/// A mint of a hundred NFTs with metadata of these lengths.
fn mint([uri, name, description]: [usize; 3]) -> String {
    let [uri, name, description] = [uri, name, description].map(|length| "a".repeat(length));
    let metadata = format!(r#""uri":"{uri}","nftName":"{name}","description":"{description}""#);
    let mint = changed(&crate::calls::mint(COLLECTION), r#""quantity":"2""#, r#""quantity":"100""#);
    changed(&mint, r#""uri":"ipfs://x","nftName":"Mint a NFT","description":"d""#, &metadata)
}

#[test]
fn metadata_has_a_bound() {
    let mut service = Service::new("{}");
    for (lengths, expected) in [
        ([1_024, 256, 1_024], "201"),
        ([1_025, 1, 1], "400 | issue ~ metadata.uri: expected at most 1024 bytes"),
        ([1, 257, 1], "400 | issue ~ metadata.nftName: expected at most 256 bytes"),
        ([1, 1, 1_025], "400 | issue ~ metadata.description: expected at most 1024 bytes"),
    ] {
        service.ask(MINT, &mint(lengths), expected);
    }
}

#[test]
fn large_mints_do_not_grow_the_state_without_end() {
    let mut service = Service::new(AT_ONCE);
    let body = mint([1_024, 256, 1_024]);
    let mut send = |_| {
        service.now += 1;
        service.send(&request(MINT, &body))
    };
    let last = (0..300).map(&mut send).find(|reply| reply.status != 201).unwrap();
    assert!(last.status == 503 && last.body.contains("ER-TECH-0006"), "{}", last.body);
    // Other requests are answered, and the state can be saved.
    service.ask("GET /api/v1/portfolio", "", "201");
    assert!(service.state.to_string().len() < 100 << 20);
}

#[test]
fn large_transactions_are_forgotten_first() {
    let mut service = Service::new(AT_ONCE);
    let data = format!("\"0x{}\"", "ab".repeat(400_000));
    let body = changed(&raw(WALLET, "0x0"), "\"0x\"", &data);
    for _ in 0..40 {
        service.now += 1;
        service.ask(RAW, &body, "201");
    }
    assert!(service.state.to_string().len() < 40 << 20);

    // What never ends cannot be forgotten: then the service is full.
    let never = lying(&request(RAW, &body), "never-ends");
    let last = (0..40).map(|_| service.send(&never)).find(|reply| reply.status != 201);
    assert!(last.is_some_and(|last| last.status == 503 && last.body.contains("ER-TECH-0006")));
    assert!(service.state.to_string().contains(RECIPIENT));
}
