//! Warnings: points that a person should check again before signing.

use alloc::{format, string::String, vec::Vec};

use super::{Deployment, EstimateRequest};
use crate::document::answer;
use crate::intent::{Approved, ContractCall, ContractCallKind, Intent, Transaction};
use crate::user_op::EntryPointVersion;
use crate::value::{Address, TokenAddress, decimal, keyword};

keyword! {
    /// The kind of a warning.
    #[derive(PartialOrd, Ord)]
    pub enum WarningCode: "a warning", non_exhaustive {
        /// A recipient is the zero address.
        "recipient-zero" => RecipientZero,
        /// A recipient is the token, the collection, or the contract of its own transfer call.
        "recipient-is-token" => RecipientIsToken,
        /// A recipient is the deployment's job manager, paymaster, EntryPoint or client.
        "recipient-is-service" => RecipientIsService,
        /// A recipient has the first and last four digits of a known address, but is another address.
        "recipient-look-alike" => RecipientLookAlike,
        /// The token is an address that some services use for the native token, but here it is a contract.
        "token-native-alias" => TokenNativeAlias,
        /// A raw transaction is from a wallet that is not the user's.
        "foreign-from" => ForeignFrom,
        /// A spender may take any amount of a token.
        "approval-unlimited" => ApprovalUnlimited,
        /// A spender may take some amount of a token.
        "approval" => Approval,
        /// An operator may take every token of a collection.
        "operator-for-all" => OperatorForAll,
        /// A signed permission to take tokens is used.
        "permit" => Permit,
        /// A contract gets another owner.
        "ownership" => Ownership,
        /// A contract gets another implementation.
        "upgrade" => Upgrade,
        /// A contract is called in a way that is not known here.
        "unknown-call" => UnknownCall,
        /// The deployment does not state the form of the signature, and accounts of this EntryPoint version differ in
        /// it.
        "signature-form" => SignatureForm,
    }
}

answer! {
    /// A point that a person should check again.
    pub struct Warning {
        /// The kind.
        "code" => pub code: WarningCode,
        /// The path from the root of the request, with dots; below `where`, in the deployment.
        "path" => pub path: String,
        /// A sentence for people.
        "message" => pub message: String,
    }
}

/// Returns the warnings about a request and a deployment.
pub(super) fn of(request: &EstimateRequest, deployment: &Deployment) -> Vec<Warning> {
    let mut warnings = Warnings { deployment, list: Vec::new() };
    match &request.intent {
        Intent::NftTransfer(details) => {
            let at = "details.recipientWalletAddress";
            warnings.judge_recipient(&details.recipient_wallet_address, Some(&details.collection_address), at);
        }
        Intent::TokenTransfer(details) => {
            warnings.judge_token(&details.token_address);
            let at = "details.recipientWalletAddress";
            warnings.judge_recipient(&details.recipient_wallet_address, details.token_address.contract(), at);
        }
        Intent::RawTransaction(details) => {
            for (index, transaction) in details.transactions.as_slice().iter().enumerate() {
                warnings.judge_transaction(transaction, &format!("details.transactions.{index}"));
            }
        }
    }
    warnings.judge_signature_form();
    warnings.list
}

/// The warnings so far.
struct Warnings<'a> {
    deployment: &'a Deployment,
    list: Vec<Warning>,
}

