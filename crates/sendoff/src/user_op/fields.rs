//! The parts of an operation that are hashed and packed, whether it is prepared or not.

use super::{Factory, Gas, Paymaster, PreparedUserOp, UserOp};
use crate::document::Field;
use crate::value::{Address, HexBytes, Nonce, Quantity128};

// Paths of problems.
pub(super) const CAP: Field<UserOp, Quantity128> = Field::of("maxFeePerGas");
pub(super) const TIP: Field<UserOp, Quantity128> = Field::of("maxPriorityFeePerGas");
pub(super) const FACTORY: Field<UserOp, Address> = Field::of("factory");
pub(super) const PAYMASTER_DATA: Field<UserOp, HexBytes> = Field::of("paymasterData");

/// The parts of an operation.
pub(crate) struct OpFields<'a> {
    pub(crate) sender: &'a Address,
    pub(crate) nonce: &'a Nonce,
    /// Nothing if the account is deployed.
    pub(crate) factory: Option<&'a Factory>,
    pub(crate) call_data: &'a HexBytes,
    /// Zero for a paymaster's limit if the sender pays.
    pub(crate) gas: Gas,
    pub(crate) cap: u128,
    pub(crate) tip: u128,
    /// The address and the data of the paymaster; nothing if the sender pays.
    pub(crate) paymaster: Option<(&'a Address, &'a HexBytes)>,
}

impl<'a> From<&'a UserOp> for OpFields<'a> {
    fn from(op: &'a UserOp) -> Self {
        // Taken apart without `..`: a field that would not be hashed does not compile.
        let UserOp {
            call_data,
            call_gas_limit,
            factory,
            max_fee_per_gas,
            max_priority_fee_per_gas,
            nonce,
            paymaster,
            pre_verification_gas,
            sender,
            signature: _,
            verification_gas_limit,
        } = op;
        let limit = |limit: fn(&Paymaster) -> &Quantity128| {
            paymaster.as_ref().map_or(0, |paymaster| limit(paymaster).value())
        };

        Self {
            sender,
            nonce,
            factory: factory.as_ref(),
            call_data,
            gas: Gas {
                call: call_gas_limit.value(),
                verification: verification_gas_limit.value(),
                pre_verification: pre_verification_gas.value(),
                paymaster: limit(|paymaster| &paymaster.verification_gas_limit),
                post_op: limit(|paymaster| &paymaster.post_op_gas_limit),
            },
            cap: max_fee_per_gas.value(),
            tip: max_priority_fee_per_gas.value(),
            paymaster: paymaster.as_ref().map(|Paymaster { address, data, .. }| (address, data)),
        }
    }
}

impl<'a> From<&'a PreparedUserOp> for OpFields<'a> {
    fn from(op: &'a PreparedUserOp) -> Self {
        let PreparedUserOp {
            call_data,
            call_gas_limit,
            max_fee_per_gas,
            max_priority_fee_per_gas,
            nonce,
            paymaster,
            paymaster_data,
            paymaster_post_op_gas_limit,
            paymaster_verification_gas_limit,
            pre_verification_gas,
            sender,
            verification_gas_limit,
        } = op;

        Self {
            sender,
            nonce,
            factory: None,
            call_data,
            gas: Gas {
                call: call_gas_limit.value(),
                verification: verification_gas_limit.value(),
                pre_verification: pre_verification_gas.value(),
                paymaster: paymaster_verification_gas_limit.value(),
                post_op: paymaster_post_op_gas_limit.value(),
            },
            cap: max_fee_per_gas.value(),
            tip: max_priority_fee_per_gas.value(),
            paymaster: Some((paymaster, paymaster_data)),
        }
    }
}
