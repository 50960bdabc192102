//! The rules between a request and its facts, checked between the fields that could be read.

use super::{EstimateRequest, Facts};
use crate::document::{Place, Value};
use crate::error::{IssueCode, Issues, Path};
use crate::text::fill;
use crate::value::WriteText;

const DETAILS: Place = Place::of(EstimateRequest::TABLE, "details");
const PAYER: Place = Place::of(EstimateRequest::TABLE, "feePayerAddress");
const USER: Place = Place::of(Facts::TABLE, "userSWA");
const SPONSORSHIP: Place = Place::of(Facts::TABLE, "policies.sponsorshipEnabled");
const FEES: Place = Place::of(Facts::TABLE, "fees.transactionFees");

/// Checks the rules.
pub(super) fn check_agreement(request: &Value, facts: &Value, issues: &mut Issues) {
    let at = &Path::Root;
    let (details, user) = (request.at(&DETAILS), facts.at(&USER));
    let recipient = details.field("recipientWalletAddress");
    if user.is_whole() && recipient == user {
        let message =
            fill("expected another wallet than the sender's, found `userSWA` {} itself", &[user]);
        issues.push(
            &Path::Field(&Path::Field(at, "details"), "recipientWalletAddress"),
            IssueCode::Rule,
            message,
        );
    }
    if matches!(request.at(&PAYER), Value::Address(_))
        && *facts.at(&SPONSORSHIP) == Value::Flag(false)
    {
        let message =
            "expected no fee payer without sponsorship, found a fee payer and `sponsorshipEnabled` false".into();
        issues.push(&Path::Field(at, "feePayerAddress"), IssueCode::Rule, message);
    }

    let at = &Path::Field(&Path::Field(&Path::Field(at, "facts"), "fees"), "transactionFees");
    let (Value::ChainId(chain), Value::Pairs(fees)) = (details.field("caip2Id"), facts.at(&FEES))
    else {
        return;
    };
    let chain = chain.to_text();
    for (other, _) in fees.iter().filter(|(key, fee)| fee.is_whole() && **key != *chain) {
        let message =
            fill("expected fees on the intent's chain `{}` only, found `{}`", &[&chain, &&**other]);
        issues.push(&Path::Field(at, other), IssueCode::Rule, message);
    }
}
