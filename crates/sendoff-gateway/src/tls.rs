//! TLS: a certificate chain and its key from PEM files.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use crate::config::Identity;

/// TLS 1.2 and 1.3 with HTTP/2 and HTTP/1.1.
#[derive(Clone)]
pub(crate) struct Tls {
    pub(crate) acceptor: TlsAcceptor,
    /// When the first certificate of the chain to expire does so, in seconds of Unix time; `None` if no date can be read.
    pub(crate) expires: Option<i64>,
}

impl Tls {
    /// # Errors
    ///
    /// A sentence that begins with the key of the file in `tls`, about a file that cannot be read, or a certificate and a key
    /// that do not belong together.
    pub(crate) fn read(identity: &Identity) -> Result<Self, String> {
        let (chain, private) = read(identity)?;
        let expires = chain.iter().filter_map(|certificate| {
            let (_, certificate) = x509_parser::parse_x509_certificate(certificate).ok()?;
            Some(certificate.validity().not_after.timestamp())
        });
        let expires = expires.min();

        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, private);
        let mut config = config.map_err(|error| {
            let Identity { certificate, key } = identity;
            format!(": {} and {}: {error}", certificate.display(), key.display())
        })?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), expires })
    }
}

/// The certificates of a PEM file.
///
/// # Errors
///
/// A sentence about a file that cannot be read or has none.
pub(crate) fn chain(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let file = path.display();
    let chain = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| format!("{file}: {error}"))?;
    if chain.is_empty() {
        return Err(format!("{file}: expected a certificate in PEM, found none"));
    }
    Ok(chain)
}

/// A certificate chain and its key.
///
/// # Errors
///
/// A sentence that begins with the key of the file in the configuration.
pub(crate) fn read(
    Identity { certificate, key }: &Identity,
) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), String> {
    let chain = chain(certificate).map_err(|why| format!(".certificate: {why}"))?;
    let private = PrivateKeyDer::from_pem_file(key);
    Ok((chain, private.map_err(|error| format!(".key: {}: {error}", key.display()))?))
}
