//! The documents of an estimate hold what their text says.

use laws::replies::{Case, altered, cases};
use laws::{INTENTS, deployment, estimate};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sendoff::estimate::{
    Deployment, EstimateReply, EstimateRequest, Facts, SignatureForm, signable,
};
use sendoff::intent::Names;
use sendoff::json;
use sendoff::user_op::{EntryPoint, EntryPointVersion};
use serde_json::{Value, json};

/// Live servers add fields, and send null for an empty array.
#[test]
fn a_reply_is_read_equally_with_and_without_its_request() {
    let mut runner = TestRunner::deterministic();
    for kind in INTENTS {
        let (request, facts) = estimate(kind).new_tree(&mut runner).unwrap().current();
        let text = json::estimate(&request.to_string(), &facts.to_string()).unwrap();
        let made: EstimateReply = text.parse().unwrap();
        assert_eq!(made.to_string(), text);

        let mut reply: Value = serde_json::from_str(&text).unwrap();
        for place in [
            "",
            "/data",
            "/data/callData",
            "/data/callData/gsn",
            "/data/details/fees",
            "/data/userOps",
        ] {
            reply.pointer_mut(place).unwrap()["note"] = json!({ "new": true });
        }
        let noted: EstimateReply = reply.to_string().parse().unwrap();
        assert_eq!(serde_json::from_value::<EstimateReply>(reply.clone()).unwrap(), noted);
        assert_eq!(noted, made);

        reply["data"]["callData"]["gsn"]["tokens"] = Value::Null;
        reply["data"]["callData"]["gsn"]["requiredNetworks"] = Value::Null;
        assert!(
            reply
                .to_string()
                .parse::<EstimateReply>()
                .unwrap()
                .data
                .call_data
                .gsn
                .required_networks
                .is_empty()
        );

        // Echoed fields are as strict as in a request, and a key of the fees is a chain.
        let refused = |change: &dyn Fn(&mut Value)| {
            let mut reply = reply.clone();
            change(&mut reply);
            let error = reply.to_string().parse::<EstimateReply>().unwrap_err();
            error
                .issues()
                .iter()
                .map(|issue| (issue.path.clone(), issue.code.to_string()))
                .collect::<Vec<_>>()
        };
        let issue = |path: &str, code: &str| vec![(path.to_owned(), code.to_owned())];
        let payload = refused(&|reply| reply["data"]["callData"]["payload"]["note"] = 1.into());
        assert_eq!(payload, issue("data.callData.payload.note", "unknown"));
        let fees = refused(&|reply| {
            reply["data"]["details"]["fees"]["transactionFees"] = json!({ "polygon": "1" })
        });
        assert_eq!(fees, issue("data.details.fees.transactionFees.polygon", "format"));
    }
}

