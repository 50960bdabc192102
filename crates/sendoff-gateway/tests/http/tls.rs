//! TLS, and HTTP/2 over TLS.

use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{PrivateKeyDer, pem::PemObject as _},
    server::WebPkiClientVerifier,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream as Stream,
};
use tokio_rustls::client::TlsStream;

use crate::support::{
    http_2::Http2,
    prelude::*,
    tls::{handshake, trusting},
};

/// A gateway with a new certificate for `localhost`.
fn secured(head: &str) -> (Gateway, rcgen::Certificate) {
    let folder = Folder::new("tls");
    let certificate = folder.certify();
    (Gateway::plain(head, &format!("tls = {}", folder.tls())), certificate)
}

/// A connection to it with these protocols.
async fn connection(
    (gateway, certificate): &(Gateway, rcgen::Certificate),
    protocols: &[&str],
) -> TlsStream<Stream> {
    let stream = Stream::connect(gateway.socket()).await.expect("a connection");
    handshake(certificate, protocols, stream).await.expect("a handshake")
}

#[tokio::test]
async fn both_versions_of_http_are_served() {
    let secured = secured("");
    let gateway = &secured.0;
    assert!(gateway.address.starts_with("https://"));
    let mut stream = connection(&secured, &["http/1.1"]).await;
    let ask = wire::get(NETWORKS, "connection: close");
    stream.write_all(ask.as_bytes()).await.expect("the bytes are written");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.expect("a reply");
    assert_eq!(statuses(&reply), [200]);

    let stream = connection(&secured, &["h2", "http/1.1"]).await;
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let http_2 = Http2::on(stream).await;
    for (caller, status) in [(USER, 200), (("authorization", "Bearer nobody's"), 401)] {
        let url = format!("https://localhost{NETWORKS}?a=b");
        assert_eq!(http_2.get(url, caller).await, status);
    }

    // A client that does not trust the certificate fails, and so does one without TLS.
    let stranger = client().get(gateway.url("/")).send().await;
    stranger.expect_err("an unknown certificate");
    let mut received = Vec::new();
    let _reset = wire::open(gateway, ask).read_to_end(&mut received);
    assert!(!received.starts_with(b"HTTP"), "{received:?}");
}

/// Connections without a handshake end, and so do silent connections after it.
#[tokio::test]
async fn connections_that_stall() {
    let secured = secured("bounds.head_ms = 300");
    for begun in [&b""[..], b"\x16\x03\x01\x02\x00\x01"] {
        assert_eq!(exchange(&secured.0, begun), "");
    }
    let mut stream = connection(&secured, &[]).await;
    let end = tokio::time::timeout(PATIENCE, stream.read(&mut [0])).await;
    assert!(!matches!(end.expect("the connection ends"), Ok(1..)));
}

/// A backend is checked by its authority of the file, and sees the gateway's certificate. Without either it gets no call.
#[tokio::test]
async fn a_backend_and_the_gateway_show_each_other_certificates() {
    let folder = Folder::new("tls");
    let certificate = folder.certify();
    let trusted = Arc::new(trusting(&certificate));
    let verifier = WebPkiClientVerifier::builder(trusted).build().expect("a verifier");
    let private = PrivateKeyDer::from_pem_file(folder.0.join("key.pem")).expect("a key");
    let server = ServerConfig::builder()
        .with_client_cert_verifier(verifier)
        .with_single_cert(vec![certificate.der().clone()], private);
    let server = Arc::new(server.expect("a certificate and its key"));
    let backend = Backend::raw(move |stream| {
        let connection = ServerConnection::new(Arc::clone(&server)).expect("a configuration");
        let mut stream = StreamOwned::new(connection, stream);
        let mut part = [0; 4096];
        if stream.read(&mut part).is_ok_and(|length| length > 0) {
            stream.write_all(OK.as_bytes()).expect("the gateway reads");
        }
    });
    let url = backend.replace("http://127.0.0.1", "upstream.url = \"https://localhost");
    let ca = format!("upstream.ca = {:?}", folder.0.join("certificate.pem"));
    let own = format!("upstream.tls = {}", folder.tls());
    for (keys, status) in [(format!("{ca}\n{own}"), 200), (ca, 502), (own, 502)] {
        let gateway = Gateway::plain("", &format!("{url}\"\n{keys}"));
        assert_eq!(gateway.get(ORDERS).await.status, status, "{keys}");
    }
}
