//! Law of clear signing: two operations have the same account only if they are equal.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use laws::replies::altered;
use laws::{INTENTS, deployment, mutants};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sendoff::json;
use serde_json::{Value, json};

/// Another value at a place in the server's decisions: facts that a request does not determine, and data of the deployment.
fn variants(facts: &Value, bits: u64) -> Vec<(Value, Value)> {
    let quantity = |shift: u32| json!(format!("{:#x}", (bits >> shift & 0xffff) + 1));
    let networks = [format!("eip155:{}", bits % 97 + 1)];
    let enabled = facts["policies"]["gsnEnabled"].as_bool().unwrap();
    let of_facts = [
        ("/gasLimits/callGasLimit", quantity(0)),
        ("/gasLimits/verificationGasLimit", quantity(8)),
        ("/gasLimits/preVerificationGas", quantity(16)),
        ("/gasLimits/paymasterVerificationGasLimit", quantity(24)),
        ("/gasLimits/paymasterPostOpGasLimit", quantity(32)),
        ("/policies/gsnEnabled", json!(!enabled)),
        ("/userSWA", json!(format!("0x{bits:040x}"))),
        (
            "/gsn",
            json!({ "isPossible": true, "isRequired": true, "requiredNetworks": networks, "tokens": [] }),
        ),
    ];
    let of_deployment =
        [("version", "0.8"), ("version", "0.9"), ("gasFeeOrder", "standard"), ("signs", "raw")];

    let at = deployment(facts);
    let facts_with =
        |(place, value): (&str, Value)| (altered(facts, place, Some(value)), at.clone());
    let deployment_with = |(key, value): (&str, &str)| {
        (facts.clone(), altered(&at, &format!("/{key}"), Some(value.into())))
    };
    let others = of_facts.map(facts_with).into_iter().chain(of_deployment.map(deployment_with));
    others.chain([(facts.clone(), at.clone())]).collect()
}

/// An account without its two hashes, which alone would distinguish operations.
fn plain(mut account: Value) -> String {
    let operation = account["operation"].as_object_mut().unwrap();
    operation.remove("callDataHash").unwrap();
    operation.remove("paymasterDataHash").unwrap();
    account.to_string()
}

#[test]
fn equal_accounts_belong_to_equal_operations() {
    // A hash of a text, because accounts are long and there are millions of them.
    let hasher = RandomState::new();
    for kind in INTENTS {
        let mut runner = TestRunner::deterministic();
        let strategy = (laws::estimate(kind), any::<u64>());
        let mut operations: HashMap<u64, u64> = HashMap::new();
        let mut tried = 0;
        while tried < mutants(2_000, 20_000) {
            let ((request, facts), bits) = strategy.new_tree(&mut runner).unwrap().current();
            let request_text = request.to_string();
            for (facts, at) in variants(&facts, bits) {
                let signable = json::estimate(&request_text, &facts.to_string())
                    .and_then(|reply| json::signable(&request_text, &reply, &at.to_string(), None));
                let Ok(signable) = signable else { continue };
                let mut signable: Value = signable.parse().unwrap();
                let account = plain(signable["account"].take());
                // The operation without letter case, and its EntryPoint. The paymaster data is that
                // of the request.
                let operation = signable["operation"].to_string().to_lowercase();
                let paymaster_data = request["paymasterData"].as_str().unwrap().to_lowercase();
                let signed = hasher.hash_one(operation + signable["digest"].as_str().unwrap());
                let said = hasher.hash_one(format!("{account}{paymaster_data}"));
                let earlier = operations.insert(said, signed);
                assert!(earlier.is_none_or(|earlier| earlier == signed), "{account}");
                tried += 1;
            }
        }
        println!("{kind}: {tried} operations, {} accounts, 0 collisions", operations.len());
    }
}
