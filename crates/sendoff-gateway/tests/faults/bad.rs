//! Faulty callers. Each misbehaves in one way for a while.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::{sleep, timeout},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// They call, and hang up before the reply.
    HangUp,
    /// They send a body byte by byte.
    Drip,
    /// They send calls without end, and read nothing.
    Deaf,
    /// They open HTTP/2, acknowledge pings, and send no request.
    Idle,
    /// They send half a head.
    Half,
    /// They send invalid HTTP.
    Garbage,
    /// They connect, and send nothing.
    Silent,
}

impl Kind {
    pub(crate) const ALL: [Self; 7] =
        [Self::HangUp, Self::Drip, Self::Deaf, Self::Idle, Self::Half, Self::Garbage, Self::Silent];
}

/// An address of this machine that good callers do not use.
pub(crate) const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 66);

/// Runs one faulty caller for `lasts`. The ids of its calls begin with `id`.
pub(crate) async fn call(kind: Kind, socket: String, token: String, id: String, lasts: Duration) {
    // The gateway may refuse, end or reset the connection at any time.
    let _ended = timeout(lasts, misbehave(kind, &socket, &token, &id, lasts / 200)).await;
}

/// Misbehaves until the connection ends. A caller that hangs up does so after `moment`.
async fn misbehave(
    kind: Kind,
    address: &str,
    token: &str,
    id: &str,
    moment: Duration,
) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((ADDRESS, 0)))?;
    let mut stream: TcpStream = socket.connect(address.parse().expect("an address")).await?;
    let head = |id: &str, length: usize| {
        format!(
            "POST /api/v1/nft/transfer HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\nx-request-id: {id}\r\ncontent-length: {length}\r\n\r\n"
        )
    };
    match kind {
        Kind::HangUp => {
            stream.write_all(format!("{}{{}}", head(id, 2)).as_bytes()).await?;
            sleep(moment).await;
            return Ok(());
        }
        Kind::Drip => {
            stream.write_all(head(id, 1_000).as_bytes()).await?;
            loop {
                stream.write_all(b"a").await?;
                sleep(Duration::from_millis(50)).await;
            }
        }
        Kind::Deaf => {
            for number in 0_u64.. {
                stream
                    .write_all(format!("{}{{}}", head(&format!("{id}-{number}"), 2)).as_bytes())
                    .await?;
            }
        }
        Kind::Idle => {
            if let Ok((_send, connection)) = h2::client::handshake(stream).await {
                drop(connection.await);
            }
            return Ok(());
        }
        Kind::Half => {
            stream.write_all(b"POST /api/v1/nft/transfer HTTP/1.1\r\nhost: a\r\nautho").await?
        }
        Kind::Garbage => stream.write_all(b"\x00\x01 garbage\r\n\r\n").await?,
        Kind::Silent => {}
    }
    while stream.read(&mut [0; 1024]).await? > 0 {}
    Ok(())
}
