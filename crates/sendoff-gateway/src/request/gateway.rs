//! One environment: the steps of a request, from its head to its reply.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Instant;

use arc_swap::ArcSwap;
use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Version, header, request};
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use sendoff::http::{Operation, Refusal, TraceId, check_content, find};
use sendoff::rate_limit::{Policy, RateLimitFields, Verdict};
use tokio::sync::oneshot;

use crate::backend::bundler::Bundler;
use crate::backend::upstream::Upstream;
use crate::callers::Caller;
use crate::callers::book::Book;
use crate::callers::slots::{Full, Slot, Slots, User};
use crate::callers::users::Problem;
use crate::config::{Bounds, Environment};
use crate::limits::store::{Kind, Store, StoreLost};
use crate::message::body::Bounded;
use crate::message::forwarded::Peer;
use crate::message::trace::{REQUEST_ID, TRACEPARENT, request_id, trace_id};
use crate::message::{envelope, head};
use crate::observe::metrics::METRICS;
use crate::observe::traces::{Traced, Traces};
use crate::observe::word;
use crate::request::account::Account;
use crate::request::answers;

/// An environment under one configuration.
pub(crate) struct Gateway {
    pub(crate) environment: Environment,
    /// Its applications.
    pub(crate) book: ArcSwap<Book>,
    /// The store of its windows.
    pub(crate) store: Option<Arc<Store>>,
    pub(crate) bundler: Option<Bundler>,
    pub(crate) upstream: Option<Upstream>,
    pub(crate) traces: Option<Arc<Traces>>,
    pub(crate) bounds: Bounds,
    /// The slots for requests of all environments together.
    pub(crate) slots: Arc<Slots>,
    /// Set when the gateway stops. Each reply is then the last of its connection.
    pub(crate) is_draining: Arc<AtomicBool>,
}

impl Gateway {
    /// Answers a request, counts it, and logs a line. It does so even if the caller hangs up, because the call may have been
    /// carried out.
    pub(crate) async fn serve(self: Arc<Self>, peer: Peer, request: Request) -> Response {
        let (version, book) = (request.version(), self.book.load_full());
        if let Some(preflight) = book.pages.as_ref().and_then(|pages| pages.preflight(&request)) {
            METRICS.preflights.with([&self.environment.name]).inc();
            return self.last_if_draining(preflight, version);
        }

        let origin = request.headers().get(header::ORIGIN).cloned();
        let traced = self.traces.as_ref().map(|traces| traces.begin(request.headers()));
        let trace_id = trace_id(request.headers(), traced.as_ref().map(Traced::trace_id));
        let request_id = request_id(request.headers(), &trace_id);
        let mut account = Account::new(trace_id.clone(), &self.environment.name, peer.address());

        account.traced = traced;
        let (reply, replied) = oneshot::channel();
        let gateway = Arc::clone(&self);

        let mut answering = Box::pin(async move {
            let mut reply = reply;
            let answered = gateway.answer(&book, request, &mut account, &mut reply).await;
            let mut response = answered.unwrap_or_else(|refusal| account.refuse(&refusal));
            // Lets pages of other origins read the reply.
            if let Some(pages) = &book.pages {
                let of = account.caller.as_ref().map(|caller| &*caller.application);
                pages.open(response.headers_mut(), origin.as_ref(), of);
            }
            let slot = account.slot.take();
            account.close(response.status(), reply.is_closed());
            // This fails if the caller is gone.
            drop(reply.send(held(response, slot)));
        });
        // A request that waits for nothing is answered here: a task for it would cost as much as an estimate.
        let begun = poll_fn(|cx| {
            let begun = AssertUnwindSafe(|| answering.as_mut().poll(cx).is_pending());
            Poll::Ready(catch_unwind(begun).unwrap_or(false))
        });
        if begun.await {
            tokio::spawn(answering);
        }
        // There is no reply only after a panic.
        let mut response =
            replied.await.unwrap_or_else(|_| envelope::refused(&Refusal::FAILED, &trace_id));

        if let Some(id) = request_id {
            response.headers_mut().insert(REQUEST_ID, id);
        }

        self.last_if_draining(response, version)
    }

