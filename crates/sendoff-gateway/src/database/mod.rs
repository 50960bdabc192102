//! The database of applications: SQLite in a file, or PostgreSQL. One set of statements serves
//! both.
//!
//! A change is a row of the audit log, whose number is the new revision. A process compares the
//! revision with its own, and reads the applications of the changes between the two: [`directory`].
//! An application is one document, whose form is that of the file of `export`.

mod change;
pub(crate) mod directory;
mod document;
mod order;
pub(crate) mod transfer;

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::str::FromStr as _;
use std::time::Duration;

use schemars::JsonSchema;
use sendoff::error::Error;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, install_drivers};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AnyConnection, AnyPool, ConnectOptions as _, Connection as _, Row as _};
use tokio::time::timeout;
use tokio_stream::StreamExt as _;

pub(crate) use self::change::{Alteration, Change, Changed, Key, More, NewKey, Nothing};
#[cfg(test)]
pub(crate) use self::document::in_service;
pub(crate) use self::document::{Application, Document, Place};
pub(crate) use self::order::{By, Order};
use crate::config;

/// The version of the tables, and the statements of its migration. A migration that a release had is never changed. 1 and 2 were those
/// of programs before 0.1.
const VERSION: i64 = 3;
const DOCUMENTS: &str = include_str!("../../migrations/3_documents.sql");

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

/// Why the database does not do what it is asked for.
pub(crate) enum Fault {
    /// It does not answer, or has something that this program cannot read: a sentence for the log.
    Lost(String),
    /// The request has these problems.
    Refused(Error),
    /// The application or the credential of the request's path is not there.
    Absent,
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
        let (options, lock) = options(database)?;
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
        match within(options.connect()).await {
            Ok(connection) => connection.close().await.map_err(|error| error.to_string()),
            Err(fault) => Err(format!("{}: {}", named(database), fault.as_text())),
        }
    }

    /// A sentence if a PostgreSQL does not answer. A file is made at the start.
    pub(crate) async fn check(database: &config::Database) -> Result<(), String> {
        if !matches!(database, config::Database::Postgres(_)) {
            return Ok(());
        }
        Self::reach(database, &options(database)?.0).await
    }

    /// Runs the migrations that the database does not have yet. Each takes place as a whole or not at all.
    async fn migrate(&self) -> Result<(), String> {
        let simple = MigrationType::Simple;
        let documents =
            Migration::new(VERSION, "documents".into(), simple, DOCUMENTS.into(), false);
        let migrator = Migrator { migrations: vec![documents].into(), ..Migrator::DEFAULT };
        match migrator.run(&self.pool).await {
            Ok(()) => Ok(()),
            Err(MigrateError::VersionMissing(found)) => Err(format!(
                "expected tables of version {VERSION}, found {found}: use the program that made \
                 them, or `export` with it and `import` into a new database"
            )),
            Err(error) => Err(format!(
                "its tables cannot be brought to this version, and are as they were: {error}"
            )),
        }
    }

    /// The number of the last change, and the time of the database in milliseconds since 1970.
    async fn revision(&self) -> Asked<(i64, i64)> {
        let last = format!("SELECT number, {} FROM revision", self.clock);
        within(sqlx::query_as(&last).fetch_one(&self.pool)).await
    }

    /// Begins a change: its number, and the time of the database.
    async fn next(&self, connection: &mut AnyConnection) -> Asked<(i64, i64)> {
        let clock = self.clock;
        let next = format!("UPDATE revision SET number = number + 1 RETURNING number, {clock}");
        within(sqlx::query_as(&next).fetch_one(connection)).await
    }

    async fn read(&self, after: Option<i64>) -> Asked<Vec<Found>> {
        documents(&mut *within(self.pool.acquire()).await?, after).await
    }

    /// The audit log before a revision, the last change first: of all applications, or of one.
    pub(crate) async fn audit(
        &self,
        of: Option<&Place>,
        before: i64,
        limit: usize,
    ) -> Asked<Vec<Entry>> {
        let one = if of.is_some() { "AND environment = $3 AND application = $4" } else { "" };
        let statement = format!(
            "SELECT entry FROM change WHERE revision < $1 {one} ORDER BY revision DESC LIMIT $2"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut query = sqlx::query_scalar(&statement).bind(before).bind(limit);
        if let Some(Place { environment, name }) = of {
            query = query.bind(&**environment).bind(&**name);
        }
        let rows: Vec<String> = within(query.fetch_all(&self.pool)).await?;
        let read = |row: &String| serde_json::from_str(row);
        let entries = rows.iter().map(read).collect::<Result<_, _>>();
        entries.map_err(|error| Fault::Lost(format!("the audit log cannot be read: {error}")))
    }
}

