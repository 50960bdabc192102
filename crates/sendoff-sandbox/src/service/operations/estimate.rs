//! The estimate of an intent: the core's own reply.

use sendoff::estimate::EstimateRequest;
use sendoff::http::{Operation, Refusal, check_content};
use serde_json::{Value, json};

use super::*;
use crate::bundler::{limits, other_account};
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
    Ok(json!({
        "clientSWA": at.client_swa,
        "userSWA": swa,
        "policies": {
            "gsnEnabled": at.gsn_enabled,
            "sponsorshipEnabled": at.sponsorship_enabled,
        },
        "jobManager": at.job_manager,
        "paymaster": at.paymaster,
        "gasLimits": limits(transactions),
        "fees": { "approxTransactionFeesInUSDT": "", "transactionFees": { chain: FEE } },
    }))
}
