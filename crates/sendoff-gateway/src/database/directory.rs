//! The applications of the database in the memory of this process.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    Asked, Database, Fault, Place,
    rows::{Applications, Clock, Found, Offers, Unreadable, applications},
};
use crate::{config::Application, limits::store::lock};

/// From this number of changed applications on, all are read at once.
const MANY: usize = 64;

/// What this process knows of the database.
#[derive(Debug)]
pub(crate) struct Directory {
    pub(crate) database: Database,
    known: Mutex<Known>,
    offers: tokio::sync::Mutex<Offers>,
    is_up: AtomicBool,
}

/// The applications at a revision.
#[derive(Debug, Default)]
struct Known {
    revision: i64,
    applications: Applications,
    /// Those that cannot be read, which stay as they were.
    unreadable: BTreeMap<Place, Unreadable>,
}

impl Directory {
    /// Reads all applications.
    ///
    /// # Errors
    ///
    /// A sentence about the rows that cannot be read.
    pub(crate) async fn new(database: Database) -> Result<Self, String> {
        let directory = Self {
            database,
            known: Mutex::default(),
            offers: tokio::sync::Mutex::default(),
            is_up: AtomicBool::new(true),
        };
        let read = directory.read_all().await;
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

    /// The application at a place.
    pub(crate) fn find(&self, place: &Place) -> Option<Arc<Application>> {
        lock(&self.known).applications.get(place).cloned()
    }

    /// The number of applications and of users.
    pub(crate) fn size(&self) -> (usize, usize) {
        let known = lock(&self.known);
        let users = known.applications.values().map(|application| application.users.len()).sum();
        (known.applications.len(), users)
    }

    /// The applications that cannot be read, which stay as they were.
    pub(crate) fn unreadable(&self) -> Vec<Place> {
        lock(&self.known).unreadable.keys().cloned().collect()
    }

    /// Why the application at a place is not as the database has it; `None` if it is.
    pub(crate) fn outdated(&self, place: &Place) -> Option<String> {
        lock(&self.known).unreadable.get(place).map(|why| why.at(place))
    }

    /// `true` if the database answered when it was last asked.
    pub(crate) fn is_up(&self) -> bool {
        self.is_up.load(Ordering::Relaxed)
    }

    /// Learns of changes, and returns the environments in which something changed.
    pub(crate) async fn refresh(&self) -> Asked<HashSet<String>> {
        let refreshed = self.look().await;
        let was_up = self.is_up.swap(!matches!(refreshed, Err(Fault::Lost(_))), Ordering::Relaxed);
        match &refreshed {
            Err(fault) if was_up => {
                tracing::error!(
                    why = fault.as_text(),
                    "the database is lost: what is known stays in service"
                );
            }
            Ok(_) if !was_up => tracing::info!("the database answers again"),
            _ => {}
        }
        refreshed
    }

    async fn look(&self) -> Asked<HashSet<String>> {
        let last = lock(&self.known).revision;
        let revision = self.database.revision().await?;
        if revision == last {
            return Ok(HashSet::new());
        }
        // A backup that was restored can have an earlier revision.
        let changed = if revision > last { self.database.changed(last).await? } else { Vec::new() };
        if revision < last || changed.len() >= MANY {
            return self.read_all().await;
        }

        let mut offers = self.offers.lock().await;
        let mut connection = self.database.connection().await?;
        let mut found = HashMap::new();
        let clock = Clock::new(self.database.now(&mut connection).await?);
        for place in &changed {
            found.extend(applications(&mut connection, Some(place), &mut offers, clock).await?);
        }
        let environments = changed.iter().map(|place| place.environment.clone()).collect();
        let mut known = lock(&self.known);
        for place in changed.iter().filter(|place| !found.contains_key(place)) {
            known.forget(place);
        }
        known.learn(found);
        known.revision = known.revision.max(revision);
        drop(known);
        offers.sweep();
        Ok(environments)
    }

    /// Reads everything. What changes meanwhile is read again by the next look.
    async fn read_all(&self) -> Asked<HashSet<String>> {
        let mut offers = self.offers.lock().await;
        let revision = self.database.revision().await?;
        let mut connection = self.database.connection().await?;
        let clock = Clock::new(self.database.now(&mut connection).await?);
        let found = applications(&mut connection, None, &mut offers, clock).await?;
        drop(connection);
        let mut known = lock(&self.known);
        let places = known.applications.keys().chain(found.keys());
        let environments = places.map(|place| place.environment.clone()).collect();
        let gone = known.applications.keys().filter(|place| !found.contains_key(place));
        for place in gone.cloned().collect::<Vec<_>>() {
            known.forget(&place);
        }
        known.learn(found);
        known.revision = revision;
        drop(known);
        offers.sweep();
        Ok(environments)
    }
}

impl Known {
    /// Takes up what was read. An application that cannot be read stays as it was, and is logged once.
    fn learn(&mut self, found: Found) {
        for (place, read) in found {
            match read {
                Ok(application) => {
                    self.unreadable.remove(&place);
                    self.applications.insert(place, application);
                }
                Err(why) => {
                    let sentence = why.at(&place);
                    if self.unreadable.insert(place, why.clone()) != Some(why) {
                        tracing::error!(
                            why = sentence,
                            "an application cannot be read: it stays as it was"
                        );
                    }
                }
            }
        }
    }

    fn forget(&mut self, place: &Place) {
        self.applications.remove(place);
        self.unreadable.remove(place);
    }
}

impl Fault {
    /// The sentence for the log.
    pub(crate) fn as_text(&self) -> String {
        match self {
            Self::Lost(why) | Self::Unreadable(why) => why.clone(),
            Self::Refused(issues) => {
                issues.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
            }
            Self::Absent => {
                "expected an application or a credential of the database, found none".into()
            }
        }
    }
}
