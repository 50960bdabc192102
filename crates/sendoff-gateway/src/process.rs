//! The parts of a process: counters, rate windows, stores, and its environments.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
    sync::{Arc, OnceLock, atomic::AtomicBool},
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
    book::{Book, Rules},
    bundler::Bundler,
    config::{Config, Environment, Identity},
    database::{Asked, Place, directory::Directory},
    descriptors::{self, IDLE_PER_HOST},
    gateway::Gateway,
    metrics::Metrics,
    playground,
    slots::{Peer, Slots},
    state::{ADMIN, Site, State},
    store::Store,
    tls::Tls,
    traces::Traces,
    upstream::Upstream,
    users::{self, Users},
};

/// The parts of a process that its listeners and its admin address share.
#[derive(Debug)]
pub(crate) struct Process {
    client: reqwest::Client,
    /// The applications of the database.
    pub(crate) directory: Directory,
    /// Its environments, once they are in service.
    gateways: OnceLock<Vec<Arc<Gateway>>>,
    /// The wrong credentials of admins.
    pub(crate) guesses: Guesses,
    /// Held by what replaces the applications in service.
    replacing: tokio::sync::Mutex<()>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) slots: Arc<Slots>,
    /// Set when the process stops.
    pub(crate) is_draining: Arc<AtomicBool>,
}

impl Process {
    /// The parts for a configuration.
    ///
    /// # Errors
    ///
    /// A sentence about a limit of the system that cannot be used.
    pub(crate) fn new(
        start: &Config,
        metrics: Metrics,
        directory: Directory,
    ) -> Result<Self, String> {
        let hosts = |environment: &Environment| -> usize {
            usize::from(environment.upstream.is_some())
                .saturating_add(environment.bundler.is_some().into())
        };
        descriptors::raise(&start.bounds, start.environments.iter().map(hosts).sum())?;

        Ok(Self {
            client: client()?,
            directory,
            gateways: OnceLock::new(),
            guesses: Guesses::new(),
            replacing: tokio::sync::Mutex::default(),
            metrics: Arc::new(metrics),
            slots: Arc::new(Slots::new(&start.bounds)),
            is_draining: Arc::default(),
        })
    }

    /// The store of each environment that has one, by the environment's name.
    pub(crate) fn stores(&self) -> impl Iterator<Item = (&str, &Store)> {
        let gateways = self.gateways().iter();
        gateways.filter_map(|gateway| {
            Some((gateway.environment.as_str(), gateway.rules.store.as_deref()?))
        })
    }

