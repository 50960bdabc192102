//! The rules across fields. Each is written once, and checked between the fields that could be
//! read.

use primitive_types::U256;

use super::{EstimateRequest, Facts};
use crate::document::{Place, Value};
use crate::error::{IssueCode, Issues, Path};
use crate::text::fill;
use crate::value::{NftType, WriteText};

const CAP: Place = Place::of(EstimateRequest::TABLE, "gasDetails.maxFeePerGas");
const TIP: Place = Place::of(EstimateRequest::TABLE, "gasDetails.maxPriorityFeePerGas");
const DETAILS: Place = Place::of(EstimateRequest::TABLE, "details");
const PAYER: Place = Place::of(EstimateRequest::TABLE, "feePayerAddress");
const USER: Place = Place::of(Facts::TABLE, "userSWA");
const SPONSORSHIP: Place = Place::of(Facts::TABLE, "policies.sponsorshipEnabled");
const FEES: Place = Place::of(Facts::TABLE, "fees.transactionFees");

/// Checks the rules of a request by itself, which is at `at`.
pub(super) fn check_request(request: &Value, at: &Path<'_>, issues: &mut Issues) {
    if let (Value::Quantity128(cap), Value::Quantity128(tip)) = (request.at(&CAP), request.at(&TIP))
        && tip > cap
    {
        let at = Path::Field(&Path::Field(at, "gasDetails"), "maxPriorityFeePerGas");
        let message = fill("expected a tip of at most the fee cap {}, found {}", &[cap, tip]);
        issues.push(&at, IssueCode::Rule, message);
    }

    let (details, at) = (request.at(&DETAILS), &Path::Field(at, "details"));
    if let (Value::NftType(standard), Value::Amount(amount)) =
        (details.field("nftType"), details.field("amount"))
        && *standard == NftType::ERC721
        && amount.value() != U256::one()
    {
        let message = fill("expected the amount 1 for an ERC721 token, found {}", &[amount]);
        issues.push(&Path::Field(at, "amount"), IssueCode::Rule, message);
    }
    if let Value::ChainId(chain) = details.field("caip2Id")
        && !chain.is_eip155()
    {
        let message = fill("expected a chain of the namespace `eip155`, found `{}`", &[chain]);
        issues.push(&Path::Field(at, "caip2Id"), IssueCode::Rule, message);
    }
}

/// Checks the rules between a request and its facts.
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
