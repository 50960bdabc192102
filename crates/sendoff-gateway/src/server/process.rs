//! The parts of a process: counters, rate windows, stores, and its environments.

use std::{
    collections::HashSet,
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Duration,
};

use arc_swap::ArcSwap;
use axum::{
    Extension, Router,
    extract::Request,
    middleware::{Next, from_fn},
};

use crate::{
    admin::{self, Fill, guesses::Guesses},
    backend::{bundler::Bundler, upstream::Upstream},
    callers::{
        book::{Book, Rules},
        slots::Slots,
        users::Users,
    },
    config::{Config, Environment, Identity},
    database::{Asked, Place, directory::Directory},
    limits::store::{Store, lock},
    observe::{metrics::Metrics, traces::Traces},
    request::{forwarded::Peer, gateway::Gateway, playground},
    server::{
        descriptors::{self, IDLE_PER_HOST},
        tls::Tls,
    },
};

/// The name of the address for health, readiness and metrics. No environment has it.
pub(crate) const ADMIN: &str = "admin";

/// The parts of a process that its listeners and its admin address share.
#[derive(Debug)]
pub(crate) struct Process {
    /// The applications of the database.
    pub(crate) directory: Directory,
    /// The wrong credentials of admins.
    pub(crate) guesses: Guesses,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) slots: Arc<Slots>,
    pub(crate) traces: Option<Arc<Traces>>,
    /// Set when the process stops.
    pub(crate) is_draining: Arc<AtomicBool>,
    gateways: Vec<Arc<Gateway>>,
    /// Held by what replaces the applications in service.
    replacing: Mutex<()>,
}

/// What is served at an address.
pub(crate) struct Site {
    /// The environment's name, or [`ADMIN`].
    pub(crate) name: String,
    pub(crate) listen: SocketAddr,
    pub(crate) router: Router,
    pub(crate) tls: Option<Tls>,
}

impl Process {
    /// The parts for a configuration, and what it serves.
    ///
    /// # Errors
    ///
    /// A sentence about each store, certificate, folder or limit of the system that cannot be used.
    pub(crate) fn new(
        config: &Config,
        metrics: Metrics,
        directory: Directory,
    ) -> Result<(Arc<Self>, Vec<Site>), Vec<String>> {
        descriptors::raise(config).map_err(|why| vec![why])?;
        let client = client().map_err(|why| vec![why])?;
        let metrics = Arc::new(metrics);
        let traces = config.traces.as_ref();
        let traces = traces.map(|traces| Traces::start(traces, client.clone(), &metrics));
        let mut process = Self {
            directory,
            guesses: Guesses::new(),
            slots: Arc::new(Slots::new(&config.bounds)),
            traces: traces.transpose().map_err(|why| vec![why])?.map(Arc::new),
            is_draining: Arc::default(),
            gateways: Vec::new(),
            replacing: Mutex::default(),
            metrics,
        };

        let (mut sites, mut problems) = (Vec::new(), Vec::new());
        for environment in &config.environments {
            match process.site(environment, config, &client) {
                Ok((gateway, site)) => {
                    process.gateways.push(gateway);
                    sites.push(site);
                }
                Err(why) => problems.push(why),
            }
        }
        let process = Arc::new(process);
        match admin::router(&process, config) {
            Ok(router) => sites.extend(config.admin.map(|admin| Site {
                name: ADMIN.to_owned(),
                listen: admin.0,
                router,
                tls: None,
            })),
            Err(why) => problems.push(why),
        }
        if problems.is_empty() { Ok((process, sites)) } else { Err(problems) }
    }

    /// The store of each environment that has one, by the environment's name.
    pub(crate) fn stores(&self) -> impl Iterator<Item = (&str, &Arc<Store>)> {
        self.gateways.iter().filter_map(|gateway| {
            Some((gateway.environment.as_str(), gateway.rules.store.as_ref()?))
        })
    }

    /// Learns of changes of the database, and takes them into service.
    ///
    /// # Errors
    ///
    /// If the database does not answer. Nothing changes then.
    pub(crate) async fn follow(&self) -> Asked<()> {
        let environments = self.directory.refresh().await?;
        if !environments.is_empty() {
            self.renew(&environments);
        }
        Ok(())
    }

