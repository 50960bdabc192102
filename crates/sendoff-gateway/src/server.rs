//! Listening, and stopping without losing anybody.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    extract::Request,
    handler::HandlerWithoutStateExt as _,
    http::{StatusCode, Uri},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use axum_server::{
    Handle, Server,
    accept::DefaultAcceptor,
    tls_rustls::{RustlsAcceptor, RustlsConfig},
};
use hyper_util::rt::TokioTimer;
use tower_http::services::ServeDir;

use crate::{
    bundler::Bundler,
    callers::Callers,
    config::{Bounds, Config, Environment, Store},
    gateway::Gateway,
    limits::Limits,
    metrics::Metrics,
    prompt::PromptAcceptor,
    redis::Redis,
    upstream::Upstream,
};

/// How long the gateway goes on listening after it was told to stop, each reply its connection's last: whoever sends it
/// requests moves away, and none is cut off between two.
const FAREWELL: Duration = Duration::from_millis(500);

/// Serves all environments of a configuration until `stop` comes.
///
/// # Errors
///
/// A sentence about an address, a certificate or a store that cannot be used.
pub async fn serve(config: Config, stop: impl Future<Output = ()>) -> Result<(), String> {
    // Another library of this program may have chosen already, and then so it is.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    let (metrics, is_draining) = (Arc::new(Metrics::new()), Arc::new(AtomicBool::new(false)));
    let client = client()?;
    let mut gateways = Vec::new();
    let mut servers = Vec::new();
    // Every address is taken before anybody is served: half a gateway is none.
    for environment in config.environments {
        let listener = listen(environment.listen)?;
        let (name, playground) = (environment.name.clone(), environment.playground.clone());
        let tls = match &environment.tls {
            Some((certificate, key)) => Some(
                RustlsConfig::from_pem_file(certificate, key)
                    .await
                    .map_err(|error| format!("{} and {}: {error}", certificate.display(), key.display()))?,
            ),
            None => None,
        };
        let gateway =
            gateway(environment, &config.store, &config.bounds, &client, &metrics, &is_draining).map(Arc::new)?;
        gateways.push(Arc::clone(&gateway));
        servers.push((name, listener, tls, router(gateway, playground.as_deref())));
    }
    if let Some(address) = config.admin {
        let router = admin(gateways, Arc::clone(&metrics), Arc::clone(&is_draining));
        servers.push(("admin".into(), listen(address)?, None, router));
    }
    let handle = Handle::new();
    let mut running = tokio::task::JoinSet::new();
    for (name, listener, tls, router) in servers {
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        // A person and a test read it alike.
        println!("{name} {scheme}://{address}");
        running.spawn(run(listener, tls, router, config.bounds.clone(), handle.clone()));
    }
    tokio::select! {
        () = stop => {}
        Some(ended) = running.join_next() => {
            return Err(format!("a server ended: {ended:?}"));
        }
    }
    tracing::info!("stopping: connections are asked to close");
    is_draining.store(true, Ordering::Relaxed);
    tokio::time::sleep(FAREWELL).await;
    handle.graceful_shutdown(Some(config.bounds.drain));
    while running.join_next().await.is_some() {}
    tracing::info!("stopped");
    Ok(())
}

/// The client for backend and bundler. It follows nobody elsewhere, and asks nobody else on the way.
fn client() -> Result<reqwest::Client, String> {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy();
    // A backend in Node closes a connection that idles for 5 s: a call that is sent at that moment would be lost.
    let client = client.connect_timeout(Duration::from_secs(5)).pool_idle_timeout(Duration::from_secs(4));
    client.build().map_err(|error| format!("no HTTP client: {error}"))
}

fn listen(address: SocketAddr) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(address).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    listener.map_err(|error| format!("{address} cannot be listened at: {error}"))
}

