//! `POST /api/oc/v1/estimate`. The core answers it with the facts of the configuration, and with
//! the gas limits of a bundler if there is one.

use axum::{http::HeaderValue, response::Response};
use sendoff::{
    estimate::{Estimate, EstimateRequest, Facts, Fees, Gsn, TransactionFees, respond},
    http::Refusal,
    intent::Intent,
};

use crate::{
    backend::bundler::Bundler,
    callers::Caller,
    config::{Deployment, User},
    message::envelope,
};

/// The reply to a body, or its refusal. The bundler gets the trace of the request.
pub(crate) async fn answer(
    caller: &Caller,
    deployment: &Deployment,
    bundler: Option<(&Bundler, Option<&HeaderValue>)>,
    body: &[u8],
) -> Result<Response, Refusal> {
    let text = std::str::from_utf8(body).map_err(|_| Refusal::NOT_UTF8)?;
    let request: EstimateRequest = text.parse()?;
    let user = caller.user.ok_or(Refusal::MISSING_TOKEN)?;
    let mut facts = facts(caller, user, request.intent(), deployment)?;
    if let Some((bundler, traceparent)) = bundler {
        let draft = Estimate::new(request.clone(), facts.clone())?;
        facts.gas_limits = bundler
            .gas_limits(&respond(draft).data.user_ops, facts.gas_limits, traceparent)
            .await?;
    }
    let estimate = Estimate::new(request, facts)?;
    Ok(envelope::json(&respond(estimate)))
}

/// The facts of an estimate, if the application's catalogue permits the intent.
fn facts(
    caller: &Caller,
    user: User,
    intent: &Intent,
    deployment: &Deployment,
) -> Result<Facts, Refusal> {
    let offer = &caller.application.offer;
    offer.catalogue.permits(intent)?;
    let chain = offer.chain(intent.chain()).ok_or(Refusal::FAILED)?;
    let fee = chain.fee().map(|fee| (chain.id.clone(), fee));
    Ok(Facts {
        client_swa: caller.application.client_swa,
        user_swa: user.user_swa,
        policies: chain.policies(),
        gsn: Gsn::default(),
        job_manager: deployment.job_manager,
        paymaster: deployment.paymaster,
        gas_limits: deployment.gas_limits.clone(),
        fees: Fees {
            approx_transaction_fees_in_usdt: String::new(),
            transaction_fees: TransactionFees::new(fee.into_iter().collect())?,
        },
    })
}