    /// Replaces the applications of environments in service.
    fn renew(&self, environments: &HashSet<String>) {
        let _replacing = lock(&self.replacing);
        for gateway in &self.gateways {
            let environment = &gateway.environment;
            if !environments.contains(environment) {
                continue;
            }
            let applications = self.directory.of(environment);
            match gateway.book.load().renewed(&applications, &gateway.rules) {
                Ok(book) => {
                    gateway.book.store(Arc::new(book));
                    let names = applications.iter().map(|application| application.name.as_str());
                    self.metrics.keep(environment, &names.collect());
                }
                Err(why) => tracing::error!(why, environment, "a change is not in service"),
            }
        }
    }

    /// How full the window of an application is; `None` without a limit.
    pub(crate) fn window(&self, place: &Place) -> Option<Fill> {
        let mut gateways = self.gateways.iter();
        let gateway = gateways.find(|gateway| gateway.environment == place.environment)?;
        let book = gateway.book.load();
        let limit = book.limits.get(&place.application)?;
        Some(Fill { policy: limit.policy, next: limit.windows.peek(&place.application) })
    }

    /// An environment, and what is served at its address.
    fn site(
        &self,
        environment: &Environment,
        config: &Config,
        client: &reqwest::Client,
    ) -> Result<(Arc<Gateway>, Site), String> {
        let (name, metrics) = (environment.name.clone(), &self.metrics);
        metrics.begin(&name);
        let tls = environment.tls.as_ref();
        let tls = tls.map(|Identity { certificate, key }| Tls::read(certificate, key));
        let tls = tls.transpose().map_err(|why| format!("environment.{name}.tls{why}"))?;
        if let Some(expires) = tls.as_ref().and_then(|tls| tls.expires) {
            metrics.certificates.with([&name]).set(expires);
        }

        let store = config.store.as_ref().map(|store| Store::new(&name, store)).transpose()?;
        let rules = Rules {
            policy: environment.policy.0,
            cors: environment.cors.clone(),
            store: store.map(Arc::new),
        };
        let users = Users::new(environment, client, metrics)?;
        let book = Book::new(&self.directory.of(&name), &rules, users)?;
        let bundler = environment.bundler.clone();
        let upstream = environment.upstream.clone();
        let gateway = Arc::new(Gateway {
            book: ArcSwap::from_pointee(book),
            rules,
            deployment: environment.deployment.clone(),
            rate_limit_fields: environment.rate_limit_fields,
            bundler: bundler.map(|own| Bundler::new(own, client.clone(), Arc::clone(metrics))),
            upstream: upstream.map(|own| Upstream::new(own, &name, metrics)).transpose()?,
            traces: self.traces.clone(),
            bounds: config.bounds.clone(),
            slots: Arc::clone(&self.slots),
            metrics: Arc::clone(metrics),
            is_draining: Arc::clone(&self.is_draining),
            environment: name.clone(),
        });
        let router = router(&gateway, environment.playground.as_deref())?;
        Ok((gateway, Site { name, listen: environment.listen.0, router, tls }))
    }
}

/// The client for bundlers. It follows no redirect, and uses no proxy.
fn client() -> Result<reqwest::Client, String> {
    // This fails if it was called before, because a process chooses a provider once.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy();
    // A server in Node closes a connection that idles for 5 s.
    let client =
        client.connect_timeout(Duration::from_secs(5)).pool_idle_timeout(Duration::from_secs(4));
    let client = client.pool_max_idle_per_host(IDLE_PER_HOST);
    client.build().map_err(|error| format!("no HTTP client: {error}"))
}

fn router(gateway: &Arc<Gateway>, playground: Option<&Path>) -> Result<Router, String> {
    let (gateway, bounded) = (Arc::clone(gateway), Arc::clone(gateway));
    let api = move |Extension(peer): Extension<Peer>, request: Request| {
        Arc::clone(&gateway).serve(peer, request)
    };
    let Some(folder) = playground else { return Ok(Router::new().fallback(api)) };
    let within = move |Extension(peer): Extension<Peer>, request: Request, next: Next| {
        Arc::clone(&bounded).within_bounds(peer, request, next)
    };
    Ok(playground::routes(folder, api.clone())?.layer(from_fn(within)).fallback(api))
}
