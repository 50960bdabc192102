//! The changes of the database.

use std::{fmt, str::FromStr, time::Duration};

use schemars::JsonSchema;
use sendoff::{
    catalogue::{Catalogue, CatalogueStep, KnownChain, KnownCollection, KnownToken},
    rate_limit::Policy,
    value::{Address, ChainId},
};

use serde::Serialize;

use crate::{
    admin::wallet,
    config::{Chain, Digest, Origins},
};

/// An application of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) environment: String,
    pub(crate) application: String,
}

/// The kind of a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A key of the client side.
    Client,
    /// A key of the server side.
    Server,
    /// A user's token.
    User,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Client => "client",
            Self::Server => "server",
            Self::User => "user",
        })
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Client, Self::Server, Self::User];
        let found = all.into_iter().find(|kind| kind.to_string() == text);
        found.ok_or_else(|| {
            format!("expected `client`, `server` or `user`, found text of length {}", text.len())
        })
    }
}

/// What an application begins with.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) client_swa: Address,
    pub(crate) policy: Option<Option<Policy>>,
    pub(crate) origins: Option<Origins>,
    pub(crate) catalogue: Catalogue,
    /// The policies and fees of its chains.
    pub(crate) chains: Vec<Chain>,
    /// Credentials that are known already.
    pub(crate) credentials: Vec<Credential>,
}

/// A key or a token that is known already.
#[derive(Debug)]
pub(crate) struct Credential {
    pub(crate) kind: Kind,
    pub(crate) digest: Digest,
    /// When it ends, in milliseconds since 1970.
    pub(crate) ends_at: Option<i64>,
    /// The wallet of a user.
    pub(crate) wallet: Option<Address>,
}

/// What an application has from now on; `None` for what stays.
#[derive(Debug)]
pub(crate) struct Alteration {
    pub(crate) client_swa: Option<Address>,
    /// `Some(None)` for that of its environment.
    pub(crate) policy: Option<Option<Option<Policy>>>,
    /// `Some(None)` for those of its environment.
    pub(crate) origins: Option<Option<Origins>>,
}

/// A change of an application.
#[derive(Debug)]
pub(crate) enum Change {
    /// Makes it.
    Make(Box<Draft>),
    /// Gives it another wallet, limit or list of pages.
    Alter(Alteration),
    /// Takes it away, with all that it has.
    Remove,
    /// Makes a key, or a token for the user of a wallet.
    MakeCredential(Kind, Option<Address>),
    /// Makes another key or token in the place of this one, which ends after the overlap.
    Rotate(String, Duration),
    /// Ends a key or a token.
    End(String),
    /// A step of its catalogue.
    Step(CatalogueStep),
    /// Adds what its catalogue does not know yet, with nothing enabled.
    Know(Vec<KnownChain>, Vec<KnownToken>, Vec<KnownCollection>),
    /// The policies and the fee of one of its chains.
    Sponsor(ChainId, Chain),
}

impl Change {
    /// The name in the audit log.
    pub(crate) const fn as_str(&self) -> &'static str {
        match self {
            Self::Make(_) => "make-application",
            Self::Alter(_) => "change-application",
            Self::Remove => "remove-application",
            Self::MakeCredential(..) => "make-credential",
            Self::Rotate(..) => "rotate-credential",
            Self::End(_) => "end-credential",
            Self::Step(CatalogueStep::Enable(_)) => "enable",
            Self::Step(CatalogueStep::Disable(_)) => "disable",
            Self::Step(CatalogueStep::Whitelist(..)) => "whitelist",
            Self::Step(CatalogueStep::Remove(..)) => "remove",
            Self::Know(..) => "know",
            Self::Sponsor(..) => "sponsor",
        }
    }
}

/// A change that answers nothing but that it was made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Nothing {}

/// Whether a step changed something.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Changed {
    pub(crate) changed: bool,
}

/// An application by its name.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ApplicationName {
    pub(crate) environment: String,
    pub(crate) name: String,
}

/// A key or a token, without its text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Key {
    /// The first 16 hex digits of its digest.
    #[schemars(regex(pattern = "^[0-9a-f]{16}$"))]
    pub(crate) id: String,
    pub(crate) kind: Kind,
    /// In milliseconds since 1970.
    pub(crate) made_at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ends_at: Option<i64>,
    #[serde(rename = "userSWA", skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "wallet")]
    pub(crate) user_swa: Option<String>,
}

/// A new key or token.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NewKey {
    #[serde(flatten)]
    pub(crate) key: Key,
    /// The id of the one that it replaces, which ends at `endsAt`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) replaces: Option<String>,
    /// The key or token. It is shown once: a repeated request has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<String>,
}

/// The policies and the fee of a chain.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChainPolicies {
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
