//! Replies and what is altered of them.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sendoff::json;
use serde_json::Value;

use crate::from_schema::leaves;
use crate::{INTENTS, deployment, estimate};

/// A request with the reply made for it and the deployment it was made for.
#[derive(Debug)]
pub struct Case {
    pub request: String,
    pub reply: String,
    pub deployment: String,
}

impl Case {
    #[must_use]
    pub fn is_signable(&self, reply: &str) -> bool {
        json::signable(&self.request, reply, &self.deployment, None).is_ok()
    }

    #[must_use]
    pub fn is_verified(&self, reply: &str) -> bool {
        json::verify_estimate(&self.request, reply).unwrap().starts_with(r#"{"ok":true"#)
    }
}

/// Requests and facts of all intents, each with its reply.
pub fn estimates() -> impl Strategy<Value = (Value, Value, Value)> {
    prop::sample::select(INTENTS.to_vec()).prop_flat_map(estimate).prop_map(|(request, facts)| {
        let reply = json::estimate(&request.to_string(), &facts.to_string()).unwrap();
        (request, facts, reply.parse().unwrap())
    })
}

/// Cases of an intent, the same each time.
pub fn cases(kind: &'static str) -> impl Iterator<Item = Case> {
    let mut runner = TestRunner::deterministic();
    let strategy = estimate(kind);
    std::iter::repeat_with(move || {
        let (request, facts) = strategy.new_tree(&mut runner).unwrap().current();
        let (request, deployment) = (request.to_string(), deployment(&facts).to_string());
        let reply = json::estimate(&request, &facts.to_string()).unwrap();
        Case { request, reply, deployment }
    })
}

/// Every place in a tree as a JSON pointer, the root left out.
pub fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, part)| (key.clone(), part)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, part)| (index.to_string(), part)).collect()
        }
        _ => vec![],
    };
    for (key, part) in children {
        let place = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        found.push(place.clone());
        places(part, &place, found);
    }
}

/// The tree with another value at a place; `None` takes the place out.
#[must_use]
pub fn altered(tree: &Value, place: &str, value: Option<Value>) -> Value {
    let mut tree = tree.clone();
    let (parent, key) = place.rsplit_once('/').unwrap();
    let key = key.replace("~1", "/").replace("~0", "~");
    match (tree.pointer_mut(parent).unwrap(), value) {
        (Value::Object(fields), None) => drop(fields.remove(&key)),
        (Value::Object(fields), Some(value)) => drop(fields.insert(key, value)),
        (Value::Array(items), None) => drop(items.remove(key.parse().unwrap())),
        (Value::Array(items), Some(value)) => items[key.parse::<usize>().unwrap()] = value,
        _ => unreachable!(),
    }
    tree
}

/// Every field of a reply with another valid value of its kind, from the reply's schema; `None` for a field with only one.
/// Absent fields get a value.
pub fn revalued(reply: &Value, runner: &mut TestRunner) -> Vec<(String, Option<Value>)> {
    let meaning = |value: &Value| value.to_string().to_lowercase();
    let others = leaves("EstimateReply", reply).into_iter().map(|(place, values)| {
        let before = reply.pointer(&place).map(meaning);
        let mut tries = (0..20).map(|_| values.new_tree(runner).unwrap().current());
        let other = tries.find(|value| Some(meaning(value)) != before);
        (place, other)
    });
    others.collect()
}

/// Whether a rule speaks of a place, or of a part of it.
#[must_use]
pub fn is_ruled(place: &str) -> bool {
    let free = [
        "/data/details/estimation",
        "/data/details/swapFees",
        "/data/details/fees/approxTransactionFeesInUSDT",
    ];
    // Facts that a request says nothing of: any value of them is one that an estimate could have
    // made.
    let facts = [
        "/data/callData/gsn/isPossible",
        "/data/callData/gsn/tokens",
        "/data/userOps/callGasLimit",
        "/data/userOps/verificationGasLimit",
        "/data/userOps/preVerificationGas",
        "/data/userOps/paymaster",
        "/data/userOps/paymasterVerificationGasLimit",
        "/data/userOps/paymasterPostOpGasLimit",
    ];
    !free.iter().chain(&facts).any(|free| place == *free || place.starts_with(&format!("{free}/")))
        && !place.starts_with("/data/details/fees/transactionFees/")
}
