//! One environment: what becomes of a request, from its head to its reply.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use axum::{
    extract::Request,
    http::{HeaderValue, StatusCode, Version, header, request},
    response::Response,
};
use sendoff::{
    rate_limit::{Policy, Verdict},
    service::{Operation, RateLimited, Refusal, TraceId, find},
};

use crate::{
    body::Bounded,
    bundler::Bundler,
    callers::{Caller, Callers},
    config::{Bounds, Deployment},
    envelope::{self, Failure},
    estimate,
    limits::{Limits, StoreLost},
    metrics::Metrics,
    supported,
    trace::{REQUEST_ID, request_id, trace_id},
    upstream::Upstream,
};

/// One environment at work.
#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) environment: String,
    pub(crate) callers: Callers,
    pub(crate) deployment: Deployment,
    pub(crate) limits: Option<Limits>,
    pub(crate) rate_limit_fields: bool,
    pub(crate) bundler: Option<Bundler>,
    pub(crate) upstream: Option<Upstream>,
    pub(crate) bounds: Bounds,
    pub(crate) metrics: Arc<Metrics>,
    /// Set once the gateway is told to stop: each reply is then its connection's last.
    pub(crate) is_draining: Arc<AtomicBool>,
}

/// What is known of a request when its reply is written.
struct Account {
    trace_id: TraceId,
    operation: Option<Operation>,
    application: Option<String>,
}

