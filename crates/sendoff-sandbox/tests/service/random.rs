//! Requests at random: to every route, and some that no caller would send.

use std::{collections::BTreeMap, sync::LazyLock};

use proptest::prelude::*;
use sendoff_sandbox::{Request, State, answer, lies};

use crate::calls::{
    At, COLLECTION, ENTRY_POINT, NOW, PIECES, RECIPIENT, Service, TREASURY, USDC, USER, WALLET,
    client, estimate, parse, request, server, transfer,
};

/// What later requests name: its placeholder, a part of the request whose reply has it, and where.
const NAMED: [(&str, &str, &str); 8] = [
    ("<raw>", "rawtransaction/execute", "data.jobId"),
    ("<raw>", "rawtransaction/execute", "data.order_id"),
    ("<nft>", "/api/v1/nft/transfer", "data.order_id"),
    ("<bulk>", "/s2s/api/v2/", "data.bulk_order_id"),
    ("<hash>", "eth_sendUserOperation", "result"),
    ("<token>", "/api/", "data.auth_token"),
    ("<refresh>", "/api/", "data.refresh_auth_token"),
    ("<device>", "/api/", "data.device_token"),
];

/// The number of jobs.
const JOBS: u64 = 48;

/// An estimate of an intent of each type.
fn intent(job: u64) -> String {
    let nft = format!(
        r#""nftId":"{}","recipientWalletAddress":"{RECIPIENT}","collectionAddress":"{COLLECTION}","amount":"1","nftType":"ERC721""#,
        55 + job % 4
    );
    let raw = format!(
        r#""transactions":[{{"from":"{WALLET}","to":"{RECIPIENT}","data":"0x","value":"0x{job:x}"}}]"#
    );
    match job % 3 {
        0 => transfer(job),
        1 => estimate(job, "NFT_TRANSFER", "", &nft),
        _ => estimate(job, "RAW_TRANSACTION", "", &raw),
    }
}

/// The operation of each job, signed by the session key: the same for every seed.
static OPERATIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut service = Service::new(r#"{"limits":null}"#);
    (0..JOBS).map(|job| service.signed(&intent(job))).collect()
});

fn operation(job: u64) -> &'static str {
    OPERATIONS.get(usize::try_from(job).unwrap()).unwrap()
}

