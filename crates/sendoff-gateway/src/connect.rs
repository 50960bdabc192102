//! Connections to the backend.

use std::time::Duration;

use axum::body::Body;
use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};

use rustls::{ClientConfig, RootCertStore, crypto::ring};

use crate::{config::Upstream, descriptors::IDLE_PER_HOST, tls};

/// A client that sends targets and headers byte by byte as given, follows no redirect and uses no proxy.
///
/// It sends a request again only if the connection had ended before the request was written. After the request was written,
/// it is unknown whether the backend carried it out.
pub(crate) type HttpClient = Client<HttpsConnector<HttpConnector>, Body>;

/// A client whose connections may be idle for a while. A backend that closes a connection sooner could lose a call.
///
/// # Errors
///
/// A sentence about certificates that cannot be used.
pub(crate) fn http_client(upstream: &Upstream) -> Result<HttpClient, String> {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(Duration::from_secs(5)));
    let tls = HttpsConnectorBuilder::new().with_tls_config(tls_config(upstream)?);

    let mut client = Client::builder(TokioExecutor::new());
    client
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(upstream.idle)
        .pool_max_idle_per_host(IDLE_PER_HOST);
    Ok(client.build(tls.https_or_http().enable_http1().wrap_connector(tcp)))
}

/// The authorities that a backend is checked by, and the certificate that it is shown.
fn tls_config(upstream: &Upstream) -> Result<ClientConfig, String> {
    let cannot = |error: rustls::Error| format!("no HTTP client: {error}");
    let client = ClientConfig::builder_with_provider(ring::default_provider().into());
    let client = client.with_safe_default_protocol_versions().map_err(cannot)?;
    let client = match &upstream.ca {
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in tls::chain(path).map_err(|why| format!("upstream_ca: {why}"))? {
                let added = roots.add(certificate);
                added.map_err(|error| format!("upstream_ca: {}: {error}", path.display()))?;
            }
            client.with_root_certificates(roots)
        }
        None => client.try_with_platform_verifier().map_err(cannot)?,
    };
    match &upstream.tls {
        Some((certificate, key)) => {
            let (chain, key) =
                tls::identity(certificate, key).map_err(|why| format!("upstream_tls{why}"))?;
            client
                .with_client_auth_cert(chain, key)
                .map_err(|error| format!("upstream_tls: {}: {error}", certificate.display()))
        }
        None => Ok(client.with_no_client_auth()),
    }
}
