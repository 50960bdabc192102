//! One address: its connections are accepted, served and closed.

use std::{
    convert::Infallible,
    io,
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body, extract::Request, response::Response};
use hyper::service::{Service as _, service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use prometheus_client::metrics::gauge::Gauge;
#[cfg(target_os = "linux")]
use socket2::{SockFilter, SockRef};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    time::{Instant, sleep, timeout, timeout_at},
};
use tokio_rustls::TlsAcceptor;

use crate::{
    config::Bounds,
    guarded::guarded,
    metrics::Metrics,
    places::{Place, Places},
    stream::{Overdue, Stream, Wire},
};

/// An address and the router behind it.
pub(crate) struct Listener {
    /// The environment's name, or `admin`.
    pub(crate) name: String,
    pub(crate) tls: Option<TlsAcceptor>,
    pub(crate) router: Router,
    pub(crate) places: Arc<Places>,
    pub(crate) bounds: Bounds,
    pub(crate) metrics: Arc<Metrics>,
    /// The time of the last line of log about refused connections.
    pub(crate) logged: Mutex<Option<Instant>>,
}

/// The phase of a listener, from start to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Connections are accepted and served.
    Serving,
    /// No connection is accepted. Open connections close after their running requests.
    Draining,
    /// All connections are closed.
    Cut,
}

/// The least time between two lines of log about refused connections.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// How long accepting pauses if the process has no file descriptor left.
const NO_DESCRIPTOR: Duration = Duration::from_millis(50);

/// How long a stop waits for connections that are not established yet.
const ESTABLISHED: Duration = Duration::from_millis(250);

/// How long a stop waits for the first request of a connection, which may be on the way.
const FIRST: Duration = Duration::from_millis(250);

/// A connection without a request is closed this much later than hyper's own limit for HTTP/1.
const SLACK: Duration = Duration::from_millis(100);

/// The maximum number of simultaneous HTTP/2 streams on a connection. RFC 9113 recommends at least this many.
const STREAMS: u32 = 100;

/// The maximum number of bytes that an HTTP/2 stream buffers for a caller that does not read.
const STREAM_BYTES: usize = 64 << 10;

impl Listener {
    /// Accepts connections until the phase is `Draining`. Accepted connections continue.
    pub(crate) async fn run(self: Arc<Self>, listener: TcpListener, mut phase: watch::Receiver<Phase>) {
        let stop = phase.clone();
        tokio::select! {
            never = self.accept(&listener, &stop) => match never {},
            _ = phase.wait_for(|phase| *phase >= Phase::Draining) => {}
        }
        // Closing the socket resets the connections that wait to be accepted or are not established yet.
        ignore_new_connections(&listener);
        drop(timeout(ESTABLISHED, self.accept(&listener, &stop)).await);
    }

    async fn accept(self: &Arc<Self>, listener: &TcpListener, phase: &watch::Receiver<Phase>) -> Infallible {
        loop {
            let accepted = listener.accept().await;
            self.accepted(accepted, phase).await;
        }
    }

