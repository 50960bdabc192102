//! The rules between a request and its facts, checked between the fields that could be read.

use alloc::string::String;

use super::request::{CHAIN, DETAILS};
use super::{EstimateRequest, Facts, Fees};
use crate::document::{Field, Keys, Parts};
use crate::error::{IssueCode, Issues, Path};
use crate::intent::Intent;
use crate::text::fill;
use crate::user_op::Policies;
use crate::value::{Address, ChainId, WriteText};

const PAYER: Field<EstimateRequest, Address> = Field::of("feePayerAddress");
const RECIPIENT: Field<Intent, Address> = Field::of_some("recipientWalletAddress");
const USER: Field<Facts, Address> = Field::of("userSWA");
const POLICIES: Field<Facts, Policies> = Field::of("policies");
const SPONSORSHIP: Field<Policies, bool> = Field::of("sponsorshipEnabled");
const FEES: Field<Facts, Fees> = Field::of("fees");
const CHAINS: Field<Fees, Keys> = Field::of("transactionFees");

/// Checks the rules between the parts of both documents that could be read.
pub(super) fn check_parts(
    request: Parts<'_, EstimateRequest>,
    facts: Parts<'_, Facts>,
    issues: &mut Issues,
) {
    let details = request.get(DETAILS);
    let recipient = details.and_then(|details| details.get(RECIPIENT));
    let has_payer = request.get(PAYER).is_some();
    let sponsorship = facts.get(POLICIES).and_then(|policies| policies.get(SPONSORSHIP));
    let fees = facts.get(FEES).and_then(|fees| fees.get(CHAINS)).into_iter().flatten();
    let fees = fees.filter(|(_, is_read)| *is_read).map(|(chain, _)| chain.into());

    check_wallets(recipient.zip(facts.get(USER)), issues);
    check_payer(has_payer && sponsorship == Some(false), issues);
    check_fees(details.and_then(|details| details.get(CHAIN)), fees, issues);
}

/// The same for whole documents.
pub(super) fn check(request: &EstimateRequest, facts: &Facts, issues: &mut Issues) {
    let has_payer = request.fee_payer_address.is_some();
    let fees = facts.fees.transaction_fees.as_slice().iter().map(|(chain, _)| chain.to_text());

    check_wallets(request.intent.recipient().zip(Some(&facts.user_swa)), issues);
    check_payer(has_payer && !facts.policies.sponsorship_enabled, issues);
    check_fees(Some(request.intent.chain()), fees, issues);
}

/// The recipient is not the sender.
fn check_wallets(recipient_and_user: Option<(&Address, &Address)>, issues: &mut Issues) {
    if let Some((recipient, user)) = recipient_and_user
        && recipient == user
    {
        let details = &Path::Field(&Path::Root, DETAILS.key());
        let template = "expected another wallet than the sender's, found `userSWA` {} itself";
        let at = Path::Field(details, RECIPIENT.key());
        issues.push(&at, IssueCode::Rule, fill(template, &[user]));
    }
}

/// A fee payer has sponsorship.
fn check_payer(is_unsponsored: bool, issues: &mut Issues) {
    if is_unsponsored {
        let message = "expected no fee payer without sponsorship, found a fee payer and `sponsorshipEnabled` false";
        let at = Path::Field(&Path::Root, PAYER.key());
        issues.push(&at, IssueCode::Rule, message.into());
    }
}

/// Fees are paid on the intent's chain.
fn check_fees(chain: Option<&ChainId>, fees: impl Iterator<Item = String>, issues: &mut Issues) {
    let Some(chain) = chain.map(WriteText::to_text) else { return };
    let at = &Path::Field(&Path::Root, "facts");
    let at = &Path::Field(&Path::Field(at, FEES.key()), CHAINS.key());
    for other in fees.filter(|other| *other != chain) {
        let template = "expected fees on the intent's chain `{}` only, found `{}`";
        let message = fill(template, &[&chain, &other]);
        issues.push(&Path::Field(at, &other), IssueCode::Rule, message);
    }
}
