//! The classes and their cases as JSON, for other SDKs. `docs/bypass.md` describes it.

use serde_json::{Map, Value, json};

use crate::classes::{Class, all};
use crate::{Attack, Case, Originals};

/// This number of cases of each class from a number on, one a line.
#[must_use]
pub fn cases_json(from: u64, count: u64) -> String {
    let mut lines = vec![];
    for class in all() {
        for seed in from..from + count {
            let kind = class.kinds[(seed % class.kinds.len() as u64) as usize];
            let original = Originals::of(kind).at(seed);
            lines.push(line(class, kind, seed, &class.case(&original, seed)));
        }
    }
    format!("{{\n \"classes\": {},\n \"cases\": [\n  {}\n ]\n}}\n", classes_json(), lines.join(",\n  "))
}

/// The classes as a list, one a line.
#[must_use]
pub fn classes_json() -> String {
    let class = |class: &Class| {
        let seen: Vec<_> = class.seen.iter().map(|(title, url)| json!({ "title": title, "url": url })).collect();
        let Class { name, about, refused_by, kinds, .. } = class;
        json!({ "name": name, "about": about, "seen": seen, "refusedBy": refused_by, "types": kinds }).to_string()
    };
    format!("[\n  {}\n ]", all().map(class).collect::<Vec<_>>().join(",\n  "))
}

fn line(class: &Class, kind: &str, seed: u64, case: &Case) -> String {
    let Case { request, place, reply, attack, judgement } = case;
    let Attack { request: other, place: elsewhere, reply: altered, operation, at } = attack;
    // A reply that is plain JSON is readable as such; the others are about their text.
    let altered = altered.as_ref().map(|text| {
        let value = serde_json::from_str::<Value>(text).ok().filter(|value| value.to_string() == *text);
        value.unwrap_or_else(|| text.as_str().into())
    });
    let documents = [
        ("request", other.clone()),
        ("where", elsewhere.clone()),
        ("reply", altered),
        ("operation", operation.clone()),
        ("at", at.clone()),
    ];
    let attack: Map<_, _> = documents.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    json!({
        "name": format!("{} {seed}", class.name), "class": class.name, "type": kind, "request": request, "where": place,
        "reply": reply, "attack": attack, "expect": judgement.to_json(),
    })
    .to_string()
}
