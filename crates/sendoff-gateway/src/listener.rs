//! One address: its connections are accepted and served, with the limits that hyper has.

use std::{
    convert::Infallible,
    error::Error,
    io,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{body::Body, extract::Request, response::Response};
use hyper::{
    body::Incoming,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{
        conn::auto::Builder,
        graceful::{GracefulShutdown, Watcher},
    },
    service::TowerToHyperService,
};
use prometheus_client::metrics::gauge::Gauge;
#[cfg(target_os = "linux")]
use socket2::{SockFilter, SockRef};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    time::{Instant, sleep, timeout},
};
use tokio_io_timeout::TimeoutStream;

use crate::{config::Bounds, metrics::Metrics, slots::Peer, state::State};

/// An address, with the site that the configuration in service has there.
pub(crate) struct Listener {
    /// The environment's name, or `admin`.
    pub(crate) name: String,
    /// Later processes have this socket too.
    pub(crate) is_shared: bool,
    pub(crate) state: Arc<State>,
    /// A permit for each connection.
    pub(crate) places: Arc<Semaphore>,
    pub(crate) metrics: Arc<Metrics>,
    /// Becomes `true` when the process stops.
    pub(crate) stop: watch::Receiver<bool>,
    /// The time of the last line of log about refused connections.
    pub(crate) logged: Mutex<Option<Instant>>,
}

/// The least time between two lines of log about refused connections.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// How long accepting pauses if the process has no file descriptor left.
const NO_DESCRIPTOR: Duration = Duration::from_millis(50);

/// How long a stop waits for connections that are not established yet.
const ESTABLISHED: Duration = Duration::from_millis(250);

/// How long a stop waits for the first request of a connection, which may be on the way.
const FIRST: Duration = Duration::from_millis(250);

/// The maximum number of simultaneous HTTP/2 streams on a connection. RFC 9113 recommends at least this many.
const STREAMS: u32 = 100;

/// The maximum number of bytes that an HTTP/2 stream buffers for a caller that does not read.
const STREAM_BYTES: usize = 64 << 10;

/// The connection preface of HTTP/2 (RFC 9113, section 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

impl Listener {
    /// Accepts connections until the process stops, and returns when all of them have ended.
    pub(crate) async fn run(self: Arc<Self>, listener: TcpListener) {
        let (graceful, mut stop) = (GracefulShutdown::new(), self.stop.clone());
        tokio::select! {
            never = self.accept(&listener, &graceful) => match never {},
            _ = stop.wait_for(|stops| *stops) => {}
        }
        // The connections that wait in a shared socket are served by the next process. Closing another socket would reset those
        // that wait to be accepted or are not established yet.
        if !self.is_shared {
            ignore_new_connections(&listener);
            drop(timeout(ESTABLISHED, self.accept(&listener, &graceful)).await);
        }
        drop(listener);
        sleep(FIRST).await;
        graceful.shutdown().await;
    }

    async fn accept(
        self: &Arc<Self>,
        listener: &TcpListener,
        graceful: &GracefulShutdown,
    ) -> Infallible {
        loop {
            self.accepted(listener.accept().await, graceful).await;
        }
    }

    async fn accepted(
        self: &Arc<Self>,
        accepted: io::Result<(TcpStream, SocketAddr)>,
        graceful: &GracefulShutdown,
    ) {
        match accepted {
            Ok((tcp, address)) => match Arc::clone(&self.places).try_acquire_owned() {
                Ok(place) => {
                    let (listener, watcher) = (Arc::clone(self), graceful.watcher());
                    tokio::spawn(async move {
                        let _open = Open::new(listener.metrics.connections(&listener.name));
                        if let Err(reason) = listener.serve(tcp, address.ip(), watcher).await {
                            listener.metrics.connection_ended(&listener.name, reason);
                        }
                        drop(place);
                    });
                }
                Err(_) => self.refuse("total"),
            },
            // The caller closed the connection before it was accepted.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(_) => {
                self.refuse("descriptors");
                sleep(NO_DESCRIPTOR).await;
            }
        }
    }

    /// Counts a connection that is closed at once, and logs it at most once per [`LOG_INTERVAL`].
    fn refuse(&self, reason: &'static str) {
        self.metrics.connection_refused(&self.name, reason);
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.is_none_or(|logged| logged.elapsed() >= LOG_INTERVAL) {
            *logged = Some(Instant::now());
            tracing::warn!(environment = self.name, reason, "connections are refused");
        }
    }

    /// Serves a connection to its end.
    ///
    /// # Errors
    ///
    /// The reason if the gateway ended it.
    async fn serve(
        &self,
        tcp: TcpStream,
        address: IpAddr,
        watcher: Watcher,
    ) -> Result<(), &'static str> {
        // Replies are written whole, so Nagle's algorithm would only delay them.
        let _delayed = tcp.set_nodelay(true);
        let bounds = &self.state.bounds;
        let tls = self.state.sites.get(&self.name).and_then(|site| site.tls.as_ref());
        match tls {
            None => {
                let is_http_2 = self.begun(bounds.head, begins_as_http_2(&tcp)).await?;
                let is_http_2 = is_http_2.unwrap_or_default();
                self.speak(tcp, is_http_2, address, bounds, watcher).await
            }
            Some(tls) => {
                let tls = self.begun(bounds.head, tls.acceptor.accept(tcp)).await?;
                let tls = tls.map_err(|_| "malformed")?;
                let is_http_2 = tls.get_ref().1.alpn_protocol() == Some(b"h2");
                self.speak(tls, is_http_2, address, bounds, watcher).await
            }
        }
    }

    /// What a connection begins with. A connection without a byte does not delay a stop.
    async fn begun<T>(
        &self,
        head: Duration,
        begin: impl Future<Output = T>,
    ) -> Result<T, &'static str> {
        let mut stop = self.stop.clone();
        let stopped = async {
            drop(stop.wait_for(|stops| *stops).await);
            sleep(FIRST).await;
        };
        tokio::select! {
            begun = timeout(head, begin) => begun.map_err(|_| "head"),
            () = stopped => Err("drain"),
        }
    }

    async fn speak(
        &self,
        stream: impl AsyncRead + AsyncWrite + Send + 'static,
        is_http_2: bool,
        address: IpAddr,
        bounds: &Bounds,
        watcher: Watcher,
    ) -> Result<(), &'static str> {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(bounds.write));
        let builder = builder(bounds, is_http_2);
        let service = service_fn(|request| self.answer(request, Peer::new(address)));
        let served = builder.serve_connection(TokioIo::new(Box::pin(stream)), service);
        watcher.watch(served).await.or_else(|error| fault(error.as_ref()))
    }

    /// Passes a request to the site in service.
    fn answer(
        &self,
        mut request: hyper::Request<Incoming>,
        peer: Peer,
    ) -> impl Future<Output = Result<Response, Infallible>> + use<> {
        let state = &self.state;
        let proxies = state.proxies.as_ref();
        let peer = proxies.map_or(peer, |proxies| peer.behind(proxies, request.headers()));
        request.extensions_mut().insert(peer);
        let router =
            state.sites.get(&self.name).map(|site| site.router.clone()).unwrap_or_default();
        TowerToHyperService::new(router).call(Request::map(request, Body::new))
    }
}

