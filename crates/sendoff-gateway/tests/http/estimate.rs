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

/// The environment `NAME`. Between two `@` is a place in the arguments of a case; a line whose place is absent is left out.
const ENVIRONMENT: &str = r#"
[environment.NAME]
listen = "127.0.0.1:0"
policy = "none"
[environment.NAME.deployment]
job_manager = @/1/jobManager@
paymaster = @/1/paymaster@
gas_limits.call = @/1/gasLimits/callGasLimit@
gas_limits.verification = @/1/gasLimits/verificationGasLimit@
gas_limits.pre_verification = @/1/gasLimits/preVerificationGas@
gas_limits.paymaster_verification = @/1/gasLimits/paymasterVerificationGasLimit@
gas_limits.paymaster_post_op = @/1/gasLimits/paymasterPostOpGasLimit@
[[environment.NAME.application]]
name = "shop"
client_swa = @/1/clientSWA@
[environment.NAME.application.sponsorship."CAIP2"]
gsnEnabled = @/1/policies/gsnEnabled@
sponsorshipEnabled = @/1/policies/sponsorshipEnabled@
transactionFee = @/1/fees/transactionFees/CAIP2@
[environment.NAME.application.catalogue]
chains = [{ caip2Id = "CAIP2", name = "CHAIN", net = "main", enabled = true }]
tokens = [{ caip2Id = "CAIP2", name = "T", tokenAddress = @/0/details/tokenAddress@, whitelisted = true }]
collections = [{ caip2Id = "CAIP2", collectionAddress = @/0/details/collectionAddress@, whitelisted = true }]
[[environment.NAME.application.user]]
token = DIGEST
user_swa = @/1/userSWA@
"#;

/// The environment with the facts of a case; `None` if a file cannot contain them.
fn environment(case: &Value) -> Option<String> {
    let (args, facts) = (&case["args"], &case["args"][1]);
    let has_usable_fees =
        facts["fees"].is_null() || facts["fees"]["approxTransactionFeesInUSDT"] == "";
    let is_usable = case["call"] == "estimate" && !case["ok"].is_null() && facts["gsn"].is_null();
    if !is_usable || !has_usable_fees {
        return None;
    }
    let text = ENVIRONMENT.replace("CAIP2", args.pointer("/0/details/caip2Id")?.as_str()?);
    let line = |line: &str| match line.split('@').collect::<Vec<_>>()[..] {
        [before, place, after] => {
            args.pointer(place).map(|value| format!("{before}{value}{after}\n"))
        }
        _ => Some(format!("{line}\n")),
    };
    Some(text.replace("DIGEST", &digest(TOKEN)).lines().filter_map(line).collect())
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