/// A row of the audit log.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Change")]
pub(crate) struct Entry {
    revision: i64,
    /// In milliseconds since 1970.
    made_at: i64,
    #[serde(flatten)]
    by: By,
    #[serde(flatten)]
    place: Place,
    /// The id of the operation.
    action: String,
    /// The request, and what it made.
    about: Map<String, Value>,
}

/// The document at a place: `None` if it is gone, an error if it is no text.
type Found = (Place, Option<Result<String, String>>);

/// The documents that changed after a revision, or all.
async fn documents(connection: &mut AnyConnection, after: Option<i64>) -> Asked<Vec<Found>> {
    let query = match after {
        Some(revision) => sqlx::query(
            "SELECT changed.environment, changed.application, document FROM \
             (SELECT DISTINCT environment, application FROM change WHERE revision > $1) changed \
             LEFT JOIN application ON application.environment = changed.environment \
             AND application.name = changed.application",
        )
        .bind(revision),
        None => sqlx::query(
            "SELECT environment, name, document FROM application ORDER BY environment, name",
        ),
    };
    // Each row has its own time: all of them may take long.
    let (mut rows, mut found) = (query.fetch(connection), Vec::new());
    while let Some(row) = within(async { rows.next().await.transpose() }).await? {
        let place = Place { environment: row.try_get(0)?, name: row.try_get(1)? };
        let document = row.try_get(2).map_err(|error| error.to_string()).transpose();
        found.push((place, document));
    }
    Ok(found)
}

impl Place {
    /// A sentence about a document that cannot be read: a program of another version or a person wrote it.
    fn unreadable(&self, why: &str) -> String {
        format!("{self} cannot be read: {why}")
    }
}

impl Fault {
    /// The sentence for the log.
    pub(crate) fn as_text(&self) -> String {
        match self {
            Self::Lost(why) => why.clone(),
            Self::Refused(error) => error.to_string(),
            Self::Absent => {
                "expected an application or a credential of the database, found none".into()
            }
        }
    }
}

/// The file, or the host of an address: neither a user nor a password.
fn named(database: &config::Database) -> String {
    match database {
        config::Database::Memory => "memory".into(),
        config::Database::File(path) => path.display().to_string(),
        config::Database::Postgres(address) => match PgConnectOptions::from_str(address) {
            Ok(options) => options.get_socket().map_or_else(
                || format!("{}:{}", options.get_host(), options.get_port()),
                |folder| folder.display().to_string(),
            ),
            Err(_) => "PostgreSQL".into(),
        },
    }
}

/// The outcome of a statement, if it does not take too long.
async fn within<T>(statement: impl Future<Output = Result<T, sqlx::Error>>) -> Asked<T> {
    match timeout(PATIENCE, statement).await {
        Ok(outcome) => Ok(outcome?),
        Err(_) => Err(Fault::Lost(format!("no answer in {} s", PATIENCE.as_secs()))),
    }
}

/// How to reach a database, and the lock of its file.
fn options(database: &config::Database) -> Result<(AnyConnectOptions, Option<File>), String> {
    // This fails if it was called before.
    let _installed = install_drivers(&[sqlx::sqlite::any::DRIVER, sqlx::postgres::any::DRIVER]);
    let (address, lock) = match database {
        config::Database::Memory => ("sqlite::memory:".to_owned(), None),
        config::Database::File(path) => file(path)?,
        config::Database::Postgres(address) => (address.to_string(), None),
    };
    let options = AnyConnectOptions::from_str(&address).map_err(|error| error.to_string())?;
    Ok((options.disable_statement_logging(), lock))
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
