//! Reads the rows of the database.

use std::{
    collections::HashMap,
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use sendoff::{catalogue::Catalogue, error::Error, rate_limit::Policy, user_op::Policies};
use serde_json::Value;
use sqlx::{AnyConnection, Row as _, any::AnyRow};

use super::{Asked, Database, Fault, Key, Kind, Place, within};
use crate::config::{self, Application, Chain, Offer, Origins, User};

/// Applications with their places.
pub(crate) type Applications = HashMap<Place, Arc<Application>>;

/// Applications, and those that cannot be read.
pub(super) type Found = HashMap<Place, Result<Arc<Application>, Unreadable>>;

/// Why the rows of an application cannot be read: a program of another version or a person wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable(String);

impl Unreadable {
    /// The sentence for the log.
    pub(crate) fn at(&self, place: &Place) -> String {
        let Place { environment, application } = place;
        format!("the rows of `{application}` of `{environment}` cannot be read: {}", self.0)
    }
}

impl<E: fmt::Display> From<E> for Unreadable {
    fn from(why: E) -> Self {
        Self(why.to_string())
    }
}

/// Catalogues by their texts, so that applications with equal ones share it.
#[derive(Debug, Default)]
pub(crate) struct Offers(HashMap<String, Arc<Offer>>);

impl Offers {
    fn of(&mut self, text: String) -> Result<Arc<Offer>, Unreadable> {
        if let Some(offer) = self.0.get(&text) {
            return Ok(Arc::clone(offer));
        }
        let offer = Arc::new(catalogue(&text)?.into());
        self.0.insert(text, Arc::clone(&offer));
        Ok(offer)
    }

    /// Forgets those that no application has any more.
    pub(super) fn sweep(&mut self) {
        self.0.retain(|_, offer| Arc::strong_count(offer) > 1);
    }
}

/// A part of a list, from after this item.
#[derive(Clone, Debug)]
pub(crate) struct Page<After> {
    pub(crate) after: After,
    pub(crate) size: i64,
}

/// A row of the audit log.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) revision: i64,
    pub(crate) made_at: i64,
    pub(crate) made_by: String,
    pub(crate) address: String,
    pub(crate) trace_id: String,
    pub(crate) place: Place,
    pub(crate) action: String,
    pub(crate) about: Value,
}

/// How many rows are read at once.
const PART: usize = 5_000;

/// A table with rows of applications.
struct Table {
    /// The environment, the application, and others.
    columns: &'static str,
    name: &'static str,
    /// The column with the application's name.
    of_name: &'static str,
    /// The column that tells its rows apart.
    key: &'static str,
}

const APPLICATIONS: Table = Table {
    columns: "environment, name, client_swa, policy, origins, catalogue",
    name: "application",
    of_name: "name",
    key: "name",
};

const CREDENTIALS: Table = Table {
    columns: "environment, application, digest, kind, user_swa, ends_at",
    name: "credential",
    of_name: "application",
    key: "digest",
};

const CHAINS: Table = Table {
    columns: "environment, application, caip2_id, gsn_enabled, sponsorship_enabled, transaction_fee",
    name: "sponsorship",
    of_name: "application",
    key: "caip2_id",
};

/// All applications, or the one at a place. One that cannot be read is no problem of the others.
pub(super) async fn applications(
    connection: &mut AnyConnection,
    of: Option<&Place>,
    offers: &mut Offers,
    clock: Clock,
) -> Asked<Found> {
    let mut found = HashMap::<Place, Result<Application, Unreadable>>::new();
    each(connection, &APPLICATIONS, of, |place, row| {
        let application = application(&place, row, offers);
        found.insert(place, application);
    })
    .await?;
    let parts: [(&Table, ReadPart); 2] = [(&CREDENTIALS, credential), (&CHAINS, chain)];
    for (table, read) in parts {
        each(connection, table, of, |place, row| {
            if let Some(known) = found.get_mut(&place)
                && let Ok(application) = known
                && let Err(why) = read(row, application, clock)
            {
                *known = Err(why);
            }
        })
        .await?;
    }

    Ok(found.into_iter().map(|(place, read)| (place, read.map(Arc::new))).collect())
}

/// Reads a row into its application.
type ReadPart = fn(&AnyRow, &mut Application, Clock) -> Result<(), Unreadable>;

/// The same moment by the clock of the database and by that of this process.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    of_database: i64,
    of_process: Instant,
}

