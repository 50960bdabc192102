//! Start and stop of the gateway. A stop loses no call.

use std::{
    io::{self, Write as _},
    net::{SocketAddr, TcpListener},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    Extension, Router,
    extract::Request,
    http::StatusCode,
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout},
};

use tokio_rustls::TlsAcceptor;

use crate::{
    bundler::Bundler,
    callers::Callers,
    config::{Bounds, Config, Environment, Store},
    connect::HttpClient,
    gateway::Gateway,
    limits::Limits,
    listener::{Listener, Phase},
    log::Log,
    metrics::Metrics,
    places::{self, Places},
    playground,
    redis::Redis,
    slots::{Peer, Slots},
    stream::LINGER,
    tls,
    upstream::Upstream,
};

/// How long connections to the admin address may stay open after all others are closed.
const ADMIN_DRAIN: Duration = Duration::from_secs(1);

/// The parts that all environments share.
struct Shared {
    store: Store,
    bounds: Bounds,
    client: reqwest::Client,
    metrics: Arc<Metrics>,
    slots: Arc<Slots>,
    is_draining: Arc<AtomicBool>,
}

/// Serves all environments of a configuration until `stop` comes.
///
/// # Errors
///
/// A sentence about an address, a certificate, a store or a limit of the system that cannot be used.
pub async fn serve(config: Config, log: &Log, stop: impl Future<Output = ()>) -> Result<(), String> {
    // This fails if another library of the process has already chosen a provider. That one is used then.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    let mut bounds = config.bounds;
    let hosts = |environment: &Environment| -> usize {
        usize::from(environment.upstream.is_some()).saturating_add(environment.bundler.is_some().into())
    };
    places::fit_descriptors(&mut bounds, config.environments.iter().map(hosts).sum())?;
    let shared = Shared {
        store: config.store,
        client: client()?,
        metrics: Arc::new(Metrics::new(log)),
        slots: Arc::new(Slots::new(&bounds)),
        is_draining: Arc::default(),
        bounds,
    };
    let bounds = &shared.bounds;
    let places = Places::new(bounds.connections, bounds.connections_per_address);
    let admin_places = Places::new(places::ADMIN, places::ADMIN);
    let listener = |name: &str, tls, router, places: &Arc<Places>| Listener {
        name: name.into(),
        tls,
        router,
        places: Arc::clone(places),
        bounds: bounds.clone(),
        metrics: Arc::clone(&shared.metrics),
        logged: Mutex::default(),
    };
    let (mut gateways, mut listeners) = (Vec::new(), Vec::new());
    // All addresses are bound before any is served, so that a gateway never starts in part.
    for environment in config.environments {
        let socket = listen(environment.listen)?;
        let (name, playground) = (environment.name.clone(), environment.playground.clone());
        let tls = acceptor(&environment)?;
        let gateway = Arc::new(gateway(environment, &shared)?);
        gateways.push(Arc::clone(&gateway));
        let router = router(gateway, playground.as_deref())?;
        listeners.push((socket, listener(&name, tls, router, &places)));
    }
    let admin = match config.admin {
        Some(address) => {
            let router = admin(gateways, Arc::clone(&shared.metrics), Arc::clone(&shared.is_draining));
            Some((listen(address)?, listener("admin", None, router, &admin_places)))
        }
        None => None,
    };
    let (phase, admin_phase) = (watch::Sender::new(Phase::Serving), watch::Sender::new(Phase::Serving));
    let mut running = JoinSet::new();
    for (socket, listener) in listeners {
        start(socket, listener, &phase, &mut running)?;
    }
    let mut admin_running = JoinSet::new();
    if let Some((socket, listener)) = admin {
        start(socket, listener, &admin_phase, &mut admin_running)?;
    }
    tokio::select! {
        () = stop => {}
        Some(ended) = running.join_next() => return Err(format!("a server ended: {ended:?}")),
        Some(ended) = admin_running.join_next() => return Err(format!("a server ended: {ended:?}")),
    }
    tracing::info!("stopping: connections are asked to close");
    shared.is_draining.store(true, Ordering::Relaxed);
    sleep(bounds.shutdown_delay).await;
    phase.send_replace(Phase::Draining);
    let drained = timeout(bounds.drain, async {
        while running.join_next().await.is_some() {}
        places.are_free().await;
        // Requests whose callers hung up still run.
        shared.slots.are_free().await;
    });
    if drained.await.is_err() {
        let (connections, requests) = (places.held(), shared.slots.held());
        tracing::warn!(connections, requests, "closing connections that did not end in time");
        phase.send_replace(Phase::Cut);
        let _closed = timeout(LINGER, places.are_free()).await;
    }
    admin_phase.send_replace(Phase::Draining);
    let closed = timeout(ADMIN_DRAIN, async {
        while admin_running.join_next().await.is_some() {}
        admin_places.are_free().await;
    });
    // The end of the process closes the others.
    closed.await.unwrap_or_default();
    tracing::info!("stopped");
    Ok(())
}

