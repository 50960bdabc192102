//! Start and stop of the gateway. A stop loses no call.

mod listener;
mod sites;
mod sockets;

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use self::listener::Listener;
use self::sites::{ADMIN, Site};
use self::sockets::{Listening, Sockets};
use crate::config::{self, Bounds, Config};
use crate::database::Database;
use crate::database::directory::Directory;
use crate::database::transfer::Applications;
use crate::descriptors;
use crate::limits::redis::Redis;
use crate::service::Service;

/// How long connections to the admin address may stay open after all others are closed.
const ADMIN_DRAIN: Duration = Duration::from_secs(1);

/// How often a process looks for changes of the database. It learns of a change within a second.
const LOOK: Duration = Duration::from_millis(250);

/// The listeners of one kind, which stop together.
struct Group {
    places: Arc<Semaphore>,
    most: usize,
    stop: watch::Sender<bool>,
    running: JoinSet<()>,
}

impl Group {
    fn new(most: usize) -> Self {
        let places = Arc::new(Semaphore::new(most));
        Self { places, most, stop: watch::Sender::new(false), running: JoinSet::new() }
    }

    /// Starts to serve an address, prints `NAME ADDRESS` for people and tests, and returns it.
    fn start(
        &mut self,
        site: Site,
        Listening { socket, is_shared }: Listening,
        config: &Config,
    ) -> io::Result<String> {
        let scheme = if site.tls.is_some() { "https" } else { "http" };
        let line = format!("{} {scheme}://{}", site.name, socket.local_addr()?);
        // The gateway serves even if standard output is closed.
        let _printed = writeln!(io::stdout(), "{line}");

        let listener = Listener {
            is_shared,
            site,
            config: config.clone(),
            places: Arc::clone(&self.places),
            stop: self.stop.subscribe(),
        };
        self.running.spawn(Arc::new(listener).run(socket));
        Ok(line)
    }

    /// Ends all its connections after their running requests.
    async fn ended(&mut self) {
        self.stop.send_replace(true);
        while self.running.join_next().await.is_some() {}
    }
}

/// Serves all environments of a configuration until `stop` comes.
///
/// # Errors
///
/// A sentence about an address, a certificate, a store or a limit of the system that cannot be used.
pub async fn serve(
    config: Config,
    file: &str,
    stop: impl Future<Output = ()>,
) -> Result<(), String> {
    let (directory, applications) = directory(&config).await?;
    let (service, sites) = Service::new(&config, directory)?;

    // All addresses are bound before any is served, so that the gateway never starts in part.
    let mut sockets = Sockets::inherited(config.reuse_port)?;
    let bind = |site: Site| sockets.take(&site.name, site.listen).map(|socket| (site, socket));
    let bound = sites.into_iter().map(bind).collect::<Result<Vec<_>, _>>()?;
    sockets.close()?;
    let (mut callers, mut admin) =
        (Group::new(config.bounds.connections), Group::new(descriptors::ADMIN));
    let mut serves = Vec::new();
    for (site, socket) in bound {
        let group = if site.name == ADMIN { &mut admin } else { &mut callers };
        let started = group.start(site, socket, &config);
        serves.push(started.map_err(|error| error.to_string())?);
    }

    for (_, store) in service.stores() {
        let store = Arc::clone(store);
        tokio::spawn(async move { store.watch().await });
    }
    let (version, serves) = (env!("CARGO_PKG_VERSION"), serves.join(" "));
    tracing::info!(version, file, serves, applications, "started");
    if config.store.is_none() {
        tracing::info!("rate windows are in the memory of this process: they begin anew with it");
    }
    tell_manager(NotifyState::Ready);
    tokio::select! {
        () = stop => {}
        never = follow(&service) => match never {},
        Some(_) = callers.running.join_next() => return Err("a server ended".into()),
        Some(_) = admin.running.join_next() => return Err("a server ended".into()),
    }

    drain(&service, &config.bounds, callers, admin).await;
    Ok(())
}

/// Tells the service manager, if there is one.
fn tell_manager(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager cannot be notified");
    }
}

/// Opens the database, fills it if it is new, and reads its applications; and a sentence about them for the log.
async fn directory(config: &Config) -> Result<(Directory, String), String> {
    let cannot = |why: String| format!("the database cannot be used: {why}");
    let database = Database::open(&config.database).await.map_err(cannot)?;
    let mut said = match config.database {
        config::Database::Memory => {
            "in the memory of this process: changes by the admin API end with it".to_owned()
        }
        _ => "in the database".to_owned(),
    };
    if let Some(file) = &config.applications {
        let applications = config::read_file(file, Applications::read)?;
        let filled = applications.fill(config, &database, true).await;
        let file = file.display();
        said.push_str(&match filled.map_err(|why| format!("{file}: {why}"))? {
            Some(count) => format!("; it was new, and is filled with {count} of {file}"),
            None => format!("; it has changes, so {file} is not used"),
        });
    }
    Ok((Directory::new(database).await.map_err(cannot)?, said))
}

/// Learns of changes of the database, as long as the process serves.
async fn follow(service: &Service) -> Infallible {
    loop {
        sleep(LOOK).await;
        // What is known stays in service while the database is lost.
        let _followed = service.follow().await;
    }
}

/// Ends all connections after their running requests.
async fn drain(service: &Service, bounds: &Bounds, mut callers: Group, mut admin: Group) {
    tracing::info!("stopping: connections are asked to close");
    tell_manager(NotifyState::Stopping);
    service.is_draining.store(true, Ordering::Relaxed);
    sleep(bounds.shutdown_delay).await;

    let drained = timeout(bounds.drain, async {
        callers.ended().await;
        // Requests whose callers hung up still run.
        service.slots.are_free().await;
    });
    if drained.await.is_err() {
        let connections = callers.most.saturating_sub(callers.places.available_permits());
        let requests = service.slots.held();
        tracing::warn!(connections, requests, "the stop does not wait for these any more");
    }

    if let Some(traces) = &service.traces {
        traces.flush().await;
    }
    // The end of the process closes the others.
    timeout(ADMIN_DRAIN, admin.ended()).await.unwrap_or_default();
    tracing::info!("stopped");
}

/// Checks a configuration: makes all that [`serve`] would use, with the applications in a database of memory, and listens
/// nowhere.
///
/// Returns warnings: what works and is probably not meant, and what does not answer now.
///
/// # Errors
///
/// A sentence about the first resource that cannot be used.
pub async fn check(config: &Config) -> Result<Vec<String>, String> {
    let in_memory = Config { database: config::Database::Memory, ..config.clone() };
    let (directory, _) = directory(&in_memory).await?;
    Service::new(config, directory)?;

    let mut warnings = config.warnings();
    if let Some(admin) = config.admin.filter(|admin| !admin.ip().is_loopback())
        && !config.admins.is_empty()
    {
        warnings.push(format!(
            "admin: expected a loopback address, since the admin API has no TLS of its own, found {admin}: tokens of admins can be read on the way"
        ));
    }
    if let Some(store) = &config.store
        && let Err(why) = Redis::new(store).ping().await
    {
        warnings.push(format!("store: it does not answer: {why}"));
    }
    if let Err(why) = Database::check(&config.database).await {
        warnings.push(format!("database: it does not answer: {why}"));
    }
    Ok(warnings)
}
