//! `GET /api/v1/supported/networks` and `…/tokens`.

use crate::support::prelude::*;

const USDC: &str = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359";

#[tokio::test]
async fn an_application_sees_only_its_own_chains_and_tokens() {
    // Of who pays the catalogue has a table of its own.
    let shop = config(UNLIMITED, "", "").replacen("sponsorship = ", "# ", 1);
    let other = application("other", &key("other", "client"));
    let polygon = catalogue("environment.sandbox.application");
    let gateway = Gateway::start(&[&*shop, &polygon, &other, &polygon].concat());
    let network = |name: &str, id: &str| json!({"network_name": name, "chain_id": id});
    let token = |name: &str, address: &str, network: &str| json!({"token_name": name, "token_address": address, "network_name": network});
    let networks = |networks: &[Value]| json!({ "network": networks });
    let tokens = |tokens: &[&Value]| json!({ "tokens": tokens });
    let (amoy, polygon) = (network("POLYGON_TESTNET_AMOY", "80002"), network("POLYGON", "137"));
    let (pol, other) = (token("POL", "", "POLYGON_TESTNET_AMOY"), token("POL", "", "POLYGON"));
    let usdc = token("USDC", USDC, "POLYGON");
    for (key, list, expected) in [
        (KEY, "networks", networks(&[amoy, polygon.clone()])),
        ("other", "networks", networks(&[polygon])),
        ("other", "tokens", tokens(&[&other, &usdc])),
        (KEY, "tokens?other=1&sizes=1", tokens(&[&pol, &other, &usdc])),
        (KEY, "tokens?size=2", tokens(&[&pol, &other])),
        (KEY, "tokens?page=2&size=2", tokens(&[&usdc])),
        (KEY, "tokens?page=3&size=2", tokens(&[])),
        (KEY, "tokens?page=2", tokens(&[])),
        (KEY, "tokens?page=18446744073709551615&size=18446744073709551615", tokens(&[])),
    ] {
        let line = format!("GET /api/v1/supported/{list}");
        let reply = gateway.call(&line, &[("x-api-key", key)], "").await;
        assert_eq!(reply.data(), expected, "{key} {list}");
    }
}
