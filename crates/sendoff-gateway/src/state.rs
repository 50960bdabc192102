//! The configuration in service. A reload replaces it as a whole.

use std::{collections::HashMap, path::PathBuf, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use axum::Router;

use crate::{
    config::{Bounds, Proxies},
    gateway::Gateway,
    tls::Tls,
    traces::Traces,
};

/// The name of the address for health, readiness and metrics. No environment has it.
pub(crate) const ADMIN: &str = "admin";

/// The place of the configuration in service. A request keeps the one that it began with.
pub(crate) type Live = ArcSwap<State>;

/// A configuration that is, or can be, in service.
#[derive(Debug)]
pub(crate) struct State {
    /// The sites by the names of their addresses.
    pub(crate) sites: HashMap<String, Site>,
    pub(crate) gateways: Vec<Arc<Gateway>>,
    pub(crate) bounds: Bounds,
    pub(crate) proxies: Option<Proxies>,
    pub(crate) traces: Option<Arc<Traces>>,
    /// How often the files are checked for changes; zero for never.
    pub(crate) watch: Duration,
    /// The files that the configuration names.
    pub(crate) files: Vec<PathBuf>,
}

/// What is served at an address.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) router: Router,
    pub(crate) tls: Option<Tls>,
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site").field("tls", &self.tls.is_some()).finish_non_exhaustive()
    }
}
