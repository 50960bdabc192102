//! Calls by name and by function.

use super::*;
use crate::document::to_json;
use alloc::format;

/// The places of all problems of a call, each with its code.
fn problems(name: &str, texts: &[&str]) -> Vec<String> {
    let texts: Vec<_> = texts.iter().map(|text| Some(*text)).collect();
    let issues: serde_json::Value = serde_json::from_str(&call(name, &texts).unwrap_err()).unwrap();
    let issues = issues["issues"].as_array().unwrap().iter();
    issues
        .map(|issue| {
            format!("{} {}", issue["path"].as_str().unwrap(), issue["code"].as_str().unwrap())
        })
        .collect()
}

#[test]
fn the_problems_of_all_arguments_are_found_at_once() {
    let found = problems("admit", &[r#"{"limit":0,"burst":1}"#, r#"{"start":0.5}"#, "null", "0"]);
    let (policy, window) = (
        ["limit range", "windowMs missing", "burst unknown"],
        ["window.start type", "window.count missing"],
    );

    assert_eq!(found, [&policy[..], &window, &["now type", "cost range"]].concat());
    assert_eq!(
        problems("admit", &["[", "1", "}", "''"]),
        [" syntax", "window type", "now syntax", "cost syntax"]
    );
    assert_eq!(problems("operationPath", &["burn", "[]"]), [" format", "params type"]);
    assert_eq!(
        problems("operationPath", &["serverTransferTokens", r#"{"a":1,"a":2,"b":"/"}"#]),
        ["params.a duplicate", "params.userId missing", "params.b unknown"]
    );
    assert_eq!(problems("rateLimited", &["", "0"]), [" format", "retryAfter range"]);
    assert_eq!(problems("rateLimited", &["t", "1.5"]), ["retryAfter type"]);
    assert_eq!(problems("rateLimited", &["t", "null"]), ["retryAfter type"]);
    assert_eq!(problems("rateLimited", &["t", "9007199254740992"]), ["retryAfter range"]);
    assert_eq!(problems("rateLimited", &[&"é".repeat(129), "1"]), [" format"]);

    assert!(rate_limited(&"é".repeat(128), "9007199254740991").is_ok());
}

#[test]
fn a_cost_is_judged_by_a_policy_that_was_read() {
    let policy = r#"{"limit":3,"windowMs":60000}"#;
    assert_eq!(problems("admit", &[policy, "null", "x", "4"]), ["now syntax", "cost range"]);
    assert_eq!(problems("peek", &[r#"{"limit":3}"#, "null", "0", "4"]), ["windowMs missing"]);
}

#[test]
fn a_call_by_name_is_the_function() {
    let policy = r#"{"limit":3,"windowMs":60000}"#;
    let window = r#"{"start":0,"count":1}"#;
    for cost in [None, Some("2")] {
        let by_name = call("admit", &[Some(policy), Some(window), Some("1"), cost]);
        assert_eq!(by_name, admit(policy, window, "1", cost).map_err(|error| to_json(&error)));
    }
    assert_eq!(
        call("admit", &[Some(policy), Some(window), Some("1")]).ok(),
        admit(policy, window, "1", None).ok()
    );
    assert_eq!(call("operations", &[]).ok(), operations().ok());
    assert_eq!(problems("admit", &[policy]), ["window missing", "now missing"]);
    assert_eq!(problems("Admit", &[]), [" format"]);
}

#[test]
fn signing_has_its_own_functions_alone() {
    let text = [Some("amount"), Some("1")];
    assert_eq!(call_for_signing("readText", &text), call("readText", &text));
    for function in FUNCTIONS {
        let is_known =
            !call_for_signing(function.name, &[]).unwrap_err().contains("expected a function");
        assert_eq!(is_known, function.is_for_signing, "{}", function.name);
    }
}

/// A page that signs checks the same documents alike, and no others.
#[test]
fn documents_of_signing_are_checked_alike() {
    let deployment = r#"{"entryPoint":"0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da","chainId":1802466136,"version":"0.7",
        "gasFeeOrder":"maxFirst","jobManager":"0x0543aD80b41C5f5956d34503668CDb965deCB617",
        "paymaster":"0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3","clientSWA":"0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F"}"#;
    for (kind, document, is_valid) in [
        ("Deployment", deployment, true),
        ("Deployment", "{}", false),
        ("EstimateRequest", "{}", false),
        ("Names", r#"{"chains":[]}"#, true),
        ("Gift", "{}", false),
    ] {
        let arguments = [Some(kind), Some(document)];
        let answer = call_for_signing("checkDocument", &arguments);
        assert_eq!(answer, call("checkDocument", &arguments), "{kind}");
        assert_eq!(answer.is_ok(), is_valid, "{kind}");
    }
    let refusal = call_for_signing("checkDocument", &[Some("Policy"), Some("{}")]).unwrap_err();
    assert!(
        refusal.contains(
            "expected `EstimateRequest`, `Deployment` or `Names` in `sendoff/sign`, found `Policy`"
        ),
        "{refusal}"
    );
}

#[test]
fn the_most_arguments_are_those_of_the_longest_function() {
    assert_eq!(
        Some(MOST_ARGUMENTS),
        FUNCTIONS.iter().map(|function| function.arguments.len()).max()
    );
}
