//! Operations that may be signed: only verification makes them.

use alloc::{string::String, vec::Vec};

use super::clear_signing::clear_signing;
use super::comparison::compare_sides;
use super::expect::check_beyond;
use super::scope::{self, Sides};
use super::{
    ClearSigning, Deployment, EstimateRequest, ReplySource, SignatureForm, Warning, warning,
};
use crate::document::{Typed as _, document};
use crate::error::{Error, Issues, Path};
use crate::intent::Names;
use crate::keccak::keccak256;
use crate::user_op::{
    Digests, Hashed, PreparedUserOp, TypedData, UserOp, hash_at, signing_digest, typed_data,
};
use crate::value::{HexBytes, Word};

document! {
    /// A user operation that may be signed: it matches the request, the deployment and the expectations.
    ///
    /// Only [`signable`] creates it.
    pub struct Signable: "", open Ignored, displayed by nobody {
        /// The hash of the operation.
        "hash" => hash: Word,
        /// The digest to sign: the hash's EIP-191 digest, or the hash itself if the deployment says so. A wallet's
        /// `signMessage` computes the EIP-191 digest itself from the 32 bytes of `hash`.
        "digest" => digest: Word,
        /// The digests that wallets show, for a person who compares two screens.
        "digests" => digests: Digests,
        /// The operation to send after signing: exactly the one that was hashed.
        "operation" => operation: PreparedUserOp,
        /// The effects of the signature.
        "account" => effects: ClearSigning,
        /// Warnings: points that a person should check again.
        "warnings" => warnings: Vec<Warning>,
        /// The fields of the reply that the signature covers and that the caller does not bind: the server chose them.
        "unbound" => unbound: Vec<String>,
        /// The operation as EIP-712 typed data, if the account signs that form.
        "typedData" => typed_data: Option<TypedData>,
    }
}

impl Signable {
    /// The hash of the operation ([`user_op_hash`](crate::user_op::user_op_hash)).
    #[must_use]
    pub const fn hash(&self) -> Word {
        self.hash
    }

    /// The digest to sign: the hash's EIP-191 digest ([`signing_digest`]), or the hash ([`SignatureForm`]).
    #[must_use]
    pub const fn digest(&self) -> Word {
        self.digest
    }

    /// The operation to send after signing: exactly the one that was hashed.
    #[must_use]
    pub const fn operation(&self) -> &PreparedUserOp {
        &self.operation
    }

    /// Returns the operation with its signature: what is sent ([`UserOp::assemble`]).
    ///
    /// # Errors
    ///
    /// `format` at `signature` if the signature is empty.
    pub fn assemble(&self, signature: impl Into<HexBytes>) -> Result<UserOp, Error> {
        UserOp::from(self.operation.clone()).assemble(signature.into())
    }

    /// The effects of the signature.
    #[must_use]
    pub const fn effects(&self) -> &ClearSigning {
        &self.effects
    }

    /// Warnings: points that a person should check again.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The digests that wallets show, for a person who compares two screens.
    #[must_use]
    pub const fn digests(&self) -> &Digests {
        &self.digests
    }

    /// The paths of the reply's fields that the signature covers and that neither the request nor the deployment binds:
    /// the server chose them. Expectations bind them ([`Expectations`](super::Expectations)).
    #[must_use]
    pub fn unbound(&self) -> &[String] {
        &self.unbound
    }

    /// The operation as EIP-712 typed data, if the account signs that form.
    #[must_use]
    pub const fn typed_data(&self) -> Option<&TypedData> {
        self.typed_data.as_ref()
    }
}

/// Returns the hash and digest of a reply's operation if the reply matches the request and the deployment. Sentences in
/// the answer show `names` beside the raw values.
///
/// ```
/// use sendoff::estimate::{Estimate, respond, signable};
/// use sendoff::intent::Names;
/// # let request = r#"{"type":"TOKEN_TRANSFER","jobId":"e4fb7f8b-d19d-4785-94af-4b911469a3b0","gasDetails":
/// # {"maxFeePerGas":"0x2255100","maxPriorityFeePerGas":"0x2255100"},"paymasterData":"0x","details":{"caip2Id":
/// # "eip155:84532","recipientWalletAddress":"0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2","tokenAddress":"","amount":"5"}}"#;
/// # let facts = r#"{"clientSWA":"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA","userSWA":
/// # "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906","policies":{"gsnEnabled":false,"sponsorshipEnabled":false},
/// # "jobManager":"0x0543aD80b41C5f5956d34503668CDb965deCB617","paymaster":"0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
/// # "gasLimits":{"callGasLimit":"0x552e4","verificationGasLimit":"0x28428","preVerificationGas":"0x15324",
/// # "paymasterVerificationGasLimit":"0x139a2","paymasterPostOpGasLimit":"0x1"}}"#;
/// # let deployment = r#"{"entryPoint":"0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da","chainId":1802466136,"version":"0.7",
/// # "jobManager":"0x0543aD80b41C5f5956d34503668CDb965deCB617","paymaster":"0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
/// # "clientSWA":"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA"}"#;
/// # let reply = sendoff::json::estimate(request, facts).unwrap();
///
/// let checked = signable(&request.parse()?, &reply, &deployment.parse()?, &Names::default())?;
/// assert_eq!(checked.digest(), sendoff::user_op::signing_digest(checked.hash()));
/// assert_eq!(checked.effects().operation.max_fee_per_gas, "36000000");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
///
/// # Errors
///
/// `rule` at the place of each finding of [`super::verify`], and for each difference from the deployment; also if the
/// operation has no hash.
pub fn signable<'a>(
    request: &EstimateRequest,
    reply: impl Into<ReplySource<'a>>,
    deployment: &Deployment,
    names: &Names,
) -> Result<Signable, Error> {
    let mut issues = Issues::default();
    let signable = match reply.into().read(request.intent.kind()) {
        Ok((reply, problems)) => {
            let mut sides = Sides::new(request, Some(deployment), reply);
            let findings = compare_sides(&mut sides, problems);
            findings.into_iter().for_each(|found| issues.add(found.into()));
            check(sides, deployment, names, &mut issues)
        }
        Err(error) => {
            issues.add((*error).into());
            None
        }
    };
    issues.or(signable)
}

/// Checks what the caller knows, and makes what may be signed if there is no problem.
fn check(
    mut sides: Sides<'_>,
    deployment: &Deployment,
    names: &Names,
    issues: &mut Issues,
) -> Option<Signable> {
    let unbound = check_beyond(&mut sides, deployment, issues);

    let operation = PreparedUserOp::of_value(sides.reply.at(scope::OPERATION))?;
    let (op, entry_point) = (UserOp::from(operation.clone()), deployment.entry_point());
    let call_data = keccak256(&[op.call_data.as_slice()]);
    let at = Path::Field(&Path::Field(&Path::Root, "data"), "userOps");
    let Hashed { hash, eip712 } = hash_at(&op, call_data, &entry_point, &at, issues)?;
    if !issues.is_empty() {
        return None;
    }

    let (digest, typed_data) = match deployment.signature_form() {
        // The digest is that of the hash's 32 bytes.
        SignatureForm::Personal => (signing_digest(hash), None),
        SignatureForm::Raw => (hash, None),
        SignatureForm::TypedData => (hash, Some(typed_data(&op, &entry_point)?)),
    };
    Some(Signable {
        hash,
        digest,
        digests: Digests::of(op.call_data.as_slice(), eip712),
        effects: clear_signing(&operation, &op, call_data.into(), &sides, deployment, names)?,
        warnings: warning::of(sides.intent, deployment, names),
        operation,
        unbound,
        typed_data,
    })
}
