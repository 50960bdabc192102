//! What a configuration serves: its environments and the admin address.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::extract::Request;
use axum::{Extension, Router};
use reqwest::redirect::Policy;

use crate::admin;
use crate::backend::bundler::Bundler;
use crate::backend::upstream::Upstream;
use crate::callers::book::Book;
use crate::callers::slots::Slots;
use crate::callers::users::Users;
use crate::config::Config;
use crate::database::directory::Directory;
use crate::descriptors::{self, IDLE_PER_HOST};
use crate::limits::store::Store;
use crate::message::forwarded::Peer;
use crate::observe::metrics::METRICS;
use crate::observe::traces::Traces;
use crate::request::gateway::Gateway;
use crate::request::playground;
use crate::service::Service;
use crate::tls::Tls;

/// The name of the address for health, readiness and metrics. No environment has it.
pub(crate) const ADMIN: &str = "admin";

/// What is served at an address.
pub(crate) struct Site {
    /// The environment's name, or [`ADMIN`].
    pub(crate) name: String,
    pub(crate) listen: SocketAddr,
    pub(crate) router: Router,
    pub(crate) tls: Option<Tls>,
}

impl Service {
    /// The parts for a configuration, and what it serves.
    ///
    /// # Errors
    ///
    /// A sentence about the first store, certificate, folder or limit of the system that cannot be used.
    pub(crate) fn new(
        config: &Config,
        directory: Directory,
    ) -> Result<(Arc<Self>, Vec<Site>), String> {
        descriptors::raise(config)?;
        let client = client()?;
        let traces = config.traces.as_ref();
        let traces = traces.map(|traces| Traces::start(traces, client.clone()));
        let mut service = Self {
            directory,
            slots: Arc::new(Slots::new(&config.bounds)),
            traces: traces.transpose()?.map(Arc::new),
            is_draining: Arc::default(),
            gateways: Vec::new(),
            replacing: Mutex::default(),
        };

        let mut sites = Vec::new();
        for environment in &config.environments {
            let name = environment.name.clone();
            METRICS.begin(&name);
            let tls = environment.tls.as_ref().map(Tls::read).transpose();
            let tls = tls.map_err(|why| format!("environment.{name}.tls{why}"))?;
            if let Some(expires) = tls.as_ref().and_then(|tls| tls.expires) {
                METRICS.certificates.with([&name]).set(expires);
            }

            let store = config.store.as_ref().map(|store| Arc::new(Store::new(&name, store)));
            let users = Users::new(environment, &client)?;
            let applications = service.directory.of(&name);
            let book = Book::new(&applications, environment, store.as_ref(), users);
            let bundler = environment.bundler.clone();
            let upstream = environment.upstream.clone();
            let gateway = Arc::new(Gateway {
                environment: environment.clone(),
                book: ArcSwap::from_pointee(book),
                store,
                bundler: bundler.map(|own| Bundler::new(own, client.clone())),
                upstream: upstream.map(|own| Upstream::new(own, &name)).transpose()?,
                traces: service.traces.clone(),
                bounds: config.bounds.clone(),
                slots: Arc::clone(&service.slots),
                is_draining: Arc::clone(&service.is_draining),
            });
            let router = router(&gateway, environment.playground.as_deref())?;
            sites.push(Site { name, listen: environment.listen, router, tls });
            service.gateways.push(gateway);
        }

        let service = Arc::new(service);
        let (name, router, tls) = (ADMIN.to_owned(), admin::router(&service, config)?, None);
        sites.extend(config.admin.map(|listen| Site { name, listen, router, tls }));
        Ok((service, sites))
    }
}

/// The client for bundlers. It follows no redirect, and uses no proxy.
fn client() -> Result<reqwest::Client, String> {
    // This fails if it was called before, because a process chooses a provider once.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().redirect(Policy::none()).no_proxy();
    let client = client.pool_max_idle_per_host(IDLE_PER_HOST);
    // A server in Node closes a connection that idles for 5 s.
    let client = client.pool_idle_timeout(Duration::from_secs(4));
    let client = client.connect_timeout(Duration::from_secs(5));
    client.build().map_err(|error| format!("no HTTP client: {error}"))
}

fn router(gateway: &Arc<Gateway>, playground: Option<&Path>) -> Result<Router, String> {
    let gateway = Arc::clone(gateway);
    let api = move |Extension(peer): Extension<Peer>, request: Request| {
        Arc::clone(&gateway).serve(peer, request)
    };
    let pages = playground.map(|folder| playground::routes(folder, api.clone())).transpose()?;
    Ok(pages.unwrap_or_default().fallback(api))
}
