//! TLS, and HTTP/2 over TLS.

use std::{
    io::{Read as _, Write as _},
    sync::Arc,
};

use axum::{
    body::Bytes,
    http::{Request, Response},
};
use h2::client::SendRequest;
use rcgen::CertifiedKey;
use rustls::{
    ClientConfig, RootCertStore, ServerConfig, ServerConnection, StreamOwned,
    pki_types::{PrivateKeyDer, ServerName, pem::PemObject as _},
    server::WebPkiClientVerifier,
};
use tokio::{io::AsyncReadExt as _, net::TcpStream};
use tokio_rustls::{TlsConnector, client::TlsStream};

use super::estimate;
use crate::support::{
    Folder, Gateway, TOKEN,
    backend::{Backend, OK},
    client, config,
    reply::{Reply, envelope},
    wire,
};

/// A gateway with a new certificate for `localhost`.
struct Secured {
    gateway: Gateway,
    certificate: rcgen::Certificate,
}

impl Secured {
    fn start(head: &str) -> Self {
        let folder = Folder::new("tls");
        let certificate = renewed(&folder);
        Self { gateway: Gateway::start(&file(head, &folder)), certificate }
    }

    fn client(&self) -> reqwest::Client {
        drop(client());
        let trusted =
            reqwest::Certificate::from_der(self.certificate.der()).expect("a certificate");
        let address = self.gateway.socket().parse().expect("an address");
        let client = reqwest::Client::builder()
            .no_proxy()
            .tls_certs_only([trusted])
            .resolve("localhost", address);
        client.build().expect("a client")
    }

    fn url(&self, path: &str) -> String {
        let (_, port) = self.gateway.socket().split_once(':').expect("a port");
        format!("https://localhost:{port}{path}")
    }

    /// A connection whose caller offers these protocols.
    async fn handshake(&self, protocols: &[&str]) -> TlsStream<TcpStream> {
        drop(client());
        let mut trusted = RootCertStore::empty();
        trusted.add(self.certificate.der().clone()).expect("a certificate");
        let mut tls = ClientConfig::builder().with_root_certificates(trusted).with_no_client_auth();
        tls.alpn_protocols =
            protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
        let stream = TcpStream::connect(self.gateway.socket()).await.expect("a connection");
        let name = ServerName::try_from("localhost").expect("a name");
        TlsConnector::from(Arc::new(tls)).connect(name, stream).await.expect("a handshake")
    }

    /// A connection of HTTP/2.
    async fn http2(&self) -> SendRequest<Bytes> {
        let stream = self.handshake(&["h2", "http/1.1"]).await;
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(b"h2".as_slice()));
        let (send, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
        tokio::spawn(connection);
        send
    }
}

/// Writes a new certificate for `localhost` and its key into a folder.
fn renewed(folder: &Folder) -> rcgen::Certificate {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    folder.write("certificate.pem", &cert.pem());
    folder.write("key.pem", &signing_key.serialize_pem());
    cert
}

