//! What the admin API shows. It never has a key or a token.

use schemars::JsonSchema;
use sendoff::{
    catalogue::Catalogue,
    rate_limit::{Policy, Verdict},
};
use serde::Serialize;
use serde_json::{Value, json};

use super::schema::{catalogue, origins, policy, policy_or_none, verdict, wallet};
use crate::{
    config::{self, Chain, Origins},
    database::{ApplicationName, Entry, Key, Place},
    observe::recent::Refused,
};

/// How full the window of an application is.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Filled")]
pub(crate) struct Fill {
    #[schemars(schema_with = "policy")]
    pub(crate) policy: Policy,
    /// What the next call would be told. With a shared store: what the last call of this process was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "verdict")]
    pub(crate) next: Option<Verdict>,
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
pub(super) struct Known {
    #[schemars(schema_with = "catalogue")]
    pub(super) catalogue: Catalogue,
    pub(super) sponsorship: Vec<ChainPolicies>,
}

/// The policies and the fee of a chain.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChainPolicies {
    caip2_id: String,
    gsn_enabled: bool,
    sponsorship_enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_fee: Option<String>,
}

impl From<&Chain> for ChainPolicies {
    fn from(chain: &Chain) -> Self {
        Self {
            caip2_id: chain.id.to_string(),
            gsn_enabled: chain.policies.gsn_enabled,
            sponsorship_enabled: chain.policies.sponsorship_enabled,
            transaction_fee: chain.fee().map(ToString::to_string),
        }
    }
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
    refusals: Vec<Refused>,
    /// Its own limit; absent for that of its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "policy_or_none")]
    policy: Option<Value>,
    /// Its own pages; absent for those of its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "origins")]
    origins: Option<&'a Origins>,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<Fill>,
}

impl<'a> Application<'a> {
    /// An application: what it may use, its keys, its window and its last refusals.
    pub(super) fn new(
        place: &'a Place,
        application: &'a config::Application,
        keys: Vec<Key>,
        window: Option<Fill>,
        refusals: Vec<Refused>,
    ) -> Self {
        let policy = application.policy.map(|own| own.map_or(json!("none"), |own| json!(own)));
        Self {
            environment: &place.environment,
            name: &place.application,
            client_swa: application.client_swa.to_string(),
            catalogue: &application.offer.catalogue,
            sponsorship: application.chains.iter().map(ChainPolicies::from).collect(),
            keys,
            users: application.users.len(),
            refusals,
            policy,
            origins: application.origins.as_ref(),
            window,
        }
    }
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
    pub(super) changes: Vec<Entry>,
}
