//! The five gas limits of an operation: their keys, what follows if one is too low, and what the EntryPoint accepts.

use primitive_types::U256;

use super::fields::{CALL_GAS, PAYMASTER_GAS, POST_OP_GAS, PRE_VERIFICATION_GAS, VERIFICATION_GAS};
use crate::document::{Field, Number, Value};
use crate::error::{IssueCode, Issues, Path};
use crate::value::fill;

/// A gas limit of an operation. Source: ERC-4337.
pub(crate) struct GasLimit {
    /// Its field in operations; facts and expectations have it at the same key.
    pub(crate) field: Field<Number>,
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

const fn limit(field: Field<Number>, if_low: IfLow) -> GasLimit {
    GasLimit { field, if_low }
}

pub(crate) const CALL: GasLimit = limit(CALL_GAS.number(), IfLow::Fails);
pub(crate) const VERIFICATION: GasLimit = limit(VERIFICATION_GAS.number(), IfLow::Refused);
pub(crate) const PRE_VERIFICATION: GasLimit =
    limit(PRE_VERIFICATION_GAS.number(), IfLow::CostsLess);
pub(crate) const PAYMASTER: GasLimit = limit(PAYMASTER_GAS.number(), IfLow::Refused);
pub(crate) const POST_OP: GasLimit = limit(POST_OP_GAS.number(), IfLow::Fails);

/// The gas limits in the order of ERC-4337, which is that of their rows in documents.
pub(crate) static GAS_LIMITS: [GasLimit; 5] =
    [CALL, VERIFICATION, PRE_VERIFICATION, PAYMASTER, POST_OP];

/// The largest number of bits that the EntryPoint accepts in a gas limit or a fee (`AA94 gas values overflow`).
pub(crate) const MAX_GAS_BITS: usize = 120;

/// Reports each of these fields that the EntryPoint refuses for its size.
pub(crate) fn check_bits(record: &Value, fields: &[Field<Number>], issues: &mut Issues) {
    for field in fields {
        let bits = record.get(*field).map_or(0, U256::bits);
        if bits > MAX_GAS_BITS {
            let message = fill(
                "expected at most 120 bits, as the EntryPoint does (AA94), found {}",
                &[&bits],
            );
            issues.push(&Path::Field(&Path::Root, field.key()), IssueCode::Range, message);
        }
    }
}

/// Returns the sum of the gas limits. An absent one counts as 0.
pub(crate) fn gas_of(record: &Value) -> U256 {
    let limits = GAS_LIMITS.iter().filter_map(|limit| record.get(limit.field));
    limits.fold(U256::zero(), |sum, limit| sum.saturating_add(*limit))
}
