//! One address: its connections are accepted, served, and asked to close.

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

/// An address and what is served at it.
pub(crate) struct Listener {
    /// The environment's name, or `admin`.
    pub(crate) name: String,
    pub(crate) tls: Option<TlsAcceptor>,
    pub(crate) router: Router,
    pub(crate) places: Arc<Places>,
    pub(crate) bounds: Bounds,
    pub(crate) metrics: Arc<Metrics>,
    /// When it was last logged that connections are refused.
    pub(crate) told: Mutex<Option<Instant>>,
}

/// How far a stop has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Connections are accepted and served.
    Serving,
    /// No connection is accepted; those that are open close after the requests that they run.
    Draining,
    /// All connections are closed.
    Cut,
}

/// The least time between two lines of log about refused connections.
const TELL: Duration = Duration::from_secs(10);

/// How long accepting rests where the process has no file descriptor left.
const NO_DESCRIPTOR: Duration = Duration::from_millis(50);

/// How long a connection that has sent no request is waited for when the gateway stops: its request may be on the way.
const FIRST: Duration = Duration::from_millis(250);

/// How much later than hyper's own bound on HTTP/1 a connection without a request is asked to close.
const SLACK: Duration = Duration::from_millis(100);

/// The most streams of HTTP/2 at once on one connection, the least that RFC 9113 recommends.
const STREAMS: u32 = 100;

/// The most that one stream of HTTP/2 keeps for a caller who does not read, in bytes.
const STREAM_BYTES: usize = 64 << 10;

impl Listener {
    /// Accepts connections until the phase is `Draining`; those that it accepted go on.
    pub(crate) async fn run(self: Arc<Self>, listener: TcpListener, mut phase: watch::Receiver<Phase>) {
        let stop = phase.clone();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = phase.wait_for(|phase| *phase >= Phase::Draining) => break,
            };
            self.accepted(accepted, &stop).await;
        }
        // Connections that wait to be accepted would be reset.
        let Ok(listener) = listener.into_std() else { return };
        while let Ok((tcp, address)) = listener.accept() {
            let tcp = tcp.set_nonblocking(true).and_then(|()| TcpStream::from_std(tcp));
            self.accepted(tcp.map(|tcp| (tcp, address)), &stop).await;
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
            // The caller went away before it was accepted.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(_) => {
                self.refuse("descriptors");
                sleep(NO_DESCRIPTOR).await;
            }
        }
    }

    /// Counts a connection that is closed at once, and logs that from time to time.
    fn refuse(&self, reason: &'static str) {
        self.metrics.connection_refused(&self.name, reason);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_none_or(|told| told.elapsed() >= TELL) {
            *told = Some(Instant::now());
            tracing::warn!(environment = self.name, reason, "connections are refused");
        }
    }

    /// Serves a connection to its end, and counts that if it was the gateway that ended it.
    async fn serve(self: Arc<Self>, tcp: TcpStream, place: Place, phase: watch::Receiver<Phase>) {
        let _open = Open::new(self.metrics.connections(&self.name));
        let reason = self.served(tcp, place, phase).await;
        if let Some(reason) = reason {
            self.metrics.connection_ended(&self.name, reason);
        }
    }

    async fn served(&self, tcp: TcpStream, place: Place, mut phase: watch::Receiver<Phase>) -> Option<&'static str> {
        // Replies are written whole, so nothing is gained by waiting for more.
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
        // HTTP/2 closes once the other side says that it knows; it may not.
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

/// Why hyper ended a connection, unless its caller did.
fn fault(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    let error = error.downcast_ref::<hyper::Error>()?;
    match error {
        error if error.is_timeout() => Some("head"),
        error if error.is_parse() => Some("malformed"),
        _ => None,
    }
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

/// The requests of a connection, and what was written to it.
#[derive(Clone, Default)]
struct Activity {
    requests: watch::Sender<Requests>,
    /// In bytes, but for frames that only keep a connection of HTTP/2 alive.
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

    /// Waits until no request was running and nothing was written for so long. A reply that is in hyper's buffers runs no more.
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

    /// Waits until there was a request, but only for so long.
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
