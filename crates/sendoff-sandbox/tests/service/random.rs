//! A request of every operation, and requests at random: to every route, and some that no caller
//! would send.

use std::sync::LazyLock;

use proptest::{prelude::*, sample::Index, sample::select};
use sendoff_sandbox::{Request, State, answer, lies};

use crate::calls::*;

/// A row for each operation, in an order in which what it asks about is there: the head of its
/// request, its body, and what holds of its reply a second later than the one before.
/// [`numbered`] says what is in angle brackets.
pub(crate) fn exchanges() -> Vec<[String; 3]> {
    let one = tokens("1");
    let given = changed(&nft("58", ""), "{", r#"{"user_id":"<user>","#);
    let of_chain = changed(READ, r#""network_name":"POLYGON""#, r#""caip2Id":"eip155:137""#);
    let session = format!(
        r#"{{"authData":{{"idToken":"<number>","provider":"google"}},
        "sessionData":{{"sessionPk":"0x04{}"}}}}"#,
        "7f".repeat(64)
    );
    let wallets =
        r#"{"network_name":"POLYGON","purpose":"nft","wallet_count":100,"num_request":20}"#;
    let word = |address: &str| format!("{:0>64}", &address[2..]);
    let read = |to: &str, selector: &str, words: &str| {
        format!(r#"{{"to":"{to}","data":"0x{selector}{words}"}},"latest""#)
    };
    let call = format!("\"0xa9059cbb{}{:064x}\"", word(RECIPIENT), 7);
    let calling = changed(&changed(&raw(WALLET, "0"), "\"0x\"", &call), RECIPIENT, USDC);
    let balance = read(USDC, "70a08231", &word(RECIPIENT));
    let owner = read(COLLECTION, "6352211e", &format!("{:064x}", 57));
    let pieces = read(PIECES, "00fdd58e", &format!("{}{:064x}", word(WALLET), 56));
    let nonce = read("<entry>", "35567e1a", &format!("{}{:064x}", word(WALLET), 7));
    let of_hash = r#"{"address":"<entry>","topics":[null,"<hash>"]}"#;
    let rows = [
        [SEND, &one, "201 | data.orderId > <order>"],
        ["GET /api/v1/orders?order_id=<order>", "", "201 | job = RUNNING"],
        [NFT, &nft("56", ""), "201 | data.order_id > <moved>"],
        [RAW, &raw(WALLET, "0x10"), "201 | data.jobId > <raw>"],
        ["POST /api/oc/v1/estimate", "<intent>", "200 | data.userOps.sender ~ 0x"],
        ["POST /s2s/api/v1/wallet", wallets, "201 | data.purpose = NFT"],
        ["POST /s2s/api/v1/bulk-wallets", wallets, "201 | data.99.user_id ~ -"],
        ["POST /s2s/api/v2/nft/mint", &mint(COLLECTION), "201 | data.bulk_order_id > <minted>"],
        ["POST /s2s/api/v2/nft/transfer", &given, "201 | data.bulk_order_id ~ -"],
        ["POST /s2s/api/v2/transfer/tokens/execute/<user>", &one, "201 | data.bulk_order_id ~ -"],
        [
            "POST /s2s/api/v1/rawtransaction/execute/<user>\nx-api-key: sandbox-server-key\n\
             job-id: 5eced0d9-45ea-4954-b1d9-0000000000<number>",
            &calling,
            "201 | data.order_id > <job>",
        ],
        ["POST /api/oc/v1/execute", "<operation>", "200 | data.jobId ~ -"],
        ["RPC eth_sendUserOperation", r#"<operation>,"<entry>""#, "200 | result > <hash>"],
        ["RPC eth_estimateUserOperationGas", r#"<operation>,"<entry>""#, "200 | error = nothing"],
        ["POST /api/v2/authenticate", r#"{"id_token":"<number>"}"#, TOKENS],
        ["POST /api/v1/jwt-authenticate", r#"{"user_id":"<number>","auth_token":"t"}"#, TOKENS],
        [RENEW, "", TOKENS],
        ["POST /api/oc/v1/authenticate", &session, "200"],
        ["GET /api/v1/orders?order_id=<order>&order_state=SUCCESS", "", "201 | data.total = 1"],
        ["GET /api/v1/orders?offset=1&limit=<number>", "", "201 | data.jobs.0.order_id ~ -"],
        [
            "GET /api/v1/nft/order_details?order_id=<moved>&page=1&size=10",
            "",
            "201 | data.details.0.status = SUCCESS",
        ],
        ["GET /api/v1/rawtransaction/status?order_id=<raw>", "", "201 | job = SUCCESS"],
        ["GET /s2s/api/v1/rawtransaction/status/<user>?order_id=<job>", "", "201 | job = SUCCESS"],
        [
            "GET /s2s/api/v2/bulk_order_details/<treasury>?bulk_order_id=<minted>",
            "",
            "201 | data.executed.1.status = SUCCESS",
        ],
        ["GET /api/v1/portfolio", "", "201 | data.tokens.0.token_name = POL"],
        ["GET /api/v1/portfolio/activity", "", "201 | data.activity.0.description = Withdraw"],
        ["GET /api/v1/supported/networks", "", "201 | data.network.0.chain_id = 137"],
        ["GET /api/v1/supported/tokens?page=2&size=1", "", "201 | data.tokens.0.token_name = USDC"],
        ["GET /api/v1/user_from_token", "", "200 | data.user_id = <user>"],
        ["GET /api/v1/wallet", "", "201 | data.wallets.0.address = <wallet>"],
        ["GET /api/v1/widget/wallet", "", "201 | data.wallets.0.address = <wallet>"],
        ["POST /api/v1/wallet", "null", "200"],
        ["POST /api/v1/readContractData", READ, "200 | data.0 = 496999993"],
        ["POST /s2s/api/v1/readContractData", READ, "200 | data.0 = 496999993"],
        ["POST /api/oc/v1/readContractData", &of_chain, "200 | data.0 = 496999993"],
        [
            "GET /s2s/api/v1/portfolio?user_id=<user>",
            "",
            "201 | data.group_tokens.1.balance = 496.999993",
        ],
        ["GET /s2s/api/v1/wallet?user_id=<user>", "", "201 | data.wallets.0.address = <wallet>"],
        ["GET /s2s/api/v1/supported/tokens?user_id=<user>", "", "201 | data.tokens.0.symbol = POL"],
        ["GET /api/oc/v1/gas-values", "", "200"],
        ["GET /api/oc/v1/orders", "", "200 | item = SUCCESSFUL"],
        ["GET /api/oc/v1/wallets", "", "200 | data.0.caip_id = eip155:137"],
        ["GET /api/oc/v1/user-keys", "", "200"],
        ["GET /api/oc/v1/verify-session", "", "200"],
        ["GET /api/oc/v1/supported/networks", "", "200"],
        ["GET /api/oc/v1/supported/tokens", "", "200"],
        ["GET /api/oc/v1/aggregated-portfolio", "", "200"],
        ["GET /api/oc/v1/portfolio/activity?page=1", "", "200"],
        ["GET /api/oc/v1/portfolio/nft", "", "200"],
        ["RPC eth_chainId", "", "200 | result = 0x6b6f7358"],
        ["RPC eth_supportedEntryPoints", "", "200 | result.0 = <entry>"],
        ["RPC eth_getUserOperationByHash", r#""<hash>""#, "200 | result.blockHash ~ 0x"],
        ["RPC eth_getUserOperationReceipt", r#""<hash>""#, "200 | result.success = true"],
        ["RPC eth_call", &balance, "200 | result ~ 2dc6c7"],
        ["RPC eth_call", &owner, "200 | result ~ 0x00000"],
        ["RPC eth_call", &pieces, "200 | result ~ 19"],
        ["RPC eth_call", &nonce, "200 | result ~ 0"],
        ["RPC eth_getBlockByNumber", r#""finalized",false"#, "200 | result.number = 0x2"],
        ["RPC eth_getLogs", of_hash, "200 | result.0.topics.1 = <hash>"],
    ];
    rows.map(|row| row.map(String::from)).into()
}

/// A session that a reply opens.
pub(crate) const TOKENS: &str = "200 | data.auth_token > <token> \
    | data.refresh_auth_token > <refresh> | data.device_token > <device>";

/// A request of another session with the tokens of one.
pub(crate) const RENEW: &str = "POST /api/v1/refresh_token\nauthorization: Bearer <token>\n\
    x-refresh-authorization: Bearer <refresh>\nx-device-token: <device>";

/// The number of jobs.
const JOBS: usize = 48;

/// An estimate of an intent of each type.
fn intent(job: usize) -> String {
    let nft = format!(
        r#""nftId":"{}","recipientWalletAddress":"{RECIPIENT}","collectionAddress":"{COLLECTION}",
        "amount":"1","nftType":"ERC721""#,
        55 + job % 4
    );
    let raw = format!(
        r#""transactions":[{{"from":"{WALLET}","to":"{RECIPIENT}","data":"0x",
        "value":"0x{job:x}"}}]"#
    );
    let number = u64::try_from(job).unwrap();
    match job % 3 {
        0 => transfer(number),
        1 => estimate(number, "NFT_TRANSFER", "", &nft),
        _ => estimate(number, "RAW_TRANSACTION", "", &raw),
    }
}

/// The operation of each job, signed by the session key: the same for every seed.
static OPERATIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut service = Service::new("{}");
    (0..JOBS).map(|job| service.signed(&intent(job))).collect()
});

/// A text of an exchange: with a number, what a job of it asks for and what is signed then, and the
/// accounts that there are.
pub(crate) fn numbered(text: &str, number: usize) -> String {
    let (number, entry) = (number % JOBS, ENTRY_POINT);
    let names =
        [("<user>", USER), ("<treasury>", TREASURY), ("<wallet>", WALLET), ("<entry>", entry)];
    let text = names.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value));
    let text = text
        .replace("<operation>", OPERATIONS.get(number).unwrap())
        .replace("<intent>", &intent(number));
    text.replace("<number>", &format!("{number:02}"))
}

/// Words of requests, and others that a caller may say in their place.
const WORDS: [(&str, &[&str]); 9] = [
    ("POLYGON", &["BASE", "polygon testnet amoy", "ETHEREUM", "X"]),
    (r#""quantity":"1""#, &[r#""quantity":"0.5""#, r#""quantity":"499""#, r#""quantity":"0""#]),
    (r#""quantity":"1""#, &[r#""quantity":"x""#, r#""quantity":"1000000""#, "\"a\":7"]),
    (USDC, &["", PIECES]),
    (WALLET, &[RECIPIENT]),
    ("\"56\"", &["\"55\"", "\"57\"", "\"58\""]),
    ("\"wallet_count\":100", &["\"wallet_count\":2", "\"wallet_count\":0"]),
    ("<user>", &["<treasury>", "x"]),
    ("7f7f", &["7f"]),
];

/// A request that a caller could send, mostly a good one, and what is kept of its reply.
fn any_request() -> impl Strategy<Value = (Request, String)> {
    let changes = prop::collection::vec((select(&WORDS[..]), any::<Index>()), 0..3);
    let good = (select(exchanges()), changes, 0..JOBS, 0..16_u8);
    let good = good.prop_map(|([mut head, mut body, expected], changes, number, whose)| {
        for ((word, others), at) in changes {
            let other = at.get(others);
            (head, body) = (head.replacen(word, other, 1), body.replacen(word, other, 1));
        }
        let mut request = request(&numbered(&head, number), &numbered(&body, number));
        if whose == 0 {
            // Nobody that the service knows.
            request.headers.clear();
            request.body = request.body.replace(r#""params":["#, r#""params":7,"other":["#);
        }
        (request, expected)
    });
    let names: Vec<&str> = lies().map(|lie| lie.name).collect();
    let lying = (good.clone(), select(names))
        .prop_map(|((request, expected), lie)| (lying(&request, lie), expected));
    let hostile = (any::<String>(), any::<String>(), any::<String>(), any::<bool>());
    let hostile = hostile.prop_map(|(target, value, body, is_client)| {
        let target = if is_client { target } else { format!("/api/v1/orders?{target}") };
        let headers = vec![("authorization".into(), value), ("x-sandbox-lie".into(), "".into())];
        (Request { method: "POST".into(), target, headers, body }, String::new())
    });
    prop_oneof![8 => good, 2 => lying, 1 => hostile]
}

/// The requests of a day, each with the milliseconds before it. They name what a service with these
/// options answered before.
pub(crate) fn day(options: &'static str) -> impl Strategy<Value = Vec<(Request, i64)>> {
    // The clock may step back.
    let steps = prop_oneof![9 => 0..3_000_i64, 1 => -2_000..0_i64];
    prop::collection::vec((any_request(), steps), 1..60).prop_map(|day| {
        let (mut state, mut now) = (State::start(options).unwrap(), NOW);
        let mut known = Vec::new();
        let named = day.into_iter().map(|((mut request, expected), step)| {
            now += step;
            let headers = request.headers.iter_mut().map(|(_, value)| value);
            for text in [&mut request.target, &mut request.body].into_iter().chain(headers) {
                *text = filled(text, &known);
            }
            let reply = parse(&answer(&mut state, &request, now).body).unwrap_or_default();
            known.extend(kept(&expected, &reply));
            (request, step)
        });
        named.collect()
    })
}
