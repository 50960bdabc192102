//! The estimate of an intent: the core's own reply.

use std::collections::BTreeMap;

use sendoff::estimate::EstimateRequest;
use sendoff::http::{Operation, Refusal, check_content};
use sendoff::user_op::Policies;
use sendoff::value::Address;
use serde_json::Value;

use super::*;
use crate::bundler::{GasLimits, limits, other_account};
use crate::http::Reply;
use crate::json::text;
use crate::state::{State, UserOperation};

/// The fee of an intent on its chain, in wei.
pub(crate) const FEE: &str = "177258950000";

/// Estimates an intent.
pub(crate) fn answer(asked: &mut Asked<'_>) -> Result<Reply, Fault> {
    let state = &mut *asked.state;
    let request = asked.request;
    check_content(
        Operation::Estimate,
        request.header("content-type"),
        request.header("content-encoding"),
    )?;
    let read: EstimateRequest = request.body.parse().map_err(Refusal::from)?;
    state.catalogue.permits(read.intent()).map_err(Refusal::from)?;
    let json = serde_json::from_str(&request.body).unwrap_or_default();
    let facts = facts(state, &asked.user, &json)?.to_string();
    let reply = sendoff::json::estimate(&request.body, &facts).map_err(Refusal::from)?;
    Ok(Reply::text(asked.status, reply))
}

/// The facts of an estimate of the core, for a user and an intent.
pub(crate) fn facts(state: &State, user: &str, request: &Value) -> Result<Value, Fault> {
    let (user, at) = (caller::user(state, user)?, &state.deployment);
    let job = text(request, "jobId");
    let is_deserted = |known: &UserOperation| {
        known.deserted && known.user == user.id && known.job.eq_ignore_ascii_case(job)
    };
    let swa = match state.operations.iter().any(is_deserted) {
        true => other_account(&user.swa),
        false => user.swa.clone(),
    };
    let transactions = request.pointer("/details/transactions").and_then(Value::as_array);
    let transactions = transactions.map_or(1, |list| u64::try_from(list.len()).unwrap_or(1));
    let chain = request.pointer("/details/caip2Id").and_then(Value::as_str).unwrap_or_default();
    let fees =
        Fees { approx_transaction_fees_in_usdt: "", transaction_fees: [(chain, FEE)].into() };
    let facts = Facts {
        client_swa: at.client_swa,
        user_swa: swa,
        policies: Policies {
            gsn_enabled: at.gsn_enabled,
            sponsorship_enabled: at.sponsorship_enabled,
        },
        job_manager: at.job_manager,
        paymaster: at.paymaster,
        gas_limits: limits(transactions),
        fees,
    };
    Ok(serde_json::to_value(facts).unwrap_or_default())
}

/// The facts as the core reads them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts<'a> {
    #[serde(rename = "clientSWA")]
    client_swa: Address,
    #[serde(rename = "userSWA")]
    user_swa: String,
    policies: Policies,
    job_manager: Address,
    paymaster: Address,
    gas_limits: GasLimits,
    fees: Fees<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fees<'a> {
    #[serde(rename = "approxTransactionFeesInUSDT")]
    approx_transaction_fees_in_usdt: &'a str,
    transaction_fees: BTreeMap<&'a str, &'a str>,
}
