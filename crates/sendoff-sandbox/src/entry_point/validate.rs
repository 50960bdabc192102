//! The checks before the call, in the EntryPoint's order and with its reasons.

use alloc::string::String;

use sendoff::primitive_types::U256;
use sendoff::user_op::{PaymasterData, PaymasterGrant, UserOp, signing_digest};
use sendoff::value::{Address, Word};

use super::gas::{OWN_PART, PAYMASTER_VERIFICATION, PRE_VERIFICATION, VERIFICATION, fits_in_block};
use super::{PARAMETERS, RpcError, other_account};
use crate::draw;
use crate::signed::{Judge, Signed};
use crate::state::{State, User};

/// The errors of validation by ERC-7769.
const ACCOUNT: i64 = -32_500;
const PAYMASTER: i64 = -32_501;
const TIME: i64 = -32_503;
const SIGNATURE: i64 = -32_507;

impl State {
    /// The user of a smart wallet, or of the other one of its key.
    pub(crate) fn account(&self, sender: &Address) -> Result<&User, RpcError> {
        let sender = crate::contract::lower(sender);
        let other = other_account(&sender);
        let user = self.users.values().find(|user| user.swa == sender || user.swa == other);
        user.ok_or_else(|| RpcError::new(ACCOUNT, "AA20 account not deployed"))
    }

    /// The checks before the call, in the order of the EntryPoint. Returns the id of the sender's user.
    pub(super) fn validate(
        &self,
        op: &UserOp,
        hash: &str,
        cost: U256,
        now: i64,
        judge: Judge<'_>,
    ) -> Result<String, RpcError> {
        let sender = crate::contract::lower(&op.sender);
        let (cap, tip) = (
            U256::from(op.max_fee_per_gas.value()),
            U256::from(op.max_priority_fee_per_gas.value()),
        );
        if tip > cap {
            return Err(RpcError::new(PARAMETERS, "maxPriorityFeePerGas is above maxFeePerGas"));
        }
        if cap < self.deployment.base_fee {
            return Err(RpcError::new(PARAMETERS, "maxFeePerGas is below the base fee"));
        }
        if op.pre_verification_gas.value() < U256::from(PRE_VERIFICATION) {
            return Err(RpcError::new(PARAMETERS, "preVerificationGas is too low"));
        }
        let user = self.account(&op.sender)?;
        // From 0.9 on a factory is ignored if the account exists.
        if op.factory.is_some() && self.deployment.version != "0.9" {
            return Err(RpcError::new(ACCOUNT, "AA10 sender already constructed"));
        }
        // With less gas than it needs the account reverts, without a reason.
        let own = |limit: u128, needed: u64| limit < needed.saturating_sub(OWN_PART).into();
        if own(op.verification_gas_limit.value(), VERIFICATION) {
            return Err(RpcError::new(ACCOUNT, "AA23 reverted"));
        }
        let Some(paymaster) = &op.paymaster else {
            return Err(RpcError::new(ACCOUNT, "AA21 didn't pay prefund"));
        };
        if !self.is_next(&sender, op.nonce.value()) {
            return Err(RpcError::new(ACCOUNT, "AA25 invalid account nonce"));
        }
        if op.verification_gas_limit.value() < VERIFICATION.into() {
            return Err(RpcError::new(ACCOUNT, "AA26 over verificationGasLimit"));
        }

        let is_ours = self
            .deployment
            .paymaster
            .parse::<Address>()
            .is_ok_and(|known| known == paymaster.address);
        if !is_ours {
            return Err(RpcError::new(PAYMASTER, "AA30 paymaster not deployed"));
        }
        if self.deployment.deposit < cost {
            return Err(RpcError::new(PAYMASTER, "AA31 paymaster deposit too low"));
        }
        let limit = paymaster.verification_gas_limit.value();
        let grant = PaymasterData::decode(paymaster.data.as_slice()).ok();
        let has_form = grant.is_some() || self.deployment.grant_signer.is_empty();
        if own(limit, PAYMASTER_VERIFICATION) || !has_form {
            return Err(RpcError::new(PAYMASTER, "AA33 reverted"));
        }
        if limit < PAYMASTER_VERIFICATION.into() {
            return Err(RpcError::new(PAYMASTER, "AA36 over paymasterVerificationGasLimit"));
        }
        // Signatures and times are judged after both have answered.
        is_signed(op, hash, user, judge)?;
        if let Some(grant) = grant {
            self.is_granted(op, &grant, now, judge)?;
        }
        if !fits_in_block(op) {
            return Err(RpcError::new(PARAMETERS, "AA95 out of gas"));
        }
        Ok(user.id.clone())
    }

    /// Checks the application's grant in the paymaster data. Data of another form is no grant.
    fn is_granted(
        &self,
        op: &UserOp,
        grant: &PaymasterData,
        now: i64,
        judge: Judge<'_>,
    ) -> Result<(), RpcError> {
        let signer = &self.deployment.grant_signer;
        let is_ours = self
            .deployment
            .client_swa
            .parse::<Address>()
            .is_ok_and(|known| known == grant.client_swa);
        if !is_ours || !is_granted_by(op, grant, signer, judge) {
            return Err(RpcError::new(SIGNATURE, "AA34 signature error"));
        }
        let seconds = u64::try_from(now.div_euclid(1_000)).unwrap_or_default();
        let is_over = grant.valid_until.value() != 0 && grant.valid_until.value() < seconds;
        // From 0.8 on a grant begins in the second after this one.
        let latest = seconds.saturating_sub(u64::from(self.deployment.version != "0.7"));
        if is_over || grant.valid_after.value() > latest {
            return Err(RpcError::new(TIME, "AA32 paymaster expired or not due"));
        }
        Ok(())
    }
}

/// Checks the signature of the user's session key.
fn is_signed(op: &UserOp, hash: &str, user: &User, judge: Judge<'_>) -> Result<(), RpcError> {
    let signed = || {
        let (digest, signer) =
            (signing_digest(hash.parse::<Word>().ok()?), user.session_key.parse().ok()?);
        Some(Signed { digest, signature: op.signature.clone().unwrap_or_default(), signer })
    };
    let is_right = signed().is_some_and(|signed| judge(&signed));
    if is_right { Ok(()) } else { Err(RpcError::new(SIGNATURE, "AA24 signature error")) }
}

/// `true` if a key granted the operation; without a key grants are not checked.
fn is_granted_by(op: &UserOp, data: &PaymasterData, signer: &str, judge: Judge<'_>) -> bool {
    let Ok(signer) = signer.parse::<Address>() else { return true };
    let Ok(job_id) = draw::uuid_of_nonce(op.nonce.value()).parse() else { return false };
    let (client_swa, valid_until, valid_after) =
        (data.client_swa, data.valid_until, data.valid_after);
    let grant = PaymasterGrant { job_id, client_swa, valid_until, valid_after };
    let signature = data.signature.to_bytes().as_slice().into();
    judge(&Signed { digest: signing_digest(grant.hash()), signature, signer })
}
