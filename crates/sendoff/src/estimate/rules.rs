//! The rules across fields. They are written once, and judged between whatever fields could be read.

use alloc::{format, vec::Vec};

use primitive_types::{H160, U256};

use super::{EstimateRequest, Facts};
use crate::document::{Node, Read};
use crate::error::{Code, Excerpt, Issues, Path};
use crate::intent::{Intent, IntentType};
use crate::value::{Address, Amount, ChainId, FeeAmount, NftType, Quantity128};

/// What the rules speak of. A part is absent where it was, where it could not be read, or where there is no such part.
#[derive(Default)]
pub(super) struct Parts<'a> {
    cap: Option<u128>,
    tip: Option<u128>,
    /// How many pieces of an ERC-721 token.
    erc721_amount: Option<U256>,
    recipient: Option<H160>,
    chain: Option<&'a str>,
    has_fee_payer: bool,
    user: Option<H160>,
    sponsorship: Option<bool>,
    fee_chains: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    /// Of a request alone.
    pub(super) fn of_request(request: &'a EstimateRequest) -> Self {
        let (erc721_amount, recipient) = match &request.intent {
            Intent::NftTransfer(details) => {
                let is_erc721 = details.nft_type.as_str() == NftType::ERC721;
                (is_erc721.then(|| details.amount.value()), Some(details.recipient_wallet_address.to_h160()))
            }
            Intent::TokenTransfer(details) => (None, Some(details.recipient_wallet_address.to_h160())),
            Intent::RawTransaction(_) => (None, None),
        };
        Self {
            cap: Some(request.gas_details.max_fee_per_gas.value()),
            tip: Some(request.gas_details.max_priority_fee_per_gas.value()),
            erc721_amount,
            recipient,
            chain: Some(request.intent.chain().as_str()),
            has_fee_payer: request.fee_payer_address.is_some(),
            ..Self::default()
        }
    }

    /// Of a request and the facts.
    pub(super) fn of(request: &'a EstimateRequest, facts: &'a Facts) -> Self {
        Self {
            user: Some(facts.user_swa.to_h160()),
            sponsorship: Some(facts.policies.sponsorship_enabled),
            fee_chains: facts.fees.transaction_fees.as_slice().iter().map(|(chain, _)| chain.as_str()).collect(),
            ..Self::of_request(request)
        }
    }

    /// Of documents of which one could not be read whole: the parts of them that can be.
    pub(super) fn of_nodes(request: Option<&'a Node<'a>>, facts: Option<&'a Node<'a>>) -> Self {
        let mut parts = Self::default();
        if let Some(request) = request {
            let gas = request.get("gasDetails");
            parts.cap = read::<Quantity128>(gas, "maxFeePerGas").map(|cap| cap.value());
            parts.tip = read::<Quantity128>(gas, "maxPriorityFeePerGas").map(|tip| tip.value());
            parts.has_fee_payer = read::<Address>(Some(request), "feePayerAddress").is_some();
            let kind = read::<IntentType>(Some(request), "type");
            let details = request.get("details").filter(|_| kind.is_some());
            if kind == Some(IntentType::NftTransfer) {
                let standard = read::<NftType>(details, "nftType");
                let amount = read::<Amount>(details, "amount");
                let is_erc721 = standard.is_some_and(|standard| standard.as_str() == NftType::ERC721);
                parts.erc721_amount = amount.filter(|_| is_erc721).map(|amount| amount.value());
            }
            if kind != Some(IntentType::RawTransaction) {
                parts.recipient = read::<Address>(details, "recipientWalletAddress").map(|address| address.to_h160());
            }
            if read::<ChainId>(details, "caip2Id").is_some() {
                parts.chain = details.and_then(|details| details.get("caip2Id")).and_then(Node::as_text);
            }
        }
        if let Some(facts) = facts {
            parts.user = read::<Address>(Some(facts), "userSWA").map(|address| address.to_h160());
            parts.sponsorship = read(facts.get("policies"), "sponsorshipEnabled");
            if let Some(Node::Object(fees)) = facts.get("fees").and_then(|fees| fees.get("transactionFees")) {
                let readable = fees
                    .iter()
                    .filter(|fee| fee.node.read::<FeeAmount>().is_some() && fee.key.parse::<ChainId>().is_ok());
                parts.fee_chains = readable.map(|fee| &*fee.key).collect();
            }
        }
        parts
    }
}

fn read<T: Read>(object: Option<&Node<'_>>, key: &str) -> Option<T> {
    object?.get(key)?.read()
}

/// An issue of code `rule` for each rule that is broken, `at` where the request stands.
pub(super) fn judge(parts: &Parts<'_>, at: &Path<'_>, issues: &mut Issues) {
    let details = &Path::Field(at, "details");
    if let (Some(cap), Some(tip)) = (parts.cap, parts.tip)
        && tip > cap
    {
        let tip_at = Path::Field(&Path::Field(at, "gasDetails"), "maxPriorityFeePerGas");
        issues.push(&tip_at, Code::Rule, format!("expected a tip of at most the fee cap {cap:#x}, found {tip:#x}"));
    }
    if let Some(amount) = parts.erc721_amount
        && amount != U256::one()
    {
        let message = format!("expected 1, for an ERC721 token is one piece, found {amount}");
        issues.push(&Path::Field(details, "amount"), Code::Rule, message);
    }
    if let Some(chain) = parts.chain
        && chain.split_once(':').is_none_or(|(namespace, _)| namespace != ChainId::EIP155)
    {
        let message = format!("expected a chain of the namespace `eip155`, found {}", Excerpt(chain));
        issues.push(&Path::Field(details, "caip2Id"), Code::Rule, message);
    }
    if let (Some(recipient), Some(user)) = (parts.recipient, parts.user)
        && recipient == user
    {
        let message = format!("expected another wallet than the sender's, found `userSWA` {user:#x} itself");
        issues.push(&Path::Field(details, "recipientWalletAddress"), Code::Rule, message);
    }
    if parts.has_fee_payer && parts.sponsorship == Some(false) {
        let message = "expected no fee payer where `sponsorshipEnabled` is false, found one".into();
        issues.push(&Path::Field(at, "feePayerAddress"), Code::Rule, message);
    }
    let fees = &Path::Field(&Path::Root, "facts");
    let fees = &Path::Field(fees, "fees");
    let fees = &Path::Field(fees, "transactionFees");
    for fee_chain in &parts.fee_chains {
        if let Some(chain) = parts.chain
            && chain != *fee_chain
        {
            let message = format!("expected fees on the intent's chain {} only, found others", Excerpt(chain));
            issues.push(&Path::Field(fees, fee_chain), Code::Rule, message);
        }
    }
}
