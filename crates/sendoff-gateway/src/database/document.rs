//! An application as a file and the database have it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use schemars::JsonSchema;
use sendoff::catalogue::{Catalogue, ListedToken};
use sendoff::intent::Label;
use sendoff::value::{Address, ChainId};
use serde::{Deserialize, Serialize};

use crate::config::{Clock, Key, Limit, Origin, Sponsorship, no_chains};
use crate::observe::recent::Recent;

/// An application of an environment.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ApplicationName")]
pub(crate) struct Place {
    pub(crate) environment: String,
    pub(crate) name: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of `{}`", self.name, self.environment)
    }
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
    #[serde(default = "no_chains")]
    pub(crate) catalogue: Catalogue,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) sponsorship: BTreeMap<ChainId, Sponsorship>,
}

impl Document {
    /// Reads the text of the database.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The number of its users.
    pub(crate) fn users(&self) -> usize {
        self.keys.iter().filter(|key| key.of.wallet().is_some()).count()
    }

    /// The application in service.
    pub(super) fn application(self, clock: Clock, refusals: Arc<Recent>) -> Application {
        Application { tokens: self.catalogue.tokens(), document: self, clock, refusals }
    }
}

/// An application in service.
pub(crate) struct Application {
    document: Document,
    /// The answer to the question for its tokens.
    pub(crate) tokens: Vec<ListedToken>,
    /// The clock that ends its keys and tokens.
    pub(crate) clock: Clock,
    /// Its last refusals.
    pub(crate) refusals: Arc<Recent>,
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
    let document = Document::read(&document.to_string()).expect("a document");
    document.application(Clock::new(0), Arc::default())
}
