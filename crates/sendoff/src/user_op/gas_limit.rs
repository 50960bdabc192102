//! The five gas limits of an operation: their keys, what follows if one is too low, and what the EntryPoint accepts.

use primitive_types::U256;

use crate::document::Value;
use crate::error::{IssueCode, Issues, Path};
use crate::value::fill;

/// A gas limit of an operation. Source: ERC-4337.
pub(crate) struct GasLimit {
    /// Its key in operations, in facts and in expectations.
    pub(crate) key: &'static str,
    /// What follows if it is too low.
    pub(crate) if_low: IfLow,
}

/// What follows if a gas limit is too low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfLow {
    /// The operation is executed, fails, and is paid for.
    Fails,
    /// The EntryPoint refuses the operation.
    Refused,
    /// It only costs less: nothing measures what it pays for.
    CostsLess,
}

const fn limit(key: &'static str, if_low: IfLow) -> GasLimit {
    GasLimit { key, if_low }
}

pub(crate) const CALL: GasLimit = limit("callGasLimit", IfLow::Fails);
pub(crate) const VERIFICATION: GasLimit = limit("verificationGasLimit", IfLow::Refused);
pub(crate) const PRE_VERIFICATION: GasLimit = limit("preVerificationGas", IfLow::CostsLess);
pub(crate) const PAYMASTER: GasLimit = limit("paymasterVerificationGasLimit", IfLow::Refused);
pub(crate) const POST_OP: GasLimit = limit("paymasterPostOpGasLimit", IfLow::Fails);

/// The gas limits in the order of ERC-4337, which is that of their rows in documents.
pub(crate) static GAS_LIMITS: [GasLimit; 5] =
    [CALL, VERIFICATION, PRE_VERIFICATION, PAYMASTER, POST_OP];

/// The largest number of bits that the EntryPoint accepts in a gas limit or a fee (`AA94 gas values overflow`).
pub(crate) const MAX_GAS_BITS: usize = 120;

/// Reports each of these fields that the EntryPoint refuses for its size.
pub(crate) fn check_bits(fields: &Value, keys: &[&str], issues: &mut Issues) {
    for key in keys {
        let bits = fields.field(key).number().bits();
        if bits > MAX_GAS_BITS {
            let message = fill(
                "expected at most 120 bits, as the EntryPoint does (AA94), found {}",
                &[&bits],
            );
            issues.push(&Path::Field(&Path::Root, key), IssueCode::Range, message);
        }
    }
}

/// Returns the sum of the gas limits. An absent one counts as 0.
pub(crate) fn gas_of(fields: &Value) -> U256 {
    let limits = GAS_LIMITS.iter().map(|limit| fields.field(limit.key).number());
    limits.fold(U256::zero(), U256::saturating_add)
}
