//! Altered replies are found, and are not signed.

use std::collections::BTreeSet;
use std::thread;

use laws::chance::Chance;
use laws::replies::{Original, altered, cases, transplants};
use laws::{INTENTS, extent, mutants};
use serde_json::{Value, json};

fn mutants_of(kind: &'static str) {
    let (mut tried, mut chance) = (0, Chance::new(1, kind));
    for case in cases(kind) {
        let original = Original::new(case);
        let Original { case, reply, places } = &original;
        let mut found = |text: &str| {
            let [_, is_signable] = original.judge(text);
            tried += usize::from(!is_signable);
        };

        // Every byte of the call data.
        let digits = reply["data"]["userOps"]["callData"].as_str().unwrap();
        let start = case.reply.find(digits).unwrap() + 2;
        for at in (start..start + digits.len() - 2).step_by(2) {
            let byte = u8::from_str_radix(&case.reply[at..at + 2], 16).unwrap();
            let other = format!("{:02x}", byte ^ (1 + chance.below(255) as u8));
            let mut text = case.reply.clone();
            text.replace_range(at..at + 2, &other);
            found(&text);
        }

        // Every field: absent, of another type, and with another value.
        for place in places {
            let other = match reply.pointer(place).unwrap() {
                Value::String(text) if text.starts_with("0x") && !text.ends_with('1') => {
                    format!("{}1", &text[..text.len() - 1]).into()
                }
                Value::String(text) => format!("{text}0").into(),
                Value::Bool(value) => (!value).into(),
                Value::Array(items) => Value::from([&items[..], &["eip155:77".into()]].concat()),
                // A chain of a namespace that no transfer has, because the intent's own chain would
                // be a valid key.
                _ => json!({ "solana:77": "1" }),
            };
            for value in [None, Some(Value::Null), Some(json!(7)), Some(other)] {
                found(&altered(reply, place, value).to_string());
            }
        }

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

/// A field that a rule speaks of has no other valid value than the request's and the facts'. Every field of a reply gets that of
/// other replies, of each intent. A field of the operation that no rule speaks of is in the hash.
#[test]
fn replies_with_another_valid_value_are_found() {
    let mut all: Vec<_> = INTENTS.into_iter().map(cases).collect();
    let turns = (0..extent(20, 80)).flat_map(|_| 0..INTENTS.len());
    let all: Vec<_> = turns.map(|kind| Original::new(all[kind].next().unwrap())).collect();
    let is_key = |key: &&str| key.parse::<usize>().is_err();
    let field = |place: &str| place.split('/').filter(is_key).collect::<Vec<_>>().join("/");

    let mut fields: BTreeSet<_> =
        all.iter().flat_map(|original| &original.places).map(|place| field(place)).collect();
    let mut tried = 0;
    for (at, original) in all.iter().enumerate() {
        for other in all.iter().cycle().skip(at + 1).take(INTENTS.len()) {
            for (place, value) in transplants(&original.reply, &other.reply) {
                fields.remove(&field(&place));
                original.judge(&altered(&original.reply, &place, Some(value)).to_string());
                tried += 1;
            }
        }
    }
    println!("{tried} replies");
    // No rule speaks of these, whose texts are the same in every reply that the core makes.
    fields.retain(|field| !["/estimation/", "/swapFees"].iter().any(|free| field.contains(free)));
    assert!(
        fields.iter().eq(["/data/callData/gsn/tokens", "/status"]),
        "fields with only one valid value: {fields:?}"
    );
}
