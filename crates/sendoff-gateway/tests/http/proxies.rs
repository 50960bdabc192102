//! The caller's address behind trusted proxies. The header of any other peer changes nothing.

use std::{net::Ipv4Addr, time::Instant};

use axum::http::Request;
use serde_json::Value;

use super::connections::{connect_from, http2};
use crate::support::{
    Gateway, TOKEN, client, config,
    reply::Reply,
    wire::{self, PATIENCE, connect},
};

const NETWORKS: &str = "/api/v1/supported/networks";

fn proxies(addresses: &str, header: &str) -> String {
    format!("proxies = {{ addresses = [{addresses}], header = \"{header}\" }}")
}

/// The addresses in the log after a request with each of these headers.
async fn logged(head: &str, requests: &[(&str, &str)]) -> Vec<String> {
    let mut gateway = Gateway::start(&config(r#""none""#, head, ""));
    for (name, value) in requests {
        let request = client().get(gateway.url(NETWORKS)).bearer_auth(TOKEN).header(*name, *value);
        assert_eq!(Reply::to(request).await.status, 200);
    }
    let log = gateway.stop();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let requests = lines.filter(|line| line["message"] == "request");
    requests.map(|line| line["address"].as_str().expect("an address").to_owned()).collect()
}

#[tokio::test]
async fn a_trusted_proxy_names_the_caller() {
    let requests = [
        ("x-forwarded-for", "192.0.2.1"),
        ("x-forwarded-for", "203.0.113.7, 192.0.2.1"),
        ("x-forwarded-for", "192.0.2.1, 127.0.0.9"),
        ("x-forwarded-for", "2001:db8::5"),
        ("x-forwarded-for", "192.0.2.1, unknown"),
        ("forwarded", "for=192.0.2.1"),
        ("x-real-ip", "192.0.2.1"),
    ];
    let found = logged(&proxies("\"127.0.0.0/8\"", "x-forwarded-for"), &requests).await;
    let (one, proxy) = ("192.0.2.1", "127.0.0.1");
    assert_eq!(found, [one, one, one, "2001:db8::", proxy, proxy, proxy]);
    let found = logged(&proxies("\"127.0.0.1\"", "forwarded"), &requests).await;
    assert_eq!(found, [proxy, proxy, proxy, proxy, proxy, one, proxy]);
}

#[tokio::test]
async fn other_peers_name_nobody() {
    let requests = [
        ("x-forwarded-for", "192.0.2.1"),
        ("forwarded", "for=192.0.2.1"),
        ("x-forwarded-for", "10.0.0.1"),
    ];
    for head in [String::new(), proxies("\"10.0.0.0/8\", \"::1\"", "x-forwarded-for")] {
        assert_eq!(logged(&head, &requests).await, ["127.0.0.1"; 3], "{head}");
    }
}

/// Behind a proxy each caller has its own share of slots, and the proxy's connections are not limited by its address.
#[tokio::test]
async fn callers_behind_a_proxy_have_their_own_shares() {
    let bounds =
        "connections_per_address = 2\nrequests_per_address = 3\nrequests_per_connection = 3";
    let trusted = format!("{bounds}\n{}", proxies("\"127.0.0.1\"", "x-forwarded-for"));
    let gateway = Gateway::start(&config(r#""none""#, &trusted, ""));
    let mut held = Vec::new();
    for (from, caller) in [(1, "192.0.2.1"), (1, "192.0.2.2"), (1, "192.0.2.3"), (9, "192.0.2.4")] {
        let stream = connect_from(Ipv4Addr::new(127, 0, 0, from), &gateway).await.expect("a place");
        let (mut send, _ended) = http2(stream, 65_535).await;
        for _ in 0..3 {
            let request =
                Request::post(gateway.url("/api/oc/v1/estimate")).header("x-forwarded-for", caller);
            let request = request.header("authorization", format!("Bearer {TOKEN}"));
            let request =
                request.header("content-type", "application/json").body(()).expect("a request");
            send = send.ready().await.expect("a connection");
            held.push(send.send_request(request, false).expect("it is taken"));
        }
    }
    gateway.until("sendoff_requests_running", 12).await;

    let status = |caller: &str| {
        let request = client()
            .get(gateway.url(NETWORKS))
            .bearer_auth(TOKEN)
            .header("x-forwarded-for", caller);
        async { Reply::to(request).await.status.as_u16() }
    };
    // A request runs a moment before it is counted among those of its address.
    let began = Instant::now();
    while (status("192.0.2.1").await, status("192.0.2.3").await) != (503, 503) {
        assert!(began.elapsed() < PATIENCE, "expected full shares");
    }
    assert_eq!((status("192.0.2.4").await, status("192.0.2.5").await), (200, 200));
    // The peer that is no proxy holds its own share, whatever it wrote.
    let mut untrusted = connect_from(Ipv4Addr::new(127, 0, 0, 9), &gateway)
        .await
        .expect("a place")
        .into_std()
        .expect("a socket");
    untrusted.set_nonblocking(false).expect("a socket");
    let head = format!(
        "GET {NETWORKS} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\nx-forwarded-for: 192.0.2.77\r\n\r\n"
    );
    std::io::Write::write_all(&mut untrusted, head.as_bytes()).expect("the bytes are written");
    assert!(wire::head(&mut untrusted).starts_with("HTTP/1.1 503 "));
    drop((held, connect(gateway.socket())));
}
