//! Callers with TLS.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream};

/// The authorities that trust one certificate.
pub(crate) fn trusting(certificate: &rcgen::Certificate) -> RootCertStore {
    // Chooses the provider.
    drop(super::client());
    let mut trusted = RootCertStore::empty();
    trusted.add(certificate.der().clone()).expect("a certificate");
    trusted
}

/// A connection whose caller trusts a certificate of `localhost`, and offers these protocols.
pub(crate) async fn handshake(
    certificate: &rcgen::Certificate,
    protocols: &[&str],
    stream: TcpStream,
) -> std::io::Result<TlsStream<TcpStream>> {
    let trusted = trusting(certificate);
    let mut tls = ClientConfig::builder().with_root_certificates(trusted).with_no_client_auth();
    tls.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let name = ServerName::try_from("localhost").expect("a name");
    TlsConnector::from(Arc::new(tls)).connect(name, stream).await
}
