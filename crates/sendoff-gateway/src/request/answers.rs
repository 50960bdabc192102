//! What the gateway answers itself: estimates, and the chains and tokens that are enabled for an application.
//!
//! The specification does not show the records of the lists. These have the fields that the service's public description of `/api/v1`
//! gives them: a network is `{network_name, chain_id}`, a token `{token_name, token_address, network_name}`. The chain id is the number
//! of the chain (`137`), as the live service writes it, and the address of a chain's own token is empty.

use std::collections::BTreeMap;

use axum::Json;
use axum::http::HeaderValue;
use axum::response::{IntoResponse as _, Response};
use sendoff::error::{Error, Issue, IssueCode};
use sendoff::estimate::{Estimate, EstimateRequest, Facts, Fees, Gsn, TransactionFees, respond};
use sendoff::http::Refusal;

use crate::backend::bundler::Bundler;
use crate::callers::Caller;
use crate::config::Deployment;
use crate::database::{Application, Document};
use crate::message::envelope;

/// `POST /api/oc/v1/estimate`: the reply to a body, or its refusal. The core answers it with the facts of the configuration, if the
/// application's catalogue permits the intent, and with the gas limits of a bundler if there is one, which gets the trace of the request.
pub(crate) async fn estimate(
    caller: &Caller,
    deployment: &Deployment,
    bundler: Option<(&Bundler, Option<&HeaderValue>)>,
    body: &[u8],
) -> Result<Response, Refusal> {
    let text = std::str::from_utf8(body).map_err(|_| Refusal::NOT_UTF8)?;
    let request: EstimateRequest = text.parse()?;
    let user_swa = caller.wallet.ok_or(Refusal::MISSING_TOKEN)?;

    let Document { catalogue, sponsorship, client_swa, .. } = &**caller.application;
    catalogue.permits(request.intent())?;
    let chain = request.intent().chain();
    let sponsorship = sponsorship.get(chain).cloned().unwrap_or_default();
    let fee = sponsorship.transaction_fee.map(|fee| (chain.clone(), fee));
    let mut facts = Facts {
        client_swa: *client_swa,
        user_swa,
        policies: sponsorship.policies(),
        gsn: Gsn::default(),
        job_manager: deployment.job_manager,
        paymaster: deployment.paymaster,
        gas_limits: deployment.gas_limits.clone(),
        fees: Fees {
            approx_transaction_fees_in_usdt: String::new(),
            transaction_fees: TransactionFees::new(fee.into_iter().collect())?,
        },
    };
    if let Some((bundler, traceparent)) = bundler {
        let draft = Estimate::new(request.clone(), facts.clone())?;
        facts.gas_limits = bundler
            .gas_limits(&respond(draft).data.user_ops, facts.gas_limits, traceparent)
            .await?;
    }
    let estimate = Estimate::new(request, facts)?;
    Ok(Json(respond(estimate)).into_response())
}

/// `GET /api/v1/supported/networks`.
pub(crate) fn networks(application: &Application) -> Response {
    envelope::success(&BTreeMap::from([("network", application.catalogue.networks())]))
}

/// `GET /api/v1/supported/tokens`, with `?page=&size=` for a part of the list. The first page is 1. Without a size, one page
/// has all tokens.
pub(crate) fn tokens(application: &Application, query: Option<&str>) -> Result<Response, Refusal> {
    let (page, size) =
        (number(query, "page")?.unwrap_or(1), number(query, "size")?.unwrap_or(usize::MAX));
    let all = &application.tokens;
    let before = page.saturating_sub(1).saturating_mul(size);
    let rest = all.get(before..).unwrap_or_default();
    let page = rest.get(..size).unwrap_or(rest);
    Ok(envelope::success(&BTreeMap::from([("tokens", page)])))
}

/// Reads a number of at least 1 from a query. Other parameters are ignored.
fn number(query: Option<&str>, name: &str) -> Result<Option<usize>, Refusal> {
    let pairs = query.unwrap_or_default().split('&');
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let values: Vec<_> = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).collect();
    let found = match values[..] {
        [] => return Ok(None),
        [value] => match value.parse() {
            Ok(number @ 1..) if !value.starts_with('+') => return Ok(Some(number)),
            _ => format!("`{value}`"),
        },
        [first, second, ..] => format!("`{first}` and `{second}`"),
    };
    let message = format!("expected one integer of at least 1, found {found}");
    Err(Error::from(Issue::new(name.into(), IssueCode::Format, message)).into())
}
