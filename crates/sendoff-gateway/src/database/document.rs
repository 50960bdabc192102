//! An application as a file and the database have it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use schemars::JsonSchema;
use sendoff::catalogue::{Catalogue, ListedToken};
use sendoff::intent::Label;
use sendoff::value::{Address, ChainId};
use serde::{Deserialize, Serialize};

use crate::config::{Clock, Key, Limit, Origin, Sponsorship, User, no_chains};

/// An application of an environment.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) environment: String,
    pub(crate) application: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of `{}`", self.application, self.environment)
    }
}

/// The kind of a credential.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A key of the client side.
    Client,
    /// A key of the server side.
    Server,
    /// A user's token.
    User,
}

/// An application: the form of `export` and `import`, and of the column `document`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    pub(crate) name: Label,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<Limit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) origins: Option<Vec<Origin>>,
    pub(crate) client_swa: Address,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) keys: Vec<Key>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) server_keys: Vec<Key>,
    #[serde(default = "no_chains")]
    pub(crate) catalogue: Catalogue,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) sponsorship: BTreeMap<ChainId, Sponsorship>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) user: Vec<User>,
}

impl Document {
    /// Reads the text of the database.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The text of the database.
    pub(super) fn written(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    /// Its keys and tokens.
    pub(crate) fn credentials(&self) -> impl Iterator<Item = (Kind, Key, Option<Address>)> {
        let keys = self.keys.iter().map(|key| (Kind::Client, *key, None));
        let server_keys = self.server_keys.iter().map(|key| (Kind::Server, *key, None));
        let users = self.user.iter().map(|user| (Kind::User, user.token, Some(user.user_swa)));
        keys.chain(server_keys).chain(users)
    }

    /// Its keys and tokens, to be changed.
    pub(super) fn keys_mut(&mut self) -> impl Iterator<Item = &mut Key> {
        let users = self.user.iter_mut().map(|user| &mut user.token);
        self.keys.iter_mut().chain(&mut self.server_keys).chain(users)
    }

    /// Keeps some of its keys and tokens.
    pub(super) fn retain(&mut self, keep: impl Fn(&Key) -> bool) {
        self.keys.retain(&keep);
        self.server_keys.retain(&keep);
        self.user.retain(|user| keep(&user.token));
    }

    /// The application in service.
    pub(super) fn application(self, clock: Clock) -> Application {
        Application { tokens: self.catalogue.tokens(), document: self, clock }
    }
}

/// An application in service.
pub(crate) struct Application {
    document: Document,
    /// The answer to the question for its tokens.
    pub(crate) tokens: Vec<ListedToken>,
    /// The clock that ends its keys and tokens.
    pub(crate) clock: Clock,
}

impl Deref for Application {
    type Target = Document;

    fn deref(&self) -> &Document {
        &self.document
    }
}

/// An application in service, for tests.
#[cfg(test)]
pub(crate) fn in_service(document: &serde_json::Value) -> Application {
    Document::read(&document.to_string()).expect("a document").application(Clock::new(0))
}
