//! `POST /api/oc/v1/estimate`.

use std::fmt::Write as _;

use crate::support::prelude::*;

const COLLECTION: &str = "0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90";

/// A request that the environment `sandbox` answers.
pub(crate) fn request() -> Value {
    json!({
        "type": "NFT_TRANSFER", "jobId": "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "paymasterData": "0x",
        "gasDetails": {"maxFeePerGas": "0xBA43B7400", "maxPriorityFeePerGas": "0xBA43B7400"},
        "details": {
            "caip2Id": "eip155:80002", "nftId": "1", "recipientWalletAddress": "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906",
            "collectionAddress": COLLECTION, "amount": "1", "nftType": "ERC721",
        },
    })
}

/// Replies have the same bytes as those of the core, for every vector whose facts a file can contain.
#[tokio::test]
async fn replies_equal_the_vectors() {
    let suite = include_str!("../../../../tests/vectors/estimate.json");
    let suite: Value = serde_json::from_str(suite).expect("a suite");
    let cases = suite["cases"].as_array().expect("cases");
    let usable: Vec<_> = cases.iter().filter_map(|case| Some((case, environment(case)?))).collect();
    assert!(usable.len() >= 15, "{}", usable.len());
    let mut file = "admin = \"127.0.0.1:0\"\n".to_owned();
    for (index, (_, environment)) in usable.iter().enumerate() {
        let own = environment.replace("environment.NAME", &format!("environment.v{index:03}"));
        write!(file, "{own}").expect("text");
    }
    let gateway = Gateway::start(&file);
    assert_eq!(gateway.environments.len(), usable.len());
    let client = client();
    for ((case, _), (_, address)) in usable.iter().zip(&gateway.environments) {
        let (request, facts) = (case["args"][0].to_string(), case["args"][1].to_string());
        let post = client.post(format!("{address}{ESTIMATE}")).bearer_auth(TOKEN);
        let post = post.header("content-type", "application/json");
        let reply = Reply::to(post.body(request.clone())).await;
        assert_eq!((reply.status, reply.data().is_object()), (200, true));
        let expected = sendoff::json::estimate(&request, &facts).map_err(drop);
        assert_eq!(Ok(reply.text), expected, "{}", case["name"]);
    }
}

/// The environment `NAME` with the facts of a case; `None` if a file cannot contain them.
fn environment(case: &Value) -> Option<String> {
    let (request, facts) = (&case["args"][0], &case["args"][1]);
    let (details, fees) = (&request["details"], &facts["fees"]);
    let has_usable_fees = fees.is_null() || fees["approxTransactionFeesInUSDT"] == "";
    let is_usable = case["call"] == "estimate" && !case["ok"].is_null() && facts["gsn"].is_null();
    if !is_usable || !has_usable_fees {
        return None;
    }
    let chain = &details["caip2Id"];
    let fee = fees["transactionFees"].get(chain.as_str()?);
    let fee = fee.map(|fee| format!(", transactionFee = {fee}")).unwrap_or_default();
    let asset = |list: &str, key: &str, more: &str| {
        let address = details[key].as_str().map(|address| {
            format!("[[environment.NAME.application.catalogue.{list}]]\ncaip2Id = {chain}\n{key} = {address:?}\nwhitelisted = true\n{more}")
        });
        address.unwrap_or_default()
    };
    let token = asset("tokens", "tokenAddress", "name = \"T\"");
    let collection = asset("collections", "collectionAddress", "");
    let [call, verification, pre, paymaster_verification, paymaster_post_op] = [
        "callGasLimit",
        "verificationGasLimit",
        "preVerificationGas",
        "paymasterVerificationGasLimit",
        "paymasterPostOpGasLimit",
    ]
    .map(|name| &facts["gasLimits"][name]);
    Some(format!(
        r#"
[environment.NAME]
listen = "127.0.0.1:0"
policy = "none"
[environment.NAME.deployment]
job_manager = {}
paymaster = {}
gas_limits = {{ call = {call}, verification = {verification}, pre_verification = {pre}, paymaster_verification = {paymaster_verification}, paymaster_post_op = {paymaster_post_op} }}
[[environment.NAME.application]]
name = "shop"
client_swa = {}
sponsorship = {{ {chain} = {{ gsnEnabled = {}, sponsorshipEnabled = {}{fee} }} }}
[[environment.NAME.application.catalogue.chains]]
caip2Id = {chain}
name = "CHAIN"
net = "main"
enabled = true
{token}
{collection}
[[environment.NAME.application.user]]
token = {}
user_swa = {}
"#,
        facts["jobManager"],
        facts["paymaster"],
        facts["clientSWA"],
        facts["policies"]["gsnEnabled"],
        facts["policies"]["sponsorshipEnabled"],
        digest(TOKEN),
        facts["userSWA"],
    ))
}

/// A token that is enabled on one chain is not enabled on another.
#[tokio::test]
async fn a_token_is_enabled_on_its_own_chain_only() {
    let usdc = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359";
    let polygon = chain("eip155:137", "POLYGON", &[("USDC", usdc)]);
    let gateway = Gateway::start(&(config(UNLIMITED, "", "") + &polygon));
    for (chain, token, is_enabled) in [
        ("eip155:137", usdc, true),
        ("eip155:137", "", false),
        ("eip155:80002", usdc, false),
        ("eip155:80002", "", true),
    ] {
        let mut request = request();
        request["type"] = "TOKEN_TRANSFER".into();
        let to = request["details"]["recipientWalletAddress"].clone();
        request["details"] = json!({ "caip2Id": chain, "recipientWalletAddress": to, "tokenAddress": token, "amount": "1" });
        let reply = gateway.estimate(request.to_string()).await;
        if is_enabled {
            assert_eq!(reply.status, 200, "{}", reply.text);
        } else {
            let message = reply.refused(400, Some("ER-TECH-0005"));
            assert!(message.contains(&format!("on `{chain}`")), "{message}");
        }
    }
}

/// The reply to a body with very many problems, or with a very long key, is below 64 KiB.
#[tokio::test]
async fn an_error_reply_has_a_limited_length() {
    let gateway = Gateway::plain("", "");
    let keys: String = (0..45_000).map(|key| format!("\"\\u0001key-{key}\":1,")).collect();
    let long = format!("\"{}\":1,", "\\u0001".repeat(150_000));
    for (unknown, shown) in [(keys, 100), (long, 1)] {
        let body = request().to_string().replacen('{', &format!("{{{unknown}"), 1);
        assert!(body.len() > 800_000);
        let reply = gateway.estimate(body).await;
        reply.refused(400, Some("ER-TECH-0016"));
        assert_eq!(reply.issues().len(), shown);
        assert!(reply.text.len() < 64 << 10, "{}", reply.text.len());
        assert!(reply.issues().iter().all(|(path, _)| path.chars().count() <= 257));
    }
    let counted = "sendoff_requests_total{operation=\"estimate\",status=\"400\"}";
    assert_eq!(gateway.metric(counted).await, 2);
}