/// A configuration with the certificate and the key in a folder.
fn file(head: &str, Folder(folder): &Folder) -> String {
    let folder = folder.display();
    let tls = format!(
        "tls = {{ certificate = \"{folder}/certificate.pem\", key = \"{folder}/key.pem\" }}"
    );
    config(r#""none""#, head, &tls)
}

async fn text(response: Response<h2::RecvStream>) -> String {
    let mut body = response.into_body();
    let mut text = Vec::new();
    while let Some(part) = body.data().await {
        text.extend_from_slice(&part.expect("a part"));
    }
    String::from_utf8(text).expect("text")
}

#[tokio::test]
async fn http_1_is_served() {
    let secured = Secured::start("");
    assert!(secured.gateway.address.starts_with("https://"));
    let request = secured.client().get(secured.url("/api/v1/supported/networks"));
    let reply = Reply::to(request.bearer_auth(TOKEN)).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (200, &"success".into()));

    // A client that does not trust the certificate fails, and so does one without TLS.
    client().get(secured.url("/")).send().await.expect_err("an unknown certificate");
    let mut plain = wire::connect(secured.gateway.socket());
    wire::send(&plain, b"GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    let mut received = Vec::new();
    let _reset = plain.read_to_end(&mut received);
    assert!(!received.starts_with(b"HTTP"), "{received:?}");
}

#[tokio::test]
async fn http_2_is_served() {
    let secured = Secured::start("");
    let send = secured.http2().await;
    let body = estimate::request().to_string();
    for (method, path, token, body, status) in [
        ("POST", "/api/oc/v1/estimate", TOKEN, Some(body), 200),
        ("GET", "/api/v1/supported/networks?a=b", TOKEN, None, 200),
        ("GET", "/api/v1/supported/networks", "nobody's", None, 401),
        ("GET", "/api/v1/portfolio", TOKEN, None, 501),
        ("HEAD", "/api/v1/portfolio", TOKEN, None, 405),
        ("GET", "//api/v1/portfolio", TOKEN, None, 404),
        ("GET", "/api/v1/portfolio/", TOKEN, None, 404),
        ("GET", "/api/v1%2Fportfolio", TOKEN, None, 400),
    ] {
        let request = Request::builder().method(method).uri(format!("https://localhost{path}"));
        let request = request
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json");
        let mut send = send.clone().ready().await.expect("a connection");
        let (reply, mut parts) = send
            .send_request(request.body(()).expect("a request"), body.is_none())
            .expect("the bytes are written");
        if let Some(body) = body {
            parts.send_data(body.into(), true).expect("the bytes are written");
        }
        let reply = reply.await.expect("a reply");
        assert_eq!(reply.status(), status, "{method} {path}");
        let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        assert_eq!(reply.headers().get("connection"), None);
        let text = text(reply).await;
        if status != 200 && method != "HEAD" {
            envelope(&text, status, (status == 401).then_some("ER-TECH-0007"), &id);
        }
    }
}

/// Connections without a handshake end, and so do silent connections after it.
#[tokio::test]
async fn connections_that_stall() {
    let secured = Secured::start("bounds.head_ms = 300");
    let mut silent = wire::connect(secured.gateway.socket());
    assert_eq!(silent.read(&mut [0]).expect("the connection ends"), 0);
    let mut half = wire::connect(secured.gateway.socket());
    wire::send(&half, b"\x16\x03\x01\x02\x00\x01");
    assert_eq!(half.read(&mut [0]).expect("the connection ends"), 0);

    let mut stream = secured.handshake(&[]).await;
    let end = tokio::time::timeout(wire::PATIENCE, stream.read(&mut [0])).await;
    assert!(!matches!(end.expect("the connection ends"), Ok(1..)));
}

#[test]
fn invalid_certificates_are_refused() {
    let pair =
        || rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let (one, other) = (pair(), pair());
    let (certificate, key) = (one.cert.pem(), one.signing_key.serialize_pem());
    for (certificate, key) in [
        (certificate.as_str(), ""),
        ("", key.as_str()),
        ("garbage", "garbage"),
        (&key, &certificate),
        (&certificate, &other.signing_key.serialize_pem()),
    ] {
        let folder = Folder::new("tls");
        folder.write("certificate.pem", certificate);
        folder.write("key.pem", key);
        let Err(said) = Gateway::try_start(&file("", &folder), &[]) else { panic!("it starts") };
        assert!(said.contains("environment.sandbox.tls"), "{said}");
        assert!(said.contains("certificate.pem") || said.contains("key.pem"), "{said}");
    }
}

/// A backend is checked by its authority of the file, and sees the gateway's certificate. Without either it gets no call.
#[tokio::test]
async fn a_backend_and_the_gateway_show_each_other_certificates() {
    drop(client());
    let folder = Folder::new("tls");
    let certificate = renewed(&folder);
    let mut trusted = RootCertStore::empty();
    trusted.add(certificate.der().clone()).expect("a certificate");
    let verifier = WebPkiClientVerifier::builder(Arc::new(trusted)).build().expect("a verifier");
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
    let backend = backend.replace("http://127.0.0.1", "https://localhost");
    let (ca, own) = (folder.0.join("certificate.pem"), folder.0.join("key.pem"));
    let (ca, own) = (
        format!("upstream.ca = {ca:?}"),
        format!("upstream.tls = {{ certificate = {ca:?}, key = {own:?} }}"),
    );
    for (keys, status) in [(format!("{ca}\n{own}"), 200), (ca, 502), (own, 502)] {
        let gateway = Gateway::start(&config(
            "\"none\"",
            "",
            &format!("upstream.url = \"{backend}\"\n{keys}"),
        ));
        assert_eq!(Reply::to(gateway.get("/api/v1/orders")).await.status, status, "{keys}");
    }
}
