//! Expectations of gas limits.

use crate::document::{Field, Parts, document};
use crate::error::{IssueCode, Issues, Path};
use crate::value::{Quantity, fill};

document! {
    /// The bounds of each gas limit.
    #[derive(Default)]
    pub struct GasExpectations: "bounds of gas limits, an object" {
        /// The bounds for the call itself.
        "callGasLimit" => pub call_gas_limit: Option<GasBounds>,
        /// The bounds for the account's validation.
        "verificationGasLimit" => pub verification_gas_limit: Option<GasBounds>,
        /// The bounds for work that the EntryPoint cannot measure. This gas is charged even if the call fails.
        "preVerificationGas" => pub pre_verification_gas: Option<GasBounds>,
        /// The bounds for the paymaster's validation.
        "paymasterVerificationGasLimit" => pub paymaster_verification_gas_limit: Option<GasBounds>,
        /// The bounds for the paymaster's work after the call.
        "paymasterPostOpGasLimit" => pub paymaster_post_op_gas_limit: Option<GasBounds>,
    }
}

document! {
    /// The lower and upper bound of a gas limit.
    #[derive(Default)]
    pub struct GasBounds: "bounds of a gas limit, an object of `least` and `most`", checked by check_bounds {
        /// The lower bound; absent in JSON means no bound.
        "least" => pub least: Option<Quantity>,
        /// The upper bound; absent in JSON means no bound.
        "most" => pub most: Option<Quantity>,
    }
}

const LEAST: Field<GasBounds, Quantity> = Field::of("least");
const MOST: Field<GasBounds, Quantity> = Field::of("most");

fn check_bounds(bounds: Parts<'_, GasBounds>, at: &Path<'_>, issues: &mut Issues) {
    if let (Some(least), Some(most)) = (bounds.get(LEAST), bounds.get(MOST))
        && least > most
    {
        let message = fill("expected a lower bound of at most {}, found {}", &[&most, &least]);
        issues.push(at, IssueCode::Rule, message);
    }
}