impl Clock {
    pub(super) fn new(of_database: i64) -> Self {
        Self { of_database, of_process: Instant::now() }
    }

    /// A moment of the database by the clock of this process.
    fn at(self, ms: i64) -> Instant {
        let left = Duration::from_millis(ms.saturating_sub(self.of_database).max(0).unsigned_abs());
        // An end that no clock reaches is a century away.
        let century = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        self.of_process.checked_add(left.min(century)).unwrap_or(self.of_process)
    }
}

/// Reads the rows of a table, of all applications or of one. All are read in parts, so that no statement takes long.
async fn each(
    connection: &mut AnyConnection,
    table: &Table,
    of: Option<&Place>,
    mut read: impl FnMut(Place, &AnyRow),
) -> Asked<()> {
    let Table { columns, name, of_name, key } = table;
    let mut read = |row: &AnyRow| {
        read(Place { environment: row.try_get(0)?, application: row.try_get(1)? }, row);
        Ok(())
    };
    if let Some(Place { environment, application }) = of {
        let one = format!("SELECT {columns} FROM {name} WHERE environment = $1 AND {of_name} = $2");
        let one = sqlx::query(&one).bind(&**environment).bind(&**application);
        return within(one.fetch_all(connection)).await?.iter().try_for_each(read);
    }

    let order = format!("environment, {of_name}, {key}");
    let part = format!(
        "SELECT {columns} FROM {name} WHERE ({order}) > ($1, $2, $3) ORDER BY {order} LIMIT {PART}"
    );
    let mut last = [String::new(), String::new(), String::new()];
    loop {
        let [environment, application, key_of_row] = &last;
        let rows = sqlx::query(&part).bind(&**environment).bind(&**application).bind(&**key_of_row);
        let rows = within(rows.fetch_all(&mut *connection)).await?;
        rows.iter().try_for_each(&mut read)?;
        match rows.last() {
            Some(row) if rows.len() >= PART => {
                last = [row.try_get(0)?, row.try_get(1)?, row.try_get(*key)?]
            }
            _ => return Ok(()),
        }
    }
}

/// Reads a catalogue. Every permitted one is read: the limit on the length of a document of a caller is none here.
pub(super) fn catalogue(text: &str) -> Result<Catalogue, Unreadable> {
    Ok(serde_json::from_str(text)?)
}

impl Database {
    /// The places of the changes after a revision.
    pub(super) async fn changed(&self, after: i64) -> Asked<Vec<Place>> {
        let changed =
            sqlx::query("SELECT DISTINCT environment, application FROM change WHERE revision > $1")
                .bind(after);
        let rows = within(changed.fetch_all(&self.pool)).await?;
        let place =
            |row: AnyRow| Ok(Place { environment: row.try_get(0)?, application: row.try_get(1)? });
        rows.into_iter().map(place).collect()
    }

