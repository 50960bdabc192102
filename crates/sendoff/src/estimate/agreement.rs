//! The rules between a request and its facts, checked between the fields that could be read.

use alloc::{borrow::Cow, vec::Vec};

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
pub(super) const SPONSORSHIP: Field<Policies, bool> = Field::of("sponsorshipEnabled");
const FEES: Field<Facts, Fees> = Field::of("fees");
pub(super) const CHAINS: Field<Fees, Keys> = Field::of("transactionFees");

/// The parts that the rules are about.
pub(super) struct Agreement<'a> {
    recipient: Option<&'a Address>,
    user: Option<&'a Address>,
    has_payer: bool,
    sponsorship: Option<bool>,
    chain: Option<&'a ChainId>,
    /// The chains of the fees.
    fees: Vec<Cow<'a, str>>,
}

impl<'a> Agreement<'a> {
    pub(super) fn of_parts(request: Parts<'a, EstimateRequest>, facts: Parts<'a, Facts>) -> Self {
        let details = request.get(DETAILS);
        let fees = facts.get(FEES).and_then(|fees| fees.get(CHAINS)).into_iter().flatten();
        let fees = fees.filter(|(_, is_read)| *is_read);
        Self {
            recipient: details.and_then(|details| details.get(RECIPIENT)),
            user: facts.get(USER),
            has_payer: request.get(PAYER).is_some(),
            sponsorship: facts.get(POLICIES).and_then(|policies| policies.get(SPONSORSHIP)),
            chain: details.and_then(|details| details.get(CHAIN)),
            fees: fees.map(|(chain, _)| Cow::Borrowed(chain)).collect(),
        }
    }

    pub(super) fn of(request: &'a EstimateRequest, facts: &'a Facts) -> Self {
        let fees = facts.fees.transaction_fees.as_slice().iter();
        Self {
            recipient: request.intent.recipient(),
            user: Some(&facts.user_swa),
            has_payer: request.fee_payer_address.is_some(),
            sponsorship: Some(facts.policies.sponsorship_enabled),
            chain: Some(request.intent.chain()),
            fees: fees.map(|(chain, _)| Cow::Owned(chain.to_text())).collect(),
        }
    }

    /// Checks the rules.
    pub(super) fn check(&self, issues: &mut Issues) {
        let details = &Path::Field(&Path::Root, DETAILS.key());
        if let Some(user) = self.user
            && self.recipient == self.user
        {
            let template = "expected another wallet than the sender's, found `userSWA` {} itself";
            let at = Path::Field(details, RECIPIENT.key());
            issues.push(&at, IssueCode::Rule, fill(template, &[user]));
        }
        if self.has_payer && self.sponsorship == Some(false) {
            let message = "expected no fee payer without sponsorship, found a fee payer and `sponsorshipEnabled` false";
            let at = Path::Field(&Path::Root, PAYER.key());
            issues.push(&at, IssueCode::Rule, message.into());
        }

        let Some(chain) = self.chain.map(WriteText::to_text) else { return };
        let at = &Path::Field(&Path::Root, "facts");
        let at = &Path::Field(&Path::Field(at, FEES.key()), CHAINS.key());
        for other in self.fees.iter().filter(|other| **other != chain) {
            let template = "expected fees on the intent's chain `{}` only, found `{}`";
            let message = fill(template, &[&chain, &&**other]);
            issues.push(&Path::Field(at, other), IssueCode::Rule, message);
        }
    }
}