    /// A reply that asks the caller to close its connection if the gateway stops.
    fn last_if_draining(&self, mut response: Response, version: Version) -> Response {
        if version < Version::HTTP_2 && self.is_draining.load(Ordering::Relaxed) {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    /// Counts a request for which a limit leaves no slot.
    fn busy(&self, full: Full) -> Refusal {
        METRICS.requests_refused.with([&self.environment.name, &word(&full)]).inc();
        Refusal::BUSY
    }

    async fn answer(
        &self,
        book: &Book,
        request: Request,
        account: &mut Account,
        reply: &mut oneshot::Sender<Response>,
    ) -> Result<Response, Refusal> {
        let (mut head, body) = request.into_parts();
        let body = Bounded::new(body, &self.bounds);
        let mut slot = self.slots.take().map_err(|full| self.busy(full))?;
        let target = match (head.version, head.uri.path_and_query()) {
            // HTTP/2 has no request line. hyper joins its pseudo-headers to an absolute address.
            (Version::HTTP_2, Some(target)) => target.to_string(),
            // hyper has cut off a fragment, and nothing else.
            _ => head.uri.to_string(),
        };

        let found = find(head.method.as_str(), &target)?;
        let operation = found.operation;
        account.operation = Some(operation);
        head::check(&head)?;
        // Unknown callers together have the share of an application while another server is asked for them.
        let mut before = || {
            let stranger = Some(User::Stranger(account.address));
            let shared = self.slots.share(&mut slot, &self.environment.name, "", stranger);
            shared.map_err(|full| {
                self.busy(full);
                Problem::Busy
            })
        };
        let identified = book.callers.identify(operation, &head.headers, &mut before).await;
        let caller = identified.map_err(|unidentified| {
            account.token_problem = unidentified.problem;
            unidentified.refusal
        })?;
        let application = caller.application.name.as_str();
        account.caller = Some(caller.clone());
        let user = caller.wallet.map(User::Known);
        let shared = self.slots.share(&mut slot, &self.environment.name, application, user);
        shared.map_err(|full| self.busy(full))?;
        account.slot = Some(slot);

        let counted = self.count(book, operation, &caller, account).await?;
        let is_get = head.method == Method::GET;
        let answered = match counted {
            Some((_, Verdict::Refused { retry_after, .. })) => {
                Err(Refusal::rate_limited(retry_after))
            }
            _ => {
                // The other service that takes part in the answer.
                let other = match operation {
                    Operation::Estimate => self.bundler.is_some().then_some("bundler"),
                    Operation::SupportedNetworks | Operation::SupportedTokens => None,
                    _ => self.upstream.is_some().then_some("backend"),
                };
                let asked = Instant::now();
                let traced = account.traced.as_ref().zip(other);
                let waits = traced.map(|(traced, other)| traced.ask(other, &mut head.headers));
                // What is logged and counted for it is the status of nginx. Nobody receives it.
                let left = StatusCode::from_u16(499).unwrap_or(StatusCode::REQUEST_TIMEOUT);
                let id = &account.trace_id;
                let answered = tokio::select! {
                    performed = self.perform(operation, &caller, head, &target, body, id) => performed,
                    // A GET is not carried out for nobody. Another call may have been carried out already.
                    () = reply.closed(), if is_get => Ok(left.into_response()),
                };
                drop(waits);
                account.backend = other.map(|_| asked.elapsed());
                answered
            }
        };
        let mut response = answered.unwrap_or_else(|refusal| account.refuse(&refusal));
        if let (Some((policy, verdict)), true) = (&counted, self.environment.rate_limit_fields) {
            let RateLimitFields { policy, limit } = RateLimitFields::new(policy, verdict);
            for (name, value) in [("ratelimit-policy", policy), ("ratelimit", limit)] {
                if let Ok(value) = HeaderValue::from_str(&value) {
                    response.headers_mut().insert(name, value);
                }
            }
        }
        Ok(response)
    }

    /// The reply to an admitted operation.
    async fn perform(
        &self,
        operation: Operation,
        caller: &Caller,
        head: request::Parts,
        target: &str,
        mut body: Bounded,
        trace_id: &TraceId,
    ) -> Result<Response, Refusal> {
        let value = |name: &HeaderName| head::value(&head.headers, name);
        check_content(
            operation,
            value(&header::CONTENT_TYPE).as_deref(),
            value(&header::CONTENT_ENCODING).as_deref(),
        )?;
        body.expect_room()?;

        if head.method == Method::GET {
            body.expect_none().await?;
        }

        match (operation, &self.upstream) {
            (Operation::Estimate, _) => {
                let body = body.whole().await?;
                let traceparent = self.traces.as_ref().and_then(|_| head.headers.get(TRACEPARENT));
                let bundler = self.bundler.as_ref().map(|bundler| (bundler, traceparent));
                answers::estimate(caller, &self.environment.deployment, bundler, &body).await
            }
            (Operation::SupportedNetworks, _) => Ok(answers::networks(&caller.application)),
            (Operation::SupportedTokens, _) => {
                answers::tokens(&caller.application, head.uri.query())
            }
            (_, Some(upstream)) => {
                upstream.forward(head.method, target, head.headers, body, trace_id).await
            }
            (operation, None) => Err(Refusal::no_backend(operation)),
        }
    }

    /// The verdict on a call that counts, with its policy; `None` for other calls, and if there is no limit.
    async fn count(
        &self,
        book: &Book,
        operation: Operation,
        caller: &Caller,
        account: &mut Account,
    ) -> Result<Option<(Policy, Verdict)>, Refusal> {
        let (scope, asked) = (caller.application.name.as_str(), Instant::now());
        let Some(windows) = book.windows.get(scope) else { return Ok(None) };

        let traced = account.traced.as_ref().filter(|_| windows.shared.is_some());
        let waited = traced.map(|traced| traced.wait("store"));
        let kind = if operation.is_limited() { Kind::Call } else { Kind::Touch };
        let verdict = windows.ask(scope, kind).await;
        drop(waited);
        account.store = windows.shared.is_some().then(|| asked.elapsed());
        account.verdict = match &verdict {
            Ok(None) => return Ok(None),
            Ok(Some((_, Verdict::Admitted { .. }))) => "admitted",
            Ok(Some((_, Verdict::Refused { .. }))) => "refused",
            Err(StoreLost) => "undecided",
        };
        let call = [&self.environment.name, scope, operation.as_str(), account.verdict];
        METRICS.calls.with(call).inc();

        verdict.map_err(|StoreLost| Refusal::STORE_LOST)
    }
}

/// A reply that keeps its slot until it ends, if it comes part by part.
fn held(response: Response, slot: Option<Slot>) -> Response {
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _held = &slot;
            frame
        }))
    })
}
