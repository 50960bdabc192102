//! The documents of an estimate hold what their text says.

use laws::replies::{Case, altered, cases, estimates};
use laws::{INTENTS, deployment};
use proptest::prelude::*;
use sendoff::estimate::{
    Deployment, EstimateReply, EstimateRequest, Facts, SignatureForm, signable,
};
use sendoff::intent::Names;
use sendoff::user_op::{EntryPoint, EntryPointVersion};
use serde_json::{Value, json};

/// Live servers add fields, and send null for an empty array. Echoed fields are as strict as in a request, and a key of the fees
/// is a chain.
#[test]
fn a_reply_is_read_equally_with_and_without_its_request() {
    for kind in INTENTS {
        let text = cases(kind).next().unwrap().reply;
        let made: EstimateReply = text.parse().unwrap();
        assert_eq!(made.to_string(), text);

        let mut reply: Value = text.parse().unwrap();
        let places = " /data /data/callData /data/callData/gsn /data/details/fees /data/userOps";
        for place in places.split(' ') {
            reply.pointer_mut(place).unwrap()["note"] = json!({ "new": true });
        }
        assert_eq!(reply.to_string().parse().as_ref(), Ok(&made));
        assert_eq!(serde_json::from_value::<EstimateReply>(reply.clone()).unwrap(), made);

        for list in ["tokens", "requiredNetworks"] {
            reply["data"]["callData"]["gsn"][list] = Value::Null;
        }
        let without: EstimateReply = reply.to_string().parse().unwrap();
        assert!(without.data.call_data.gsn.required_networks.is_empty());

        for (place, value, path, code) in [
            ("/data/callData/payload/note", json!(1), "data.callData.payload.note", "unknown"),
            (
                "/data/details/fees/transactionFees",
                json!({ "polygon": "1" }),
                "data.details.fees.transactionFees.polygon",
                "format",
            ),
        ] {
            let text = altered(&reply, place, Some(value)).to_string();
            let error = text.parse::<EstimateReply>().unwrap_err();
            let issues = error.issues().iter().map(|issue| (&*issue.path, issue.code.as_str()));
            assert!(issues.eq([(path, code)]), "{error}");
        }
    }
}

#[test]
fn a_deployment_that_contradicts_itself_cannot_be_made() {
    let read: Deployment = cases("TOKEN_TRANSFER").next().unwrap().deployment.parse().unwrap();
    let signs_typed_data = |version| {
        let entry_point = EntryPoint { version, ..read.entry_point() };
        Deployment::new(entry_point, read.job_manager, read.paymaster, read.client_swa)
            .with_signature_form(SignatureForm::TypedData)
    };

    let typed = signs_typed_data(EntryPointVersion::V08).unwrap();
    let text = typed.to_string();
    assert_eq!(text.parse(), Ok(typed));
    let refusal = signs_typed_data(EntryPointVersion::V07).unwrap_err();
    assert!(refusal.issues().iter().map(|issue| &*issue.path).eq(["signs"]));
    assert_eq!(text.replace("0.8", "0.7").parse::<Deployment>(), Err(refusal));
}

#[test]
fn bytes_are_no_document() {
    let bytes = serde::de::value::BytesDeserializer::<serde::de::value::Error>::new(b"{}");
    let error = <Facts as serde::Deserialize>::deserialize(bytes).unwrap_err();
    assert_eq!(error.to_string(), "invalid type: byte array, expected a JSON value");
}

/// The values of a request that a reply echoes.
const ECHOES: [(&str, &str); 6] = [
    ("/data/callData/intentType", "/type"),
    ("/data/callData/jobId", "/jobId"),
    ("/data/callData/payload", "/details"),
    ("/data/userOps/maxFeePerGas", "/gasDetails/maxFeePerGas"),
    ("/data/userOps/maxPriorityFeePerGas", "/gasDetails/maxPriorityFeePerGas"),
    ("/data/userOps/paymasterData", "/paymasterData"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    /// Echoed values keep their bytes: rules 1 to 4 of the specification.
    #[test]
    fn echoed_values_are_unchanged((request, facts, reply) in estimates()) {
        for (place, of_request) in ECHOES {
            prop_assert_eq!(reply.pointer(place), request.pointer(of_request));
        }
        prop_assert_eq!(&reply["data"]["callData"]["userSWA"], &facts["userSWA"]);
    }

    /// Letter case of hex, the order of keys and unknown fields have no meaning in a reply.
    #[test]
    fn letter_case_and_key_order_have_no_meaning((request, facts, mut reply) in estimates()) {
        for key in ["callData", "nonce", "sender", "paymaster", "paymasterData", "maxFeePerGas"] {
            let value = &mut reply["data"]["userOps"][key];
            *value = value.as_str().unwrap().to_uppercase().replacen("0X", "0x", 1).into();
        }
        reply["data"]["later"] = json!({ "field": 1 });
        // Keys are in their alphabetical order; the core has another.
        reply.sort_all_objects();
        let sorted = reply.to_string();
        prop_assert_eq!(sorted.find("\"data\""), Some(1));
        let case = Case {
            request: request.to_string(), reply: sorted, deployment: deployment(&facts).to_string(),
        };
        prop_assert!(case.is_verified(&case.reply));
        prop_assert!(case.is_signable(&case.reply));
    }

    /// Accessors return what the text of a document says.
    #[test]
    fn typed_documents_hold_their_text(
        (request, mut facts, reply) in estimates(), signs in prop::sample::select(vec!["personal", "raw", "typedData"]),
    ) {
        let reply = reply.to_string();
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
        prop_assert_eq!(listed.map(|(chain, fee)| (chain.to_string(), json!(fee.to_string()))).collect::<Value>(), fees);
    }
}
