//! What the service keeps, and what it forgets.

use crate::calls::{
    COLLECTION, RECIPIENT, Service, USER, WALLET, client, code, lying, request, text,
};

/// Sends a raw transaction of a job with this number, and returns its order.
fn raw(service: &mut Service, job: u32) -> String {
    let path = format!("/s2s/api/v1/rawtransaction/execute/{USER}");
    let job = format!("5eced0d9-45ea-4954-b1d9-{job:012x}");
    let headers = [("x-api-key", "sandbox-server-key"), ("job-id", &*job)];
    let body = format!(
        r#"{{"network_name":"POLYGON","transaction":{{"from":"{WALLET}","to":"{RECIPIENT}","data":"0x","value":"0x0"}}}}"#
    );
    text(&service.send(&request("POST", &path, &headers, &body)), "data.order_id")
}

#[test]
fn a_job_id_makes_one_order_among_the_newest_5000() {
    let mut service = Service::new(r#"{"limits":null,"delays":{"start":0,"end":0}}"#);
    let orders: Vec<_> = (0..10_001)
        .map(|job| {
            service.now += 1;
            raw(&mut service, job)
        })
        .collect();
    for job in [10_000, 7_000, 5_001, 5_000] {
        assert_eq!(raw(&mut service, job), orders[usize::try_from(job).unwrap()], "{job}");
    }
    assert_ne!(raw(&mut service, 4_999), orders[4_999]);
}

#[test]
fn the_session_that_expires_first_is_dropped_first() {
    let mut service = Service::new("{}");
    let login = |service: &mut Service, user: &str| {
        service.now += 1;
        let reply = service.send(&request(
            "POST",
            "/api/v2/authenticate",
            &[("x-api-key", "sandbox-client-key")],
            &format!(r#"{{"id_token":"{user}"}}"#),
        ));
        text(&reply, "data.auth_token")
    };
    // The first user's own token is one of 10,000.
    let tokens: Vec<_> = (0..10_005).map(|_| login(&mut service, "somebody")).collect();
    let mut is_known = |token: &str| {
        let bearer = format!("Bearer {token}");
        let headers = [("authorization", &*bearer)];
        service.send(&request("GET", "/api/v1/user_from_token", &headers, "")).status == 200
    };
    let known: Vec<bool> = tokens.iter().map(|token| is_known(token)).collect();
    assert_eq!(known.iter().position(|known| *known), Some(6));
    assert!(known[6..].iter().all(|known| *known) && is_known("sandbox-token"));
}

/// A mint of a hundred NFTs with these metadata.
fn mint(uri: &str, name: &str, description: &str) -> String {
    format!(
        r#"{{"operation_type":"NFT_MINT","erc_type":"ERC721","network_name":"POLYGON","collection_address":"{COLLECTION}","collection_name":"super",
        "quantity":"100","metadata":{{"uri":"{uri}","nftName":"{name}","description":"{description}"}}}}"#
    )
}

#[test]
fn metadata_has_a_bound() {
    let mut service = Service::new("{}");
    for (most, at) in [(1_024, 0), (256, 1), (1_024, 2)] {
        for (length, status) in [(most, 201), (most + 1, 400)] {
            let mut texts = ["u".to_owned(), "n".into(), "d".into()];
            texts[at] = "a".repeat(length);
            let [uri, name, description] = &texts;
            let reply =
                service.server("POST", "/s2s/api/v2/nft/mint", &mint(uri, name, description));
            assert_eq!(reply.status, status, "{at} {length}: {}", reply.body);
        }
    }
}

#[test]
fn large_mints_do_not_grow_the_state_without_end() {
    let mut service = Service::new(r#"{"limits":null,"delays":{"start":0,"end":0}}"#);
    let [uri, name, description] = [1_024, 256, 1_024].map(|length| "a".repeat(length));
    let body = mint(&uri, &name, &description);
    let mut last = 0;
    for _ in 0..300 {
        service.now += 1;
        let reply = service.server("POST", "/s2s/api/v2/nft/mint", &body);
        last = reply.status;
        if last != 201 {
            assert_eq!(code(&reply), "ER-TECH-0006", "{}", reply.body);
            break;
        }
    }
    assert_eq!(last, 503);
    // Other requests are answered, and the state can be saved.
    assert_eq!(service.client("GET", "/api/v1/portfolio", "").status, 201);
    assert!(service.state.to_string().len() < 100 << 20);
}

#[test]
fn large_transactions_are_forgotten_first() {
    let mut service = Service::new(r#"{"limits":null,"delays":{"start":0,"end":0}}"#);
    let data = format!("0x{}", "ab".repeat(400_000));
    let body = format!(
        r#"{{"network_name":"POLYGON","transaction":{{"from":"{WALLET}","to":"{RECIPIENT}","data":"{data}","value":"0x0"}}}}"#
    );
    for _ in 0..40 {
        service.now += 1;
        let reply = service.client("POST", "/api/v1/rawtransaction/execute", &body);
        assert_eq!(reply.status, 201);
    }
    assert!(service.state.to_string().len() < 40 << 20);

    // What never ends cannot be forgotten: then the service is full.
    let raw = client("POST", "/api/v1/rawtransaction/execute", &body);
    let never = lying(&raw, "never-ends");
    let last = (0..40).map(|_| service.send(&never)).find(|reply| reply.status != 201);
    assert_eq!(last.map(|reply| (reply.status, code(&reply))), Some((503, "ER-TECH-0006".into())));
}