    /// The names of an environment's applications.
    pub(crate) async fn names(&self, environment: &str, page: Page<String>) -> Asked<Vec<String>> {
        let names = "SELECT name FROM application WHERE environment = $1 AND name > $2 ORDER BY name LIMIT $3";
        let names = sqlx::query(names).bind(environment).bind(page.after).bind(page.size);
        let rows = within(names.fetch_all(&self.pool)).await?;
        rows.into_iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// The keys of an application, or the tokens of its users.
    pub(crate) async fn credentials(
        &self,
        place: &Place,
        are_users: bool,
        page: Page<String>,
    ) -> Asked<Vec<Key>> {
        let kind = if are_users { "=" } else { "<>" };
        let statement = format!(
            "SELECT kind, digest, user_swa, made_at, ends_at FROM credential WHERE environment = $1 AND application = $2 \
             AND kind {kind} 'user' AND digest > $3 ORDER BY digest LIMIT $4"
        );
        let query = sqlx::query(&statement).bind(&*place.environment).bind(&*place.application);
        let rows = within(query.bind(page.after).bind(page.size).fetch_all(&self.pool)).await?;
        let key = |row: AnyRow| {
            let (kind, digest): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            Ok(Key {
                kind: kind.parse().map_err(Fault::Lost)?,
                id: digest.chars().take(16).collect(),
                user_swa: row.try_get(2)?,
                made_at: row.try_get(3)?,
                ends_at: row.try_get(4)?,
            })
        };
        rows.into_iter().map(key).collect()
    }

    /// The audit log before a revision, the last change first: of all applications, or of one.
    pub(crate) async fn audit(&self, of: Option<&Place>, page: Page<i64>) -> Asked<Vec<Entry>> {
        let one = if of.is_some() { "AND environment = $3 AND application = $4" } else { "" };
        let statement = format!(
            "SELECT revision, made_at, made_by, environment, application, action, about, address, trace_id FROM change \
             WHERE revision < $1 {one} ORDER BY revision DESC LIMIT $2"
        );
        let mut query = sqlx::query(&statement).bind(page.after).bind(page.size);
        if let Some(Place { environment, application }) = of {
            query = query.bind(&**environment).bind(&**application);
        }
        let rows = within(query.fetch_all(&self.pool)).await?;
        let entry = |row: AnyRow| {
            let about: String = row.try_get(6)?;
            Ok(Entry {
                revision: row.try_get(0)?,
                made_at: row.try_get(1)?,
                made_by: row.try_get(2)?,
                place: Place { environment: row.try_get(3)?, application: row.try_get(4)? },
                action: row.try_get(5)?,
                about: serde_json::from_str(&about).unwrap_or_default(),
                address: row.try_get(7)?,
                trace_id: row.try_get(8)?,
            })
        };
        rows.into_iter().map(entry).collect()
    }
}

fn application(
    place: &Place,
    row: &AnyRow,
    offers: &mut Offers,
) -> Result<Application, Unreadable> {
    let (client_swa, policy, origins): (String, Option<String>, Option<String>) =
        (row.try_get(2)?, row.try_get(3)?, row.try_get(4)?);
    Ok(Application {
        name: place.application.clone(),
        policy: policy.map(|text| read_policy(&text)).transpose()?,
        origins: origins.map(|text| read_origins(&text)),
        client_swa: client_swa.parse()?,
        keys: Vec::new(),
        server_keys: Vec::new(),
        offer: offers.of(row.try_get(5)?)?,
        chains: Vec::new(),
        users: Vec::new(),
    })
}

fn credential(row: &AnyRow, application: &mut Application, clock: Clock) -> Result<(), Unreadable> {
    let (digest, kind): (String, String) = (row.try_get(2)?, row.try_get(3)?);
    let ends_at: Option<i64> = row.try_get(5)?;
    let ends = ends_at.map(|ms| clock.at(ms));
    let key = config::Key { digest: digest.parse()?, ends_at, ends };

    match kind.parse()? {
        Kind::Client => application.keys.push(key),
        Kind::Server => application.server_keys.push(key),
        Kind::User => {
            let wallet: Option<String> = row.try_get(4)?;
            let user_swa = wallet.ok_or("expected a wallet of a user")?.parse()?;
            application.users.push(Arc::new(User { token: key, user_swa }));
        }
    }

    Ok(())
}

fn chain(row: &AnyRow, application: &mut Application, _: Clock) -> Result<(), Unreadable> {
    let (id, gsn, sponsorship, fee): (String, i64, i64, Option<String>) =
        (row.try_get(2)?, row.try_get(3)?, row.try_get(4)?, row.try_get(5)?);
    let fee = fee.map(|fee| fee.parse()).transpose()?;
    let policies = Policies { gsn_enabled: gsn != 0, sponsorship_enabled: sponsorship != 0 };
    application.chains.push(Chain::new(id.parse()?, policies, fee));
    Ok(())
}

pub(super) fn written_policy(policy: &Option<Policy>) -> String {
    policy.map_or("none".into(), |policy| policy.to_string())
}

fn read_policy(text: &str) -> Result<Option<Policy>, Error> {
    if text == "none" { Ok(None) } else { text.parse().map(Some) }
}

pub(super) fn written_origins(origins: &Origins) -> String {
    match origins {
        Origins::Every => "*".into(),
        Origins::These(origins) => origins.join("\n"),
    }
}

fn read_origins(text: &str) -> Origins {
    match text {
        "*" => Origins::Every,
        text => Origins::These(text.lines().map(str::to_owned).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the clock of this process says, a key ends when the database says so.
    #[test]
    fn the_clock_of_the_database_ends_keys() {
        for of_database in [0, 1_000, 1_900_000_000_000] {
            let clock = Clock::new(of_database);
            let left = |ms: i64| clock.at(of_database.saturating_add(ms)) - clock.of_process;
            assert_eq!(left(1_500), Duration::from_millis(1_500));
            assert_eq!((left(0), left(-5)), (Duration::ZERO, Duration::ZERO));
            assert!(left(i64::MAX) > Duration::from_secs(1 << 30));
        }
    }
}