/// A request to the bundler.
fn bundler(which: u8, number: u64, is_client: bool) -> Request {
    let operation = operation(number);
    let word = |address: &str| format!("{:0>64}", &address[2..]);
    let (method, params) = match which {
        0 => ("eth_chainId", String::new()),
        1 => ("eth_supportedEntryPoints", String::new()),
        2 => ("eth_estimateUserOperationGas", format!(r#"{operation},"{ENTRY_POINT}""#)),
        3 => ("eth_getUserOperationByHash", r#""<hash>""#.into()),
        4 => ("eth_getUserOperationReceipt", r#""<hash>""#.into()),
        5 => {
            let (to, data) = match number % 4 {
                0 => (USDC, format!("0x70a08231{}", word(WALLET))),
                1 => (COLLECTION, format!("0x6352211e{number:064x}")),
                2 => (PIECES, format!("0x00fdd58e{}{number:064x}", word(WALLET))),
                _ => (ENTRY_POINT, format!("0x35567e1a{}{number:064x}", word(WALLET))),
            };
            ("eth_call", format!(r#"{{"to":"{to}","data":"{data}"}},"latest""#))
        }
        6 => ("eth_getBlockByNumber", r#""finalized",false"#.into()),
        7 => ("eth_getLogs", format!(r#"{{"address":"{ENTRY_POINT}","topics":[null,"<hash>"]}}"#)),
        _ => ("eth_sendUserOperation", format!(r#"{operation},"{ENTRY_POINT}""#)),
    };
    let params = if is_client || !number.is_multiple_of(4) { params } else { "null".into() };
    let body =
        format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":[{params}]}}"#);
    request("POST", "/rpc", &[], &body)
}

/// A read of a contract.
fn reading(network: &str, number: u64) -> String {
    let (name, contract, input, arg) = match number % 4 {
        0 => ("balanceOf", USDC, "account", WALLET.into()),
        1 => ("ownerOf", COLLECTION, "id", number.to_string()),
        2 => ("balanceOf", USDC, "account", format!("0x{number}")),
        _ => ("uri", PIECES, "id", number.to_string()),
    };
    format!(
        r#"{{"network_name":"{network}","data":{{"contractAddress":"{contract}","abi":{{"name":"{name}","inputs":[{{"name":"{input}"}}]}},"args":{{"{input}":"{arg}"}}}}}}"#
    )
}

/// A request that a caller could send: mostly a good one.
fn any_request() -> impl Strategy<Value = Request> {
    let quantity = prop_oneof![5 => Just("1"), 1 => Just("0.5"), 1 => Just("499"), 1 => Just("0"), 1 => Just("x"), 1 => Just("1000000")];
    let network = prop_oneof![6 => Just("POLYGON"), 1 => Just("BASE"), 1 => Just("polygon testnet amoy"), 1 => Just("ETHEREUM"), 1 => Just("X")];
    let good = (0..69_u8, quantity, network, 0..JOBS, any::<bool>()).prop_map(|(which, quantity, network, number, is_client)| {
        let tokens = format!(r#"{{"network_name":"{network}","token_address":"{}","quantity":"{quantity}","recipient_address":"{RECIPIENT}"}}"#, if is_client { USDC } else { "" });
        let nft = format!(r#"{{"opteration_type":"NFT_TRANSFER","network_name":"{network}","collection_address":"{COLLECTION}","collection_name":"","quantity":"{quantity}",
            "recipient_address":"{RECIPIENT}","nft_address":"{}","user_id":"{USER}"}}"#, 55 + number % 4);
        let raw = format!(r#"{{"network_name":"{network}","transaction":{{"from":"{}","to":"{USDC}","data":"0xa9059cbb{:0>64}{number:064x}","value":"0x"}}}}"#,
            if is_client { WALLET } else { RECIPIENT }, &RECIPIENT[2..]);
        let mint = format!(r#"{{"operation_type":"NFT_MINT","erc_type":"ERC721","network_name":"{network}","collection_address":"{COLLECTION}","collection_name":"s","quantity":"{quantity}",
            "metadata":{{"uri":"u","nftName":"n","description":"d"}}}}"#);
        let login = |path: &str, body: String| request("POST", path, &[("x-api-key", "sandbox-client-key")], &body);
        let asked = match which {
            0..=3 => client("POST", "/api/v1/transfer/tokens/execute", &tokens),
            4 | 5 => client("POST", "/api/v1/nft/transfer", &nft),
            6 | 7 => client("POST", "/api/v1/rawtransaction/execute", &raw),
            8 => client("POST", "/api/oc/v1/estimate", &intent(number)),
            9 => client("GET", "/api/v1/portfolio", ""),
            10 => client("GET", &format!("/api/v1/orders?offset={}&limit={number}", number % 3), ""),
            11 => client("GET", "/api/v1/supported/networks", ""),
            12 => client("GET", &format!("/api/v1/supported/tokens?page={number}&size=2"), ""),
            13 | 14 => client("GET", "/api/v1/portfolio/activity", ""),
            15 => client("GET", "/api/oc/v1/orders", ""),
            16 => server("POST", "/s2s/api/v1/wallet", &format!(r#"{{"network_name":"{network}","purpose":"token"}}"#)),
            17 => server("POST", "/s2s/api/v1/bulk-wallets", &format!(r#"{{"network_name":"{network}","purpose":"nft","wallet_count":{}}}"#, number % 4)),
            18 | 19 => server("POST", "/s2s/api/v2/nft/mint", &mint),
            20 => server("POST", "/s2s/api/v2/nft/transfer", &nft),
            21 => server("POST", &format!("/s2s/api/v2/transfer/tokens/execute/{}", if is_client { USER } else { TREASURY }), &tokens),
            22 => {
                let mut request = server("POST", &format!("/s2s/api/v1/rawtransaction/execute/{USER}"), &raw);
                request.headers.push(("job-id".into(), format!("5eced0d9-45ea-4954-b1d9-{:012x}", number % 4)));
                request
            }
            23 => server("GET", &format!("/s2s/api/v1/portfolio?user_id={USER}"), ""),
            24 => login("/api/v2/authenticate", format!(r#"{{"id_token":"{number}"}}"#)),
            25 => login("/api/v1/jwt-authenticate", format!(r#"{{"user_id":"{number}","auth_token":"t"}}"#)),
            26 | 27 => request("POST", "/api/v1/refresh_token", &[("authorization", "Bearer <token>"), ("x-refresh-authorization", "Bearer <refresh>"), ("x-device-token", "<device>")], ""),
            28 => client("GET", "/api/v1/user_from_token", ""),
            29 => client("POST", "/api/v1/wallet", "null"),
            30 => client("GET", "/api/v1/wallet", ""),
            31 => client("POST", "/api/v1/readContractData", &reading(network, number)),
            32 => server("POST", "/s2s/api/v1/readContractData", &reading(network, number)),
            33 | 34 => client("GET", "/api/v1/rawtransaction/status?order_id=<raw>", ""),
            35 => server("GET", &format!("/s2s/api/v1/rawtransaction/status/{USER}?order_id=<raw>"), ""),
            36 | 37 => client("GET", "/api/v1/nft/order_details?order_id=<nft>", ""),
            38 | 39 => server("GET", &format!("/s2s/api/v2/bulk_order_details/{TREASURY}?bulk_order_id=<bulk>"), ""),
            40 => server("GET", &format!("/s2s/api/v1/supported/tokens?user_id={USER}"), ""),
            41 => server("GET", &format!("/s2s/api/v1/wallet?user_id={USER}"), ""),
            42 => client("GET", "/api/oc/v1/gas-values", ""),
            43 => client("GET", "/api/oc/v1/wallets", ""),
            44 => request("POST", "/api/oc/v1/authenticate", &[], &format!(
                r#"{{"authData":{{"idToken":"{number}","provider":"google"}},"sessionData":{{"sessionPk":"0x04{}"}}}}"#, "7f".repeat(if is_client { 64 } else { 63 }))),
            45 | 46 => client("POST", "/api/oc/v1/execute", operation(number)),
            60 => client("GET", "/api/oc/v1/user-keys", ""),
            61 => client("GET", "/api/oc/v1/verify-session", ""),
            62 => client("GET", "/api/oc/v1/supported/networks", ""),
            63 => client("GET", "/api/oc/v1/supported/tokens", ""),
            64 => client("GET", "/api/oc/v1/aggregated-portfolio", ""),
            65 => client("GET", &format!("/api/oc/v1/portfolio/activity?page={number}"), ""),
            66 => client("GET", "/api/oc/v1/portfolio/nft", ""),
            67 => client("POST", "/api/oc/v1/readContractData", &reading(network, number).replace(r#""network_name":"POLYGON""#, r#""caip2Id":"eip155:137""#)),
            68 => client("GET", "/api/v1/widget/wallet", ""),
            _ => bundler(which - 47, number, is_client),
        };
        // Nobody that the service knows.
        if !is_client && number % 8 == 7 && asked.target != "/rpc" {
            Request { headers: Vec::new(), ..asked }
        } else {
            asked
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

/// The requests of a day, each with the milliseconds before it. They name what a service with these options answered before.
pub(crate) fn day(options: &'static str) -> impl Strategy<Value = Vec<(Request, i64)>> {
    // The clock may step back.
    let steps = prop_oneof![9 => 0..3_000_i64, 1 => -2_000..0_i64];
    proptest::collection::vec((any_request(), steps), 1..60)
        .prop_map(|day| named(State::start(options).unwrap(), day))
}

/// A day whose placeholders are replaced.
fn named(mut state: State, mut day: Vec<(Request, i64)>) -> Vec<(Request, i64)> {
    let (mut now, mut known) = (NOW, BTreeMap::<_, String>::new());
    for (request, step) in &mut day {
        now += *step;
        let headers = request.headers.iter_mut().map(|(_, value)| value);
        for text in [&mut request.target, &mut request.body].into_iter().chain(headers) {
            for (name, value) in &known {
                *text = text.replace(*name, value);
            }
        }
        let body = parse(&answer(&mut state, request, now).body);
        for (name, part, path) in NAMED {
            let is_it = request.target.contains(part) || request.body.contains(part);
            let found = body.as_ref().filter(|_| is_it).and_then(|body| body.at(path)?.as_str());
            known.extend(found.map(|found| (name, String::from(found))));
        }
    }
    day
}
