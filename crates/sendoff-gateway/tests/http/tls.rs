//! TLS, and HTTP/2 on it.

use std::{io::Read as _, sync::Arc, time::Duration};

use axum::{
    body::Bytes,
    http::{Request, Response},
};
use h2::client::SendRequest;
use rcgen::CertifiedKey;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::estimate;
use crate::support::{
    Gateway, TOKEN, client, config,
    reply::{Reply, envelope},
    wire,
};

/// A gateway with a certificate for `localhost` of its own, and that certificate.
struct Secured {
    gateway: Gateway,
    certificate: rcgen::Certificate,
}

impl Secured {
    fn start(head: &str) -> Self {
        let CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let file = file(head, &cert.pem(), &signing_key.serialize_pem());
        Self { gateway: Gateway::start(&file), certificate: cert }
    }

    fn client(&self) -> reqwest::Client {
        drop(client());
        let trusted = reqwest::Certificate::from_der(self.certificate.der()).expect("a certificate");
        let address = self.gateway.socket().parse().expect("an address");
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([trusted]).resolve("localhost", address);
        client.build().expect("a client")
    }

    fn url(&self, path: &str) -> String {
        let (_, port) = self.gateway.socket().split_once(':').expect("a port");
        format!("https://localhost:{port}{path}")
    }

    /// A connection of HTTP/2.
    async fn http2(&self) -> SendRequest<Bytes> {
        drop(client());
        let mut trusted = RootCertStore::empty();
        trusted.add(self.certificate.der().clone()).expect("a certificate");
        let mut tls = ClientConfig::builder().with_root_certificates(trusted).with_no_client_auth();
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let stream = TcpStream::connect(self.gateway.socket()).await.expect("somebody listens");
        let name = ServerName::try_from("localhost").expect("a name");
        let stream = TlsConnector::from(Arc::new(tls)).connect(name, stream).await.expect("a handshake");
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(b"h2".as_slice()));
        let (send, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
        tokio::spawn(connection);
        send
    }
}

/// A file with this certificate and key in files of their own.
fn file(head: &str, certificate: &str, key: &str) -> String {
    let folder = tempfolder();
    for (name, text) in [("certificate.pem", certificate), ("key.pem", key)] {
        std::fs::write(folder.join(name), text).expect("the folder can be written to");
    }
    let folder = folder.display();
    let tls = format!("tls = {{ certificate = \"{folder}/certificate.pem\", key = \"{folder}/key.pem\" }}");
    config(r#""none""#, head, &tls)
}

fn tempfolder() -> std::path::PathBuf {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("sendoff-gateway-tls-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
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
async fn http_1() {
    let secured = Secured::start("");
    assert!(secured.gateway.address.starts_with("https://"));
    let request = secured.client().post(secured.url("/api/oc/v1/estimate")).bearer_auth(TOKEN);
    let request = request.header("content-type", "application/json").body(estimate::request().to_string());
    let reply = Reply::to(request).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (200, &"success".into()));

    // Nobody who does not know the certificate, and nobody who does not speak TLS.
    client().get(secured.url("/")).send().await.expect_err("an unknown certificate");
    let reply = wire::connect(secured.gateway.socket());
    let mut reply = (&reply, std::io::Write::write_all(&mut &reply, b"GET / HTTP/1.1\r\nhost: a\r\n\r\n")).0;
    let mut said = Vec::new();
    let _reset = reply.read_to_end(&mut said);
    assert!(!said.starts_with(b"HTTP"), "{said:?}");
}

#[tokio::test]
async fn http_2() {
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
        ("GET", "/API/v1/portfolio", TOKEN, None, 404),
        ("GET", "/api/v1/portfolio;a", TOKEN, None, 404),
        ("GET", "/api/v1/%70ortfolio", TOKEN, None, 404),
        ("GET", "/api/v1/../v1/portfolio", TOKEN, None, 400),
        ("GET", "/api/v1%2Fportfolio", TOKEN, None, 400),
    ] {
        let request = Request::builder().method(method).uri(format!("https://localhost{path}"));
        let request =
            request.header("authorization", format!("Bearer {token}")).header("content-type", "application/json");
        let mut send = send.clone().ready().await.expect("a connection");
        let (reply, mut parts) =
            send.send_request(request.body(()).expect("a request"), body.is_none()).expect("it is taken");
        if let Some(body) = body {
            parts.send_data(body.into(), true).expect("it is taken");
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

/// A connection that is served when the gateway is told to stop has its replies.
#[tokio::test]
async fn http_2_is_stopped_gently() {
    let mut secured = Secured::start("");
    let mut send = secured.http2().await.ready().await.expect("a connection");
    let request = Request::builder().method("POST").uri("https://localhost/api/oc/v1/estimate");
    let request = request.header("authorization", "Bearer demo-token").header("content-type", "application/json");
    let (reply, mut parts) = send.send_request(request.body(()).expect("a request"), false).expect("it is taken");
    let mut last = Bytes::from(estimate::request().to_string());
    parts.send_data(last.split_to(100), false).expect("it is taken");
    secured.gateway.terminate();
    // Until the gateway takes no connection any more, it waits for those who may still come.
    while TcpStream::connect(secured.gateway.socket()).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    parts.send_data(last, true).expect("it is taken");
    assert_eq!(reply.await.expect("a reply").status(), 200);
    drop(send);
    let (is_well, log) = secured.gateway.ended(wire::PATIENCE);
    assert!(is_well, "{log}");
}

/// Neither who shakes no hand nor who says nothing after that is waited for.
#[tokio::test]
async fn connections_that_stall() {
    let secured = Secured::start("head_ms = 300");
    let mut silent = wire::connect(secured.gateway.socket());
    assert_eq!(silent.read(&mut [0]).expect("the connection ends"), 0);
    let mut half = wire::connect(secured.gateway.socket());
    std::io::Write::write_all(&mut half, b"\x16\x03\x01\x02\x00\x01").expect("it is taken");
    assert_eq!(half.read(&mut [0]).expect("the connection ends"), 0);

    drop(client());
    let mut trusted = RootCertStore::empty();
    trusted.add(secured.certificate.der().clone()).expect("a certificate");
    let tls = ClientConfig::builder().with_root_certificates(trusted).with_no_client_auth();
    let stream = TcpStream::connect(secured.gateway.socket()).await.expect("somebody listens");
    let name = ServerName::try_from("localhost").expect("a name");
    let mut stream = TlsConnector::from(Arc::new(tls)).connect(name, stream).await.expect("a handshake");
    let end = tokio::time::timeout(wire::PATIENCE, tokio::io::AsyncReadExt::read(&mut stream, &mut [0])).await;
    assert!(!matches!(end.expect("the connection ends"), Ok(1..)));
}

#[test]
fn certificates_that_are_none_are_refused() {
    let pair = || rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let (one, other) = (pair(), pair());
    let (certificate, key) = (one.cert.pem(), one.signing_key.serialize_pem());
    for (certificate, key) in [
        (certificate.as_str(), ""),
        ("", key.as_str()),
        ("garbage", "garbage"),
        (&key, &certificate),
        (&certificate, &other.signing_key.serialize_pem()),
    ] {
        let Err(said) = Gateway::try_start(&file("", certificate, key), &[]) else { panic!("it starts") };
        assert!(said.contains("certificate.pem and "), "{said}");
    }
}
