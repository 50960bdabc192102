//! The database of applications: SQLite in a file, or PostgreSQL. One set of statements serves
//! both.
//!
//! A change is a row of the audit log, whose number is the new revision. A process compares the
//! revision with its own, and reads the applications of the changes between the two: [`directory`].

mod apply;
mod change;
pub(crate) mod directory;
mod order;
mod rows;
mod secret;
pub(crate) mod transfer;

use std::{
    fmt,
    fs::{File, OpenOptions},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    str::FromStr as _,
    time::Duration,
};

use sendoff::error::Issue;
use sqlx::{
    Any, AnyConnection, AnyPool, ConnectOptions as _, Connection as _, Row as _, Transaction,
    any::{AnyConnectOptions, AnyPoolOptions, install_drivers},
    migrate::{MigrateError, Migration, MigrationType, Migrator},
    pool::PoolConnection,
};
use tokio::time::timeout;

pub(crate) use self::{
    change::{
        Alteration, ApplicationName, ChainPolicies, Change, Changed, Draft, Key, Kind, NewKey,
        Nothing, Place,
    },
    order::{By, Order},
    rows::{Entry, Page},
};
use crate::config;

/// The migrations, in their order. A migration that a release had is never changed.
const MIGRATIONS: [(i64, &str, &str); 2] = [
    (1, "applications", include_str!("../../migrations/1_applications.sql")),
    (2, "origins of changes", include_str!("../../migrations/2_origins_of_changes.sql")),
];

/// How long one statement may take, and opening a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many connections a process holds: one looks for changes, the others are for the admin API.
const CONNECTIONS: u32 = 4;

/// The time of the database in milliseconds since 1970.
const CLOCK_OF_SQLITE: &str = "CAST(unixepoch('subsec') * 1000 AS BIGINT)";
const CLOCK_OF_POSTGRES: &str = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";

/// A database whose tables are those of this program.
pub(crate) struct Database {
    pool: AnyPool,
    /// Its clock, which ends keys: those of processes may differ.
    clock: &'static str,
    /// The lock of a file, which tells another process that it is not alone.
    _lock: Option<File>,
}

impl fmt::Debug for Database {
    /// Omits the address, which may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Database(…)")
    }
}

/// Why the database does not do what it is asked for.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It does not answer, or has something that this program cannot read: a sentence for the log.
    Lost(String),
    /// The request has these problems.
    Refused(Vec<Issue>),
    /// The application or the credential of the request's path is not there.
    Absent,
    /// The application of the request's path is not changed, because its rows cannot be read: a sentence.
    Unreadable(String),
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Lost(error.to_string())
    }
}

/// The outcome of a request to the database.
pub(crate) type Asked<T> = Result<T, Fault>;

impl Database {
    /// Opens a database, and brings its tables to the version of this program.
    ///
    /// # Errors
    ///
    /// A sentence about a database that cannot be opened, has tables of a newer program, or whose tables cannot be changed. It is
    /// then as it was.
    pub(crate) async fn open(database: &config::Database) -> Result<Self, String> {
        // This fails if it was called before.
        let _installed = install_drivers(&[sqlx::sqlite::any::DRIVER, sqlx::postgres::any::DRIVER]);
        let (address, lock) = match database {
            config::Database::Memory => ("sqlite::memory:".to_owned(), None),
            config::Database::File(path) => file(path)?,
            config::Database::Postgres(address) => (address.clone(), None),
        };
        let options = AnyConnectOptions::from_str(&address).map_err(|error| error.to_string())?;
        let options = options.disable_statement_logging();
        // A pool would try again for the whole time, and not say why.
        Self::reach(database, &options).await?;
        let pool = AnyPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(PATIENCE);
        let pool = match database {
            // The tables are in the memory of the connection.
            config::Database::Memory => {
                pool.max_connections(1).idle_timeout(None).max_lifetime(None)
            }
            _ => pool,
        };
        let pool = pool.connect_with(options).await.map_err(|error| error.to_string())?;

        let clock = match database {
            config::Database::Postgres(_) => CLOCK_OF_POSTGRES,
            _ => CLOCK_OF_SQLITE,
        };
        let database = Self { pool, clock, _lock: lock };
        database.migrate().await?;
        Ok(database)
    }

