//! One environment: the way of a request, from its head to its reply.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{
    extract::Request,
    http::{HeaderValue, StatusCode, Version, header, request},
    middleware::Next,
    response::Response,
};
use sendoff::{
    rate_limit::{Policy, Verdict},
    service::{Operation, RateLimited, Refusal, TraceId, find},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::{
    account::Account,
    body::Bounded,
    bundler::Bundler,
    callers::{Caller, Callers},
    config::{Bounds, Deployment},
    envelope::{self, Failure},
    estimate, head,
    limits::{Limits, StoreLost},
    metrics::Metrics,
    reply, supported,
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
    /// One for each request that may run, of all environments together.
    pub(crate) requests: Arc<Semaphore>,
    pub(crate) metrics: Arc<Metrics>,
    /// Set once the gateway is told to stop: each reply is then its connection's last.
    pub(crate) is_draining: Arc<AtomicBool>,
}

impl Gateway {
    /// Answers a request, counts it, and writes a line of log: also if its caller hangs up, for then its call may have been
    /// carried out.
    pub(crate) async fn serve(self: Arc<Self>, request: Request) -> Response {
        let version = request.version();
        let trace_id = trace_id(request.headers());
        let request_id = request_id(request.headers(), &trace_id);
        let mut account = Account::new(trace_id.clone(), &self.environment, &self.metrics);
        let (reply, replied) = oneshot::channel();
        let gateway = Arc::clone(&self);
        tokio::spawn(async move {
            let response = match Arc::clone(&gateway.requests).try_acquire_owned() {
                Ok(slot) => {
                    let answered = gateway.answer(request, &mut account).await;
                    let response = answered.unwrap_or_else(|failure| failure.into_response(&account.trace_id));
                    gateway.paced(response, slot)
                }
                Err(_) => gateway.busy(request, &account.trace_id),
            };
            account.close(response.status(), reply.is_closed());
            // A caller that is gone needs none.
            drop(reply.send(response));
        });
        // The task ends without a reply only if it panics.
        let mut response = replied.await.unwrap_or_else(|_| {
            let message = "the gateway failed while it answered: the call may have been carried out";
            Failure::new(StatusCode::INTERNAL_SERVER_ERROR, message).into_response(&trace_id)
        });
        let headers = response.headers_mut();
        if let Some(id) = request_id {
            headers.insert(REQUEST_ID, id);
        }
        if version < Version::HTTP_2 && self.is_draining.load(Ordering::Relaxed) {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    /// Has a request that the gateway does not answer itself count as one that runs, until its reply ends.
    pub(crate) async fn within_bounds(self: Arc<Self>, request: Request, next: Next) -> Response {
        match Arc::clone(&self.requests).try_acquire_owned() {
            Ok(slot) => {
                let response = next.run(request).await;
                self.paced(response, slot)
            }
            Err(_) => {
                let account = Account::new(trace_id(request.headers()), &self.environment, &self.metrics);
                let response = self.busy(request, &account.trace_id);
                account.close(response.status(), false);
                response
            }
        }
    }

    /// The reply where as many requests run as may.
    fn busy(&self, request: Request, trace_id: &TraceId) -> Response {
        let (head, body) = request.into_parts();
        drop(Bounded::new(body, &head, &self.bounds));
        let message = "too many requests run at once: nothing was done";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, message)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
            .into_response(trace_id)
    }

    /// A reply whose body ends if its caller does not read it. It runs until then.
    fn paced(self: &Arc<Self>, response: Response, slot: OwnedSemaphorePermit) -> Response {
        let gateway = Arc::clone(self);
        response.map(|body| {
            reply::paced(body, self.bounds.write, move |loss| {
                if let Some(loss) = loss {
                    gateway.metrics.undelivered(&gateway.environment, loss.as_str());
                }
                drop(slot);
            })
        })
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
        head::judge(&head)?;
        let caller = self.callers.identify(operation, &head.headers)?;
        account.application = Some(caller.application.name.clone());
        let verdict = self.count(operation, &caller, account).await?;
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
    async fn count(
        &self,
        operation: Operation,
        caller: &Caller,
        account: &mut Account,
    ) -> Result<Option<Verdict>, Failure> {
        let Some(limits) = &self.limits else { return Ok(None) };
        let scope = caller.application.name.as_str();
        if !operation.is_limited() {
            limits.touch(scope).await;
            return Ok(None);
        }
        let verdict = limits.admit(scope).await;
        account.verdict = match &verdict {
            Ok(Verdict::Admitted { .. }) => "admitted",
            Ok(Verdict::Refused { .. }) => "refused",
            Err(StoreLost) => "undecided",
        };
        self.metrics.call(&self.environment, account.verdict);
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
