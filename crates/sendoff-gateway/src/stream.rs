//! A caller's connection: TCP, or TLS on TCP, with limits of time.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    runtime::Handle,
    time::{Instant, Sleep, sleep, sleep_until, timeout},
};
use tokio_rustls::server::TlsStream;

use crate::connection_limits::ConnectionPermit;

/// A connection that ends if its first bytes are late, or if its caller does not read in time.
///
/// The first bytes distinguish HTTP/1 from HTTP/2. hyper's limit for heads starts only after them.
#[derive(Debug)]
pub(crate) struct Stream {
    wire: Option<Wire>,
    permit: Option<ConnectionPermit>,
    unread: usize,
    begin: Option<Pin<Box<Sleep>>>,
    write: Duration,
    unwritten: Option<Pin<Box<Sleep>>>,
    is_shut: bool,
    written: Arc<AtomicU64>,
    overdue: Arc<OnceLock<Overdue>>,
}

#[derive(Debug)]
pub(crate) enum Wire {
    Tcp(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// The limit of time that a connection exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overdue {
    /// Its first bytes did not arrive.
    Begin,
    /// Its caller does not read.
    Write,
}

/// The length of the connection preface of HTTP/2 in bytes (RFC 9113, section 3.4).
const PREFACE: usize = 24;

/// The minimum number of bytes of a write that belongs to a reply. Frames that only keep a connection alive are shorter.
const CONTROL: usize = 64;

/// How long a closed connection is still read. Unread bytes from its caller would reset it, and the end of the last reply
/// could be lost (RFC 9112, section 9.6).
pub(crate) const LINGER: Duration = Duration::from_secs(1);

impl Stream {
    /// A connection whose first bytes must arrive by `begin`, and whose caller must continue to read within `write`. The
    /// number of bytes that it writes is added to `written`.
    pub(crate) fn new(
        wire: Wire,
        permit: ConnectionPermit,
        begin: Instant,
        write: Duration,
        written: Arc<AtomicU64>,
    ) -> Self {
        Self {
            wire: Some(wire),
            permit: Some(permit),
            unread: PREFACE,
            begin: Some(Box::pin(sleep_until(begin))),
            write,
            unwritten: None,
            is_shut: false,
            written,
            overdue: Arc::default(),
        }
    }

    /// The cell that will contain the limit that it exceeded.
    pub(crate) fn overdue(&self) -> Arc<OnceLock<Overdue>> {
        Arc::clone(&self.overdue)
    }

    fn counted(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(length @ CONTROL..)) = written {
            self.written.fetch_add(length.try_into().unwrap_or(u64::MAX), Ordering::Relaxed);
        }
        written
    }

    fn exceeded<T>(&self, bound: Overdue) -> Poll<io::Result<T>> {
        Poll::Ready(Err(match self.overdue.set(bound) {
            Ok(()) | Err(_) => io::ErrorKind::TimedOut.into(),
        }))
    }

    /// Writes, and fails if the write is pending for too long.
    fn write<T>(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(&mut Wire, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let Some(wire) = &mut self.wire else {
            return Poll::Ready(Err(io::ErrorKind::NotConnected.into()));
        };
        let written = write(wire, cx);
        if written.is_ready() {
            self.unwritten = None;
            return written;
        }
        let within = self.write;
        let unwritten = self.unwritten.get_or_insert_with(|| Box::pin(sleep(within)));
        match unwritten.as_mut().poll(cx) {
            Poll::Ready(()) => self.exceeded(Overdue::Write),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = match &mut self.wire {
            Some(Wire::Tcp(tcp)) => Pin::new(tcp).poll_read(cx, buf),
            Some(Wire::Tls(tls)) => Pin::new(tls).poll_read(cx, buf),
            None => return Poll::Ready(Ok(())),
        };

        if read.is_pending()
            && self.begin.as_mut().is_some_and(|begin| begin.as_mut().poll(cx).is_ready())
        {
            return self.exceeded(Overdue::Begin);
        }

        ready!(read)?;
        self.unread = self.unread.saturating_sub(buf.filled().len().saturating_sub(before));

        if self.unread == 0 {
            self.begin = None;
        }

        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        // A reply means that the connection has begun.
        self.begin = None;
        let written = self.write(cx, |wire, cx| match wire {
            Wire::Tcp(tcp) => Pin::new(tcp).poll_write(cx, buf),
            Wire::Tls(tls) => Pin::new(tls).poll_write(cx, buf),
        });
        self.counted(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.begin = None;
        let written = self.write(cx, |wire, cx| match wire {
            Wire::Tcp(tcp) => Pin::new(tcp).poll_write_vectored(cx, bufs),
            Wire::Tls(tls) => Pin::new(tls).poll_write_vectored(cx, bufs),
        });
        self.counted(written)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.write(cx, |wire, cx| match wire {
            Wire::Tcp(tcp) => Pin::new(tcp).poll_flush(cx),
            Wire::Tls(tls) => Pin::new(tls).poll_flush(cx),
        })
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = self.write(cx, |wire, cx| match wire {
            Wire::Tcp(tcp) => Pin::new(tcp).poll_shutdown(cx),
            Wire::Tls(tls) => Pin::new(tls).poll_shutdown(cx),
        });
        self.is_shut = matches!(shut, Poll::Ready(Ok(())));
        shut
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let (Some(wire), Some(permit), true, Ok(runtime)) =
            (self.wire.take(), self.permit.take(), self.is_shut, Handle::try_current())
        else {
            return;
        };

        let tcp = match wire {
            Wire::Tcp(tcp) => tcp,
            Wire::Tls(tls) => tls.into_inner().0,
        };
        runtime.spawn(async move {
            let seat = permit.seat();
            tokio::select! {
                _over = timeout(LINGER, read_on(&tcp)) => {}
                () = seat.has_to_leave() => {}
            }
            drop(permit);
        });
    }
}

/// Reads until the other side closes.
async fn read_on(tcp: &TcpStream) {
    let mut part = [0; 4096];
    while tcp.readable().await.is_ok() {
        match tcp.try_read(&mut part) {
            Ok(1..) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok(0) | Err(_) => return,
        }
    }
}
