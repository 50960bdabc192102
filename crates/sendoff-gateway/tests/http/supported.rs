//! `GET /api/v1/supported/networks` and `…/tokens`.

use crate::support::prelude::*;

const USDC: &str = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359";

/// Two chains and three tokens of the application `shop`, and others of another application.
fn gateway() -> Gateway {
    let other = application("other", &format!("keys = [{}]", digest("other")));
    let polygon = chain("eip155:137", "POLYGON", &[("POL", ""), ("USDC", USDC)]);
    let shop = config(UNLIMITED, "", "") + &polygon;
    Gateway::start(&(shop + &other + &chain("eip155:8453", "BASE", &[])))
}

/// What the lists have for a key.
async fn list(gateway: &Gateway, key: &str, list: &str) -> Value {
    let line = format!("GET /api/v1/supported/{list}");
    gateway.call(&line, &[("x-api-key", key)], "").await.data()
}

#[tokio::test]
async fn an_application_sees_only_its_own_chains_and_tokens() {
    let gateway = gateway();
    let network = |name: &str, id: &str| json!({"network_name": name, "chain_id": id});
    let token = |name: &str, address: &str, network: &str| json!({"token_name": name, "token_address": address, "network_name": network});
    let (amoy, polygon) = (network("POLYGON_TESTNET_AMOY", "80002"), network("POLYGON", "137"));
    let tokens = [
        token("POL", "", "POLYGON_TESTNET_AMOY"),
        token("POL", "", "POLYGON"),
        token("USDC", USDC, "POLYGON"),
    ];
    for (key, path, expected) in [
        (KEY, "networks", json!({"network": [amoy, polygon]})),
        (KEY, "tokens", json!({"tokens": tokens})),
        ("other", "networks", json!({"network": [network("BASE", "8453")]})),
        ("other", "tokens", json!({"tokens": []})),
    ] {
        assert_eq!(list(&gateway, key, path).await, expected, "{key} {path}");
    }
}

#[tokio::test]
async fn pages_of_tokens() {
    let gateway = gateway();
    for (query, names) in [
        ("?size=2", &["POL", "POL"][..]),
        ("?page=2&size=2", &["USDC"]),
        ("?page=3&size=2", &[]),
        ("?page=2", &[]),
        ("?page=18446744073709551615&size=18446744073709551615", &[]),
        ("?other=1&sizes=1", &["POL", "POL", "USDC"]),
    ] {
        let tokens = list(&gateway, KEY, &format!("tokens{query}")).await;
        let tokens = tokens["tokens"].as_array().expect("tokens").iter();
        let found: Vec<_> = tokens.map(|token| &token["token_name"]).collect();
        assert_eq!(found, names, "{query}");
    }
}
