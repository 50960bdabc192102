//! What the admin API shows. It never has a key or a token.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use sendoff::{
    catalogue::Catalogue,
    rate_limit::{Policy, Verdict},
};
use serde::Serialize;
use serde_json::{Value, json};

use super::{body::reference, read};
use crate::{
    config::{self, Origins},
    database::{ApplicationName, ChainPolicies, Entry, Key, Place},
    observe::recent,
};

/// How full the window of an application is.
#[derive(Debug)]
pub(crate) struct Fill {
    pub(crate) policy: Policy,
    /// What the next call would be told, or with a store what the last call of this process was told in this window.
    pub(crate) verdict: Option<Verdict>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Session<'a> {
    /// The name of the admin.
    pub(super) name: &'a str,
    pub(super) environments: &'a [String],
    /// The version of the gateway.
    pub(super) version: &'a str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Known<'a> {
    #[schemars(schema_with = "catalogue")]
    catalogue: &'a Catalogue,
    sponsorship: Vec<ChainPolicies>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Applications {
    pub(super) applications: Vec<ApplicationName>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Application<'a> {
    environment: &'a str,
    name: &'a str,
    #[serde(rename = "clientSWA")]
    #[schemars(schema_with = "wallet")]
    client_swa: String,
    #[schemars(schema_with = "catalogue")]
    catalogue: &'a Catalogue,
    sponsorship: Vec<ChainPolicies>,
    keys: Vec<Key>,
    /// The number of its users.
    users: usize,
    refusals: Vec<Refused<'a>>,
    /// Its own limit; absent for that of its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "policy_or_none")]
    policy: Option<Value>,
    /// Its own pages; absent for those of its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "origins")]
    origins: Option<&'a Origins>,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<Filled>,
}

#[derive(Serialize, JsonSchema)]
struct Filled {
    #[schemars(schema_with = "policy")]
    policy: Policy,
    /// What the next call would be told. With a shared store: what the last call of this process was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "verdict")]
    next: Option<Verdict>,
}

/// A request that was refused.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Refused<'a> {
    /// In milliseconds since 1970.
    at: u64,
    operation: &'a str,
    status: u16,
    reason: &'a str,
    trace_id: &'a str,
    /// The place of the first problem of the document.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[schemars(default)]
    issue: &'a str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Keys {
    pub(super) keys: Vec<Key>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Users {
    pub(super) users: Vec<Key>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Changes {
    pub(super) changes: Vec<Change>,
}

/// A row of the audit log.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change {
    revision: i64,
    /// In milliseconds since 1970.
    made_at: i64,
    /// The name of the admin, or `import`.
    by: String,
    /// The address of the admin.
    address: String,
    trace_id: String,
    environment: String,
    application: String,
    action: String,
    #[schemars(with = "serde_json::Map<String, Value>")]
    about: Value,
}

fn schema(value: Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}

fn catalogue(_: &mut SchemaGenerator) -> Schema {
    schema(reference("Catalogue"))
}

fn policy(_: &mut SchemaGenerator) -> Schema {
    schema(reference("Policy"))
}

fn verdict(_: &mut SchemaGenerator) -> Schema {
    schema(reference("Verdict"))
}

fn policy_or_none(_: &mut SchemaGenerator) -> Schema {
    schema(read::policy().schema)
}

fn origins(_: &mut SchemaGenerator) -> Schema {
    schema(read::origins().schema)
}

pub(crate) fn wallet(_: &mut SchemaGenerator) -> Schema {
    schema(read::wallet().schema)
}

/// The catalogue of the file's lists, and the policies of its chains.
pub(super) fn known(known: &config::Known) -> Known<'_> {
    let sponsorship = known.chains.iter().map(ChainPolicies::from).collect();
    Known { catalogue: &known.catalogue, sponsorship }
}

/// An application: what it may use, its keys, its window and its last refusals.
pub(super) fn application<'a>(
    place: &'a Place,
    application: &'a config::Application,
    keys: Vec<Key>,
    window: Option<Fill>,
    refusals: &'a [recent::Refused],
) -> Application<'a> {
    let policy = application.policy.map(|policy| policy.map_or(json!("none"), |own| json!(own)));
    Application {
        environment: &place.environment,
        name: &place.application,
        client_swa: application.client_swa.to_string(),
        catalogue: &application.offer.catalogue,
        sponsorship: application.chains.iter().map(ChainPolicies::from).collect(),
        keys,
        users: application.users.len(),
        refusals: refusals.iter().map(Refused::from).collect(),
        policy,
        origins: application.origins.as_ref(),
        window: window.map(|fill| Filled { policy: fill.policy, next: fill.verdict }),
    }
}

impl From<Entry> for Change {
    fn from(entry: Entry) -> Self {
        Self {
            revision: entry.revision,
            made_at: entry.made_at,
            by: entry.made_by,
            address: entry.address,
            trace_id: entry.trace_id,
            environment: entry.place.environment,
            application: entry.place.application,
            action: entry.action,
            about: entry.about,
        }
    }
}

impl<'a> From<&'a recent::Refused> for Refused<'a> {
    fn from(refused: &'a recent::Refused) -> Self {
        Self {
            at: refused.at,
            operation: refused.operation,
            status: refused.status,
            reason: refused.reason,
            trace_id: &refused.trace_id,
            issue: &refused.issue,
        }
    }
}
