//! What the service keeps, and what it forgets.

use crate::calls::{RECIPIENT, Service, USER, WALLET, request, text};

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
        service.send(&request("GET", "/api/v1/user_from_token", &headers, "")).status == 201
    };
    let known: Vec<bool> = tokens.iter().map(|token| is_known(token)).collect();
    assert_eq!(known.iter().position(|known| *known), Some(6));
    assert!(known[6..].iter().all(|known| *known) && is_known("sandbox-token"));
}
