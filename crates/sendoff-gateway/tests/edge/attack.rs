//! Attackers at many addresses of this machine.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::http::Request;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    task::JoinSet,
    time::sleep,
};
use tokio_rustls::TlsConnector;

use super::connect_from;

/// The number of attackers who are users. The good caller is the next one.
pub(crate) const USERS: usize = 40;

/// The number of connections without a user, each from an address of its own.
const STRANGERS: usize = 600;

pub(crate) fn token(user: usize) -> String {
    format!("token-of-user-{user}")
}

/// What is attacked. Without TLS, HTTP/2 is spoken on the plain address.
pub(crate) struct Target {
    pub(crate) plain: SocketAddr,
    pub(crate) tls: Option<(SocketAddr, rcgen::Certificate)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Attack {
    /// Connections without a byte.
    Silent,
    /// Connections with half a head.
    HalfHeads,
    /// Bodies that trickle.
    SlowBodies,
    /// Requests whose long replies are not read.
    Unread,
    /// HTTP/2 streams without a window for their replies.
    NoWindow,
}

/// An attack that goes on.
pub(crate) struct Held(JoinSet<()>);

impl Held {
    pub(crate) fn shutdown(mut self) {
        self.0.abort_all();
    }
}

impl Attack {
    pub(crate) const ALL: [Self; 5] =
        [Self::Silent, Self::HalfHeads, Self::SlowBodies, Self::Unread, Self::NoWindow];

    pub(crate) async fn begin(self, target: &Target) -> Held {
        let mut held = JoinSet::new();
        let (plain, is_stranger) = (target.plain, matches!(self, Self::Silent | Self::HalfHeads));
        for number in 0..if is_stranger { STRANGERS } else { USERS } {
            let [high, low] = u16::try_from(number).expect("few").to_be_bytes();
            let from = Ipv4Addr::new(127, 1, high, low);
            let tls = target.tls.clone();
            held.spawn(async move {
                // nginx or the gateway may end any of them at any time.
                let _ended = self.attack(from, plain, tls, &token(number)).await;
                sleep(Duration::from_secs(60)).await;
            });
        }
        Held(held)
    }

    async fn attack(
        self,
        from: Ipv4Addr,
        plain: SocketAddr,
        tls: Option<(SocketAddr, rcgen::Certificate)>,
        token: &str,
    ) -> std::io::Result<()> {
        if let (Self::NoWindow, Some((address, certificate))) = (self, tls) {
            let stream = connect_from(from, address).await?;
            let mut trusted = RootCertStore::empty();
            trusted.add(certificate.der().clone()).expect("a certificate");
            let mut tls =
                ClientConfig::builder().with_root_certificates(trusted).with_no_client_auth();
            tls.alpn_protocols = vec![b"h2".to_vec()];
            let name = ServerName::try_from("localhost").expect("a name");
            let stream = TlsConnector::from(Arc::new(tls)).connect(name, stream).await?;
            return without_window(stream, token).await;
        }

        let mut stream = connect_from(from, plain).await?;
        let head = |method: &str, length: usize| {
            format!(
                "{method} /api/v1/nft/transfer HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\ncontent-length: {length}\r\n\r\n"
            )
        };
        match self {
            Self::Silent => {}
            Self::HalfHeads => stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\nauthor").await?,
            Self::SlowBodies => {
                stream.write_all(head("POST", 1_000).as_bytes()).await?;
                loop {
                    stream.write_all(b"a").await?;
                    sleep(Duration::from_millis(200)).await;
                }
            }
            Self::Unread => {
                stream.write_all((head("POST", 2) + "{}").as_bytes()).await?;
                sleep(Duration::from_secs(60)).await;
            }
            Self::NoWindow => return without_window(stream, token).await,
        }
        while stream.read(&mut [0; 1_024]).await? > 0 {}
        Ok(())
    }
}

/// Sends requests, and gives their replies no window.
async fn without_window(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    token: &str,
) -> std::io::Result<()> {
    let mut builder = h2::client::Builder::new();
    builder.initial_window_size(0);
    let error = std::io::Error::other::<h2::Error>;
    let (send, connection) =
        builder.handshake::<_, axum::body::Bytes>(stream).await.map_err(error)?;
    let mut replies = Vec::new();
    let calls = async {
        let mut send = send;
        for _ in 0..2 {
            let request = Request::post("https://localhost/api/v1/nft/transfer")
                .header("authorization", format!("Bearer {token}"))
                .body(())
                .expect("a request");
            send = send.ready().await.map_err(error)?;
            replies.push(send.send_request(request, true).map_err(error)?);
        }
        sleep(Duration::from_secs(60)).await;
        Ok(())
    };
    tokio::select! {
        ended = connection => ended.map_err(error),
        called = calls => called,
    }
}