impl Warnings<'_> {
    fn push(&mut self, code: WarningCode, path: &str, message: String) {
        self.list.push(Warning { code, path: path.into(), message });
    }

    /// Checks a recipient; `token` is the contract of what it receives.
    fn judge_recipient(&mut self, recipient: &Address, token: Option<&Address>, path: &str) {
        let at = self.deployment;
        if recipient.to_h160().is_zero() {
            let message = "the recipient is the zero address: nobody can use what is sent there";
            self.push(WarningCode::RecipientZero, path, message.into());
        }
        if token == Some(recipient) {
            let message =
                format!("the recipient {recipient} is the contract of what is sent: most contracts cannot send it on");
            self.push(WarningCode::RecipientIsToken, path, message);
        }
        for (service, what) in [
            (&at.job_manager, "job manager"),
            (&at.paymaster, "paymaster"),
            (&at.entry_point, "EntryPoint"),
            (&at.client_swa, "application's smart wallet"),
        ] {
            if recipient == service {
                let message = format!("the recipient {recipient} is the service's {what}, not a person's wallet");
                self.push(WarningCode::RecipientIsService, path, message);
                break;
            }
        }
        self.judge_look_alike(recipient, path);
    }

    /// Checks for an address with the first and last digits of a known one.
    fn judge_look_alike(&mut self, address: &Address, path: &str) {
        let Some(known) = &self.deployment.known else { return };
        let ends = |address: &Address| {
            let [a, b, .., y, z] = address.to_h160().0;
            [a, b, y, z]
        };
        let like = known.iter().find(|known| ends(known) == ends(address));
        if let Some(like) = like.filter(|_| !known.contains(address)) {
            let message = format!("{address} only resembles {like}, which you know: compare every digit");
            self.push(WarningCode::RecipientLookAlike, path, message);
        }
    }

    fn judge_token(&mut self, token: &TokenAddress) {
        let is_alias = |contract: &&Address| [[0xee; 20], [0; 20]].contains(&contract.to_h160().0);
        if let Some(contract) = token.contract().filter(is_alias) {
            let message = format!("some services write {contract} for the native token; here that is the empty text");
            self.push(WarningCode::TokenNativeAlias, "details.tokenAddress", message);
        }
    }

    fn judge_transaction(&mut self, transaction: &Transaction, path: &str) {
        if let Some(wallets) = &self.deployment.wallets
            && !wallets.contains(&transaction.from)
        {
            let message = format!("the transaction is from {}, which is not one of your wallets", transaction.from);
            self.push(WarningCode::ForeignFrom, &format!("{path}.from"), message);
        }
        if transaction.data.is_empty() {
            return self.judge_recipient(&transaction.to, None, &format!("{path}.to"));
        }
        let path = &format!("{path}.data");
        let call = ContractCall::decode(transaction.data.as_slice());
        if call.as_ref().is_none_or(|(_, behind)| !behind.is_empty()) {
            let message = format!("what {} does with this data is not known here", transaction.to);
            self.push(WarningCode::UnknownCall, path, message);
        }
        if let Some((call, _)) = call {
            self.judge_call(&call, &transaction.to, path);
        }
    }

    fn judge_call(&mut self, call: &ContractCall, contract: &Address, path: &str) {
        if let Some(receiver) = call.receiver() {
            self.judge_recipient(receiver, Some(contract), path);
        }
        if let Some((spender, approved)) = call.approval() {
            self.judge_look_alike(spender, path);
            let (code, amount) = match approved {
                Approved::Everything => (WarningCode::OperatorForAll, "everything that".into()),
                Approved::UpTo(_) if approved.is_unlimited() => {
                    (WarningCode::ApprovalUnlimited, "any amount that".into())
                }
                Approved::UpTo(amount) => (WarningCode::Approval, format!("{} of what", decimal(amount))),
            };
            self.push(code, path, format!("{spender} may then take {amount} you have in {contract}"));
        }
        let (code, before, after) = match call.kind() {
            ContractCallKind::Permit => (WarningCode::Permit, "a permission to take tokens of ", " is given"),
            ContractCallKind::Ownership => (WarningCode::Ownership, "the control over ", " changes hands"),
            ContractCallKind::Upgrade => (WarningCode::Upgrade, "the code of ", " is replaced"),
            ContractCallKind::Transfer
            | ContractCallKind::Approval
            | ContractCallKind::ApprovalForAll
            | ContractCallKind::Reduction => return,
        };
        self.push(code, path, format!("{before}{contract}{after}"));
    }

    fn judge_signature_form(&mut self) {
        if self.deployment.signs.is_none() && self.deployment.version != EntryPointVersion::V07 {
            let message = "many accounts of this EntryPoint version check the hash itself, and `signs` does not say so";
            self.push(WarningCode::SignatureForm, "where.signs", message.into());
        }
    }
}
