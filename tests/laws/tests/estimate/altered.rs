//! Altered replies are found, and are not signed.

use std::collections::BTreeMap;
use std::thread;

use laws::replies::{Case, altered, cases, estimates, is_ruled, places, revalued};
use laws::{INTENTS, deployment, extent, mutants};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rate_windows::dice::Dice;
use sendoff::error::IssueCode;
use sendoff::json;
use serde_json::{Value, json};

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
    let mut dice = Dice::new(1);
    for case in cases(kind) {
        let reply: Value = serde_json::from_str(&case.reply).unwrap();
        assert!(case.is_verified(&case.reply), "{}", case.reply);
        assert!(case.is_signable(&case.reply), "{}", case.reply);

        // Every byte of the call data.
        let hex = reply["data"]["userOps"]["callData"].as_str().unwrap().to_owned();
        let start = case.reply.find(&hex).unwrap();
        for at in 0..(hex.len() - 2) / 2 {
            let by = 1 + dice.below(255) as u8;
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
        if tried >= mutants(10_000, 100_000) {
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
        let chain = reply["data"]["callData"]["payload"]["caip2Id"].clone();
        let hash =
            |signable: String| serde_json::from_str::<Value>(&signable).unwrap()["hash"].clone();
        let signed =
            |text: &str| json::signable(&case.request, text, &case.deployment, None).ok().map(hash);
        let honest = signed(&case.reply).unwrap();

        for (place, value) in revalued(&reply, &mut runner) {
            let is_key = |key: &&str| key.parse::<usize>().is_err();
            let field: Vec<_> = place.split('/').filter(is_key).map(str::to_owned).collect();
            *all.entry(field).or_insert(false) |= value.is_some();
            // Any fee on the intent's own chain is valid.
            let is_fee = |value: &Value| {
                place.ends_with("/transactionFees")
                    && value.as_object().unwrap().keys().all(|key| chain == key.as_str())
            };
            let Some(value) = value.filter(|value| !is_fee(value)) else { continue };
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    /// A deployment with any other address is refused.
    #[test]
    fn another_deployment_is_refused(
        (request, facts, reply) in estimates(), key in prop::sample::select(vec!["jobManager", "paymaster", "clientSWA"]),
    ) {
        let mut other = deployment(&facts);
        other[key] = "0x00000000000000000000000000000000000000aa".into();
        let refusal = json::signable(&request.to_string(), &reply.to_string(), &other.to_string(), None).unwrap_err();
        prop_assert!(refusal.issues().iter().any(|issue| issue.code == IssueCode::Rule));
    }
}
