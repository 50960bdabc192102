//! Schema and reader agree on generated documents and texts.

use laws::chance::Chance;
use laws::from_schema::values;
use laws::spelling::{TEXTS, every_kind_keeps_spelling};
use laws::{extent, intent, replies::estimates};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::{ANSWERS, DOCUMENTS, OTHERS, Schemas, Tally, broken, definition};

/// The number of valid inputs of each kind, which are generated once and changed repeatedly.
const VALID: usize = 250;

/// The number of changed inputs of each kind.
fn cases() -> u64 {
    extent(2_500, 20_000)
}

/// Documents from a schema that satisfy it and break no other rule.
fn valid(schemas: &mut Schemas, name: &str) -> Vec<Value> {
    let schema = definition(name);
    let made = match name {
        "EstimateRequest" => estimates().prop_map(|(request, ..)| request).boxed(),
        "Intent" => intent().boxed(),
        "Catalogue" => values(name).prop_map(of_its_chains).boxed(),
        _ => values(name),
    };
    let mut runner = TestRunner::deterministic();
    let mut made = std::iter::repeat_with(|| made.new_tree(&mut runner).unwrap().current());
    let mut valid = vec![];
    while valid.len() < VALID {
        let value = made.by_ref().take(10_000).find(|value| {
            schemas.accept(&schema, value) && broken(name, &value.to_string(), value).is_empty()
        });
        valid.push(value.unwrap_or_else(|| panic!("{name}: no valid document in 10,000")));
    }
    valid
}

/// A catalogue whose tokens and collections are of its first chain.
fn of_its_chains(mut catalogue: Value) -> Value {
    let chain = catalogue["chains"][0]["caip2Id"].clone();
    for list in ["tokens", "collections"] {
        let entries = catalogue.get_mut(list).and_then(Value::as_array_mut);
        entries.into_iter().flatten().for_each(|entry| entry["caip2Id"] = chain.clone());
    }
    catalogue
}

/// Schema and reader judge each valid input, and changed ones.
fn judged(name: &str, valid: &[Value], change: impl Fn(&mut Chance, &Value) -> String) {
    let (mut schemas, schema, mut tally) = (Schemas::new(), definition(name), Tally::default());
    for value in valid {
        tally.judge(&mut schemas, name, &schema, &value.to_string());
    }
    for seed in 0..cases() {
        let mut chance = Chance::new(seed, name);
        let value = chance.pick(valid);
        tally.judge(&mut schemas, name, &schema, &change(&mut chance, &value));
    }
    println!("{name}: {} asked, {tally:?}", tally.asked());
    assert!(tally.accepted > 100 && tally.refused > 100, "{name}: both are tried");
}

#[test]
fn documents() {
    let mut schemas = Schemas::new();
    for (name, read) in DOCUMENTS.iter().chain(&OTHERS) {
        let valid = valid(&mut schemas, name);
        assert!(
            valid.iter().all(|value| read(&value.to_string())),
            "{name}: what is valid is read"
        );
        judged(name, &valid, Chance::mutated);
    }
}

#[test]
fn answers_come_back() {
    let mut runner = TestRunner::deterministic();
    for (name, comes_back) in ANSWERS {
        let made = values(name);
        let made = (0..500).map(|_| made.new_tree(&mut runner).unwrap().current().to_string());
        let count = made.filter(|text| comes_back(text)).count();
        println!("{name}: {count} of 500");
        assert!(count >= 25, "{name}: {count}");
    }
}

#[test]
fn texts() {
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
    let made: Vec<_> =
        (0..2_000).map(|_| json!(made.new_tree(&mut runner).unwrap().current())).collect();
    for (name, _) in TEXTS {
        judged(name, &made, |chance, value| {
            let text = value.as_str().unwrap().to_owned();
            let text = if chance.below(2) == 0 { chance.misspelled(&text) } else { text };
            every_kind_keeps_spelling(&text);
            json!(text).to_string()
        });
    }
}
