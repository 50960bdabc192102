//! What a person should look at twice before signing.

use alloc::{string::String, vec::Vec};

use super::{Deployment, EstimateRequest};
use crate::document::answer;
use crate::user_op::EntryPointVersion;
use crate::value::keyword;

keyword! {
    /// The kind of a warning.
    #[derive(PartialOrd, Ord)]
    pub enum WarningCode: "a warning" {
        /// A recipient is the zero address.
        "recipient-zero" => RecipientZero,
        /// A recipient is the token, the collection, or the contract of its own transfer call.
        "recipient-is-token" => RecipientIsToken,
        /// A recipient is the deployment's job manager, paymaster, EntryPoint or client.
        "recipient-is-service" => RecipientIsService,
        /// A recipient has the first and last four digits of a known address, and is another.
        "recipient-look-alike" => RecipientLookAlike,
        /// The token is an address that some services use for the native token; here it is a contract.
        "token-native-alias" => TokenNativeAlias,
        /// A raw transaction is from a wallet that is not the user's.
        "foreign-from" => ForeignFrom,
        /// Somebody may take any amount of a token.
        "approval-unlimited" => ApprovalUnlimited,
        /// Somebody may take some of a token.
        "approval" => Approval,
        /// Somebody may take every token of a collection.
        "operator-for-all" => OperatorForAll,
        /// A signed permission to take tokens is used.
        "permit" => Permit,
        /// A contract gets another owner.
        "ownership" => Ownership,
        /// A contract gets another implementation.
        "upgrade" => Upgrade,
        /// A contract is called in a way that is not known here.
        "unknown-call" => UnknownCall,
        /// The form of the signature was not said, and accounts of this EntryPoint version differ in it.
        "signature-form" => SignatureForm,
    }
}

answer! {
    /// What a person should look at twice.
    pub struct Warning {
        /// The kind.
        "code" => pub code: WarningCode,
        /// Where, dotted from the root of the request; below `where`, in the deployment.
        "path" => pub path: String,
        /// What it is about, for a person to read.
        "message" => pub message: String,
    }
}

/// Everything in a request and a deployment to look at twice.
pub(super) fn of(_: &EstimateRequest, deployment: &Deployment) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if deployment.signs.is_none() && deployment.version != EntryPointVersion::V07 {
        let message = "many accounts of this EntryPoint version check the hash itself, but `signs` does not say so";
        let (code, path) = (WarningCode::SignatureForm, "where.signs".into());
        warnings.push(Warning { code, path, message: message.into() });
    }
    warnings
}
