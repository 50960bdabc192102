//! Laws of the estimate: its replies are verified and signable, and altered replies are not.

use std::collections::BTreeMap;
use std::{env, thread};

use laws::replies::{Case, altered, cases, is_ruled, places, revalued};
use laws::{INTENTS, deployment, estimate, extent};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sendoff::error::IssueCode;
use sendoff::estimate::{
    Deployment, EstimateReply, EstimateRequest, Facts, SignatureForm, signable, verify,
};
use sendoff::intent::Names;
use sendoff::json;
use sendoff::user_op::{EntryPoint, EntryPointVersion};
use serde_json::{Value, json};

/// The number of altered replies for each intent: `SENDOFF_MUTANTS`, or 10,000, with `SENDOFF_ALL` 100,000.
fn mutants() -> usize {
    env::var("SENDOFF_MUTANTS")
        .map_or(extent(10_000, 100_000), |text| text.parse().expect("a number of mutants"))
}

/// The text of call data with one byte altered; a change of letter case does not count, because it has no meaning there.
fn alter_byte(hex: &str, at: usize, by: u8) -> String {
    let place = 2 + 2 * at;
    let byte = u8::from_str_radix(&hex[place..place + 2], 16).unwrap();
    let by = if by == 0x20 && byte.is_ascii_alphabetic() { 0x01 } else { by };
    format!("{}{:02x}{}", &hex[..place], byte ^ by, &hex[place + 2..])
}

fn mutants_of(kind: &'static str) {
    let mut tried = 0;
    let mut last: Option<Case> = None;
    for mut case in cases(kind) {
        let reply: Value = serde_json::from_str(&case.reply).unwrap();
        assert!(case.is_verified(&case.reply), "{}", case.reply);
        assert!(case.is_signable(&case.reply), "{}", case.reply);

        // Every byte of the call data.
        let hex = reply["data"]["userOps"]["callData"].as_str().unwrap().to_owned();
        let start = case.reply.find(&hex).unwrap();
        for at in 0..(hex.len() - 2) / 2 {
            let by = 1 + case.next(255) as u8;
            let altered = alter_byte(&hex, at, by);
            let text =
                format!("{}{altered}{}", &case.reply[..start], &case.reply[start + hex.len()..]);
            // The deployment contains the job manager, and the request does not.
            let is_job_manager = (44..64).contains(&at);
            assert!(
                is_job_manager || !case.is_verified(&text),
                "byte {at} altered by {by:#x}: {text}"
            );
            assert!(!case.is_signable(&text), "byte {at} altered by {by:#x}: {text}");
            tried += 1;
        }

        // Every field: absent, of another type, and with another value.
        let mut all = vec![];
        places(&reply, "", &mut all);
        for place in &all {
            let other = match reply.pointer(place).unwrap() {
                Value::String(text) if text.starts_with("0x") => {
                    match text.rsplit_once(|_: char| true) {
                        Some((head, _)) if !text.ends_with('1') => format!("{head}1").into(),
                        _ => format!("{text}0").into(),
                    }
                }
                Value::String(text) => format!("{text}x").into(),
                Value::Bool(value) => (!value).into(),
                Value::Array(items) => Value::from([&items[..], &["eip155:77".into()]].concat()),
                // A chain of a namespace that no transfer has, because the intent's own chain would
                // be a valid key.
                _ => json!({ "solana:77": "1" }),
            };
            for value in [None, Some(Value::Null), Some(json!(7)), Some(other)] {
                // Live servers send null for an empty list, with the same meaning.
                if value == Some(Value::Null) && reply.pointer(place) == Some(&json!([])) {
                    continue;
                }
                let altered = altered(&reply, place, value);
                let text = altered.to_string();
                let is_broken =
                    altered.pointer(place).is_none_or(|part| part.is_null() || part.is_number());
                if is_ruled(place) {
                    assert!(!case.is_verified(&text), "{place}: {text}");
                }
                // The hash covers the whole operation, so every part of it must be valid.
                if is_ruled(place)
                    || place == "/data/userOps/paymaster"
                    || place.starts_with("/data/userOps/") && is_broken
                {
                    assert!(!case.is_signable(&text), "{place}: {text}");
                    tried += 1;
                }
            }
        }

        // A reply to another request.
        if let Some(last) = &last {
            assert!(!last.is_verified(&case.reply) && !last.is_signable(&case.reply));
            tried += 1;
        }
        last = Some(case);
        if tried >= mutants() {
            return;
        }
    }
}

#[test]
fn altered_replies_are_found() {
    thread::scope(|scope| {
        for kind in INTENTS {
            scope.spawn(|| mutants_of(kind));
        }
    });
}

