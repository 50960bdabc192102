//! Connections to the backend.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use axum::{
    body::{Body, HttpBody as _},
    http::{Request, Response, Uri, Version, header},
};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{
        Client, Error,
        connect::{Connected, Connection, HttpConnector},
    },
    rt::{TokioExecutor, TokioTimer},
};
use tower_service::Service;

use crate::{connection_limits, guarded::observed, head};

/// A client that sends targets and headers byte by byte as given, follows no redirect and uses no proxy.
///
/// It sends a request again only if the connection had ended before the request was written. After the request was written,
/// it is unknown whether the backend carried it out. Therefore a connection must not be used again when the backend is about to
/// close it: if the backend closes an idle connection, no connection is used again for the next minute that has been idle for
/// half that time.
#[derive(Debug)]
pub(crate) struct HttpClient {
    connector: Watching,
    pooled: Pool,
    /// The pool with the shortest idle time so far.
    brief: Mutex<Option<(Duration, Pool)>>,
}

type Pool = Client<Watching, Body>;

/// How long a connection may be idle. Many backends close a connection that idles for 5 s.
const IDLE: Duration = Duration::from_secs(4);

/// How long a shorter idle time is kept. Then the backend may have other limits.
const KEPT: Duration = Duration::from_secs(60);

impl HttpClient {
    /// # Errors
    ///
    /// A sentence if the certificates of this machine cannot be used.
    pub(crate) fn new() -> Result<Self, String> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(Duration::from_secs(5)));
        let tls = HttpsConnectorBuilder::new()
            .with_provider_and_platform_verifier(rustls::crypto::ring::default_provider());
        let tls = tls.map_err(|error| format!("no HTTP client: {error}"))?;
        let connector = Watching {
            connector: tls.https_or_http().enable_http1().wrap_connector(tcp),
            closed: Arc::default(),
        };
        Ok(Self { pooled: pool(&connector, IDLE), connector, brief: Mutex::default() })
    }

    /// Sends a request, and returns the head of the reply, with its body part by part.
    pub(crate) async fn request(&self, request: Request<Body>) -> Result<Response<Body>, Error> {
        let reply = self.pool().request(request).await?;
        // A backend that announces the end closes the connection at once.
        let is_kept = reply.version() == Version::HTTP_11
            && !head::words(reply.headers(), &header::CONNECTION)
                .iter()
                .any(|word| word == "close");
        let mut idle = reply.extensions().get::<Idle>().filter(|_| is_kept).cloned();
        // When the body ends, its connection becomes idle.
        let is_used = move |body: &Body| {
            if body.is_end_stream()
                && let Some(idle) = idle.take()
            {
                idle.set(Some(Instant::now()));
            }
        };
        Ok(reply.map(|body| observed(Body::new(body), is_used)))
    }

    fn pool(&self) -> Pool {
        let Some(idle) = self.connector.closed.idle() else { return self.pooled.clone() };
        let mut brief = self.brief.lock().unwrap_or_else(PoisonError::into_inner);
        match &*brief {
            Some((of, pool)) if *of == idle => pool.clone(),
            _ => brief.insert((idle, pool(&self.connector, idle))).1.clone(),
        }
    }
}

fn pool(connector: &Watching, idle: Duration) -> Pool {
    let mut client = Client::builder(TokioExecutor::new());
    client
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(idle)
        .pool_max_idle_per_host(connection_limits::IDLE_PER_HOST);
    client.build(connector.clone())
}

/// The idle connections that the backend closed.
#[derive(Debug, Default)]
struct Closed(Mutex<Option<(Duration, Instant)>>);

impl Closed {
    /// Records that the backend closed a connection that had been idle for `after`.
    fn record(&self, after: Duration) {
        let mut last = self.last();
        let before = last.filter(|(_, at)| at.elapsed() < KEPT).map_or(IDLE, |(idle, _)| idle);
        *last = Some((before.min(after.checked_div(2).unwrap_or_default()), Instant::now()));
    }

    /// How long connections may be idle, if the backend closed one within the last minute.
    fn idle(&self) -> Option<Duration> {
        self.last().filter(|(_, at)| at.elapsed() < KEPT).map(|(idle, _)| idle)
    }

    fn last(&self) -> MutexGuard<'_, Option<(Duration, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time at which a connection became idle; `None` while it is in use.
#[derive(Clone, Debug, Default)]
struct Idle(Arc<Mutex<Option<Instant>>>);

impl Idle {
    fn set(&self, since: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    fn take(&self) -> Option<Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Connects, and watches when the backend closes idle connections.
#[derive(Clone, Debug)]
struct Watching {
    connector: HttpsConnector<HttpConnector>,
    closed: Arc<Closed>,
}

type Stream = <HttpsConnector<HttpConnector> as Service<Uri>>::Response;

impl Service<Uri> for Watching {
    type Response = Watched;
    type Error = <HttpsConnector<HttpConnector> as Service<Uri>>::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Watched, Self::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.connector.poll_ready(cx)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let (connecting, closed) = (self.connector.call(uri), Arc::clone(&self.closed));
        Box::pin(
            async move { Ok(Watched { stream: connecting.await?, closed, idle: Idle::default() }) },
        )
    }
}

/// A connection to the backend.
struct Watched {
    stream: Stream,
    closed: Arc<Closed>,
    idle: Idle,
}

impl Connection for Watched {
    fn connected(&self) -> Connected {
        self.stream.connected().extra(self.idle.clone())
    }
}

impl Read for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        // Nothing but its end is expected from an idle connection.
        if read.is_ready()
            && let Some(since) = self.idle.take()
        {
            self.closed.record(since.elapsed());
        }
        read
    }
}

impl Write for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.idle.take();
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.idle.take();
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
