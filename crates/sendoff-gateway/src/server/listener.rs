//! One address: its connections are accepted and served, with the limits that hyper has.

use std::convert::Infallible;
use std::error::Error;
use std::future::pending;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::config::{Bounds, Config};
use crate::message::forwarded::Peer;
use crate::observe::metrics::METRICS;
use crate::server::sites::Site;

/// An address, and what is served there.
pub(crate) struct Listener {
    /// Later processes have this socket too.
    pub(crate) is_shared: bool,
    pub(crate) site: Site,
    pub(crate) config: Config,
    /// A permit for each connection.
    pub(crate) places: Arc<Semaphore>,
    /// Becomes `true` when the process stops.
    pub(crate) stop: watch::Receiver<bool>,
}

/// How long accepting pauses if the process has no file descriptor left.
const NO_DESCRIPTOR: Duration = Duration::from_millis(50);

/// How long a stop takes connections that wait to be accepted.
const ACCEPTED: Duration = Duration::from_millis(50);

/// How long a stop waits for the first request of a connection, which may be on the way.
const FIRST: Duration = Duration::from_millis(250);

/// The maximum number of simultaneous HTTP/2 streams on a connection. RFC 9113 recommends at least this many.
const STREAMS: u32 = 100;

/// The maximum number of bytes that an HTTP/2 stream buffers for a caller that does not read.
const STREAM_BYTES: usize = 64 << 10;

impl Listener {
    /// Accepts connections until the process stops, and returns when all of them have ended.
    pub(crate) async fn run(self: Arc<Self>, listener: TcpListener) {
        let (graceful, mut stop) = (GracefulShutdown::new(), self.stop.clone());
        tokio::select! {
            never = self.accept(&listener, &graceful) => match never {},
            _ = stop.wait_for(|stops| *stops) => {}
        }
        // The connections that wait in a shared socket are served by the next process. Closing another socket would reset them.
        if !self.is_shared {
            drop(timeout(ACCEPTED, self.accept(&listener, &graceful)).await);
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
            match listener.accept().await {
                Ok((tcp, address)) => self.begin(tcp, address.ip(), graceful.watcher()),
                // The caller closed the connection before it was accepted.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(_) => {
                    METRICS.connections_refused.with([&self.site.name, "descriptors"]).inc();
                    sleep(NO_DESCRIPTOR).await;
                }
            }
        }
    }

    /// Starts to serve a connection, if there is a place for it.
    fn begin(self: &Arc<Self>, tcp: TcpStream, end: IpAddr, watcher: Watcher) {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            METRICS.connections_refused.with([&self.site.name, "total"]).inc();
            return;
        };
        let listener = Arc::clone(self);
        tokio::spawn(async move {
            let _held = place;
            let name = &listener.site.name;
            METRICS.connections.with([name]).inc();
            if let Err(reason) = listener.serve(tcp, end, watcher).await {
                METRICS.connections_ended.with([name, reason]).inc();
            }
            METRICS.connections.with([name]).dec();
        });
    }

    /// Serves a connection to its end.
    ///
    /// # Errors
    ///
    /// The reason if the gateway ended it.
    async fn serve(
        &self,
        tcp: TcpStream,
        end: IpAddr,
        watcher: Watcher,
    ) -> Result<(), &'static str> {
        // Replies are written whole, so Nagle's algorithm would only delay them.
        let _delayed = tcp.set_nodelay(true);
        match &self.site.tls {
            None => self.speak(tcp, end, watcher).await,
            Some(tls) => {
                let mut stop = self.stop.clone();
                let tls = tokio::select! {
                    tls = timeout(self.config.bounds.head, tls.acceptor.accept(tcp)) => tls,
                    // Half a handshake does not delay a stop.
                    _ = async { drop(stop.wait_for(|stops| *stops).await); sleep(FIRST).await } => {
                        return Err("drain");
                    }
                };
                let tls = tls.map_err(|_| "head")?.map_err(|_| "malformed")?;
                self.speak(tls, end, watcher).await
            }
        }
    }

    /// Serves HTTP on a connection. The first request has to come within the limit for heads; hyper limits the others.
    async fn speak(
        &self,
        stream: impl AsyncRead + AsyncWrite + Send + 'static,
        end: IpAddr,
        watcher: Watcher,
    ) -> Result<(), &'static str> {
        let Bounds { head, head_bytes, write, .. } = self.config.bounds;
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(write));
        let first = Notify::new();
        let service = service_fn(|request| {
            first.notify_one();
            self.answer(request, end)
        });
        let mut builder = Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(head).max_buf_size(head_bytes);
        let mut http2 = builder.http2();
        http2.timer(TokioTimer::new()).keep_alive_interval(head).keep_alive_timeout(head);
        http2.max_concurrent_streams(STREAMS).max_send_buf_size(STREAM_BYTES);
        http2.max_header_list_size(u32::try_from(head_bytes).unwrap_or(u32::MAX));
        let served = builder.serve_connection(TokioIo::new(Box::pin(stream)), service);
        let silent = async {
            if timeout(head, first.notified()).await.is_ok() {
                pending().await
            }
        };
        tokio::select! {
            served = watcher.watch(served) => served.or_else(|error| fault(error.as_ref())),
            () = silent => Err("head"),
        }
    }

    /// Passes a request on.
    fn answer(
        &self,
        mut request: hyper::Request<Incoming>,
        end: IpAddr,
    ) -> impl Future<Output = Result<Response, Infallible>> + use<> {
        let peer = Peer::new(end, self.config.proxies.as_ref(), request.headers());
        request.extensions_mut().insert(peer);
        let router = TowerToHyperService::new(self.site.router.clone());
        router.call(Request::map(request, Body::new))
    }
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
