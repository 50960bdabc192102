//! Reads the rows of the database.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use sendoff::{
    catalogue::Catalogue,
    error::Error,
    rate_limit::Policy,
    user_op::Policies,
    value::{Address, ChainId},
};
use serde_json::{Value, json};
use sqlx::{Row as _, any::AnyRow};

use super::{Asked, Database, Fault, Kind, Place, within};
use crate::config::{Application, Chain, Digest, Key, Offer, Origins, User};

/// Applications with their places.
pub(crate) type Applications = HashMap<Place, Arc<Application>>;

/// Catalogues by their texts, so that applications with equal ones share it.
#[derive(Debug, Default)]
pub(crate) struct Offers(HashMap<String, Arc<Offer>>);

impl Offers {
    fn of(&mut self, place: &Place, text: String) -> Asked<Arc<Offer>> {
        if let Some(offer) = self.0.get(&text) {
            return Ok(Arc::clone(offer));
        }
        let catalogue: Catalogue = text.parse().map_err(|error| unreadable(place, &error))?;
        let offer = Arc::new(catalogue.into());
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

/// A key or a token, without its text.
#[derive(Debug)]
pub(crate) struct StoredKey {
    pub(crate) kind: Kind,
    pub(crate) digest: String,
    pub(crate) user_swa: Option<String>,
    pub(crate) made_at: i64,
    pub(crate) ends_at: Option<i64>,
}

impl StoredKey {
    pub(crate) fn id(&self) -> &str {
        self.digest.get(..16).unwrap_or(&self.digest)
    }
}

/// A row of the audit log.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) revision: i64,
    pub(crate) made_at: i64,
    pub(crate) made_by: String,
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

impl Database {
    /// All applications, or the one at a place.
    pub(super) async fn applications(
        &self,
        of: Option<&Place>,
        offers: &mut Offers,
    ) -> Asked<Applications> {
        let mut found = HashMap::new();
        self.each(&APPLICATIONS, of, |place, row| {
            let application = application(&place, row, offers)?;
            found.insert(place, application);
            Ok(())
        })
        .await?;
        self.each(&CREDENTIALS, of, |place, row| match found.get_mut(&place) {
            Some(application) => credential(&place, row, application),
            None => Ok(()),
        })
        .await?;
        self.each(&CHAINS, of, |place, row| {
            let chain = chain(&place, row)?;
            if let Some(application) = found.get_mut(&place) {
                application.chains.push(chain);
            }
            Ok(())
        })
        .await?;

        Ok(found.into_iter().map(|(place, application)| (place, Arc::new(application))).collect())
    }

    /// Reads the rows of a table, of all applications or of one. All are read in parts, so that no statement takes long.
    async fn each(
        &self,
        table: &Table,
        of: Option<&Place>,
        mut read: impl FnMut(Place, &AnyRow) -> Asked<()>,
    ) -> Asked<()> {
        let Table { columns, name, of_name, key } = table;
        let mut place = |row: &AnyRow| {
            let place = Place { environment: row.try_get(0)?, application: row.try_get(1)? };
            read(place, row)
        };
        if let Some(Place { environment, application }) = of {
            let one =
                format!("SELECT {columns} FROM {name} WHERE environment = $1 AND {of_name} = $2");
            let one = sqlx::query(&one).bind(&**environment).bind(&**application);
            return within(one.fetch_all(&self.pool)).await?.iter().try_for_each(place);
        }

        let order = format!("environment, {of_name}, {key}");
        let part = format!(
            "SELECT {columns} FROM {name} WHERE ({order}) > ($1, $2, $3) ORDER BY {order} LIMIT {PART}"
        );
        let mut last = [String::new(), String::new(), String::new()];
        loop {
            let [environment, application, key_of_row] = &last;
            let rows =
                sqlx::query(&part).bind(&**environment).bind(&**application).bind(&**key_of_row);
            let rows = within(rows.fetch_all(&self.pool)).await?;
            rows.iter().try_for_each(&mut place)?;
            match rows.last() {
                Some(row) if rows.len() >= PART => {
                    last = [row.try_get(0)?, row.try_get(1)?, row.try_get(*key)?]
                }
                _ => return Ok(()),
            }
        }
    }

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
    ) -> Asked<Vec<StoredKey>> {
        let kind = if are_users { "=" } else { "<>" };
        let statement = format!(
            "SELECT kind, digest, user_swa, made_at, ends_at FROM credential WHERE environment = $1 AND application = $2 \
             AND kind {kind} 'user' AND digest > $3 ORDER BY digest LIMIT $4"
        );
        let query = sqlx::query(&statement).bind(&*place.environment).bind(&*place.application);
        let rows = within(query.bind(page.after).bind(page.size).fetch_all(&self.pool)).await?;
        let key = |row: AnyRow| {
            let kind: String = row.try_get(0)?;
            Ok(StoredKey {
                kind: kind.parse().map_err(Fault::Lost)?,
                digest: row.try_get(1)?,
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
            "SELECT revision, made_at, made_by, environment, application, action, about FROM change \
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
            })
        };
        rows.into_iter().map(entry).collect()
    }
}

fn application(place: &Place, row: &AnyRow, offers: &mut Offers) -> Asked<Application> {
    let (client_swa, policy, origins): (String, Option<String>, Option<String>) =
        (row.try_get(2)?, row.try_get(3)?, row.try_get(4)?);
    let policy = policy
        .map(|text| read_policy(&text))
        .transpose()
        .map_err(|error| unreadable(place, &error))?;
    Ok(Application {
        name: place.application.clone(),
        policy,
        origins: origins.map(|text| read_origins(&text)),
        client_swa: client_swa.parse().map_err(|error| unreadable(place, &error))?,
        keys: Vec::new(),
        server_keys: Vec::new(),
        offer: offers.of(place, row.try_get(5)?)?,
        chains: Vec::new(),
        users: Vec::new(),
    })
}

fn credential(place: &Place, row: &AnyRow, application: &mut Application) -> Asked<()> {
    let (digest, kind): (String, String) = (row.try_get(2)?, row.try_get(3)?);
    let digest: Digest = digest.parse().map_err(|_| broken(place, "a digest"))?;
    let ends: Option<i64> = row.try_get(5)?;
    let ends = ends.and_then(|ms| UNIX_EPOCH.checked_add(Duration::from_millis(ms.unsigned_abs())));
    let key = Key { digest, ends };

    match kind.parse().map_err(Fault::Lost)? {
        Kind::Client => application.keys.push(key),
        Kind::Server => application.server_keys.push(key),
        Kind::User => {
            let wallet: Option<String> = row.try_get(4)?;
            let wallet = wallet.ok_or_else(|| broken(place, "a wallet"))?;
            let user_swa: Address = wallet.parse().map_err(|error| unreadable(place, &error))?;
            application.users.push(Arc::new(User { token: key, user_swa }));
        }
    }

    Ok(())
}

fn chain(place: &Place, row: &AnyRow) -> Asked<Chain> {
    let (id, gsn, sponsorship, fee): (String, i64, i64, Option<String>) =
        (row.try_get(2)?, row.try_get(3)?, row.try_get(4)?, row.try_get(5)?);
    let id: ChainId = id.parse().map_err(|error| unreadable(place, &error))?;
    let fee = fee.map(|fee| fee.parse()).transpose().map_err(|error| unreadable(place, &error))?;
    Ok(Chain::new(
        id,
        Policies { gsn_enabled: gsn != 0, sponsorship_enabled: sponsorship != 0 },
        fee,
    ))
}

/// A row that this program cannot read.
pub(super) fn unreadable(place: &Place, error: &Error) -> Fault {
    let Place { environment, application } = place;
    Fault::Lost(format!("the rows of `{application}` of `{environment}` cannot be read: {error}"))
}

fn broken(place: &Place, expected: &str) -> Fault {
    let Place { environment, application } = place;
    Fault::Lost(format!(
        "the rows of `{application}` of `{environment}` cannot be read: expected {expected}"
    ))
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

/// The policies and the fee of a chain as the admin API shows them.
pub(crate) fn shown_chain(chain: &Chain) -> Value {
    let Policies { gsn_enabled, sponsorship_enabled } = chain.policies;
    let mut shown = json!({
        "caip2Id": chain.id.to_string(),
        "gsnEnabled": gsn_enabled,
        "sponsorshipEnabled": sponsorship_enabled,
    });
    if let (Some(object), Some(fee)) = (shown.as_object_mut(), chain.fee()) {
        object.insert("transactionFee".into(), fee.to_string().into());
    }
    shown
}
