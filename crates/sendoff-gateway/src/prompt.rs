//! Connections that begin in time.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum_server::accept::Accept;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until, timeout_at},
};

/// An acceptor of connections that have so long for their handshake and their first bytes.
///
/// Those bytes tell HTTP/1 from HTTP/2. Whoever serves them waits for them without end, and only then bounds heads.
#[derive(Clone, Debug)]
pub(crate) struct PromptAcceptor<A> {
    pub(crate) inner: A,
    pub(crate) within: Duration,
}

impl<A, I, S> Accept<I, S> for PromptAcceptor<A>
where
    A: Accept<I, S, Future: Send + 'static>,
{
    type Stream = Prompt<A::Stream>;
    type Service = A::Service;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Self::Stream, Self::Service)>> + Send>>;

    fn accept(&self, stream: I, service: S) -> Self::Future {
        let accepted = self.inner.accept(stream, service);
        let deadline = Instant::now().checked_add(self.within);
        Box::pin(async move {
            let Some(deadline) = deadline else { return Err(io::ErrorKind::TimedOut.into()) };
            let (stream, service) = timeout_at(deadline, accepted).await??;
            Ok((Prompt { stream, unread: PREFACE, deadline: Some(Box::pin(sleep_until(deadline))) }, service))
        })
    }
}

/// The length of what a connection of HTTP/2 begins with, in bytes (RFC 9113, section 3.4).
const PREFACE: usize = 24;

/// A connection that ends where it does not begin in time.
#[derive(Debug)]
pub(crate) struct Prompt<I> {
    stream: I,
    unread: usize,
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<I: AsyncRead + Unpin> AsyncRead for Prompt<I> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if read.is_pending() && self.deadline.as_mut().is_some_and(|deadline| deadline.as_mut().poll(cx).is_ready()) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        ready!(read)?;
        self.unread = self.unread.saturating_sub(buf.filled().len().saturating_sub(before));
        if self.unread == 0 {
            self.deadline = None;
        }
        Poll::Ready(Ok(()))
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Prompt<I> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        // What is answered has begun.
        self.deadline = None;
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.deadline = None;
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
