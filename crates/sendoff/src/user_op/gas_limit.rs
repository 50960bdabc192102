//! The five gas limits of an operation: their keys, what follows if one is too low, and what the EntryPoint accepts.

use primitive_types::U256;

use super::PreparedUserOp;
use crate::document::{Valued as _, path_in};
use crate::error::{IssueCode, Issues, Path};
use crate::value::fill;

/// A gas limit of an operation. Source: ERC-4337.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GasLimit {
    Call,
    Verification,
    PreVerification,
    Paymaster,
    PostOp,
}

/// What follows if a gas limit is too low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IfLow {
    /// The operation is executed, fails, and is paid for.
    Fails,
    /// The EntryPoint refuses the operation.
    Refused,
    /// It only costs less: nothing measures what it pays for.
    CostsLess,
}

impl GasLimit {
    /// The limits in the order of ERC-4337, which is that of their rows in documents.
    pub(crate) const ALL: [Self; 5] =
        [Self::Call, Self::Verification, Self::PreVerification, Self::Paymaster, Self::PostOp];

    /// Its key in operations, facts, figures and expectations.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Call => "callGasLimit",
            Self::Verification => "verificationGasLimit",
            Self::PreVerification => "preVerificationGas",
            Self::Paymaster => "paymasterVerificationGasLimit",
            Self::PostOp => "paymasterPostOpGasLimit",
        }
    }

    /// Each limit with its key.
    pub(crate) fn fields(of: impl Fn(Self) -> U256) -> [(&'static str, U256); 5] {
        Self::ALL.map(|limit| (limit.key(), of(limit)))
    }

    /// The sum of the limits.
    pub(crate) fn sum(of: impl Fn(Self) -> U256) -> U256 {
        Self::ALL.iter().fold(U256::zero(), |sum, limit| sum.saturating_add(of(*limit)))
    }

    pub(crate) const fn if_low(self) -> IfLow {
        match self {
            Self::Call | Self::PostOp => IfLow::Fails,
            Self::Verification | Self::Paymaster => IfLow::Refused,
            Self::PreVerification => IfLow::CostsLess,
        }
    }
}

const _: () = {
    let mut rest: &[GasLimit] = &GasLimit::ALL;
    while let [limit, others @ ..] = rest {
        path_in(PreparedUserOp::TABLES, limit.key());
        rest = others;
    }
};

/// The largest number of bits that the EntryPoint accepts in a gas limit or a fee (`AA94 gas values overflow`).
pub(crate) const MAX_GAS_BITS: usize = 120;

/// Reports each of these fields, a key and a number, that the EntryPoint refuses for its size.
pub(crate) fn check_bits(fields: &[(&str, U256)], issues: &mut Issues) {
    for (key, number) in fields {
        let bits = number.bits();
        if bits > MAX_GAS_BITS {
            let template = "expected at most 120 bits, as the EntryPoint does (AA94), found {}";
            let at = Path::Field(&Path::Root, key);
            issues.push(&at, IssueCode::Range, fill(template, &[&bits]));
        }
    }
}
