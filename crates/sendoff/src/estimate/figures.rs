//! Expectations around known figures of an operation.

use primitive_types::U256;

use super::{Expectations, GasBounds, GasExpectations};
use crate::document::{Field, Integer, document};
use crate::error::{Error, Issues, Path};
use crate::user_op::{GasLimit, IfLow, check_bits};
use crate::value::{Quantity, Quantity128, percent_of, product, raised};

document! {
    /// The figures of an operation that the caller knows: from an estimate of its own, or from earlier operations of the
    /// same kind.
    ///
    /// ```
    /// use sendoff::estimate::GasFigures;
    ///
    /// let figures: GasFigures = r#"{
    ///     "maxFeePerGas": "0x9502f900", "callGasLimit": "0x927c0", "verificationGasLimit": "0x61a80",
    ///     "preVerificationGas": "0x186a0", "paymasterVerificationGasLimit": "0x30d40",
    ///     "paymasterPostOpGasLimit": "0x30d40"
    /// }"#.parse()?;
    /// let expected = figures.expectations(20)?;
    /// assert_eq!(expected.max_cost.map(|cost| cost.to_string()).as_deref(), Some("4500000000000000"));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct GasFigures: "figures of an operation, an object of `maxFeePerGas` and the five gas limits" {
        /// The highest price of a unit of gas, in wei: that of the request.
        "maxFeePerGas" => pub max_fee_per_gas: Quantity128,
        /// The gas for the call itself.
        "callGasLimit" => pub call_gas_limit: Quantity128,
        /// The gas for the account's validation.
        "verificationGasLimit" => pub verification_gas_limit: Quantity128,
        /// The gas for work that the EntryPoint cannot measure.
        "preVerificationGas" => pub pre_verification_gas: Quantity,
        /// The gas for the paymaster's validation.
        "paymasterVerificationGasLimit" => pub paymaster_verification_gas_limit: Quantity128,
        /// The gas for the paymaster's work after the call.
        "paymasterPostOpGasLimit" => pub paymaster_post_op_gas_limit: Quantity128,
    }
}

/// The percentage by which a figure of a reply may differ: an integer from 0 to 1,000.
pub(crate) type Margin = Integer<0, 1000>;

impl GasFigures {
    /// The percentage if the caller gives none.
    pub(crate) const PERCENT: u16 = 20;

    /// Returns expectations of replies with these figures, up to a percentage more or less: bounds of all five gas
    /// limits, and the highest cost. `preVerificationGas` has no lower bound, because less of it only costs less.
    ///
    /// # Errors
    ///
    /// `range` at each figure above 2^120−1, which the EntryPoint refuses (AA94), and at `percent` above 1,000.
    pub fn expectations(&self, percent: u16) -> Result<Expectations, Error> {
        let mut issues = Issues::default();
        Margin::check(percent.into(), &Path::Field(&Path::Root, "percent"), &mut issues);
        let cap = self.max_fee_per_gas.to_u256();
        check_bits(&[(CAP.path(), cap)], &mut issues);
        check_bits(&GasLimit::fields(|limit| self.gas(limit)), &mut issues);

        let expectations = if issues.is_empty() { self.around(cap, percent) } else { None };
        issues.or(expectations)
    }

    /// Expectations around these figures; `None` if one would be above 2^256−1.
    fn around(&self, cap: U256, percent: u16) -> Option<Expectations> {
        let gas = GasLimit::sum(|limit| self.gas(limit));
        let cost = product(raised(gas, percent.into())?, cap)?;
        let bounds = |limit: GasLimit| {
            let figure = self.gas(limit);
            let least = match limit.if_low() {
                IfLow::CostsLess => None,
                IfLow::Fails | IfLow::Refused => Some(lowered(figure, percent)?.into()),
            };
            Some(GasBounds { least, most: Some(raised(figure, percent.into())?.into()) })
        };

        Some(Expectations {
            max_cost: Some(cost.into()),
            gas: Some(GasExpectations {
                call_gas_limit: Some(bounds(GasLimit::Call)?),
                verification_gas_limit: Some(bounds(GasLimit::Verification)?),
                pre_verification_gas: Some(bounds(GasLimit::PreVerification)?),
                paymaster_verification_gas_limit: Some(bounds(GasLimit::Paymaster)?),
                paymaster_post_op_gas_limit: Some(bounds(GasLimit::PostOp)?),
            }),
            ..Expectations::default()
        })
    }

    fn gas(&self, limit: GasLimit) -> U256 {
        match limit {
            GasLimit::Call => self.call_gas_limit.to_u256(),
            GasLimit::Verification => self.verification_gas_limit.to_u256(),
            GasLimit::PreVerification => self.pre_verification_gas.value(),
            GasLimit::Paymaster => self.paymaster_verification_gas_limit.to_u256(),
            GasLimit::PostOp => self.paymaster_post_op_gas_limit.to_u256(),
        }
    }
}

const CAP: Field<GasFigures, Quantity128> = Field::of("maxFeePerGas");

/// A figure less so many percent, rounded down; at least 1 unless the figure is 0.
fn lowered(figure: U256, percent: u16) -> Option<U256> {
    let (least, _) = percent_of(figure, 100_u64.saturating_sub(percent.into()))?;
    Some(least.max(figure.min(U256::one())))
}
