//! Warnings: points that a person should check again before signing.

use alloc::{string::String, vec::Vec};

use super::Deployment;
use crate::document::document;
use crate::intent::{
    Approved, ContractCall, ContractCallKind, Intent, Names, Transaction, attribution, contents,
    counted, effect, is_attribution,
};
use crate::text::text_of;
use crate::user_op::EntryPointVersion;
use crate::value::{Address, ChainId, WriteText, fill, keyword};

keyword! {
    /// The kind of a warning.
    pub enum WarningCode: "a warning", non_exhaustive {
        /// A recipient is the zero address.
        "recipient-zero" => RecipientZero,
        /// A recipient is the token, the collection, or the contract of its own transfer call.
        "recipient-is-token" => RecipientIsToken,
        /// A recipient is the deployment's job manager, paymaster, EntryPoint or client.
        "recipient-is-service" => RecipientIsService,
        /// A recipient, or an address that gets power, has the first and last four digits of a known address or of one of
        /// the user's wallets, but is another address.
        "recipient-look-alike" => RecipientLookAlike,
        /// The token is an address that some services use for the native token, but here it is a contract.
        "token-native-alias" => TokenNativeAlias,
        /// A raw transaction is from a wallet that is not the user's.
        "foreign-from" => ForeignFrom,
        /// A spender may take any amount of a token.
        "approval-unlimited" => ApprovalUnlimited,
        /// A spender may take some amount of a token, or one NFT.
        "approval" => Approval,
        /// An approval is taken back, or a spender may take the NFT with the id 0.
        "approval-zero" => ApprovalZero,
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

document! {
    /// A point that a person should check again.
    pub struct Warning: "", open Ignored, displayed by nobody {
        /// The kind.
        "code" => pub code: WarningCode,
        /// The path from the root of the request, with dots; below `where`, in the deployment.
        "path" => pub path: String,
        /// A sentence for people.
        "message" => pub message: String,
        /// The value in the request that the warning is about: an address, an amount or a function.
        "found" => pub found: String,
    }
}

/// Returns the warnings about an intent and the deployment. Messages show `names` beside the raw values.
pub(super) fn of(intent: &Intent, deployment: &Deployment, names: &Names) -> Vec<Warning> {
    let mut warnings = Warnings { deployment, chain: intent.chain(), names, list: Vec::new() };

    let recipient = "details.recipientWalletAddress";
    match intent {
        Intent::NftTransfer(nft) => {
            let (to, collection) = (&nft.recipient_wallet_address, &nft.collection_address);
            warnings.check_recipient(to, Some(collection), recipient);
        }
        Intent::TokenTransfer(token) => {
            let contract = token.token_address.contract();
            warnings.check_token(contract);
            warnings.check_recipient(&token.recipient_wallet_address, contract, recipient);
        }
        Intent::RawTransaction(raw) => {
            for (index, transaction) in raw.transactions.as_slice().iter().enumerate() {
                let path = fill("details.transactions.{}", &[&index]);
                warnings.check_transaction(transaction, &path);
            }
        }
    }

    warnings.check_signature_form();
    warnings.list
}

struct Warnings<'a> {
    deployment: &'a Deployment,
    /// The chain of the intent.
    chain: &'a ChainId,
    names: &'a Names,
    list: Vec<Warning>,
}

impl Warnings<'_> {
    fn push(&mut self, code: WarningCode, path: &str, found: &dyn WriteText, message: String) {
        self.list.push(Warning { code, path: path.into(), message, found: text_of(found) });
    }

    /// Warns with a sentence in which the value takes its place.
    fn warn(&mut self, code: WarningCode, path: &str, found: &dyn WriteText, sentence: &str) {
        self.push(code, path, found, fill(sentence, &[&text_of(found)]));
    }

    /// Checks a recipient; `token` is the contract of what it receives.
    fn check_recipient(&mut self, recipient: &Address, token: Option<&Address>, path: &str) {
        if recipient.to_h160().is_zero() {
            let sentence =
                "The recipient {} is the zero address. Nobody can use what is sent there.";
            self.warn(WarningCode::RecipientZero, path, recipient, sentence);
        }
        if token == Some(recipient) {
            let sentence = "The recipient {} is the contract of the token itself. Most contracts cannot send it on.";
            self.warn(WarningCode::RecipientIsToken, path, recipient, sentence);
        }

        let services = [
            (&self.deployment.job_manager, "job manager"),
            (&self.deployment.paymaster, "paymaster"),
            (&self.deployment.entry_point, "EntryPoint"),
            (&self.deployment.client_swa, "application's smart wallet"),
        ];
        if let Some((_, what)) = services.iter().find(|(service, _)| *service == recipient) {
            let template = "The recipient {} is the service's {} and not a person's wallet.";
            let message = fill(template, &[recipient, what]);
            self.push(WarningCode::RecipientIsService, path, recipient, message);
        }
        self.check_look_alike(recipient, path);
    }

    /// Checks for an address with the first and last digits of a known one, or of one of the user's wallets.
    fn check_look_alike(&mut self, address: &Address, path: &str) {
        let Deployment { known, wallets, .. } = self.deployment;
        let known = || known.iter().chain(wallets).flatten();
        let ends = |address: &Address| {
            let [a, b, .., y, z] = address.to_h160().0;
            [a, b, y, z]
        };

        let like = known().find(|known| ends(known) == ends(address));
        if let Some(like) = like.filter(|_| !known().any(|known| known == address)) {
            let template = "{} resembles your address {}, but is another one. Compare every digit.";
            let message = fill(template, &[address, like]);
            self.push(WarningCode::RecipientLookAlike, path, address, message);
        }
    }

    fn check_token(&mut self, contract: Option<&Address>) {
        let is_alias = |contract: &&Address| [[0xee; 20], [0; 20]].contains(&contract.to_h160().0);
        if let Some(contract) = contract.filter(is_alias) {
            let sentence = "Some services write {} for the native token. Here the native token is the empty text.";
            let path = "details.tokenAddress";
            self.warn(WarningCode::TokenNativeAlias, path, contract, sentence);
        }
    }

    fn check_transaction(&mut self, transaction: &Transaction, path: &str) {
        let Transaction { data, from, to, value: _ } = transaction;
        let data = data.as_slice();
        let wallets = self.deployment.wallets.as_ref();
        if wallets.is_some_and(|wallets| !wallets.contains(from)) {
            let sentence = "The transaction is from {}, which is not one of your wallets.";
            self.warn(WarningCode::ForeignFrom, &fill("{}.from", &[&path]), from, sentence);
        }
        if data.is_empty() {
            return self.check_recipient(to, None, &fill("{}.to", &[&path]));
        }

        let path = &fill("{}.data", &[&path]);
        let call = match ContractCall::recognize(data) {
            Some((call, behind)) => {
                if !behind.is_empty() {
                    self.push(WarningCode::UnknownCall, path, to, words_behind(&call, behind));
                }
                if let Some(receiver) = call.receiver() {
                    self.check_recipient(receiver, Some(to), path);
                }
                if let Some(empowered) = call.empowered() {
                    self.check_look_alike(empowered, path);
                }
                Some(call)
            }
            None => {
                let call = ContractCall::read_loosely(data);
                let message = self.words_of_unknown(call.as_ref(), to, data);
                self.push(WarningCode::UnknownCall, path, to, message);
                call
            }
        };
        if let Some(call) = call.filter(ContractCall::is_power) {
            let effect = effect(&call, &from.to_text(), Some(to), self.chain, self.names);
            let message = fill("By this call of the contract {}, {}.", &[to, &effect]);
            if let Some((code, found)) = power(&call, to) {
                self.push(code, path, found, message);
            }
        }
    }

    /// What is said of data that does not decode strictly, or is of no known function.
    fn words_of_unknown(
        &self,
        call: Option<&ContractCall>,
        contract: &Address,
        data: &[u8],
    ) -> String {
        if let Some(call) = call {
            let template = "The arguments of {} are not encoded as they should be. The contract {} may accept them, or read \
                them in another way.";
            return fill(template, &[&call.signature(), contract]);
        }

        let unknown =
            fill("It is not known here what the contract {} does with this data.", &[contract]);
        match &*contents(ContractCall::within(data), self.chain) {
            "" => unknown,
            contents => fill("{} The data contains {}.", &[&unknown, &contents]),
        }
    }

    fn check_signature_form(&mut self) {
        let version = self.deployment.version;
        if self.deployment.signs.is_none() && version != EntryPointVersion::V07 {
            let sentence = "Many accounts of EntryPoint {} check the hash itself. `signs` of the deployment does not state \
                what this account checks.";
            self.warn(WarningCode::SignatureForm, "where.signs", &version, sentence);
        }
    }
}

