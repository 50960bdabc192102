//! Requests at random.

use proptest::prelude::*;
use sendoff_sandbox::{Request, lies};

use crate::calls::{
    COLLECTION, RECIPIENT, TREASURY, USDC, USER, WALLET, client, request, server, transfer,
};

/// A request that a caller could send: mostly a good one.
fn any_request() -> impl Strategy<Value = Request> {
    let quantity =
        prop_oneof![Just("1"), Just("0.5"), Just("499"), Just("0"), Just("x"), Just("1000000")];
    let network = prop_oneof![6 => Just("POLYGON"), 1 => Just("BASE"), 1 => Just("polygon testnet amoy"), 1 => Just("ETHEREUM"), 1 => Just("X")];
    let good = (0..26_u8, quantity, network, 0..40_u64, any::<bool>()).prop_map(|(which, quantity, network, number, is_client)| {
        let tokens = format!(r#"{{"network_name":"{network}","token_address":"{}","quantity":"{quantity}","recipient_address":"{RECIPIENT}"}}"#, if is_client { USDC } else { "" });
        let nft = format!(r#"{{"opteration_type":"NFT_TRANSFER","network_name":"{network}","collection_address":"{COLLECTION}","collection_name":"","quantity":"{quantity}",
            "recipient_address":"{RECIPIENT}","nft_address":"{}","user_id":"{USER}"}}"#, 50 + number % 12);
        let raw = format!(r#"{{"network_name":"{network}","transaction":{{"from":"{}","to":"{USDC}","data":"0xa9059cbb{:0>64}{number:064x}","value":"0x"}}}}"#,
            if is_client { WALLET } else { RECIPIENT }, &RECIPIENT[2..]);
        let mint = format!(r#"{{"operation_type":"NFT_MINT","erc_type":"ERC721","network_name":"{network}","collection_address":"{COLLECTION}","collection_name":"s","quantity":"{quantity}",
            "metadata":{{"uri":"u","nftName":"n","description":"d"}}}}"#);
        match which {
            0..=3 => client("POST", "/api/v1/transfer/tokens/execute", &tokens),
            4 | 5 => client("POST", "/api/v1/nft/transfer", &nft),
            6 | 7 => client("POST", "/api/v1/rawtransaction/execute", &raw),
            8 => client("POST", "/api/oc/v1/estimate", &transfer(number)),
            9 => client("GET", "/api/v1/portfolio", ""),
            10 => client("GET", &format!("/api/v1/orders?offset={}&limit={number}", number % 3), ""),
            11 => client("GET", "/api/v1/supported/networks", ""),
            12 => client("GET", &format!("/api/v1/supported/tokens?page={number}&size=2"), ""),
            13 => client("GET", "/api/v1/portfolio/activity", ""),
            14 => client("GET", "/api/oc/v1/orders", ""),
            15 => server("POST", "/s2s/api/v1/wallet", &format!(r#"{{"network_name":"{network}","purpose":"token"}}"#)),
            16 => server("POST", "/s2s/api/v1/bulk-wallets", &format!(r#"{{"network_name":"{network}","purpose":"nft","wallet_count":{}}}"#, number % 4)),
            17 => server("POST", "/s2s/api/v2/nft/mint", &mint),
            18 => server("POST", "/s2s/api/v2/nft/transfer", &nft),
            19 => server("POST", &format!("/s2s/api/v2/transfer/tokens/execute/{}", if is_client { USER } else { TREASURY }), &tokens),
            20 => {
                let mut request = server("POST", &format!("/s2s/api/v1/rawtransaction/execute/{USER}"), &raw);
                request.headers.push(("job-id".into(), format!("5eced0d9-45ea-4954-b1d9-{:012x}", number % 4)));
                request
            }
            21 => server("GET", &format!("/s2s/api/v1/portfolio?user_id={USER}"), ""),
            22 => request("POST", "/api/v2/authenticate", &[("x-api-key", "sandbox-client-key")], &format!(r#"{{"id_token":"{number}"}}"#)),
            23 => request("POST", "/rpc", &[], &format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"eth_chainId"}}"#)),
            24 => client("POST", "/api/v1/wallet", "null"),
            _ => request("GET", "/api/v1/portfolio", &[], ""),
        }
    });
    let names: Vec<&str> = lies().map(|lie| lie.name).collect();
    let lying = (good.clone(), proptest::sample::select(names)).prop_map(|(mut request, lie)| {
        request.headers.push(("x-sandbox-lie".into(), lie.into()));
        request
    });
    let hostile = (any::<String>(), any::<String>(), any::<String>(), any::<bool>()).prop_map(
        |(target, value, body, is_client)| {
            let target = if is_client { target } else { format!("/api/v1/orders?{target}") };
            request("POST", &target, &[("authorization", &value), ("x-sandbox-lie", "")], &body)
        },
    );
    prop_oneof![8 => good, 2 => lying, 1 => hostile]
}

/// The requests of a day, each with the milliseconds before it.
pub(crate) fn day() -> impl Strategy<Value = Vec<(Request, i64)>> {
    // The clock may step back.
    proptest::collection::vec(
        (any_request(), prop_oneof![9 => 0..3_000_i64, 1 => -2_000..0_i64]),
        1..60,
    )
}