#[test]
fn a_deployment_that_contradicts_itself_cannot_be_made() {
    let case = cases("TOKEN_TRANSFER").next().unwrap();
    let read: Deployment = case.deployment.parse().unwrap();
    let of_version = |version| {
        let entry_point = EntryPoint { version, ..read.entry_point() };
        Deployment::new(entry_point, read.job_manager, read.paymaster, read.client_swa)
    };

    let refusal = of_version(EntryPointVersion::V07)
        .with_signature_form(SignatureForm::TypedData)
        .unwrap_err();
    let paths: Vec<_> = refusal.issues().iter().map(|issue| &*issue.path).collect();
    assert_eq!(paths, ["signs"]);
    let text = of_version(EntryPointVersion::V07)
        .to_string()
        .replace(r#""jobManager""#, r#""signs":"typedData","jobManager""#);
    assert_eq!(text.parse::<Deployment>(), Err(refusal));

    let typed =
        of_version(EntryPointVersion::V08).with_signature_form(SignatureForm::TypedData).unwrap();
    assert_eq!(typed.to_string().parse(), Ok(typed));
}

/// The text of a tree with the keys of each object in the reverse order.
fn reversed(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .rev()
                .map(|(key, value)| format!("{}:{}", json!(key), reversed(value)))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(reversed).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

#[test]
fn bytes_are_no_document() {
    let bytes = serde::de::value::BytesDeserializer::<serde::de::value::Error>::new(b"{}");
    let error = <Facts as serde::Deserialize>::deserialize(bytes).unwrap_err();
    assert_eq!(error.to_string(), "invalid type: byte array, expected a JSON value");
}

/// The fields of a reply by the specification.
const FIELDS: [(&str, &str); 8] = [
    ("", "data status"),
    ("/data", "callData details userOps"),
    ("/data/callData", "clientSWA feePayerAddress gsn intentType jobId payload policies userSWA"),
    ("/data/callData/gsn", "isPossible isRequired requiredNetworks tokens"),
    ("/data/callData/policies", "gsnEnabled sponsorshipEnabled"),
    ("/data/details", "estimation fees swapFees"),
    ("/data/details/fees", "approxTransactionFeesInUSDT transactionFees"),
    (
        "/data/userOps",
        "callData callGasLimit maxFeePerGas maxPriorityFeePerGas nonce paymaster paymasterData paymasterPostOpGasLimit \
         paymasterVerificationGasLimit preVerificationGas sender verificationGasLimit",
    ),
];

/// The texts that are empty for an NFT transfer.
const EMPTY: [(&str, &str); 2] = [
    (
        "/data/details/estimation",
        "amount crossChainFee crossChainFeeCollector gasFeesInInputToken integratorFeesInInputToken outputAmount \
         platformBaseFeesInInputToken recommendedSlippage routeId routeValidUntil sameChainFee sameChainFeeCollector slippageUsed \
         totalFeesInInputToken",
    ),
    (
        "/data/details/swapFees",
        "gasFeesInInputToken integratorFeesInInputToken platformBaseFeesInInputToken totalFeesInInputToken",
    ),
];

/// The keys of an object, sorted.
fn keys(value: &Value, place: &str) -> String {
    let fields = value.pointer(place).and_then(Value::as_object);
    let mut keys: Vec<_> = fields.into_iter().flatten().map(|(key, _)| &**key).collect();
    keys.sort_unstable();
    keys.join(" ")
}

/// Each value of the operation has its length, and one with another length is a finding.
#[test]
fn values_of_an_operation_have_their_lengths() {
    for case in cases("NFT_TRANSFER").take(100) {
        let reply: Value = serde_json::from_str(&case.reply).unwrap();
        for (key, value) in reply["data"]["userOps"].as_object().unwrap() {
            let digits = value.as_str().and_then(|text| text.strip_prefix("0x")).unwrap();
            assert!(digits.bytes().all(|digit| digit.is_ascii_hexdigit()), "{key}: {digits}");
            let other = match &**key {
                "nonce" | "sender" | "paymaster" => {
                    assert_eq!(digits.len(), if key == "nonce" { 64 } else { 40 }, "{key}");
                    digits[2..].to_owned()
                }
                "callData" | "paymasterData" => {
                    assert_eq!(digits.len() % 2, 0, "{key}");
                    format!("{digits}0")
                }
                _ => {
                    assert!(digits == "0" || !digits.starts_with('0'), "{key}: {digits}");
                    format!("0{digits}")
                }
            };
            let other = Some(format!("0x{other}").into());
            let other = altered(&reply, &format!("/data/userOps/{key}"), other);
            assert!(!case.is_verified(&other.to_string()), "{key}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    /// Echoed values keep their bytes: rules 1 to 4 of the specification.
    #[test]
    fn echoed_values_are_unchanged((request, facts) in prop::sample::select(INTENTS.to_vec()).prop_flat_map(estimate)) {
        let reply = json::estimate(&request.to_string(), &facts.to_string()).unwrap();
        let reply: Value = serde_json::from_str(&reply).unwrap();
        let data = &reply["data"];
        prop_assert_eq!(&data["callData"]["intentType"], &request["type"]);
        prop_assert_eq!(&data["callData"]["jobId"], &request["jobId"]);
        prop_assert_eq!(&data["callData"]["payload"], &request["details"]);
        prop_assert_eq!(&data["userOps"]["maxFeePerGas"], &request["gasDetails"]["maxFeePerGas"]);
        prop_assert_eq!(&data["userOps"]["maxPriorityFeePerGas"], &request["gasDetails"]["maxPriorityFeePerGas"]);
        prop_assert_eq!(&data["userOps"]["paymasterData"], &request["paymasterData"]);
        prop_assert_eq!(&data["callData"]["userSWA"], &facts["userSWA"]);
    }

    /// No field is left out, and none is added.
    #[test]
    fn a_reply_has_the_fields_of_the_specification((request, facts) in prop::sample::select(INTENTS.to_vec()).prop_flat_map(estimate)) {
        let reply = json::estimate(&request.to_string(), &facts.to_string()).unwrap();
        let reply: Value = serde_json::from_str(&reply).unwrap();
        for (place, expected) in FIELDS.iter().chain(&EMPTY) {
            prop_assert_eq!(&keys(&reply, place), expected);
        }
        prop_assert_eq!(&reply["status"], "success");
    }

    #[test]
    fn an_nft_transfer_has_no_estimation_and_no_swap_fees((request, facts) in estimate("NFT_TRANSFER")) {
        let reply = json::estimate(&request.to_string(), &facts.to_string()).unwrap();
        let reply: Value = serde_json::from_str(&reply).unwrap();
        for (place, expected) in EMPTY {
            let texts = expected.split(' ').map(|key| (key.to_owned(), Value::from(""))).collect();
            prop_assert_eq!(reply.pointer(place), Some(&Value::Object(texts)));
        }
    }

    /// Letter case of hex and the order of keys have no meaning in a reply.
    #[test]
    fn letter_case_and_key_order_have_no_meaning((request, facts) in prop::sample::select(INTENTS.to_vec()).prop_flat_map(estimate)) {
        let reply = json::estimate(&request.to_string(), &facts.to_string()).unwrap();
        let mut reply: Value = serde_json::from_str(&reply).unwrap();
        for key in ["callData", "nonce", "sender", "paymaster", "paymasterData", "maxFeePerGas"] {
            let upper = reply["data"]["userOps"][key].as_str().unwrap().to_uppercase().replacen("0X", "0x", 1);
            reply["data"]["userOps"][key] = upper.into();
        }
        reply["data"]["later"] = json!({ "field": 1 });
        let case = Case {
            request: request.to_string(), reply: reversed(&reply), deployment: deployment(&facts).to_string(), bits: 0,
        };
        prop_assert!(case.is_verified(&case.reply));
        prop_assert!(case.is_signable(&case.reply));
    }

    /// Accessors return what the text of a document says.
    #[test]
    fn typed_documents_hold_their_text(
        (request, mut facts) in prop::sample::select(INTENTS.to_vec()).prop_flat_map(estimate),
        signs in prop::sample::select(vec!["personal", "raw", "typedData"]),
    ) {
        let reply = json::estimate(&request.to_string(), &facts.to_string()).unwrap();
        let typed: EstimateRequest = request.to_string().parse().unwrap();
        let payer = request["feePayerAddress"].as_str().filter(|payer| !payer.is_empty());
        prop_assert_eq!(typed.fee_payer_address().map(ToString::to_string), payer.map(str::to_owned));

        let mut place = deployment(&facts);
        (place["version"], place["signs"]) = ("0.8".into(), signs.into());
        let place: Deployment = place.to_string().parse().unwrap();
        let whole: EstimateReply = reply.parse().unwrap();
        let of_typed = signable(&typed, &whole, &place, &Names::default());
        let signable = signable(&typed, &reply, &place, &Names::default()).unwrap();
        prop_assert_eq!(of_typed.as_ref(), Ok(&signable));
        let said = serde_json::to_value(&signable).unwrap();
        prop_assert_eq!(&json!(signable.warnings()), &said["warnings"]);
        prop_assert_eq!(&json!(signable.typed_data()), &said["typedData"]);
        prop_assert_eq!(signable.typed_data().is_some(), signs == "typedData");

        let fees = json!({ "eip155:1": "2", "eip155:137": "3" });
        facts["fees"] = json!({ "approxTransactionFeesInUSDT": "1", "transactionFees": fees });
        let typed: Facts = facts.to_string().parse().unwrap();
        let listed = typed.fees.transaction_fees.as_slice().iter();
        prop_assert_eq!(listed.map(|(chain, fee)| (chain.to_string(), json!(fee.to_string()))).collect::<Value>(), fees.clone());
        prop_assert_eq!(&typed.to_string().parse::<Value>().unwrap()["fees"]["transactionFees"], &fees);
        for wrong in [json!({ "polygon": "1", "eip155:1": "2" }), json!({ "eip155:1": "-1", "eip155:137": "3" })] {
            facts["fees"]["transactionFees"] = wrong;
            prop_assert_eq!(facts.to_string().parse::<Facts>().unwrap_err().issues().len(), 1);
        }
    }
}
