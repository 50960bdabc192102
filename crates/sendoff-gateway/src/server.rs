//! Start and stop of the gateway. A stop loses no call.

use std::{
    convert::Infallible,
    io::{self, Write as _},
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use sd_notify::NotifyState;
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::{
    config::{self, Config},
    database::{Database, directory::Directory},
    descriptors,
    listener::Listener,
    log::Log,
    metrics::Metrics,
    playground,
    process::{Process, acceptor, client},
    redis::Redis,
    sockets::{Listening, Sockets},
    source::Source,
    state::{ADMIN, State},
    upstream, users,
};

/// How long connections to the admin address may stay open after all others are closed.
const ADMIN_DRAIN: Duration = Duration::from_secs(1);

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
        name: &str,
        listening: Listening,
        state: &Arc<State>,
        process: &Process,
    ) -> Result<String, String> {
        let Listening { socket, is_shared } = listening;
        let address = socket.local_addr().map_err(|error| error.to_string())?;
        let site = state.sites.get(name).cloned().ok_or("an address has no site")?;
        let scheme = if site.tls.is_some() { "https" } else { "http" };
        let line = format!("{name} {scheme}://{address}");
        // The gateway serves even if standard output is closed.
        let _printed = writeln!(io::stdout(), "{line}");

        let socket =
            tokio::net::TcpListener::from_std(socket).map_err(|error| error.to_string())?;
        let listener = Listener {
            name: name.into(),
            is_shared,
            site,
            state: Arc::clone(state),
            places: Arc::clone(&self.places),
            stop: self.stop.subscribe(),
            metrics: Arc::clone(&process.metrics),
            logged: Mutex::default(),
        };
        self.running.spawn(Arc::new(listener).run(socket));
        Ok(line)
    }

    /// Ends all its connections after their running requests.
    async fn ended(&mut self) {
        self.stop.send_replace(true);
        while self.running.join_next().await.is_some() {}
    }

    /// The number of open connections.
    fn held(&self) -> usize {
        self.most.saturating_sub(self.places.available_permits())
    }
}

/// The addresses of a gateway. All are bound before any is served, so that it never starts in part.
struct Bound {
    /// With the name of the environment.
    callers: Vec<(String, Listening)>,
    admin: Option<Listening>,
}

impl Bound {
    fn new(config: &Config) -> Result<Self, String> {
        let mut sockets = Sockets::inherited(config.reuse_port)?;
        let mut callers = Vec::new();
        for environment in &config.environments {
            callers.push((
                environment.name.clone(),
                sockets.take(&environment.name, environment.listen.0)?,
            ));
        }
        let admin = config.admin.map(|admin| sockets.take(ADMIN, admin.0)).transpose()?;

        sockets.close()?;
        Ok(Self { callers, admin })
    }

    /// Serves the addresses: those of callers, and that of the admin. The third value has a line for each.
    fn serve(
        self,
        state: &Arc<State>,
        process: &Process,
    ) -> Result<(Group, Group, Vec<String>), String> {
        let bounds = &state.bounds;
        let (mut callers, mut admin) =
            (Group::new(bounds.connections), Group::new(descriptors::ADMIN));
        let mut lines = Vec::new();
        for (name, socket) in self.callers {
            lines.push(callers.start(&name, socket, state, process)?);
        }
        if let Some(socket) = self.admin {
            lines.push(admin.start(ADMIN, socket, state, process)?);
        }
        Ok((callers, admin, lines))
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
    log: &Log,
    stop: impl Future<Output = ()>,
) -> Result<(), String> {
    let (directory, of_applications) = directory(&config).await?;

    let process = Arc::new(Process::new(&config, Metrics::new(log.lost()), directory)?);
    let bound = Bound::new(&config)?;

    let state = process.serve(config).map_err(|problems| problems.join("\n"))?;
    let state = Arc::new(state);
    let (mut callers, mut admin, serves) = bound.serve(&state, &process)?;
    begun(&process, &serves, file, &of_applications);
    tell_manager(NotifyState::Ready);
    tokio::select! {
        () = stop => {}
        never = follow(&process) => match never {},
        never = look(&process) => match never {},
        Some(ended) = callers.running.join_next() => return Err(format!("a server ended: {ended:?}")),
        Some(ended) = admin.running.join_next() => return Err(format!("a server ended: {ended:?}")),
    }

    drain(&process, &state, callers, admin).await;
    Ok(())
}

/// The first line of the log.
fn begun(process: &Process, serves: &[String], file: &str, applications: &str) {
    let (version, serves) = (env!("CARGO_PKG_VERSION"), serves.join(" "));
    tracing::info!(version, file, serves, applications, "started");
    if process.stores().next().is_none() {
        tracing::info!("rate windows are in the memory of this process: they begin anew with it");
    }
}

/// Tells the service manager, if there is one.
fn tell_manager(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager cannot be notified");
    }
}

