//! An example of each function for the reference page. The answers are computed with the page.

use std::collections::BTreeSet;
use std::fs;

use sendoff::error::Error;
use sendoff::json;
use sendoff::schema::FunctionSchema;
use serde_json::{Value, json};

use crate::project;

/// The length at which texts are cut. Call data can have kilobytes.
const SHOWN: usize = 64;

/// The documents that the examples share, and their calls.
pub(super) struct Examples {
    documents: Vec<(&'static str, Value)>,
    calls: Vec<(&'static str, &'static str, Result<String, Error>)>,
}

impl Examples {
    pub(super) fn new() -> Result<Self, String> {
        let read = |name: &str| {
            let file = project::at("tests/demo").join(name);
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))
        };
        let (request, facts, place) =
            (read("request.json")?, read("facts.json")?, read("deployment.json")?);
        let policy = r#"{"limit":1500,"windowMs":300000}"#;
        let window = r#"{"start":1750000000000,"count":1500}"#;
        let ask = r#"{"environment":"production","scope":"shop","kind":"admit"}"#;
        let reply = json::estimate(&request, &facts).map_err(text)?;
        let op = value(&reply)?["data"]["userOps"].to_string();
        let hex = value(&op)?["callData"].as_str().unwrap_or_default().to_owned();
        let call = json::decode_call(&hex).map_err(text)?;
        let place_value = value(&place)?;
        let [address, chain, version] =
            ["entryPoint", "chainId", "version"].map(|key| &place_value[key]);
        let entry_point =
            json!({ "entryPoint": address, "chainId": chain, "version": version }).to_string();
        let hash = json::user_op_hash(&op, &entry_point).map_err(text)?;
        let hash = hash.trim_matches('"').to_owned();
        let job = value(&request)?["jobId"].clone();
        let client = value(&facts)?["clientSWA"].clone();
        let until = json!({ "clientSWA": client, "validUntil": 1_750_005_400, "validAfter": 1_750_000_000 });
        let mut grant = until.clone();

        grant["jobId"] = job.clone();
        let mut data = until;

        data["signature"] = format!("0x{}1b", "11".repeat(64)).into();
        let paymaster_data = json::encode_paymaster_data(&data.to_string()).map_err(text)?;
        let paymaster_hex = paymaster_data.trim_matches('"').to_owned();
        let said = r#"{"status":"error","error":{"code":429,"errorCode":"ER-TECH-0100","message":"Rate Limit Exceeded","trace_id":"b75abffe"}}"#;
        let signature = format!("0x{}1b", "11".repeat(64));
        let sender = value(&op)?["sender"].as_str().unwrap_or_default().to_owned();
        let job_text = job.as_str().unwrap_or_default().to_owned();
        let nonce = value(&op)?["nonce"].as_str().unwrap_or_default().to_owned();

        let receipt = json!({
            "userOpHash": hash, "success": false, "actualGasCost": "0x4a817c800", "actualGasUsed": "0x34aef",
            "reason": "0x4e487b710000000000000000000000000000000000000000000000000000000000000011",
        })
        .to_string();

        let names = json!({
            "chains": [{ "caip2Id": "eip155:80002", "name": "Polygon Amoy" }],
            "tokens": [{ "caip2Id": "eip155:1802466136", "tokenAddress": "", "symbol": "SBX", "decimals": 18 }],
        })
        .to_string();

        let figures = json!({
            "maxFeePerGas": "0x9502f900", "callGasLimit": "0x927c0", "verificationGasLimit": "0x61a80",
            "preVerificationGas": "0x186a0", "paymasterVerificationGasLimit": "0x30d40",
            "paymasterPostOpGasLimit": "0x30d40",
        })
        .to_string();

