//! Limits on connections: without a head, and unread.

use std::{
    io::{ErrorKind, Write as _},
    net::{Ipv4Addr, SocketAddr},
    sync::mpsc,
    thread,
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
    let file = config(r#""none""#, "write_ms = 300", &format!("upstream = \"{backend}\""));
    let gateway = Gateway::start(&file);
    let mut stream = connect(gateway.socket());
    stream
        .write_all(GET.replace("supported/networks", "orders").as_bytes())
        .expect("the bytes are written");
    ended.recv_timeout(PATIENCE).expect("the backend's connection ends");
    gateway.until("sendoff_undelivered_total{reason=\"left\"}", 1).await;
    gateway.until(&format!("{ENDED}{{environment=\"sandbox\",reason=\"write\"}}"), 1).await;
    is_served(&gateway).await;
}

/// An unread file of the playground ends too.
#[tokio::test]
async fn a_file_that_is_not_read() {
    let folder = std::env::temp_dir().join(format!("sendoff-gateway-long-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("long"), vec![b'a'; 10_000_000]).expect("a file");
    let file =
        config(r#""none""#, "write_ms = 300\nrequests = 1", &format!("playground = {folder:?}"));
    let gateway = Gateway::start(&file);
    let mut unread = connect(gateway.socket());
    unread
        .write_all(b"GET /playground/long HTTP/1.1\r\nhost: a\r\n\r\n")
        .expect("the bytes are written");
    gateway.until("sendoff_requests_running", 1).await;
    assert_eq!(
        exchange(gateway.socket(), GET.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"))
            .get(9..12),
        Some("503")
    );
    gateway.until(&format!("{ENDED}{{environment=\"sandbox\",reason=\"write\"}}"), 1).await;
    is_served(&gateway).await;

    let request = "GET /playground/long HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    let whole = exchange(gateway.socket(), request);
    assert_eq!(whole.split_once("\r\n\r\n").map(|(_, body)| body.len()), Some(10_000_000));
}

/// A connection with endless requests and unread replies ends.
#[tokio::test]
async fn http_1_that_does_not_read_ends() {
    // Of large replies few fill the buffers on the way.
    let body = "a".repeat(100_000);
    let backend = Backend::replying(format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    ));
    let environment = format!("upstream = \"{}\"", backend.url);
    let gateway = Gateway::start(&config(r#""none""#, "write_ms = 500", &environment));
    let socket = gateway.socket().to_owned();
    let flood = thread::spawn(move || {
        let mut stream = connect(&socket);
        stream.set_write_timeout(Some(PATIENCE)).expect("a timeout");
        let many = GET.replace(NETWORKS, "/api/v1/portfolio").repeat(1_000);
        let began = Instant::now();
        while began.elapsed() < 3 * PATIENCE {
            match stream.write_all(many.as_bytes()) {
                Ok(()) => {}
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
                    ) =>
                {
                    return true;
                }
                Err(error) => panic!("the connection does not end: {error}"),
            }
        }
        false
    });
    assert!(flood.join().expect("no panic"), "the connection continues");
    gateway.until(&format!("{ENDED}{{environment=\"sandbox\",reason=\"write\"}}"), 1).await;
    is_served(&gateway).await;
}

/// Connections with invalid HTTP, without a first byte, and with half a head are counted.
#[tokio::test]
async fn ended_connections_are_counted_by_reason() {
    let gateway = Gateway::start(&config(r#""none""#, "head_ms = 200", ""));
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