    async fn accepted(self: &Arc<Self>, accepted: io::Result<(TcpStream, SocketAddr)>, phase: &watch::Receiver<Phase>) {
        match accepted {
            Ok((tcp, address)) => match self.places.take(address.ip()) {
                Ok(place) => {
                    tokio::spawn(Arc::clone(self).serve(tcp, place, phase.clone()));
                }
                Err(full) => self.refuse(full.as_str()),
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

    /// Serves a connection to its end, and counts the end if the gateway caused it.
    async fn serve(self: Arc<Self>, tcp: TcpStream, place: Place, phase: watch::Receiver<Phase>) {
        let _open = Open::new(self.metrics.connections(&self.name));
        let reason = self.served(tcp, place, phase).await;
        if let Some(reason) = reason {
            self.metrics.connection_ended(&self.name, reason);
        }
    }

    async fn served(&self, tcp: TcpStream, place: Place, mut phase: watch::Receiver<Phase>) -> Option<&'static str> {
        // Replies are written whole, so Nagle's algorithm would only delay them.
        let _delayed = tcp.set_nodelay(true);
        let begin = Instant::now().checked_add(self.bounds.head)?;
        let wire = match &self.tls {
            None => Wire::Tcp(tcp),
            Some(tls) => match timeout_at(begin, tls.accept(tcp)).await {
                Ok(Ok(tls)) => Wire::Tls(Box::new(tls)),
                Ok(Err(_)) => return Some("malformed"),
                Err(_) => return Some("begin"),
            },
        };
        let activity = Activity::default();
        let stream = Stream::new(wire, place, begin, self.bounds.write, Arc::clone(&activity.written));
        let overdue = stream.overdue();
        let service = TowerToHyperService::new(self.router.clone());
        let running = activity.clone();
        let service = service_fn(move |request| {
            let running = running.begin();
            let answered = service.call(Request::map(request, Body::new));
            async move {
                let response: Response = answered.await?;
                Ok::<_, Infallible>(response.map(|body| guarded(body, running)))
            }
        });
        let builder = self.builder();
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
        let (mut stop, mut asked) = (phase.clone(), None);
        let mut idle = pin!(activity.is_idle(self.bounds.head.saturating_add(SLACK)));
        let mut drain = pin!(async {
            drop(stop.wait_for(|phase| *phase >= Phase::Draining).await);
            activity.has_begun(FIRST).await;
        });
        // HTTP/2 closes when the caller acknowledges it, which may never happen.
        let mut idle_end = pin!(activity.is_idle(self.bounds.head));
        let mut drain_end = pin!(activity.is_idle(self.bounds.drain.checked_div(2).unwrap_or_default()));
        let ended = loop {
            tokio::select! {
                biased;
                ended = connection.as_mut() => break ended,
                _ = phase.wait_for(|phase| *phase == Phase::Cut) => return Some("drain"),
                () = &mut drain, if asked.is_none() => asked = Some("drain"),
                () = &mut idle, if asked.is_none() => asked = Some("idle"),
                () = &mut idle_end, if asked == Some("idle") => return asked,
                () = &mut drain_end, if asked == Some("drain") => return asked,
            }
            connection.as_mut().graceful_shutdown();
        };
        match (overdue.get(), ended) {
            (Some(Overdue::Begin), _) => Some("begin"),
            (Some(Overdue::Write), _) => Some("write"),
            (None, Ok(())) => asked.filter(|asked| *asked == "idle"),
            (None, Err(error)) => fault(error.as_ref()),
        }
    }

    fn builder(&self) -> Builder<TokioExecutor> {
        let mut builder = Builder::new(TokioExecutor::new());
        let head = self.bounds.head;
        builder.http1().timer(TokioTimer::new()).header_read_timeout(head);
        let mut http2 = builder.http2();
        http2.timer(TokioTimer::new()).keep_alive_interval(head).keep_alive_timeout(head);
        http2.max_concurrent_streams(STREAMS).max_send_buf_size(STREAM_BYTES);
        builder
    }
}

/// The reason why hyper ended a connection; `None` if the caller ended it.
fn fault(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    let error = error.downcast_ref::<hyper::Error>()?;
    match error {
        error if error.is_timeout() => Some("head"),
        error if error.is_parse() => Some("malformed"),
        _ => None,
    }
}

/// Lets the system ignore attempts to connect from now on. Established connections, and those whose attempt was answered, are
/// not affected. The caller's system tries again a second later, and is refused by then. On other systems than Linux, a
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

/// The requests of a connection, and the number of bytes written to it.
#[derive(Clone, Default)]
struct Activity {
    requests: watch::Sender<Requests>,
    /// In bytes, without frames that only keep an HTTP/2 connection alive.
    written: Arc<AtomicU64>,
}

#[derive(Clone, Copy, Default)]
struct Requests {
    running: usize,
    begun: u64,
}

/// A request that runs, until its reply is written or dropped.
struct Running(watch::Sender<Requests>);

impl Activity {
    fn begin(&self) -> Running {
        self.requests.send_modify(|requests| {
            requests.running = requests.running.saturating_add(1);
            requests.begun = requests.begun.saturating_add(1);
        });
        Running(self.requests.clone())
    }

    /// Waits until no request has run and nothing was written for `within`. A request stops running when its reply is in
    /// hyper's buffers.
    async fn is_idle(&self, within: Duration) {
        let mut requests = self.requests.subscribe();
        loop {
            let begun = requests.wait_for(|requests| requests.running == 0).await.map(|requests| requests.begun);
            let (Ok(begun), written) = (begun, self.written.load(Ordering::Relaxed)) else { return };
            let has_begun = timeout(within, requests.wait_for(|requests| requests.begun != begun)).await.is_ok();
            if !has_begun && self.written.load(Ordering::Relaxed) == written {
                return;
            }
        }
    }

    /// Waits for the first request, at most for `within`.
    async fn has_begun(&self, within: Duration) {
        let mut requests = self.requests.subscribe();
        drop(timeout(within, requests.wait_for(|requests| requests.begun > 0)).await);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.send_modify(|requests| requests.running = requests.running.saturating_sub(1));
    }
}
