//! Connections to the backend.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{Request, Response},
};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, Error, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};

use crate::places;

/// A client that sends targets and headers byte by byte as given, follows no redirect and uses no proxy.
///
/// It sends a request again only if the connection had ended before the request was written. After the request was written,
/// it is unknown whether the backend carried it out. Therefore, if a backend ends a connection during a call, each call has
/// its own connection for the next minute.
#[derive(Debug)]
pub(crate) struct HttpClient {
    pooled: Client<HttpsConnector<HttpConnector>, Body>,
    /// Uses a new connection for each request.
    single: Client<HttpsConnector<HttpConnector>, Body>,
    epoch: Instant,
    /// No connection is used again before this second after `epoch`.
    single_until: AtomicU64,
}

/// How long connections are not used again after one ended during a request, in seconds.
const SINGLE_SECONDS: u64 = 60;

impl HttpClient {
    /// # Errors
    ///
    /// A sentence if the certificates of this machine cannot be used.
    pub(crate) fn new() -> Result<Self, String> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(Duration::from_secs(5)));
        let tls =
            HttpsConnectorBuilder::new().with_provider_and_platform_verifier(rustls::crypto::ring::default_provider());
        let tls = tls.map_err(|error| format!("no HTTP client: {error}"))?;
        let connector = tls.https_or_http().enable_http1().wrap_connector(tcp);
        let mut client = Client::builder(TokioExecutor::new());
        // Many backends close a connection that idles for 5 s.
        client.pool_timer(TokioTimer::new()).pool_idle_timeout(Duration::from_secs(4));
        client.pool_max_idle_per_host(places::IDLE_PER_HOST);
        let pooled = client.build(connector.clone());
        let single = client.pool_max_idle_per_host(0).build(connector);
        Ok(Self { pooled, single, epoch: Instant::now(), single_until: AtomicU64::new(0) })
    }

    /// Sends a request, and returns the head of the reply, with its body part by part.
    pub(crate) async fn request(&self, request: Request<Body>) -> Result<Response<Body>, Error> {
        let is_single = self.epoch.elapsed().as_secs() < self.single_until.load(Ordering::Relaxed);
        let client = if is_single { &self.single } else { &self.pooled };
        client.request(request).await.map(|reply| reply.map(Body::new))
    }

    /// Records that a connection ended during a request.
    pub(crate) fn was_cut_off(&self) {
        let until = self.epoch.elapsed().as_secs().saturating_add(SINGLE_SECONDS);
        self.single_until.store(until, Ordering::Relaxed);
    }
}
