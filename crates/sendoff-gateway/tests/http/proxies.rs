//! The caller's address behind trusted proxies. The header of any other peer changes nothing.

use crate::support::{self, Gateway, config, reply::Reply};

fn proxies(addresses: &str, header: &str) -> String {
    format!("proxies = {{ addresses = [{addresses}], header = \"{header}\" }}")
}

/// The addresses in the log after a request with each of these headers.
async fn logged(head: &str, requests: &[(&str, &str)]) -> Vec<String> {
    let mut gateway = Gateway::start(&config(r#""none""#, head, ""));
    for (name, value) in requests {
        let request = gateway.get("/api/v1/supported/networks").header(*name, *value);
        assert_eq!(Reply::to(request).await.status, 200);
    }
    let lines = support::requests(&gateway.stop()).into_iter();
    lines.map(|line| line["address"].as_str().expect("an address").to_owned()).collect()
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
