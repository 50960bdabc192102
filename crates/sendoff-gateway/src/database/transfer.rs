//! Applications on their way between a file and the database. The file is TOML, and has digests of secrets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Database;
use super::document::{Document, Place};
use crate::config::{self, Config, Problem};

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
    application: Vec<Document>,
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
        let names: Vec<_> = config.environments.iter().map(|known| &*known.name).collect();
        for (environment, OfEnvironment { application }) in self.environment {
            if !names.contains(&&*environment) {
                let expected = "expected an environment of the configuration";
                return Err(format!(
                    "environment.{environment}: {expected} ({})",
                    names.join(", ")
                ));
            }
            all.extend(application.into_iter().map(|document| {
                let name = document.name.as_str().to_owned();
                (Place { environment: environment.clone(), name }, document)
            }));
        }

        let count = all.len();
        if count == 0 {
            return Ok(Some(0));
        }
        let is_filled = database.import(all, must_be_new).await?;
        Ok(is_filled.then_some(count))
    }
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
    let database = open(config).await?;
    let all = database.read(None).await.map_err(|fault| fault.as_text())?;
    let mut file = Applications::default();
    for (place, document) in all {
        let document =
            document.transpose().and_then(|text| Document::read(&text.unwrap_or_default()));
        let document =
            document.map_err(|why| format!("nothing was exported: {}", place.unreadable(&why)))?;
        file.environment.entry(place.environment).or_default().application.push(document);
    }
    toml::to_string(&file).map_err(|error| error.to_string())
}

async fn open(config: &Config) -> Result<Database, String> {
    if config.database == config::Database::Memory {
        return Err(
            "expected a database in the configuration, such as `database = \"gateway.db\"`, \
                    found none"
                .into(),
        );
    }
    let opened = Database::open(&config.database).await;
    opened.map_err(|why| format!("the database cannot be used: {why}"))
}
