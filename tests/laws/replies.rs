//! Replies and what is altered of them.

use std::ops::Range;

use alloy_primitives::{U256, eip191_hash_message, hex};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sendoff::estimate::{Deployment, EstimateReply};
use sendoff::json;
use sendoff::user_op::UserOp;
use serde_json::Value;

use crate::{INTENTS, deployment, estimate, hash_by_alloy, packed};

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
#[must_use]
pub fn places(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, part)| (key.clone(), part)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, part)| (index.to_string(), part)).collect()
        }
        _ => vec![],
    };
    let with_parts = |(key, part): (String, &Value)| {
        let place = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
        [String::new()].into_iter().chain(places(part)).map(move |inside| place.clone() + &inside)
    };
    children.into_iter().flat_map(with_parts).collect()
}

/// Every field and item that another tree has in a place of this one, with its value there, which is another.
#[must_use]
pub fn transplants(tree: &Value, other: &Value) -> Vec<(String, Value)> {
    let meaning = |value: &Value| value.to_string().to_lowercase();
    let transplant = |place: String| {
        let value = other.pointer(&place)?;
        let (parent, at) = place.rsplit_once('/')?;
        let is_place = match tree.pointer(parent)? {
            Value::Array(items) => at.parse::<usize>().is_ok_and(|at| at < items.len()),
            parent => parent.is_object(),
        };
        let is_other = tree.pointer(&place).map(meaning) != Some(meaning(value));
        (is_place && is_other).then(|| (place.clone(), value.clone()))
    };
    places(other).into_iter().filter_map(transplant).collect()
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

/// A reply that is altered, with what it says and where.
pub struct Original {
    pub case: Case,
    pub reply: Value,
    pub places: Vec<String>,
}

impl Original {
    #[must_use]
    pub fn new(case: Case) -> Self {
        let reply = case.reply.parse().unwrap();
        let original = Self { places: places(&reply), case, reply };
        assert_eq!(original.judge(&original.case.reply), [true; 2], "{}", original.case.reply);
        original
    }

    /// Whether an altered reply is verified and signed: it only is if it says the same, and the hash is that of what it says.
    pub fn judge(&self, text: &str) -> [bool; 2] {
        let Case { request, deployment, .. } = &self.case;
        let is_verified = self.case.is_verified(text);
        if is_verified {
            self.unchanged(&parsed(text), text, false);
        }
        let signable = json::signable(request, text, deployment, None).ok();
        if let Some(signable) = &signable {
            let reply = parsed(text);
            self.unchanged(&reply, text, true);
            self.hashed(&reply, &signable.parse().unwrap());
        }
        [is_verified, signable.is_some()]
    }

    /// Everything that a rule speaks of is as it was, but for letter case of hex and `null` for an empty list. The paymaster of a
    /// reply that is signed is the deployment's, and its job manager too.
    fn unchanged(&self, reply: &Value, text: &str, is_signable: bool) {
        let is_bound =
            |place: &&String| is_ruled(place) || is_signable && *place == "/data/userOps/paymaster";
        for place in self.places.iter().filter(is_bound) {
            let (before, now) = (self.reply.pointer(place).unwrap(), reply.pointer(place));
            let is_same = match (before, now) {
                (Value::Object(_), Some(Value::Object(now))) => {
                    // Any fee on the intent's own chain is valid.
                    let own = &self.reply["data"]["callData"]["payload"]["caip2Id"];
                    !place.ends_with("/transactionFees") || now.keys().all(|chain| own == chain)
                }
                (Value::Array(before), Some(Value::Null)) => before.is_empty(),
                (Value::Array(_), now) => now.is_some_and(Value::is_array),
                // A word or a quantity: zeros in front do not change a number.
                (Value::String(before), Some(Value::String(now))) if place.ends_with("/nonce") => {
                    number(before) == number(now)
                }
                (Value::String(before), Some(Value::String(now))) => {
                    let is_free = !is_signable && place.ends_with("/callData");
                    let free = if is_free { 44..64 } else { 0..0 };
                    before.len() == now.len() && meaning(before, free.clone()) == meaning(now, free)
                }
                (before, now) => Some(before) == now,
            };
            assert!(is_same, "{place}: {before} became {now:?}\n{text}");
        }
        // What the core keeps of it has no field more: those that were absent are absent. A reply that
        // lacks something that no rule speaks of is not kept.
        let kept = |text: &str| {
            let reply = text.parse::<EstimateReply>().ok()?.to_string();
            let mut all = places(&serde_json::from_str(&reply).unwrap());
            all.retain(|place| is_ruled(place));
            Some(all)
        };
        if let Some(kept_now) = kept(text) {
            assert_eq!(Some(kept_now), kept(&self.case.reply), "{text}");
        }
    }

    /// What is signed is the reply's operation, and the hash is that of the operation, by alloy.
    fn hashed(&self, reply: &Value, signable: &Value) {
        let mut operation = signable["operation"].clone();
        operation.as_object_mut().unwrap().remove("signature");
        for (key, value) in operation.as_object().unwrap() {
            let of_reply = reply["data"]["userOps"][key].as_str();
            let of_reply = of_reply.unwrap_or_else(|| panic!("{key} is signed: {reply}"));
            let value = value.as_str().unwrap();
            let is_same = value.eq_ignore_ascii_case(of_reply);
            assert!(is_same || number(value) == number(of_reply), "{key}: {value} of {reply}");
        }
        let op: UserOp = operation.to_string().parse().unwrap();
        let at = self.case.deployment.parse::<Deployment>().unwrap().entry_point();
        let hash = hash_by_alloy(packed(&op, at.gas_fee_order), &at).unwrap();
        assert_eq!(signable["hash"], hash.to_string());
        assert_eq!(signable["digest"], eip191_hash_message(hash).to_string());
    }
}

/// The reply, with 0 for numbers that no double can hold: JSON's grammar has no limit, and the core reads no double.
fn parsed(text: &str) -> Value {
    let mut text = text.to_owned();
    loop {
        let error = match serde_json::from_str(&text) {
            Ok(reply) => return reply,
            Err(error) => error,
        };
        assert!(
            error.to_string().starts_with("number out of range"),
            "accepted, and no JSON: {error}: {text}"
        );
        let line: usize = text.split_inclusive('\n').take(error.line() - 1).map(str::len).sum();
        let in_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let (before, after) = text.split_at(line + error.column());
        let (before, after) =
            (before.trim_end_matches(in_number), after.trim_start_matches(in_number));
        text = format!("{before}0{after}");
    }
}

/// A text without the letter case of hex, and without what is free in it. Call data has addresses and UUIDs as text, whose
/// letter case means nothing there either.
fn meaning(text: &str, free: Range<usize>) -> String {
    if let Some(Ok(bytes)) =
        text.strip_prefix("0x").filter(|text| text.len() > 1_000).map(hex::decode)
    {
        let mut bytes = bytes.to_ascii_lowercase();
        bytes.drain(free);
        return hex::encode(bytes);
    }
    let is_hex = text.starts_with("0x") || text.len() == 36 && text.matches('-').count() == 4;
    if is_hex { text.to_ascii_lowercase() } else { text.to_owned() }
}

fn number(text: &str) -> Option<U256> {
    U256::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// Whether a rule speaks of a place, or of a part of it.
fn is_ruled(place: &str) -> bool {
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
