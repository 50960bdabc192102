//! One address: its connections are accepted, served and closed.

use std::{
    convert::Infallible,
    io,
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{body::Body, extract::Request, response::Response};
use hyper::{
    body::Incoming,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
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

use crate::{
    activity::{Activity, Streams},
    config::Bounds,
    connection_limits::{ConnectionLimits, ConnectionPermit},
    metrics::Metrics,
    reply,
    slots::Peer,
    state::Live,
    stream::{Overdue, Stream, Wire},
};

/// An address, with the site that the configuration in service has there.
pub(crate) struct Listener {
    /// The environment's name, or `admin`.
    pub(crate) name: String,
    /// Later processes have this socket too.
    pub(crate) is_shared: bool,
    pub(crate) live: Arc<Live>,
    pub(crate) limits: Arc<ConnectionLimits>,
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

/// How long a stop waits for a caller that leaves its replies unread.
const UNREAD: Duration = Duration::from_secs(1);

/// A connection without a request is closed this much later than hyper's own limit for HTTP/1.
const SLACK: Duration = Duration::from_millis(100);

/// The maximum number of simultaneous HTTP/2 streams on a connection. RFC 9113 recommends at least this many.
const STREAMS: usize = 100;

/// The maximum number of bytes that an HTTP/2 stream buffers for a caller that does not read.
const STREAM_BYTES: usize = 64 << 10;

impl Listener {
    /// Accepts connections until the phase is `Draining`. Accepted connections continue.
    pub(crate) async fn run(
        self: Arc<Self>,
        listener: TcpListener,
        mut phase: watch::Receiver<Phase>,
    ) {
        let stop = phase.clone();
        tokio::select! {
            never = self.accept(&listener, &stop) => match never {},
            _ = phase.wait_for(|phase| *phase >= Phase::Draining) => {}
        }
        // The connections that wait in a shared socket are served by the next process.
        if self.is_shared {
            return;
        }
        // Closing the socket resets the connections that wait to be accepted or are not established
        // yet.
        ignore_new_connections(&listener);
        drop(timeout(ESTABLISHED, self.accept(&listener, &stop)).await);
    }

    async fn accept(
        self: &Arc<Self>,
        listener: &TcpListener,
        phase: &watch::Receiver<Phase>,
    ) -> Infallible {
        loop {
            let accepted = listener.accept().await;
            self.accepted(accepted, phase).await;
        }
    }

    async fn accepted(
        self: &Arc<Self>,
        accepted: io::Result<(TcpStream, SocketAddr)>,
        phase: &watch::Receiver<Phase>,
    ) {
        match accepted {
            Ok((tcp, address)) => {
                let address = address.ip();
                let is_proxy = self
                    .live
                    .load()
                    .proxies
                    .as_ref()
                    .is_some_and(|proxies| proxies.contain(address));
                match self.limits.take(address, is_proxy) {
                    Ok(permit) => drop(tokio::spawn(Arc::clone(self).serve(
                        tcp,
                        address,
                        permit,
                        phase.clone(),
                    ))),
                    Err(full) => self.refuse(full.as_str()),
                }
            }
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
    async fn serve(
        self: Arc<Self>,
        tcp: TcpStream,
        address: IpAddr,
        permit: ConnectionPermit,
        phase: watch::Receiver<Phase>,
    ) {
        let _open = Open::new(self.metrics.connections(&self.name));
        let seat = permit.seat();
        let reason = tokio::select! {
            reason = self.served(tcp, address, permit, phase) => reason,
            () = seat.has_to_leave() => Some("crowded"),
        };
        if let Some(reason) = reason {
            self.metrics.connection_ended(&self.name, reason);
        }
    }

    async fn served(
        &self,
        tcp: TcpStream,
        address: IpAddr,
        permit: ConnectionPermit,
        mut phase: watch::Receiver<Phase>,
    ) -> Option<&'static str> {
        // Replies are written whole, so Nagle's algorithm would only delay them.
        let _delayed = tcp.set_nodelay(true);
        let (bounds, tls) = {
            let state = self.live.load();
            (state.bounds.clone(), state.sites.get(&self.name)?.tls.clone())
        };
        let begin = Instant::now().checked_add(bounds.head)?;

        let wire = match tls {
            None => Wire::Tcp(tcp),
            Some(tls) => match timeout_at(begin, tls.acceptor.accept(tcp)).await {
                Ok(Ok(tls)) => Wire::Tls(Box::new(tls)),
                Ok(Err(_)) => return Some("malformed"),
                Err(_) => return Some("begin"),
            },
        };

        let activity = permit.seat().activity.clone();
        let builder = builder(&bounds, &wire, &activity);
        let peer = Peer::new(address, bounds.requests_per_connection);
        let stream = Stream::new(wire, permit, begin, bounds.write, Arc::clone(&activity.written));
        let overdue = stream.overdue();
        let service = service_fn(|request| self.answer(request, &peer, &activity, bounds.write));
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
        let (mut stop, mut asked) = (phase.clone(), None);
        let mut idle = pin!(activity.is_idle(bounds.head.saturating_add(SLACK)));
        let mut unread = pin!(activity.is_unread(bounds.write));

        let mut drain = pin!(async {
            drop(stop.wait_for(|phase| *phase >= Phase::Draining).await);
            activity.has_begun(FIRST).await;
        });
        // HTTP/2 closes when the caller acknowledges it, which may never happen.
        let mut idle_end = pin!(activity.is_idle(bounds.head));
        let mut drain_end = pin!(activity.is_idle(bounds.drain.checked_div(2).unwrap_or_default()));
        let mut unread_end = pin!(activity.is_unread(UNREAD.min(bounds.write)));

        let ended = loop {
            tokio::select! {
                biased;
                ended = connection.as_mut() => break ended,
                _ = phase.wait_for(|phase| *phase == Phase::Cut) => return Some("drain"),
                () = &mut drain, if asked.is_none() => asked = Some("drain"),
                () = &mut idle, if asked.is_none() => asked = Some("idle"),
                () = &mut idle_end, if asked == Some("idle") => return asked,
                () = &mut drain_end, if asked == Some("drain") => return asked,
                () = &mut unread_end, if asked == Some("drain") => return asked,
                () = &mut unread => return Some("write"),
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

    /// Passes a request to the site in service, and its reply to the connection.
    fn answer(
        &self,
        mut request: hyper::Request<Incoming>,
        peer: &Peer,
        activity: &Activity,
        write: Duration,
    ) -> impl Future<Output = Result<Response, Infallible>> + use<> {
        let state = self.live.load();
        let named = state.proxies.as_ref().map(|proxies| peer.behind(proxies, request.headers()));
        request.extensions_mut().insert(named.unwrap_or_else(|| peer.clone()));
        let (activity, method) = (activity.clone(), request.method().clone());
        let lost = (self.name.clone(), Arc::clone(&self.metrics));
        // The set of addresses does not change.
        let router =
            state.sites.get(&self.name).map(|site| site.router.clone()).unwrap_or_default();
        let answered = TowerToHyperService::new(router).call(Request::map(request, Body::new));
        async move {
            let running = activity.begin();
            Ok(reply::on_its_way(answered.await?, &method, running, write, lost))
        }
    }
}

/// HTTP as the handshake of TLS chose it; without TLS, as the caller begins.
fn builder(bounds: &Bounds, wire: &Wire, activity: &Activity) -> Builder<Streams> {
    let Bounds { head, head_bytes, write, requests_per_connection, .. } = *bounds;
    let mut builder = Builder::new(Streams { activity: activity.clone(), unread: write });
    builder.http1().timer(TokioTimer::new()).header_read_timeout(head).max_buf_size(head_bytes);
    let streams = u32::try_from(requests_per_connection.min(STREAMS)).unwrap_or(u32::MAX);
    let mut http2 = builder.http2();
    http2.timer(TokioTimer::new()).keep_alive_interval(head).keep_alive_timeout(head);
    http2.max_concurrent_streams(streams).max_send_buf_size(STREAM_BYTES);
    http2.max_header_list_size(u32::try_from(head_bytes).unwrap_or(u32::MAX));
    match wire {
        Wire::Tcp(_) => builder,
        Wire::Tls(tls) if tls.get_ref().1.alpn_protocol() == Some(b"h2") => builder.http2_only(),
        Wire::Tls(_) => builder.http1_only(),
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
