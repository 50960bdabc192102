//! `POST /api/oc/v1/estimate`, answered by the core with the facts of the configuration and, where there is one, the gas
//! limits of a bundler.

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use sendoff::{
    estimate::{Estimate, EstimateRequest, Facts, Gsn, respond},
    intent::Intent,
};

use crate::{
    bundler::Bundler,
    callers::Caller,
    config::{Chain, Deployment, User},
    envelope::{self, Failure},
};

/// The success reply to a body, or what is wrong with it.
pub(crate) async fn answer(
    caller: &Caller,
    deployment: &Deployment,
    bundler: Option<&Bundler>,
    body: Vec<u8>,
) -> Result<Response, Failure> {
    let text = String::from_utf8(body).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("expected a body of UTF-8 text, found a byte that is none at {at}");
        Failure::new(StatusCode::BAD_REQUEST, message).with_code("ER-TECH-0016")
    })?;
    let request: EstimateRequest = text.parse().map_err(Failure::body)?;
    let user = caller.user.as_ref().ok_or_else(|| Failure::new(StatusCode::UNAUTHORIZED, "expected a user's token"))?;
    let chain = enabled(&caller.application.chains, request.intent())?;
    let mut facts = facts(caller, user, chain, deployment);
    if let Some(bundler) = bundler {
        let draft = Estimate::new(request.clone(), facts.clone()).map_err(Failure::body)?;
        facts.gas_limits = bundler.gas_limits(&respond(draft).data.user_ops, facts.gas_limits).await?;
    }
    let estimate = Estimate::new(request, facts).map_err(Failure::body)?;
    Ok(envelope::json(StatusCode::OK, &respond(estimate)))
}

/// A body that says it is JSON, in UTF-8.
pub(crate) fn expect_json(headers: &HeaderMap) -> Result<(), Failure> {
    let value = headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
    let mut parts = value.unwrap_or_default().split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|media| media.eq_ignore_ascii_case("application/json"));
    let is_utf8 = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, charset)) if name.eq_ignore_ascii_case("charset") => {
            charset.trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    });
    if is_json && is_utf8 {
        return Ok(());
    }
    let found = if value.is_some() { "another" } else { "none" };
    let message = format!("expected the content type `application/json`, found {found}");
    Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
}

/// The intent's chain, where it and what is moved are enabled. What a raw transaction moves is not known.
fn enabled<'a>(chains: &'a [Chain], intent: &Intent) -> Result<&'a Chain, Failure> {
    let refuse = |what: String| {
        let message = format!("expected what is enabled for this application, found {what}");
        Failure::new(StatusCode::BAD_REQUEST, message).with_code("ER-TECH-0005")
    };
    let id = intent.chain();
    let chain = chains.iter().find(|chain| chain.id == *id).ok_or_else(|| refuse(format!("the chain `{id}`")))?;
    match intent {
        Intent::NftTransfer(details) if !chain.collections.contains(&details.collection_address) => {
            Err(refuse(format!("the collection `{}` on `{id}`", details.collection_address)))
        }
        Intent::TokenTransfer(details) if !chain.tokens.iter().any(|token| token.address == details.token_address) => {
            Err(refuse(format!("the token `{}` on `{id}`", details.token_address)))
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
