//! Law of clear signing: two operations have the same account only if they are equal.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use laws::replies::{altered, transplants};
use laws::{INTENTS, deployment, mutants};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sendoff::json;
use serde_json::Value;

/// Facts with one part of others, which a request does not determine, and another deployment.
fn variants(facts: &Value, others: &Value) -> Vec<(Value, Value)> {
    let mut of_facts = vec![facts.clone()];
    let parts = transplants(facts, others).into_iter();
    of_facts.extend(parts.map(|(place, value)| altered(facts, &place, Some(value))));

    let at = deployment(facts);
    let of_deployment =
        [("version", "0.8"), ("version", "0.9"), ("gasFeeOrder", "standard"), ("signs", "raw")];
    let deployed = of_deployment
        .map(|(key, value)| (facts.clone(), altered(&at, &format!("/{key}"), Some(value.into()))));
    let with_deployment = of_facts.into_iter().map(|facts| {
        let at = deployment(&facts);
        (facts, at)
    });
    with_deployment.chain(deployed).collect()
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
        let strategy = (laws::estimate(kind), laws::estimate(kind));
        let mut operations: HashMap<u64, u64> = HashMap::new();
        let mut tried = 0;
        while tried < mutants(2_000, 20_000) {
            let ((request, facts), (_, others)) = strategy.new_tree(&mut runner).unwrap().current();
            let request_text = request.to_string();
            for (facts, at) in variants(&facts, &others) {
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
