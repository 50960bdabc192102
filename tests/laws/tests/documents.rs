//! Every document is text and a value of serde, both ways.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};
use std::fs;
use std::path::Path;
use std::str::FromStr;

use laws::from_schema::values;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sendoff::error::Error;
use sendoff::{
    catalogue::*, estimate::*, http::*, intent::*, rate_limit::*, submission::*, user_op::*,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

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

/// A document is the same after its text, and after serde. `false` if the value is none.
fn comes_back<T>(value: &Value) -> bool
where
    T: FromStr<Err = Error> + Display + Serialize + DeserializeOwned + Debug + PartialEq,
    String: for<'a> From<&'a T>,
{
    let Ok(document) = value.to_string().parse::<T>() else { return false };
    let text = document.to_string();
    assert_eq!(String::from(&document), text);
    assert_eq!(text.parse::<T>().unwrap(), document, "{text}");
    let through = serde_json::to_value(&document).unwrap();
    assert_eq!(through, text.parse::<Value>().unwrap());
    assert_eq!(serde_json::from_value::<T>(through).unwrap(), document);
    assert_eq!(serde_json::from_value::<T>(value.clone()).unwrap(), document);
    true
}

type ComesBack = fn(&Value) -> bool;

/// The documents whose schemas make values.
const DOCUMENTS: [(&str, ComesBack); 22] = [
    ("Call", comes_back::<Call>),
    ("Catalogue", comes_back::<Catalogue>),
    ("CatalogueStep", comes_back::<CatalogueStep>),
    ("Deployment", comes_back::<Deployment>),
    ("EntryPoint", comes_back::<EntryPoint>),
    ("Estimation", comes_back::<Estimation>),
    ("Facts", comes_back::<Facts>),
    ("GsnTokens", comes_back::<GsnTokens>),
    ("Intent", comes_back::<Intent>),
    ("Names", comes_back::<Names>),
    ("Opaque", comes_back::<Opaque>),
    ("Policy", comes_back::<Policy>),
    ("ServiceError", comes_back::<ErrorReply>),
    ("ServiceReply", comes_back::<Reply>),
    ("Submission", comes_back::<Submission>),
    ("SubmissionStep", comes_back::<SubmissionStep>),
    ("SwapFees", comes_back::<SwapFees>),
    ("Time", comes_back::<Time>),
    ("TransactionFees", comes_back::<TransactionFees>),
    ("Transactions", comes_back::<Transactions>),
    ("UserOpReceipt", comes_back::<UserOpReceipt>),
    ("Window", comes_back::<Window>),
];

#[test]
fn documents_come_back() {
    let mut runner = TestRunner::deterministic();
    for (name, comes_back) in DOCUMENTS {
        let made = values(name);
        let made = (0..500).filter(|_| comes_back(&made.new_tree(&mut runner).unwrap().current()));
        let count = made.count();
        println!("{name}: {count} of 500");
        assert!(count >= 25, "{name}: {count}");
    }
    // Numbers that no double holds, and spellings that no schema makes.
    for data in
        [json!([1, -1, 1.5, 9_007_199_254_740_993_u64, null, true, "é", {}]), json!("\u{7}\"")]
    {
        assert!(comes_back::<Reply>(&json!({ "status": "success", "data": data })));
        assert!(comes_back::<Opaque>(&data));
    }
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
