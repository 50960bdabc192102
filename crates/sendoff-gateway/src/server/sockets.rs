//! The sockets that listen: inherited from a service manager (systemd's socket activation), or
//! bound by this process.

use std::net::SocketAddr;
use std::{env, io};

use listenfd::ListenFd;
use tokio::net::{TcpListener, TcpSocket};

/// A socket that listens.
pub(crate) struct Listening {
    pub(crate) socket: TcpListener,
    /// The service manager, and later processes, have this socket too. Its options must not change, and connections that
    /// wait in it are theirs.
    pub(crate) is_shared: bool,
}

/// The sockets that this process may use.
pub(crate) struct Sockets {
    /// Each with its name in `LISTEN_FDNAMES`, which is empty without one.
    inherited: Vec<(String, SocketAddr, TcpListener)>,
    /// `true` if another process may listen on the same address.
    reuse_port: bool,
}

/// The maximum number of connections that wait to be accepted. The system lowers it to its own limit.
const BACKLOG: u32 = 4_096;

impl Sockets {
    /// Takes the sockets that the service manager passed to this process (`LISTEN_FDS`, `LISTEN_PID`, `LISTEN_FDNAMES`).
    ///
    /// # Errors
    ///
    /// A sentence about a descriptor that is not a listening TCP socket.
    pub(crate) fn inherited(reuse_port: bool) -> Result<Self, String> {
        let (mut passed, names) =
            (ListenFd::from_env(), env::var("LISTEN_FDNAMES").unwrap_or_default());
        let mut names = names.split(':');
        let mut inherited = Vec::new();
        for index in 0..passed.len() {
            let name = names.next().unwrap_or_default().to_owned();
            let socket = passed.take_tcp_listener(index).and_then(|socket| {
                let socket = socket.ok_or(io::ErrorKind::InvalidInput)?;
                socket.set_nonblocking(true)?;
                Ok((socket.local_addr()?, TcpListener::from_std(socket)?))
            });
            let (address, socket) =
                socket.map_err(|error| format!("the socket {index} of LISTEN_FDS: {error}"))?;
            inherited.push((name, address, socket));
        }
        Ok(Self { inherited, reuse_port })
    }

    /// The socket of an address: the inherited one with its name, or else with its address, or else a new one.
    ///
    /// # Errors
    ///
    /// A sentence if the address cannot be bound.
    pub(crate) fn take(&mut self, name: &str, address: SocketAddr) -> Result<Listening, String> {
        let named = self.inherited.iter().position(|(own, ..)| own == name);
        let found = named.or_else(|| self.inherited.iter().position(|(_, own, _)| *own == address));
        if let Some(index) = found {
            let (_, _, socket) = self.inherited.remove(index);
            return Ok(Listening { socket, is_shared: true });
        }
        let socket = bind(address, self.reuse_port)
            .map_err(|error| format!("cannot listen on {address}: {error}"))?;
        Ok(Listening { socket, is_shared: false })
    }

    /// Checks that each inherited socket was taken. Connections to another one would never be accepted.
    ///
    /// # Errors
    ///
    /// A sentence about a socket without a use.
    pub(crate) fn close(self) -> Result<(), String> {
        let Some((name, address, _)) = self.inherited.first() else { return Ok(()) };
        Err(format!(
            "expected a socket for each address of the file, found `{name}` on {address}, which the file has not"
        ))
    }
}

fn bind(address: SocketAddr, reuse_port: bool) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(reuse_port)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}
