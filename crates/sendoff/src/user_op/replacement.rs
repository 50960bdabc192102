//! The fees of an operation that replaces a pending one.

use primitive_types::U256;

use super::op::{CAP, TIP};
use super::{MAX_GAS_BITS, UserOp};
use crate::document::{Parts, document};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::value::{self, Quantity128, bounded, fill};

document! {
    /// The fees of an operation that replaces a pending one: `{maxFeePerGas, maxPriorityFeePerGas}` in JSON.
    ///
    /// ```
    /// use sendoff::user_op::ReplacementFees;
    ///
    /// let fees = ReplacementFees { max_fee_per_gas: 2_u64.into(), max_priority_fee_per_gas: 1_u64.into() };
    /// assert!(fees.max_fee_per_gas > fees.max_priority_fee_per_gas);
    /// ```
    pub struct ReplacementFees: "", open Ignored, displayed by nobody {
        /// The highest price of a unit of gas, in wei: the cap.
        "maxFeePerGas" => pub max_fee_per_gas: Quantity128,
        /// The tip for a unit of gas, in wei.
        "maxPriorityFeePerGas" => pub max_priority_fee_per_gas: Quantity128,
    }
}

bounded! {
    /// An increase in percent, from 1 to 1000.
    ///
    /// ```
    /// use sendoff::user_op::Percent;
    ///
    /// assert_eq!(Percent::default().value(), 10);
    /// assert!(Percent::new(0).is_err());
    /// assert!(Percent::new(1001).is_err());
    /// ```
    pub struct Percent: "a percentage, an integer from 1 to 1000", 1, 1000
}

impl Default for Percent {
    /// 10, which public bundlers ask for.
    fn default() -> Self {
        Self(10)
    }
}

/// Returns the least fees that bundlers accept from an operation in the place of a pending one: both are raised by `percent`,
/// rounded up, and at least 1 wei.
///
/// `op` is the pending operation with the highest fees. The replacement has its sender and nonce. Bundlers ask for
/// 10 percent, some for more.
///
/// ```
/// use sendoff::user_op::{Percent, UserOp, replacement_fees};
///
/// let op: UserOp = r#"{"sender": "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906", "nonce": "0x7", "callData": "0x",
///     "callGasLimit": "0x64", "verificationGasLimit": "0xc8", "preVerificationGas": "0x12c",
///     "maxFeePerGas": "0x190", "maxPriorityFeePerGas": "0x33"}"#.parse()?;
/// let fees = replacement_fees(&op, Percent::default())?;
/// assert_eq!((fees.max_fee_per_gas.value(), fees.max_priority_fee_per_gas.value()), (440, 57));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
///
/// # Errors
///
/// `range` at the fee that would be above 2^120−1, because the EntryPoint refuses it (`AA94`).
pub fn replacement_fees(op: &UserOp, percent: Percent) -> Result<ReplacementFees, Error> {
    let mut issues = Issues::default();
    let UserOp { max_fee_per_gas, max_priority_fee_per_gas, .. } = *op;
    let fees = ReplacementFees { max_fee_per_gas, max_priority_fee_per_gas };
    let raised = fees.raised(percent, &mut issues);
    issues.or(raised)
}

impl ReplacementFees {
    /// The fees of an operation, of which nothing else is made of its value.
    pub(crate) fn of(op: Parts<'_, UserOp>) -> Option<Self> {
        Some(Self { max_fee_per_gas: op.get(CAP)?, max_priority_fee_per_gas: op.get(TIP)? })
    }

    pub(crate) fn raised(self, percent: Percent, issues: &mut Issues) -> Option<Self> {
        let cap = raised(&self.max_fee_per_gas, CAP.path(), percent, issues);
        let tip = raised(&self.max_priority_fee_per_gas, TIP.path(), percent, issues);
        Some(Self { max_fee_per_gas: cap?, max_priority_fee_per_gas: tip? })
    }
}

/// Returns a fee that is raised by so many percent.
fn raised(
    fee: &Quantity128,
    key: &str,
    percent: Percent,
    issues: &mut Issues,
) -> Option<Quantity128> {
    let percent = percent.value();
    let raised = value::raised(fee.to_u256(), percent).unwrap_or(U256::MAX).max(U256::one());
    if raised.bits() > MAX_GAS_BITS {
        let template =
            "expected a fee of at most {} bits after an increase by {} percent, found {}";
        let message = fill(template, &[&MAX_GAS_BITS, &percent, fee]);
        issues.push(&Path::Field(&Path::Root, key), IssueCode::Range, message);
        return None;
    }
    Some(raised.low_u128().into())
}
