//! Callers that do not mean well. Each does its worst for a while, and is gone.

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
    /// They send a body drop by drop.
    Drip,
    /// They call again and again, and read nothing.
    Deaf,
    /// They open HTTP/2, acknowledge pings, and ask nothing.
    Idle,
    /// They send half a head.
    Half,
    /// They send what is no HTTP.
    Garbage,
    /// They connect, and do nothing.
    Silent,
}

impl Kind {
    pub(crate) const ALL: [Self; 7] =
        [Self::HangUp, Self::Drip, Self::Deaf, Self::Idle, Self::Half, Self::Garbage, Self::Silent];
}

/// An address of this machine that is none of the good callers'.
pub(crate) const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 66);

/// One such caller, for so long. It has its calls' ids from `id` on.
pub(crate) async fn call(kind: Kind, socket: String, token: String, id: String, lasts: Duration) {
    // The gateway may refuse, end or reset its connection at any time; nobody minds.
    let _ended = timeout(lasts, worst(kind, &socket, &token, &id, lasts / 200)).await;
}

/// Its worst; a caller that hangs up does so after `moment`.
async fn worst(kind: Kind, address: &str, token: &str, id: &str, moment: Duration) -> std::io::Result<()> {
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
                stream.write_all(format!("{}{{}}", head(&format!("{id}-{number}"), 2)).as_bytes()).await?;
            }
        }
        Kind::Idle => {
            if let Ok((_send, connection)) = h2::client::handshake(stream).await {
                drop(connection.await);
            }
            return Ok(());
        }
        Kind::Half => stream.write_all(b"POST /api/v1/nft/transfer HTTP/1.1\r\nhost: a\r\nautho").await?,
        Kind::Garbage => stream.write_all(b"\x00\x01 garbage\r\n\r\n").await?,
        Kind::Silent => {}
    }
    while stream.read(&mut [0; 1024]).await? > 0 {}
    Ok(())
}
