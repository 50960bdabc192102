//! The changes of the database.

use std::{fmt, str::FromStr, time::Duration};

use sendoff::{
    catalogue::{Catalogue, CatalogueStep, KnownChain, KnownCollection, KnownToken},
    rate_limit::Policy,
    value::{Address, ChainId},
};

use crate::config::{Chain, Key, Origins};

/// An application of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) environment: String,
    pub(crate) application: String,
}

/// The kind of a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Credentials that are known already, each with the wallet of a user.
    pub(crate) credentials: Vec<(Kind, Key, Option<Address>)>,
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
