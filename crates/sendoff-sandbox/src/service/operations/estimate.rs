//! The estimate of an intent: the core's own reply.

use sendoff::estimate::{Estimate, EstimateRequest, Facts, Fees, Gsn, TransactionFees, respond};
use sendoff::http::{Operation, Refusal, check_content};
use sendoff::user_op::Policies;

use super::prelude::*;
use crate::bundler::gas::limits;
use crate::http::Reply;
use crate::operation::other_account;

/// The fee of an intent on its chain, in wei.
const FEE: u64 = 177_258_950_000;

/// Estimates an intent.
pub(crate) fn answer(asked: &mut Asked<'_>) -> Answered<Reply> {
    let (state, request) = (&*asked.state, asked.request);
    let [content, encoding] = ["content-type", "content-encoding"].map(|it| request.header(it));
    check_content(Operation::Estimate, content, encoding)?;
    let read: EstimateRequest = request.body.parse().map_err(Refusal::from)?;
    state.catalogue.permits(read.intent()).map_err(Refusal::from)?;
    let facts = facts(state, &asked.user, &read)?;
    let estimate = Estimate::new(read, facts).map_err(Refusal::from)?;
    Ok(Reply::text(asked.status, respond(estimate).to_string()))
}

/// The facts of an estimate of the core, for a user and a request.
pub(crate) fn facts(state: &State, id: &str, request: &EstimateRequest) -> Answered<Facts> {
    let (user, at) = (user(state, id)?, &state.deployment);
    let job = request.job_id().to_string();
    let mut deserted =
        state.operations.iter().filter(|known| known.deserted && known.user == user.id);
    let is_other = deserted.any(|known| known.job.eq_ignore_ascii_case(&job));
    let swa = if is_other { other_account(&user.swa) } else { user.swa.clone() };
    let fee = (request.intent().chain().clone(), FEE.into());
    let (gsn_enabled, sponsorship_enabled) = (at.gsn_enabled, at.sponsorship_enabled);
    let transaction_fees = TransactionFees::new(vec![fee]).map_err(Refusal::from)?;
    Ok(Facts {
        client_swa: at.client_swa,
        user_swa: swa.parse().map_err(Refusal::from)?,
        policies: Policies { gsn_enabled, sponsorship_enabled },
        gsn: Gsn::default(),
        job_manager: at.job_manager,
        paymaster: at.paymaster,
        gas_limits: limits(Some(request.intent())),
        fees: Fees { transaction_fees, ..Fees::default() },
    })
}
