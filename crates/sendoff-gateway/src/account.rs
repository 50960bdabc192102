//! The account of a request: one line of log and one count for each request, however it ends.

use std::{
    net::IpAddr,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use axum::{http::StatusCode, response::Response};
use sendoff::{
    error::{Issue, IssueCode},
    http::{Operation, Refusal, TraceId},
};

use crate::{
    callers::Caller,
    config::Digest,
    envelope,
    metrics::Metrics,
    otlp::{Ended, Wait},
    recent,
    span::Span,
    traces::Traces,
    users::Problem,
};

/// The facts about a request that are logged and counted. Neither its line nor its count contains a key, a token or a path.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) trace_id: TraceId,
    pub(crate) operation: Option<Operation>,
    pub(crate) application: Option<String>,
    /// `admitted`, `refused` or `undecided`; empty for a request that does not count.
    pub(crate) verdict: &'static str,
    /// The wait for the store.
    pub(crate) store: Option<Wait>,
    /// The wait until the reply of the backend or of the bundler began.
    pub(crate) backend: Option<Wait>,
    /// The span of the request, and the collector of traces.
    pub(crate) traced: Option<(Span, Arc<Traces>)>,
    /// The caller's address; for IPv6, the first 64 bits.
    address: IpAddr,
    /// The start of the digest of the user's wallet.
    user: String,
    /// Why the bearer token has no user.
    pub(crate) token_problem: Option<Problem>,
    refused: Refused,
    environment: String,
    metrics: Arc<Metrics>,
    began: Instant,
    is_closed: bool,
}

/// Why the gateway refused a request; empty if it did not.
#[derive(Debug, Default)]
struct Refused {
    reason: &'static str,
    error_code: &'static str,
    /// The place of the first problem of the document, and its code.
    issue: String,
    issue_code: &'static str,
    /// The operation that an unknown path comes near to.
    near: &'static str,
}

impl From<&Refusal> for Refused {
    fn from(refusal: &Refusal) -> Self {
        let first = refusal.issues().first();
        Self {
            reason: refusal.as_str(),
            error_code: refusal.error_code().unwrap_or_default(),
            issue: first.map(place).unwrap_or_default(),
            issue_code: first.map(|issue| issue.code.as_str()).unwrap_or_default(),
            near: refusal.operation().map(Operation::as_str).unwrap_or_default(),
        }
    }
}

/// The path of a problem. An unknown key is not logged, because it can be any text: only the object that has it.
fn place(issue: &Issue) -> String {
    const OBJECTS: [&str; 2] = ["details", "gasDetails"];
    match issue.code {
        IssueCode::Unknown | IssueCode::Duplicate => {
            let object = issue.path.split_once('.').map(|(object, _)| object).unwrap_or_default();
            OBJECTS.iter().find(|name| **name == object).copied().unwrap_or_default().to_owned()
        }
        _ => issue.path.clone(),
    }
}

impl Account {
    pub(crate) fn new(
        trace_id: TraceId,
        environment: &str,
        address: IpAddr,
        metrics: &Arc<Metrics>,
    ) -> Self {
        Self {
            trace_id,
            operation: None,
            application: None,
            verdict: "",
            store: None,
            backend: None,
            traced: None,
            address,
            user: String::new(),
            token_problem: None,
            refused: Refused::default(),
            environment: environment.into(),
            metrics: Arc::clone(metrics),
            began: Instant::now(),
            is_closed: false,
        }
    }

    /// Notes who calls.
    pub(crate) fn identified(&mut self, caller: &Caller) {
        self.application = Some(caller.application.name.clone());
        self.user = caller
            .user
            .as_ref()
            .map(|user| Digest::of(&user.user_swa.to_string()).start())
            .unwrap_or_default();
    }

    /// The wait for another service that was asked at this time, and has answered.
    pub(crate) fn wait(&self, asked: Instant) -> Option<Wait> {
        Some(Wait { offset: asked.saturating_duration_since(self.began), took: asked.elapsed() })
    }

    /// The reply to a request that is refused, whose reason is noted.
    pub(crate) fn refuse(&mut self, refusal: &Refusal) -> Response {
        self.refused = refusal.into();
        envelope::refused(refusal, &self.trace_id)
    }

    /// Logs and counts a request that has a reply. `hung_up` is `true` if the caller hung up before the reply began.
    pub(crate) fn close(mut self, status: StatusCode, hung_up: bool) {
        self.write(status, hung_up);
    }

    fn write(&mut self, status: StatusCode, hung_up: bool) {
        self.is_closed = true;
        let (took, status) = (self.began.elapsed(), status.as_u16());
        let operation = self.operation.map(Operation::as_str).unwrap_or_default();

        self.metrics.request(&self.environment, operation, status, took);
        let [store, backend] = [self.store, self.backend].map(|wait| wait.map(|wait| wait.took));

        self.metrics.waited(&self.environment, operation, store, backend);
        if hung_up {
            self.metrics.undelivered(&self.environment, "hung_up");
        }

        let (trace_id, environment) = (self.trace_id.as_str(), self.environment.as_str());
        let (application, verdict) =
            (self.application.as_deref().unwrap_or_default(), self.verdict);
        let Refused { reason, error_code, issue, issue_code, near } = &self.refused;

        if !reason.is_empty() {
            self.metrics.refused(environment, application, operation, reason);
            if !application.is_empty() {
                let (issue, trace_id) = (issue.clone(), trace_id.to_owned());
                let refused = recent::Refused {
                    at: recent::now(),
                    operation,
                    status,
                    reason,
                    issue,
                    trace_id,
                };
                self.metrics.recent.note(environment, application, refused);
            }
        }

        let micros = |took: Duration| u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        tracing::info!(
            trace_id,
            environment,
            operation,
            application,
            user = self.user,
            address = %self.address,
            verdict,
            status,
            reason,
            error_code,
            issue,
            issue_code,
            token = self.token_problem.map(Problem::as_str).unwrap_or_default(),
            near = if operation.is_empty() { near } else { "" },
            micros = micros(took),
            store_micros = micros(store.unwrap_or_default()),
            backend_micros = micros(backend.unwrap_or_default()),
            hung_up,
            "request"
        );

        self.trace(status, took);
    }

    /// Passes the request on to the collector of traces.
    fn trace(&mut self, status: u16, took: Duration) {
        let Some((span, traces)) = self.traced.take().filter(|(span, _)| span.is_recorded()) else {
            return;
        };
        traces.record(Ended {
            span,
            trace_id: self.trace_id.to_string(),
            environment: self.environment.clone(),
            application: self.application.clone().unwrap_or_default(),
            operation: self.operation,
            address: self.address,
            status,
            verdict: self.verdict,
            reason: self.refused.reason,
            took,
            store: self.store,
            backend: self.backend,
        });
    }
}

impl Drop for Account {
    /// Logs and counts a request without a reply, after a panic or at the end of the process.
    fn drop(&mut self) {
        if !self.is_closed {
            let status = if thread::panicking() {
                StatusCode::INTERNAL_SERVER_ERROR
            } else {
                StatusCode::SERVICE_UNAVAILABLE
            };
            self.write(status, false);
        }
    }
}
