//! Applications on their way between a file and the database.

use std::fmt::{self, Write as _};

use sendoff::{catalogue::Disabling, rate_limit::Policy};

use super::{Database, Kind, Place, apply::ms, change::Draft, directory::Directory};
use crate::config::{Application, Applications, Chain, Config, Environment, Key, Origins};

/// Puts the applications of a file into the database of a configuration: all of them, or none.
///
/// # Errors
///
/// A sentence about the database, or about the first application that cannot be taken over.
pub async fn import(config: &Config, file: &Applications) -> Result<usize, String> {
    let known = |name: &String| config.environments.iter().any(|one| one.name == *name);
    if let Some((name, _)) = file.0.iter().find(|(name, _)| !known(name)) {
        return Err(format!("environment.{name}: expected an environment of the configuration"));
    }

    let all = file.0.iter().map(|(environment, application)| draft(environment, application));
    let (database, count) = (open(config).await?, file.0.len());
    let imported = database.import("import", all.collect()).await;
    imported.map_err(|(Place { environment, application }, fault)| {
        format!("nothing was imported: `{application}` of `{environment}`: {}", fault.as_text())
    })?;
    Ok(count)
}

/// The applications of a configuration's database, as tables of a file. Keys and tokens are digests.
///
/// # Errors
///
/// A sentence about the database.
pub async fn export(config: &Config) -> Result<String, String> {
    let directory = Directory::new(open(config).await?).await?;
    let mut text = String::new();
    for environment in &config.environments {
        let mut applications = directory.of(&environment.name);
        applications.sort_by(|one, other| one.name.cmp(&other.name));
        for application in applications {
            // Writing to a text does not fail.
            let _written = write!(text, "{}", Written { environment, application: &application });
        }
    }
    Ok(text)
}

async fn open(config: &Config) -> Result<Database, String> {
    let database = config
        .database
        .as_ref()
        .ok_or("expected a configuration with a `database`, found one without")?;
    Database::open(database).await.map_err(|why| format!("the database cannot be used: {why}"))
}

fn draft(environment: &str, application: &Application) -> (Place, Draft) {
    let Application { name, policy, origins, client_swa, keys, server_keys, offer, chains, users } =
        application;
    let of = |kind: Kind, keys: &[Key]| {
        keys.iter().map(move |key| (kind, *key, None)).collect::<Vec<_>>()
    };
    let users = users.iter().map(|user| (Kind::User, user.token, Some(user.user_swa)));
    let draft = Draft {
        client_swa: *client_swa,
        policy: *policy,
        origins: origins.clone(),
        catalogue: offer.catalogue.clone(),
        chains: chains.clone(),
        credentials: of(Kind::Client, keys)
            .into_iter()
            .chain(of(Kind::Server, server_keys))
            .chain(users)
            .collect(),
    };
    (Place { environment: environment.to_owned(), application: name.clone() }, draft)
}

/// An application as tables of a file.
struct Written<'a> {
    environment: &'a Environment,
    application: &'a Application,
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Application {
            name,
            policy,
            origins,
            client_swa,
            keys,
            server_keys,
            offer,
            chains,
            users,
        } = self.application;
        let environment = &self.environment.name;
        writeln!(f, "\n[[environment.{environment}.application]]\nname = {}", quoted(name))?;
        if let Some(policy) = policy {
            writeln!(f, "policy = {}", written_policy(policy))?;
        }
        if let Some(origins) = origins {
            writeln!(f, "origins = {}", written_origins(origins))?;
        }
        writeln!(f, "client_swa = \"{client_swa}\"")?;
        let catalogue = &offer.catalogue;
        if catalogue.disable() != Disabling::Never {
            writeln!(f, "disable = \"{}\"", catalogue.disable())?;
        }
        for (key, digests) in [("keys", keys), ("server_keys", server_keys)] {
            if !digests.is_empty() {
                writeln!(f, "{key} = [{}]", sorted(digests).join(", "))?;
            }
        }

        for chain in catalogue.known_chains() {
            writeln!(
                f,
                "\n[[environment.{environment}.application.chain]]\nid = \"{}\"",
                chain.caip2_id
            )?;
            writeln!(f, "name = {}\nnet = \"{}\"", quoted(chain.name.as_str()), chain.net)?;
            if !chain.enabled {
                writeln!(f, "enabled = false")?;
            }
            if let Some(chain) = chains.iter().find(|known| known.id == chain.caip2_id) {
                write_chain(f, chain)?;
            }
            let tokens =
                catalogue.known_tokens().iter().filter(|token| token.caip2_id == chain.caip2_id);
            let tokens = tokens.map(|token| {
                let (name, address) = (quoted(token.name.as_str()), token.token_address);
                format!(
                    "  {{ name = {name}, address = \"{address}\"{} }},\n",
                    off(token.whitelisted)
                )
            });
            list(f, "tokens", tokens.collect())?;
            let collections =
                catalogue.known_collections().iter().filter(|one| one.caip2_id == chain.caip2_id);
            let collections = collections.map(|collection| {
                let address = collection.collection_address;
                format!("  {{ address = \"{address}\"{} }},\n", off(collection.whitelisted))
            });
            list(f, "collections", collections.collect())?;
        }

        let mut users: Vec<_> =
            users.iter().map(|user| (digest(&user.token), user.user_swa)).collect();
        users.sort();
        for (token, user_swa) in users {
            writeln!(
                f,
                "\n[[environment.{environment}.application.user]]\ntoken = {token}\nuser_swa = \"{user_swa}\""
            )?;
        }
        Ok(())
    }
}

fn write_chain(f: &mut fmt::Formatter<'_>, chain: &Chain) -> fmt::Result {
    writeln!(f, "gsn_enabled = {}", chain.policies.gsn_enabled)?;
    writeln!(f, "sponsorship_enabled = {}", chain.policies.sponsorship_enabled)?;
    match chain.fee() {
        Some(fee) => writeln!(f, "transaction_fee = \"{fee}\""),
        None => Ok(()),
    }
}

fn list(f: &mut fmt::Formatter<'_>, key: &str, items: Vec<String>) -> fmt::Result {
    if items.is_empty() { Ok(()) } else { writeln!(f, "{key} = [\n{}]", items.concat()) }
}

fn off(whitelisted: bool) -> &'static str {
    if whitelisted { "" } else { ", whitelisted = false" }
}

/// A text without control characters: in JSON and in TOML it is the same.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn sorted(keys: &[Key]) -> Vec<String> {
    let mut digests: Vec<_> = keys.iter().map(digest).collect();
    digests.sort();
    digests
}

fn digest(key: &Key) -> String {
    let ends = key.ends.map(|ends| format!(", ends_ms = {}", ms(ends))).unwrap_or_default();
    format!("{{ sha256 = \"{}\"{ends} }}", key.digest)
}

fn written_policy(policy: &Option<Policy>) -> String {
    let Some(policy) = policy else { return "\"none\"".into() };
    format!(
        "{{ limit = {}, window_ms = {}, day_offset_minutes = {}, midnight = \"{}\", hold_ms = {} }}",
        policy.limit(),
        policy.window().as_millis(),
        policy.day_offset_minutes(),
        policy.midnight(),
        policy.hold().as_millis()
    )
}

fn written_origins(origins: &Origins) -> String {
    match origins {
        Origins::Every => "\"*\"".into(),
        Origins::These(origins) => {
            format!(
                "[{}]",
                origins.iter().map(|origin| quoted(origin)).collect::<Vec<_>>().join(", ")
            )
        }
    }
}