/// Whether a connection without TLS begins as HTTP/2. hyper's limit for heads starts only when that is known.
async fn begins_as_http_2(tcp: &TcpStream) -> io::Result<bool> {
    let mut begin = [0; PREFACE.len()];
    loop {
        let length = tcp.peek(&mut begin).await?;
        let is_like = begin.iter().zip(PREFACE).take(length).all(|(found, byte)| found == byte);
        if length == 0 || length == PREFACE.len() || !is_like {
            return Ok(length > 0 && is_like);
        }
        sleep(Duration::from_millis(10)).await;
    }
}

fn builder(bounds: &Bounds, is_http_2: bool) -> Builder<TokioExecutor> {
    let Bounds { head, head_bytes, .. } = *bounds;
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(head).max_buf_size(head_bytes);
    let mut http2 = builder.http2();
    http2.timer(TokioTimer::new()).keep_alive_interval(head).keep_alive_timeout(head);
    http2.max_concurrent_streams(STREAMS).max_send_buf_size(STREAM_BYTES);
    http2.max_header_list_size(u32::try_from(head_bytes).unwrap_or(u32::MAX));
    if is_http_2 { builder.http2_only() } else { builder.http1_only() }
}

/// The reason why the gateway ended a connection; the caller ended it otherwise.
fn fault(error: &(dyn Error + 'static)) -> Result<(), &'static str> {
    let mut causes = std::iter::successors(Some(error), |error| (*error).source());
    let of_http = error.downcast_ref::<hyper::Error>();
    let is_late = causes.any(|cause| {
        let error = cause.downcast_ref::<io::Error>();
        error.is_some_and(|error| error.kind() == io::ErrorKind::TimedOut)
    });
    match of_http {
        Some(error) if error.is_timeout() => Err("head"),
        Some(error) if error.is_parse() => Err("malformed"),
        _ if is_late => Err("write"),
        _ => Ok(()),
    }
}

/// Lets the system ignore attempts to connect from now on, so that none is lost where another process takes over the address. A
/// caller's system tries again a second later. Established connections are not affected. On other systems than Linux, a
/// connection can be reset that is established just before the address closes.
fn ignore_new_connections(listener: &TcpListener) {
    #[cfg(target_os = "linux")]
    {
        /// Classic BPF on a TCP segment: its flags are byte 13 (RFC 9293, 3.1), and only the first segment of a connection
        /// has SYN (2) without ACK (16). A filter returns the number of bytes to keep.
        const FILTER: [SockFilter; 5] = [
            SockFilter::new(0x30, 0, 0, 13),       // load the byte at 13
            SockFilter::new(0x54, 0, 0, 2 | 16),   // and these bits
            SockFilter::new(0x15, 0, 1, 2),        // unless they are SYN alone, skip one
            SockFilter::new(0x06, 0, 0, 0),        // return 0
            SockFilter::new(0x06, 0, 0, u32::MAX), // return all
        ];
        if let Err(error) = SockRef::from(listener).attach_filter(&FILTER) {
            tracing::debug!(%error, "new connections cannot be ignored");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = listener;
}

/// An open connection in its gauge.
struct Open(Gauge);

impl Open {
    fn new(gauge: Gauge) -> Self {
        gauge.inc();
        Self(gauge)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.dec();
    }
}
