//! The wallet backend behind the gateway. Requests and replies are forwarded part by part.

use std::error::Error as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Request, Uri};
use axum::response::Response;
use http_body::Frame;
use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use sendoff::http::{Refusal, TraceId};
use tower_http::timeout::TimeoutBody;

use crate::config;
use crate::descriptors::IDLE_PER_HOST;
use crate::message::body::{Bounded, refusal};
use crate::message::head::{self, drop_hop_by_hop};
use crate::message::trace::{REQUEST_ID, request_id};
use crate::observe::metrics::METRICS;
use crate::tls;

type HttpClient = Client<HttpsConnector<HttpConnector>, Body>;

/// The wallet backend.
pub(crate) struct Upstream {
    config: config::Upstream,
    client: HttpClient,
    environment: String,
}

impl Upstream {
    /// A client that sends targets and headers byte by byte as given, follows no redirect and uses no proxy. Its connections may be
    /// idle for a while: a backend that closes one sooner could lose a call.
    ///
    /// It sends a request again only if the connection had ended before the request was written. After the request was written,
    /// it is unknown whether the backend carried it out.
    ///
    /// # Errors
    ///
    /// A sentence about certificates that cannot be used.
    pub(crate) fn new(config: config::Upstream, environment: &str) -> Result<Self, String> {
        let tls = tls_config(&config).map_err(|why| format!("environment.{environment}.{why}"))?;
        let tls = HttpsConnectorBuilder::new().with_tls_config(tls);
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(Duration::from_secs(5)));

        let mut client = Client::builder(TokioExecutor::new());
        client
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(config.idle)
            .pool_max_idle_per_host(IDLE_PER_HOST);
        let client = client.build(tls.https_or_http().enable_http1().wrap_connector(tcp));
        Ok(Self { client, config, environment: environment.into() })
    }

    /// Forwards a request, and returns the backend's reply.
    ///
    /// # Errors
    ///
    /// 504 if the reply does not begin in time, 502 if there is no reply or it is not HTTP, and the refusals of the request's
    /// body.
    pub(crate) async fn forward(
        &self,
        method: Method,
        target: &str,
        mut headers: HeaderMap,
        body: Bounded,
        trace_id: &TraceId,
    ) -> Result<Response, Refusal> {
        head::for_the_backend(&mut headers, self.config.forwarded);
        if let Some(id) = request_id(&headers, trace_id) {
            headers.insert(REQUEST_ID, id);
        }

        let uri: Uri =
            format!("{}{target}", &*self.config.url).parse().map_err(|_| Refusal::LONG_TARGET)?;
        let most = body.most;
        let (body, late) = body.for_the_backend(self.config.timeout);
        let mut request = Request::new(body);

        (*request.method_mut(), *request.uri_mut(), *request.headers_mut()) =
            (method, uri, headers);

        let sent = tokio::select! {
            sent = self.client.request(request) => sent,
            refusal = late => return Err(refusal),
        };
        let lost = |why: &str| {
            tracing::warn!(trace_id = trace_id.as_str(), why, "the backend does not answer");
            Refusal::BACKEND_LOST
        };
        let reply = sent.map_err(|error| {
            refusal(&error, most).unwrap_or_else(|| lost(&format!("{error}: {:?}", error.source())))
        })?;
        // The gateway did not ask for another protocol.
        if reply.status().is_informational() {
            return Err(lost("its reply changes the protocol"));
        }
        let (mut head, reply) = reply.into_parts();
        if !head::is_framed_once(&mut head) {
            return Err(lost("its reply has a transfer coding other than `chunked`"));
        }

        drop_hop_by_hop(&mut head.headers);
        let is_over = http_body::Body::is_end_stream(&reply);
        let parts = Parts {
            reply: Body::new(TimeoutBody::new(self.config.timeout, reply)),
            is_over,
            trace_id: trace_id.clone(),
            environment: self.environment.clone(),
        };
        Ok(Response::from_parts(head, Body::new(parts)))
    }
}

/// The authorities by which a backend is checked, and the certificate that it is shown. An error begins with a key.
fn tls_config(config: &config::Upstream) -> Result<ClientConfig, String> {
    let cannot = |error: rustls::Error| format!("upstream: no HTTP client: {error}");
    let client = ClientConfig::builder_with_provider(ring::default_provider().into());
    let client = client.with_safe_default_protocol_versions().map_err(cannot)?;
    let client = match &config.ca {
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in tls::chain(path).map_err(|why| format!("upstream.ca: {why}"))? {
                let added = roots.add(certificate);
                added.map_err(|error| format!("upstream.ca: {}: {error}", path.display()))?;
            }
            client.with_root_certificates(roots)
        }
        None => client.try_with_platform_verifier().map_err(cannot)?,
    };

    let Some(identity) = &config.tls else { return Ok(client.with_no_client_auth()) };
    let (chain, private) = tls::read(identity).map_err(|why| format!("upstream.tls{why}"))?;
    let client = client.with_client_auth_cert(chain, private);
    client.map_err(|error| format!("upstream.tls: {}: {error}", identity.certificate.display()))
}

/// The body of the backend's reply. If it ends early, so does the caller's reply: its head is already sent, and a part must not
/// look whole. A reply that does not reach its caller whole is counted: the caller `left`, or the `backend` ended it early.
struct Parts {
    reply: Body,
    is_over: bool,
    trace_id: TraceId,
    environment: String,
}

impl Parts {
    fn lose(&mut self, reason: &'static str) {
        self.is_over = true;
        METRICS.undelivered.with([&self.environment, reason]).inc();
    }
}

impl http_body::Body for Parts {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let part = Pin::new(&mut self.reply).poll_frame(cx);
        match &part {
            Poll::Ready(Some(Err(error))) => {
                let (trace_id, why) = (self.trace_id.as_str(), error.to_string());
                tracing::warn!(trace_id, why, "the backend's reply broke off");
                self.lose("backend");
            }
            Poll::Ready(_) => self.is_over = self.is_over || self.reply.is_end_stream(),
            Poll::Pending => {}
        }
        part
    }

    fn is_end_stream(&self) -> bool {
        self.reply.is_end_stream()
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        if !self.is_over {
            self.lose("left");
        }
    }
}
