//! Spans for a collector of OpenTelemetry: one of each request, and one of each wait for another service.
//!
//! Calls do not wait for the collector: its spans are in a queue of bounded size, from which a thread of the SDK posts them. If
//! the collector is slow or dead, spans are lost and counted. A request continues its caller's trace, but whether it is recorded
//! is decided here: otherwise strangers could have everything recorded, or nothing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{
    Link, SpanBuilder, SpanKind, Status, TraceContextExt as _, TraceId, Tracer as _,
    TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{HeaderExtractor, HeaderInjector};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, SamplingDecision, SamplingResult, SdkTracer,
    SdkTracerProvider, ShouldSample, Span, SpanData, SpanExporter as Exporter,
};
use tokio::runtime::Handle;
use tokio::time::timeout;
use uuid::Uuid;

use crate::config;
use crate::observe::metrics::METRICS;

/// The header with what vendors add to it.
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// How long a span waits for others of its post.
const INTERVAL: Duration = Duration::from_secs(1);

/// How long a post may take.
const POST: Duration = Duration::from_secs(10);

/// How long a stop waits for the last post.
const FLUSH: Duration = Duration::from_secs(1);

/// The way to a collector.
pub(crate) struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Traces {
    /// Starts the thread that posts.
    ///
    /// # Errors
    ///
    /// A sentence if the address of the collector cannot be used.
    pub(crate) fn start(config: &config::Traces, client: reqwest::Client) -> Result<Self, String> {
        let headers = config.headers.iter();
        let headers: HashMap<_, _> =
            headers.map(|(name, value)| (name.clone(), value.text.to_string())).collect();
        HeaderMap::<HeaderValue>::try_from(&headers)
            .map_err(|error| format!("traces.headers: {error}"))?;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_protocol(Protocol::HttpJson)
            .with_endpoint(&*config.url)
            .with_headers(headers)
            .build()
            .map_err(|error| format!("traces: {error}"))?;
        let counted = Counted { exporter: Arc::new(exporter), runtime: Handle::current() };
        let batches = BatchConfigBuilder::default().with_scheduled_delay(INTERVAL).build();
        let processor = BatchSpanProcessor::builder(counted).with_batch_config(batches).build();
        let resource = Resource::builder_empty()
            .with_service_name(config.service.clone())
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        let provider = SdkTracerProvider::builder()
            .with_sampler(OneIn(config.one_in))
            .with_resource(resource.build())
            .with_span_processor(processor)
            .build();
        let tracer = provider.tracer("sendoff-gateway");
        Ok(Self { provider, tracer })
    }

    /// Begins the span of a request with these headers.
    pub(crate) fn begin(self: &Arc<Self>, headers: &HeaderMap) -> Traced {
        let caller = TraceContextPropagator::new()
            .extract_with_context(&Context::new(), &HeaderExtractor(headers));
        let span = SpanBuilder::from_name("HTTP").with_kind(SpanKind::Server);
        let span = self.tracer.build_with_context(span, &caller);
        Traced { traces: Arc::clone(self), request: caller.with_span(span) }
    }

    /// Posts what is queued, for a limited time.
    pub(crate) async fn flush(&self) {
        let provider = self.provider.clone();
        let shut = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(FLUSH));
        drop(timeout(FLUSH, shut).await);
    }
}

/// A request whose span has begun.
pub(crate) struct Traced {
    traces: Arc<Traces>,
    request: Context,
}

impl Traced {
    pub(crate) fn trace_id(&self) -> String {
        self.request.span().span_context().trace_id().to_string()
    }

    /// Begins the span of a wait for another service, which ends when it is dropped.
    pub(crate) fn wait(&self, name: &'static str) -> Span {
        let span = SpanBuilder::from_name(name).with_kind(SpanKind::Client);
        self.traces.tracer.build_with_context(span, &self.request)
    }

    /// Begins the span of a wait, as [`Self::wait`], and names it in the headers of the request to the other service. What vendors
    /// added to a trace that ended is dropped.
    pub(crate) fn ask(&self, name: &'static str, headers: &mut HeaderMap) -> Context {
        let asked = self.request.with_span(self.wait(name));
        TraceContextPropagator::new().inject_context(&asked, &mut HeaderInjector(headers));
        if headers.get(TRACESTATE).is_some_and(HeaderValue::is_empty) {
            headers.remove(TRACESTATE);
        }
        asked
    }

    /// Ends the span of the request.
    pub(crate) fn end(self, name: String, attributes: Vec<KeyValue>, is_failed: bool) {
        let span = self.request.span();
        if span.is_recording() {
            span.update_name(name);
            span.set_attributes(attributes);
            if is_failed {
                span.set_status(Status::error(""));
            }
        }
        span.end();
    }
}

/// Records one request in this many, by chance, and the waits of a request with it.
#[derive(Clone, Copy, Debug)]
struct OneIn(u32);

impl ShouldSample for OneIn {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        _: TraceId,
        _: &str,
        kind: &SpanKind,
        _: &[KeyValue],
        _: &[Link],
    ) -> SamplingResult {
        let parent = parent.map(|parent| parent.span().span_context().clone());
        let is_recorded = match (kind, &parent) {
            (SpanKind::Client, Some(request)) => request.is_sampled(),
            _ => Uuid::new_v4().as_u64_pair().1.checked_rem(self.0.into()) == Some(0),
        };
        if is_recorded {
            METRICS.spans.with(["recorded"]).inc();
        }
        let (record, drop) = (SamplingDecision::RecordAndSample, SamplingDecision::Drop);
        SamplingResult {
            decision: if is_recorded { record } else { drop },
            attributes: Vec::new(),
            trace_state: parent.map(|parent| parent.trace_state().clone()).unwrap_or_default(),
        }
    }
}

/// An exporter that counts spans. Its client of HTTP needs the runtime, which the thread of the SDK has not.
#[derive(Debug)]
struct Counted {
    exporter: Arc<SpanExporter>,
    runtime: Handle,
}

impl Exporter for Counted {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let (exporter, spans) = (Arc::clone(&self.exporter), batch.len());
        let post = async move { timeout(POST, exporter.export(batch)).await };
        let posted = match self.runtime.spawn(post).await {
            Ok(Ok(posted)) => posted,
            _ => Err(OTelSdkError::Timeout(POST)),
        };
        let outcome = if posted.is_ok() { "sent" } else { "failed" };
        let spans = u64::try_from(spans).unwrap_or(u64::MAX);
        METRICS.spans.with([outcome]).inc_by(spans);
        if let Err(error) = &posted {
            tracing::warn!(%error, "spans are lost: the collector does not take them");
        }
        posted
    }

    fn set_resource(&mut self, resource: &Resource) {
        if let Some(exporter) = Arc::get_mut(&mut self.exporter) {
            exporter.set_resource(resource);
        }
    }
}