/// A field that a rule speaks of has no other valid value than the request's and the facts'. All fields of the schema are
/// tried. A field of the operation that no rule speaks of is in the hash.
#[test]
fn replies_with_another_valid_value_are_found() {
    let mut runner = TestRunner::deterministic();
    let (mut tried, mut all) = (0, BTreeMap::new());
    for case in INTENTS.into_iter().flat_map(|kind| cases(kind).take(extent(50, 200))) {
        let reply: Value = serde_json::from_str(&case.reply).unwrap();
        let hash =
            |signable: String| serde_json::from_str::<Value>(&signable).unwrap()["hash"].clone();
        let signed =
            |text: &str| json::signable(&case.request, text, &case.deployment, None).ok().map(hash);
        let honest = signed(&case.reply).unwrap();

        for (place, value) in revalued(&reply, &mut runner) {
            let is_key = |key: &&str| key.parse::<usize>().is_err();
            let field: Vec<_> = place.split('/').filter(is_key).map(str::to_owned).collect();
            *all.entry(field).or_insert(false) |= value.is_some();
            let Some(value) = value else { continue };
            let text = altered(&reply, &place, Some(value)).to_string();
            assert!(!is_ruled(&place) || !case.is_verified(&text), "{place}: {text}");
            let is_bound = is_ruled(&place) || place == "/data/userOps/paymaster";
            let hash = signed(&text);
            assert!(!is_bound || hash.is_none(), "{place}: {text}");
            assert!(
                !place.starts_with("/data/userOps/") || hash != Some(honest.clone()),
                "{place}: {text}"
            );
            tried += 1;
        }
    }
    println!("{tried} replies, {} fields", all.len());
    let others =
        all.into_iter().filter_map(|(field, is_tried)| (!is_tried).then(|| field.join("/")));
    assert_eq!(
        others.collect::<Vec<_>>(),
        ["/data/callData/gsn/tokens", "/status"],
        "fields with only one valid value"
    );
}

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

/// The rules of the findings about a reply, in their order.
fn rules(request: &EstimateRequest, reply: &str) -> Vec<&'static str> {
    verify(request, reply).findings.iter().map(|finding| finding.rule.as_str()).collect()
}

/// A field that a request leaves open can have any form. A field that a signature covers must have its form to be signed.
#[test]
fn open_fields_have_any_form() {
    let case = cases("TOKEN_TRANSFER").next().unwrap();
    for (place, is_signable) in [
        ("/data/callData/gsn/isPossible", true),
        ("/data/callData/gsn/tokens", true),
        ("/data/details/estimation", true),
        ("/data/details/swapFees", true),
        ("/data/details/fees/approxTransactionFeesInUSDT", true),
        ("/data/userOps/callGasLimit", false),
        ("/data/userOps/preVerificationGas", false),
    ] {
        let mut reply: Value = serde_json::from_str(&case.reply).unwrap();
        *reply.pointer_mut(place).unwrap() = json!(7);
        let reply = reply.to_string();
        assert_eq!(
            (case.is_verified(&reply), case.is_signable(&reply)),
            (true, is_signable),
            "{place}"
        );
    }
}

#[test]
fn a_finding_has_one_rule_and_comes_once() {
    let case = cases("TOKEN_TRANSFER").next().unwrap();
    let request: EstimateRequest = case.request.parse().unwrap();
    let status = r#""status":"success""#;
    let kind = r#""intentType":"TOKEN_TRANSFER""#;
    let job = r#""callData":{"#;
    for (part, other, rule) in [
        (status, r#""status":"failed""#, "status"),
        (status, r#""state":"success""#, "shape"),
        (kind, r#""intentType":"GIFT""#, "intent-type"),
        (kind, r#""intent":"TOKEN_TRANSFER""#, "shape"),
        // Two problems of one field.
        (job, r#""callData":{"jobId":7,"#, "shape"),
    ] {
        assert_eq!(case.reply.matches(part).count(), 1, "{part}");
        assert_eq!(rules(&request, &case.reply.replace(part, other)), [rule], "{other}");
    }
    // Two fields whose places are too long to be shown whole, and look alike.
    let long = "a".repeat(300);
    let mut reply: Value = serde_json::from_str(&case.reply).unwrap();
    let fees = reply.pointer_mut("/data/details/fees/transactionFees").unwrap();
    for chain in [format!("{long}1"), format!("{long}2")] {
        fees[chain] = json!("1");
    }
    assert_eq!(rules(&request, &reply.to_string()), ["fee-chain"]);
}

/// A small reply can have tens of thousands of problems. An answer has the first 1,000 of them, and is no less a refusal.
#[test]
fn an_answer_has_the_first_thousand_findings_or_issues() {
    let case = cases("TOKEN_TRANSFER").next().unwrap();
    let request: EstimateRequest = case.request.parse().unwrap();
    let deployment: Deployment = case.deployment.parse().unwrap();
    let [some, many] = [1_200, 30_000].map(|count| {
        let mut reply: Value = serde_json::from_str(&case.reply).unwrap();
        reply["data"]["callData"]["gsn"]["requiredNetworks"] = vec![json!(1); count].into();
        let text = reply.to_string();
        let refusal = signable(&request, &text, &deployment, &Names::default()).unwrap_err();
        (verify(&request, &text), refusal)
    });
    assert_eq!((some.0.findings.len(), some.0.ok), (1_000, false));
    assert_eq!(some.1.issues().len(), 1_000);
    assert_eq!(some, many);
}

#[test]
fn a_deployment_that_contradicts_itself_cannot_be_made() {
    let case = cases("TOKEN_TRANSFER").next().unwrap();
    let read: Deployment = case.deployment.parse().unwrap();
    let of_version = |version| {
        let entry_point = EntryPoint { version, ..read.entry_point() };
        Deployment::new(entry_point, *read.job_manager(), *read.paymaster(), *read.client_swa())
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

    /// A deployment with any other address is refused.
    #[test]
    fn another_deployment_is_refused(
        (request, facts) in prop::sample::select(INTENTS.to_vec()).prop_flat_map(estimate),
        key in prop::sample::select(vec!["jobManager", "paymaster", "clientSWA"]),
    ) {
        let reply = json::estimate(&request.to_string(), &facts.to_string()).unwrap();
        let mut other = deployment(&facts);
        other[key] = "0x00000000000000000000000000000000000000aa".into();
        let refusal = json::signable(&request.to_string(), &reply, &other.to_string(), None).unwrap_err();
        prop_assert!(refusal.issues().iter().any(|issue| issue.code == IssueCode::Rule));
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
