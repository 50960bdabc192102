//! What is found in a reply, and how it is said.

use laws::replies::cases;
use sendoff::estimate::{Deployment, EstimateRequest, signable, verify};
use sendoff::intent::Names;
use serde_json::{Value, json};

/// The rules of the findings about a reply, in their order.
fn rules(request: &EstimateRequest, reply: &str) -> Vec<&'static str> {
    verify(request, reply).findings.iter().map(|finding| finding.rule.as_str()).collect()
}

/// A field that a request leaves open can have any form. A field that a signature covers must have its own.
#[test]
fn open_fields_have_any_form() {
    let case = cases("TOKEN_TRANSFER").next().unwrap();
    for (place, is_open) in [
        ("/data/callData/gsn/isPossible", true),
        ("/data/callData/gsn/tokens", true),
        ("/data/details/estimation", true),
        ("/data/details/swapFees", true),
        ("/data/details/fees/approxTransactionFeesInUSDT", true),
        ("/data/userOps/callGasLimit", false),
        ("/data/userOps/preVerificationGas", false),
    ] {
        let mut reply: Value = serde_json::from_str(&case.reply).unwrap();
        *reply.pointer_mut(place).unwrap() = json!(7);
        let reply = reply.to_string();
        assert_eq!(
            (case.is_verified(&reply), case.is_signable(&reply)),
            (is_open, is_open),
            "{place}"
        );
    }
}

#[test]
fn a_finding_has_one_rule_and_comes_once() {
    let case = cases("TOKEN_TRANSFER").next().unwrap();
    let request: EstimateRequest = case.request.parse().unwrap();
    // Two problems of one field.
    let twice = case.reply.replacen(r#""callData":{"#, r#""callData":{"jobId":7,"#, 1);
    assert_eq!(rules(&request, &twice), ["shape"]);
    // Two fields whose places are too long to be shown whole, and look alike.
    let long = "a".repeat(300);
    let mut reply: Value = serde_json::from_str(&case.reply).unwrap();
    let fees = reply.pointer_mut("/data/details/fees/transactionFees").unwrap();
    for chain in [format!("{long}1"), format!("{long}2")] {
        fees[chain] = json!("1");
    }
    assert_eq!(rules(&request, &reply.to_string()), ["fee-chain"]);
}

/// A small reply can have tens of thousands of problems. An answer has the first 1,000 of them, and is no less a refusal.
#[test]
fn an_answer_has_the_first_thousand_findings_or_issues() {
    let case = cases("TOKEN_TRANSFER").next().unwrap();
    let request: EstimateRequest = case.request.parse().unwrap();
    let deployment: Deployment = case.deployment.parse().unwrap();
    let [some, many] = [1_200, 30_000].map(|count| {
        let mut reply: Value = serde_json::from_str(&case.reply).unwrap();
        reply["data"]["callData"]["gsn"]["requiredNetworks"] = vec![json!(1); count].into();
        let text = reply.to_string();
        let refusal = signable(&request, &text, &deployment, &Names::default()).unwrap_err();
        (verify(&request, &text), refusal)
    });
    assert_eq!((some.0.findings.len(), some.0.ok), (1_000, false));
    assert_eq!(some.1.issues().len(), 1_000);
    assert_eq!(some, many);
}
