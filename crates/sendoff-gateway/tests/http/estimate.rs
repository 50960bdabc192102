//! `POST /api/oc/v1/estimate`.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{Gateway, TOKEN, client, config, reply::Reply};

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

fn token_transfer(token: &str) -> Value {
    let mut request = request();
    request["type"] = "TOKEN_TRANSFER".into();
    request["details"] = json!({
        "caip2Id": "eip155:80002", "recipientWalletAddress": "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906",
        "tokenAddress": token, "amount": "1",
    });
    request
}

async fn ask(gateway: &Gateway, request: &Value) -> Reply {
    Reply::to(gateway.estimate(request.to_string())).await
}

/// Replies have the same bytes as those of the core, for every vector whose facts a file can contain.
#[tokio::test]
async fn replies_equal_the_vectors() {
    let suite: Value =
        serde_json::from_str(include_str!("../../../../tests/vectors/estimate.json"))
            .expect("a suite");
    let cases = suite["cases"].as_array().expect("cases");
    let usable: Vec<_> = cases.iter().filter_map(|case| Some((case, environment(case)?))).collect();
    assert!(usable.len() >= 100, "{}", usable.len());
    let mut file = "admin = \"127.0.0.1:0\"\n".to_owned();
    for (index, (_, environment)) in usable.iter().enumerate() {
        write!(
            file,
            "{}",
            environment.replace("environment.NAME", &format!("environment.v{index:03}"))
        )
        .expect("text");
    }
    let gateway = Gateway::start(&file);
    assert_eq!(gateway.environments.len(), usable.len());
    let client = client();
    for ((case, _), (_, address)) in usable.iter().zip(&gateway.environments) {
        let (request, facts) = (case["args"][0].to_string(), case["args"][1].to_string());
        let post = client.post(format!("{address}/api/oc/v1/estimate")).bearer_auth(TOKEN);
        let reply =
            Reply::to(post.header("content-type", "application/json").body(request.clone())).await;
        assert_eq!(
            (reply.status.as_u16(), reply.header("content-type")),
            (200, Some("application/json"))
        );
        assert_eq!(
            Ok(reply.text),
            sendoff::json::estimate(&request, &facts).map_err(drop),
            "{}",
            case["name"]
        );
    }
}

/// The environment `NAME` with the facts of a case; `None` if a file cannot contain them.
fn environment(case: &Value) -> Option<String> {
    let (request, facts) = (&case["args"][0], &case["args"][1]);
    let (details, fees) = (&request["details"], &facts["fees"]);
    let has_usable_fees = fees.is_null() || fees["approxTransactionFeesInUSDT"] == "";
    if case["call"] != "estimate"
        || case["ok"].is_null()
        || !facts["gsn"].is_null()
        || !has_usable_fees
    {
        return None;
    }
    let fee = fees["transactionFees"].get(details["caip2Id"].as_str()?);
    let fee = fee.map(|fee| format!("transaction_fee = {fee}")).unwrap_or_default();
    let gas = &facts["gasLimits"];
    let token = details["tokenAddress"]
        .as_str()
        .map(|address| format!(r#"{{ name = "T", address = "{address}" }}"#));
    let collection = details["collectionAddress"].as_str().map(|address| format!("{address:?}"));
    Some(format!(
        r#"
[environment.NAME]
listen = "127.0.0.1:0"
policy = "none"
[environment.NAME.deployment]
job_manager = {}
paymaster = {}
gas_limits = {{ call = {}, verification = {}, pre_verification = {}, paymaster_verification = {}, paymaster_post_op = {} }}
[[environment.NAME.application]]
name = "shop"
client_swa = {}
[[environment.NAME.application.chain]]
id = {}
name = "CHAIN"
gsn_enabled = {}
sponsorship_enabled = {}
{fee}
tokens = [{}]
collections = [{}]
[[environment.NAME.application.user]]
token = {{ sha256 = "7c43ef5ae21d43ce2743f770c68e24def1a43ee2f416d2438410c8af7af2ff2c" }}
user_swa = {}
"#,
        facts["jobManager"],
        facts["paymaster"],
        gas["callGasLimit"],
        gas["verificationGasLimit"],
        gas["preVerificationGas"],
        gas["paymasterVerificationGasLimit"],
        gas["paymasterPostOpGasLimit"],
        facts["clientSWA"],
        details["caip2Id"],
        facts["policies"]["gsnEnabled"],
        facts["policies"]["sponsorshipEnabled"],
        token.unwrap_or_default(),
        collection.unwrap_or_default(),
        facts["userSWA"],
    ))
}

/// A token that is enabled on one chain is not enabled on another.
#[tokio::test]
async fn a_token_is_enabled_on_its_own_chain_only() {
    let usdc = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359";
    let polygon = format!(
        r#"
[[environment.sandbox.application.chain]]
id = "eip155:137"
name = "POLYGON"
tokens = [{{ name = "USDC", address = "{usdc}" }}]
"#
    );
    let gateway = Gateway::start(&(config(r#""none""#, "", "") + &polygon));
    for (chain, token, is_enabled) in [
        ("eip155:137", usdc, true),
        ("eip155:137", "", false),
        ("eip155:80002", usdc, false),
        ("eip155:80002", "", true),
    ] {
        let mut request = token_transfer(token);
        request["details"]["caip2Id"] = chain.into();
        let reply = ask(&gateway, &request).await;
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
    let gateway = Gateway::start(&config(r#""none""#, "", ""));
    let keys: String = (0..45_000)
        .map(|key| format!("\"\u{1}key-{key}\":1,").replace('\u{1}', "\\u0001"))
        .collect();
    let long = format!("\"{}\":1,", "\\u0001".repeat(150_000));
    for (unknown, shown) in [(keys, 100), (long, 1)] {
        let body = request().to_string().replacen('{', &format!("{{{unknown}"), 1);
        assert!(body.len() > 800_000);
        let reply = Reply::to(gateway.estimate(body)).await;
        reply.refused(400, Some("ER-TECH-0016"));
        assert_eq!(reply.issues().len(), shown);
        assert!(reply.text.len() < 64 << 10, "{}", reply.text.len());
        assert!(reply.issues().iter().all(|(path, _)| path.chars().count() <= 257));
    }
    assert_eq!(
        gateway.metric("sendoff_requests_total{operation=\"estimate\",status=\"400\"}").await,
        2
    );
}
