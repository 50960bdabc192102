//! Connections from addresses of their own, and those of HTTP/2.

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

use super::prelude::*;

/// A connection from one of this machine's own addresses, 127.0.0.0/8, which reads little at once.
pub(crate) async fn connect_from(
    from: impl Into<Ipv4Addr>,
    to: &str,
) -> std::io::Result<tokio::net::TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(4 << 10)?;
    socket.bind(SocketAddr::from((from.into(), 0)))?;
    socket.connect(to.parse().expect("an address")).await
}

/// A connection of HTTP/2, which acknowledges pings.
pub(crate) struct Http2 {
    send: SendRequest<Bytes>,
    connection: JoinHandle<()>,
}

impl Http2 {
    /// Without TLS.
    pub(crate) async fn to(gateway: &Gateway) -> Self {
        Self::on(connect_from([127, 0, 0, 1], gateway.socket()).await.expect("a place")).await
    }

    pub(crate) async fn on(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        let (send, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
        Self { send, connection: tokio::spawn(async move { drop(connection.await) }) }
    }

    /// Sends the head of a request of the user of `shop`, and all of it if it has no body.
    pub(crate) async fn send(
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
    pub(crate) async fn get(&self, url: String, (name, value): (&str, &str)) -> u16 {
        let (reply, _) = self.send(Request::get(url).header(name, value), false).await;
        reply.await.expect("a reply").status().as_u16()
    }

    /// Ends the connection.
    pub(crate) fn end(self) {
        self.connection.abort();
    }
}

pub(crate) async fn is_served(gateway: &Gateway) {
    assert_eq!(gateway.get(NETWORKS).await.status, 200);
    assert_eq!(gateway.ask("/health").await, "alive\n");
}