/// The warning about a call that gives power, and the account that gets it, or else the contract.
fn power<'a>(call: &'a ContractCall, contract: &'a Address) -> Option<(WarningCode, &'a Address)> {
    Some(match call.kind() {
        ContractCallKind::Permit => (WarningCode::Permit, contract),
        ContractCallKind::Ownership => (WarningCode::Ownership, contract),
        ContractCallKind::Upgrade => (WarningCode::Upgrade, contract),
        ContractCallKind::Approval | ContractCallKind::ApprovalForAll => {
            let (spender, approved) = call.approval()?;
            let code = match approved {
                Approved::Everything => WarningCode::OperatorForAll,
                Approved::UpTo(amount) if amount.is_zero() => WarningCode::ApprovalZero,
                Approved::UpTo(_) if approved.is_unlimited() => WarningCode::ApprovalUnlimited,
                Approved::UpTo(_) => WarningCode::Approval,
            };
            (code, spender)
        }
        ContractCallKind::Transfer | ContractCallKind::Reduction => return None,
    })
}

/// What is said of the bytes behind the arguments of a call.
fn words_behind(call: &ContractCall, behind: &[u8]) -> String {
    let length = behind.len();
    let words = if is_attribution(behind) {
        attribution(length)
    } else {
        fill("the meaning of {} behind it is not known here", &[&counted(length, "byte")])
    };
    let template =
        "The data does not end with the call of {}: {}. Most contracts ignore what follows.";
    fill(template, &[&call.signature(), &words])
}
