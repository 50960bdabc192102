//! Call data, calls of contracts, and calls of the boundary's functions by name.

use std::collections::BTreeSet;

use sendoff::estimate::CallDescription;
use sendoff::intent::ContractCall;
use sendoff::json::{self, Function};
use sendoff::user_op::Call;
use serde_json::Value;

use crate::{contract_calls, encoded};

/// Only what the encoder writes is decoded, an independent encoder writes the same, and it is described.
pub(super) fn data(bytes: &[u8]) {
    if let Ok(call) = Call::decode(bytes) {
        assert_eq!(call.encode(), bytes);
        assert_eq!(encoded::by_alloy(&call), bytes);
        let description = CallDescription::decode(bytes, &Default::default()).unwrap();
        assert_eq!(description, CallDescription::new(&call, &Default::default()));
        assert!(!description.sentences.is_empty());
    }
}

/// As [`data`], for the call of a contract: decoded bytes are its only spelling.
pub(super) fn contract(bytes: &[u8]) {
    if let Some((call, rest)) = ContractCall::recognize(bytes) {
        assert_eq!([&contract_calls::by_alloy(&call)[..], rest].concat(), bytes);
    }
}

/// What separates arguments, and what stands for one that is left out: bytes that UTF-8 does not have.
const NEXT: u8 = 0xff;
const ABSENT: &[u8] = &[0xfe];

/// The function and the arguments that bytes stand for; `None` if an argument is not UTF-8.
#[must_use]
pub fn split(bytes: &[u8]) -> Option<(&'static Function, Vec<Option<&str>>)> {
    let (first, rest) = bytes.split_first()?;
    let function = json::FUNCTIONS.get(usize::from(*first) % json::FUNCTIONS.len())?;
    let argument = |bytes| {
        if bytes == ABSENT { Some(None) } else { std::str::from_utf8(bytes).ok().map(Some) }
    };
    let arguments: Option<Vec<_>> = rest.split(|byte| *byte == NEXT).map(argument).collect();
    arguments.map(|mut arguments| {
        arguments.truncate(json::MOST_ARGUMENTS);
        (function, arguments)
    })
}

/// The bytes that [`split`] takes apart.
pub(super) fn joined(name: &str, arguments: &[Option<String>]) -> Option<Vec<u8>> {
    let at = json::FUNCTIONS.iter().position(|function| function.name == name)?;
    let texts: Vec<_> = arguments
        .iter()
        .map(|argument| argument.as_ref().map_or(ABSENT, |text| text.as_bytes()))
        .collect();
    Some([&[u8::try_from(at).ok()?][..], &texts.join(&NEXT)].concat())
}

/// Every function answers with JSON: a value, or issues of which each has a code.
pub(super) fn functions(bytes: &[u8]) {
    let Some((function, arguments)) = split(bytes) else { return };
    answered(json::call(function.name, &arguments));
}

/// An answer is JSON: a value, or issues, each at a place of its own with a code and a message.
pub(crate) fn answered(answer: Result<String, String>) {
    let issues = match answer {
        Ok(answer) => return drop(serde_json::from_str::<Value>(&answer).expect("JSON")),
        Err(issues) => serde_json::from_str::<Value>(&issues).expect("JSON"),
    };
    let issues = issues["issues"].as_array().expect("issues");
    assert!(!issues.is_empty());
    let mut places = BTreeSet::new();
    for issue in issues {
        assert!(issue["code"].is_string() && issue["message"].is_string(), "{issue}");
        assert!(
            places.insert(issue["path"].as_str().expect("a path")),
            "a path occurs twice: {issue}"
        );
    }
}
