//! An application as a file and the database have it.

use std::{collections::HashMap, fmt, ops::Deref, sync::Arc};

use schemars::JsonSchema;
use sendoff::{
    catalogue::{Catalogue, Disabling, ListedToken},
    intent::Label,
    value::{Address, ChainId},
};
use serde::{Deserialize, Serialize};

use crate::config::{Clock, Key, Limit, Listed, Origins, User};

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
    pub(crate) origins: Option<Origins>,
    pub(crate) client_swa: Address,
    #[serde(default = "never")]
    pub(crate) disable: Disabling,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) keys: Vec<Key>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) server_keys: Vec<Key>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) chain: Vec<Listed>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) user: Vec<User>,
}

const fn never() -> Disabling {
    Disabling::Never
}

impl Document {
    /// An application without keys and users.
    pub(crate) fn new(name: Label, client_swa: Address, chain: Vec<Listed>) -> Self {
        let (keys, server_keys, user) = (Vec::new(), Vec::new(), Vec::new());
        let (policy, origins, disable) = (None, None, Disabling::Never);
        Self { name, policy, origins, client_swa, disable, keys, server_keys, chain, user }
    }

    /// Reads the text of the database.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The text of the database.
    pub(super) fn written(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    /// Its chains, tokens and collections.
    pub(super) fn catalogue(&self) -> Result<Catalogue, String> {
        Listed::catalogue(&self.chain, self.disable)
    }

    /// Gives it the chains of a catalogue. One that it has already keeps its policies and its fee.
    pub(crate) fn set_catalogue(&mut self, catalogue: &Catalogue) {
        let chains = catalogue.known_chains().iter().map(|known| {
            let before = self.chain.iter().find(|one| one.id == known.caip2_id);
            Listed::new(known, catalogue, before)
        });
        self.chain = chains.collect();
        self.disable = catalogue.disable();
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
    pub(super) fn application(
        mut self,
        offers: &mut Offers,
        clock: Clock,
    ) -> Result<Application, String> {
        let offer = offers.of(self.disable, std::mem::take(&mut self.chain))?;
        Ok(Application { document: self, offer, clock })
    }
}

/// An application in service.
pub(crate) struct Application {
    /// Its document, whose chains are those of the offer.
    document: Document,
    pub(crate) offer: Arc<Offer>,
    /// The clock that ends its keys and tokens.
    pub(crate) clock: Clock,
}

impl Deref for Application {
    type Target = Document;

    fn deref(&self) -> &Document {
        &self.document
    }
}

/// What an application may use. Applications with equal ones share it.
pub(crate) struct Offer {
    /// The catalogue, whose rules are the core's.
    pub(crate) catalogue: Catalogue,
    /// The answer to the question for its tokens.
    pub(crate) tokens: Vec<ListedToken>,
    pub(crate) chains: Vec<Listed>,
}

impl Offer {
    /// A chain of the catalogue.
    pub(crate) fn chain(&self, id: &ChainId) -> Option<&Listed> {
        self.chains.iter().find(|chain| chain.id == *id)
    }
}

/// Offers by their texts.
#[derive(Default)]
pub(crate) struct Offers(HashMap<String, Arc<Offer>>);

impl Offers {
    fn of(&mut self, disable: Disabling, chains: Vec<Listed>) -> Result<Arc<Offer>, String> {
        let text = serde_json::to_string(&(disable, &chains)).map_err(|error| error.to_string())?;
        if let Some(known) = self.0.get(&text) {
            return Ok(Arc::clone(known));
        }
        let catalogue = Listed::catalogue(&chains, disable)?;
        let offer = Arc::new(Offer { tokens: catalogue.tokens(), catalogue, chains });
        self.0.insert(text, Arc::clone(&offer));
        Ok(offer)
    }

    /// Forgets those that no application has any more.
    pub(super) fn sweep(&mut self) {
        self.0.retain(|_, offer| Arc::strong_count(offer) > 1);
    }
}

/// An application in service, for tests.
#[cfg(test)]
pub(crate) fn in_service(document: &serde_json::Value) -> Application {
    let document = Document::read(&document.to_string()).expect("a document");
    document.application(&mut Offers::default(), Clock::new(0)).expect("an application")
}
