//! The configuration in service.

use std::{collections::HashMap, sync::Arc};

use axum::Router;

use crate::{
    config::{Bounds, Proxies},
    tls::Tls,
    traces::Traces,
};

/// The name of the address for health, readiness and metrics. No environment has it.
pub(crate) const ADMIN: &str = "admin";

/// A configuration in service.
#[derive(Debug)]
pub(crate) struct State {
    /// The sites by the names of their addresses.
    pub(crate) sites: HashMap<String, Site>,
    pub(crate) bounds: Bounds,
    pub(crate) proxies: Option<Proxies>,
    pub(crate) traces: Option<Arc<Traces>>,
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
