//! Limits on connections: without a head, and unread.

use axum::http::request::Builder;

use h2::{
    SendStream,
    client::{ResponseFuture, SendRequest},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpSocket,
    task::JoinHandle,
};

use crate::support::prelude::*;

/// A connection from one of this machine's own addresses, 127.0.0.0/8.
pub(super) async fn connect_from(from: [u8; 4], gateway: &Gateway) -> tokio::net::TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(SocketAddr::from((Ipv4Addr::from(from), 0))).expect("an address of this machine");
    socket.connect(gateway.socket().parse().expect("an address")).await.expect("a place")
}

/// A connection of HTTP/2, which acknowledges pings.
pub(super) struct Http2 {
    send: SendRequest<Bytes>,
    connection: JoinHandle<()>,
}

impl Http2 {
    /// Without TLS.
    pub(super) async fn to(gateway: &Gateway) -> Self {
        Self::on(connect_from([127, 0, 0, 1], gateway).await).await
    }

    pub(super) async fn on(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        let (send, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
        Self { send, connection: tokio::spawn(async move { drop(connection.await) }) }
    }

    /// Sends the head of a request of the user of `shop`, and all of it if it has no body.
    pub(super) async fn send(
        &self,
        request: Builder,
        has_body: bool,
    ) -> (ResponseFuture, SendStream<Bytes>) {
        let is_known = request.headers_ref().is_some_and(|all| all.contains_key(USER.0));
        let request = if is_known { request } else { request.header(USER.0, USER.1) };
        let mut send = self.send.clone().ready().await.expect("a connection");
        send.send_request(request.body(()).expect("a request"), !has_body).expect("it is taken")
    }

    /// The status of a GET with this header.
    pub(super) async fn get(&self, url: String, (name, value): (&str, &str)) -> u16 {
        let (reply, _) = self.send(Request::get(url).header(name, value), false).await;
        reply.await.expect("a reply").status().as_u16()
    }

    /// Ends the connection.
    pub(super) fn end(self) {
        self.connection.abort();
    }
}

pub(super) async fn is_served(gateway: &Gateway) {
    assert_eq!(gateway.get(NETWORKS).await.status, 200);
    assert_eq!(gateway.ask("/health").await, "alive\n");
}

/// A backend that sends a reply without an end, and reports when its connection has ended.
pub(super) fn endless() -> (String, mpsc::Receiver<()>) {
    let (end, ended) = mpsc::channel();
    let backend = Backend::raw(move |mut stream| {
        head(&mut stream);
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n");
        while sent.is_ok() {
            sent = stream.write_all(&[b'a'; 65_536]);
        }
        let _test_ended = end.send(());
    });
    (backend, ended)
}

/// If a caller does not read the backend's reply, the connection to the backend ends too.
#[tokio::test]
async fn a_long_reply_that_is_not_read() {
    let (backend, ended) = endless();
    let gateway = Gateway::in_front_of(&backend, "bounds.write_ms = 300");
    let _stream = wire::open(&gateway, wire::get(ORDERS, "a: b"));
    ended.recv_timeout(PATIENCE).expect("the backend's connection ends");
    gateway.until("sendoff_undelivered_total{reason=\"left\"}", 1).await;
    let ended = "sendoff_connections_ended_total{environment=\"sandbox\",reason=\"write\"}";
    gateway.until(ended, 1).await;
    is_served(&gateway).await;
}
