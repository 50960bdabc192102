//! What the admin API shows. It never has a key or a token.

use schemars::JsonSchema;
use sendoff::{
    catalogue::Catalogue,
    value::{Address, ChainId, FeeAmount},
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    config::{Listed, Origins},
    database::{ApplicationName, Entry, Key},
    observe::recent::Refused,
    schema::{WALLET, limit, origins},
    service::Fill,
};

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
    #[schemars(with = "Value", extend("$ref" = "#/components/schemas/Catalogue"))]
    pub(super) catalogue: Catalogue,
    pub(super) sponsorship: Vec<ChainPolicies>,
}

/// The policies and the fee of a chain.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChainPolicies {
    #[schemars(with = "String")]
    caip2_id: ChainId,
    gsn_enabled: bool,
    sponsorship_enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, with = "String")]
    transaction_fee: Option<FeeAmount>,
}

impl From<&Listed> for ChainPolicies {
    fn from(chain: &Listed) -> Self {
        let policies = chain.policies();
        Self {
            caip2_id: chain.id.clone(),
            gsn_enabled: policies.gsn_enabled,
            sponsorship_enabled: policies.sponsorship_enabled,
            transaction_fee: chain.fee(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Applications {
    pub(super) applications: Vec<ApplicationName>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Application<'a> {
    pub(super) environment: &'a str,
    pub(super) name: &'a str,
    #[serde(rename = "clientSWA")]
    #[schemars(with = "String", regex(pattern = WALLET))]
    pub(super) client_swa: Address,
    #[schemars(with = "Value", extend("$ref" = "#/components/schemas/Catalogue"))]
    pub(super) catalogue: &'a Catalogue,
    pub(super) sponsorship: Vec<ChainPolicies>,
    pub(super) keys: Vec<Key>,
    /// The number of its users.
    pub(super) users: usize,
    pub(super) refusals: Vec<Refused>,
    /// Its own limit; absent for that of its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "limit")]
    pub(super) policy: Option<Value>,
    /// Its own pages; absent for those of its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "origins")]
    pub(super) origins: Option<&'a Origins>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) window: Option<Fill>,
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
