//! Connections to the backend.

use std::time::Duration;

use axum::body::Body;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};

use crate::descriptors::IDLE_PER_HOST;

/// A client that sends targets and headers byte by byte as given, follows no redirect and uses no proxy.
///
/// It sends a request again only if the connection had ended before the request was written. After the request was written,
/// it is unknown whether the backend carried it out.
pub(crate) type HttpClient = Client<HttpsConnector<HttpConnector>, Body>;

/// A client whose connections may be idle for `idle`. A backend that closes a connection sooner could lose a call.
///
/// # Errors
///
/// A sentence if the certificates of this machine cannot be used.
pub(crate) fn http_client(idle: Duration) -> Result<HttpClient, String> {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(Duration::from_secs(5)));
    let tls = HttpsConnectorBuilder::new()
        .with_provider_and_platform_verifier(rustls::crypto::ring::default_provider());
    let tls = tls.map_err(|error| format!("no HTTP client: {error}"))?;

    let mut client = Client::builder(TokioExecutor::new());
    client
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(idle)
        .pool_max_idle_per_host(IDLE_PER_HOST);
    Ok(client.build(tls.https_or_http().enable_http1().wrap_connector(tcp)))
}