fn gateway(
    environment: Environment,
    store: &Store,
    bounds: &Bounds,
    client: &reqwest::Client,
    metrics: &Arc<Metrics>,
    is_draining: &Arc<AtomicBool>,
) -> Result<Gateway, String> {
    let limits = match (environment.policy, store) {
        (None, _) => None,
        (Some(policy), Store::Memory) => Some(Limits::in_memory(policy)),
        (Some(policy), Store::Redis(store)) => {
            let redis = Redis::new(store).map_err(|error| format!("the store cannot be used: {error}"))?;
            let limits = Limits::shared(policy, &environment.name, store, redis);
            Some(limits.map_err(|error| error.to_string())?)
        }
    };
    Ok(Gateway {
        callers: Callers::new(environment.applications),
        deployment: environment.deployment,
        limits,
        rate_limit_fields: environment.rate_limit_fields,
        bundler: environment.bundler.map(|bundler| Bundler::new(bundler, client.clone(), Arc::clone(metrics))),
        upstream: environment.upstream.map(|upstream| Upstream::new(upstream, client.clone())),
        bounds: bounds.clone(),
        metrics: Arc::clone(metrics),
        is_draining: Arc::clone(is_draining),
        environment: environment.name,
    })
}

/// Where the playground is served.
const PLAYGROUND: &str = "/playground/";

fn router(gateway: Arc<Gateway>, playground: Option<&std::path::Path>) -> Router {
    let api = move |request: Request| {
        let gateway = Arc::clone(&gateway);
        async move { gateway.serve(request).await }
    };
    let router = match playground {
        Some(folder) => {
            // Here the prefix is cut off; what is left must not be taken for an operation's path.
            let absent = api.clone();
            let absent = move |mut request: Request| {
                *request.uri_mut() = Uri::from_static(PLAYGROUND);
                absent(request)
            };
            let files = ServeDir::new(folder).call_fallback_on_method_not_allowed(true);
            Router::new()
                .route("/playground", get(|| async { Redirect::permanent(PLAYGROUND) }).fallback(api.clone()))
                .nest_service(PLAYGROUND, files.fallback(absent.into_service()))
        }
        None => Router::new(),
    };
    router.fallback(api)
}

/// Health, readiness and metrics, at an address of their own: they are for whoever runs the gateway.
fn admin(gateways: Vec<Arc<Gateway>>, metrics: Arc<Metrics>, is_draining: Arc<AtomicBool>) -> Router {
    let ready = {
        let is_draining = Arc::clone(&is_draining);
        move || async move {
            // A lost store is no reason to take a process away: all of them have lost it.
            if is_draining.load(Ordering::Relaxed) {
                plain(StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
            } else {
                plain(StatusCode::OK, "ready\n")
            }
        }
    };
    let scrape = move || async move {
        for gateway in &gateways {
            if let Some(is_up) = gateway.limits.as_ref().and_then(Limits::is_store_up) {
                metrics.store_up(&gateway.environment, is_up);
            }
        }
        ([("content-type", "application/openmetrics-text; version=1.0.0; charset=utf-8")], metrics.text())
            .into_response()
    };
    Router::new()
        .route("/health", get(|| async { plain(StatusCode::OK, "alive\n") }))
        .route("/ready", get(ready))
        .route("/metrics", get(scrape))
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    (status, text).into_response()
}

async fn run(
    listener: TcpListener,
    tls: Option<RustlsConfig>,
    router: Router,
    bounds: Bounds,
    handle: Handle<SocketAddr>,
) -> io::Result<()> {
    let service = router.into_make_service();
    match tls {
        None => {
            let acceptor = PromptAcceptor { inner: DefaultAcceptor::new(), within: bounds.head };
            bound(axum_server::from_tcp(listener)?, &bounds).acceptor(acceptor).handle(handle).serve(service).await
        }
        Some(tls) => {
            let inner = RustlsAcceptor::new(tls).handshake_timeout(bounds.head);
            let acceptor = PromptAcceptor { inner, within: bounds.head };
            bound(axum_server::from_tcp(listener)?, &bounds).acceptor(acceptor).handle(handle).serve(service).await
        }
    }
}

/// Whoever sends a head slowly, or nothing at all, is not waited for.
fn bound(mut server: Server<SocketAddr>, bounds: &Bounds) -> Server<SocketAddr> {
    let builder = server.http_builder();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(bounds.head);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(bounds.head).keep_alive_timeout(bounds.head);
    server
}
