//! The environments in service, and what all of them share.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use crate::callers::slots::Slots;
use crate::database::directory::Directory;
use crate::database::{Asked, Place};
use crate::limits::store::{Store, lock};
use crate::limits::windows::Fill;
use crate::observe::metrics::METRICS;
use crate::observe::traces::Traces;
use crate::request::gateway::Gateway;

/// The parts of a process that its listeners and its admin address share.
pub(crate) struct Service {
    /// The applications of the database.
    pub(crate) directory: Directory,
    pub(crate) slots: Arc<Slots>,
    pub(crate) traces: Option<Arc<Traces>>,
    /// Set when the process stops.
    pub(crate) is_draining: Arc<AtomicBool>,
    pub(crate) gateways: Vec<Arc<Gateway>>,
    /// Held by what replaces the applications in service.
    pub(crate) replacing: Mutex<()>,
}

impl Service {
    /// The store of each environment that has one, by the environment's name.
    pub(crate) fn stores(&self) -> impl Iterator<Item = (&str, &Arc<Store>)> {
        self.gateways.iter().filter_map(|gateway| {
            Some((gateway.environment.name.as_str(), gateway.store.as_ref()?))
        })
    }

    /// Learns of changes of the database, and takes them into service.
    ///
    /// # Errors
    ///
    /// If the database does not answer. Nothing changes then.
    pub(crate) async fn follow(&self) -> Asked<()> {
        let changed = self.directory.refresh().await?;
        if changed.is_empty() {
            return Ok(());
        }
        let _replacing = lock(&self.replacing);
        for gateway in &self.gateways {
            let environment = &gateway.environment;
            if !changed.contains(&environment.name) {
                continue;
            }
            let applications = self.directory.of(&environment.name);
            let book =
                gateway.book.load().renewed(&applications, environment, gateway.store.as_ref());
            gateway.book.store(Arc::new(book));
            let names = applications.iter().map(|application| application.name.as_str());
            METRICS.keep(&environment.name, &names.collect());
        }
        Ok(())
    }

    /// How full the window of an application is; `None` without a limit.
    pub(crate) fn window(&self, place: &Place) -> Option<Fill> {
        let mut gateways = self.gateways.iter();
        let gateway = gateways.find(|gateway| gateway.environment.name == place.environment)?;
        Some(gateway.book.load().windows.get(&place.name)?.fill(&place.name))
    }
}