        let step = json!({ "type": "sent", "jobId": job, "hash": hash }).to_string();
        let sent = value(&json::submission("null", &step).map_err(text)?)?["state"].to_string();
        let refused = r#"{"code":-32500,"message":"AA21 didn't pay prefund"}"#;
        let catalogue = r#"{"chains":[{"caip2Id":"eip155:137","name":"POLYGON","net":"main","enabled":true}],"tokens":[{"caip2Id":"eip155:137","tokenAddress":"","name":"POL","whitelisted":true}]}"#;
        let enable = r#"{"type":"enable","caip2Id":"eip155:137"}"#;

        let calls = vec![
            ("estimate", "request, facts", Ok(reply.clone())),
            (
                "verifyEstimate",
                "request, { ...reply, status: 'pending' }",
                json::verify_estimate(&request, &reply.replacen("success", "pending", 1)),
            ),
            (
                "signable",
                "request, reply, where, names",
                json::signable(&request, &reply, &place, Some(&names)),
            ),
            ("expectAround", "figures, 20", json::expect_around(&figures, Some("20"))),
            ("readText", "'quantity', '0x2255100'", json::read_text("quantity", "0x2255100")),
            ("encodeCall", "call", json::encode_call(&call)),
            ("decodeCall", "reply.data.userOps.callData", Ok(call.clone())),
            (
                "describeCall",
                "reply.data.userOps.callData, names",
                json::describe_call(&hex, Some(&names)),
            ),
            (
                "packUserOp",
                "reply.data.userOps, { gasFeeOrder: 'maxFirst' }",
                json::pack_user_op(&op, Some(r#"{"gasFeeOrder":"maxFirst"}"#)),
            ),
            ("userOpHash", "reply.data.userOps, entryPoint", json::user_op_hash(&op, &entry_point)),
            ("maxCost", "reply.data.userOps", json::max_cost(&op)),
            ("signingDigest", "hash", json::signing_digest(&hash)),
            ("assemble", "reply.data.userOps, signature", json::assemble(&op, &signature)),
            (
                "comparisonCode",
                "hash, '528231649302'",
                json::comparison_code(&hash, Some("528231649302")),
            ),
            ("readReceipt", "hash, receipt", json::read_receipt(&hash, &receipt)),
            ("unitsOf", "'0.5', 6", json::units_of("0.5", "6")),
            (
                "clearSigning",
                "reply.data.userOps.callData, names",
                json::clear_signing(&hex, Some(&names)),
            ),
            ("readRefusal", "refused", json::read_refusal(refused)),
            ("replacementFees", "reply.data.userOps, 20", json::replacement_fees(&op, Some("20"))),
            ("submission", "null, step", json::submission("null", &step)),
            (
                "submissionNext",
                "submission(null, step).state, 'asked'",
                json::submission_next(&sent, Some("asked")),
            ),
            (
                "nonceCall",
                "reply.data.userOps.sender, request.jobId",
                json::nonce_call(&sender, &job_text),
            ),
            (
                "readNonce",
                "request.jobId, reply.data.userOps.nonce",
                json::read_nonce(&job_text, &nonce),
            ),
            (
                "checkSignature",
                "hash, signature, reply.data.userOps.sender",
                json::signature::check_signature(&hash, &signature, &sender),
            ),
            (
                "signatureCall",
                "hash, signature, reply.data.userOps.sender",
                json::signature::signature_call(&hash, &signature, &sender),
            ),
            ("paymasterHash", "grant", json::paymaster_hash(&grant.to_string())),
            ("encodePaymasterData", "data", Ok(paymaster_data.clone())),
            ("decodePaymasterData", "paymasterData", json::decode_paymaster_data(&paymaster_hex)),
            (
                "catalogueStep",
                "catalogue, { type: 'enable', caip2Id: 'eip155:137' }",
                json::catalogue_step(catalogue, enable),
            ),
            ("listNetworks", "catalogue", json::list_networks(catalogue)),
            ("listTokens", "catalogue", json::list_tokens(catalogue)),
            ("permits", "catalogue, call.intent", {
                let intent = value(&call)?["intent"].to_string();
                json::permits(catalogue, &intent)
            }),
            (
                "admit",
                "policy, null, 1750000000000",
                json::admit(policy, "null", "1750000000000", None),
            ),
            (
                "touch",
                "policy, window, 1750000301000",
                json::touch(policy, window, "1750000301000"),
            ),
            (
                "peek",
                "policy, window, 1750000120500",
                json::peek(policy, window, "1750000120500", None),
            ),
            (
                "plan",
                "policy, window, 1750000120500, 2000",
                json::plan(policy, window, "1750000120500", "2000"),
            ),
            ("redisRequest", "policy, ask", json::redis_request(policy, ask)),
            (
                "redisAnswer",
                "policy, [2, 1, 1750000120500, 1750000000000, 1500]",
                json::redis_answer(policy, "[2,1,1750000120500,1750000000000,1500]"),
            ),
            (
                "findOperation",
                "'POST', '/s2s/api/v2/transfer/tokens/execute/u1'",
                json::find_operation("POST", "/s2s/api/v2/transfer/tokens/execute/u1"),
            ),
            (
                "operationPath",
                "'serverTransferTokens', { userId: 'u 1' }",
                json::operation_path("serverTransferTokens", r#"{"userId":"u 1"}"#),
            ),
            ("rateLimited", "'b75abffe', 53", json::rate_limited("b75abffe", "53")),
            (
                "refusal",
                "{ refused: 'method-not-allowed', operation: 'orders' }, 'b75abffe'",
                json::refusal(
                    r#"{"refused":"method-not-allowed","operation":"orders"}"#,
                    "b75abffe",
                ),
            ),
            (
                "unidentified",
                "'transferNft', 'Bearer expired'",
                json::unidentified("transferNft", Some("Bearer expired"), None),
            ),
            (
                "checkContent",
                "'estimate', 'text/plain'",
                json::check_content("estimate", Some("text/plain"), None),
            ),
            (
                "readTrace",
                "'00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'call 7'",
                json::read_trace(
                    Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
                    Some("call 7"),
                ),
            ),
            (
                "rateLimitFields",
                "policy, { admitted: false, phase: 'same', retryAfter: 53 }",
                json::rate_limit_fields(
                    policy,
                    r#"{"admitted":false,"phase":"same","retryAfter":53}"#,
                ),
            ),
            ("readReply", "body, '17'", json::read_reply(said, Some("17"))),
            (
                "checkDocument",
                "'Policy', { limit: 0 }",
                json::check_document("Policy", r#"{"limit":0}"#),
            ),
            ("readBearer", "'Bearer mF_9.B5f-4.1JqM'", json::read_bearer("Bearer mF_9.B5f-4.1JqM")),
        ];

        let documents = [
            ("request", &*request),
            ("facts", &facts),
            ("where", &place),
            ("names", &names),
            ("figures", &figures),
            ("entryPoint", &entry_point),
            ("grant", &grant.to_string()),
            ("data", &data.to_string()),
            ("policy", policy),
            ("window", window),
            ("ask", ask),
            ("body", said),
            ("signature", &json!(signature).to_string()),
            ("receipt", &receipt),
            ("step", &step),
            ("refused", refused),
            ("catalogue", catalogue),
        ];

        let documents = documents.into_iter().map(|(name, text)| Ok((name, value(text)?)));
        Ok(Self { documents: documents.collect::<Result<_, String>>()?, calls })
    }

    /// The call of a function with the documents that it uses, and its answer; empty for a function without arguments.
    pub(super) fn of(&self, function: &FunctionSchema, entry: &str) -> Result<String, String> {
        if function.arguments.is_empty() {
            return Ok(String::new());
        }
        let example = self.calls.iter().find(|(name, ..)| *name == function.name);
        let (name, arguments, answer) =
            example.ok_or_else(|| format!("expected an example of {}", function.name))?;
        let lines = match answer {
            Ok(answer) => shown(&value(answer)?, ""),
            Err(error) => format!("throws {}", shown(&json!(error), "")),
        };
        let comment: String = lines.lines().map(|line| format!("// {line}\n")).collect();

        let mut used = BTreeSet::new();
        words(arguments, &mut used);
        for (answer, call) in ANSWERS.iter().rev() {
            if used.contains(*answer) {
                words(call, &mut used);
            }
        }
        let documents = self.documents.iter().filter(|(name, _)| used.contains(*name));
        let documents =
            documents.map(|(name, document)| format!("const {name} = {}\n", shown(document, "")));
        let answers = ANSWERS.iter().filter(|(answer, _)| used.contains(*answer));
        let answers = answers.map(|(answer, call)| format!("const {answer} = {call}\n"));
        let given: String = documents.chain(answers).collect();

        let others = self
            .calls
            .iter()
            .map(|(other, ..)| *other)
            .filter(|other| used.contains(*other) && other != name);
        let others: Vec<_> = others.collect();
        let imports = match (entry, others.is_empty()) {
            (_, true) => format!("import {{ {name} }} from '{entry}'\n"),
            ("sendoff", false) => {
                let names: BTreeSet<_> = others.into_iter().chain([*name]).collect();
                format!(
                    "import {{ {} }} from 'sendoff'\n",
                    names.into_iter().collect::<Vec<_>>().join(", ")
                )
            }
            (_, false) => {
                format!(
                    "import {{ {} }} from 'sendoff'\nimport {{ {name} }} from '{entry}'\n",
                    others.join(", ")
                )
            }
        };
        let cut = if [&given, &comment].iter().any(|text| text.contains('…')) {
            " Long hex is cut."
        } else {
            ""
        };
        let gap = if given.is_empty() { "" } else { "\n" };
        Ok(format!(
            "\n## Example\n\nWith its answer.{cut}\n\n```js\n{imports}\n{given}{gap}{name}({arguments})\n{comment}```\n"
        ))
    }
}

/// Answers that other examples use, each after those that it uses.
const ANSWERS: [(&str, &str); 4] = [
    ("reply", "estimate(request, facts)"),
    ("call", "decodeCall(reply.data.userOps.callData)"),
    ("hash", "userOpHash(reply.data.userOps, entryPoint)"),
    ("paymasterData", "encodePaymasterData(data)"),
];

/// Adds the names in an expression that are not parts of another name or of a text.
fn words(expression: &str, found: &mut BTreeSet<String>) {
    for code in expression.split('\'').step_by(2) {
        let names = code
            .split(|c: char| !c.is_alphanumeric() && c != '.')
            .filter(|name| !name.starts_with('.'));
        found.extend(names.filter_map(|name| name.split('.').next()).map(ToOwned::to_owned));
    }
}

fn text(error: Error) -> String {
    error.to_string()
}

fn value(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// A value as JavaScript, on one line if it fits, with long texts cut.
fn shown(value: &Value, margin: &str) -> String {
    const WIDTH: usize = 100;

    let deeper = format!("{margin}  ");
    let (open, close, parts): (_, _, Vec<_>) = match value {
        Value::String(text) if text.chars().count() > SHOWN.saturating_add(4) => {
            let begin: String = text.chars().take(SHOWN).collect();
            return format!("'{begin}…'");
        }
        Value::String(text) => return format!("'{}'", text.replace('\'', "\\'")),
        Value::Array(items) => ("[", "]", items.iter().map(|item| shown(item, &deeper)).collect()),
        Value::Object(fields) => {
            let plain = |key: &str| key.chars().all(|c| c.is_alphanumeric() || c == '_');
            let key = |key: &str| if plain(key) { key.into() } else { format!("'{key}'") };
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{}: {}", key(name), shown(value, &deeper)));
            ("{", "}", fields.collect())
        }
        other => return other.to_string(),
    };

    let line = parts.join(", ");
    if parts.is_empty() {
        format!("{open}{close}")
    } else if line.len() < WIDTH && !line.contains('\n') {
        let gap = if open == "{" { " " } else { "" };
        format!("{open}{gap}{line}{gap}{close}")
    } else {
        let lines: String = parts.iter().map(|part| format!("{deeper}{part},\n")).collect();
        format!("{open}\n{lines}{margin}{close}")
    }
}
