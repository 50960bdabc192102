//! The rules between a request and its facts, checked between the fields that could be read.

use super::request::CHAIN;
use super::{EstimateRequest, Facts, TransactionFees};
use crate::document::{Field, Parts};
use crate::error::{IssueCode, Issues, Path};
use crate::text::{WriteText as _, fill};
use crate::value::Address;

const PAYER: Field<EstimateRequest, Address> = Field::of("feePayerAddress");
const RECIPIENT: Field<EstimateRequest, Address> = Field::of_some("details.recipientWalletAddress");
const USER: Field<Facts, Address> = Field::of("userSWA");
const SPONSORSHIP: Field<Facts, bool> = Field::of("policies.sponsorshipEnabled");
const FEES: Field<Facts, TransactionFees> = Field::of("fees.transactionFees");

/// Checks the rules between the parts of both documents that could be read.
pub(super) fn check(
    request: Parts<'_, EstimateRequest>,
    facts: Parts<'_, Facts>,
    issues: &mut Issues,
) {
    if let Some(user) = facts.get(USER)
        && request.get(RECIPIENT) == Some(user)
    {
        let template = "expected another wallet than the sender's, found `userSWA` {} itself";
        let at = Path::Field(&Path::Root, RECIPIENT.path());
        issues.push(&at, IssueCode::Rule, fill(template, &[&user]));
    }

    if request.get(PAYER).is_some() && facts.get(SPONSORSHIP) == Some(false) {
        let message = "expected no fee payer without sponsorship, found a fee payer and `sponsorshipEnabled` false";
        let at = Path::Field(&Path::Root, PAYER.path());
        issues.push(&at, IssueCode::Rule, message.into());
    }

    let Some(chain) = request.get(CHAIN).map(|chain| chain.to_text()) else { return };
    let at = &Path::Field(&Path::Root, "facts");
    let at = &Path::Field(at, FEES.path());
    for (other, _) in facts.keys(FEES).filter(|(other, is_read)| *is_read && *other != chain) {
        let template = "expected fees on the intent's chain `{}` only, found `{}`";
        let message = fill(template, &[&chain, &other]);
        issues.push(&Path::Field(at, other), IssueCode::Rule, message);
    }
}
