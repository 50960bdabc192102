//! Limits on connections: without a head, and unread.

use std::{
    io::Write as _,
    net::{Ipv4Addr, SocketAddr},
    sync::mpsc,
};

use axum::{body::Bytes, http::request::Builder};
use h2::{
    SendStream,
    client::{ResponseFuture, SendRequest},
};
use tokio::{
    net::{TcpSocket, TcpStream},
    task::JoinHandle,
};

use crate::support::{
    Gateway, TOKEN,
    backend::Backend,
    config,
    reply::Reply,
    wire::{self, PATIENCE, connect},
};

pub(super) const ENDED: &str = "sendoff_connections_ended_total";
pub(super) const REFUSED: &str = "sendoff_connections_refused_total";

/// A connection from one of this machine's own addresses, 127.0.0.0/8.
pub(super) async fn connect_from(from: Ipv4Addr, gateway: &Gateway) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    socket.connect(gateway.socket().parse().expect("an address")).await
}

/// A connection of HTTP/2 without TLS, which acknowledges pings.
pub(super) struct Http2 {
    send: SendRequest<Bytes>,
    connection: JoinHandle<()>,
}

impl Http2 {
    pub(super) async fn to(gateway: &Gateway) -> Self {
        let stream = connect_from(Ipv4Addr::LOCALHOST, gateway).await.expect("a place");
        let (send, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
        Self { send, connection: tokio::spawn(async move { drop(connection.await) }) }
    }

    /// Sends the head of a request of the user of `shop`, and all of it if it has no body.
    pub(super) async fn send(
        &mut self,
        request: Builder,
        has_body: bool,
    ) -> (ResponseFuture, SendStream<Bytes>) {
        let request = request.header("authorization", format!("Bearer {TOKEN}"));
        let mut send = self.send.clone().ready().await.expect("a connection");
        send.send_request(request.body(()).expect("a request"), !has_body).expect("it is taken")
    }

    /// Ends the connection.
    pub(super) fn end(self) {
        self.connection.abort();
    }
}

pub(super) async fn is_served(gateway: &Gateway) {
    let reply = Reply::to(gateway.get("/api/v1/supported/networks")).await;
    assert_eq!(reply.status, 200);
    assert_eq!(gateway.ask("/health").await, "alive\n");
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
    wire::send(&stream, wire::get("/api/v1/orders", "a: b"));
    ended.recv_timeout(PATIENCE).expect("the backend's connection ends");
    gateway.until("sendoff_undelivered_total{reason=\"left\"}", 1).await;
    gateway.until(&format!("{ENDED}{{environment=\"sandbox\",reason=\"write\"}}"), 1).await;
    is_served(&gateway).await;
}
