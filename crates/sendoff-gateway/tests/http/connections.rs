//! Limits on connections: without a head, and unread.

use std::{
    io::Write as _,
    net::{Ipv4Addr, SocketAddr},
    sync::mpsc,
    time::{Duration, Instant},
};

use axum::body::Bytes;
use h2::client::SendRequest;
use tokio::{
    net::{TcpSocket, TcpStream},
    task::JoinHandle,
    time::sleep,
};

use super::estimate;
use crate::support::{
    Gateway, TOKEN,
    backend::Backend,
    client, config,
    reply::Reply,
    wire::{self, PATIENCE, connect, exchange, statuses},
};

const NETWORKS: &str = "/api/v1/supported/networks";
pub(super) const GET: &str = "GET /api/v1/supported/networks HTTP/1.1\r\nhost: a\r\nauthorization: Bearer demo-token\r\n\r\n";
pub(super) const ENDED: &str = "sendoff_connections_ended_total";
pub(super) const REFUSED: &str = "sendoff_connections_refused_total";

/// A connection from one of this machine's own addresses, 127.0.0.0/8.
pub(super) async fn connect_from(from: Ipv4Addr, gateway: &Gateway) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    socket.connect(gateway.socket().parse().expect("an address")).await
}

/// A connection of HTTP/2 without TLS, which acknowledges pings; and its end.
pub(super) async fn http2(stream: TcpStream, window: u32) -> (SendRequest<Bytes>, JoinHandle<()>) {
    let mut builder = h2::client::Builder::new();
    builder.initial_window_size(window);
    let (send, connection) = builder.handshake::<_, Bytes>(stream).await.expect("HTTP/2");
    (send, tokio::spawn(async move { drop(connection.await) }))
}

pub(super) async fn is_served(gateway: &Gateway) {
    let request = client().get(gateway.url(NETWORKS)).bearer_auth(TOKEN);
    let began = Instant::now();
    let reply = Reply::to(request).await;
    assert_eq!(reply.status, 200);
    assert_eq!(gateway.ask("/health").await, "alive\n");
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

/// If a caller does not read the backend's reply, the connection to the backend ends too.
#[tokio::test]
async fn a_long_reply_that_is_not_read() {
    let (end, ended) = mpsc::channel();
    let backend = Backend::raw(move |mut stream| {
        wire::head(&mut stream);
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n");
        while sent.is_ok() {
            sent = stream.write_all(&[b'a'; 65_536]);
        }
        end.send(()).expect("the test waits");
    });
    let file =
        config(r#""none""#, "bounds.write_ms = 300", &format!("upstream.url = \"{backend}\""));
    let gateway = Gateway::start(&file);
    let stream = connect(gateway.socket());
    wire::send(&stream, GET.replace("supported/networks", "orders"));
    ended.recv_timeout(PATIENCE).expect("the backend's connection ends");
    gateway.until("sendoff_undelivered_total{reason=\"left\"}", 1).await;
    gateway.until(&format!("{ENDED}{{environment=\"sandbox\",reason=\"write\"}}"), 1).await;
    is_served(&gateway).await;
}

/// Connections with invalid HTTP, without a first byte, and with half a head are counted.
#[tokio::test]
async fn ended_connections_are_counted_by_reason() {
    let gateway = Gateway::start(&config(r#""none""#, "bounds.head_ms = 200", ""));
    for (bytes, status, reason, number) in [
        ("GARBAGE\r\n\r\n", Some(400), "malformed", 1),
        ("", None, "head", 1),
        ("GET /api/v1/portfolio HTTP/1.1\r\nhost: a\r\nauthorization: ", None, "head", 2),
        ("PRI", None, "head", 3),
    ] {
        let reply = exchange(gateway.socket(), bytes);
        assert_eq!(statuses(&reply).first().copied(), status, "{bytes}");
        gateway
            .until(&format!("{ENDED}{{environment=\"sandbox\",reason=\"{reason}\"}}"), number)
            .await;
    }
    sleep(Duration::from_millis(10)).await;
    assert_eq!(gateway.metric(&format!("{ENDED}{{environment=\"sandbox\"}}")).await, 4);
    let body = estimate::request().to_string();
    let reply = Reply::to(
        client()
            .post(gateway.url("/api/oc/v1/estimate"))
            .bearer_auth(TOKEN)
            .header("content-type", "application/json")
            .body(body),
    )
    .await;
    assert_eq!(reply.status, 200);
}
