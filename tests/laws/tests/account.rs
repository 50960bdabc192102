//! Law of clear signing: two operations have the same account only if they are equal.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::hash::{Hash, Hasher};

use laws::{INTENTS, deployment, estimate, extent};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sendoff::json;
use serde_json::{Value, json};

/// The number of operations that are compared for each intent: `SENDOFF_MUTANTS`, or 2,000, with `SENDOFF_ALL` 20,000.
fn mutants() -> usize {
    env::var("SENDOFF_MUTANTS")
        .map_or(extent(2_000, 20_000), |text| text.parse().expect("a number of mutants"))
}

/// A hash of a text, because accounts are long and there are millions of them.
fn number(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Variants of the server's decisions: facts that a request does not determine, and data of the deployment. Each variant changes
/// one of them.
fn variants(facts: &Value, deployment: &Value, bits: u64) -> Vec<(Value, Value)> {
    let quantity = |shift: u32| json!(format!("{:#x}", (bits >> shift & 0xffff) + 1));
    let mut all = vec![(facts.clone(), deployment.clone())];
    let mut with = |place: &str, value: Value| {
        let mut facts = facts.clone();
        *facts.pointer_mut(place).unwrap() = value;
        all.push((facts, deployment.clone()));
    };
    for (at, limit) in [
        "callGasLimit",
        "verificationGasLimit",
        "preVerificationGas",
        "paymasterVerificationGasLimit",
        "paymasterPostOpGasLimit",
    ]
    .into_iter()
    .enumerate()
    {
        with(&format!("/gasLimits/{limit}"), quantity(8 * at as u32));
    }
    let enabled = facts["policies"]["gsnEnabled"].as_bool().unwrap();
    with("/policies/gsnEnabled", json!(!enabled));
    with("/userSWA", json!(format!("0x{:040x}", bits)));
    let mut networks = facts.clone();
    networks["gsn"] = json!({ "isPossible": true, "isRequired": true, "requiredNetworks": [format!("eip155:{}", bits % 97 + 1)], "tokens": [] });
    all.push((networks, deployment.clone()));
    for (key, value) in [
        ("version", json!("0.8")),
        ("version", json!("0.9")),
        ("gasFeeOrder", json!("standard")),
        ("signs", json!("raw")),
    ] {
        let mut other = deployment.clone();
        other[key] = value;
        all.push((facts.clone(), other));
    }
    all
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
    for kind in INTENTS {
        let mut runner = TestRunner::deterministic();
        let strategy = (estimate(kind), any::<u64>());
        let mut operations: HashMap<u64, u64> = HashMap::new();
        let mut tried = 0;
        while tried < mutants() {
            let ((request, facts), bits) = strategy.new_tree(&mut runner).unwrap().current();
            for (facts, at) in variants(&facts, &deployment(&facts), bits) {
                let Ok(reply) = json::estimate(&request.to_string(), &facts.to_string()) else {
                    continue;
                };
                let Ok(signable) =
                    json::signable(&request.to_string(), &reply, &at.to_string(), None)
                else {
                    continue;
                };
                let mut signable: Value = serde_json::from_str(&signable).unwrap();
                let account = plain(signable["account"].take());
                // The operation without letter case, and its EntryPoint. The paymaster data is that
                // of the request.
                let operation = signable["operation"].to_string().to_lowercase();
                let paymaster_data = request["paymasterData"].as_str().unwrap().to_lowercase();
                let signed = [&operation, signable["digest"].as_str().unwrap()].concat();
                let earlier = operations
                    .insert(number(&format!("{account}{paymaster_data}")), number(&signed));
                assert!(earlier.is_none_or(|earlier| earlier == number(&signed)), "{account}");
                tried += 1;
            }
        }
        println!("{kind}: {tried} operations, {} accounts, 0 collisions", operations.len());
    }
}
