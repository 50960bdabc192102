//! `GET /api/v1/supported/networks` and `…/tokens`.

use serde_json::{Value, json};

use crate::support::{Gateway, KEY, client, config, reply::Reply};

/// Two chains and three tokens of the application `shop`, and others of another application.
fn gateway() -> Gateway {
    let shop = r#"
[[environment.sandbox.application.chain]]
id = "eip155:137"
name = "POLYGON"
tokens = [{ name = "POL", address = "" }, { name = "USDC", address = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359" }]
[[environment.sandbox.application]]
name = "other"
client_swa = "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F"
keys = [{ env = "OTHER_KEY" }]
[[environment.sandbox.application.chain]]
id = "eip155:8453"
name = "BASE"
"#;
    Gateway::start_with(&(config(r#""none""#, "", "") + shop), &[("OTHER_KEY", "other")])
}

async fn list(gateway: &Gateway, key: &str, path: &str) -> Value {
    let reply = Reply::to(client().get(gateway.url(path)).header("x-api-key", key)).await;
    assert_eq!(
        (reply.status.as_u16(), reply.header("content-type")),
        (200, Some("application/json")),
        "{path}"
    );
    let reply = reply.json();
    assert_eq!(reply["status"], "success");
    reply["data"].clone()
}

#[tokio::test]
async fn an_application_sees_only_its_own_chains_and_tokens() {
    let gateway = gateway();
    let networks = json!({"network": [
        {"network_name": "POLYGON_TESTNET_AMOY", "chain_id": "80002"},
        {"network_name": "POLYGON", "chain_id": "137"},
    ]});
    assert_eq!(list(&gateway, KEY, "/api/v1/supported/networks").await, networks);
    let tokens = json!({"tokens": [
        {"token_name": "POL", "token_address": "", "network_name": "POLYGON_TESTNET_AMOY"},
        {"token_name": "POL", "token_address": "", "network_name": "POLYGON"},
        {
            "token_name": "USDC", "token_address": "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
            "network_name": "POLYGON",
        },
    ]});
    assert_eq!(list(&gateway, KEY, "/api/v1/supported/tokens").await, tokens);
    let base = json!({"network": [{"network_name": "BASE", "chain_id": "8453"}]});
    assert_eq!(list(&gateway, "other", "/api/v1/supported/networks").await, base);
    assert_eq!(list(&gateway, "other", "/api/v1/supported/tokens").await, json!({"tokens": []}));
}

#[tokio::test]
async fn pages_of_tokens() {
    let gateway = gateway();
    for (query, names) in [
        ("?size=2", vec!["POL", "POL"]),
        ("?page=2&size=2", vec!["USDC"]),
        ("?page=3&size=2", vec![]),
        ("?page=2", vec![]),
        ("?page=18446744073709551615&size=18446744073709551615", vec![]),
        ("?other=1&sizes=1", vec!["POL", "POL", "USDC"]),
    ] {
        let tokens = list(&gateway, KEY, &format!("/api/v1/supported/tokens{query}")).await;
        let tokens = tokens["tokens"].as_array().expect("tokens").iter();
        assert_eq!(
            tokens.map(|token| token["token_name"].as_str().expect("text")).collect::<Vec<_>>(),
            names,
            "{query}"
        );
    }
}