/// How often a process looks for changes of the database. It learns of a change within a second.
const LOOK: Duration = Duration::from_millis(250);

/// How often a process looks whether its stores answer.
const LOOK_AT_STORES: Duration = Duration::from_secs(1);

/// Opens the database, fills it if it is new, and reads its applications; and a sentence about them for the log.
async fn directory(config: &Config) -> Result<(Directory, String), String> {
    let cannot = |why: String| format!("the database cannot be used: {why}");
    let applications = config.applications.as_ref().map(Source::new);
    let applications = applications.map(|file| file.read_applications()).transpose()?;

    let database = Database::open(&config.database).await.map_err(cannot)?;
    let mut said = match config.database {
        config::Database::Memory => {
            "in the memory of this process: changes by the admin API end with it".to_owned()
        }
        _ => "in the database".to_owned(),
    };
    if let (Some(applications), Some(file)) = (applications, &config.applications) {
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
async fn follow(process: &Process) -> Infallible {
    loop {
        sleep(LOOK).await;
        // What is known stays in service while the database is lost.
        let _followed = process.follow().await;
    }
}

/// Notices whether stores answer, as long as the process serves.
async fn look(process: &Process) -> Infallible {
    loop {
        for (_, store) in process.stores() {
            store.look().await;
        }
        sleep(LOOK_AT_STORES).await;
    }
}

/// Ends all connections after their running requests.
async fn drain(process: &Process, state: &State, mut callers: Group, mut admin: Group) {
    let bounds = &state.bounds;
    tracing::info!("stopping: connections are asked to close");
    tell_manager(NotifyState::Stopping);
    process.is_draining.store(true, Ordering::Relaxed);
    sleep(bounds.shutdown_delay).await;

    let drained = timeout(bounds.drain, async {
        callers.ended().await;
        // Requests whose callers hung up still run.
        process.slots.are_free().await;
    });
    if drained.await.is_err() {
        let (connections, requests) = (callers.held(), process.slots.held());
        tracing::warn!(connections, requests, "the stop does not wait for these any more");
    }

    if let Some(traces) = &state.traces {
        traces.flush().await;
    }
    // The end of the process closes the others.
    timeout(ADMIN_DRAIN, admin.ended()).await.unwrap_or_default();
    tracing::info!("stopped");
}

/// Puts the file of applications into a database of its own, which judges it as any other.
async fn check_applications(config: &Config) -> Result<(), String> {
    let Some(file) = &config.applications else { return Ok(()) };
    let applications = Source::new(file).read_applications()?;
    let filled = async {
        let database = Database::open(&config::Database::Memory).await?;
        applications.fill(config, &database, true).await
    };
    filled.await.map(drop).map_err(|why| format!("{}: {why}", file.display()))
}

/// Checks the resources of a configuration that [`serve`] would use, without listening: certificates, the store's address, and
/// folders of playgrounds.
///
/// Returns warnings: what works and is probably not meant, and what does not answer now.
///
/// # Errors
///
/// A sentence about each resource that cannot be used.
pub async fn check(config: &Config) -> Result<Vec<String>, Vec<String>> {
    let mut problems = Vec::new();
    problems.extend(config.store.as_ref().and_then(|store| Redis::new(store).err()));
    problems.extend(check_applications(config).await.err());
    // Certificates of authorities, for backends and issuers.
    problems.extend(client().err());
    for environment in &config.environments {
        problems.extend(acceptor(environment).err());
        let backend = environment.upstream.as_ref().map(upstream::client).and_then(Result::err);
        problems.extend(backend.map(|why| format!("environment.{}.{why}", environment.name)));
        problems.extend(users::problems(environment));
        let routes =
            environment.playground.as_deref().map(|folder| playground::routes(folder, async || ()));
        problems.extend(routes.and_then(Result::err));
    }
    let dashboard =
        config.dashboard.as_deref().map(|folder| playground::routes(folder, async || ()));
    problems.extend(dashboard.and_then(Result::err));
    if !problems.is_empty() {
        return Err(problems);
    }

    let mut warnings = config.warnings();
    if let Some(admin) = config.admin.map(|admin| admin.0).filter(|admin| !admin.ip().is_loopback())
        && !config.admins.is_empty()
    {
        warnings.push(format!(
            "admin: expected a loopback address, since the admin API has no TLS of its own, found {admin}: tokens of admins can be read on the way"
        ));
    }
    if let Some(store) = config.store.as_ref().and_then(|store| Redis::new(store).ok())
        && let Err(why) = store.ping().await
    {
        warnings.push(format!("store: it does not answer: {why}"));
    }
    if let Err(why) = Database::check(&config.database).await {
        warnings.push(format!("database: it does not answer: {why}"));
    }
    Ok(warnings)
}
