//! The rules across fields. Each is written once, and checked between the fields that could be read.

use primitive_types::U256;

use super::facts::FactsParts;
use super::request::RequestParts;
use crate::error::{IssueCode, Issues, Path};
use crate::intent::IntentParts;
use crate::value::{NftType, Spell, fill};

/// Checks the rules of a request by itself, which is at `at`.
pub(super) fn judge_request(request: &RequestParts, at: &Path<'_>, issues: &mut Issues) {
    let details = &Path::Field(at, "details");
    if let (Some(cap), Some(tip)) = (request.gas_details.max_fee_per_gas, request.gas_details.max_priority_fee_per_gas)
        && tip > cap
    {
        let tip_at = Path::Field(&Path::Field(at, "gasDetails"), "maxPriorityFeePerGas");
        issues.push(
            &tip_at,
            IssueCode::Rule,
            fill("expected a tip of at most the fee cap {}, found {}", &[&cap, &tip]),
        );
    }
    if let IntentParts::NftTransfer(nft) = &request.intent
        && nft.nft_type == Some(NftType::ERC721)
        && let Some(amount) = nft.amount
        && amount.value() != U256::one()
    {
        let message = fill("expected the amount 1 for an ERC721 token, found {}", &[&amount]);
        issues.push(&Path::Field(details, "amount"), IssueCode::Rule, message);
    }
    if let Some(chain) = request.intent.chain()
        && !chain.is_eip155()
    {
        let message = fill("expected a chain of the namespace `eip155`, found `{}`", &[&chain]);
        issues.push(&Path::Field(details, "caip2Id"), IssueCode::Rule, message);
    }
}

/// Checks the rules between a request and its facts.
pub(super) fn judge_agreement(request: &RequestParts, facts: &FactsParts, issues: &mut Issues) {
    let at = &Path::Root;
    if let (Some(recipient), Some(user)) = (request.intent.recipient(), facts.user_swa)
        && *recipient == user
    {
        let message = fill("expected another wallet than the sender's, found `userSWA` {} itself", &[&user]);
        issues.push(&Path::Field(&Path::Field(at, "details"), "recipientWalletAddress"), IssueCode::Rule, message);
    }
    if matches!(request.fee_payer_address, Some(Some(_))) && facts.policies.sponsorship_enabled == Some(false) {
        let message =
            "expected no fee payer without sponsorship, found a fee payer and `sponsorshipEnabled` false".into();
        issues.push(&Path::Field(at, "feePayerAddress"), IssueCode::Rule, message);
    }
    let fees = &Path::Field(at, "facts");
    let fees = &Path::Field(fees, "fees");
    let fees = &Path::Field(fees, "transactionFees");
    let Some(chain) = request.intent.chain() else { return };
    for fee in facts.fees.transaction_fees.list.iter().filter(|fee| fee.amount.is_some()) {
        if let Some(other) = &fee.chain
            && other != chain
        {
            let message = fill("expected fees on the intent's chain `{}` only, found `{}`", &[&chain, &other]);
            issues.push(&Path::Field(fees, &other.to_text()), IssueCode::Rule, message);
        }
    }
}
