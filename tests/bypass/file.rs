//! The classes and their cases as JSON, for other SDKs.
//!
//! `tests/bypass/cases.json` has one or two cases of each class. It is an object of three lists,
//! `classes`, `exchanges` and `cases`, with
//! an item a line. An exchange is honest: with its `request`, `where` and `reply`, `signable`
//! answers. Some have more: `signed`, a signature of the answer's digest and its
//! signer; or `challenge`, which a second device has chosen. A case is an attack on it:
//!
//! | field | content |
//! |---|---|
//! | `name`, `class`, `type` | the name of the case, its class, and the `type` of its request |
//! | `exchange` | the index of its exchange |
//! | `attack` | the documents that replace those of the exchange |
//! | `expect` | what must become of the attack |
//!
//! | document of an attack | content |
//! |---|---|
//! | `request`, `where` | another request, another deployment |
//! | `replyPatch` | the changes of the reply, as a [JSON Patch](https://www.rfc-editor.org/rfc/rfc6902) of `add`, `remove` and `replace` |
//! | `replyText` | the text of another reply, if the attack is in the text itself |
//! | `names` | the fourth argument of `signable`, which the exchange does not have |
//! | `operation` | what is sent in the place of the signed operation |
//! | `at` | the EntryPoint that executes it; otherwise that of `where` |
//! | `signed` | another signature, or another signer |
//! | `challenge` | the challenge for which the other screen shows a code; otherwise that of the exchange |
//!
//! `expect` has one of these keys:
//!
//! | key | requirement |
//! |---|---|
//! | `refused: {path, field?}` | `signable` fails with an issue at this path, and of this field of the call data |
//! | `warned: {code, path}` | `signable` answers with this warning, which it does not give for the exchange |
//! | `anotherHash: true` | `userOpHash` of the operation at `at` fails, or differs from the hash of the exchange |
//! | `notAssembled: {path}` | `assemble(operation, "0x01")` fails with an issue at this path |
//! | `unchanged: true` | `signable` answers exactly as for the exchange |
//! | `notSigned: {reason}` | `checkSignature` of the exchange's digest with `signed` fails for this reason |
//! | `anotherCode: true` | `comparisonCode` of the attack's hash and challenge is not that of the exchange's |
//! | `notCompared: {path}` | `comparisonCode` with the challenge fails with an issue at this path |
//! | `unbound: {path}` | `signable` answers, and names this path in `unbound`, which it does not for the exchange |
//!
//! An SDK with another interface can read `refused` as: it must not sign. The paths and rules of
//! Sendoff are in `docs/reference`.

use serde_json::{Map, Value, json};

use crate::classes::{Class, Source, all};
use crate::{Case, Originals};

/// The numbers of the committed cases, which make short documents. A class of one type has one case of them.
const COMMITTED: [u64; 2] = [19_073, 23_056];

/// The committed cases of a class, with their numbers.
pub(crate) fn committed(class: &Class) -> impl Iterator<Item = (u64, Case)> {
    let seeds = COMMITTED.into_iter().take(class.cases.kinds.len());
    seeds.map(|seed| (seed, class.case(&Originals::of(class.kind(seed)).at(seed), seed)))
}

/// All committed cases. Each exchange, class and case is a line.
#[must_use]
pub fn committed_json() -> String {
    let (mut exchanges, mut cases) = (vec![], vec![]);
    for class in all() {
        for (seed, case) in committed(class) {
            let exchange = case.exchange.to_string();
            let at = exchanges.iter().position(|other| *other == exchange).unwrap_or_else(|| {
                exchanges.push(exchange);
                exchanges.len() - 1
            });
            let name = format!("{} {seed}", class.name);
            let case = json!({
                "name": name, "class": class.name, "type": class.kind(seed), "exchange": at, "attack": attack(&case),
                "expect": case.judgement.to_json(),
            });
            cases.push(case.to_string());
        }
    }
    let classes: Vec<_> = all().map(class_json).collect();
    let list = |lines: &[String]| lines.join(",\n  ");
    format!(
        "{{\n \"classes\": [\n  {}\n ],\n \"exchanges\": [\n  {}\n ],\n \"cases\": [\n  {}\n ]\n}}\n",
        list(&classes),
        list(&exchanges),
        list(&cases)
    )
}

fn class_json(class: &Class) -> String {
    let Class { name, about, seen, cases } = class;
    let links = seen.iter().map(Source::link);
    let seen: Vec<_> = links.map(|(title, url)| json!({ "title": title, "url": url })).collect();
    json!({ "name": name, "about": about, "seen": seen, "types": cases.kinds }).to_string()
}

/// The documents that an attack replaces. Another document as the reply is a patch of the honest one.
fn attack(case: &Case) -> Map<String, Value> {
    let documents = case.attack.as_object().unwrap().clone().into_iter();
    let written = |(key, document): (String, Value)| match key.as_str() {
        "reply" => ("replyPatch".to_owned(), patch(&case.exchange["reply"], &document)),
        _ => (key, document),
    };
    documents.map(written).collect()
}

/// The JSON Patch (RFC 6902) that makes one value of another: `add`, `remove` and `replace`.
fn patch(from: &Value, to: &Value) -> Value {
    let mut steps = vec![];
    steps_between(from, to, "", &mut steps);
    steps.into()
}

fn steps_between(from: &Value, to: &Value, path: &str, steps: &mut Vec<Value>) {
    let at = |key: &str| format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
    match (from, to) {
        _ if from == to => {}
        (Value::Object(from), Value::Object(to)) => {
            for key in from.keys().filter(|key| !to.contains_key(*key)) {
                steps.push(json!({ "op": "remove", "path": at(key) }));
            }
            for (key, value) in to {
                match from.get(key) {
                    Some(before) => steps_between(before, value, &at(key), steps),
                    None => steps.push(json!({ "op": "add", "path": at(key), "value": value })),
                }
            }
        }
        _ => steps.push(json!({ "op": "replace", "path": path, "value": to })),
    }
}