impl Gateway {
    /// Answers a request, counts it, and writes a line of log. Neither holds a key, a token or a path.
    pub(crate) async fn serve(&self, request: Request) -> Response {
        let (began, version) = (Instant::now(), request.version());
        let mut account = Account { trace_id: trace_id(request.headers()), operation: None, application: None };
        let request_id = request_id(request.headers(), &account.trace_id);
        let answered = self.answer(request, &mut account).await;
        let Account { trace_id, operation, application } = account;
        let mut response = answered.unwrap_or_else(|failure| failure.into_response(&trace_id));
        let headers = response.headers_mut();
        if let Some(id) = request_id {
            headers.insert(REQUEST_ID, id);
        }
        if version < Version::HTTP_2 && self.is_draining.load(Ordering::Relaxed) {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        let (took, status) = (began.elapsed(), response.status().as_u16());
        let operation = operation.map(Operation::as_str).unwrap_or_default();
        self.metrics.request(&self.environment, operation, status, took);
        let (trace_id, environment) = (trace_id.as_str(), self.environment.as_str());
        let (application, micros) =
            (application.unwrap_or_default(), u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        tracing::info!(trace_id, environment, operation, application, status, micros, "request");
        response
    }

    async fn answer(&self, request: Request, account: &mut Account) -> Result<Response, Failure> {
        let (head, body) = request.into_parts();
        let body = Bounded::new(body, &head, &self.bounds);
        let target = match (head.version, head.uri.path_and_query()) {
            // HTTP/2 has no request line: its pseudo-headers are put together to an absolute address.
            (Version::HTTP_2, Some(target)) => target.to_string(),
            // A fragment is gone by now: hyper cuts it off. No other character of a target is.
            _ => head.uri.to_string(),
        };
        let found = find(head.method.as_str(), &target).map_err(refusal)?;
        let operation = found.operation;
        account.operation = Some(operation);
        let caller = self.callers.identify(operation, &head.headers)?;
        account.application = Some(caller.application.name.clone());
        let verdict = self.count(operation, &caller).await?;
        let fields = verdict.filter(|_| self.rate_limit_fields);
        let answered = match verdict {
            Some(Verdict::Refused { retry_after, .. }) => Ok(refused(&account.trace_id, retry_after)),
            _ => self.perform(operation, &caller, head, &target, body, &account.trace_id).await,
        };
        let mut response = answered.unwrap_or_else(|failure| failure.into_response(&account.trace_id));
        if let (Some(verdict), Some(limits)) = (fields, &self.limits) {
            put_rate_limit_fields(&mut response, &limits.policy(), verdict);
        }
        Ok(response)
    }

    /// The reply to an operation that may be done.
    async fn perform(
        &self,
        operation: Operation,
        caller: &Caller,
        head: request::Parts,
        target: &str,
        body: Bounded,
        trace_id: &TraceId,
    ) -> Result<Response, Failure> {
        body.expect_room()?;
        match (operation, &self.upstream) {
            (Operation::Estimate, _) => {
                estimate::expect_json(&head.headers)?;
                let body = body.whole().await?;
                estimate::answer(caller, &self.deployment, self.bundler.as_ref(), body).await
            }
            (Operation::SupportedNetworks, _) => Ok(supported::networks(&caller.application)),
            (Operation::SupportedTokens, _) => supported::tokens(&caller.application, head.uri.query()),
            (_, Some(upstream)) => upstream.forward(head.method, target, head.headers, body, trace_id).await,
            (operation, None) => {
                let message = format!("`{operation}` is answered by a wallet backend, and none is configured");
                Err(Failure::new(StatusCode::NOT_IMPLEMENTED, message))
            }
        }
    }

    /// The verdict on a call that counts; none for any other, and where there is no limit.
    async fn count(&self, operation: Operation, caller: &Caller) -> Result<Option<Verdict>, Failure> {
        let Some(limits) = &self.limits else { return Ok(None) };
        let scope = caller.application.name.as_str();
        if !operation.is_limited() {
            limits.touch(scope).await;
            return Ok(None);
        }
        let verdict = limits.admit(scope).await;
        self.metrics.call(
            &self.environment,
            match &verdict {
                Ok(Verdict::Admitted { .. }) => "admitted",
                Ok(Verdict::Refused { .. }) => "refused",
                Err(StoreLost) => "undecided",
            },
        );
        verdict.map(Some).map_err(|StoreLost| {
            let message = "the limit of this call cannot be told: the store of rate windows does not answer";
            Failure::new(StatusCode::SERVICE_UNAVAILABLE, message)
                .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
        })
    }
}

/// A request that names no operation. An alias of one is refused before anything else looks at it.
fn refusal(refusal: Refusal) -> Failure {
    let status = match refusal {
        Refusal::BadTarget => StatusCode::BAD_REQUEST,
        Refusal::NotCanonical(_) | Refusal::NotFound => StatusCode::NOT_FOUND,
        Refusal::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
    };
    let failure = Failure::new(status, refusal.to_string());
    match refusal {
        Refusal::MethodNotAllowed(operation) => {
            failure.with_header(header::ALLOW, HeaderValue::from_static(operation.method().as_str()))
        }
        _ => failure,
    }
}

fn refused(trace_id: &TraceId, retry_after: u64) -> Response {
    // A verdict's seconds are from 1.
    let retry_after = retry_after.try_into().unwrap_or(std::num::NonZeroU64::MIN);
    let reply = RateLimited { trace_id: trace_id.clone(), retry_after };
    let status = StatusCode::from_u16(RateLimited::STATUS).unwrap_or(StatusCode::TOO_MANY_REQUESTS);
    let mut response = envelope::text(status, reply.body());
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(reply.retry_after.get()));
    response
}

/// The fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
fn put_rate_limit_fields(response: &mut Response, policy: &Policy, verdict: Verdict) {
    let (remaining, reset) = match verdict {
        Verdict::Admitted { remaining, reset_after, .. } => (remaining, reset_after),
        Verdict::Refused { retry_after, .. } => (0, retry_after),
    };
    // Whole seconds only: rounded up, the limit looks no larger than it is.
    let seconds = policy.window_ms().div_ceil(1_000);
    let fields = [
        ("ratelimit-policy", format!(r#""sendoff";q={};w={seconds}"#, policy.limit())),
        ("ratelimit", format!(r#""sendoff";r={remaining};t={reset}"#)),
    ];
    for (name, value) in fields {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
}
