//! `POST /api/oc/v1/estimate`. The core answers it with the facts of the configuration, and with the gas limits of a bundler
//! if there is one.

use axum::response::Response;
use sendoff::{
    estimate::{Estimate, EstimateRequest, Facts, Gsn, respond},
    intent::Intent,
    service::Refusal,
};

use crate::{
    bundler::Bundler,
    callers::Caller,
    config::{Chain, Deployment, User},
    envelope,
};

/// The reply to a body, or its refusal.
pub(crate) async fn answer(
    caller: &Caller,
    deployment: &Deployment,
    bundler: Option<&Bundler>,
    body: Vec<u8>,
) -> Result<Response, Refusal> {
    let text = String::from_utf8(body).map_err(|_| Refusal::NOT_UTF8)?;
    let request: EstimateRequest = text.parse()?;
    let user = caller.user.as_ref().ok_or(Refusal::MISSING_TOKEN)?;
    let chain = enabled(&caller.application.chains, request.intent())?;
    let mut facts = facts(caller, user, chain, deployment);
    if let Some(bundler) = bundler {
        let draft = Estimate::new(request.clone(), facts.clone())?;
        facts.gas_limits = bundler.gas_limits(&respond(draft).data.user_ops, facts.gas_limits).await?;
    }
    let estimate = Estimate::new(request, facts)?;
    Ok(envelope::json(&respond(estimate)))
}

/// Returns the chain of an intent if the chain and the moved asset are enabled. The assets of a raw transaction are unknown.
fn enabled<'a>(chains: &'a [Chain], intent: &Intent) -> Result<&'a Chain, Refusal> {
    let id = intent.chain();
    let chain =
        chains.iter().find(|chain| chain.id == *id).ok_or_else(|| Refusal::not_enabled(format!("the chain `{id}`")))?;
    match intent {
        Intent::NftTransfer(details) if !chain.collections.contains(&details.collection_address) => {
            Err(Refusal::not_enabled(format!("the collection `{}` on `{id}`", details.collection_address)))
        }
        Intent::TokenTransfer(details) if !chain.tokens.iter().any(|token| token.address == details.token_address) => {
            Err(Refusal::not_enabled(format!("the token `{}` on `{id}`", details.token_address)))
        }
        Intent::NftTransfer(_) | Intent::TokenTransfer(_) | Intent::RawTransaction(_) => Ok(chain),
    }
}

fn facts(caller: &Caller, user: &User, chain: &Chain, deployment: &Deployment) -> Facts {
    Facts {
        client_swa: caller.application.client_swa,
        user_swa: user.user_swa,
        policies: chain.policies.clone(),
        gsn: Gsn::default(),
        job_manager: deployment.job_manager,
        paymaster: deployment.paymaster,
        gas_limits: deployment.gas_limits.clone(),
        fees: chain.fees.clone(),
    }
}
