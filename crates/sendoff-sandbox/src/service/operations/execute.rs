//! The execution of a signed operation, and the fees of the service's chain.

use super::prelude::*;
use crate::bundler::submit::submit;
use crate::number::quantity;

/// A signed operation.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("$ref" = "#/components/schemas/SignedUserOp"))]
pub(crate) struct Signed {
    sender: String,
    nonce: String,
    paymaster: String,
    call_gas_limit: String,
    verification_gas_limit: String,
    pre_verification_gas: String,
    max_fee_per_gas: String,
    max_priority_fee_per_gas: String,
    paymaster_post_op_gas_limit: String,
    paymaster_verification_gas_limit: String,
    call_data: String,
    paymaster_data: String,
    signature: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Job {
    job_id: String,
}

/// Executes an operation of the token's user.
pub(crate) fn answer(asked: &mut Asked<'_>, signed: Signed) -> Answered<Job> {
    let state = &mut *asked.state;
    let is_own = user(state, &asked.user)?.swa.eq_ignore_ascii_case(&signed.sender);
    let said = "the sender is not the smart wallet of the token's user";
    check(is_own, Fault::Said(&BODY, said.into()))?;
    let operation = serde_json::to_value(signed).unwrap_or_default();
    let hash =
        submit(state, &operation, asked.now).map_err(|error| Fault::Said(&BODY, error.message))?;
    let job = state.operations.iter().rev().find(|known| known.hash == hash);
    Ok(Job { job_id: job.map(|known| known.job.clone()).unwrap_or_default() })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GasValues {
    max_fee_per_gas: String,
    max_priority_fee_per_gas: String,
}

/// The fees of the service's chain.
pub(crate) fn gas_values(asked: &mut Asked<'_>, _: Nothing) -> Answered<GasValues> {
    let fee = quantity(asked.state.deployment.base_fee.value().saturating_mul(2.into()));
    Ok(GasValues { max_fee_per_gas: fee.clone(), max_priority_fee_per_gas: fee })
}
