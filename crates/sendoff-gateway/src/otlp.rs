//! Spans as JSON (OTLP 1.x: the JSON mapping of `ExportTraceServiceRequest`).

use std::{
    net::IpAddr,
    time::{Duration, UNIX_EPOCH},
};

use sendoff::http::Operation;
use serde_json::{Value, json};

use crate::span::Span;

/// A wait for another service, as an offset from the begin of the request and a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) offset: Duration,
    pub(crate) took: Duration,
}

/// The facts about a request that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) span: Span,
    /// As in the log.
    pub(crate) trace_id: String,
    pub(crate) environment: String,
    pub(crate) application: String,
    pub(crate) operation: Option<Operation>,
    pub(crate) address: IpAddr,
    pub(crate) status: u16,
    pub(crate) verdict: &'static str,
    pub(crate) reason: &'static str,
    pub(crate) took: Duration,
    pub(crate) store: Option<Wait>,
    pub(crate) backend: Option<Wait>,
}

/// The kinds of a span, and the status of a failed one.
const SERVER: u8 = 2;
const CLIENT: u8 = 3;
const ERROR: u8 = 2;

/// The body of a post.
pub(crate) fn body(service: &str, batch: &[Ended]) -> Value {
    let version = env!("CARGO_PKG_VERSION");
    let spans: Vec<_> = batch.iter().flat_map(Ended::spans).collect();
    json!({"resourceSpans": [{
        "resource": {"attributes": [text("service.name", service), text("service.version", version)]},
        "scopeSpans": [{"scope": {"name": "sendoff-gateway", "version": version}, "spans": spans}],
    }]})
}

impl Ended {
    /// The span of the request, and those of its waits.
    fn spans(&self) -> Vec<Value> {
        let Self { span, store, backend, took, .. } = self;
        let parent = span.parent.as_deref();
        let mut request = self.span(
            &span.id,
            parent,
            &self.name(),
            SERVER,
            Wait { offset: Duration::ZERO, took: *took },
        );
        if let Some(request) = request.as_object_mut() {
            request.insert("attributes".into(), self.attributes().into());
            if self.status >= 500 {
                request.insert("status".into(), json!({"code": ERROR}));
            }
        }

        let own = Some(span.id.as_str());
        let name = if self.operation == Some(Operation::Estimate) { "bundler" } else { "backend" };
        let store = store.map(|wait| self.span(&span.store, own, "store", CLIENT, wait));
        let backend = backend.map(|wait| self.span(&span.backend, own, name, CLIENT, wait));
        [request].into_iter().chain(store).chain(backend).collect()
    }

    fn span(&self, id: &str, parent: Option<&str>, name: &str, kind: u8, wait: Wait) -> Value {
        let began = self
            .span
            .began
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .saturating_add(wait.offset);
        let ended = began.saturating_add(wait.took);
        json!({
            "traceId": self.span.trace,
            "spanId": id,
            "parentSpanId": parent.unwrap_or_default(),
            "name": name,
            "kind": kind,
            "startTimeUnixNano": began.as_nanos().to_string(),
            "endTimeUnixNano": ended.as_nanos().to_string(),
        })
    }

    /// The name of the request: few names, whatever callers send.
    fn name(&self) -> String {
        self.operation.map_or("HTTP".into(), |operation| {
            format!("{} {}", operation.method(), operation.path_template())
        })
    }

    /// By the semantic conventions of OpenTelemetry for HTTP. Empty texts are left out.
    fn attributes(&self) -> Vec<Value> {
        let Self {
            trace_id,
            environment,
            application,
            operation,
            address,
            status,
            verdict,
            reason,
            ..
        } = self;
        let (method, route) = operation
            .map(|operation| (operation.method().as_str(), operation.path_template()))
            .unzip();
        let texts = [
            ("http.request.method", method.unwrap_or("_OTHER")),
            ("http.route", route.unwrap_or_default()),
            ("client.address", &address.to_string()),
            ("error.type", if *status >= 500 && reason.is_empty() { "backend" } else { reason }),
            ("sendoff.operation", operation.map(Operation::as_str).unwrap_or_default()),
            ("sendoff.environment", environment),
            ("sendoff.application", application),
            ("sendoff.verdict", verdict),
            ("sendoff.trace_id", trace_id),
        ];

        let texts = texts
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(key, value)| text(key, value));
        // An integer of 64 bits is a text in this mapping.
        let status =
            json!({"key": "http.response.status_code", "value": {"intValue": status.to_string()}});

        texts.chain([status]).collect()
    }
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}
