//! The account of a request: one line of log and one count for each request, however it ends.

use std::{sync::Arc, thread, time::Instant};

use axum::http::StatusCode;
use sendoff::service::{Operation, TraceId};

use crate::metrics::Metrics;

/// The facts about a request that are logged and counted. Neither its line nor its count contains a key, a token or a path.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) trace_id: TraceId,
    pub(crate) operation: Option<Operation>,
    pub(crate) application: Option<String>,
    /// `admitted`, `refused` or `undecided`; empty for a request that does not count.
    pub(crate) verdict: &'static str,
    environment: String,
    metrics: Arc<Metrics>,
    began: Instant,
    is_closed: bool,
}

impl Account {
    pub(crate) fn new(trace_id: TraceId, environment: &str, metrics: &Arc<Metrics>) -> Self {
        Self {
            trace_id,
            operation: None,
            application: None,
            verdict: "",
            environment: environment.into(),
            metrics: Arc::clone(metrics),
            began: Instant::now(),
            is_closed: false,
        }
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
        if hung_up {
            self.metrics.undelivered(&self.environment, "hung_up");
        }
        let (trace_id, environment) = (self.trace_id.as_str(), self.environment.as_str());
        let (application, verdict) = (self.application.as_deref().unwrap_or_default(), self.verdict);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        tracing::info!(trace_id, environment, operation, application, verdict, status, micros, hung_up, "request");
    }
}

impl Drop for Account {
    /// Logs and counts a request without a reply, after a panic or at the end of the process.
    fn drop(&mut self) {
        if !self.is_closed {
            let status =
                if thread::panicking() { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::SERVICE_UNAVAILABLE };
            self.write(status, false);
        }
    }
}