/// Checks the resources of a configuration that [`serve`] would use, without listening: certificates, the store's address, and
/// folders of playgrounds.
///
/// # Errors
///
/// A sentence about each resource that cannot be used.
pub fn check(config: &Config) -> Result<(), Vec<String>> {
    let mut problems = Vec::new();
    if let Store::Redis(store) = &config.store
        && let Err(error) = Redis::new(store)
    {
        problems.push(format!("the store cannot be used: {error}"));
    }
    for environment in &config.environments {
        problems.extend(acceptor(environment).err());
        let routes = environment.playground.as_deref().map(|folder| playground::routes(folder, async || ()));
        problems.extend(routes.and_then(Result::err));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The acceptor of TLS of an environment, if it has a certificate.
fn acceptor(environment: &Environment) -> Result<Option<TlsAcceptor>, String> {
    let Some((certificate, key)) = &environment.tls else { return Ok(None) };
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    let acceptor = tls::acceptor(certificate, key);
    acceptor.map(Some).map_err(|why| format!("environment.{}.tls{why}", environment.name))
}

/// The client for bundlers. It follows no redirect, and uses no proxy.
fn client() -> Result<reqwest::Client, String> {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy();
    // A server in Node closes a connection that idles for 5 s.
    let client = client.connect_timeout(Duration::from_secs(5)).pool_idle_timeout(Duration::from_secs(4));
    let client = client.pool_max_idle_per_host(places::IDLE_PER_HOST);
    client.build().map_err(|error| format!("no HTTP client: {error}"))
}

fn listen(address: SocketAddr) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(address).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    listener.map_err(|error| format!("cannot listen on {address}: {error}"))
}

/// Starts to serve an address, and prints `NAME ADDRESS` for people and tests.
fn start(
    socket: TcpListener,
    listener: Listener,
    phase: &watch::Sender<Phase>,
    running: &mut JoinSet<()>,
) -> Result<(), String> {
    let address = socket.local_addr().map_err(|error| error.to_string())?;
    let scheme = if listener.tls.is_some() { "https" } else { "http" };
    // The gateway serves even if standard output is closed.
    let _printed = writeln!(io::stdout(), "{} {scheme}://{address}", listener.name);
    let socket = tokio::net::TcpListener::from_std(socket).map_err(|error| error.to_string())?;
    running.spawn(Arc::new(listener).run(socket, phase.subscribe()));
    Ok(())
}

fn gateway(environment: Environment, shared: &Shared) -> Result<Gateway, String> {
    let Shared { store, bounds, client, metrics, slots, is_draining } = shared;
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
        upstream: match environment.upstream {
            Some(upstream) => Some(Upstream::new(upstream, HttpClient::new()?)),
            None => None,
        },
        bounds: bounds.clone(),
        slots: Arc::clone(slots),
        metrics: Arc::clone(metrics),
        is_draining: Arc::clone(is_draining),
        environment: environment.name,
    })
}

fn router(gateway: Arc<Gateway>, playground: Option<&Path>) -> Result<Router, String> {
    let bounded = Arc::clone(&gateway);
    let api = move |Extension(peer): Extension<Peer>, request: Request| {
        let gateway = Arc::clone(&gateway);
        async move { gateway.serve(peer, request).await }
    };
    let router = match playground {
        Some(folder) => {
            let bounded = from_fn(move |Extension(peer): Extension<Peer>, request: Request, next: Next| {
                let gateway = Arc::clone(&bounded);
                async move { gateway.within_bounds(peer, request, next).await }
            });
            playground::routes(folder, api.clone())?.layer(bounded)
        }
        None => Router::new(),
    };
    Ok(router.fallback(api))
}

/// The routes for health, readiness and metrics. They have their own address, for the operator.
fn admin(gateways: Vec<Arc<Gateway>>, metrics: Arc<Metrics>, is_draining: Arc<AtomicBool>) -> Router {
    let ready = {
        let is_draining = Arc::clone(&is_draining);
        move || async move {
            // A lost store does not affect readiness: every process has lost it.
            if is_draining.load(Ordering::Relaxed) {
                plain(StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
            } else {
                plain(StatusCode::OK, "ready\n")
            }
        }
    };
    let scrape = move || async move {
        for gateway in &gateways {
            // All environments share the slots.
            metrics.running(gateway.slots.held());
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
