//! Every document is text and a value of serde, both ways.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sendoff::http::{Opaque, Refusal, Reply};
use sendoff::user_op::UserOpOutcome;
use serde_json::json;

use crate::schema::comes_back;

#[test]
fn every_document_has_display_from_str_and_serde() {
    let api = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sendoff/api.txt");
    let api = fs::read_to_string(api).unwrap();
    let with = |traits: &[&str]| -> BTreeSet<_> {
        let impls =
            api.lines().filter_map(|line| line.strip_prefix("impl")?.split_once(" for sendoff::"));
        impls
            .filter(|(what, _)| traits.iter().any(|name| what.ends_with(name)))
            .map(|(_, name)| name)
            .collect()
    };

    // A bearer token is a header's value, and is shown to nobody; what refusals, issues and errors
    // display is for people.
    let others = ["Bearer", "Error", "Issue", "IssueCode", "Refusal"];
    let mut read = with(&["FromStr", "Deserialize<'de>"]);
    read.retain(|name| !others.contains(&name.rsplit("::").next().unwrap()));

    assert!(read.len() > 90, "{read:?}");
    for name in ["FromStr", "Deserialize<'de>", "Serialize", "Display"] {
        let missing: Vec<_> = read.difference(&with(&[name])).copied().collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}

#[test]
fn numbers_and_spellings_that_no_schema_makes_come_back() {
    let numbers = "8.821019999999999 0.1 5e-324 1.7976931348623157e+308 -9007199254740991 1.0 \
        123456789012345678901234567890";
    let others = [r#"{"b":[null,true,""],"a":{}}"#, r#""\u0001\"é""#];
    for data in numbers.split(' ').chain(others) {
        let text = format!(r#"{{"status":"success","data":{data}}}"#);
        assert_eq!(text.parse::<Reply>().unwrap().to_string(), text);
    }
    // serde reads numbers as doubles.
    for data in [r#"[1,-1,1.5,9007199254740993,null,true,"é",{}]"#, r#""\u0007\"""#] {
        assert!(comes_back::<Reply>(&format!(r#"{{"status":"success","data":{data}}}"#)));
        assert!(comes_back::<Opaque>(data));
    }
    // A reason may have a reason, without end.
    let reason = json!({ "kind": "Panic", "text": "0x11" });
    let outcome = json!({ "outcome": "failed", "reason": reason, "unread": ["receipt.reason"] });
    assert!(comes_back::<UserOpOutcome>(&outcome.to_string()));
}

/// Such a refusal is written as the answer of `findOperation`; one with other fields is made by a host alone.
#[test]
fn a_refusal_is_read_by_serde_as_from_text() {
    for refusal in
        [json!({ "refused": "not-found" }), json!({ "refused": "rate-limited", "retryAfter": 53 })]
    {
        let from_text: Refusal = refusal.to_string().parse().unwrap();
        assert_eq!(serde_json::from_value::<Refusal>(refusal).unwrap(), from_text);
    }
}