    /// Takes the configuration of its start into service.
    ///
    /// # Errors
    ///
    /// A sentence about each store, certificate or folder that cannot be used.
    pub(crate) fn serve(self: &Arc<Self>, mut config: Config) -> Result<State, Vec<String>> {
        let mut problems = Vec::new();
        let traces = config.traces.as_ref();
        let traces = traces.map(|traces| Traces::start(traces, self.client.clone(), &self.metrics));
        let traces = traces.transpose().map_err(|why| vec![why])?.map(Arc::new);
        let admin = admin::router(self, &config).map_err(|why| vec![why])?;

        let admin = (ADMIN.to_owned(), Site { router: admin, tls: None });
        let (mut sites, mut gateways) = (HashMap::from([admin]), Vec::new());
        for environment in std::mem::take(&mut config.environments) {
            problems.extend(users::problems(&environment));
            match self.site(environment, &config, traces.as_ref()) {
                Ok((gateway, site)) => {
                    sites.insert(gateway.environment.clone(), site);
                    gateways.push(gateway);
                }
                Err(why) => problems.push(why),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        // It is set once, at the start.
        let _set = self.gateways.set(gateways);
        let Config { bounds, proxies, .. } = config;
        Ok(State { sites, bounds, proxies, traces })
    }

    /// An environment, and what is served at its address.
    fn site(
        &self,
        mut environment: Environment,
        config: &Config,
        traces: Option<&Arc<Traces>>,
    ) -> Result<(Arc<Gateway>, Site), String> {
        self.metrics.begin(&environment.name);
        let tls = acceptor(&environment)?;
        if let Some(expires) = tls.as_ref().and_then(|tls| tls.expires) {
            self.metrics.certificates.with([&environment.name]).set(expires);
        }
        let folder = environment.playground.take();
        let gateway = Arc::new(self.gateway(environment, config, traces)?);
        let router = router(&gateway, folder.as_deref())?;
        Ok((gateway, Site { router, tls }))
    }

    /// The environments in service.
    fn gateways(&self) -> &[Arc<Gateway>] {
        self.gateways.get().map(Vec::as_slice).unwrap_or_default()
    }

    /// Learns of changes of the database, and takes them into service.
    ///
    /// # Errors
    ///
    /// If the database does not answer. Nothing changes then.
    pub(crate) async fn follow(&self) -> Asked<()> {
        let environments = self.directory.refresh().await?;
        if !environments.is_empty() {
            let _replacing = self.replacing.lock().await;
            self.renew(&environments);
        }
        Ok(())
    }

    /// Replaces the applications of environments in service.
    fn renew(&self, environments: &HashSet<String>) {
        for gateway in self.gateways() {
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
        let mut gateways = self.gateways().iter();
        let gateway = gateways.find(|gateway| gateway.environment == place.environment)?;
        let book = gateway.book.load();
        let limit = book.limits.get(&place.application)?;
        Some(Fill { policy: limit.policy, next: limit.windows.peek(&place.application) })
    }

    fn gateway(
        &self,
        environment: Environment,
        config: &Config,
        traces: Option<&Arc<Traces>>,
    ) -> Result<Gateway, String> {
        let bundler = |config| Bundler::new(config, self.client.clone(), Arc::clone(&self.metrics));
        let users = Users::new(&environment, &self.client, &self.metrics);
        let applications = self.directory.of(&environment.name);
        let store = config.store.as_ref();
        let store = store.map(|store| Store::new(&environment.name, store)).transpose()?;
        let rules = Rules {
            policy: environment.policy.0,
            cors: environment.cors,
            store: store.map(Arc::new),
        };

        Ok(Gateway {
            book: ArcSwap::from_pointee(Book::new(&applications, &rules, users)?),
            rules,
            deployment: environment.deployment,
            rate_limit_fields: environment.rate_limit_fields,
            bundler: environment.bundler.map(bundler),
            upstream: environment
                .upstream
                .map(|upstream| Upstream::new(upstream, &environment.name, &self.metrics))
                .transpose()?,
            traces: traces.cloned(),
            bounds: config.bounds.clone(),
            slots: Arc::clone(&self.slots),
            metrics: Arc::clone(&self.metrics),
            is_draining: Arc::clone(&self.is_draining),
            environment: environment.name,
        })
    }
}

/// The acceptor of TLS of an environment, if it has a certificate.
pub(crate) fn acceptor(environment: &Environment) -> Result<Option<Tls>, String> {
    let Some(Identity { certificate, key }) = &environment.tls else { return Ok(None) };
    let tls = Tls::read(certificate, key);
    tls.map(Some).map_err(|why| format!("environment.{}.tls{why}", environment.name))
}

/// The client for bundlers. It follows no redirect, and uses no proxy.
pub(crate) fn client() -> Result<reqwest::Client, String> {
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
        let gateway = Arc::clone(&gateway);
        async move { gateway.serve(peer, request).await }
    };
    let router = match playground {
        Some(folder) => {
            let bounded =
                from_fn(move |Extension(peer): Extension<Peer>, request: Request, next: Next| {
                    let gateway = Arc::clone(&bounded);
                    async move { gateway.within_bounds(peer, request, next).await }
                });
            playground::routes(folder, api.clone())?.layer(bounded)
        }
        None => Router::new(),
    };

    Ok(router.fallback(api))
}
