//! The account of a request: one line of log and one count for each request, however it ends.

use std::net::IpAddr;
use std::thread;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::Response;
use opentelemetry::KeyValue;
use sendoff::error::{Issue, IssueCode};
use sendoff::http::{Operation, Refusal, TraceId};

use crate::callers::Caller;
use crate::callers::slots::Slot;
use crate::callers::users::Problem;
use crate::limits::windows::now;
use crate::message::envelope;
use crate::observe::metrics::METRICS;
use crate::observe::traces::Traced;
use crate::observe::{recent, word};

/// The facts about a request that are logged and counted. Neither its line nor its count contains a key, a token or a path.
pub(crate) struct Account {
    pub(crate) trace_id: TraceId,
    pub(crate) operation: Option<Operation>,
    pub(crate) caller: Option<Caller>,
    /// `admitted`, `refused` or `undecided`; empty for a request that does not count.
    pub(crate) verdict: &'static str,
    /// The wait for the store.
    pub(crate) store: Option<Duration>,
    /// The wait until the reply of the backend or of the bundler began.
    pub(crate) backend: Option<Duration>,
    /// The span of the request.
    pub(crate) traced: Option<Traced>,
    pub(crate) slot: Option<Slot>,
    /// The caller's address; for IPv6, the first 64 bits.
    pub(crate) address: IpAddr,
    /// Why the bearer token has no user.
    pub(crate) token_problem: Option<Problem>,
    refused: Option<Refusal>,
    environment: String,
    began: Instant,
    /// The status of the reply, and whether the caller hung up before it began.
    closed: Option<(StatusCode, bool)>,
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
    pub(crate) fn new(trace_id: TraceId, environment: &str, address: IpAddr) -> Self {
        Self {
            trace_id,
            operation: None,
            caller: None,
            verdict: "",
            store: None,
            backend: None,
            traced: None,
            slot: None,
            address,
            token_problem: None,
            refused: None,
            environment: environment.into(),
            began: Instant::now(),
            closed: None,
        }
    }

    /// The name of the caller's application; empty for an unknown caller.
    pub(crate) fn application(&self) -> &str {
        self.caller.as_ref().map(|caller| caller.application.name.as_str()).unwrap_or_default()
    }

    /// The reply to a request that is refused, whose reason is noted.
    pub(crate) fn refuse(&mut self, refusal: &Refusal) -> Response {
        self.refused = Some(refusal.clone());
        envelope::refused(refusal, &self.trace_id)
    }

    /// Logs and counts a request that has a reply. `hung_up` is `true` if the caller hung up before the reply began.
    pub(crate) fn close(mut self, status: StatusCode, hung_up: bool) {
        self.closed = Some((status, hung_up));
    }

    fn write(&mut self, status: StatusCode, hung_up: bool) {
        let (took, status) = (self.began.elapsed(), status.as_u16());
        let operation = self.operation.map(Operation::as_str).unwrap_or_default();

        let store = self.store;
        let (environment, metrics) = (self.environment.as_str(), &*METRICS);
        metrics.durations.with([environment, operation]).observe(took.as_secs_f64());
        metrics.requests.with([environment, operation, &status.to_string()]).inc();
        if let Some(store) = store {
            metrics.store_durations.with([environment]).observe(store.as_secs_f64());
        }
        if let Some(backend) = self.backend {
            let durations = metrics.backend_durations.with([environment, operation]);
            durations.observe(backend.as_secs_f64());
        }
        if hung_up {
            metrics.undelivered.with([environment, "hung_up"]).inc();
        }

        let trace_id = self.trace_id.as_str();
        let (application, verdict) = (self.application(), self.verdict);
        let refused = self.refused.as_ref();
        let reason = refused.map(Refusal::as_str).unwrap_or_default();
        let first = refused.and_then(|refusal| refusal.issues().first());
        let issue = first.map(place).unwrap_or_default();
        // The operation that an unknown path comes near to.
        let near = refused.and_then(Refusal::operation).filter(|_| operation.is_empty());

        if !reason.is_empty() {
            metrics.refusals.with([environment, application, operation, reason]).inc();
            if let Some(caller) = &self.caller {
                caller.application.refusals.note(recent::Refused {
                    at: now().as_ms().unsigned_abs(),
                    operation,
                    status,
                    reason,
                    issue: issue.clone(),
                    trace_id: trace_id.to_owned(),
                });
            }
        }

        let micros = |took: Duration| u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        tracing::info!(
            trace_id,
            environment,
            operation,
            application,
            user = self.caller.as_ref().map(|caller| &*caller.label).unwrap_or_default(),
            address = %self.address,
            verdict,
            status,
            reason,
            error_code = refused.and_then(Refusal::error_code).unwrap_or_default(),
            issue,
            issue_code = first.map(|issue| issue.code.as_str()).unwrap_or_default(),
            token = self.token_problem.as_ref().map(word).unwrap_or_default(),
            near = near.map(Operation::as_str).unwrap_or_default(),
            micros = micros(took),
            store_micros = micros(store.unwrap_or_default()),
            backend_micros = micros(self.backend.unwrap_or_default()),
            hung_up,
            "request"
        );

        if let Some(traced) = self.traced.take() {
            // Few names, whatever callers send.
            let name = self.operation.map_or("HTTP".into(), |operation| {
                format!("{} {}", operation.method(), operation.path_template())
            });
            traced.end(name, self.attributes(status), status >= 500);
        }
    }

    /// The attributes of the request's span, by the semantic conventions of OpenTelemetry for HTTP. Empty texts are left out.
    fn attributes(&self, status: u16) -> Vec<KeyValue> {
        let operation = self.operation;
        let reason = self.refused.as_ref().map(Refusal::as_str).unwrap_or_default();
        let error = if status >= 500 && reason.is_empty() { "backend" } else { reason };
        let texts = [
            ("http.request.method", operation.map_or("_OTHER", |known| known.method().as_str())),
            ("http.route", operation.map(Operation::path_template).unwrap_or_default()),
            ("client.address", &self.address.to_string()),
            ("error.type", error),
            ("sendoff.operation", operation.map(Operation::as_str).unwrap_or_default()),
            ("sendoff.environment", &self.environment),
            ("sendoff.application", self.application()),
            ("sendoff.verdict", self.verdict),
            ("sendoff.trace_id", self.trace_id.as_str()),
        ];
        let texts = texts.into_iter().filter(|(_, value)| !value.is_empty());
        let status = KeyValue::new("http.response.status_code", i64::from(status));
        texts.map(|(key, value)| KeyValue::new(key, value.to_owned())).chain([status]).collect()
    }
}

impl Drop for Account {
    /// Logs and counts a request. One without a reply is there after a panic or at the end of the process.
    fn drop(&mut self) {
        let status = if thread::panicking() {
            StatusCode::INTERNAL_SERVER_ERROR
        } else {
            StatusCode::SERVICE_UNAVAILABLE
        };
        let (status, hung_up) = self.closed.unwrap_or((status, false));
        self.write(status, hung_up);
    }
}
