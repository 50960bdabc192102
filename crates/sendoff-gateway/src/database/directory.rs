//! The applications of the database in the memory of this process.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::document::{Application, Document, Place};
use super::{Asked, Database, Fault};
use crate::config::Clock;
use crate::limits::store::lock;

/// What this process knows of the database.
pub(crate) struct Directory {
    pub(crate) database: Database,
    /// The applications, and those that cannot be read.
    pub(crate) known: Mutex<Known>,
    /// The database answered when it was last asked.
    pub(crate) is_up: AtomicBool,
}

/// The applications at a revision.
#[derive(Default)]
pub(crate) struct Known {
    revision: i64,
    pub(crate) applications: HashMap<Place, Arc<Application>>,
    /// Those that cannot be read, which stay as they were, each with the reason.
    pub(crate) unreadable: BTreeMap<Place, String>,
}

impl Directory {
    /// Reads all applications.
    ///
    /// # Errors
    ///
    /// A sentence about a database that does not answer.
    pub(crate) async fn new(database: Database) -> Result<Self, String> {
        let directory = Self { database, known: Mutex::default(), is_up: AtomicBool::new(true) };
        let read = directory.read(None).await;
        read.map_err(|fault| {
            format!("the applications of the database cannot be read: {}", fault.as_text())
        })?;
        Ok(directory)
    }

    /// The applications of an environment.
    pub(crate) fn of(&self, environment: &str) -> Vec<Arc<Application>> {
        let known = lock(&self.known);
        let of = known.applications.iter().filter(|(place, _)| place.environment == environment);
        of.map(|(_, application)| Arc::clone(application)).collect()
    }

    /// The names of an environment's applications after one, of which this process cannot read all.
    pub(crate) fn names(&self, environment: &str, after: &str, limit: usize) -> Vec<String> {
        let known = lock(&self.known);
        let all = known.applications.keys().chain(known.unreadable.keys());
        let of = all.filter(|at| at.environment == environment && *at.name > *after);
        let names: BTreeSet<_> = of.map(|place| &place.name).collect();
        names.into_iter().take(limit).cloned().collect()
    }

    /// Learns of changes, and returns the environments in which something changed.
    pub(crate) async fn refresh(&self) -> Asked<HashSet<String>> {
        let refreshed = self.look().await;
        let was_up = self.is_up.swap(!matches!(refreshed, Err(Fault::Lost(_))), Ordering::Relaxed);
        match &refreshed {
            Err(fault) if was_up => {
                let why = fault.as_text();
                tracing::error!(why, "the database is lost: what is known stays in service");
            }
            Ok(_) if !was_up => tracing::info!("the database answers again"),
            _ => {}
        }
        refreshed
    }

    async fn look(&self) -> Asked<HashSet<String>> {
        let last = lock(&self.known).revision;
        let (revision, _) = self.database.revision().await?;
        if revision == last {
            return Ok(HashSet::new());
        }
        // A backup that was restored can have an earlier revision.
        self.read((revision > last).then_some(last)).await
    }

    /// Reads the applications that changed after a revision, or all. What changes meanwhile is read again by the next look.
    async fn read(&self, after: Option<i64>) -> Asked<HashSet<String>> {
        let (revision, now) = self.database.revision().await?;
        let clock = Clock::new(now);
        let found = self.database.read(after).await?;

        let mut known = lock(&self.known);
        let mut changed: HashSet<_> =
            found.iter().map(|(place, _)| place.environment.clone()).collect();
        if after.is_none() {
            let places: HashSet<_> = found.iter().map(|(place, _)| place).collect();
            changed.extend(known.applications.keys().map(|place| place.environment.clone()));
            known.applications.retain(|place, _| places.contains(place));
            known.unreadable.retain(|place, _| places.contains(place));
        }
        for (place, document) in found {
            let before = known.applications.get(&place);
            let refusals = before.map(|known| Arc::clone(&known.refusals)).unwrap_or_default();
            let read =
                document.map(|text| Ok(Document::read(&text?)?.application(clock, refusals)));
            known.learn(place, read);
        }
        known.revision = revision;
        Ok(changed)
    }
}

impl Known {
    /// Takes up what was read; `None` is an application that is gone. One that cannot be read stays as it was, and is logged
    /// once.
    fn learn(&mut self, place: Place, read: Option<Result<Application, String>>) {
        match read {
            None => {
                self.applications.remove(&place);
                self.unreadable.remove(&place);
            }
            Some(Ok(application)) => {
                self.unreadable.remove(&place);
                self.applications.insert(place, Arc::new(application));
            }
            Some(Err(why)) => {
                let why = place.unreadable(&why);
                if self.unreadable.insert(place, why.clone()).is_none() {
                    tracing::error!(why, "an application cannot be read: it stays as it was");
                }
            }
        }
    }
}