    /// Opens one connection.
    async fn reach(database: &config::Database, options: &AnyConnectOptions) -> Result<(), String> {
        let why = match timeout(PATIENCE, options.connect()).await {
            Ok(Ok(connection)) => {
                return connection.close().await.map_err(|error| error.to_string());
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer in {} s", PATIENCE.as_secs()),
        };
        Err(format!("{}: {why}", named(database)))
    }

    /// A sentence if a PostgreSQL does not answer. A file is made at the start.
    pub(crate) async fn check(database: &config::Database) -> Result<(), String> {
        let config::Database::Postgres(address) = database else { return Ok(()) };
        let _installed = install_drivers(&[sqlx::sqlite::any::DRIVER, sqlx::postgres::any::DRIVER]);
        let options = AnyConnectOptions::from_str(address).map_err(|error| error.to_string())?;
        Self::reach(database, &options).await
    }

    /// Runs the migrations that the database does not have yet. Each takes place as a whole or not at all.
    async fn migrate(&self) -> Result<(), String> {
        let migration = |(version, name, sql): (i64, &'static str, &'static str)| {
            Migration::new(version, name.into(), MigrationType::Simple, sql.into(), false)
        };
        let migrator =
            Migrator { migrations: MIGRATIONS.map(migration).to_vec().into(), ..Migrator::DEFAULT };
        let ran = migrator.run(&self.pool).await;
        match ran {
            Ok(()) => Ok(()),
            Err(MigrateError::VersionMissing(_)) => Err(self.newer().await),
            Err(error) => Err(format!(
                "its tables cannot be brought to this version, and are as they were: {error}"
            )),
        }
    }

    /// A sentence about the last migration of a newer program.
    async fn newer(&self) -> String {
        let last =
            "SELECT version, description FROM _sqlx_migrations ORDER BY version DESC LIMIT 1";
        let named = match sqlx::query(last).fetch_one(&self.pool).await {
            Ok(row) => format!(
                "{} ({})",
                row.try_get::<i64, _>(0).unwrap_or_default(),
                row.try_get::<String, _>(1).unwrap_or_default()
            ),
            Err(_) => "another one".into(),
        };
        let [.., (newest, name, _)] = MIGRATIONS;
        let program = env!("CARGO_PKG_VERSION");
        format!(
            "expected tables up to {newest} ({name}), which this program {program} knows, found {named}: use a newer one"
        )
    }

    async fn connection(&self) -> Asked<PoolConnection<Any>> {
        within(self.pool.acquire()).await
    }

    /// The number of the last change.
    pub(crate) async fn revision(&self) -> Asked<i64> {
        let row = within(sqlx::query("SELECT number FROM revision").fetch_one(&self.pool)).await?;
        Ok(row.try_get(0)?)
    }

    /// The time of the database, in milliseconds since 1970.
    async fn now(&self, connection: &mut AnyConnection) -> Asked<i64> {
        let now = format!("SELECT {}", self.clock);
        let row = within(sqlx::query(&now).fetch_one(connection)).await?;
        Ok(row.try_get(0)?)
    }

    /// Begins a change, and returns its revision and its time. Another change waits until it ends.
    async fn begin(&self) -> Asked<(Transaction<'static, Any>, i64, i64)> {
        let mut transaction = within(self.pool.begin()).await?;
        let next = sqlx::query("UPDATE revision SET number = number + 1 RETURNING number");
        let row = within(next.fetch_one(&mut *transaction)).await?;
        let now = self.now(&mut transaction).await?;
        Ok((transaction, row.try_get(0)?, now))
    }
}

/// The file, or the host of an address: neither a user nor a password.
fn named(database: &config::Database) -> String {
    let address = match database {
        config::Database::Memory => return "memory".into(),
        config::Database::File(path) => return path.display().to_string(),
        config::Database::Postgres(address) => reqwest::Url::parse(address).ok(),
    };
    let Some(address) = address else { return "PostgreSQL".into() };
    let socket = address.query_pairs().find(|(name, _)| name == "host");
    match (address.host_str().filter(|host| !host.is_empty()), socket) {
        (Some(host), _) => format!("{host}:{}", address.port().unwrap_or(5_432)),
        (None, Some((_, folder))) => folder.into_owned(),
        (None, None) => "PostgreSQL".into(),
    }
}

/// The outcome of a statement, if it does not take too long.
async fn within<T>(statement: impl Future<Output = Result<T, sqlx::Error>>) -> Asked<T> {
    match timeout(PATIENCE, statement).await {
        Ok(outcome) => Ok(outcome?),
        Err(_) => Err(Fault::Lost(format!("no answer in {} s", PATIENCE.as_secs()))),
    }
}

/// The address of a file of SQLite, which only this user may read, and its lock. A file that is not there is made.
fn file(path: &Path) -> Result<(String, Option<File>), String> {
    let made = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path);
    let made = made.map_err(|error| format!("{}: {error}", path.display()))?;
    // A process that takes over from another has the file with it for a while.
    if made.try_lock().is_err() {
        tracing::warn!(file = %path.display(), "another process uses this database: a file is for one at a time");
    }
    let absolute = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    let url = reqwest::Url::from_file_path(absolute)
        .map_err(|()| format!("{}: no absolute path", path.display()))?;
    Ok((format!("sqlite://{}", url.path()), Some(made)))
}
