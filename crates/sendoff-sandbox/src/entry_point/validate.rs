//! The checks before the call, in the EntryPoint's order and with its reasons.

use alloc::string::String;

use sendoff::primitive_types::U256;
use sendoff::user_op::{PaymasterData, UserOp};
#[cfg(feature = "signature")]
use sendoff::user_op::{check_signature, signing_digest};
use sendoff::value::{Address, HexBytes, Word};

use super::gas::{OWN_PART, PAYMASTER_VERIFICATION, PRE_VERIFICATION, VERIFICATION, fits_in_block};
use super::{PARAMETERS, RpcError};
#[cfg(feature = "signature")]
use crate::draw;
use crate::state::{State, User};

/// The errors of validation by ERC-7769.
const ACCOUNT: i64 = -32_500;
const PAYMASTER: i64 = -32_501;
const TIME: i64 = -32_503;
const SIGNATURE: i64 = -32_507;

impl State {
    /// The checks before the call, in the order of the EntryPoint. Returns the id of the sender's user.
    pub(super) fn validate(&self, op: &UserOp, hash: &str, cost: U256, now: i64) -> Result<String, RpcError> {
        let sender = crate::contract::lower(&op.sender);
        let (cap, tip) = (U256::from(op.max_fee_per_gas.value()), U256::from(op.max_priority_fee_per_gas.value()));
        if tip > cap {
            return Err(RpcError::new(PARAMETERS, "maxPriorityFeePerGas is above maxFeePerGas"));
        }
        if cap < self.deployment.base_fee {
            return Err(RpcError::new(PARAMETERS, "maxFeePerGas is below the base fee"));
        }
        if op.pre_verification_gas.value() < U256::from(PRE_VERIFICATION) {
            return Err(RpcError::new(PARAMETERS, "preVerificationGas is too low"));
        }
        let user = self.users.values().find(|user| user.swa == sender);
        let user = user.ok_or_else(|| RpcError::new(ACCOUNT, "AA20 account not deployed"))?;
        if op.factory.is_some() {
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

        let is_ours = self.deployment.paymaster.parse::<Address>().is_ok_and(|known| known == paymaster.address);
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
        self.is_signed(op, hash, user)?;
        if let Some(grant) = grant {
            self.is_granted(op, &grant, now)?;
        }
        if !fits_in_block(op) {
            return Err(RpcError::new(PARAMETERS, "AA95 out of gas"));
        }
        Ok(user.id.clone())
    }

    /// Checks the signature of the user's session key.
    fn is_signed(&self, op: &UserOp, hash: &str, user: &User) -> Result<(), RpcError> {
        let wrong = || RpcError::new(SIGNATURE, "AA24 signature error");
        let signature = op.signature.as_ref().map(HexBytes::as_slice).unwrap_or_default();
        let (Ok(_hash), Ok(_key)) = (hash.parse::<Word>(), user.session_key.parse::<Address>()) else {
            return Err(wrong());
        };
        #[cfg(feature = "signature")]
        let is_right = check_signature(signing_digest(_hash), signature, &_key).is_ok();
        #[cfg(not(feature = "signature"))]
        let is_right = signature.len() == 65 && matches!(signature.last(), Some(27 | 28));
        if is_right { Ok(()) } else { Err(wrong()) }
    }

    /// Checks the application's grant in the paymaster data. Data of another form is no grant.
    fn is_granted(&self, op: &UserOp, grant: &PaymasterData, now: i64) -> Result<(), RpcError> {
        let signer = &self.deployment.grant_signer;
        let is_ours = self.deployment.client_swa.parse::<Address>().is_ok_and(|known| known == grant.client_swa);
        if !is_ours || !self.is_granted_by(op, grant, signer) {
            return Err(RpcError::new(SIGNATURE, "AA34 signature error"));
        }
        let seconds = u64::try_from(now.div_euclid(1_000)).unwrap_or_default();
        let is_over = grant.valid_until.value() != 0 && grant.valid_until.value() < seconds;
        if is_over || grant.valid_after.value() > seconds {
            return Err(RpcError::new(TIME, "AA32 paymaster expired or not due"));
        }
        Ok(())
    }

    #[cfg(feature = "signature")]
    fn is_granted_by(&self, op: &UserOp, data: &PaymasterData, signer: &str) -> bool {
        let Ok(signer) = signer.parse::<Address>() else { return true };
        let job = draw::uuid_of_nonce(op.nonce.value()).parse();
        let Ok(job_id) = job else { return false };
        let (client_swa, valid_until, valid_after) = (data.client_swa, data.valid_until, data.valid_after);
        let grant = sendoff::user_op::PaymasterGrant { job_id, client_swa, valid_until, valid_after };
        check_signature(signing_digest(grant.hash()), &data.signature.to_bytes(), &signer).is_ok()
    }

    #[cfg(not(feature = "signature"))]
    fn is_granted_by(&self, _: &UserOp, _: &PaymasterData, _: &str) -> bool {
        true
    }
}
