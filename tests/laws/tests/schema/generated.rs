//! Schema and reader agree on generated documents and texts.

use laws::INTENTS;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use super::{DOCUMENTS, Dice, Schemas, TEXTS, Tally, definition};
use serde_json::{Value, json};

/// The number of valid inputs of each kind, which are generated once and changed repeatedly.
const VALID: usize = 250;

/// The number of changed inputs of each kind: 2,500, with `SENDOFF_ALL` 20,000.
fn cases() -> u64 {
    if std::env::var_os("SENDOFF_ALL").is_some() { 20_000 } else { 2_500 }
}

fn samples(runner: &mut TestRunner, strategy: impl Strategy<Value = Value>) -> Vec<Value> {
    (0..VALID).map(|_| strategy.new_tree(runner).unwrap().current()).collect()
}

/// Valid documents.
fn valid(name: &str) -> Vec<Value> {
    let mut runner = TestRunner::deterministic();
    let mut of = |strategy: BoxedStrategy<Value>| samples(&mut runner, strategy);
    let estimates = || prop::strategy::Union::new(INTENTS.map(|kind| laws::estimate(kind).boxed()));
    let intent =
        |request: &Value| json!({ "type": request["type"], "details": request["details"] });
    let grant = || {
        (laws::uuid(), laws::address(), 0..1_u64 << 48, 0..1_u64 << 48).prop_map(|(job, client, until, after)| {
            json!({ "jobId": job, "clientSWA": client, "validUntil": until, "validAfter": after })
        })
    };
    let time = -8_640_000_000_000_000..=8_640_000_000_000_000_i64;
    match name {
        "EstimateRequest" => of(estimates().prop_map(|(request, _)| request).boxed()),
        "Facts" => of(estimates().prop_map(|(_, facts)| facts).boxed()),
        "Deployment" => of(estimates().prop_map(|(_, facts)| laws::deployment(&facts)).boxed()),
        "EntryPoint" => of((laws::address(), 1..1_u64 << 53, "0\\.[789]", any::<bool>())
            .prop_map(|(address, chain, version, max_first)| {
                let order = if max_first { "maxFirst" } else { "standard" };
                json!({ "entryPoint": address, "chainId": chain, "version": version, "gasFeeOrder": order })
            })
            .boxed()),
        "Intent" => of(estimates().prop_map(move |(request, _)| intent(&request)).boxed()),
        "Call" => of(estimates()
            .prop_map(move |(request, facts)| {
                json!({
                    "jobManager": facts["jobManager"], "jobId": request["jobId"], "clientSWA": facts["clientSWA"],
                    "userSWA": facts["userSWA"], "feePayerAddress": "", "policies": facts["policies"],
                    "gsn": { "isRequired": true, "requiredNetworks": ["eip155:1", "solana:a"] },
                    "intent": intent(&request),
                })
            })
            .boxed()),
        "UserOp" => of(laws::user_op()),
        "PackOptions" => of(Just(json!({ "gasFeeOrder": "maxFirst" })).boxed()),
        "PaymasterGrant" => of(grant().boxed()),
        "PaymasterData" => of((grant(), "0x[0-9a-fA-F]{130}")
            .prop_map(|(mut data, signature)| {
                data.as_object_mut().unwrap().remove("jobId");
                data["signature"] = signature.into();
                data
            })
            .boxed()),
        "Policy" => of((1..1_u32 << 21, 1_000..=86_400_000_u32, -720..=840_i32, 0..=8_640_000_000_000_000_u64)
            .prop_map(|(limit, window, offset, hold)| {
                json!({
                    "limit": limit, "windowMs": window, "dayOffsetMinutes": offset, "midnight": "carry", "holdMs": hold,
                })
            })
            .boxed()),
        "Window" => {
            of((time, 0..1_u32 << 21).prop_map(|(start, count)| json!({ "start": start, "count": count })).boxed())
        }
        "Time" => of(time.prop_map(|time| json!(time)).boxed()),
        "RedisAsk" => of(("[-_a-zA-Z0-9]{1,32}", ".{1,9}", ".{0,9}", 1..1_u32 << 21, time)
            .prop_map(|(environment, scope, secret, cost, now)| {
                json!({
                    "environment": environment, "scope": scope, "secret": secret, "kind": "lease", "cost": cost,
                    "now": now,
                })
            })
            .boxed()),
        "ServiceReply" => of((any::<i32>(), ".{0,9}", any::<[bool; 5]>())
            .prop_map(|(code, message, has)| {
                if has[0] {
                    return json!({ "status": "success", "data": { "code": code, "list": [message] } });
                }
                let mut error = json!({ "code": code, "message": message });
                for (key, has) in ["errorCode", "trace_id", "traceId", "details"].iter().zip(&has[1..]) {
                    if *has {
                        error[key] = message.as_str().into();
                    }
                }
                json!({ "status": "error", "error": error })
            })
            .boxed()),
        "Catalogue" => of((1..9_u32, laws::address(), any::<[bool; 3]>(), ".{1,9}")
            .prop_map(|(chain, address, [enabled, whitelisted, has_name], name)| {
                let chain = format!("eip155:{chain}");
                let name = if has_name && !name.chars().any(char::is_control) { name } else { "N".into() };
                json!({
                    "disable": if enabled { "never" } else { "allowed" },
                    "chains": [{ "caip2Id": chain, "name": name, "net": "test", "enabled": enabled }],
                    "tokens": [
                        { "caip2Id": chain, "tokenAddress": "", "name": name, "whitelisted": whitelisted },
                        { "caip2Id": chain, "tokenAddress": address, "name": "T" },
                    ],
                    "collections": [{ "caip2Id": chain, "collectionAddress": address }],
                })
            })
            .boxed()),
        "CatalogueStep" => of((1..9_u32, laws::address(), 0..4_u32)
            .prop_map(|(chain, address, kind)| {
                let chain = format!("eip155:{chain}");
                match kind {
                    0 => json!({ "type": "enable", "caip2Id": chain }),
                    1 => json!({ "type": "disable", "caip2Id": chain }),
                    2 => json!({ "type": "whitelist", "caip2Id": chain, "tokenAddress": "" }),
                    _ => json!({ "type": "remove", "caip2Id": chain, "collectionAddress": address }),
                }
            })
            .boxed()),
        other => panic!("no generator for {other}"),
    }
}

