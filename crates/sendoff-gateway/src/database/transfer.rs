//! Applications on their way between a file and the database. The file is TOML, and has digests of secrets.

use std::collections::BTreeMap;

use sendoff::{catalogue::Disabling, intent::Label, value::Address};
use serde::{Deserialize, Serialize};

use super::{
    Database, Kind, Place,
    change::{Credential, Draft},
    directory::Directory,
};
use crate::config::{
    self, Application, Chain, Config, Digest, Key, Limit, Listed, Origins, Problem, catalogue,
    optional,
};

/// The applications of a file: what `export` writes, and `import` takes.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Applications {
    #[serde(default)]
    environment: BTreeMap<String, OfEnvironment>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfEnvironment {
    #[serde(default)]
    application: Vec<Written>,
}

/// An application of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: Label,
    #[serde(default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    policy: Option<Limit>,
    #[serde(default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    origins: Option<Origins>,
    client_swa: Address,
    #[serde(default = "never")]
    disable: Disabling,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    keys: Vec<WrittenKey>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    server_keys: Vec<WrittenKey>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chain: Vec<Listed>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    user: Vec<WrittenUser>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenKey {
    sha256: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends_ms: Option<i64>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenUser {
    token: WrittenKey,
    user_swa: Address,
}

const fn never() -> Disabling {
    Disabling::Never
}

impl Applications {
    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// The first problem of the file.
    pub fn read(text: &str) -> Result<Self, Problem> {
        config::read(text)
    }

    /// Puts them into a database: all of them, or none; only into one without a change, if it `must_be_new`. Returns their
    /// number; `None` if the database is not new.
    ///
    /// # Errors
    ///
    /// A sentence about the first application that cannot be taken over.
    pub(crate) async fn fill(
        self,
        config: &Config,
        database: &Database,
        must_be_new: bool,
    ) -> Result<Option<usize>, String> {
        let mut all = Vec::new();
        for (environment, OfEnvironment { application }) in self.environment {
            if !config.environments.iter().any(|known| known.name == environment) {
                let names: Vec<_> = config.environments.iter().map(|known| &*known.name).collect();
                let names = names.join(", ");
                return Err(format!(
                    "environment.{environment}: expected an environment of the configuration ({names})"
                ));
            }
            for written in application {
                let place = Place {
                    environment: environment.clone(),
                    application: written.name.as_str().to_owned(),
                };
                let draft = Draft::try_from(written).map_err(|why| refused(&place, &why))?;
                all.push((place, draft));
            }
        }

        let count = all.len();
        let imported = database.import(all, must_be_new).await;
        let is_filled = imported.map_err(|(place, fault)| refused(&place, &fault.as_text()))?;
        Ok(is_filled.then_some(count))
    }
}

fn refused(Place { environment, application }: &Place, why: &str) -> String {
    format!("nothing was imported: `{application}` of `{environment}`: {why}")
}

/// Puts the applications of a file into the database of a configuration: all of them, or none.
///
/// # Errors
///
/// A sentence about the database, or about the first application that cannot be taken over.
pub async fn import(config: &Config, file: Applications) -> Result<usize, String> {
    let filled = file.fill(config, &open(config).await?, false).await?;
    Ok(filled.unwrap_or_default())
}

/// The applications of a configuration's database as the text of a file.
///
/// # Errors
///
/// A sentence about the database, or about an application that cannot be read.
pub async fn export(config: &Config) -> Result<String, String> {
    let directory = Directory::new(open(config).await?).await?;
    let unreadable = directory.unreadable();
    if let Some(why) = unreadable.first().and_then(|place| directory.outdated(place)) {
        return Err(format!("nothing was exported: {why}"));
    }

    let mut file = Applications::default();
    for environment in &config.environments {
        let mut applications = directory.of(&environment.name);
        applications.sort_by(|one, other| one.name.cmp(&other.name));
        let written = applications.iter().map(|one| Written::of(one)).collect::<Result<_, _>>()?;
        file.environment.insert(environment.name.clone(), OfEnvironment { application: written });
    }
    toml::to_string(&file).map_err(|error| error.to_string())
}

async fn open(config: &Config) -> Result<Database, String> {
    if config.database == config::Database::Memory {
        return Err("expected a database in the configuration, such as `database = \"gateway.db\"`, found none".into());
    }
    let opened = Database::open(&config.database).await;
    opened.map_err(|why| format!("the database cannot be used: {why}"))
}

impl TryFrom<Written> for Draft {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let of = |kind: Kind, keys: Vec<WrittenKey>| {
            keys.into_iter().map(move |WrittenKey { sha256, ends_ms }| Credential {
                kind,
                digest: sha256,
                ends_at: ends_ms,
                wallet: None,
            })
        };
        let users = written.user.into_iter().map(|WrittenUser { token, user_swa }| Credential {
            kind: Kind::User,
            digest: token.sha256,
            ends_at: token.ends_ms,
            wallet: Some(user_swa),
        });
        Ok(Self {
            client_swa: written.client_swa,
            policy: written.policy.map(|Limit(policy)| policy),
            origins: written.origins,
            catalogue: catalogue(written.disable, &written.chain)?,
            chains: written.chain.iter().map(Chain::from).collect(),
            credentials: of(Kind::Client, written.keys)
                .chain(of(Kind::Server, written.server_keys))
                .chain(users)
                .collect(),
        })
    }
}

impl Written {
    fn of(application: &Application) -> Result<Self, String> {
        let catalogue = &application.offer.catalogue;
        let mut users: Vec<_> = application
            .users
            .iter()
            .map(|user| WrittenUser { token: (&user.token).into(), user_swa: user.user_swa })
            .collect();
        users.sort();
        Ok(Self {
            name: application.name.parse().map_err(|error| format!("{error}"))?,
            policy: application.policy.map(Limit),
            origins: application.origins.clone(),
            client_swa: application.client_swa,
            disable: catalogue.disable(),
            keys: written(&application.keys),
            server_keys: written(&application.server_keys),
            chain: Listed::of(catalogue, &application.chains),
            user: users,
        })
    }
}

impl From<&Key> for WrittenKey {
    fn from(key: &Key) -> Self {
        Self { sha256: key.digest, ends_ms: key.ends_at }
    }
}

fn written(keys: &[Key]) -> Vec<WrittenKey> {
    let mut keys: Vec<_> = keys.iter().map(WrittenKey::from).collect();
    keys.sort();
    keys
}