#[test]
fn documents() {
    let mut schemas = Schemas::new();
    for name in DOCUMENTS {
        let (valid, schema, mut tally) = (valid(name), definition(name), Tally::default());
        for text in &valid {
            tally.judge(&mut schemas, name, &schema, &text.to_string());
        }
        assert_eq!(tally.accepted, valid.len(), "{name}: what is valid is accepted");
        for seed in 0..cases() {
            let mut dice = Dice::new(seed);
            let text = dice.mutated(dice.clone().pick(&valid));
            tally.judge(&mut schemas, name, &schema, &text);
        }
        println!("{name}: {} asked, {tally:?}", tally.asked());
        assert!(
            tally.accepted * 20 > tally.asked() && tally.refused * 20 > tally.asked(),
            "{name}: both are tried"
        );
    }
}

#[test]
fn texts() {
    let mut schemas = Schemas::new();
    let mut runner = TestRunner::deterministic();
    let made = prop_oneof![
        laws::address(),
        laws::uuid(),
        laws::hex_bytes(70),
        laws::quantity(128),
        laws::quantity(256),
        laws::amount(),
        laws::chain(),
        "0x[0-9a-f]{64}",
        "0x[0-9A-F]{130}",
        "[-a-z0-9]{2,9}:[-_a-zA-Z0-9]{0,33}",
        "ERC721|ERC1155|[-_a-zA-Z0-9]{0,33}",
        "\\PC{0,130}",
    ];
    let made: Vec<String> =
        (0..2_000).map(|_| made.new_tree(&mut runner).unwrap().current()).collect();
    for name in TEXTS {
        let (schema, mut tally) = (definition(name), Tally::default());
        for seed in 0..cases() {
            let mut dice = Dice::new(seed);
            let text = dice.pick(&made).clone();
            let text = if dice.below(2) == 0 { dice.misspelled(&text) } else { text };
            tally.judge(&mut schemas, name, &schema, &json!(text).to_string());
        }
        println!("{name}: {} asked, {tally:?}", tally.asked());
        assert!(tally.accepted > 100 && tally.refused > 100, "{name}: both are tried");
    }
}
